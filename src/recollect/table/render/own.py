"""A person's own page: what their games say, as the template draws it. Charts are HTML placed in percent over SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from babel.numbers import format_decimal
from markupsafe import Markup

from recollect.engine.shelf import games, load
from recollect.engine.texts import Texts, read_texts
from recollect.engine.texts import day as day_words
from recollect.minds.levels import BY_NAME, LEVELS
from recollect.table.own import record
from recollect.table.own.memory import Memory, Week
from recollect.table.own.persons import Played
from recollect.table.own.rating import Rating, companions_of
from recollect.table.render.page import face_of
from recollect.table.render.players import art_of, companion_name
from recollect.table.render.prose import game_texts, ui_texts

RECENT, MET = 6, 6  # games and people on the page
FAR = 32  # turns over which forgetting is drawn
CLOSE = 60  # points within which somebody plays about like a companion
ABOUT, BESIDE = 2000, 500  # letters of a file with everything that are not moves: about the person, and of each game
LONGEST = 24  # turns: who keeps half for longer remembers like an elephant
APART = 30  # of a hundred: how far the days below a drawing stand from one another


@lru_cache(maxsize=4)
def own_texts(language: str) -> Texts:
    return read_texts(Path(record.__file__).parent, language)


@dataclass(frozen=True)
class Person:
    """Everything that the page is made from."""

    name: str
    since: float | None
    games: Sequence[Played]
    ratings: dict[tuple[str, int], list[tuple[float, Rating]]]
    memory: Memory
    handle: str | None
    portrait: str | None = None
    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # of games of recall: places found again, and all that could be
    turned: Mapping[str, int] = field(default_factory=dict)  # of games of planning that were gone through: the most points that were missed
    size: int = 0  # letters of all match files


def scene(person: Person, language: str, all_games: bool = False) -> dict[str, Any]:
    """What the template receives."""
    t, games = own_texts(language), person.games
    shown = games if all_games else games[-RECENT:]
    return {
        "name": person.name,
        "portrait": person.portrait,
        "since": person.since and dated(person.since, language, "full"),
        "head": head(person, t),
        "tally": tally(person),
        "stand": stand(person, language),
        "forget": forget(person.memory),
        "weeks": weeks(person.memory.weeks, t),
        "points": [found for name in shelf() if (found := points(name, games, language))],
        "walks": walks(games, language),
        "duels": [duel(d, language) for d in record.duels(games)[:MET]],
        "recent": [{**recent(played, language), "note": note(played, person, t)} for played in reversed(shown)],
        "all": len(games),
        "handle": person.handle,
        "size": weight(person, t),
    }


def shelf() -> list[str]:
    return sorted(games())


def day(at: float, language: str, form: str = "short") -> str:
    when = datetime.fromtimestamp(at, UTC).date()
    forms = {"short": "d MMM", "full": "d MMMM y", "month": "MMMM"}
    return day_words(when, forms[form], language)


def dated(at: float, language: str, form: str = "short") -> Markup:
    """A day that a page writes anew where it is read (hours.js)."""
    iso = datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
    return Markup('<time datetime="{}" data-day="{}">{}</time>').format(iso, form, day(at, language, form))


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


# -- who


def head(person: Person, t: Texts) -> dict[str, str]:
    """One sentence on top, and one below it."""
    if not person.games:
        return {"title": t("head.new"), "sub": t("head.sub.new")}
    half = person.memory.half
    if half is None:
        return {"title": t("head.games"), "sub": t("head.sub.games")}
    sub = t("head.sub.never") if half >= LONGEST else t("head.sub.half", n=max(1, round(half)))
    like, weeks = t(f"like.{mate_of(half)}"), person.memory.weeks
    if len(weeks) > 1 and weeks[-1].low > weeks[0].high:
        return {"title": t("head.longer", like=like, month=day(weeks[0].at, t.language, "month")), "sub": sub}
    return {"title": t("head.like", like=like), "sub": sub}


def mate_of(half: float) -> str:
    """The companion that forgets most alike."""
    if half >= LONGEST:
        return LEVELS[-1].name
    known = {level.name: level.half for level in LEVELS if level.half}
    return min(known, key=lambda name: abs(math.log((half + 1) / (known[name] + 1))))


def tally(person: Person) -> list[tuple[str, int]]:
    games = person.games
    weeks = 1 + int((games[-1].at - games[0].at) // record.WEEK) if games else 0
    won = sum(played.won for played in games)
    return [("games", len(games)), ("won", won), ("friends", record.friends(games)), ("weeks", weeks)]


# -- where they stand


def stand(person: Person, language: str) -> dict[str, Any]:
    """A row for each game and number of players, all on one scale."""
    rows = [(key, person.ratings[key][-1][1]) for key in sorted(person.ratings) if key[0] in games()]  # a game may have left the shelf
    places = [x for (game, _), mine in rows for x in (mine.points, *(mate.points for mate in companions_of(game).values()))]
    low, high = (min(places) - 100, max(places) + 100) if places else (800, 1800)
    step = 200 if high - low <= 1600 else 400
    ticks = [(n, part(n, low, high)) for n in range(math.ceil(low / step) * step, high + 1, step)]
    return {"rows": [rank(key, mine, person.games, (low, high), language) for key, mine in rows], "ticks": ticks}


def part(value: float, low: float, high: float) -> float:
    """In percent of the way, within it."""
    return round(min(100.0, max(0.0, 100 * (value - low) / (high - low))), 2)


def rank(key: tuple[str, int], mine: Rating, games: Sequence[Played], span: tuple[int, int], language: str) -> dict[str, Any]:
    (game, players), t, ui = key, own_texts(language), ui_texts(language)
    played = [p for p in games if p.game == game and len(p.chairs) == players]
    name, low, high = game_texts(load(game), language)("name"), mine.points - mine.doubt, mine.points + mine.doubt
    mates = companions_of(game)
    return {
        **face(game, language),
        "players": t("stand.players", n=players),
        "like": like(mine, mates, t),
        "won": sum(p.won for p in played),
        "of": len(played),
        "mates": [
            {"name": n, "says": f"{ui(f'minds.{n}.name')} {r.points}", "art": art_of(n), "left": part(r.points, *span)}
            for n, r in mates.items()
        ],
        "left": part(low, *span),
        "wide": round(part(high, *span) - part(low, *span), 2),
        "dot": part(mine.points, *span),
        "points": mine.points,
        "doubt": mine.doubt,
        "label": t("stand.label", name=name, points=mine.points, low=low, high=high),
    }


def face(game: str, language: str) -> dict[str, Any]:
    """A game in a row."""
    return {"game": game, "title": game_texts(load(game), language)("name"), "colours": face_of(game, language).colours}


def like(mine: Rating, mates: dict[str, Rating], t: Texts) -> str:
    """Among which companions somebody stands."""
    if not mates:
        return ""
    near = min(mates, key=lambda name: abs(mates[name].points - mine.points))
    if abs(mates[near].points - mine.points) <= CLOSE:
        return t("stand.about", like=t(f"like.{near}"))
    past = [name for name, mate in mates.items() if mate.points < mine.points]
    return t("stand.past", like=t(f"like.{past[-1]}")) if past else t("stand.below", like=t(f"like.{next(iter(mates))}"))


# -- how they forget


def across(turns: float) -> float:
    """Where so many turns lie, in percent: each doubling is a fifth of the way."""
    return 100 * math.log2(min(FAR, max(1.0, turns))) / math.log2(FAR)


TURNS = [2 ** (n / 8) for n in range(8 * 5 + 1)]  # from 1 to 32


def forget(memory: Memory) -> dict[str, Any] | None:
    """The curve with its band, the shares that were measured, and the companions."""
    if memory.fit is None or memory.half is None:
        return None
    found = [(turns, *memory.fit.recall(turns)) for turns in TURNS]
    line = [(across(turns), chance) for turns, chance, _, _ in found]
    band = [(across(turns), high) for turns, _, _, high in found] + [(across(turns), low) for turns, _, low, _ in reversed(found)]
    return {
        "memory": memory,
        "half": round(memory.half),
        "line": path(line),
        "band": path(band) + "z",
        "tag": {"left": line[-9][0], "top": 100 * (1 - line[-9][1])},
        "shares": [share(s) for s in memory.points],
        "mates": [mate_curve(level.name) for level in LEVELS],
    }


def path(points: Sequence[tuple[float, float]]) -> str:
    """On a field of 1000 by 400, heights from 0 to 1."""
    return "M" + "L".join(f"{10 * x:.1f} {400 * (1 - y):.1f}" for x, y in points)


def share(s: Any) -> dict[str, Any]:
    low, high = s.interval
    middle = math.sqrt(s.low * min(s.high, 48))
    label = f"{s.low}–{s.high}" if s.high < 10**6 else f"{s.low}+"
    return {
        "left": across(middle),
        "top": 100 * (1 - s.share),
        "from": 100 * (1 - high),
        "tall": 100 * (high - low),
        "turns": label,
        "s": s,
    }


def mate_curve(name: str) -> dict[str, Any]:
    """How a companion forgets, and where its picture stands."""
    memory, half = BY_NAME[name].memory, BY_NAME[name].half
    turns = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]
    line = [(across(n), memory.chance(n)) for n in turns]
    return {
        "name": name,
        "art": art_of(name),
        "line": path(line),
        "left": across(half or FAR),
        "top": 100 * (1 - memory.chance(half or FAR)),
    }


def weeks(found: Sequence[Week], t: Texts) -> dict[str, Any] | None:
    """After how many turns half was forgotten, over the weeks."""
    if len(found) < 2:
        return None
    first, last = found[0].at, found[-1].at
    most = 12 * math.ceil(min(48.0, max(12.0, *(1.2 * week.half for week in found))) / 12)

    def at(week: Week) -> float:
        return 100 * (week.at - first) / (last - first)

    def up(half: float) -> float:
        return math.sqrt(min(1.0, half / most))  # a few turns are told apart beside many

    line = [(at(week), up(week.half)) for week in found]
    band = [(at(week), up(week.high)) for week in found] + [(at(week), up(week.low)) for week in reversed(found)]
    marks = [found[0]]
    for week in found[1:-1]:  # days that would stand over one another are left out
        if at(marks[-1]) + APART <= at(week) <= 100 - APART:
            marks.append(week)
    marks.append(found[-1])
    return {
        "most": most,
        "line": path(line),
        "band": path(band) + "z",
        "dots": [{"left": x, "top": 100 * (1 - y)} for x, y in line],
        "mates": [
            {"name": level.name, "art": art_of(level.name), "top": 100 * (1 - up(level.half))}
            for level in LEVELS
            if level.half and level.half < most
        ],
        "marks": [{"left": at(week), "says": dated(week.at, t.language)} for week in marks],
        "last": f"{round(found[-1].half)}" if found[-1].half <= most else f"{most}+",
        "label": t("weeks.label", first=round(found[0].half), last=round(found[-1].half)),
        "so": t("weeks.rising" if found[-1].low > found[0].high else "weeks.falling" if found[-1].high < found[0].low else "weeks.same"),
    }


# -- points, times, people, games


def points(game: str, games: Sequence[Played], language: str) -> dict[str, Any] | None:
    """Points by category, beside those of the others at the same tables."""
    played = [p for p in games if p.game == game]
    found = record.categories(played)
    if not found:
        return None
    t, most = game_texts(load(game), language), max(1.0, *(x for c in found for x in (c.mine, c.others or 0)))
    rows = [
        {
            "name": t(f"points.{c.name}"),
            "mine": round(c.mine),
            "wide": part(c.mine, 0, most),
            "mark": None if c.others is None else part(c.others, 0, most),
            "others": None if c.others is None else round(c.others),
        }
        for c in found
    ]
    return {**face(game, language), "of": len(played), "sum": round(sum(p.score for p in played) / len(played)), "rows": rows}


def walks(games: Sequence[Played], language: str) -> dict[str, Any] | None:
    """Best times, and how they fell on the course that was played most."""
    found = record.courses(games)
    if not found:
        return None
    times = found[0].times[-24:]
    low, high = min(times), max(times)
    xs = [(100 * n / max(1, len(times) - 1), 0.9 * (x - low) / max(1.0, high - low) + 0.05) for n, x in enumerate(times)]
    rows = [
        {"name": course_name(c, language), "at": dated(c.at, language), "best": clock(c.best), "better": c.better and clock(c.better)}
        for c in found[:3]
    ]
    return {
        **face(found[0].game, language),
        "of": sum(len(c.times) for c in found),
        "line": path(xs) if len(xs) > 1 else "",
        "first": clock(times[0]),
        "last": clock(times[-1]),
        "end": 100 * (1 - xs[-1][1]),
        "rows": rows,
    }


def course_name(course: record.Course, language: str) -> str:
    """What was chosen otherwise than the rulebook has it."""
    t = game_texts(load(course.game), language)
    return ", ".join(f"{t(f'options.{name}.label')} {value}" for name, value in course.changed) or own_texts(language)("walks.plain")


def duel(d: record.Duel, language: str) -> dict[str, Any]:
    t, (game, how) = own_texts(language), d.most
    key = f"minds.{d.mind}.name"
    name = ui_texts(language)(key) if d.mind and key in ui_texts(language) else d.name
    title = game_texts(load(game), language)("name")
    return {
        "name": name,
        "art": art_of(d.mind),
        "hue": sum(name.encode()) % 6,
        "ahead": d.ahead,
        "level": d.level,
        "behind": d.behind,
        "most": t("duels.most", game=title, ahead=how["ahead"], behind=how["behind"]),
        "label": t("duels.label", ahead=d.ahead, level=d.level, behind=d.behind, name=name),
    }


def weight(person: Person, t: Texts) -> str:
    """How large the file with everything is, about."""
    size = person.size + ABOUT + BESIDE * len(person.games)
    return t("download.mb", n=format_decimal(size / 1e6, "0.0", t.language)) if size >= 1e6 else t("download.kb", n=math.ceil(size / 1000))


def note(played: Played, person: Person, t: Texts) -> str:
    """What a game was like: how much was remembered or missed, else by how much it was won or lost."""
    if played.id in person.counts:
        n, of = person.counts[played.id]
        return t("recent.remembered", n=n, of=of)
    if played.id in person.turned:
        return t("recent.turning", n=person.turned[played.id])
    others = [score for seat, score in enumerate(played.result["scores"]) if seat != played.me]
    if not others:
        return ""
    ahead = played.score - max(others)
    return t("recent.ahead" if ahead > 0 else "recent.behind", n=abs(ahead)) if ahead else t("recent.level")


def recent(played: Played, language: str) -> dict[str, Any]:
    """A finished game in a row."""
    t, chairs = own_texts(language), list(played.chairs)
    names = [companion_name(chairs, seat, language) if chairs[seat].kind == "bot" else chairs[seat].name for seat in played.others]
    score = clock(played.result["time"]["counted"]) if "time" in played.result else t("recent.score", n=played.score)
    ranked = len(chairs) > 1 or "house" in played.result
    of = len(chairs) + len(played.result.get("house", ()))
    won = "recent.shared" if played.result["ranking"].count(1) > 1 else "recent.won"
    result = t(won, score=score) if played.won else t("recent.rank", rank=played.rank, of=of, score=score) if ranked else score
    return {
        **face(played.game, language),
        "id": played.id,
        "with": t("recent.with", names=", ".join(names)) if names else t("recent.alone"),
        "result": result,
        "won": played.won,
        "day": dated(played.at, language),
        "current": played.version == load(played.game).version,
    }
