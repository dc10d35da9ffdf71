"""The web application: pages, seats, and one WebSocket for each open page."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
import unicodedata
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from recollect.engine import match as matches
from recollect.engine.game import Game, games, load
from recollect.engine.stream import commitment, new_seed
from recollect.engine.texts import LANGUAGES
from recollect.table import pages
from recollect.table.companions import art_of, companions
from recollect.table.desk import Desk
from recollect.table.room import Outdated, Room, Rooms, summary
from recollect.table.store import Chair, Row, Store

COOKIE = "recollect"
BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters by name that show nothing
YEARS = 3 * 365 * 24 * 3600
LARGEST_FORM = 64 * 1024
HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' ws: wss:; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


# -- who is asking


class Visitor:
    """Known by a signed cookie: a number for the person, a name, a language."""

    def __init__(self, connection: HTTPConnection) -> None:
        house: House = connection.app.state.house
        self.known = True
        try:
            given = house.signer.loads(connection.cookies.get(COOKIE, ""))
            self.person, self.name, self.language = str(given["p"]), str(given["n"]), str(given["l"])
        except (BadSignature, KeyError, TypeError):
            self.known = False
            self.person, self.name, self.language = secrets.token_urlsafe(12), "", preferred(connection.headers.get("accept-language", ""))
        if self.language not in LANGUAGES:
            self.language = "en"

    def remember(self, response: Response, request: Request) -> Response:
        house: House = request.app.state.house
        value = house.signer.dumps({"p": self.person, "n": self.name, "l": self.language})
        response.set_cookie(COOKIE, value, max_age=YEARS, httponly=True, samesite="lax", secure=request.url.scheme == "https")
        return response


def preferred(header: str) -> str:
    """The first of our languages that the browser asks for."""
    for part in header.lower().split(","):
        code = part.split(";")[0].strip()[:2]
        if code in LANGUAGES:
            return code
    return "en"


def clean_name(text: object) -> str:
    """On one line, without marks that turn or hide what stands beside them; a name that nobody can see is none."""
    seen = "".join(c for c in " ".join(str(text).split()) if unicodedata.category(c)[0] != "C" and c not in BLANK + "<>")
    name = " ".join(seen.split())[:20].strip()
    return name if any(unicodedata.category(c)[0] in "LNPS" for c in name) else ""


class House:
    """What all requests share."""

    def __init__(self, data: Path, pace: float) -> None:
        self.store = Store(data)
        self.rooms = Rooms(self.store, pace)
        self.verified: dict[str, tuple[int, str]] = {}  # finished tables that somebody had checked
        self.signer = URLSafeSerializer(self.store.secret(), salt="recollect")

    def open_table(self, game: Game, options: Mapping[str, Any], host: str, listed: bool, chairs: list[Chair]) -> str:
        """A new table with a sealed seed."""
        seed, now, id = new_seed(), time.time(), secrets.token_urlsafe(6).replace("-", "x").replace("_", "y")
        row = Row(
            id,
            game.name,
            game.version,
            game.box,
            dict(options),
            seed,
            commitment(seed),
            host,
            listed,
            now,
            now,
            [],
            None,
            None,
            None,
            chairs,
        )
        self.store.create(row)
        return id

    async def again(self, room: Room) -> str:
        """The same people, the same options, a new shuffle."""
        row = room.row
        chairs = [Chair(c.kind, c.name, c.person, c.mind, secrets.token_hex(8) if c.secret else None) for c in row.chairs]
        id = self.open_table(room.game, row.options, row.host, row.listed, chairs)
        self.store.rematch(row.id, id)
        row.rematch = id
        return id


def house_of(connection: HTTPConnection) -> House:
    return connection.app.state.house


def base_of(connection: HTTPConnection) -> str:
    """The address by which this browser reaches us: invitations begin with it."""
    scheme = connection.url.scheme.replace("ws", "http")
    return connection.headers.get("origin") or f"{scheme}://{connection.headers.get('host', '')}"


def same_origin(connection: HTTPConnection) -> bool:
    """Posts and sockets only from our own pages."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    try:
        return urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:  # no address at all
        return False


def respond(request: Request, template: str, visitor: Visitor, game: str | None = None, status: int = 200, **context: Any) -> Response:
    html = pages.page(template, visitor.language, request.url.path, game=game, visitor=visitor, **context)
    response = HTMLResponse(html, status)
    return response if visitor.known else visitor.remember(response, request)


async def form_of(request: Request) -> dict[str, str]:
    """What a form of ours was filled in with."""
    if not same_origin(request):
        raise HTTPException(403, "origin")
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_FORM:
            raise HTTPException(413, "long")
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=200))
    except ValueError:
        raise HTTPException(400) from None


# -- pages of the house


def facts(name: str, language: str) -> dict[str, Any]:
    """A game on the shelf."""
    game = load(name)
    t = game.texts(language)
    players = next((option.choices for option in game.options if option.name == "players"), (game.seats,))
    low, high = min(players), max(players)
    return {
        "id": name,
        "name": t("name"),
        "tagline": t("tagline"),
        "minutes": t("minutes"),
        "players": f"{low}–{high}" if low != high else f"{low}",
        "most": high,
        "counts": players,
        "colours": pages.face_of(name, language).colours,
        "drawn": (game.folder / "vignette.svg").is_file(),
    }


async def start(request: Request) -> Response:
    visitor, house = Visitor(request), house_of(request)
    shelf = {name: facts(name, visitor.language) for name in games()}
    mine = [summary(row, visitor.person, visitor.language) for row in house.store.of_person(visitor.person) if row.game in shelf]
    free = [
        summary(row, visitor.person, visitor.language)
        for row in house.store.open_tables()
        if row.game in shelf and visitor.person not in [c.person for c in row.chairs]
    ]
    return respond(request, "start.html.jinja", visitor, shelf=shelf, mine=mine, free=free)


async def name(request: Request) -> Response:
    visitor = Visitor(request)
    visitor.name = clean_name((await form_of(request)).get("name", ""))
    return visitor.remember(RedirectResponse("/", 303), request)


async def language(request: Request) -> Response:
    visitor = Visitor(request)
    if request.path_params["code"] not in LANGUAGES:
        raise HTTPException(404)
    visitor.language = request.path_params["code"]
    back = request.query_params.get("back", "/")
    safe = back if re.fullmatch(r"/(?!/)[\w/.-]*", back) else "/"
    return visitor.remember(RedirectResponse(safe, 303), request)


async def words(request: Request) -> Response:
    """About and credits."""
    return respond(
        request,
        f"{request.url.path.strip('/')}.html.jinja",
        Visitor(request),
        shelf=[facts(name, Visitor(request).language) for name in games()],
    )


# -- setting a table


def game_of(request: Request) -> Game:
    if request.path_params["game"] not in games():
        raise HTTPException(404)
    return load(request.path_params["game"])


async def setup(request: Request) -> Response:
    visitor, game = Visitor(request), game_of(request)
    minds = [{"name": mind, "art": art_of(mind)} for mind in companions(game)]
    return respond(
        request, "setup.html.jinja", visitor, game=game.name, facts=facts(game.name, visitor.language), options=game.options, minds=minds
    )


async def create(request: Request) -> Response:
    visitor, house, game = Visitor(request), house_of(request), game_of(request)
    form = await form_of(request)
    try:
        options = game.settle({option.name: form[option.name] for option in game.options if option.name in form})
        chairs = [chair_of(form, seat, game, visitor) for seat in range(game.players(options))]
    except ValueError as error:
        raise HTTPException(400, str(error)) from None
    if chairs[0].kind == "here":
        visitor.name = chairs[0].name
    listed = any(chair.kind == "open" for chair in chairs)
    id = house.open_table(game, options, visitor.person, listed, chairs)
    return visitor.remember(RedirectResponse(f"/t/{id}", 303), request)


def chair_of(form: Mapping[str, str], seat: int, game: Game, visitor: Visitor) -> Chair:
    """What the form says of one seat."""
    ui = pages.ui_texts(visitor.language)
    kind, _, mind = str(form.get(f"seat{seat}", "here")).partition(":")
    given = clean_name(form.get(f"name{seat}", ""))
    if kind == "here":
        return Chair("here", given or (visitor.name if seat == 0 else "") or ui("seat.nobody", n=seat + 1), visitor.person)
    if kind in ("link", "open"):
        return Chair(kind, given or ui("seat.nobody", n=seat + 1), secret=secrets.token_hex(8))
    if kind == "bot" and mind in companions(game):
        return Chair("bot", mind.capitalize(), mind=mind)
    raise ValueError(f"seat {seat + 1}: {kind!r} is not one of here, link, open, bot")


# -- a table


def room_of(request: HTTPConnection) -> Room:
    room = house_of(request).rooms.get(request.path_params["id"])
    if room is None:
        raise HTTPException(404, "table")
    return room


async def table(request: Request) -> Response:
    visitor = Visitor(request)
    try:
        room = room_of(request)
    except Outdated:
        return remembered(request, visitor)
    t = room.game.texts(visitor.language)
    live = Desk(room, None, visitor.person, visitor.language, base_of(request)).first()
    return respond(
        request,
        "live.html.jinja",
        visitor,
        game=room.row.game,
        title=t("name"),
        live=pages.Markup(live),
        table={"id": room.row.id, "live": True},
    )


def remembered(request: Request, visitor: Visitor) -> Response:
    """A finished game of older rules: who won, as it was kept. An unfinished one cannot go on."""
    row = house_of(request).store.row(request.path_params["id"])
    if row is None or row.result is None:
        raise Outdated(request.path_params["id"])
    result = row.result
    ranks = sorted((rank, result["scores"][seat], row.chairs[seat].name) for seat, rank in enumerate(result["ranking"]))
    return respond(request, "remembered.html.jinja", visitor, game=row.game, ranks=ranks)


async def replay(request: Request) -> Response:
    """A finished game, one move at a time, as a spectator sees it."""
    visitor, room = Visitor(request), room_of(request)
    if not room.row.ready or not room.match.over:
        raise HTTPException(403, "running")
    places = sorted(room.states)
    step = request.path_params["step"]
    if step >= len(places):
        raise HTTPException(404)
    steps = {"now": step, "of": len(places) - 1, "back": step - 1 if step else None, "on": step + 1 if step + 1 < len(places) else None}
    sight = room.sight(-1, visitor.language, at=places[step], steps=steps, mine=False)
    sight.n, sight.path = step, request.url.path
    sight.people = [(name, art, False) for name, art, _ in sight.people]
    html = pages.Markup(pages.fragment(sight))
    title = pages.ui_texts(visitor.language)("replay.title")
    return respond(
        request, "live.html.jinja", visitor, game=room.row.game, title=title, live=html, table={"id": room.row.id, "live": False}
    )


async def live(socket: WebSocket) -> None:
    if not same_origin(socket):
        await socket.close(4403, "this page is not ours")
        return
    visitor, house = Visitor(socket), house_of(socket)
    try:
        room = house.rooms.get(socket.path_params["id"])
    except Outdated:
        room = None
    if room is None:
        await socket.close(4404, "there is no such table")
        return
    await socket.accept()
    desk = Desk(room, socket, visitor.person, visitor.language, base_of(socket), house.again)
    desk.away = "away" in socket.query_params
    await desk.serve()


async def join(request: Request) -> Response:
    """The page behind a secret link; nothing is taken until a name is given and the button pressed."""
    visitor, room, secret = Visitor(request), room_of(request), request.path_params["secret"].encode("utf-8", "replace")
    keys = {seat: chair.secret.encode() for seat, chair in enumerate(room.row.chairs) if chair.secret}
    seat = next((seat for seat, key in keys.items() if secrets.compare_digest(key, secret)), None)
    if seat is None:
        raise HTTPException(404, "seat")
    chair = room.row.chairs[seat]
    if chair.person == visitor.person:
        return RedirectResponse(f"/t/{room.row.id}", 303)
    if request.method == "POST":
        return await take_seat(request, visitor, room, seat)
    return invitation(request, visitor, room, seat, taken=not chair.free)


async def join_open(request: Request) -> Response:
    """Any free seat of an open table."""
    visitor, room = Visitor(request), room_of(request)
    if visitor.person in [chair.person for chair in room.row.chairs]:
        return RedirectResponse(f"/t/{room.row.id}", 303)
    seat = next((seat for seat, chair in enumerate(room.row.chairs) if chair.kind == "open" and chair.free), None)
    if request.method == "POST" and seat is not None:
        return await take_seat(request, visitor, room, seat)
    return invitation(request, visitor, room, seat, taken=seat is None)


def invitation(request: Request, visitor: Visitor, room: Room, seat: int | None, taken: bool) -> Response:
    about = summary(room.row, visitor.person, visitor.language)
    return respond(
        request,
        "join.html.jinja",
        visitor,
        game=room.row.game,
        facts=facts(room.row.game, visitor.language),
        room=about,
        seat=seat,
        taken=taken,
    )


async def take_seat(request: Request, visitor: Visitor, room: Room, seat: int) -> Response:
    form = await form_of(request)
    visitor.name = clean_name(form.get("name", "")) or visitor.name or pages.ui_texts(visitor.language)("seat.nobody", n=seat + 1)
    if not house_of(request).rooms.sit(room.row.id, seat, visitor.person, visitor.name):
        return invitation(request, visitor, room, seat, taken=True)
    return visitor.remember(RedirectResponse(f"/t/{room.row.id}", 303), request)


async def close(request: Request) -> Response:
    """The host closes a table that still waits for players."""
    visitor, room = Visitor(request), room_of(request)
    await form_of(request)
    if not house_of(request).rooms.clear(room.row.id, visitor.person):
        raise HTTPException(403)
    return RedirectResponse("/", 303)


def document_of(request: Request) -> dict[str, Any] | None:
    """The match file, once the game is over: before that it would tell what is sealed. Of older rules: as kept at the end."""
    try:
        room = room_of(request)
    except Outdated:
        row = house_of(request).store.row(request.path_params["id"])
        if row is None or not row.document:
            raise
        return {**row.document, "names": [chair.name for chair in row.chairs], "begun": row.created}
    if not room.row.ready or not room.match.over:
        return None
    return {**room.document(), "names": room.names("en"), "begun": room.row.created}


def verified(document: Mapping[str, Any]) -> tuple[int, str]:
    """How many draws follow from the seed, and the first fault."""
    try:
        return matches.verify(document), ""
    except ValueError as error:
        return 0, str(error)


async def verify(request: Request) -> Response:
    """The seal; after the end also the seed, and every draw derived again."""
    visitor, house, id, document = Visitor(request), house_of(request), request.path_params["id"], document_of(request)
    draws, fault = 0, ""
    if document and id not in house.verified:
        house.verified[id] = await asyncio.to_thread(verified, document)
    if document:
        draws, fault = house.verified[id]
    row = house.store.row(id)
    assert row
    return respond(
        request,
        "verify.html.jinja",
        visitor,
        game=row.game,
        id=id,
        seal=row.seal,
        document=document,
        draws=draws,
        fault=fault,
    )


async def match_file(request: Request) -> Response:
    document = document_of(request)
    if document is None:
        raise HTTPException(403, "sealed")
    text = json.dumps(document, indent=1, ensure_ascii=False)
    return Response(
        text,
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{document["game"]}-{request.path_params["id"]}.json"'},
    )


async def game_file(request: Request) -> Response:
    """Style and pictures of a game."""
    game, file = game_of(request), request.path_params["file"]
    path = game.folder / file
    if not re.fullmatch(r"(art/)?[\w-]+\.(css|svg|png|webp|woff2)", file) or not path.is_file():
        raise HTTPException(404)
    return FileResponse(path, headers={"cache-control": "no-cache"})


async def health(request: Request) -> Response:
    return JSONResponse({"ok": True, "games": games()})


# -- when something is not as it should be


async def trouble(request: Request, error: Exception) -> Response:
    """An error page for people."""
    visitor = Visitor(request)
    ui = pages.ui_texts(visitor.language)
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else ""
    if isinstance(error, Outdated):
        status, key, detail = 410, "outdated", ""
    else:
        key = (
            detail
            if f"trouble.{detail}.title" in ui
            else {404: "page", 403: "forbidden", 400: "bad", 405: "page", 413: "long"}.get(status, "server")
        )
    said = "" if key == detail else detail
    return respond(request, "trouble.html.jinja", visitor, status=status, code=status, key=key, said=said)


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


class Cached(StaticFiles):
    """Our own static files: browsers ask whether they changed."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


def application(data: Path, pace: float = 1.0) -> Starlette:
    """The whole house over one data folder; `pace` scales every waiting time (tests are impatient)."""
    house = House(data, pace)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        house.rooms.close()
        house.store.close()

    routes = [
        Route("/", start),
        Route("/name", name, methods=["POST"]),
        Route("/language/{code}", language),
        Route("/about", words),
        Route("/credits", words),
        Route("/health", health),
        Route("/new/{game}", setup, methods=["GET"]),
        Route("/new/{game}", create, methods=["POST"]),
        Route("/t/{id}", table),
        WebSocketRoute("/t/{id}/live", live),
        Route("/t/{id}/join", join_open, methods=["GET", "POST"]),
        Route("/t/{id}/join/{secret}", join, methods=["GET", "POST"]),
        Route("/t/{id}/close", close, methods=["POST"]),
        Route("/t/{id}/replay/{step:int}", replay),
        Route("/t/{id}/verify", verify),
        Route("/t/{id}/match.json", match_file),
        Route("/games/{game}/{file:path}", game_file),
        Mount("/static", Cached(directory=pages.STATIC)),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Shield)],
        exception_handlers={HTTPException: trouble, Outdated: trouble, 500: trouble},
    )
    app.state.house = house
    return app
