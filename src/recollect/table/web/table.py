"""The pages of one table: its board, its socket, its seats, and after the end the check and the match file."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.websockets import WebSocket

from recollect.engine import match as matches
from recollect.table.house import house_of
from recollect.table.live.room import Gone, Outdated, Room
from recollect.table.live.screen import Screen
from recollect.table.render.agreed import agreed
from recollect.table.render.company import leaving
from recollect.table.render.page import pressed
from recollect.table.render.players import unnamed
from recollect.table.render.prose import game_texts, ui_texts
from recollect.table.web.forms import clean_name, form_of, same_origin
from recollect.table.web.own import portray
from recollect.table.web.start import facts, names_of, ranked, summary
from recollect.table.web.visitor import Visitor, base_of, place_of, respond, turn_away


async def room_of(request: HTTPConnection) -> Room:
    room = await house_of(request).rooms.get(request.path_params["id"])
    if room is None:
        raise HTTPException(404, "table")
    return room


async def table(request: Request) -> Response:
    visitor = Visitor(request)
    try:
        room = await room_of(request)
    except Gone:
        raise
    except Outdated:
        return remembered(request, visitor)
    t = game_texts(room.game, visitor.language)
    live = Screen(room, None, visitor.person, visitor.language, base_of(request)).first()
    return respond(
        request,
        "live.html.jinja",
        visitor,
        game=room.row.game,
        title=t("name"),
        live=Markup(live),
        facts=facts(room.row.game, visitor.language),
        table={
            "id": room.row.id,
            "live": True,
            "leaving": leaving(room, visitor.person, visitor.language),
            "seats": max(1, len(room.row.seats_of(visitor.person))),
        },
    )


def remembered(request: Request, visitor: Visitor) -> Response:
    """A finished game of older rules: who won, as it was kept. An unfinished one cannot go on."""
    row = house_of(request).store.row(request.path_params["id"])
    if row is None or row.result is None:
        raise Outdated(request.path_params["id"])
    ranks = sorted(ranked(row, names_of(row, visitor.language), visitor.language))
    return respond(request, "remembered.html.jinja", visitor, game=row.game, ranks=ranks)


async def live(socket: WebSocket) -> None:
    if not same_origin(socket):
        await socket.close(4403, "this page is not ours")
        return
    visitor, house = Visitor(socket), house_of(socket)
    try:
        room = await house.rooms.get(socket.path_params["id"])
    except Outdated:
        room = None
    if room is None:
        await socket.accept()  # or the browser would not hear why, and the page would come again and again
        return await socket.close(4404, "there is no such table")
    place = place_of(socket)
    if not house.visits.arrive(visitor.person, place):
        return await turn_away(socket, visitor)
    try:
        await socket.accept()
        screen = Screen(room, socket, visitor.person, visitor.language, base_of(socket), house)
        screen.away = "away" in socket.query_params
        had = socket.query_params.get("had", "")
        serving = screen.serve(int(had) if had.isascii() and had.isdecimal() and len(had) < 10 else None)
        await asyncio.create_task(serving)  # a task of its own: a message wakes it, and not every layer that brought it here
    finally:
        house.visits.leave(visitor.person, place)


async def press(request: Request) -> Response:
    """What only one of those at a shared screen may see, while it is pressed."""
    visitor, room, seat = Visitor(request), await room_of(request), request.path_params["seat"]
    if not room.row.ready or seat not in room.row.seats_of(visitor.person):
        raise HTTPException(403)
    return HTMLResponse(pressed(room.moment, seat, room.names(visitor.language), visitor.language))


# -- taking a seat


async def join(request: Request) -> Response:
    """The page behind a secret link; nothing is taken until a name is given and the button pressed."""
    visitor, room = Visitor(request), await room_of(request)
    seat = seat_behind(room, request.path_params["secret"])
    chair = room.row.chairs[seat]
    if chair.person == visitor.person:
        return RedirectResponse(f"/t/{room.row.id}", 303)
    if request.method == "POST":
        return await take_seat(request, visitor, room, [seat])
    return invitation(request, visitor, room, seat, taken=not chair.free)


def seat_behind(room: Room, secret: str) -> int:
    """The seat to which a link leads."""
    given = secret.encode("utf-8", "replace")
    keys = {seat: chair.secret.encode() for seat, chair in enumerate(room.row.chairs) if chair.secret}
    seat = next((seat for seat, key in keys.items() if secrets.compare_digest(key, given)), None)
    if seat is None:
        raise HTTPException(404, "seat")
    return seat


async def join_open(request: Request) -> Response:
    """Any free seat of an open table."""
    visitor, room = Visitor(request), await room_of(request)
    if room.row.seats_of(visitor.person):
        return RedirectResponse(f"/t/{room.row.id}", 303)
    seats = open_seats(room)
    if request.method == "POST" and seats:
        return await take_seat(request, visitor, room, seats)
    return invitation(request, visitor, room, seats[0] if seats else None, taken=not seats)


def open_seats(room: Room) -> list[int]:
    """The seats that anybody may take."""
    return [seat for seat, chair in enumerate(room.row.chairs) if chair.kind == "open" and chair.free]


def invitation(request: Request, visitor: Visitor, room: Room, seat: int | None, taken: bool) -> Response:
    about = summary(room.row, visitor.person, visitor.language, room.now())
    return respond(
        request,
        "join.html.jinja",
        visitor,
        game=room.row.game,
        facts=facts(room.row.game, visitor.language),
        room=about,
        players=seated(room, visitor.language),
        agreed=agreed(room.game, room.row.options, visitor.language, room.company.manners),
        seat=seat,
        taken=taken,
        over=room.row.ready and room.moment.over,
        own=bool(room.row.seats_of(visitor.person)),
        portrait=house_of(request).own.persons.portrait(visitor.person),
    )


def seated(room: Room, language: str) -> list[dict[str, Any]]:
    """Who sits where, for who is invited."""
    people = enumerate(zip(room.people(language), room.row.chairs, strict=True))
    return [
        {"seat": seat, "name": name, "art": art, "free": chair.free, "given": "" if unnamed(chair, seat) else name}
        for seat, ((name, art, _), chair) in people
    ]


async def take_seat(request: Request, visitor: Visitor, room: Room, seats: list[int]) -> Response:
    """The first of these seats where nobody was quicker."""
    form = await form_of(request)
    visitor.name = clean_name(form.get("name", "")) or visitor.name or ui_texts(visitor.language)("seat.nobody", n=seats[0] + 1)
    await portray(request, visitor, form)
    for seat in seats:
        if await house_of(request).rooms.sit(room.row.id, seat, visitor.person, visitor.name):
            return visitor.remember(RedirectResponse(f"/t/{room.row.id}", 303), request)
    return invitation(request, visitor, room, seats[-1], taken=True)


async def told(request: Request) -> Response:
    """Somebody has read that their seat at this table is lost."""
    visitor, house, room = Visitor(request), house_of(request), await room_of(request)
    await form_of(request)
    if any((former.person, former.how) == (visitor.person, "lost") for former in house.store.former(room.row.id)):
        await asyncio.to_thread(house.store.write, house.store.told(room.row.id, visitor.person))
        room.company.read()
        room.company.tell()
    return RedirectResponse("/", 303)


async def close(request: Request) -> Response:
    """The host takes a table away."""
    visitor = Visitor(request)
    with contextlib.suppress(Outdated):  # one that cannot go on is taken away like one that waits
        await room_of(request)
    await form_of(request)
    if not await house_of(request).rooms.clear(request.path_params["id"], visitor.person):
        raise HTTPException(403)
    return RedirectResponse("/", 303)


# -- after the end


async def document_of(request: Request) -> dict[str, Any] | None:
    """The match file, once the game is over: before that it would tell what is sealed. Of older rules: as kept at the end."""
    try:
        room = await room_of(request)
    except Outdated:
        row = house_of(request).store.row(request.path_params["id"])
        if row is None or not row.document:
            raise
        return {**row.document, "names": [chair.name for chair in row.chairs], "begun": row.created}
    if not room.row.ready or not room.moment.over:
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
    visitor, house, id, document = Visitor(request), house_of(request), request.path_params["id"], await document_of(request)
    draws, fault = 0, ""
    if document:
        async with house.back:
            if id not in house.verified:
                house.verified[id] = await asyncio.to_thread(verified, document)
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
    document = await document_of(request)
    if document is None:
        raise HTTPException(403, "sealed")
    text = json.dumps(document, indent=1, ensure_ascii=False)
    return Response(
        text,
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{document["game"]}-{request.path_params["id"]}.json"'},
    )
