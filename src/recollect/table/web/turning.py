"""The turning points of a finished game of planning: found once, in a thread, few games at a time; and the better move on the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from recollect.engine.look import Look, Moment
from recollect.review.turning import Found, Turning, plans
from recollect.table.house import house_of
from recollect.table.live.room import Room
from recollect.table.render.page import Page, fragment, mini, scene_of
from recollect.table.render.prose import game_texts, ui_texts
from recollect.table.render.timeline import Timeline
from recollect.table.web.back import finished, timeline_of
from recollect.table.web.visitor import Visitor

LINES = 8  # of a turn that are told


async def planned(request: Request) -> Room:
    """The table, if its game is over and one of planning."""
    room = await finished(request)
    if not plans(room.game):
        raise HTTPException(404)
    return room


async def turnings(request: Request) -> Response:
    """All of them as words and numbers; 202 while they are being looked for."""
    visitor, room = Visitor(request), await planned(request)
    found = house_of(request).turnings.of(room)
    if found is None:
        return JSONResponse({"looking": ui_texts(visitor.language)("turning.looking")}, 202)
    return JSONResponse(document(room, found, await timeline_of(request, room), visitor.language))


def document(room: Room, found: Found, timeline: Timeline, language: str) -> dict[str, Any]:
    ui, names, steps = ui_texts(language), room.names(language), sorted(room.states)
    placed = [(t, steps.index(t.place)) for t in found.turnings]
    rows = [{**told(room, t, step, names[t.seat], language), "way": timeline.better(t.seat, step, round(t.left))} for t, step in placed]
    return {"turnings": rows, "said": "" if rows else ui("turning.none"), "whole": found.whole}


def told(room: Room, turning: Turning, step: int, name: str, language: str) -> dict[str, Any]:
    """One of them: what was done, what was better, and by how many points."""
    ui, t, n = ui_texts(language), game_texts(room.game, language), round(turning.left)
    kinds = [(t(f"points.{kind}"), *both) for kind, both in turning.points.items() if any(both)]
    return {
        "step": step,
        "seat": turning.seat,
        "left": n,
        "says": ui("turning.left", n=n, name=name),
        "played": said(room, turning, turning.played, language),
        "better": said(room, turning, turning.better, language),
        "points": kinds,
        "sums": [ui("turning.at_once", n=sum(both[k] for both in turning.points.values())) if kinds else "" for k in (0, 1)],
        "short": ui("turning.short", n=n),
        "note": ui("turning.note", n=n),
    }


def said(room: Room, turning: Turning, actions: Sequence[int], language: str) -> list[str]:
    """Answers in words, each as it was asked for, with the names that pieces and places have on the table."""
    names, t = room.names(language), game_texts(room.game, language)
    moments = [moment_after(room, turning, actions[:n]) for n in range(len(actions[:LINES]))]
    return [worded(Look.of(moment, turning.seat, names, t), action) for moment, action in zip(moments, actions, strict=False)]


def worded(look: Look, action: int) -> str:
    """An answer in words; that somebody has done enough is said as its button says it, which differs from phase to phase."""
    scene = scene_of(look.game)
    done = look.game.actions.range_of(action).name == "done" and hasattr(scene, "buttons")
    pressed = [button["words"] for button in scene.buttons(look) if button["act"] == action] if done else []
    return str(pressed[0] if pressed else scene.words(look, action))


async def better(request: Request) -> Response:
    """The board as the better move would have left it, from the seat that made the other one; `small`: both, beside each other."""
    visitor, room = Visitor(request), await planned(request)
    found, step = house_of(request).turnings.of(room), request.path_params["step"]
    places = sorted(room.states)
    turning = next((t for t in found.turnings if step < len(places) and t.place == places[step]), None) if found else None
    if turning is None:
        raise HTTPException(404)
    return HTMLResponse(
        beside(room, turning, visitor.language) if "small" in request.query_params else after(room, turning, step, visitor.language)
    )


def beside(room: Room, turning: Turning, language: str) -> str:
    """Two small boards: as the move that was played left it, and as the better one would have."""
    names, t = room.names(language), game_texts(room.game, language)
    before, played, better = (
        replace(Look.of(moment_after(room, turning, answers), turning.seat, names, t), legal=frozenset())
        for answers in ((), turning.played, turning.better)
    )
    return "".join(f'<figure class="turning-mini">{mini(look, before)}</figure>' for look in (played, better))


def moment_after(room: Room, turning: Turning, answers: Sequence[int]) -> Moment:
    """How it stands after answers of that seat, as far as no draw of chance comes between."""
    record = room.states[turning.place].copy()
    s = room.game.state.open(record)
    for action in answers:
        room.game.rules.apply(s, turning.seat, action)
    return Moment(room.game, record, room.match.options)


def after(room: Room, turning: Turning, step: int, language: str) -> str:
    """The page of that seat after the better answers."""
    people = [(name, art, False) for name, art, _ in room.people(language)]
    told = " → ".join(said(room, turning, turning.better[:3], language))  # else the table would ask for the next move
    steps = {"now": step, "of": len(room.states) - 1, "back": None, "on": None, "query": f"?seat={turning.seat}", "told": told}
    moment = moment_after(room, turning, turning.better)
    extra = {"entry": (turning.seat, turning.better[-1])}
    way = {"path": f"/t/{room.row.id}/replay/{step}", "id": room.row.id, "steps": steps, "mine": False}
    page = Page.of(moment, turning.seat, people, language, extra, True, **way)
    return fragment(replace(page, look=replace(page.look, legal=frozenset())))
