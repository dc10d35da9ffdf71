"""Connections: each must ask for something soon, by a name that is ours."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import time
from collections import deque
from collections.abc import Iterable
from html import escape
from typing import Any

import h11
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from recollect.table.limits import FIRST_WORD, TAKEN
from recollect.table.render.prose import ui_texts
from recollect.table.web.visitor import place_of, preferred

log = logging.getLogger("recollect.table")

A_MINUTE = 60.0  # seconds: what happens at the door is said no more often

STRANGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Recollect</title>
<style>:root {{ color-scheme: dark light; background: #17212b; color: #f4efe6; }}
@media (prefers-color-scheme: light) {{ :root {{ background: #e9e2d4; color: #1d2731; }} }}
body {{ max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; font: 1.1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }}
b, i {{ display: inline-block; font-style: normal; }}</style>
<h1>Recollect</h1>
<p>This house is not called <b>{name}.</b> Whoever runs it can add the name: <code>recollect serve <i>--name {name}</i></code></p>
<p lang="fr">Cette maison ne s’appelle pas <b>{name}.</b> Qui la tient peut ajouter ce nom\u00a0:
<code>recollect serve <i>--name {name}</i></code></p>
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


class Taking(asyncio.Protocol):
    """What a connection is told it takes in time, or it is gone: one that is closed politely would keep what is left for ever."""

    loop: asyncio.AbstractEventLoop
    transport: Any
    _untaken: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)  # it is paused as soon as something is left

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait_for(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        super().resume_writing()
        self._taken()

    def connection_lost(self, exc: Exception | None) -> None:
        self._taken()
        super().connection_lost(exc)

    def _wait_for(self, left: int) -> None:
        self._untaken = self.loop.call_later(TAKEN, self._look_again, left)

    def _look_again(self, before: int) -> None:
        """Who is slow may be; who has taken nothing since is gone."""
        if (left := self.transport.get_write_buffer_size()) < before:
            self._wait_for(left)
        else:
            self.transport.abort()

    def _taken(self) -> None:
        if self._untaken:
            self._untaken.cancel()
            self._untaken = None


class Patient(Taking, H11Protocol):
    """HTTP as uvicorn speaks it, but a connection that asks for nothing, or never ends its question, is closed."""

    _waiting: asyncio.TimerHandle | None = None
    _a_page = False  # it has become the socket of an open page, which has its own limits

    def connection_made(self, transport: Any) -> None:
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
        self._taken()
        super().handle_websocket_upgrade(event)

    def send_400_response(self, msg: str) -> None:
        """What makes no sense is answered; in the middle of an answer, or after it, there is nothing more to say."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

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


class InTurn:
    """Who asks for much at once is answered one thing after the other: in between come others, and every open page with its clicks."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # of each address from which something was asked in this turn

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._turn(place_of(HTTPConnection(scope)))
        await self.app(scope, receive, send)

    async def _turn(self, place: str) -> None:
        loop = asyncio.get_running_loop()
        if place in self._waiting:
            self._waiting[place].append(mine := loop.create_future())
            await mine
        else:
            self._waiting[place] = deque()
            loop.call_soon(self._next, place)

    def _next(self, place: str) -> None:
        """In each turn of the loop one of those who wait; whoever left meanwhile is found out when they are answered."""
        if not self._waiting[place]:
            del self._waiting[place]
            return
        one = self._waiting[place].popleft()
        if not one.done():
            one.set_result(None)
        asyncio.get_running_loop().call_soon(self._next, place)


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
        await strange(scope)(scope, receive, send)


def strange(scope: Scope) -> Response:
    """Who asks for another house reads what this one is not called: people on a page, programs in JSON."""
    name = host_of(scope)
    if not scope["path"].startswith("/api/"):
        return HTMLResponse(STRANGE.format(name=escape(name)), 421)
    language = preferred(dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1"))
    return JSONResponse({"status": 421, "why": ui_texts(language)("error.strange", name=name)}, 421)


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
