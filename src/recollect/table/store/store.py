"""Every question and every change, once for both databases. A move is here before anyone is told of it."""

from __future__ import annotations

import json
import secrets
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from recollect.table.store.beside import Beside, Manners
from recollect.table.store.database import Database, Statement
from recollect.table.store.news import News
from recollect.table.store.rows import Chair, Row
from recollect.table.store.schema import PARTS
from recollect.table.store.sqlite import SQLite

SENT = "insert into showing values (?,?,?,?) on conflict (id, seat) do update set stamp = excluded.stamp, since = excluded.since"
OF_ONE_HOST = 3  # open tables of one person in the list


class Store(Beside):
    """Everything that is kept: in the SQLite file of a data folder, or in PostgreSQL (an address that says so)."""

    def __init__(self, where: Path | str) -> None:
        self.db: Database = postgres(where) if isinstance(where, str) else SQLite(where)
        self.trouble = self.db.trouble
        self.another = self.db.another
        self.close = self.db.close

    def write(self, statements: Sequence[Statement]) -> None:
        """What `added`, `shown` or `sent` say, at once: all of it or nothing."""
        self.db.write(statements)

    def _write(self, *statements: Statement) -> None:
        self.write(statements)

    def read(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """For what has questions of its own (table/own), in SQL that both speak."""
        return [dict(row) for row in self._read(sql, *values)]

    def _read(self, sql: str, *values: Any) -> Sequence[Any]:
        return self.db.read(sql, *values)

    def secret(self) -> str:
        """The key that signs cookies; made once."""
        self._write(("insert into house values ('secret', ?) on conflict do nothing", (secrets.token_hex(32),)))
        return str(self._read("select value from house where key = 'secret'")[0]["value"])

    def create(self, row: Row, manners: Manners | None = None, more: Sequence[Statement] = ()) -> None:
        """A new table with its seats, and what it begins with."""
        kept = [row.id, row.game, row.version, row.box, row.seed, row.seal, row.host, row.listed, row.created, row.moved]
        self._write(
            (
                "insert into tables (id, game, version, digest, options, seed, seal, host, listed, created, moved)"
                " values (?,?,?,?,?,?,?,?,?,?,?)",
                (*kept[:4], json.dumps(row.options), *kept[4:]),
            ),
            *(
                (
                    "insert into seats (id, seat, kind, mind, person, name, secret) values (?,?,?,?,?,?,?)",
                    (row.id, n, c.kind, c.mind, c.person, c.name, c.secret),
                )
                for n, c in enumerate(row.chairs)
            ),
            *self.mannered(row.id, manners or Manners()),
            *self.db.news(News(row.id, "set", people=[c.person for c in row.chairs if c.person], open=row.listed)),
            *more,
        )

    def added(
        self,
        id: str,
        n: int,
        entries: Iterable[tuple[int, int]],
        acting: Iterable[int],
        result: Any = None,
        document: Any = None,
        at: float | None = None,
    ) -> list[Statement]:
        """Entries n, n+1, ... of a table's log, and how the table stands after them."""
        now, given = time.time() if at is None else at, list(entries)
        rows = [value for i, (seat, action) in enumerate(given) for value in (id, n + i, seat, action, now)]
        return [
            *([(f"insert into moves values {','.join(['(?,?,?,?,?)'] * len(given))}", rows)] if given else []),
            (
                "update tables set moved = ?, acting = ?, result = ?, document = ? where id = ?",
                (now, json.dumps(sorted(acting)), result and json.dumps(result), document and json.dumps(document), id),
            ),
            *self.db.news(News(id, "moves", n, entries=given, at=now)),
        ]

    def entries(self, id: str, since: int = 0) -> list[tuple[int, int, float]]:
        """The log from a number on: seat, action, when."""
        rows = self._read("select seat, action, at from moves where id = ? and n >= ? order by n", id, since)
        return [(r["seat"], r["action"], r["at"]) for r in rows]

    def moves(self, id: str) -> list[tuple[int, int]]:
        return [(seat, action) for seat, action, _ in self.entries(id)]

    def times(self, id: str) -> list[float]:
        """When each entry was stored."""
        return [at for _, _, at in self.entries(id)]

    def sit(self, id: str, seat: int, person: str, name: str) -> bool:
        """Take a free seat; false when somebody was quicker. A table whose open seats are taken is listed no more."""
        self._write(
            (
                "update seats set person = ?, name = ? where id = ? and seat = ? and person is null and kind in ('link', 'open')",
                (person, name, id, seat),
            ),
            *self.listing(id),
            *self.changed(id, person),
        )
        return bool(self._read("select 1 from seats where id = ? and seat = ? and person = ?", id, seat, person))

    def listing(self, id: str) -> list[Statement]:
        """A table is listed as long as one of its open seats is free."""
        free = "exists (select 1 from seats where seats.id = tables.id and kind = 'open' and person is null)"
        return [self._alone(id), (f"update tables set listed = {free} where id = ?", (id,))]

    @staticmethod
    def _alone(id: str) -> Statement:
        """Who changes this table at the same time is waited for: what is said next is asked of the table as they left it."""
        return "update tables set listed = listed where id = ?", (id,)

    def changed(self, id: str, *people: str) -> list[Statement]:
        """Goes with a change of a table or of who sits there: other processes read it again."""
        return self.db.news(News(id, "row", people=list(people)))

    def shown(self, id: str, seats: Iterable[int], upto: int) -> list[Statement]:
        """An exposure was on these seats' screen."""
        had = [("update seats set shown = ? where id = ? and seat = ? and shown < ?", (upto, id, seat, upto)) for seat in seats]
        return [*had, *self.db.news(News(id, "shown", upto, list(seats)))]

    def saw(self, id: str, seats: Iterable[int], stamp: int) -> list[Statement]:
        """The people of these seats have seen enough."""
        return self.db.news(News(id, "saw", stamp, list(seats)))

    def held(self, id: str, seats: Iterable[int], stamp: int) -> list[Statement]:
        """The people of these seats want to look longer."""
        return self.db.news(News(id, "held", stamp, list(seats)))

    def sent(self, id: str, seats: Iterable[int], stamp: int, at: float) -> list[Statement]:
        """An exposure began to be on these seats' screen; each seat has one at a time."""
        return [*((SENT, (id, seat, stamp, at)) for seat in seats), *self.db.news(News(id, "sent", stamp, list(seats), at=at))]

    def being_shown(self, id: str) -> list[tuple[int, int, float]]:
        """The exposure last sent to each seat, and since when: seat, stamp, time."""
        return [(r["seat"], r["stamp"], r["since"]) for r in self._read("select * from showing where id = ?", id)]

    def remove(self, row: Row) -> None:
        """A table that its host takes away. `Removed`: somebody sat down since it was read; nothing is done then."""
        people = sorted({"", *(chair.person or "" for chair in row.chairs)})
        sat = f"coalesce(person, '') in ({','.join('?' * len(people))})"
        parts: list[Statement] = [(f"delete from {part} where id = ?", (row.id,)) for part in PARTS if part != "seats"]
        self._write((f"delete from seats where id = ? and {sat}", (row.id, *people)), *parts, *self.changed(row.id))

    def rematch(self, id: str, next: str) -> str:
        """The table at which they play again: this one, or the one that somebody was quicker to set, if it is still there."""
        none = "not exists (select 1 from tables there where there.id = tables.rematch)"
        self._write(self._alone(id), (f"update tables set rematch = ? where id = ? and {none}", (next, id)), *self.changed(id))
        return str(self._read("select rematch from tables where id = ?", id)[0]["rematch"])

    def offers(self, person: str) -> dict[str, str]:
        """The finished tables whose rematch keeps a seat for this person, who has not answered, and who offers it."""
        rows = self._read(
            """select tables.id, host.name from seats mine join tables on tables.id = mine.id join tables there on there.id = tables.rematch
            join seats kept on kept.id = there.id and kept.seat = mine.seat and kept.person is null and kept.kind in ('link', 'open')
            join seats host on host.id = there.id and host.person = there.host
            where mine.person = ? and there.host != mine.person and not exists (
              select 1 from asides where asides.id = there.id and asides.seat = mine.seat and asides.kind = 'declined')""",
            person,
        )
        return {r["id"]: r["name"] for r in rows}

    def goes_on(self, id: str, origin: str, entries: int) -> list[Statement]:
        """So many entries of a table's log are those of another one."""
        return [("insert into onward (id, origin, entry) values (?,?,?)", (id, origin, entries))]

    def given(self, id: str) -> int:
        """How many entries of a table's log were played at another one."""
        found = self._read("select entry from onward where id = ?", id)
        return int(found[0]["entry"]) if found else 0

    def results(self, person: str, game: str) -> list[tuple[str, dict[str, Any], dict[str, Any], float]]:
        """The finished tables of a game where this person sat: id, options, result, when."""
        finished = "select id, options, result, moved from tables where game = ? and result is not null"
        afresh = "not exists (select 1 from onward where onward.id = tables.id)"  # what was played on from another game counts nowhere
        rows = self._read(f"{finished} and {afresh} and id in (select id from seats where person = ?)", game, person)
        return [(r["id"], json.loads(r["options"]), json.loads(r["result"]), r["moved"]) for r in rows]

    def row(self, id: str) -> Row | None:
        found = self._rows("where id = ?", id)
        return found[0] if found else None

    def of_person(self, person: str) -> list[Row]:
        """The tables where this person sits or looks after a seat, latest first; those that go on, however many have ended since."""
        rows = self._rows("where id in (select id from seats where person = ?) order by moved desc limit 24", person)
        if len(rows) == 24:
            on = self._rows("where result is null and id in (select id from seats where person = ?) order by moved desc limit 24", person)
            rows += [row for row in on if row.id not in {listed.id for listed in rows}]
        return rows

    def lost_by(self, person: str) -> list[Row]:
        """The tables where this person has lost a seat and was not told yet."""
        return self._rows("where id in (select id from former where person = ? and how = 'lost') order by moved desc limit 24", person)

    def unfinished(self, most: int) -> list[Row]:
        """The tables where a game is under way, latest first."""
        return self._rows("where result is null and acting != '[]' order by moved desc limit ?", most)

    def open_tables(self) -> list[Row]:
        """Tables that anyone may join, newest first; of one host only a few, so that nobody fills the list."""
        found = self._read("select id, host from tables where listed and result is null order by created desc limit 400")
        hosts: Counter[str] = Counter()
        ids = []
        for r in found:
            hosts[r["host"]] += 1
            if hosts[r["host"]] <= OF_ONE_HOST:
                ids.append(r["id"])
        rows = {row.id: row for row in self._rows(f"where id in ({','.join('?' * len(ids[:24]))})", *ids[:24])} if ids else {}
        return [rows[id] for id in ids[:24] if id in rows]

    def waiting(self, host: str) -> int:
        """The tables that this person has set and that are not finished."""
        return int(self._read("select count(*) as n from tables where host = ? and result is null", host)[0]["n"])

    def _rows(self, where: str, *values: Any) -> list[Row]:
        rows, found = [], self._read(f"select * from tables {where}", *values)
        seats = self._seats([r["id"] for r in found])
        for r in found:
            if not seats[r["id"]]:
                continue  # it was removed in between
            given = {**dict(r), "listed": bool(r["listed"]), "box": r["digest"]}
            del given["digest"], given["seal"]
            for key in ("options", "acting", "result", "document"):
                given[key] = json.loads(given[key]) if given[key] else None
            rows.append(Row(**given, chairs=seats[r["id"]]))
        return rows

    def _seats(self, ids: list[str]) -> dict[str, list[Chair]]:
        """Who sits at these tables."""
        seats: dict[str, list[Chair]] = {id: [] for id in ids}
        if ids:
            asked = "select seats.*, art from seats left join portraits on portraits.person = seats.person"
            for c in self._read(f"{asked} where id in ({','.join('?' * len(ids))}) order by id, seat", *ids):
                shares = c["person"] in [chair.person for chair in seats[c["id"]]]  # of several at one screen the first is theirs
                art = None if shares else c["art"]
                seats[c["id"]].append(Chair(c["kind"], c["name"], c["person"], c["mind"], c["secret"], c["shown"], art))
        return seats


def postgres(address: str) -> Database:
    """PostgreSQL, for which an extra is needed."""
    if not address.startswith(("postgresql://", "postgres://")):
        raise ValueError(f"--store {address!r}: a store is given as postgresql://name@machine/database")
    try:
        from recollect.table.store.postgres import Postgres
    except ImportError:
        raise ValueError("PostgreSQL needs the extra: pip install 'recollect[postgres]'") from None
    return Postgres(address)
