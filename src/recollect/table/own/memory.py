"""How a person forgets, from all their games of recall, over the weeks. What a game says is found out once and kept."""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.engine.match import rebuild
from recollect.engine.shelf import load
from recollect.review.curve import TURNS, Chance, Fit, Share, chances, fit, shares
from recollect.review.watched import Decision, Watched, tells
from recollect.table.own.persons import Persons, Played
from recollect.table.own.record import WEEK

GAMES = 200  # of recall, the latest: a person changes
AT_ONCE = 25  # games that are gone through for one page; the next page goes on
A_REPORTS, A_FEW = 60, 3  # games that a report looks at, and those of them that it goes through
ENOUGH = 12  # chances that make a point of the curve over the weeks
LONG = 400.0  # turns; beyond that nothing was measured


@dataclass(frozen=True)
class Recalled:
    """What one game says of one seat's memory."""

    at: float
    chances: tuple[Chance, ...]
    blind: int  # decisions in which nobody could know ...
    tried: int  # ... and those of them that turned a card never shown

    @classmethod
    def of(cls, decisions: Sequence[Decision], at: float) -> Recalled:
        blind = [d for d in decisions if not d.wanted and d.kind != "pair"]
        return cls(at, tuple(chances(decisions)), len(blind), sum(not d.known for d in blind))

    def document(self) -> dict[str, Any]:
        rows = [[c.used, c.turns, c.seconds, c.times, c.wanted, c.others, c.unseen, c.fitted] for c in self.chances]
        return {"chances": rows, "blind": self.blind, "tried": self.tried}

    @classmethod
    def read(cls, kept: Mapping[str, Any], at: float) -> Recalled:
        rows = kept["chances"]
        found = (Chance(bool(u), t, s, n, tuple(w), tuple(o), x, bool(f)) for u, t, s, n, w, o, x, f in rows)
        return cls(at, tuple(found), kept["blind"], kept["tried"])


@dataclass(frozen=True)
class Week:
    """A stretch of weeks with enough chances: after how many turns half was forgotten, with its 90% interval."""

    at: float
    half: float
    low: float
    high: float


@dataclass(frozen=True)
class Memory:
    """How somebody forgets."""

    games: int
    waiting: int  # games that were not gone through yet
    chances: int
    used: int
    points: list[Share]
    fit: Fit | None
    weeks: list[Week]

    @property
    def half(self) -> float | None:
        """After how many turns half is forgotten, once there is something to go by."""
        return half_of(self.fit.threshold) if self.fit and self.fit.enough else None


def half_of(threshold: float) -> float:
    """Turns after which a card that was shown once is found again every other time; this turn counts too."""
    return min(LONG, max(0.0, math.exp(-2 * threshold) - 1))


def guessing(games: Iterable[Recalled]) -> float:
    """How often somebody who cannot know turns a card that was never shown."""
    games = list(games)
    return (sum(game.tried for game in games) + 1) / (sum(game.blind for game in games) + 2)


def memory_of(games: Sequence[Recalled], waiting: int = 0) -> Memory:
    every = [chance for game in games for chance in game.chances]
    fitted = fit(every, guessing(games))
    return Memory(len(games), waiting, len(every), sum(c.used for c in every), shares(every, "turns", TURNS), fitted, weeks_of(games))


def weeks_of(games: Sequence[Recalled]) -> list[Week]:
    """Week by week; a week with few chances is taken together with the next."""
    out: list[Week] = []
    held: list[Recalled] = []
    for n, game in enumerate(games):
        held.append(game)
        ends = n + 1 == len(games) or games[n + 1].at // WEEK != game.at // WEEK
        own = [c for g in held for c in g.chances if c.fitted]
        if ends and len(own) >= ENOUGH and (found := fit(own, guessing(held))):
            low, high = sorted(half_of(threshold) for threshold in found.thresholds)
            out.append(Week(game.at, half_of(found.threshold), low, high))
            held = []
    return out


class Memories:
    """What games say of memory, kept in the store; and what was made of it, kept for a while."""

    def __init__(self, persons: Persons, most: int = 200) -> None:
        self.persons = persons
        self._made: OrderedDict[tuple[str, ...], Memory] = OrderedDict()
        self._most = most

    def of(self, games: Sequence[Played]) -> Memory:
        """How one who played these games forgets."""
        recall = [played for played in games if tells(load(played.game))][-GAMES:]
        found, waiting = self.recalled(recall)
        key = (recall[-1].id if recall else "", str(len(recall)), str(waiting), str(recall[-1].me) if recall else "")
        if key not in self._made:
            self._made[key] = memory_of(found, waiting)
            if len(self._made) > self._most:
                self._made.popitem(last=False)
        return self._made[key]

    def counts(self, games: Sequence[Played]) -> dict[str, tuple[int, int]]:
        """Of each of these games that was gone through: how many places somebody found again, and how many they could have."""
        kept = self._kept(games)
        found = {played.id: doc["chances"] for played in games if (doc := kept.get((played.id, played.me)))}
        return {id: (sum(bool(row[0]) for row in rows), len(rows)) for id, rows in found.items() if rows}

    def earlier(self, person: str, this: str) -> list[tuple[Chance, ...]]:
        """The chances in their games of recall, but for this one: for the report of it, which must not take long."""
        games = [p for p in self.persons.games(person) if p.id != this and tells(load(p.game))][-A_REPORTS:]
        return [found.chances for found in self.recalled(games, A_FEW)[0]]

    def recalled(self, games: Sequence[Played], most: int | None = None) -> tuple[list[Recalled], int]:
        """What each game says, the latest ones first found out; and how many are still to be gone through."""
        kept, most = self._kept(games), AT_ONCE if most is None else most
        fresh = [played for played in games if (played.id, played.me) not in kept]
        for played in fresh[::-1][:most]:
            kept[played.id, played.me] = self._find(played)
        found = [Recalled.read(doc, played.at) for played in games if (doc := kept.get((played.id, played.me)))]
        return found, max(0, len(fresh) - most)

    def _kept(self, games: Sequence[Played]) -> dict[tuple[str, int], dict[str, Any] | None]:
        if not games:
            return {}
        person = games[-1].chairs[games[-1].me].person
        sql = "select r.id, r.seat, r.found from recalled r join seats s on s.id = r.id and s.seat = r.seat where s.person = ?"
        return {(row["id"], row["seat"]): json.loads(row["found"]) for row in self.persons.store.read(sql, person)}

    def _find(self, played: Played) -> dict[str, Any] | None:
        """Go through a game; one of older rules says nothing any more."""
        document = self.persons.document(played.id)
        try:
            match = rebuild(document or {})
            decisions = Watched(match, (document or {}).get("times", ())).decisions
        except (ValueError, KeyError):
            found: dict[str, Any] | None = None
        else:
            found = Recalled.of([d for d in decisions if d.seat == played.me], played.at).document()
        insert = "insert into recalled (id, seat, found) values (?,?,?) on conflict do nothing"
        self.persons.store.write([(insert, (played.id, played.me, json.dumps(found)))])
        return found
