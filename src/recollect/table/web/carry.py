"""A link that carries one's seat at a table to another device: good for an hour, and once. (All of one's tables: own.py.)"""

from __future__ import annotations

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from recollect.table.house import House, house_of
from recollect.table.live.room import Room
from recollect.table.render.lobby import qr
from recollect.table.web.forms import form_of
from recollect.table.web.table import room_of
from recollect.table.web.visitor import Visitor, base_of, respond

GOOD = 3600.0  # seconds


def signer(house: House) -> URLSafeSerializer:
    return URLSafeSerializer(house.signer.secret_key, salt="carry")


def carried(room: Room, person: str) -> int:
    """How often these seats went to another device: a link is good until the next time."""
    seats = room.row.seats_of(person)
    return sum(aside.kind == "carried" and aside.seat in seats for aside in room.company.asides)


async def carry(request: Request) -> Response:
    """The link, for who sits here."""
    visitor, room, house = Visitor(request), await room_of(request), house_of(request)
    if not room.row.seats_of(visitor.person):
        raise HTTPException(404, "seatless")
    token = signer(house).dumps([room.row.id, visitor.person, int(house.now()), carried(room, visitor.person)])
    link = f"{base_of(request)}/t/{room.row.id}/carry/{token}"
    return respond(request, "carry.html.jinja", visitor, game=room.row.game, id=room.row.id, link=link, code=qr(link), name=None)


async def arrive(request: Request) -> Response:
    """On the other device: nothing moves until the button is pressed."""
    visitor, room, house = Visitor(request), await room_of(request), house_of(request)
    person = whose(request.path_params["token"], room, house)
    seats = room.row.seats_of(person) if person else []
    if person == visitor.person:
        return RedirectResponse(f"/t/{room.row.id}", 303)
    if not seats:
        return too_late(request, visitor, room)
    name = room.row.chairs[seats[0]].name
    if request.method != "POST":  # who only asks after the link (HEAD, as messengers do) moves nothing either
        return respond(request, "carry.html.jinja", visitor, game=room.row.game, id=room.row.id, link=None, name=name)
    await form_of(request)
    if not await moved(request, room, person, visitor.person):
        return too_late(request, visitor, room)
    visitor.name = visitor.name or name
    await house.own.change(visitor.person, lambda: house.own.persons.lend(person, visitor.person))
    return visitor.remember(RedirectResponse(f"/t/{room.row.id}", 303), request)


def too_late(request: Request, visitor: Visitor, room: Room) -> Response:
    return respond(request, "carry.html.jinja", visitor, game=room.row.game, status=410, id=room.row.id, link=None, name=None)


async def moved(request: Request, room: Room, person: str, to: str) -> bool:
    """Of several who press the button at once, at whichever process, one has the seats."""
    house = house_of(request)
    async with room.company.hands:
        if whose(request.path_params["token"], room, house) != person or not (seats := room.row.seats_of(person)):
            return False
        await room.company.add("carried", seats[0], change=house.store.carried(room.row.id, person, to))
        house.rooms.read_again(room)
    return bool(room.row.seats_of(to))


def whose(token: str, room: Room, house: House) -> str:
    """The person who made the link; nobody if it is not of this table, too old, or was used."""
    try:
        table, person, made, times = signer(house).loads(token)
    except (BadSignature, ValueError, TypeError):
        return ""
    return str(person) if table == room.row.id and times == carried(room, str(person)) and house.now() - made < GOOD else ""
