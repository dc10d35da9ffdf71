"""Playing on from any moment of a finished game, against companions."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from recollect.minds import companions
from recollect.table.house import house_of
from recollect.table.live.room import Room
from recollect.table.render.players import art_of
from recollect.table.store import Chair
from recollect.table.web.back import finished, may_be_played_on
from recollect.table.web.forms import form_of
from recollect.table.web.visitor import Visitor, place_of, respond


async def moment_of(request: Request) -> tuple[Room, int]:
    """The table and the place in its log that an address names; the end is no moment to go on from."""
    room, step = await finished(request), request.path_params["step"]
    places = sorted(room.states)
    if not may_be_played_on(room) or step >= len(places) - 1:
        raise HTTPException(404)
    return room, places[step]


async def ask(request: Request) -> Response:
    """Which seat, and against whom."""
    visitor, (room, _) = Visitor(request), await moment_of(request)
    people = room.people(visitor.language)
    mine = room.row.seats_of(visitor.person)
    given = request.query_params.get("seat", "")
    seat = int(given) if given in map(str, range(len(people))) else mine[0] if mine else 0
    seats: list[dict[str, Any]] = [{"seat": n, "name": name, "art": art} for n, (name, art, _) in enumerate(people)]
    names = companions(room.game)
    minds = [{"name": name, "art": art_of(name)} for name in names]
    usual = next((chair.mind for chair in room.row.chairs if chair.mind in names), names[:2][-1])  # whom one had before, if anybody
    step, of = request.path_params["step"], len(room.states) - 1
    return respond(
        request, "onward.html.jinja", visitor,
        game=room.row.game, id=room.row.id, step=step, of=of, seats=seats, minds=minds, usual=usual, seat=seat,
    )  # fmt: skip


async def play_on(request: Request) -> Response:
    """A new table that begins at that moment."""
    visitor, house, (room, place) = Visitor(request), house_of(request), await moment_of(request)
    form, players = await form_of(request), room.match.players
    seat, mind = form.get("seat", ""), form.get("mind", "")
    if seat not in map(str, range(players)) or mind not in companions(room.game):
        raise HTTPException(400)
    if not house.may_set_a_table(visitor.person, place_of(request)):
        raise HTTPException(429, "tables")
    chairs = [Chair("bot", mind.capitalize(), mind=mind) for _ in range(players)]
    chairs[int(seat)] = Chair("here", visitor.name or room.row.chairs[int(seat)].name, visitor.person)
    id = await house.play_on(room, place, visitor.person, chairs)
    return visitor.remember(RedirectResponse(f"/t/{id}", 303), request)
