"""The tables in use in this process: opened when somebody comes, put away when nobody looks."""

from __future__ import annotations

import asyncio

from recollect.table.room import Room
from recollect.table.store import Store

MANY = 100  # tables kept in memory before idle ones are put away


class Rooms:
    """The tables in use in this process."""

    def __init__(self, store: Store, pace: float = 1.0) -> None:
        self.store = store
        self.pace = pace
        self._rooms: dict[str, Room] = {}

    def get(self, id: str) -> Room | None:
        """The room of a table whose seats are all taken, opened if need be; None if there is no such table."""
        if id not in self._rooms:
            self._make_way()
            row = self.store.row(id)
            if row is None:
                return None
            room = Room(row, self.store, self.pace, self._forget)
            if not row.result:
                room.check()
            if row.ready:
                room.open()
                room.start()
            self._rooms[id] = room
        return self._rooms[id]

    def _make_way(self) -> None:
        """Tables that nobody looks at are put away; they are rebuilt when somebody comes back."""
        if len(self._rooms) >= MANY:
            for id, room in list(self._rooms.items()):
                if not room.desks:
                    room.stop()
                    del self._rooms[id]

    def sit(self, id: str, seat: int, person: str, name: str) -> bool:
        """Somebody takes a free seat; when it was the last one, the game begins."""
        room = self.get(id)
        if room is None:
            return False
        room.check()
        taken = self.store.sit(id, seat, person, name)
        room.row = self.store.row(id) or room.row
        if room.row.ready and not room.tending.started:
            try:
                room.open()
            except BaseException:
                room.drop()  # it is opened anew when somebody comes
                raise
            room.start()
        for desk in room.desks:
            desk.find_seats()
        room.tell()
        return taken

    def clear(self, id: str, person: str) -> bool:
        """The host gives up waiting: the table is gone. Not once everyone sits."""
        room = self.get(id)
        if room is None or room.row.ready or room.row.host != person:
            return False
        self.store.remove(id)
        self._forget(room)
        for desk in list(room.desks):
            desk.leaving = asyncio.get_running_loop().create_task(desk._say({"go": "/"}))
        return True

    def _forget(self, room: Room) -> None:
        if self._rooms.get(room.row.id) is room:
            del self._rooms[room.row.id]

    def close(self) -> None:
        for room in self._rooms.values():
            room.stop()
