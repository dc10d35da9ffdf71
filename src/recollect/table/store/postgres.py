"""The store in PostgreSQL: any number of servers, on any number of machines, serve the same tables."""

from __future__ import annotations

import json
import queue
import re
import secrets
import select
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

import msgspec
import psycopg
from psycopg import errors
from psycopg.rows import dict_row

from recollect.table.store.database import UNREAD, Overtaken, Removed, Statement, Unkept, tried
from recollect.table.store.news import News, Present
from recollect.table.store.pulse import Pulse, watched
from recollect.table.store.schema import COLUMNS, MIGRATIONS, SCHEMA, VERSION

CHANNEL = "recollect"
LOCK = 7_263_554  # taken by whoever brings the tables up to date
TRIES = 3  # of a change that met another one crosswise
SETTINGS = "-c statement_timeout=5000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=5000"  # nobody waits for ever
# Either end lets go of a connection whose other end has vanished without a word; no firewall forgets one where little is said.
VANISHED = "-c tcp_user_timeout=5000 -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"
KEPT: dict[str, Any] = {
    "keepalives_idle": 10,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "connect_timeout": 2,
    "application_name": "recollect",
}
LEASE = 3.0  # seconds that a process counts as alive after its last beat, unless its connection ended before
NOW = "extract(epoch from clock_timestamp())"  # the database's clock: machines may differ

# Who serves, who looks after which table, whose pages are open where. All of it is made anew by those who live: it need not be synced.
TOWN = """
create unlogged table if not exists processes (name text primary key, until double precision not null, pid integer not null);
create unlogged table if not exists leases (id text primary key, process text not null);
create unlogged table if not exists present (
  id text, process text, seats text not null, pages integer not null, watching integer not null default 0, leisure double precision,
  primary key (id, process));
create index if not exists leases_of on leases (process);
"""
NAMED = re.compile(r"(?:table|index) if not exists (\w+)")
PRESENT = (
    "insert into present values (?,?,?,?,?,?) on conflict (id, process) do update set"
    " seats = excluded.seats, pages = excluded.pages, watching = excluded.watching, leisure = excluded.leisure"
)
WIDER = "alter table present add column watching integer not null default 0, add column leisure double precision"  # of an earlier version
TELL = "select pg_notify(?, ?)"
ALIVE = f"select name from processes where until > {NOW} and pid in (select pid from pg_stat_activity)"
BEAT = f"""
with living as ({ALIVE})
insert into processes values (%s, {NOW} + {LEASE}, pg_backend_pid())
on conflict (name) do update set until = excluded.until, pid = excluded.pid returning name not in (select name from living) as fresh
"""
LATELY = f"select name from processes where until > {NOW} - 60"  # a moment's silence of somebody is no reason to forget what they hold
CLAIM = f"""
insert into leases select unnest(%s::text[]), %s on conflict (id) do update set process = excluded.process
where leases.process not in ({ALIVE}) returning id
"""


class Link(psycopg.Connection[dict[str, Any]]):
    """A connection that waits for its answer no longer than there is hope for one."""

    hopeless: Callable[[], bool] | None = None

    def wait(self, gen: Any, *how: Any, **named: Any) -> Any:
        return super().wait(watched(gen, self.hopeless, self.close) if self.hopeless else gen, *how, **named)


@cache
def spoken(sql: str) -> str:
    """What `schema` and `store` say, as PostgreSQL says it."""
    return sql.replace("?", "%s").replace(" real", " double precision").replace(" without rowid", "")


@contextmanager
def faults() -> Iterator[None]:
    """What went wrong, in the store's words."""
    try:
        yield
    except errors.UniqueViolation as error:
        raise Overtaken(str(error)) from error
    except errors.ForeignKeyViolation as error:
        raise Removed(str(error)) from error
    except psycopg.Error as error:
        raise Unkept(str(error).strip().partition("\n")[0]) from error


def connect(address: str) -> Link:
    return Link.connect(address, autocommit=True, row_factory=dict_row, options=f"{SETTINGS} {VANISHED}", **KEPT)


def broken(link: Link) -> bool:
    """The server closed it while nobody asked anything: there is something to read where nothing is due."""
    if link.closed:
        return True
    asked = select.poll()  # `select.select` knows the first 1,024 files alone, and as many pages may be open
    asked.register(link.fileno(), select.POLLIN)
    return bool(asked.poll(0))


def put(link: Link, statements: Iterable[Statement]) -> None:
    """All of it or nothing, as one message: a thread that asks one by one would wait for the interpreter's lock each time.
    Who met another change crosswise tries again."""
    with psycopg.ClientCursor(link) as cursor:
        text = ";".join(cursor.mogrify(spoken(sql), values) for sql, values in statements)
        for tried in range(1, TRIES + 1):
            try:
                cursor.execute(text.encode())  # what is sent together is one transaction
                return
            except (errors.DeadlockDetected, errors.SerializationFailure):
                if tried == TRIES:
                    raise


class PostgresConnection:
    """Writes whole or not at all; connects when there is something to write."""

    def __init__(self, address: str, pulse: Pulse) -> None:
        self._address, self._pulse = address, pulse
        self._link: Link | None = None

    def write(self, statements: Iterable[Statement]) -> None:
        with self._pulse.kept(), faults():
            self._pulse.check()
            if self._link is None or broken(self._link):
                self.close()
                self._link = connect(self._address)
                self._link.hopeless = self._pulse.gone
            try:
                put(self._link, statements)
            except psycopg.OperationalError:
                self.close()  # whether it was kept is not known: who asks again reads first
                raise

    def close(self) -> None:
        if self._link:
            self._link.close()
            self._link = None


class Postgres:
    """A few connections, made when needed; each is used by one at a time."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.name = secrets.token_hex(4)  # of this process among those that serve the same tables
        self.pulse = Pulse()
        self._beating: Link | None = None
        self._idle: queue.LifoQueue[Link] = queue.LifoQueue()
        self._closed = False
        try:
            with faults(), self._link() as link:
                self._migrate(link)
        except Unkept as error:
            raise ValueError(f"the store cannot be used: {error}") from None

    @contextmanager
    def _link(self) -> Iterator[Link]:
        """A connection, for a moment."""
        self.pulse.check()
        link = None
        while link is None:
            try:
                link = self._idle.get_nowait()
            except queue.Empty:
                link = connect(self.address)
                link.hopeless = self.pulse.gone
            if broken(link):
                link.close()
                link = None
        try:
            yield link
        finally:
            if link.closed:
                link.close()
            else:
                self._idle.put(link)
            if self._closed:  # meanwhile
                self._let_go()

    def _migrate(self, link: Link) -> None:
        """Bring an older store up to this version, one process at a time; refuse what a newer one wrote."""
        with link.transaction():
            link.execute("set local statement_timeout = 0; set local lock_timeout = 0")  # who is first may have much to change
            link.execute(f"select pg_advisory_xact_lock({LOCK}); set local lock_timeout to default")
            self._make(link, spoken(SCHEMA))
            row = link.execute("select value from house where key = 'version'").fetchone()
            found = int(row["value"]) if row else 0
            if found > VERSION:
                raise ValueError(f"the store was written by a newer Recollect (version {found}, this one knows {VERSION})")
            for version in range(found + 1, VERSION + 1):
                link.execute(spoken(MIGRATIONS[version]))
            upsert = "insert into house values ('version', %s) on conflict (key) do update set value = excluded.value"
            link.execute(upsert, (str(VERSION),))
            self._make(link, TOWN)
            if self._columns(link, "present") == 4:
                link.execute(WIDER)
            self._check(link)

    def _make(self, link: Link, parts: str) -> None:
        """What is not there yet. For an index that is there `if not exists` would lock its table all the same, against all who write."""
        for part in filter(str.strip, parts.split(";")):
            row = link.execute("select to_regclass(%s) is null as missing", NAMED.findall(part)).fetchone()
            if row and row["missing"]:
                link.execute(part)

    def _check(self, link: Link) -> None:
        for name, columns in COLUMNS.items():
            if (found := self._columns(link, name)) != columns:
                raise ValueError(f"the store is not as we keep it: {name} has {found} columns, not {columns}")

    def _columns(self, link: Link, name: str) -> int:
        asked = "select count(*) as n from information_schema.columns where table_schema = current_schema() and table_name = %s"
        row = link.execute(asked, (name,)).fetchone()
        return int(row["n"]) if row else 0

    def read(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        with faults(), self._link() as link:
            rows: list[dict[str, Any]] = link.execute(spoken(sql), values).fetchall()
            return rows

    def write(self, statements: Iterable[Statement]) -> None:
        with self.pulse.kept(), faults(), self._link() as link:
            put(link, statements)

    def another(self) -> PostgresConnection:
        return PostgresConnection(self.address, self.pulse)

    def trouble(self) -> str:
        try:
            self.read("select 1 from house limit 1")
        except Unkept as error:
            return f"{UNREAD}: {error}"
        if not self.pulse.refused:
            return ""
        why = tried(self.write)
        self.pulse.refused = bool(why)
        return why

    def _let_go(self) -> None:
        """Of all connections that nobody uses."""
        with suppress(queue.Empty):
            while True:
                self._idle.get_nowait().close()

    def close(self) -> None:
        self._closed = True
        self._let_go()
        if self._beating:
            self._beating.close()

    def news(self, news: News) -> list[Statement]:
        """Told to the other processes when what goes with it is kept."""
        return [(TELL, (CHANNEL, msgspec.structs.replace(news, by=self.name).text()))]

    def _tell(self, link: Link, news: News) -> None:
        for sql, values in self.news(news):
            link.execute(spoken(sql), values)

    # -- the town: the processes that serve the same tables

    def beat(self) -> tuple[set[str], bool]:
        """This process lives; returns all that do, and whether this one was not among them. On a connection of its own, which ends when
        the process does."""
        with self.pulse.kept(), faults(), self.pulse.felt():
            if self._beating is None or broken(self._beating):
                self._beating = connect(self.address)
                self._beating.hopeless = self.pulse.late
            row = self._beating.execute(BEAT, (self.name,)).fetchone()
            return {row["name"] for row in self._beating.execute(ALIVE).fetchall()}, bool(row and row["fresh"])

    def ahead(self) -> float:
        """By how many seconds this machine's clock is ahead of the database's."""
        return time.time() - float(self.read(f"select {NOW} as now")[0]["now"])

    def claim(self, ids: Sequence[str]) -> dict[str, str]:
        """Look after tables that nobody alive looks after; returns who looks after each now."""
        with faults(), self._link() as link, link.transaction():
            for row in link.execute(CLAIM, (sorted(ids), self.name)).fetchall():
                self._tell(link, News(row["id"], "holds"))
            rows = link.execute("select id, process from leases where id = any(%s)", (list(ids),)).fetchall()
        return {row["id"]: row["process"] for row in rows}

    def release(self, id: str) -> list[Statement]:
        """This process looks after the table no longer."""
        return [("delete from leases where id = ? and process = ?", (id, self.name)), *self.news(News(id, "free"))]

    def keep(self, ids: Iterable[str]) -> None:
        """This process has no other tables in use than these, whatever it could say of it at the time."""
        given = self.name, list(ids)
        with faults(), self._link() as link, link.transaction():
            for part, what in (("leases", "free"), ("present", "here")):
                gone = link.execute(f"delete from {part} where process = %s and id <> all(%s) returning id", given).fetchall()
                for row in gone:
                    self._tell(link, News(row["id"], what))

    def here(self, id: str, there: Present) -> list[Statement]:
        """Whose pages are open at this process."""
        seats, pages, watching, leisure = there
        kept = PRESENT, (id, self.name, json.dumps(seats), pages, watching, leisure)
        return [kept, *self.news(News(id, "here", n=pages, seats=seats, watching=watching, leisure=leisure))]

    def present(self, id: str) -> dict[str, Present]:
        """Whose pages are open at other processes that live, and how many pages."""
        asked = f"select * from present where id = ? and process in ({ALIVE}) and pages > 0"
        there = {r["process"]: (json.loads(r["seats"]), r["pages"], r["watching"], r["leisure"]) for r in self.read(asked, id)}
        return {process: Present(*who) for process, who in there.items() if process != self.name}

    def leave(self) -> None:
        """This process serves no longer."""
        rows: list[Statement] = [(f"delete from {part} where process = ?", (self.name,)) for part in ("leases", "present")]
        self.write([*rows, ("delete from processes where name = ?", (self.name,)), *self.news(News("", "gone"))])

    def bury(self) -> None:
        """What processes held that are dead for long is nobody's."""
        rows: list[Statement] = [(f"delete from {part} where process not in ({LATELY})", ()) for part in ("leases", "present")]
        self.write([*rows, (f"delete from processes where name not in ({LATELY})", ())])
