"""The sockets of open pages: what one is told goes straight to it, what it says is heard a little at a time."""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State

from recollect.table.live.wire import DIRECT
from recollect.table.web.connection import Taking

QUICK = find_spec("isal") is not None  # it packs in a tenth of the time, into half as many bytes again
packer: Any = import_module("isal.isal_zlib" if QUICK else "zlib")
LEVEL = 1 if QUICK else 3
AHEAD = 4  # messages of a page that may wait to be heard
BITE = 1024  # bytes of what a page says that are unpacked and answered before others come: most messages are much shorter
OTHERS = 9  # times as long as a bite took, until the next one of who says more than that at once
WINDOW = 15  # bits of what a packed socket remembers: 128 kB a page that is open


class Packed(Taking, WebSocketsSansIOProtocol):
    """WebSockets as uvicorn speaks them, but each remembers more of what it has said: a move is much like the one before."""

    _heard = 0.0  # when it last said something
    _packs: Any = None  # what packs all that is said here, each message upon those before
    _unheard = b""  # what came with the last bite
    _biting: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._asked: dict[bytes, Callable[[], None]] = {}  # whether what was said has come, the earliest first; and what is to follow then
        self._asks = 0
        self.conn.available_extensions = [Packing(server_max_window_bits=WINDOW, client_max_window_bits=12)]

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][DIRECT] = {"say": self.say, "reached": self.reached, "more": lambda: not self.queue.empty()}
            self._packs = next((getattr(one, "encoder", None) for one in self.conn.extensions), None)

    # -- saying

    def say(self, text: bytes) -> bool:
        """Say something at once, without the way through the application's layers; false where it must wait, or nobody hears it."""
        if self.conn.state is not State.OPEN or not self.writable.is_set() or self.disconnected or self.transport.is_closing():
            return False
        if self._packs is None:
            self.conn.send_text(text)
            self.transport.write(b"".join(self.conn.data_to_send()))
        else:
            self.transport.write(framed(self._packs.compress(text) + self._packs.flush(packer.Z_SYNC_FLUSH)))
        return True

    def reached(self, call: Callable[[], None]) -> None:
        """Call when all that was said so far has come: the other end of the line answers by itself, and never before."""
        if self.conn.state is State.OPEN and not self.transport.is_closing():
            self._asks += 1
            self._asked[mark := b"come %d" % self._asks] = call
            self.transport.write(bytes((0x89, len(mark))) + mark)  # a ping (RFC 6455)

    def handle_pong(self, event: Frame) -> None:
        """Whoever answers one has had all that was said before it, too: only the latest must be answered (RFC 6455, 5.5.3)."""
        if (mark := bytes(event.data)) not in self._asked:
            return super().handle_pong(event)
        while self._asked:
            earliest = next(iter(self._asked))
            self._asked.pop(earliest)()
            if earliest == mark:
                break

    async def send(self, message: Any) -> None:
        """Who left while the door was being opened is gone, and that is no fault to be told in the log."""
        if self.transport.is_closing() and not self.handshake_complete:
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # it was refused, in words: no fault either
        if self.close_sent and self._biting is None:
            self._bite()  # what is left to be heard is the answer

    def send_keepalive_ping(self) -> None:
        """Who has said something lately is there, and is not asked."""
        still = self._heard + (self.ping_interval or 0) - self.loop.time()
        if still > 0:
            self.ping_timer = self.loop.call_later(still, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    # -- hearing

    def pause_writing(self) -> None:
        """Who takes nothing is not heard: there might be an answer to each word, which nobody takes either."""
        super().pause_writing()
        self._pause()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._biting is None and (self._unheard or self.queue.empty()):
            self._bite()

    def data_received(self, data: bytes) -> None:
        """What comes all at once is heard bite by bite: little may unpack to much, or ask for many answers."""
        self._heard = self.loop.time()
        if not self.handshake_initiated or (len(data) <= BITE and not self._unheard):
            return super().data_received(data)
        self._unheard += data
        self._pause()
        if self._biting is None:
            self._bite()

    def _bite(self) -> None:
        """Others come before the next one; who has not been heard yet says nothing more."""
        self._biting = None
        if self.transport.is_closing():
            self._unheard = b""
        elif self._unheard and (self.queue.qsize() <= AHEAD or self.close_sent) and self.writable.is_set():
            bite, self._unheard = self._unheard[:BITE], self._unheard[BITE:]
            begun = time.perf_counter()
            super().data_received(bite)
            self._biting = self.loop.call_later(OTHERS * (time.perf_counter() - begun), self._bite)
        elif not self._unheard and (self.queue.empty() or self.close_sent):
            self._go_on()

    def send_receive_event_to_app(self) -> None:
        """Who says little is listened to all the time; of who says much, no more is taken until that is heard."""
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if self.queue.qsize() > AHEAD and not self.close_sent:  # of who is told to go, the answer is all that is still read
            self._pause()

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self._unheard and self._biting is None:
            self._bite()
        elif self.queue.empty() and not self._unheard:
            self._go_on()
        return message

    def _pause(self) -> None:
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _go_on(self) -> None:
        if self.read_paused and self.writable.is_set():
            self.read_paused = False
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """What it remembers of what it said goes at once; the rest of it goes when rubbish is looked for."""
        super().connection_lost(exc)
        self.conn.extensions, self._packs, self._unheard = [], None, b""
        self._asked.clear()
        if self._biting:
            self._biting.cancel()


def framed(packed: bytes) -> bytes:
    """A packed text as the frame that it travels in (RFC 6455; RFC 7692: without the four bytes at its end, which all would have)."""
    size = len(packed) - 4
    if size < 126:
        head = struct.pack("!BB", 0xC1, size)
    elif size < 65_536:
        head = struct.pack("!BBH", 0xC1, 126, size)
    else:
        head = struct.pack("!BBQ", 0xC1, 127, size)
    return head + packed[:-4]


class Packing(ServerPerMessageDeflateFactory):
    """How a socket packs what it says: as it was agreed, but quickly."""

    def process_request_params(self, params: Any, accepted_extensions: Any) -> Any:
        agreed, extension = super().process_request_params(params, accepted_extensions)
        if isinstance(extension, PerMessageDeflate) and not extension.local_no_context_takeover:
            extension.encoder = packer.compressobj(LEVEL, wbits=-extension.local_max_window_bits)
        return agreed, extension
