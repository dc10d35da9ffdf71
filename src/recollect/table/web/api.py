"""Programs that play: what people do on pages, in JSON, through the same gates. Each operation stands once, in OPERATIONS."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from importlib.metadata import version
from typing import Annotated, Any, Literal, get_args

import msgspec
from itsdangerous import BadSignature
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from recollect.engine.game import Game
from recollect.engine.options import Value
from recollect.engine.shelf import games, load
from recollect.engine.texts import Texts
from recollect.minds import minds
from recollect.table.house import House, house_of
from recollect.table.live import wire
from recollect.table.live.program import Program
from recollect.table.live.room import Dropped, Outdated, Room
from recollect.table.render import numbers
from recollect.table.render.numbers import Log, Refusal, Rules, Sight, Title
from recollect.table.render.prose import ui_texts
from recollect.table.store import Chair, Unkept
from recollect.table.web.described import Operation, openapi
from recollect.table.web.files import game_of
from recollect.table.web.forms import LARGEST_FORM, clean_name, same_origin
from recollect.table.web.table import document_of, open_seats, room_of, seat_behind
from recollect.table.web.visitor import base_of, preferred

SALT = "recollect seat"  # a token is no cookie, and a cookie no token
SAYS = """Set a table or take a seat by its link (put `/api` before the link's path), see, act, and wait at the WebSocket `/api/t/{id}/live`
(the same token; it sends `Sight` whenever something changed, and takes `Act`, `Undo`, `Shown` and the other messages below;
what is refused at its door is told as a `Refusal`, and the socket closed with 4000 and the status). A message with an `id` is answered
with `{"done": id}`, any that was not done with `why`; beside that it says `{"ping": 1}`, `{"go": path}` and `{"company": ...}`."""

WIRED = [kind for kind in get_args(wire.Message) if kind is not wire.Sit]  # said by socket; a program is alone at its screen

# -- what goes in and comes out, beside looks

Name = Annotated[str, msgspec.Meta(max_length=200)]
Number = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`me`: this program; `link`: whoever has the link; `open`: anybody; `companion`: the mind of this name."""

    who: Literal["me", "link", "open", "companion"] = "link"
    name: Name = ""


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be set. Seats that are not named are by link; without any the first is this program's."""

    options: dict[str, Value] = {}
    seats: Annotated[list[NewSeat], msgspec.Meta(max_length=8)] = []


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits down."""

    name: Name = ""


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action by number or notation, seen as legal when the log had n entries."""

    action: Number | Name
    n: Number


class Back(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last action is to be taken back, seen when the log had n entries."""

    n: Number


class Seated(msgspec.Struct, frozen=True):
    """A seat taken: its token goes as `Authorization: Bearer` with all that the seat asks."""

    table: str
    seat: int
    token: str


class Table(msgspec.Struct, frozen=True):
    """A table that was set: the host's token, those of this program's seats, and the links of the others."""

    table: str
    token: str
    seats: list[Seated]
    links: dict[str, str]


class Closed(msgspec.Struct, frozen=True):
    """The table is gone."""

    table: str


class Shelf(msgspec.Struct, frozen=True):
    """The games there are."""

    games: list[Title]


# -- who asks


class Asker:
    """Known by a token; without one, nobody yet."""

    def __init__(self, connection: HTTPConnection) -> None:
        self.house = house_of(connection)
        self.language = preferred(connection.headers.get("accept-language", ""))
        self.place = connection.client.host if connection.client else ""
        kind, _, token = connection.headers.get("authorization", "").partition(" ")
        self.person = ""
        if kind:
            try:
                self.person = str(self.house.signer.loads(token.strip() if kind.lower() == "bearer" else "", salt=SALT))
            except BadSignature:
                raise HTTPException(401, "token") from None

    @property
    def t(self) -> Texts:
        return ui_texts(self.language)

    def token(self, person: str) -> str:
        return str(self.house.signer.dumps(person, salt=SALT))


def somebody() -> str:
    """A person that nobody was before."""
    return secrets.token_urlsafe(12)


def at_table(request: HTTPConnection, asker: Asker, room: Room) -> Program:
    return Program(room, None, asker.person, asker.language, base_of(request))


# -- what may be asked


async def shelf(request: Request, asker: Asker) -> Shelf:
    """The games there are."""
    return Shelf([numbers.title(load(name), asker.language) for name in games()])


async def rules(request: Request, asker: Asker) -> Rules:
    """A game: its options, its companions, how its actions and views are read."""
    return numbers.rules(game_of(request), asker.language)


async def set_table(request: Request, asker: Asker, body: NewTable) -> Table:
    """Set a table."""
    house, game, host = asker.house, game_of(request), asker.person or somebody()
    if not house.may_set_a_table(host, asker.place):
        raise HTTPException(429, "tables")
    try:
        options = game.settle(body.options)
        chairs = chairs_of(game, game.players(options), body, host, asker.t)
    except ValueError as error:
        raise HTTPException(409, str(error)) from None
    id = await house.open_table(game, options, host, any(chair.kind == "open" for chair in chairs), chairs)
    mine = [Seated(id, seat, asker.token(chair.person)) for seat, chair in enumerate(chairs) if chair.person]
    links = {str(seat): f"{base_of(request)}/t/{id}/join/{chair.secret}" for seat, chair in enumerate(chairs) if chair.free}
    return Table(id, asker.token(host), mine, links)


def chairs_of(game: Game, players: int, body: NewTable, host: str, t: Texts) -> list[Chair]:
    """Who sits where."""
    asked = list(body.seats) or [NewSeat("me")]
    if len(asked) > players:
        raise ValueError(f"{len(asked)} seats for {players} players")
    if players == 1 and asked[0].who == "companion":
        raise ValueError("a game alone is for a person or a program; a companion cannot play it")
    people = [host]  # the first seat of a program is the host's; each of the others is somebody of its own
    return [chair_of(game, seat, one, people, t) for seat, one in enumerate(asked + [NewSeat()] * (players - len(asked)))]


def chair_of(game: Game, seat: int, asked: NewSeat, people: list[str], t: Texts) -> Chair:
    if asked.who == "companion":
        if asked.name not in minds(game):
            raise ValueError(f"nobody called {asked.name!r} plays {game.name}; there are {', '.join(minds(game))}")
        return Chair("bot", asked.name.capitalize(), mind=asked.name)
    person = None if asked.who != "me" else people.pop() if people else somebody()
    kind = "open" if asked.who == "open" else "link"
    return Chair(kind, clean_name(asked.name) or t("seat.nobody", n=seat + 1), person, secret=secrets.token_hex(8))


async def take_seat(request: Request, asker: Asker, body: Sit) -> Seated:
    """Take the seat behind a link."""
    room = await room_of(request)
    return await sit(asker, room, [seat_behind(room, request.path_params["secret"])], body)


async def take_open_seat(request: Request, asker: Asker, body: Sit) -> Seated:
    """Take any free seat of an open table."""
    room = await room_of(request)
    return await sit(asker, room, open_seats(room), body)


async def sit(asker: Asker, room: Room, seats: list[int], body: Sit) -> Seated:
    """On the first of these seats where nobody was quicker. Whoever sits already is told where."""
    person = asker.person or somebody()
    mine = next((seat for seat, chair in enumerate(room.row.chairs) if chair.person == person), None)
    for seat in seats if mine is None else []:
        name = clean_name(body.name) or asker.t("seat.nobody", n=seat + 1)
        if await asker.house.rooms.sit(room.row.id, seat, person, name):
            mine = seat
            break
    if mine is None:
        raise HTTPException(409, asker.t("join.taken"))
    return Seated(room.row.id, mine, asker.token(person))


async def look(request: Request, asker: Asker) -> Sight:
    """See the table from one's seat; without a token, as who watches."""
    return at_table(request, asker, await room_of(request)).sight(live=False)


async def act(request: Request, asker: Asker, body: Move) -> Sight:
    """Play an action."""
    program = at_table(request, asker, await room_of(request))
    return done(program, await program.act(body.action, body.n))


async def undo(request: Request, asker: Asker, body: Back) -> Sight:
    """Take the last action back."""
    program = at_table(request, asker, await room_of(request))
    return done(program, await program.undo(body.n))


def done(program: Program, why: str) -> Sight:
    if why:
        raise HTTPException(409, why)
    return program.sight(live=False)


async def log(request: Request, asker: Asker) -> Log:
    """The log, as the seat may read it."""
    room = await room_of(request)
    program = at_table(request, asker, room)
    return numbers.log(room, program.mine[0] if program.mine else -1, asker.language)


async def close(request: Request, asker: Asker) -> Closed:
    """The host closes a table that still waits for players."""
    room = await room_of(request)
    if not await asker.house.rooms.clear(room.row.id, asker.person):
        raise HTTPException(409, asker.t("why.close"))
    return Closed(room.row.id)


async def match_file(request: Request, asker: Asker) -> dict[str, Any]:
    """After the end: the whole match, with its seed."""
    document = await document_of(request)
    if document is None:
        raise HTTPException(409, "sealed")
    return document


OPERATIONS = [
    Operation("GET", "/games", shelf, Shelf, known=False),
    Operation("GET", "/games/{game}", rules, Rules, [404], known=False),
    Operation("POST", "/new/{game}", set_table, Table, [404, 409], NewTable, 201),
    Operation("GET", "/t/{id}", look, Sight, [404, 410]),
    Operation("POST", "/t/{id}/join/{secret}", take_seat, Seated, [404, 409, 410], Sit),
    Operation("POST", "/t/{id}/join", take_open_seat, Seated, [404, 409, 410], Sit),
    Operation("POST", "/t/{id}/act", act, Sight, [404, 409, 410], Move, known=True),
    Operation("POST", "/t/{id}/undo", undo, Sight, [404, 409, 410], Back, known=True),
    Operation("GET", "/t/{id}/log", log, Log, [404, 410]),
    Operation("POST", "/t/{id}/close", close, Closed, [404, 409, 410], known=True),
    Operation("GET", "/t/{id}/match", match_file, dict, [404, 409, 410], known=False),
]

# -- how it is asked and answered


def programs(house: House) -> Starlette:
    """The addresses below /api."""
    routes = [Route(operation.path, endpoint(operation), methods=[operation.method]) for operation in OPERATIONS]
    app = Starlette(
        routes=[*routes, Route("/openapi.json", description), WebSocketRoute("/t/{id}/live", live)],
        exception_handlers={HTTPException: refuse, Outdated: refuse, Unkept: refuse, Dropped: refuse, ClientDisconnect: gone, 500: refuse},
    )
    app.state.house = house
    return app


def endpoint(operation: Operation) -> Callable[[Request], Awaitable[Response]]:
    """Checked as it comes in, by its type; answered as its type says."""

    async def answer(request: Request) -> Response:
        asker, more = Asker(request), list[Any]()
        if operation.known and not asker.person:
            raise HTTPException(401, "token")
        if operation.method == "POST":
            if not same_origin(request):
                raise HTTPException(403, "origin")
            if not asker.house.visits.may_ask(asker.person or asker.place):
                raise HTTPException(429, asker.t("error.much"))
            body = await body_of(request)
            if operation.body:
                more.append(read(body, operation.body, asker.t))
        return said(await operation.do(request, asker, *more), operation.status)

    return answer


async def body_of(request: Request) -> bytes:
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_FORM:
            raise HTTPException(413, "long")
    return body


def read(body: bytes, kind: type[msgspec.Struct], t: Texts) -> msgspec.Struct:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise HTTPException(400, t("error.message", what=str(error))) from None


def said(answer: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(answer), status, headers, "application/json")


async def description(request: Request) -> Response:
    """All of this, for programs that write programs."""
    return said(described())


def described() -> dict[str, Any]:
    return openapi(OPERATIONS, "Recollect", version("recollect"), SAYS, WIRED)


async def refuse(request: Request, error: Exception) -> Response:
    """Errors in words."""
    refusal = refusal_of(request, error)
    return said(refusal, refusal.status, dict(getattr(error, "headers", None) or {}))


async def gone(request: Request, error: Exception) -> Response:
    """Who asked left in the middle of a question: there is nobody to answer."""
    return Response(status_code=400)


async def turn_away(socket: WebSocket, error: Exception) -> None:
    """The same by socket, once it is open: a door that never opened tells nobody why."""
    refusal = refusal_of(socket, error)
    await socket.accept()
    await socket.send_text(msgspec.json.encode(refusal).decode())
    await socket.close(4000 + refusal.status, HTTPStatus(refusal.status).phrase)


def refusal_of(connection: HTTPConnection, error: Exception) -> Refusal:
    """What is wrong, in the asker's language."""
    t = ui_texts(preferred(connection.headers.get("accept-language", "")))
    status, key = 500, "server"
    if isinstance(error, HTTPException):
        status, key = error.status_code, error.detail
    elif isinstance(error, Outdated):
        status, key = 410, "outdated"
    elif isinstance(error, Unkept):
        status, key = 503, "unkept"
    elif isinstance(error, Dropped):  # it is opened again for who asks again
        status = 503
    if key == HTTPStatus(status).phrase:
        key = "method" if status == 405 else "page"
    why = f"{t(f'trouble.{key}.title')}. {t(f'trouble.{key}.text')}" if f"trouble.{key}.title" in t else key
    return Refusal(status, why)


async def live(socket: WebSocket) -> None:
    """The table, as it changes."""
    house = house_of(socket)
    if not same_origin(socket):
        return await socket.close(4403, "this page is not ours")  # and is told nothing
    try:
        asker, room = Asker(socket), await room_of(socket)
    except (HTTPException, Outdated) as error:
        return await turn_away(socket, error)
    person = asker.person or somebody()
    if not house.visits.arrive(person, asker.place):
        return await turn_away(socket, HTTPException(429, asker.t("error.sockets")))
    try:
        await socket.accept()
        await Program(room, socket, person, asker.language, base_of(socket), house).serve()
    finally:
        house.visits.leave(person, asker.place)
