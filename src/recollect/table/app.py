"""The web application: every address, and what goes round every answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketState

from recollect.review.page import template
from recollect.table.house import House
from recollect.table.live.room import Outdated
from recollect.table.render.page import hold
from recollect.table.store import Unkept
from recollect.table.web import back, carry, keeper, learn, notice, onward, own, start, table, turning, upload
from recollect.table.web.api import gone, programs, refuse
from recollect.table.web.connection import InTurn, OwnNames
from recollect.table.web.files import STATIC, almanac, game_file
from recollect.table.web.visitor import trouble

HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws: wss:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


class Count(Convertor[int]):
    """A number in an address; of more digits than any step has it is no address of ours (and Python would not read thousands of them)."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("count", Count())

ROUTES = [
    Route("/", start.start),
    WebSocketRoute("/live", notice.hall),
    Route("/manifest.webmanifest", notice.manifest),
    Route("/service.js", notice.service),
    Route("/offline", notice.offline),
    Route("/name", start.name, methods=["POST"]),
    Route("/language/{code}", start.language),
    Route("/about", start.words),
    Route("/credits", start.words),
    Route("/health", keeper.health),
    Route("/ready", keeper.ready),
    Route("/metrics", keeper.metrics),
    Route("/new/{game}", start.setup, methods=["GET"]),
    Route("/new/{game}", start.create, methods=["POST"]),
    Route("/learn/{game}", learn.enter),
    Route("/learn/{game}/{lesson}", learn.enter),
    Route("/learn/{game}/{lesson}/{step:count}", learn.lesson, methods=["GET"]),
    Route("/learn/{game}/{lesson}/{step:count}", learn.act, methods=["POST"]),
    Route("/replay", upload.ask, methods=["GET"]),
    Route("/replay", upload.show, methods=["POST"]),
    Route("/me", own.own),
    Route("/me/picture", own.picture, methods=["POST"]),
    Route("/me/keep", own.keep, methods=["POST"]),
    Route("/me/back", own.back, methods=["POST"]),
    Route("/me/everything.json", own.everything),
    Route("/me/erase", own.ask, methods=["GET"]),
    Route("/me/erase", own.erase, methods=["POST"]),
    Route("/t/{id}", table.table),
    WebSocketRoute("/t/{id}/live", table.live),
    Route("/t/{id}/join", table.join_open, methods=["GET", "POST"]),
    Route("/t/{id}/join/{secret}", table.join, methods=["GET", "POST"]),
    Route("/t/{id}/press/{seat:count}", table.press),
    Route("/t/{id}/carry", carry.carry),
    Route("/t/{id}/carry/{token}", carry.arrive, methods=["GET", "POST"]),
    Route("/t/{id}/close", table.close, methods=["POST"]),
    Route("/t/{id}/told", table.told, methods=["POST"]),
    Route("/t/{id}/replay", back.whole),
    Route("/t/{id}/replay/{step:count}", back.replay),
    Route("/t/{id}/report", back.report),
    Route("/t/{id}/turning", turning.turnings),
    Route("/t/{id}/better/{step:count}", turning.better),
    Route("/t/{id}/onward/{step:count}", onward.ask, methods=["GET"]),
    Route("/t/{id}/onward/{step:count}", onward.play_on, methods=["POST"]),
    Route("/t/{id}/verify", table.verify),
    Route("/t/{id}/match.json", table.match_file),
    Route("/games/{game}/almanac", almanac),
    Route("/games/{game}/{file:path}", game_file),
    Mount("/static", STATIC),
]


def application(where: Path | str, pace: float = 1.0, names: Iterable[str] = ("*",), now: Callable[[], float] = time.time) -> Starlette:
    """The whole house over one data folder, or over PostgreSQL; `pace` scales every waiting time (tests are impatient); `names` are
    those it answers to; `now` says what time it is."""
    house = House(where, pace, now)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        hold()
        house.start()
        asyncio.get_running_loop().run_in_executor(None, template)  # the first report is waited for: what it is made with is read before
        yield
        house.close()

    # Packing tells nothing by its length: the only secrets in pages are a host's invitations, nothing that a request says stands
    # beside them, and no other site can ask for them (the cookie is SameSite).
    packed = Middleware(GZipMiddleware, compresslevel=5)
    app = Starlette(
        routes=[Mount("/api", programs(house)), *ROUTES],
        lifespan=lifespan,
        middleware=[Middleware(OwnNames, names=names), Middleware(InTurn), Middleware(Shield), packed],
        exception_handlers={HTTPException: sorry, Outdated: sorry, Unkept: sorry, ClientDisconnect: gone, 500: sorry},
    )
    app.state.house = house
    return app


async def sorry(request: Any, error: Exception) -> Any:
    """People get a page, programs JSON; a page's socket that cannot be opened now is refused, so that a proxy asks another process."""
    if isinstance(request, WebSocket):
        return Response(status_code=503) if request.application_state == WebSocketState.CONNECTING else None
    return await (refuse if request.url.path.startswith("/api/") else trouble)(request, error)


class Shield:
    """Headers that keep pages to themselves, on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in names),
                ]
                if not any(name == b"cache-control" for name in names):
                    message["headers"].append((b"cache-control", b"no-store"))
            await send(message)

        await self.app(scope, receive, guarded if scope["type"] == "http" else send)
