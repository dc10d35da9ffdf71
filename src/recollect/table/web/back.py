"""Looking back at a finished game: the replay, move by move from any seat, and the memory report. Nothing of it before the end."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from typing import Any

from markupsafe import Markup
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from recollect.minds import companions
from recollect.review.page import report_page
from recollect.review.report import review
from recollect.review.turning import plans
from recollect.table.house import house_of
from recollect.table.live.room import Room
from recollect.table.render.page import done, fragment
from recollect.table.render.prose import ui_texts
from recollect.table.render.timeline import Timeline, remembers
from recollect.table.web.table import room_of
from recollect.table.web.visitor import Visitor, respond

ABOVE = -1  # the seat of nobody: what everyone saw


async def finished(request: Request) -> Room:
    """The table, if its game is over."""
    room = await room_of(request)
    if not room.row.ready or not room.moment.over:
        raise HTTPException(403, "running")
    return room


def seat_of(request: Request, room: Room, otherwise: int) -> int:
    """The seat that an address names."""
    given = request.query_params.get("seat", str(otherwise))
    if given not in map(str, range(ABOVE, room.match.players)):
        raise HTTPException(404)
    return int(given)


# -- the replay


async def whole(request: Request) -> Response:
    """An address without its last number leads to the beginning."""
    return RedirectResponse(f"/t/{(await finished(request)).row.id}/replay/0", 303)


async def replay(request: Request) -> Response:
    """A finished game, one move at a time, as a seat or a spectator saw it. With `live`, only what changes from step to step."""
    visitor, room = Visitor(request), await finished(request)
    step, seat = request.path_params["step"], seat_of(request, room, ABOVE)
    if step >= len(room.states):
        raise HTTPException(404)
    html = Markup(moment_html(room, step, seat, visitor.language))
    if "live" in request.query_params:
        return HTMLResponse(html)
    return respond(
        request,
        "replay.html.jinja",
        visitor,
        game=room.row.game,
        title=ui_texts(visitor.language)("replay.title"),
        live=html,
        table={"id": room.row.id, "live": False},
        people=[{"seat": n, "name": name, "art": art} for n, (name, art, _) in enumerate(room.people(visitor.language))],
        now={"step": step, "seat": seat},
        timeline=await timeline_of(request, room),
        remembers=remembers(room.game),
        plans=plans(room.game),
        onward=may_be_played_on(room),
    )


def may_be_played_on(room: Room) -> bool:
    """Where there are companions; a game against time cannot be begun in the middle."""
    return bool(companions(room.game)) and room.clock is None


def moment_html(room: Room, step: int, seat: int, language: str) -> str:
    """How it stood, as the seat saw it; everybody is named, and nothing is to be done."""
    places = sorted(room.states)
    last = len(places) - 1
    query = f"?seat={seat}" if seat != ABOVE else ""
    steps: dict[str, Any] = {
        "now": step,
        "of": last,
        "back": step - 1 if step else None,
        "on": step + 1 if step < last else None,
        "query": query,
        "told": "",
    }
    page = room.pages.page(seat, language, at=places[step], steps=steps, mine=False, shared=True)
    everybody = [(name, art, False) for name, art, _ in page.people]
    still = replace(page.look, legal=frozenset())
    steps["told"] = done(page.look) if step else ""
    return fragment(replace(page, look=still, n=step, can_undo=False, path=f"/t/{room.row.id}/replay/{step}", people=everybody))


async def timeline_of(request: Request, room: Room) -> Timeline:
    """The timeline of a game, drawn once."""
    house, id = house_of(request), room.row.id
    async with house.back:
        if id not in house.timelines:
            records = [room.states[place] for place in sorted(room.states)]
            house.timelines[id] = await asyncio.to_thread(Timeline.of, room.match, records)
        return house.timelines[id]


# -- the memory report


async def report(request: Request) -> Response:
    """What each seat was shown, what it remembered, and what was luck; of a game of recall."""
    visitor, room = Visitor(request), await finished(request)
    if not remembers(room.game):
        raise HTTPException(404)
    mine = room.row.seats_of(visitor.person)
    seat = max(0, seat_of(request, room, mine[0] if mine else 0))
    ui, here = ui_texts(visitor.language), f"/t/{room.row.id}"
    names = room.names(visitor.language)
    links = [(f"{here}/report?seat={n}", name, n == seat) for n, name in enumerate(names)] if len(names) > 1 else []
    house = house_of(request)

    places = sorted(room.states)
    ways = {
        "seats": links,
        "whose": "" if seat in mine else names[seat],
        "table": (here, ui("report.back")),
        "replay": (f"{here}/replay/0?seat={seat}", ui("end.replay")),
        "at": lambda entry: f"{here}/replay/{bisect_left(places, entry)}?seat={seat}",
    }

    def made() -> str:
        """Whose report it is sees all their games in the curve; nobody else does."""
        own = house.own.memories.earlier(visitor.person, room.row.id) if seat in mine[:1] else []
        said = review(room.match, room.times, names, [own if n == seat else [] for n in range(len(names))])
        return report_page(said, seat, visitor.language, static="/static/", ways=ways)

    async with house.back:
        return HTMLResponse(await asyncio.to_thread(made))
