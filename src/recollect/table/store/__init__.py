"""What survives: tables, seats and moves, in an SQLite file or in PostgreSQL. A move is here before anyone is told of it.

`rows` are what is kept, `schema` its tables and their versions, `store` every question and change; `database` says what it asks of
the two databases, `sqlite` and `postgres`."""

from recollect.table.store.database import Connection, Database, Overtaken, Removed, Statement, Unkept
from recollect.table.store.news import News
from recollect.table.store.rows import HINT, UNDO, Chair, Row
from recollect.table.store.schema import VERSION
from recollect.table.store.store import Store

__all__ = [
    "HINT", "UNDO", "VERSION",
    "Chair", "Connection", "Database", "News", "Overtaken", "Removed", "Row", "Statement", "Store", "Unkept",
]  # fmt: skip
