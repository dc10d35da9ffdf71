"""What a person's games say: points by category, who came out ahead of whom, best times. Plain sums over games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.engine.shelf import load
from recollect.table.own.persons import Played
from recollect.table.render.page import scene_of

WEEK = 7 * 24 * 3600.0


def friends(games: Iterable[Played]) -> int:
    """People they met."""
    mine = {played.chairs[played.me].person for played in games}
    return len({c.person for played in games for c in played.chairs if c.person} - mine)


# -- points by category


@dataclass(frozen=True)
class Category:
    """Points of a kind: their mean in a game, and that of the others at their tables."""

    name: str
    mine: float
    others: float | None


def categories(games: Sequence[Played]) -> list[Category]:
    """Of one game; one that has a single kind of points says nothing by it."""
    names = list(games[-1].result["points"]) if games else []
    return [category(name, games) for name in names] if len(names) > 1 else []


def category(name: str, games: Sequence[Played]) -> Category:
    own = [played.result["points"][name][played.me] for played in games if name in played.result["points"]]
    others = [played.result["points"][name][seat] for played in games if name in played.result["points"] for seat in played.others]
    return Category(name, sum(own) / len(own), sum(others) / len(others) if others else None)


# -- head to head


@dataclass
class Duel:
    """Somebody they met: how often each came out ahead, in all and in each game."""

    name: str
    mind: str | None
    ahead: int = 0
    level: int = 0
    behind: int = 0
    by_game: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return self.ahead + self.level + self.behind

    def add(self, played: Played, seat: int) -> None:
        mine, theirs = (played.result["ranking"][x] for x in (played.me, seat))
        how = "ahead" if mine < theirs else "level" if mine == theirs else "behind"
        setattr(self, how, getattr(self, how) + 1)
        self.by_game.setdefault(played.game, Counter())[how] += 1

    @property
    def most(self) -> tuple[str, Counter[str]]:
        """The game that they shared most often."""
        return max(self.by_game.items(), key=lambda item: sum(item[1].values()))


def duels(games: Iterable[Played]) -> list[Duel]:
    """Everybody they met, by how often; who shares the screen is known by name, a companion by its kind."""
    found: dict[str, Duel] = {}
    for played in games:
        for seat in played.others:
            chair = played.chairs[seat]
            shared = chair.person == played.chairs[played.me].person
            key = f"mind {chair.mind}" if chair.mind else f"name {chair.name}" if shared else str(chair.person)
            duel = found.setdefault(key, Duel(chair.name, chair.mind))
            duel.name = chair.name  # as they call themselves now
            duel.add(played, seat)
    return sorted(found.values(), key=lambda duel: (-duel.games, duel.name))


# -- against the clock


@dataclass(frozen=True)
class Course:
    """Games against time that can be compared: the best, when, and by how much it beat the one before."""

    game: str
    options: Mapping[str, Any]
    best: float
    at: float
    better: float | None
    times: tuple[float, ...]  # of all, the earliest first

    @property
    def changed(self) -> list[tuple[str, Any]]:
        """What was chosen otherwise than the rulebook has it."""
        return [
            (o.name, self.options[o.name])
            for o in load(self.game).options
            if o.rules and o.name != "players" and self.options[o.name] != o.default
        ]


def courses(games: Iterable[Played]) -> list[Course]:
    """Their best times, the course that was played most first."""
    found: dict[tuple[str, Any], list[Played]] = {}
    for played in games:
        if "time" in played.result:
            found.setdefault((played.game, scene_of(load(played.game)).course(played.options)), []).append(played)
    return [course_of(walks) for walks in sorted(found.values(), key=len, reverse=True)]


def course_of(walks: Sequence[Played]) -> Course:
    times = tuple(float(walk.result["time"]["counted"]) for walk in walks)
    n = times.index(min(times))
    better = min(times[:n]) - times[n] if n else None
    return Course(walks[n].game, walks[n].options, times[n], walks[n].at, better, times)
