"""Connections: each must ask for something soon, from an address that is ours."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import struct
import time
from collections.abc import Iterable
from html import escape
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import h11
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.http11 import Request
from websockets.protocol import State

from recollect.table.limits import FIRST_WORD
from recollect.table.live.wire import DIRECT

log = logging.getLogger("recollect.table")

A_MINUTE = 60.0  # seconds: what happens at the door is said no more often
QUICK = find_spec("isal") is not None  # it packs in a tenth of the time, into half as many bytes again
packer: Any = import_module("isal.isal_zlib" if QUICK else "zlib")
LEVEL = 1 if QUICK else 3
AHEAD = 4  # messages of a page that may wait to be heard
WINDOW = 15  # bits of what a packed socket remembers: 128 kB a page that is open

STRANGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Recollect</title>
<style>:root {{ color-scheme: dark light; background: #17212b; color: #f4efe6; }}
@media (prefers-color-scheme: light) {{ :root {{ background: #e9e2d4; color: #1d2731; }} }}
body {{ max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; font: 1.1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }}</style>
<h1>Recollect</h1>
<p>This house is not called <b>{name}</b>. Whoever runs it can add the name: <code>recollect serve --name {name}</code></p>
<p lang="fr">Cette maison ne s’appelle pas <b>{name}</b>. Qui la tient peut ajouter ce nom\u00a0:
<code>recollect serve --name {name}</code></p>
</html>"""  # it stands alone: nothing else of the house is told to who asks for another


class Door:
    """What the connections of one server share: those that ask for nothing just now, the longest first."""

    def __init__(self) -> None:
        self.idle: dict[Patient, None] = {}
        self._closed = 0
        self._said = -A_MINUTE

    def make_room(self, left: int) -> None:
        """Whoever comes finds room while somebody asks for nothing, wherever from: behind a proxy all come from one place."""
        while left <= 0 and self.idle:  # at the limit itself nobody is answered any more
            oldest = next(iter(self.idle))
            del self.idle[oldest]
            oldest.connections.discard(oldest)  # it counts no longer, though it is gone only with the next turn of the loop
            oldest.transport.close()
            left, self._closed = left + 1, self._closed + 1
        if self._closed and time.monotonic() - self._said >= A_MINUTE:
            log.warning("there was no room: connections that asked for nothing were closed for others to come in (%d)", self._closed)
            self._closed, self._said = 0, time.monotonic()


class Patient(H11Protocol):
    """HTTP as uvicorn speaks it, but a connection that asks for nothing, or never ends its question, is closed."""

    _waiting: asyncio.TimerHandle | None = None
    _a_page = False  # it has become the socket of an open page, which has its own limits

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._door: Door = vars(self.server_state).setdefault("door", Door())
        if self.limit_concurrency is not None:
            self._door.make_room(self.limit_concurrency - len(self.connections))
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop()  # it has asked: what follows the answer is another question
        elif self._waiting is None and not self._a_page:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._a_page = True
        self._stop()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._door.idle[self] = None  # between two questions

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(FIRST_WORD, self._too_late)
        self._door.idle[self] = None

    def _stop(self) -> None:
        self._door.idle.pop(self, None)
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None

    def _too_late(self) -> None:
        self._waiting = None
        asks = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if asks and not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete or self.cycle.more_body):
            self.transport.close()


class Packed(WebSocketsSansIOProtocol):
    """WebSockets as uvicorn speaks them, but each remembers more of what it has said: a move is much like the one before."""

    _heard = 0.0  # when it last said something
    _packs: Any = None  # what packs all that is said here, each message upon those before

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn.available_extensions = [Packing(server_max_window_bits=WINDOW, client_max_window_bits=12)]

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][DIRECT] = {"say": self.say}
            self._packs = next((getattr(one, "encoder", None) for one in self.conn.extensions), None)

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

    def data_received(self, data: bytes) -> None:
        self._heard = self.loop.time()
        super().data_received(data)

    def send_keepalive_ping(self) -> None:
        """Who has said something lately is there, and is not asked."""
        still = self._heard + (self.ping_interval or 0) - self.loop.time()
        if still > 0:
            self.ping_timer = self.loop.call_later(still, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def send_receive_event_to_app(self) -> None:
        """Who says little is listened to all the time; of who says much, no more is taken until that is heard."""
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused or self.queue.qsize() > AHEAD
        if self.read_paused and not paused:
            self.transport.pause_reading()

    async def send(self, message: Any) -> None:
        """Who left while the door was being opened is gone, and that is no fault to be told in the log."""
        if self.transport.is_closing() and not self.handshake_complete:
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # it was refused, in words: no fault either

    def connection_lost(self, exc: Exception | None) -> None:
        """What it remembers of what it said goes at once; the rest of it goes when rubbish is looked for."""
        super().connection_lost(exc)
        self.conn.extensions, self._packs = [], None


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


class OwnNames:
    """Only who asks for this house by a name of its own is answered: other sites cannot make a browser take us for theirs."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self.app = app
        self.names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or "*" in self.names or host_of(scope) in self.names:
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket":
            await receive()
            return await send({"type": "websocket.close", "code": 4421, "reason": "this house has another name"})
        await HTMLResponse(STRANGE.format(name=escape(host_of(scope))), 421)(scope, receive, send)


def host_of(scope: Scope) -> str:
    """The name by which the house was asked for, without the port."""
    host = str(dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower())
    if host.startswith("["):
        name, closed, _ = host[1:].partition("]")
        return name if closed else ""
    return host.rsplit(":", 1)[0]


def own_names(host: str) -> set[str]:
    """The names of this machine: itself, its name on the network, and the addresses at which it listens."""
    names = {"localhost", "127.0.0.1", "::1", host, socket.gethostname(), socket.getfqdn()}
    if host in ("0.0.0.0", "::"):
        names |= {f"{socket.gethostname()}.local", *addresses()}
    return {name for name in names if name not in ("0.0.0.0", "::")}


def addresses() -> set[str]:
    """This machine's addresses on its networks."""
    found = set()
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            found |= {str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, family)}
        except OSError:
            continue
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:  # choosing a route sends nothing
        try:
            probe.connect(("192.0.2.1", 9))
            found.add(str(probe.getsockname()[0]))
        except OSError:
            pass
    return {address for address in found if _is_address(address)}


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
