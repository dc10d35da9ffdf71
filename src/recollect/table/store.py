"""What survives: tables, seats and moves in one SQLite file. A move is here before anyone is told of it."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recollect.engine.game import Game
from recollect.engine.stream import commitment

VERSION = 2  # of the tables below; an older file is brought up to it, a newer one is refused
OF_ONE_HOST = 3  # open tables of one person in the list
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
MIGRATIONS = {  # from the version before
    1: """
create index if not exists seats_open on seats (id) where kind = 'open' and person is null;
create index if not exists tables_listed on tables (created) where listed and result is null;
create index if not exists tables_running on tables (moved) where result is null and acting != '[]';
create index if not exists tables_of_host on tables (host) where result is null;
update tables set listed = 0 where listed and id not in (select id from seats where kind = 'open' and person is null);
""",
    2: """
create table if not exists own (person text primary key, handle text not null unique, hash text not null, made real not null);
create table if not exists rated (
  id text not null references tables, seat integer not null, mu real not null, sigma real not null, primary key (id, seat));
create table if not exists recalled (
  id text not null references tables, seat integer not null, found text not null, primary key (id, seat));
create table if not exists onward (id text primary key references tables, origin text not null, entry integer not null);
create index if not exists tables_finished on tables (moved) where result is not null;
""",
}
COLUMNS = {
    "house": 2,
    "tables": 15,
    "seats": 8,
    "moves": 5,
    "showing": 4,
    "own": 4,
    "rated": 4,
    "recalled": 3,
    "onward": 3,
}  # of a sound file
PARTS = ("onward", "recalled", "rated", "showing", "moves", "seats", "tables")  # where something of a table is kept


class Unkept(Exception):
    """The store cannot keep anything now: it vanished, is locked, damaged or full. Nothing is answered that is not kept."""


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

    def __init__(self, db: sqlite3.Connection, file: Path) -> None:
        self._db = db
        self._file = file

    def write(self, statements: Iterable[Statement]) -> None:
        if not self._file.exists():  # a file that somebody deleted still takes what is written, and loses it
            raise Unkept("the store has vanished")
        try:
            self._db.execute("begin immediate")
            for sql, values in statements:
                self._db.execute(sql, values)
            self._db.execute("commit")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("rollback")
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.IntegrityError):
                raise Unkept(str(error)) from error
            raise

    def close(self) -> None:
        self._db.close()


class Store:
    """One connection, one writer at a time; commits are durable (write-ahead log, synced)."""

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = threading.Lock()
        self.file = file = data / "recollect.sqlite"
        file.touch(mode=0o600)
        try:
            self._open(file)
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{file} cannot be used: {error}") from None
        for kept in data.glob("recollect.sqlite*"):
            kept.chmod(0o600)  # it holds seeds and the key that signs cookies

    def _open(self, file: Path) -> None:
        self._db = connect(file)
        self._db.row_factory = sqlite3.Row
        self._migrate(file)

    def _migrate(self, file: Path) -> None:
        """Bring an older file up to this version; refuse what a newer one wrote, or what is no such file."""
        found = int(self._db.execute("pragma user_version").fetchone()[0])
        if found > VERSION:
            raise ValueError(f"{file} was written by a newer Recollect (version {found}, this one knows {VERSION}); choose another --data")
        self._db.executescript(SCHEMA)
        for version in range(found + 1, VERSION + 1):
            self._db.executescript(f"begin; {MIGRATIONS[version]} pragma user_version = {version}; commit")
        for name, columns in COLUMNS.items():
            there = len(self._db.execute(f"pragma table_info({name})").fetchall())
            if there != columns:
                raise ValueError(f"{file} is not as we keep it: {name} has {there} columns, not {columns}; choose another --data")

    def trouble(self) -> str:
        """Why nothing can be kept now; empty when all is well."""
        try:
            self._read("select 1 from house limit 1")
        except Unkept as error:
            return f"the store cannot be read: {error}"
        return "" if self.file.exists() else "the store has vanished"

    def another(self) -> Connection:
        """A connection of its own for one who writes beside this one."""
        return Connection(connect(self.file), self.file)

    def close(self) -> None:
        with self._lock:  # a move on its way is stored first
            self._db.close()

    def _write(self, *statements: Statement) -> None:
        """All of it or nothing."""
        with self._lock:
            Connection(self._db, self.file).write(statements)

    def write(self, statements: Sequence[Statement]) -> None:
        """What `added`, `shown` or `sent` say, at once."""
        self._write(*statements)

    def read(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """For what has its own questions (table/own): plain SQL, with ? for values."""
        return [dict(row) for row in self._read(sql, *values)]

    def _read(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        with self._lock:
            try:
                return self._db.execute(sql, values).fetchall()
            except sqlite3.DatabaseError as error:
                raise Unkept(str(error)) from error

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
        """Take a free seat; false when somebody was quicker. A table whose open seats are taken is listed no more."""
        self._write(
            (
                "update seats set person = ?, name = ? where id = ? and seat = ? and person is null and kind in ('link', 'open')",
                (person, name, id, seat),
            ),
            (
                "update tables set listed = 0 where id = ? and not exists"
                " (select 1 from seats where seats.id = tables.id and kind = 'open' and person is null)",
                (id,),
            ),
        )
        return bool(self._read("select 1 from seats where id = ? and seat = ? and person = ?", id, seat, person))

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
        self._write(*((f"delete from {part} where id = ?", (id,)) for part in PARTS))

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
        """Tables that anyone may join, newest first; of one host only a few, so that nobody fills the list."""
        found = self._read("select id, host from tables where listed and result is null order by created desc limit 400")
        hosts: Counter[str] = Counter()
        ids = []
        for r in found:
            hosts[r["host"]] += 1
            if hosts[r["host"]] <= OF_ONE_HOST:
                ids.append(r["id"])
        return [row for id in ids[:24] if (row := self.row(id))]

    def waiting(self, host: str) -> int:
        """The tables that this person has set and that are not finished."""
        return int(self._read("select count(*) as n from tables where host = ? and result is null", host)[0]["n"])

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
