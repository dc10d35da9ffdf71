"""Lessons: pages that need no table. Where somebody is stands in the address; a cookie remembers it, so that a lesson is resumed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from recollect.engine.game import Game
from recollect.engine.lesson import FIRST, lessons
from recollect.table.render.guide import Place, answer, lesson_html, tried_html, worse
from recollect.table.web.files import game_of
from recollect.table.web.forms import form_of
from recollect.table.web.visitor import YEARS, Visitor, respond


def place_of(request: Request) -> Place:
    """Where an address stands in a lesson."""
    found = lessons(game_of(request)).get(request.path_params["lesson"])
    step, did = request.path_params["step"] - 1, request.query_params.get("did", "")
    if found is None or not 0 <= step < len(found.steps) or not re.fullmatch(r"(\d(\.\d)*)?", did):
        raise HTTPException(404)
    several = [len(done.right) for done in found.steps[:step] if len(done.right) > 1]
    chosen = tuple(min(int(n), of - 1) for n, of in zip(did.split("."), several, strict=False)) if did else ()
    return Place(found, step, chosen + (0,) * (len(several) - len(chosen)))


def cookie_of(game: str, lesson: str) -> str:
    return f"lesson-{game}-{lesson}"


def remember(response: Response, place: Place) -> Response:
    """The last address, for when they come back; a lesson that was done begins anew."""
    path = replace(place, step=0, chosen=()).path if place.last else place.path
    response.set_cookie(cookie_of(place.lesson.game.name, place.lesson.name), path, max_age=YEARS, httponly=True, samesite="lax")
    return response


async def enter(request: Request) -> Response:
    """A lesson, where it was left."""
    game, name = game_of(request), request.path_params.get("lesson", FIRST)
    if name not in lessons(game):
        raise HTTPException(404)
    begin = f"/learn/{game.name}/{name}/"
    left = request.cookies.get(cookie_of(game.name, name), "")
    return RedirectResponse(left if re.fullmatch(re.escape(begin) + r"\d+(\?did=[\d.]+)?", left) else f"{begin}1", 303)


async def lesson(request: Request) -> Response:
    visitor, place = Visitor(request), place_of(request)
    title = place.lesson.text(visitor.language)(f"{place.lesson.name}.title")
    html = Markup(lesson_html(place, visitor.name, visitor.language))
    page = respond(
        request,
        "lesson.html.jinja",
        visitor,
        game=place.lesson.game.name,
        title=title,
        live=html,
        table={"id": "lesson", "live": False},
    )
    return remember(page, place)


async def act(request: Request) -> Response:
    """What the pupil did: the next step when it was right, what it would lead to where the lesson answers it, else why not."""
    visitor, place = Visitor(request), place_of(request)
    given = (await form_of(request)).get("action", "")
    if not re.fullmatch(r"\d{1,6}", given):
        raise HTTPException(400)
    if int(given) in place.now.wrong or (int(given) not in place.now.right and worse(place, int(given), visitor.language)):
        return JSONResponse({"html": tried_html(place, int(given), visitor.name, visitor.language), "go": place.path})
    if int(given) not in place.now.right:
        return JSONResponse({"why": answer(place, int(given), visitor.name, visitor.language)})
    after = place.on(int(given))
    html = lesson_html(after, visitor.name, visitor.language)
    return remember(JSONResponse({"html": html, "go": after.path}), after)


def taught(game: Game, name: str) -> dict[str, Any]:
    """The options that a lesson was about: those in which its table differs from that of the first lesson."""
    known = lessons(game)
    if name not in known:
        return {}
    own, first = (game.settle(known[lesson].start.get("options", {})) for lesson in (name, FIRST))
    return {option: value for option, value in own.items() if value != first[option]}


def offers(game: Game, language: str) -> list[dict[str, Any]]:
    """The lessons of a game as pages offer them, the first one first."""
    return [
        {
            "name": name,
            "path": f"/learn/{game.name}/{name}",
            "minutes": found.minutes,
            "title": found.text(language)(f"{name}.title"),
            "about": found.text(language)(f"{name}.about"),
        }
        for name, found in lessons(game).items()
    ]
