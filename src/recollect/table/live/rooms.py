"""The tables in use in this process: opened when somebody comes, put away when nobody looks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from recollect.engine.shelf import games, load
from recollect.table.live.room import Outdated, Room
from recollect.table.store import Row, Store
from recollect.table.writer import Writer

MANY = 100  # tables kept in memory before idle ones are put away
WOKEN = 50  # tables that go on by themselves after a start, at most
BREATH = 0.2  # seconds between two of them, for whoever comes meanwhile


class Rooms:
    """The tables in use in this process."""

    def __init__(self, store: Store, pace: float = 1.0, writer: Writer | None = None) -> None:
        self.store = store
        self.writer = writer
        self.pace = pace
        self._rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Lock] = {}  # tables that are just being read

    async def get(self, id: str) -> Room | None:
        """The room of a table, opened if need be; None if there is no such table. Others are answered meanwhile."""
        if id in self._rooms:
            return self._rooms[id]
        async with self._opening.setdefault(id, asyncio.Lock()):  # who comes at the same time finds it open
            try:
                if id not in self._rooms and (room := await asyncio.to_thread(self._read, id)):
                    self._make_way()
                    self._rooms[id] = room
                    if room.row.ready:
                        room.start()
            finally:
                self._opening.pop(id, None)
        return self._rooms.get(id)

    def _read(self, id: str) -> Room | None:
        """A table as it is stored."""
        row = self.store.row(id)
        if row is None:
            return None
        room = Room(row, self.store, self.pace, self._forget, self.writer)
        if not row.result:
            room.check()
        if row.ready:
            room.open()
        return room

    async def wake(self) -> None:
        """After a start: the latest tables that wait for no person go on, one after the other, and pages come before them."""
        for row in self.store.unfinished(WOKEN):
            await asyncio.sleep(BREATH * self.pace)
            if row.id in self._rooms or not may_go_on(row):
                continue
            try:
                room = await self.get(row.id)
            except Outdated:
                continue  # it says so to who comes
            if room and not room.companions.due:
                self._put_away(room)

    def _make_way(self) -> None:
        """Tables that nobody looks at are put away; they are rebuilt when somebody comes back."""
        if len(self._rooms) >= MANY:
            for room in list(self._rooms.values()):
                if not room.screens and room.writing is None:
                    self._put_away(room)

    def _put_away(self, room: Room) -> None:
        room.stop()
        self._forget(room)

    async def sit(self, id: str, seat: int, person: str, name: str) -> bool:
        """Somebody takes a free seat; when it was the last one, the game begins."""
        room = await self.get(id)
        if room is None:
            return False
        room.check()
        taken = self.store.sit(id, seat, person, name)
        room.row = self.store.row(id) or room.row
        if room.row.ready and not room.companions.started:
            try:
                room.open()
            except BaseException:
                room.drop()  # it is opened anew when somebody comes
                raise
            room.start()
        for screen in room.screens:
            screen.find_seats()
        room.tell()
        return taken

    async def clear(self, id: str, person: str) -> bool:
        """The host gives up waiting: the table is gone. Not once everyone sits."""
        room = await self.get(id)
        if room is None or room.row.ready or room.row.host != person:
            return False
        self.store.remove(id)
        self._forget(room)
        for screen in list(room.screens):
            screen.go("/")
        return True

    async def renew(self, ids: Iterable[str]) -> None:
        """What is kept of these tables was changed as a whole: whoever is there is shown them anew."""
        for id in ids:
            if room := self._rooms.get(id):
                await room.settled()
                room.drop()

    def _forget(self, room: Room) -> None:
        if self._rooms.get(room.row.id) is room:
            del self._rooms[room.row.id]

    def close(self) -> None:
        for room in self._rooms.values():
            room.stop()


def may_go_on(row: Row) -> bool:
    """Everyone sits, and a companion is asked or something may be being shown to all."""
    return row.ready and row.game in games() and (any(row.chairs[seat].kind == "bot" for seat in row.acting) or bool(load(row.game).paced))
