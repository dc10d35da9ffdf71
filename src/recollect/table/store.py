"""What survives: tables, seats and moves in one SQLite file. A move is here before anyone is told of it."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recollect.engine.game import Game
from recollect.engine.stream import commitment

UNDO = -1  # an action number that takes the seat's last action back; the log itself only grows

SCHEMA = """
create table if not exists house (key text primary key, value text not null);
create table if not exists tables (
  id text primary key, game text not null, version integer not null, digest text not null, options text not null,
  seed text not null, seal text not null, host text not null, listed integer not null, created real not null,
  moved real not null, acting text not null default '[]', result text, document text, rematch text);
create table if not exists seats (
  id text not null references tables, seat integer not null, kind text not null, mind text, person text, name text not null,
  secret text, shown integer not null default 0, primary key (id, seat)) without rowid;
create table if not exists moves (
  id text not null references tables, n integer not null, seat integer not null, action integer not null, at real not null,
  primary key (id, n)) without rowid;
create table if not exists showing (
  id text not null references tables, seat integer not null, stamp integer not null, since real not null,
  primary key (id, seat)) without rowid;
create index if not exists seats_of on seats (person);
"""


@dataclass
class Chair:
    """A seat at a table: `here` (this screen), `link` (whoever opens the secret link), `open` (anyone), or `bot`."""

    kind: str
    name: str
    person: str | None = None  # who sits here; a bot has none
    mind: str | None = None
    secret: str | None = None
    shown: int = 0  # exposures up to this place in the log were on this seat's screen long enough

    @property
    def free(self) -> bool:
        return self.kind in ("link", "open") and self.person is None


@dataclass(kw_only=True)
class Row:
    """A table as it is kept."""

    id: str
    game: str
    version: int
    box: str  # the components it is played with, by their digest
    options: dict[str, Any]
    seed: str
    host: str
    chairs: list[Chair]
    listed: bool = False
    created: float = 0
    moved: float = 0
    acting: list[int] = field(default_factory=list)
    result: dict[str, Any] | None = None
    document: dict[str, Any] | None = None
    rematch: str | None = None

    @classmethod
    def of(cls, game: Game, **given: Any) -> Row:
        """A table of the game as its rules and its box are now."""
        return cls(game=game.name, version=game.version, box=game.box, **given)

    @property
    def seal(self) -> str:
        """The hash of the seed, published before the first move."""
        return commitment(self.seed)

    @property
    def ready(self) -> bool:
        return not any(chair.free for chair in self.chairs)


Statement = tuple[str, Sequence[Any]]


def connect(file: Path) -> sqlite3.Connection:
    """Commits are durable: write-ahead log, synced."""
    db = sqlite3.connect(file, check_same_thread=False, isolation_level=None, timeout=0.5)
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = full")
    return db


class Connection:
    """Writes whole or not at all."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def write(self, statements: Iterable[Statement]) -> None:
        self._db.execute("begin immediate")
        try:
            for sql, values in statements:
                self._db.execute(sql, values)
            self._db.execute("commit")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("rollback")
            raise

    def close(self) -> None:
        self._db.close()


class Store:
    """One connection, one writer at a time; commits are durable (write-ahead log, synced)."""

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        file = data / "recollect.sqlite"
        try:
            self._open(file)
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{file} cannot be used: {error}") from None

    def _open(self, file: Path) -> None:
        self._file = file
        self._db = connect(file)
        self._db.row_factory = sqlite3.Row
        self._db.executescript(SCHEMA)

    def another(self) -> Connection:
        """A connection of its own for one who writes beside this one."""
        return Connection(connect(self._file))

    def close(self) -> None:
        with self._lock:  # a move on its way is stored first
            self._db.close()

    def _write(self, *statements: Statement) -> None:
        """All of it or nothing."""
        with self._lock:
            Connection(self._db).write(statements)

    def write(self, statements: Sequence[Statement]) -> None:
        """What `added`, `shown` or `sent` say, at once."""
        self._write(*statements)

    def _read(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    def secret(self) -> str:
        """The key that signs cookies; made once."""
        self._write(("insert or ignore into house values ('secret', ?)", (secrets.token_hex(32),)))
        return str(self._read("select value from house where key = 'secret'")[0]["value"])

    def create(self, row: Row) -> None:
        """A new table with its seats."""
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
        )

    @staticmethod
    def added(
        id: str,
        n: int,
        entries: Iterable[tuple[int, int]],
        acting: Iterable[int],
        result: Any = None,
        document: Any = None,
        at: float | None = None,
    ) -> list[Statement]:
        """Entries n, n+1, ... of a table's log, and how the table stands after them."""
        now = time.time() if at is None else at
        return [
            *(("insert into moves values (?,?,?,?,?)", (id, n + i, seat, action, now)) for i, (seat, action) in enumerate(entries)),
            (
                "update tables set moved = ?, acting = ?, result = ?, document = ? where id = ?",
                (now, json.dumps(sorted(acting)), result and json.dumps(result), document and json.dumps(document), id),
            ),
        ]

    def moves(self, id: str) -> list[tuple[int, int]]:
        return [(r["seat"], r["action"]) for r in self._read("select seat, action from moves where id = ? order by n", id)]

    def times(self, id: str) -> list[float]:
        """When each entry was stored."""
        return [r["at"] for r in self._read("select at from moves where id = ? order by n", id)]

    def sit(self, id: str, seat: int, person: str, name: str) -> bool:
        """Take a free seat; false when somebody was quicker."""
        with self._lock:
            done = self._db.execute(
                "update seats set person = ?, name = ? where id = ? and seat = ? and person is null and kind in ('link', 'open')",
                (person, name, id, seat),
            )
        return done.rowcount == 1

    @staticmethod
    def shown(id: str, seats: Iterable[int], upto: int) -> list[Statement]:
        """An exposure was on these seats' screen."""
        return [("update seats set shown = max(shown, ?) where id = ? and seat = ?", (upto, id, seat)) for seat in seats]

    @staticmethod
    def sent(id: str, seats: Iterable[int], stamp: int, at: float) -> list[Statement]:
        """An exposure began to be on these seats' screen; each seat has one at a time."""
        return [("insert or replace into showing values (?,?,?,?)", (id, seat, stamp, at)) for seat in seats]

    def being_shown(self, id: str) -> list[tuple[int, int, float]]:
        """The exposure last sent to each seat, and since when: seat, stamp, time."""
        return [(r["seat"], r["stamp"], r["since"]) for r in self._read("select * from showing where id = ?", id)]

    def remove(self, id: str) -> None:
        """A table at which nothing was played."""
        self._write(*((f"delete from {part} where id = ?", (id,)) for part in ("showing", "moves", "seats", "tables")))

    def rematch(self, id: str, next: str) -> None:
        self._write(("update tables set rematch = ? where id = ?", (next, id)))

    def results(self, person: str, game: str) -> list[tuple[str, dict[str, Any], dict[str, Any], float]]:
        """The finished tables of a game where this person sat: id, options, result, when."""
        finished = "select id, options, result, moved from tables where game = ? and result is not null"
        rows = self._read(f"{finished} and id in (select id from seats where person = ?)", game, person)
        return [(r["id"], json.loads(r["options"]), json.loads(r["result"]), r["moved"]) for r in rows]

    def row(self, id: str) -> Row | None:
        found = self._rows("where id = ?", id)
        return found[0] if found else None

    def of_person(self, person: str) -> list[Row]:
        """The tables where this person sits or looks after a seat, latest first."""
        return self._rows("where id in (select id from seats where person = ?) order by moved desc limit 24", person)

    def unfinished(self, most: int) -> list[Row]:
        """The tables where a game is under way, latest first."""
        return self._rows("where result is null and acting != '[]' order by moved desc limit ?", most)

    def open_tables(self) -> list[Row]:
        """Tables that anyone may join."""
        return self._rows(
            "where listed and id in (select id from seats where kind = 'open' and person is null) order by created desc limit 24"
        )

    def _rows(self, where: str, *values: Any) -> list[Row]:
        rows = []
        for r in self._read(f"select * from tables {where}", *values):
            given = {**dict(r), "listed": bool(r["listed"]), "box": r["digest"]}
            del given["digest"], given["seal"]
            for key in ("options", "acting", "result", "document"):
                given[key] = json.loads(given[key]) if given[key] else None
            chairs = [
                Chair(c["kind"], c["name"], c["person"], c["mind"], c["secret"], c["shown"])
                for c in self._read("select * from seats where id = ? order by seat", r["id"])
            ]
            rows.append(Row(**given, chairs=chairs))
        return rows
