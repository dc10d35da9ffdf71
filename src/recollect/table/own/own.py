"""What the house has for people's own pages: one of each, and a bound on how many pages are made at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from recollect.table.live.rooms import Rooms
from recollect.table.own.memory import Memories
from recollect.table.own.passphrase import Keeper
from recollect.table.own.persons import Persons
from recollect.table.own.rating import Ratings
from recollect.table.store import Store

AT_ONCE = 2  # own pages that are made at the same time


class Own:
    """Persons, their ratings, their memory, and who keeps passphrases."""

    def __init__(self, store: Store, rooms: Rooms) -> None:
        self.persons = Persons(store)
        self.ratings = Ratings(store)
        self.memories = Memories(self.persons)
        self.keeper = Keeper()
        self.room = asyncio.Semaphore(AT_ONCE)
        self._rooms = rooms

    async def change(self, person: str, work: Callable[[], None]) -> None:
        """Change what is kept of somebody as a whole; tables in use that know of them are read anew."""
        tables = await asyncio.to_thread(self.persons.tables, person)
        await self._rooms.renew(tables)
        await asyncio.to_thread(work)
        await self._rooms.renew(tables)
