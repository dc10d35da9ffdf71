"""What is kept beside the log of a game: the manners of a table (its pace, whether people may chat), and asides, which only grow."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.table.store.database import Statement
from recollect.table.store.rows import Chair

HOUR, DAY = 3600.0, 86400.0
TURNS = (0.0, 60.0, 180.0, 600.0, 12 * HOUR, DAY, 3 * DAY)  # seconds that a turn may take; 0: as long as it takes
FOLLOWS = ("ask", "wait", "companion", "give_up")  # what follows when time is up; "ask": the host is asked then
WORDS = 200  # that are kept of a table

BESIDE = """
create table if not exists manners (
  id text primary key references tables, turn real not null, follows text not null, chat integer not null,
  due real, until text not null default '{}');
create index if not exists manners_due on manners (due) where due is not null;
create table if not exists asides (
  id text not null references tables, n integer not null, at real not null, seat integer not null, kind text not null,
  what text not null, primary key (id, n));
"""


@dataclass(frozen=True)
class Manners:
    """How people sit together at a table."""

    turn: float = 0.0  # seconds that a turn may take; 0: as long as it takes
    follows: str = "ask"
    chat: bool = False

    @property
    def slow(self) -> bool:
        """Played over days: nobody is expected to be there all the time."""
        return self.turn >= 6 * HOUR

    @property
    def reminder(self) -> float:
        """Seconds before the end of a turn at which its person is reminded: where there are days, in the last quarter."""
        return self.turn / 4 if self.slow else 0.0


@dataclass(frozen=True)
class Aside:
    """Something that happened at a table beside the game: a reminder, time that was up, a word, a seat that a companion took over."""

    n: int
    at: float
    seat: int
    kind: str
    what: str = ""


@dataclass(frozen=True)
class Former:
    """Somebody who had a seat: they `lost` it while away, or have `carried` it to another device."""

    seat: int
    person: str
    how: str


def _manners(row: Any) -> Manners:
    return Manners(row["turn"], row["follows"], bool(row["chat"]))


FORMER = """
create table if not exists former (id text not null references tables, seat integer not null, person text not null, how text not null);
create index if not exists former_of on former (person);
"""


class Beside:
    """The part of a store that keeps this. Every statement is plain SQL that any database reads."""

    def _read(self, sql: str, *values: Any) -> Sequence[Any]:
        raise NotImplementedError

    def changed(self, id: str, *people: str) -> list[Statement]:
        raise NotImplementedError

    @staticmethod
    def mannered(id: str, manners: Manners) -> list[Statement]:
        """The manners of a new table; of most there is nothing to keep."""
        if manners == Manners():
            return []
        values = (id, manners.turn, manners.follows, int(manners.chat))
        return [("insert into manners (id, turn, follows, chat) values (?,?,?,?)", values)]

    def manners(self, id: str) -> Manners:
        found = self._read("select turn, follows, chat from manners where id = ?", id)
        return _manners(found[0]) if found else Manners()

    def aside(self, id: str, aside: Aside) -> list[Statement]:
        """Another aside, of which other processes hear; of words, and of who sat where before the game, only the latest are kept."""
        kept = ("insert into asides values (?,?,?,?,?,?)", (id, aside.n, aside.at, aside.seat, aside.kind, aside.what))
        gone = ("delete from asides where id = ? and kind in ('said', 'wrote', 'sat') and n < ?", (id, aside.n - WORDS))
        return [kept, gone, *self.changed(id)]

    def asides(self, id: str) -> list[Aside]:
        rows = self._read("select n, at, seat, kind, what from asides where id = ? order by n", id)
        return [Aside(r["n"], r["at"], r["seat"], r["kind"], r["what"]) for r in rows]

    @staticmethod
    def soon(id: str, at: float) -> list[Statement]:
        """The table's clock is to be looked at by then; sooner, if that was said before."""
        return [("update manners set due = ? where id = ? and (due is null or due > ?)", (at, id, at))]

    @staticmethod
    def wound(id: str, due: float | None, until: Mapping[int, float], n: int) -> list[Statement]:
        """When the table's clock is to be looked at next, and until when each seat that is asked has time; as it follows from so many
        entries of the log. Where there are more by now, another process says it."""
        on = "exists (select 1 from moves where id = ? and n >= ?)"
        return [(f"update manners set due = ?, until = ? where id = ? and not {on}", (due, json.dumps(until), id, id, n))]

    @staticmethod
    def stopped(id: str) -> list[Statement]:
        """The table's clock is looked at no more, until somebody plays there."""
        return [("update manners set due = null, until = '{}' where id = ?", (id,))]

    def due(self, now: float, most: int = 50) -> list[str]:
        """The tables whose clock is to be looked at."""
        return [str(r["id"]) for r in self._read("select id from manners where due <= ? order by due limit ?", now, most)]

    def clocks(self, ids: Iterable[str]) -> dict[str, tuple[Manners, dict[int, float]]]:
        """Of those of these tables that have a clock: their manners, and until when each seat that is asked has time."""
        given = list(ids)
        if not given:
            return {}
        marks = ",".join("?" * len(given))
        rows = self._read(f"select id, turn, follows, chat, until from manners where turn > 0 and id in ({marks})", *given)
        return {r["id"]: (_manners(r), {int(seat): at for seat, at in json.loads(r["until"]).items()}) for r in rows}

    @staticmethod
    def sat(id: str, seat: int, was: Chair | None = None, **chair: Any) -> list[Statement]:
        """A seat changes hands: what is given of its kind, mind, person, name, secret. Not where somebody else than `was` has it by now."""
        given = ", ".join(f"{name} = ?" for name in chair)
        still, held = (" and kind = ? and coalesce(person, '') = ?", (was.kind, was.person or "")) if was else ("", ())
        return [(f"update seats set {given} where id = ? and seat = ?{still}", (*chair.values(), id, seat, *held))]

    def carried(self, id: str, person: str, to: str) -> list[Statement]:
        """All that somebody has at a table is somebody else's: the same one, at another device."""
        back = ("delete from former where id = ? and person = ?", (id, to))
        had = "select id, seat, person, 'carried' from seats where id = ? and person = ?"
        left = (f"insert into former (id, seat, person, how) {had}", (id, person))
        seats = ("update seats set person = ? where id = ? and person = ?", (to, id, person))
        host = ("update tables set host = ? where id = ? and host = ?", (to, id, person))
        return [back, left, seats, host, *self.changed(id, person, to)]

    @staticmethod
    def lost(id: str, seat: int, person: str) -> list[Statement]:
        """A seat is lost to its person, at whichever device: it is told when they come."""
        elsewhere = ("update former set how = 'lost' where id = ? and seat = ? and how = 'carried'", (id, seat))
        return [elsewhere, ("insert into former (id, seat, person, how) values (?,?,?,'lost')", (id, seat, person))]

    @staticmethod
    def given_up(id: str, seat: int, person: str) -> list[Statement]:
        """A seat is given up. Nobody need be told, but the name that is kept with it is this person's."""
        return [("insert into former (id, seat, person, how) values (?,?,?,'gave_up')", (id, seat, person))]

    def told(self, id: str, person: str) -> list[Statement]:
        """Somebody has read that their seat is lost."""
        return [("update former set how = 'told' where id = ? and person = ? and how = 'lost'", (id, person)), *self.changed(id)]

    def former(self, id: str) -> list[Former]:
        """Who had a seat at a table, and has it no more."""
        rows = self._read("select seat, person, how from former where id = ? order by seat", id)
        return [Former(r["seat"], r["person"], r["how"]) for r in rows]

    @staticmethod
    def passes_on(id: str, seat: int) -> list[Statement]:
        """Who leaves this seat, and has no other, is the host no more: who still sits here is. That is found where it is kept, for another
        may leave in the same instant; so it comes before the seat is left."""
        left = "select person from seats where seats.id = tables.id and seat <> ? and person is not null"
        heir = f"coalesce(({left} order by seat limit 1), '')"
        whose = "host = (select person from seats where seats.id = tables.id and seat = ?)"
        where = f"where id = ? and {whose} and not exists ({left} and person = tables.host)"
        return [(f"update tables set host = {heir} {where}", (seat, id, seat, seat))]
