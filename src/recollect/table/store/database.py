"""What the store asks of a database: two kinds know how, SQLite and PostgreSQL."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from recollect.table.store.news import News

Statement = tuple[str, Sequence[Any]]  # SQL as `schema` describes it, and its values

UNREAD = "the store cannot be read"
UNABLE = "the store can keep nothing"
TRIAL = 32_768  # bytes of something to keep: what fits into a place that is there already tells nothing of a full disk


class Unkept(Exception):
    """The store cannot keep anything now: vanished, locked, damaged, full, not to be reached. Nothing is answered that is not kept."""


class Removed(Unkept):
    """Nothing is kept of a table that is no more; or somebody else has kept something of one that was to be removed."""


class Overtaken(Exception):
    """Somebody else has written what stands in this place: read again."""


class Connection(Protocol):
    """Writes whole or not at all; what somebody else wrote first is `Overtaken`, what cannot be kept is `Unkept`."""

    def write(self, statements: Iterable[Statement]) -> None: ...

    def close(self) -> None: ...


class Database(Connection, Protocol):
    """Where everything is kept."""

    def read(self, sql: str, *values: Any) -> Sequence[Any]:
        """Rows, each by the names of its columns."""

    def another(self) -> Connection:
        """A connection of its own for one who writes beside this one."""

    def trouble(self) -> str:
        """Why nothing can be kept now; empty when all is well."""

    def news(self, news: News) -> list[Statement]:
        """Goes with a change, so that other processes hear of it when it is kept. Who is alone tells nobody."""


def tried(write: Callable[[Iterable[Statement]], None]) -> str:
    """Why nothing can be kept, by keeping something and letting it go again; empty when that can be done."""
    upsert = "insert into house values ('tried', ?) on conflict (key) do update set value = excluded.value"
    try:
        write([(upsert, (secrets.token_hex(TRIAL // 2),))])  # nothing that can be packed
        write([("delete from house where key = 'tried'", ())])
    except Unkept as error:
        return f"{UNABLE}: {error}"
    return ""
