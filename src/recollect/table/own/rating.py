"""A rating for each game and number of players (openskill; Plackett and Luce's model). Companions stand still on the same scale."""

from __future__ import annotations

import json
import math
import threading
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from openskill.models import PlackettLuce

from recollect.table.own.persons import seat_of
from recollect.table.store import Chair, Statement, Store

MODEL = PlackettLuce()
BETA = MODEL.beta
FIRM = 1.0  # how little doubt there is about a companion
POINTS = 400 / math.log(10) / (math.sqrt(2) * BETA)  # on the page: 400 points ahead are ten games to one, as chess players count
MIDDLE = 1200.0  # where everybody begins, and the parrot stands
Z = 1.645  # 90%, both sides
AT_ONCE = 2000  # games that are rated in one go
LATE = 3600.0  # seconds by which another process may have stored a game later than it was played


@dataclass(frozen=True)
class Rating:
    """What somebody's play is worth, and how sure that is."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma

    @property
    def points(self) -> int:
        return round(MIDDLE + (self.mu - MODEL.mu) * POINTS)

    @property
    def doubt(self) -> int:
        """Half of the 90% interval."""
        return round(Z * self.sigma * POINTS)


@cache
def companions_of(game: str) -> dict[str, Rating]:
    """Where the companions of a game stand: each so far above the one before that it wins as often as it was measured to."""
    shares = tomllib.loads((Path(__file__).parent / "strengths.toml").read_text("utf-8")).get(game, {})
    above, places = 0.0, {"goldfish": 0.0}
    for name, share in shares.items():
        above += math.sqrt(2) * BETA * math.log(share / (1 - share))
        places[name] = above
    if len(places) == 1:
        return {}
    return {name: Rating(MODEL.mu + place - places["parrot"], FIRM) for name, place in places.items()}


def after(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Everybody's rating after a game that ended in these ranks."""
    teams = [[MODEL.rating(mu=r.mu, sigma=r.sigma)] for r in before]
    return [Rating(new.mu, new.sigma) for (new,) in MODEL.rate(teams, ranks=[float(rank) for rank in ranks])]


class Ratings:
    """Ratings are kept with the games that changed them, so that they can be followed over the years."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.Lock()

    def of(self, person: str) -> dict[tuple[str, int], list[tuple[float, Rating]]]:
        """For each game and number of players the ratings after each game, the earliest first."""
        rows = self.store.read(
            "select t.game, t.moved, r.mu, r.sigma, (select count(*) from seats c where c.id = t.id) as players"
            " from rated r join tables t on t.id = r.id join seats s on s.id = r.id and s.seat = r.seat"
            " where s.person = ? order by t.moved",
            person,
        )
        found: dict[tuple[str, int], list[tuple[float, Rating]]] = {}
        for row in rows:
            found.setdefault((row["game"], int(row["players"])), []).append((float(row["moved"]), Rating(row["mu"], row["sigma"])))
        return found

    def bring_up(self) -> int:
        """Rate the games that ended since the last time; returns how many."""
        with self._lock:
            rows = self._unrated()
            now: dict[tuple[str, str, int], Rating] = {}
            statements = [statement for row in rows for statement in self._rate(row, now)]
            if rows:
                upto = str(rows[-1]["moved"])
                mark = "insert into house (key, value) values ('rated', ?) on conflict (key) do update set value = excluded.value"
                self.store.write([*statements, (mark, (upto,))])
            return len(rows)

    def _unrated(self) -> list[dict[str, Any]]:
        mark = self.store.read("select value from house where key = 'rated'")
        since = float(mark[0]["value"]) - LATE if mark else 0.0
        return self.store.read(
            "select id, game, result, moved from tables where result is not null and moved > ?"
            " and not exists (select 1 from rated where rated.id = tables.id)"
            " and not exists (select 1 from onward where onward.id = tables.id) order by moved limit ?",
            since,
            AT_ONCE,
        )

    def _rate(self, row: Mapping[str, Any], now: dict[tuple[str, str, int], Rating]) -> list[Statement]:
        found = self.store.read("select kind, name, person, mind from seats where id = ? order by seat", row["id"])
        chairs = [Chair(c["kind"], c["name"], c["person"], c["mind"]) for c in found]
        persons = {seat: c.person for seat, c in enumerate(chairs) if c.person and not c.mind and seat_of(chairs, c.person) == seat}
        mates = {seat: mate for seat, c in enumerate(chairs) if (mate := companions_of(row["game"]).get(c.mind or ""))}
        if len(persons) + len(mates) < 2 or any(c.mind and seat not in mates for seat, c in enumerate(chairs)):
            return []  # nobody to compare with
        keys = {seat: (person, str(row["game"]), len(chairs)) for seat, person in persons.items()}
        for key in keys.values():
            now.setdefault(key, self._latest(*key))
        before = [now[keys[seat]] if seat in keys else mates.get(seat, Rating()) for seat in range(len(chairs))]
        rated = after(before, json.loads(row["result"])["ranking"])
        now.update({key: rated[seat] for seat, key in keys.items()})
        insert = "insert into rated (id, seat, mu, sigma) values (?,?,?,?) on conflict do nothing"
        return [(insert, (row["id"], seat, rated[seat].mu, rated[seat].sigma)) for seat in persons]

    def _latest(self, person: str, game: str, players: int) -> Rating:
        rows = self.store.read(
            "select r.mu, r.sigma from rated r join tables t on t.id = r.id join seats s on s.id = r.id and s.seat = r.seat"
            " where s.person = ? and t.game = ? and (select count(*) from seats c where c.id = t.id) = ? order by t.moved desc limit 1",
            person,
            game,
            players,
        )
        return Rating(rows[0]["mu"], rows[0]["sigma"]) if rows else Rating()
