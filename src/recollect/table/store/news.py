"""What one process tells the others of a table, when several serve the same store."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

LONGEST = 7_900  # bytes of a PostgreSQL notification


class News(msgspec.Struct, omit_defaults=True, array_like=True):
    """Something was stored. Who hears of it has the table in use, or lets it pass."""

    id: str  # the table
    what: str  # `moves`, `row` (the table, or who sits there), `set` (a new one), what exposures and the town say: see Others, Town
    n: int = 0  # of moves: the number of the first; of what was shown: its place in the log; of who is `here`: how many pages
    seats: list[int] = []
    entries: list[tuple[int, int]] = []  # none where they are too many: then they are read
    at: float = 0
    by: str = ""  # the process
    people: list[str] = []  # who sits there now, or sat there until now
    open: bool = False  # of a new table: anyone may join
    watching: int = 0  # of who is `here`: how many people only look on
    leisure: float | None = None  # how long those of them who play like companions to take

    def text(self) -> str:
        text = msgspec.json.encode(self).decode()
        return text if len(text) < LONGEST else msgspec.json.encode(msgspec.structs.replace(self, entries=[])).decode()


class Present(NamedTuple):
    """Who is at one process's pages of a table."""

    seats: list[int]
    pages: int
    watching: int = 0
    leisure: float | None = None


read_news = msgspec.json.Decoder(News).decode
