"""The hall: the start page with its shelf and lists of tables, about and credits, and the form that sets a table."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from reprlib import repr as shortly
from typing import Any

from babel.dates import format_time
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from recollect.engine.game import Game
from recollect.engine.shelf import faults, games, load
from recollect.engine.texts import LANGUAGES, day
from recollect.minds import companions, minds
from recollect.minds.levels import BY_NAME
from recollect.review.watched import tells
from recollect.table.house import House, house_of
from recollect.table.render.company import remaining, spell
from recollect.table.render.page import face_of
from recollect.table.render.players import art_of, mind_name, people, unnamed
from recollect.table.render.prose import game_texts, ui_texts
from recollect.table.store import Chair, Row
from recollect.table.store.beside import FOLLOWS, HOUR, Manners
from recollect.table.store.beside import TURNS as TURN_TIMES
from recollect.table.web.files import game_of
from recollect.table.web.forms import clean_name, form_of
from recollect.table.web.learn import offers, taught
from recollect.table.web.own import portray
from recollect.table.web.visitor import Visitor, place_of, respond

Clock = tuple[Manners, Mapping[int, float]]  # the manners of a table, and until when each seat that is asked has time
TURNS = 24  # over which a companion's forgetting is drawn

# -- lists


def facts(name: str, language: str) -> dict[str, Any]:
    """A game on the shelf."""
    game = load(name)
    t = game_texts(game, language)
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
        "colours": face_of(name, language).colours,
        "drawn": (game.folder / "page" / "vignette.svg").is_file(),
        "board": (game.folder / "page" / "board.svg").is_file(),
        "picture": f"/games/{name}/invite.jpg" if (game.folder / "page" / "invite.jpg").is_file() else "/static/invite.jpg",
        "lessons": offers(game, language),
    }


def weight(name: str) -> tuple[int, str]:
    """How long a game takes at least, as its texts say: the lightest stands first on the shelf."""
    first = re.search(r"\d+", game_texts(load(name), "en")("minutes"))
    return int(first.group()) if first else 0, name


def summary(row: Row, person: str, language: str, now: float, clock: Clock | None = None) -> dict[str, Any]:
    """A table in a list."""
    mine = row.seats_of(person)
    called = names_of(row, language)
    empty = [seat for seat, chair in enumerate(row.chairs) if chair.free and unnamed(chair, seat)]
    names = [name for seat, name in enumerate(called) if seat not in (*mine, *empty)]
    stands_in = next((chair.mind for chair in row.chairs if chair.person == person and chair.mind), None)
    outdated = row.outdated(load(row.game))
    turn = any(seat in row.acting and not row.chairs[seat].bot for seat in mine) and row.ready and not row.result and not outdated
    return {
        "id": row.id,
        "game": row.game,
        "names": names,
        "turn": turn,
        "over": bool(row.result),
        "lost": False,
        "outdated": outdated,
        "offer": "",
        **(outcome(row, mine, called, language) if row.result else {"won": False, "draw": False, "winner": "", "score": ""}),
        "removable": row.removable(person) or (outdated and row.host == person),
        "begun": row.created,
        "waiting": not row.ready,
        "acting": [called[seat] for seat in row.acting if seat < len(row.chairs)],
        "ago": now - row.moved,
        "stands_in": mind_name(stands_in, language) if stands_in and not row.result else "",
        **(timed(row, person, now, clock, language) if clock else {"left": None, "soon": False, "late": [], "decide": False}),
        "free": sum(chair.free for chair in row.chairs),
        "taken": sum(not chair.free for chair in row.chairs),
        "seats": len(row.chairs),
        "host": next(
            (name for name, chair in zip(called, row.chairs, strict=True) if chair.person == row.host), ui_texts(language)("home.somebody")
        ),
    }


def lost_tables(house: House, person: str, language: str) -> list[dict[str, Any]]:
    """The tables where a companion has this person's seat since their time was up, until they have read so."""
    rows = [row for row in house.store.lost_by(person) if row.game in games()]
    return [{**summary(row, person, language, house.now()), "lost": True, "left": None, "removable": False} for row in rows]


def names_of(row: Row, language: str) -> list[str]:
    """Who sits there; companions by their name in this language."""
    return [name for name, _, _ in people(row.chairs, (), language)]


def ranked(row: Row, names: Sequence[str], language: str) -> list[tuple[int, int, str]]:
    """Rank, points and name of everybody who was ranked when a game ended: the seats, then who took part without one."""
    result: Any = row.result
    seats = zip(result["ranking"], result["scores"], names, strict=False)
    return [*seats, *((h["rank"], h["score"], game_texts(load(row.game), language)("house.name")) for h in result.get("house", ()))]


def outcome(row: Row, mine: Sequence[int], names: Sequence[str], language: str) -> dict[str, Any]:
    """How a game ended: whether this person won, else who did, or nobody before the others, and the points, best first."""
    ranks, shared = ranked(row, names, language), len(names) > 1 and len(mine) == len(names)
    if len(ranks) == 1:  # who plays alone wins against somebody or not at all
        return {"won": False, "draw": False, "winner": "", "score": ""}
    score = " : ".join(str(n) for n in sorted([n for _, n, _ in ranks], reverse=True)).replace("-", "−")
    first = [name for rank, _, name in ranks if rank == 1]
    won, draw = any(ranks[seat][0] == 1 for seat in mine) and not shared, len(first) > 1
    return {"won": won and not draw, "draw": draw, "winner": ", ".join(first), "score": score}


def tell_apart(tables: list[dict[str, Any]], language: str, now: float) -> None:
    """Tables that look alike in the list say since when they stand: the hour, and the day if it was another (notice.js: where one is)."""
    ui, today = ui_texts(language), datetime.fromtimestamp(now).date()
    alike = Counter((table["game"], *table["names"]) for table in tables)
    for table in tables:
        since = datetime.fromtimestamp(table["begun"])
        table["at"] = datetime.fromtimestamp(table["begun"], UTC).isoformat(timespec="seconds")
        hour, other = format_time(since, "HH:mm", locale=language), since.date() != today
        words = ui("home.since", time=f"{day(since, 'd MMM', language)} {hour}") if other else ui("home.since_today", time=hour)
        table["since"] = words if alike[table["game"], *table["names"]] > 1 else ""


def timed(row: Row, person: str, now: float, clock: Clock, language: str) -> dict[str, Any]:
    """How long there is still time, and whether that is soon over; whose time is up, and whether one is asked what follows."""
    manners, until = clock
    acting = [seat for seat in row.acting if seat < len(row.chairs) and not row.chairs[seat].bot]
    asked = {seat: at - now for seat, at in until.items() if seat in acting}
    begins = [row.moved + manners.turn - now for seat in acting if seat not in until and row.chairs[seat].person == person]
    own = [left for seat, left in asked.items() if row.chairs[seat].person == person]
    seconds = min([*own, *(left for left in begins if left > 0)], default=None)  # until when, is kept a moment after the move
    late = [seat for seat, left in asked.items() if left <= 0 and row.chairs[seat].person != person]
    return {
        "left": seconds,
        "left_words": remaining(max(0.0, seconds or 0.0), language),
        "soon": seconds is not None and seconds <= manners.turn / 4,
        "late": [name for seat, name in enumerate(names_of(row, language)) if seat in late],
        "decide": manners.follows == "ask" and any(row.settles(person, seat) for seat in late),
    }


def tables_of(house: House, person: str, language: str) -> list[dict[str, Any]]:
    """The tables where somebody sits: those first that wait for them, and of these those whose time is soon up; then rematches."""
    rows = [row for row in house.store.of_person(person) if row.game in games()]
    clocks = house.store.clocks(row.id for row in rows if row.ready and not row.result and not row.outdated(load(row.game)))
    listed = [summary(row, person, language, house.now(), clocks.get(row.id)) for row in rows]
    listed += lost_tables(house, person, language)
    offers = house.store.offers(person)
    for table in listed:
        table["offer"] = offers.get(table["id"], "")
    tell_apart(listed, language, house.now())
    return sorted(listed, key=lambda t: (not (t["turn"] or t["decide"]), not (t["soon"] or t["decide"]), not t["offer"], not t["lost"]))


def free_tables(house: House, person: str, language: str) -> list[dict[str, Any]]:
    """The tables that anyone may join, but where this person sits."""
    rows = [row for row in house.store.open_tables() if row.game in games()]
    return [summary(row, person, language, house.now()) for row in rows if not row.seats_of(person) and not row.outdated(load(row.game))]


# -- pages of the house


async def start(request: Request) -> Response:
    visitor, house = Visitor(request), house_of(request)
    shelf = {name: facts(name, visitor.language) for name in sorted(games(), key=weight)}
    mine = tables_of(house, visitor.person, visitor.language)
    free = free_tables(house, visitor.person, visitor.language)
    played = {row.game for row in house.store.of_person(visitor.person)}
    broken = {Path(name).name: fault for name, fault in faults().items()}
    closed = "closed" in request.query_params  # straight from a table that its host has closed
    return respond(request, "start.html.jinja", visitor, shelf=shelf, broken=broken, mine=mine, free=free, played=played, closed=closed)


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


async def setup(request: Request) -> Response:
    visitor, game = Visitor(request), game_of(request)
    offered = [companion(game, mind) for mind in companions(game)]
    learnt = request.query_params.get("learnt", "")  # straight from the end of a lesson
    return respond(
        request,
        "setup.html.jinja",
        visitor,
        game=game.name,
        facts=facts(game.name, visitor.language),
        options=game.options,
        minds=offered,
        paces=paces(visitor.language),
        portrait=house_of(request).own.persons.portrait(visitor.person),
        learnt=learnt,
        taught=taught(game, learnt),
    )


def paces(language: str) -> list[tuple[str, list[tuple[int, str]]]]:
    """How long a turn may take, as the set-up page offers it: live, and over days."""
    times = [(Manners(turn).slow, int(turn), brief(turn, language) if turn else "") for turn in TURN_TIMES]
    return [
        (name, [(seconds, words) for slow, seconds, words in times if slow == over]) for name, over in (("live", False), ("slow", True))
    ]


def brief(turn: float, language: str) -> str:
    """A time as a button says it: the four live ones stand side by side."""
    return ui_texts(language)("home.minutes", minutes=int(turn // 60)) if turn < HOUR else spell(turn, language)


def manners_of(form: Mapping[str, str]) -> Manners:
    """What the form says of pace and words."""
    turn = next((seconds for seconds in TURN_TIMES if form.get("turn") == str(int(seconds))), 0.0)
    follows = form.get("follows", "")
    return Manners(turn, follows if follows in FOLLOWS else FOLLOWS[0], form.get("chat") == "yes")


def companion(game: Game, mind: str) -> dict[str, Any]:
    """A companion as the set-up page offers it: what it is like, and where a game is one of recall, how it forgets."""
    recall = tells(game) and mind in BY_NAME
    curve = BY_NAME[mind].curve(TURNS) if recall else []
    points = " ".join(f"{100 * turn / TURNS:.1f},{30 - 28 * chance:.1f}" for turn, chance in enumerate(curve))
    half = BY_NAME[mind].half if recall else None
    return {"name": mind, "art": art_of(mind), "says": "about" if recall else "plans", "curve": points, "half": half, "of": TURNS}


async def create(request: Request) -> Response:
    visitor, house, game = Visitor(request), house_of(request), game_of(request)
    form = await form_of(request)
    try:
        options = game.settle(answers(form, game, visitor.language))
        chairs = [chair_of(form, seat, game, visitor) for seat in range(game.players(options))]
        if len(chairs) == 1 and chairs[0].kind == "bot":
            raise ValueError("seat 1: a game alone is for a person; a companion cannot play it")
    except ValueError as error:
        raise HTTPException(400, str(error)) from None
    if chairs[0].kind == "here":
        visitor.name = clean_name(form.get("name0", "")) or visitor.name  # who gives none is not called Player 1 ever after
        await portray(request, visitor, form)
    if not house.may_set_a_table(visitor.person, place_of(request)):
        raise HTTPException(429, "tables")
    listed = any(chair.kind == "open" for chair in chairs)
    id = await house.open_table(game, options, visitor.person, listed, chairs, manners_of(form))
    return visitor.remember(RedirectResponse(f"/t/{id}", 303), request)


def answers(form: Mapping[str, str], game: Game, language: str) -> dict[str, str]:
    """What the form says of the options; one that so few or so many players cannot choose keeps its default."""
    players, face = form.get("players", ""), face_of(game.name, language)
    n = int(players) if players.isdecimal() and len(players) < 10 else 0  # Python reads no thousands of digits
    offered = [o.name for o in game.options if not n or face.least.get(o.name, 0) <= n <= face.most.get(o.name, n)]
    return {name: form[name] for name in offered if name in form}


def chair_of(form: Mapping[str, str], seat: int, game: Game, visitor: Visitor) -> Chair:
    """What the form says of one seat."""
    ui = ui_texts(visitor.language)
    kind, _, mind = str(form.get(f"seat{seat}", "here")).partition(":")
    given = clean_name(form.get(f"name{seat}", ""))
    if kind == "here":
        return Chair("here", given or (visitor.name if seat == 0 else "") or ui("seat.nobody", n=seat + 1), visitor.person)
    if kind in ("link", "open"):
        return Chair(kind, given or ui("seat.nobody", n=seat + 1), secret=secrets.token_hex(8))
    if kind == "bot" and mind in minds(game):
        return Chair("bot", mind.capitalize(), mind=mind)
    raise ValueError(f"seat {seat + 1}: {shortly(kind)} is not one of here, link, open, bot")
