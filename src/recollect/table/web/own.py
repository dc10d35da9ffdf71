"""A person's own page: to look at, to carry to another device, to download, to erase. No e-mail address is ever asked for."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from recollect.table.house import House, house_of
from recollect.table.own.passphrase import LONGEST, SHORTEST, Busy, normal
from recollect.table.own.persons import Played
from recollect.table.own.rating import companions_of
from recollect.table.render.own import Person, own_texts, scene
from recollect.table.render.players import PORTRAITS, unnamed
from recollect.table.render.prose import marked
from recollect.table.web.forms import clean_name, form_of
from recollect.table.web.visitor import Visitor, place_of, respond

NONE = "none"  # no picture: the first letter of the name
SAID = {"kept": "keep.done", "back": "back.done", "gone": "erase.done"}  # what an address says was done


def person_of(house: House, visitor: Visitor) -> Person:
    """All that is known of somebody. It takes a while: not on the event loop."""
    own, who = house.own, visitor.person
    own.ratings.bring_up()
    played = own.persons.games(who)
    name = visitor.name or (played[-1].chairs[played[-1].me].name if played else "")
    return Person(
        name,
        own.persons.since(who),
        played,
        own.ratings.of(who),
        own.memories.of(played),
        own.persons.handle(who),
        own.persons.portrait(who),
        counts=own.memories.counts(played),
        size=own.persons.size(who),
    )


def turned(house: House, games: Sequence[Played]) -> dict[str, int]:
    """The most points that somebody missed in a move of each game that was gone through already; nothing is looked for."""
    found = [(played, house.turnings.known(played.id)) for played in games]
    left = {played.id: [t.left for t in known.turnings if t.seat == played.me] for played, known in found if known}
    return {id: round(max(most)) for id, most in left.items() if most}


async def page(request: Request, said: str | None = None, bad: bool = False, **typed: str) -> Response:
    """The page, with an answer to what a form asked, and the name that was typed there."""
    visitor, house, every = Visitor(request), house_of(request), "all" in request.query_params
    async with house.own.room:
        person = await asyncio.to_thread(person_of, house, visitor)
        person = replace(person, turned=turned(house, person.games))
        me = await asyncio.to_thread(scene, person, visitor.language, every)
        running = await asyncio.to_thread(house.own.persons.running, visitor.person)
    said = said or SAID.get(request.query_params.get("said", ""))
    status = {None: 200, "no.busy": 429}.get(said if bad else None, 400)
    told, words = {"key": said, "bad": bad} if said else None, marked(own_texts(visitor.language))
    more = {"o": words, "me": me, "said": told, "all_games": every, "running": running, "typed": typed}
    return respond(request, "own.html.jinja", visitor, status=status, path="/me", **more)


async def own(request: Request) -> Response:
    return await page(request)


# -- the picture


async def portray(request: Request, visitor: Visitor, form: Mapping[str, str]) -> None:
    """The picture that a form chose, if it asked for one."""
    own, art = house_of(request).own, form.get("art")
    if art not in (*PORTRAITS, NONE) or (art if art != NONE else None) == own.persons.portrait(visitor.person):
        return
    await own.change(visitor.person, lambda: own.persons.portray(visitor.person, None if art == NONE else art))


async def picture(request: Request) -> Response:
    """Choose a picture, on one's own page."""
    visitor = Visitor(request)
    await portray(request, visitor, await form_of(request))
    return visitor.remember(RedirectResponse("/me", 303), request)


# -- the passphrase


async def keep(request: Request) -> Response:
    """Keep this person under a name and a passphrase."""
    visitor, house, form = Visitor(request), house_of(request), await form_of(request)
    handle, words = clean_name(form.get("handle", "")).casefold(), normal(form.get("passphrase", ""))
    if fault := "handle" if len(handle) < 3 else "short" if len(words) < SHORTEST else "long" if len(words) > LONGEST else "":
        return await page(request, f"no.{fault}", bad=True, keep=handle)
    try:
        house.own.keeper.count(f"place {place_of(request)}")
        hash = await house.own.keeper.hash(words)
    except Busy:
        return await page(request, "no.busy", bad=True, keep=handle)
    if not await asyncio.to_thread(house.own.persons.keep, visitor.person, handle, hash):
        return await page(request, "no.taken", bad=True, keep=handle)
    return visitor.remember(RedirectResponse("/me?said=kept", 303), request)


async def back(request: Request) -> Response:
    """Become the person who was kept under a name; the games of this device may come along."""
    visitor, house, form = Visitor(request), house_of(request), await form_of(request)
    handle, words = clean_name(form.get("handle", "")).casefold(), form.get("passphrase", "")[:LONGEST]
    persons, keeper = house.own.persons, house.own.keeper
    try:
        keeper.count(f"place {place_of(request)}", f"name {handle}")
        kept = persons.kept(handle)
        right = await keeper.matches(kept[1] if kept else None, words)
    except Busy:
        return await page(request, "no.busy", bad=True, back=handle)
    if not kept or not right:
        return await page(request, "no.wrong", bad=True, back=handle)
    old, visitor.person = visitor.person, kept[0]
    if form.get("bring") and old != visitor.person and not persons.handle(old):
        await house.own.change(old, lambda: persons.carry(old, visitor.person))
    visitor.name = visitor.name or called(house, visitor.person)
    return visitor.remember(RedirectResponse("/me?said=back", 303), request)


def called(house: House, person: str) -> str:
    """What somebody was called where they sat last; nothing if nobody has named them."""
    sat = ((seat, chair) for row in house.store.of_person(person) for seat, chair in enumerate(row.chairs) if chair.person == person)
    return next((chair.name for seat, chair in sat if not unnamed(chair, seat)), "")


# -- one file with everything, one button to erase it


async def everything(request: Request) -> Response:
    """All that is kept of somebody, as one JSON file, game by game. Of games that run: that they do."""
    visitor, house = Visitor(request), house_of(request)
    async with house.own.room:
        person = await asyncio.to_thread(person_of, house, visitor)
    running = house.own.persons.running(visitor.person)
    headers = {"content-disposition": 'attachment; filename="recollect.json"'}
    return StreamingResponse(written(house, person, running), media_type="application/json", headers=headers)


async def written(house: House, person: Person, running: list[dict[str, Any]]) -> AsyncIterator[str]:
    """The file, piece by piece: it may be long."""
    text = json.dumps({**about(person), "running": running}, indent=1, ensure_ascii=False)
    yield text[: text.rindex("\n}")] + ',\n "games": ['
    for n, played in enumerate(person.games):
        document = await asyncio.to_thread(house.own.persons.document, played.id)
        kept = {"id": played.id, "at": played.at, "seat": played.me, "names": [c.name for c in played.chairs], "result": played.result}
        yield (",\n" if n else "\n") + json.dumps({**kept, "match": document}, ensure_ascii=False)
    yield "\n ]\n}\n"


def about(person: Person) -> dict[str, Any]:
    """The numbers of the page."""
    fitted, memory = person.memory.fit, person.memory
    return {
        "recollect": "everything of one person",
        "name": person.name,
        "portrait": person.portrait,
        "kept_under": person.handle,
        "since": person.since,
        "ratings": [dict(rating_rows(key, rows)) for key, rows in person.ratings.items()],
        "memory": {
            "games": memory.games,
            "chances": memory.chances,
            "used": memory.used,
            "by_turns": [share.json() for share in memory.points],
            "fit": fitted
            and {"threshold": fitted.threshold, "noise": fitted.noise, "thresholds": fitted.thresholds, "noises": fitted.noises},
            "weeks": [{"at": week.at, "half": week.half, "interval": [week.low, week.high]} for week in memory.weeks],
        },
    }


def rating_rows(key: tuple[str, int], rows: list[Any]) -> Iterator[tuple[str, Any]]:
    yield from zip(("game", "players"), key, strict=True)
    yield (
        "ratings",
        [{"at": at, "points": rating.points, "doubt": rating.doubt, "mu": rating.mu, "sigma": rating.sigma} for at, rating in rows],
    )
    yield "companions", {name: rating.points for name, rating in companions_of(key[0]).items()}


async def ask(request: Request) -> Response:
    """Before everything is erased: a question."""
    visitor, house = Visitor(request), house_of(request)
    words, games = marked(own_texts(visitor.language)), await asyncio.to_thread(house.own.persons.games, visitor.person)
    return respond(request, "own-erase.html.jinja", visitor, o=words, games=len(games))


async def erase(request: Request) -> Response:
    """All of it, at once; the device is a stranger afterwards."""
    visitor, house = Visitor(request), house_of(request)
    if (await form_of(request)).get("sure") != "yes":
        return RedirectResponse("/me/erase", 303)
    someone = own_texts(visitor.language)("someone")
    await house.own.change(visitor.person, lambda: house.own.persons.erase(visitor.person, someone))
    stranger = Visitor(request)
    stranger.forget()
    return stranger.remember(RedirectResponse("/me?said=gone", 303), request)
