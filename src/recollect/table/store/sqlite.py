"""The store in one file of a data folder: the default, for one server."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from recollect.table.store.database import UNABLE, Overtaken, Statement, Unkept, tried
from recollect.table.store.news import News
from recollect.table.store.schema import COLUMNS, MIGRATIONS, SCHEMA, VERSION

PATIENCE = 0.5  # seconds that a lock of somebody else is waited for
VANISHED = "the store has vanished"
TOO_LONG = 30.0  # seconds after which a change of our own that is still on its way is trouble


def connect(file: Path) -> sqlite3.Connection:
    """Commits are durable: write-ahead log, synced."""
    db = sqlite3.connect(file, check_same_thread=False, isolation_level=None, timeout=PATIENCE)
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = full")
    return db


def busy(error: sqlite3.DatabaseError) -> bool:
    """Somebody else writes."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def on_the_loop() -> bool:
    """Everybody waits while this one does."""
    try:
        return asyncio.get_running_loop().is_running()
    except RuntimeError:
        return False


class SQLiteConnection:
    """Writes whole or not at all."""

    def __init__(self, db: sqlite3.Connection, home: SQLite) -> None:
        self._db = db
        self._home = home

    def write(self, statements: Iterable[Statement]) -> None:
        if self._home.vanished:  # a file that somebody deleted still takes what is written, and loses it
            raise Unkept(VANISHED)
        with self._home.in_turn():
            self._write(statements)

    def _write(self, statements: Iterable[Statement]) -> None:
        try:
            self._db.execute("begin immediate")
            self._home.turn(self, time.monotonic())  # not before: who waits for somebody else's lock has it no more than they
            for sql, values in statements:
                self._db.execute(sql, values)
            self._db.execute("commit")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("rollback")
            if isinstance(error, sqlite3.IntegrityError):
                raise Overtaken(str(error)) from error
            if isinstance(error, sqlite3.DatabaseError):
                if not busy(error):  # a lock is found by whoever looks for it
                    self._home.refused = f"{UNABLE}: {error}"
                raise Unkept(str(error)) from error
            raise
        finally:
            self._home.turn(self, None)

    def close(self) -> None:
        self._db.close()


class SQLite:
    """One connection to read by and one to write by, so that nobody who reads waits for a disk; one writer at a time."""

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = threading.Lock()
        self._one = threading.Lock()  # of our changes after the other: whoever waits here waits for ourselves
        self.refused = ""  # why a change of ours was, if none was tried since: nothing else tells of a full disk
        self._turns = 0  # begun and ended by changes of ours
        self._since: dict[SQLiteConnection, float] = {}  # when the one began that is on its way
        self.file = file = data / "recollect.sqlite"
        file.touch(mode=0o600)
        try:
            self.connection = connect(file)
            self.connection.row_factory = sqlite3.Row
            self._migrate(file)
            self.changes = SQLiteConnection(connect(file), self)
        except sqlite3.DatabaseError as error:
            raise ValueError(f"{file} cannot be used: {error}") from None
        for kept in data.glob("recollect.sqlite*"):
            kept.chmod(0o600)  # it holds seeds and the key that signs cookies
        self._files = self._found()

    def _found(self) -> list[tuple[int, int]]:
        """The files that lie where the store and its log are written."""
        try:
            return [(found.st_dev, found.st_ino) for found in (os.stat(self.file), os.stat(f"{self.file}-wal"))]
        except OSError:
            return []

    @property
    def vanished(self) -> bool:
        """What we have open lies there no more: it was deleted, or another store was put in its place."""
        return self._found() != self._files

    def _migrate(self, file: Path) -> None:
        """Bring an older file up to this version; refuse what a newer one wrote, or what is no such file."""
        db = self.connection
        found = int(db.execute("pragma user_version").fetchone()[0])
        if found > VERSION:
            raise ValueError(f"{file} was written by a newer Recollect (version {found}, this one knows {VERSION}); choose another --data")
        db.executescript(SCHEMA)
        for version in range(found + 1, VERSION + 1):
            db.executescript(f"begin; {MIGRATIONS[version]} pragma user_version = {version}; commit")
        for name, columns in COLUMNS.items():
            there = len(db.execute(f"pragma table_info({name})").fetchall())
            if there != columns:
                raise ValueError(f"{file} is not as we keep it: {name} has {there} columns, not {columns}; choose another --data")

    def turn(self, connection: SQLiteConnection, since: float | None) -> None:
        """A change of ours has the file to itself since then, or no longer."""
        if since is not None:
            self._since[connection] = since
            self._turns += 1
        elif self._since.pop(connection, None) is not None:
            self._turns += 1

    @contextmanager
    def in_turn(self) -> Iterator[None]:
        """After the changes of ours that came before. A thread of its own waits for a slow disk, as everybody does; the loop must not."""
        if not self._one.acquire(timeout=PATIENCE if on_the_loop() else TOO_LONG):
            raise Unkept("our own changes take too long")
        try:
            yield
        finally:
            self._one.release()

    def trouble(self) -> str:
        """Asked on a connection of its own, which has read nothing yet and holds nobody up."""
        if self.vanished:
            return VANISHED
        turns, address = self._turns, f"{self.file.absolute().as_uri()}?mode=rw"  # it is not to be made anew
        try:
            with closing(sqlite3.connect(address, uri=True, isolation_level=None, timeout=PATIENCE)) as db:
                db.execute("select 1 from house limit 1")
                db.execute("begin immediate")
                db.execute("rollback")
                if self.refused:
                    self.refused = tried(SQLiteConnection(db, self).write)
        except sqlite3.DatabaseError as error:
            if not (busy(error) and self._by_us(turns)):
                return f"{UNABLE}: {error}"
        return self.refused

    def _by_us(self, turns: int) -> bool:
        """It is a change of our own that others wait for, on a disk that is slow; or there were some since then."""
        since = min(list(self._since.values()), default=None)
        return self._turns != turns if since is None else time.monotonic() - since < TOO_LONG

    def another(self) -> SQLiteConnection:
        return SQLiteConnection(connect(self.file), self)

    def close(self) -> None:
        with self._one, self._lock:  # a move on its way is stored first
            self.changes.close()
            self.connection.close()

    def write(self, statements: Iterable[Statement]) -> None:
        self.changes.write(statements)

    def read(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        with self._lock:
            try:
                return self.connection.execute(sql, values).fetchall()
            except sqlite3.DatabaseError as error:
                raise Unkept(str(error)) from error

    def news(self, news: News) -> list[Statement]:
        return []
