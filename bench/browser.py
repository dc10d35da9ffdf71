"""A browser's end of an open page, as lean as can be: what it costs is not to be taken for what the server does.

It speaks as browsers do (packed both ways, masked), checks that each message builds upon the page it has, and keeps the page as parts, as
they come; what may be clicked is read once in each of them.
"""

from __future__ import annotations

import asyncio
import base64
import os
import re
import time
import zlib
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgspec

from recollect.table.render.parts import element
from recollect.table.web.socket import packer

TURN = "Your turn"  # so the title of a page begins whose person may click
HOLE = "\0"  # on both sides of the name of a part that was cut out
END = b"\x00\x00\xff\xff"  # what a packed message leaves out
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
number = re.compile(r'data-n="(\d+)"').search
clickable = re.compile(r'data-act="(\d+)"').findall


@dataclass
class Tally:
    """What was measured."""

    waits: list[float] = field(default_factory=list)  # seconds from a click to its answer
    sizes: list[int] = field(default_factory=list)  # packed bytes of what a page is told
    across: list[float] = field(default_factory=list)  # seconds from a click to the change of the other's page
    refused: list[str] = field(default_factory=list)
    on: bool = False  # after the tables are set


class Told(msgspec.Struct):
    """What the server says to a page, as far as it matters here."""

    k: int = 0
    after: int = 0
    html: str = ""
    live: str = ""
    parts: dict[str, str] = {}
    title: str = ""
    hold: float | None = None
    stamp: int = 0
    done: int | None = None
    why: str = ""


read = msgspec.json.Decoder(Told).decode
write = msgspec.json.Encoder().encode


class Socket(asyncio.Protocol):
    """A WebSocket by its frames: no more of it than our server says."""

    def __init__(self, page: Page, greeting: bytes) -> None:
        self.page, self.greeting = page, greeting
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rest = b""
        self._unpack, self._pack = packer.decompressobj(wbits=-15), zlib.compressobj(1, wbits=-12)

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.greeting)

    def connection_lost(self, error: Exception | None) -> None:
        for waiting in (self.open, self.gone):
            if not waiting.done():
                waiting.set_result(None)
        self.page.closed()

    def data_received(self, data: bytes) -> None:
        data = self._rest + data if self._rest else data
        if not self.open.done():
            head, ended, data = data.partition(b"\r\n\r\n")
            if not ended:
                self._rest = head
                return
            self._greeted(head)
        while frame := self._frame(data):
            kind, body, data = frame
            self._hear(kind, body)
        self._rest = data

    def _greeted(self, head: bytes) -> None:
        if not head.startswith(b"HTTP/1.1 101") or b"permessage-deflate" not in head:
            self.open.set_exception(RuntimeError(head.partition(b"\r\n")[0].decode()))
        else:
            self.open.set_result(None)

    @staticmethod
    def _frame(data: bytes) -> tuple[int, bytes, bytes] | None:
        """The first frame (its first byte, its body), and what follows; None as long as it is not whole."""
        if len(data) < 2:
            return None
        long = {126: 2, 127: 8}.get(data[1], 0)
        size, begin = (int.from_bytes(data[2 : 2 + long], "big"), 2 + long) if long else (data[1], 2)
        return (data[0], data[begin : begin + size], data[begin + size :]) if len(data) >= begin + size else None

    def _hear(self, kind: int, body: bytes) -> None:
        if kind & 15 == TEXT:
            text = self._unpack.decompress(body + END) if kind & 0x40 else body
            self.page.hear(read(text), len(body))
        elif kind & 15 == PING:
            self._send(0x80 | PONG, body)
        elif kind & 15 == CLOSE:
            self.transport.close()

    def say(self, message: dict[str, Any]) -> None:
        packed = self._pack.compress(write(message)) + self._pack.flush(zlib.Z_SYNC_FLUSH)
        self._send(0xC0 | TEXT, packed[: -len(END)])

    def _send(self, kind: int, body: bytes) -> None:
        """Masked, as the server asks of browsers; what people say is short."""
        mask = os.urandom(4)
        key = int.from_bytes((mask * (len(body) // 4 + 1))[: len(body)], "big")
        masked = (int.from_bytes(body, "big") ^ key).to_bytes(len(body), "big")
        assert len(body) < 126
        self.transport.write(bytes((kind, 0x80 | len(body))) + mask + masked)

    async def close(self) -> None:
        if not self.transport.is_closing():
            self._send(0x80 | CLOSE, b"\x03\xe8")
        await asyncio.wait([self.gone], timeout=5)
        self.transport.close()


class Page:
    """One open page: what may be clicked on it, and what it is told."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.k, self.n, self.ids, self.title = 0, 0, 0, ""
        self.clicked = False  # since then no page has come
        self.news = asyncio.Event()
        self.other: Page | None = None
        self.expects: tuple[int, float] | None = None  # a change after this n, since the other clicked
        self.answers: dict[int, asyncio.Future[Told]] = {}
        self.socket: Socket
        self._texts: dict[str, str] = {}  # the page without name, and parts that have come by themselves, each cut out of what it lay in
        self._acts: dict[str, list[int]] = {}  # what may be clicked in each, where that was asked

    def hear(self, told: Told, size: int) -> None:
        if told.done is not None and told.done in self.answers:
            self.answers.pop(told.done).set_result(told)
        if told.k or told.html:  # before pages had parts they had no number
            self._keep(told)
            if self.tally.on:
                self.tally.sizes.append(size)
        if told.hold is not None:
            asyncio.get_running_loop().call_later(told.hold, self.say, {"do": "shown", "stamp": told.stamp})
        self.news.set()

    def _keep(self, told: Told) -> None:
        """Keep the page as a browser does: all of it, or its parts by id. What came before the answer may be older than the click."""
        self.clicked = self.clicked and bool(self.answers)
        if told.html:
            self._texts, self._acts = {"": told.html}, {}
        else:
            assert told.after == self.k, "what was said builds upon another page"
            for id, part in told.parts.items():
                self._put(id, part)
        self.k, self.title = told.k, told.title
        found = number(told.live or told.html)
        self.n = int(found[1]) if found else 0
        if self.expects and self.n > self.expects[0]:
            self.tally.across += [time.perf_counter() - self.expects[1]] if self.tally.on else []
            self.expects = None

    def _put(self, id: str, part: str) -> None:
        """A part by its id, in place of what was there."""
        if id in self._texts:
            self._fill(id)
        else:
            within = next(name for name, text in reversed(self._texts.items()) if f' id="{id}"' in text)
            text, (begin, end) = self._texts[within], element(self._texts[within], id)
            self._texts[id], self._texts[within] = text[begin:end], f"{text[:begin]}{HOLE}{id}{HOLE}{text[end:]}"
            self._acts.pop(within, None)
            self._fill(id)
        self._texts[id] = part
        self._acts.pop(id, None)

    def _fill(self, id: str) -> None:
        """What was cut out of a part is nothing for itself any more: it comes again with the whole."""
        for inner in self._texts[id].split(HOLE)[1::2]:
            self._fill(inner)
            del self._texts[inner]
            self._acts.pop(inner, None)

    @property
    def open(self) -> bool:
        """Something has come."""
        return bool(self._texts)

    @property
    def acts(self) -> list[int]:
        """What may be clicked, on a page that has come since the last click."""
        if self.clicked or self.answers or not self.title.startswith(TURN):
            return []
        for id in self._texts.keys() - self._acts.keys():
            self._acts[id] = [int(action) for action in clickable(self._texts[id])]
        return [action for id in self._texts for action in self._acts[id]]

    def say(self, message: dict[str, Any]) -> None:
        if not self.socket.transport.is_closing():
            self.socket.say(message)

    async def act(self, action: int) -> dict[str, Any]:
        """Click, and wait for the answer."""
        self.ids += 1
        self.answers[self.ids] = answer = asyncio.get_running_loop().create_future()
        begun = time.perf_counter()
        if self.other:
            self.other.expects = self.n, begun
        self.say({"do": "act", "action": action, "n": self.n, "id": self.ids})
        self.clicked = True
        told = await answer
        self.clicked = self.clicked and not told.why
        if self.tally.on:
            self.tally.waits.append(time.perf_counter() - begun)
            self.tally.refused += [told.why] if told.why else []
        return {"why": told.why} if told.why else {}

    def closed(self) -> None:
        for answer in self.answers.values():
            if not answer.done():
                answer.set_exception(RuntimeError("the page was closed before its click was answered"))


async def open_page(url: str, path: str, headers: dict[str, str], tally: Tally) -> Page:
    """Until the server has opened the socket."""
    place, page = urlsplit(url), Page(tally)
    key = base64.b64encode(os.urandom(16)).decode()
    given = {
        "Host": place.netloc, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key,
        "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits", **headers,
    }  # fmt: skip
    greeting = "\r\n".join([f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items()), "", ""]).encode()
    loop = asyncio.get_running_loop()
    _, page.socket = await loop.create_connection(lambda: Socket(page, greeting), place.hostname, place.port)
    await asyncio.wait_for(page.socket.open, 60)
    return page
