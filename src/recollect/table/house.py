"""What all requests share: the store, the tables in use, the key that signs cookies."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itsdangerous import URLSafeSerializer
from starlette.requests import HTTPConnection

from recollect.engine.game import Game
from recollect.engine.stream import new_seed
from recollect.table.limits import TABLES, Latest, Visits
from recollect.table.live.hall import Hall, people_of
from recollect.table.live.pace import Watch
from recollect.table.live.room import Room
from recollect.table.live.rooms import Rooms
from recollect.table.live.turnings import Turnings
from recollect.table.own.own import Own
from recollect.table.render.timeline import Timeline
from recollect.table.store import Chair, Row, Statement, Store
from recollect.table.store.beside import Aside, Manners
from recollect.table.store.sqlite import SQLite
from recollect.table.writer import Writer

if TYPE_CHECKING:
    from recollect.table.live.town import Town


class House:
    """What all requests share; `now` says what time it is (tests move it)."""

    def __init__(self, where: Path | str, pace: float, now: Callable[[], float] = time.time) -> None:
        self.now = now
        self.store = Store(where)
        self.writer = Writer(self.store)
        self.rooms = Rooms(self.store, pace, self.writer, now)
        self.rooms.town = town_of(self.rooms)
        self.watch = Watch(self.rooms, self.store, now)
        self.resting = False  # it is about to close
        self.visits = Visits()
        self.films = asyncio.Semaphore(1)  # match files that are made into a page at the same time
        self.back = asyncio.Semaphore(1)  # finished games that are gone through at the same time: timelines, reports, checks
        self._setting: list[str] = []  # who is setting a table that is not kept yet
        self.hall = Hall()
        self.rooms.news, self.rooms.rumour = self.hall.news, self.hall.heard
        self.turnings = Turnings()  # of finished games that somebody looked back at
        self.own = Own(self.store, self.rooms)
        self.verified: Latest[tuple[int, str]] = Latest()  # finished tables that somebody had checked
        self.timelines: Latest[Timeline] = Latest()  # finished tables that somebody looked back at
        self.signer = URLSafeSerializer(self.store.secret(), salt="recollect")

    def start(self) -> None:
        """From now on tables go on by themselves."""
        if self.rooms.town:
            self.rooms.town.start()
        self._tasks = [asyncio.create_task(self.rooms.wake()), asyncio.create_task(self.watch.run())]

    async def rest(self) -> None:
        """Before the pages are closed: no click is without an answer that was begun."""
        self.resting = True
        await self.rooms.rest()

    def close(self) -> None:
        """What is on its way is stored first; then others may take over."""
        for task in self._tasks:
            task.cancel()
        self.rooms.close()
        self.writer.close()
        if self.rooms.town:
            self.rooms.town.stop()
        self.store.close()

    def may_set_a_table(self, person: str, place: str) -> bool:
        """Another one, unless that is too many; those that are just being kept count, too."""
        return self.store.waiting(person) + self._setting.count(person) < TABLES and self.visits.may_set_a_table(place)

    async def open_table(
        self,
        game: Game,
        options: Mapping[str, Any],
        host: str,
        listed: bool,
        chairs: list[Chair],
        manners: Manners | None = None,
        begins: Callable[[str], list[Statement]] = lambda id: [],
    ) -> str:
        """A new table with a sealed seed, kept with what it begins with or not at all; off the loop, for a disk takes its time."""
        seed, now, id = new_seed(), self.now(), secrets.token_urlsafe(6).replace("-", "x").replace("_", "y")
        row = Row.of(game, id=id, options=dict(options), seed=seed, host=host, listed=listed, created=now, moved=now, chairs=chairs)
        self._setting.append(host)
        try:
            await asyncio.to_thread(self.store.create, row, manners, begins(id))
        finally:
            self._setting.remove(host)
        self.hall.changed(id, people_of(row), listed)
        return id

    async def play_on(self, room: Room, place: int, host: str, chairs: list[Chair]) -> str:
        """A new table that goes on from a moment of a finished game, with a new shuffle of what is still to be drawn."""

        def played(id: str) -> list[Statement]:
            added = self.store.added(id, 0, room.match.log[:place], room.moment_at(place).players)
            return [*added, *self.store.shown(id, range(len(chairs)), place), *self.store.goes_on(id, room.row.id, place)]

        return await self.open_table(room.game, room.row.options, host, False, chairs, begins=played)

    async def again(self, room: Room, person: str) -> str:
        """A rematch is offered: who asks for it sits at a new table, the others may join. Whoever asks next has their seat there."""
        async with room.company.hands:  # of two who ask at once, one sets the table
            there = await self.rooms.get(room.row.rematch) if room.row.rematch else None  # its host may have taken it away
            id = there.row.id if there else await self._set_again(room, person)
        for seat, chair in enumerate(room.row.chairs):
            if chair.person == person and (there := await self.rooms.get(id)) and there.row.chairs[seat].free:
                await self.rooms.sit(id, seat, person, chair.name)
        return id

    async def _set_again(self, room: Room, person: str) -> str:
        chairs = [self._kept(chair, person) for chair in room.row.chairs]
        given = room.game, room.row.options, person, False, chairs, room.company.manners
        id = await self.open_table(*given, begins=lambda id: self._expected(id, chairs))
        room.row.rematch = first = await asyncio.to_thread(self.store.rematch, room.row.id, id)
        if first == id:
            room.company.tell()
        else:  # somebody at another process was quicker
            await self.rooms.clear(id, person)
            self.hall.changed(id, [person])
        return first

    def _expected(self, id: str, chairs: list[Chair]) -> list[Statement]:
        """For whom seats are kept at a new table: who waits there reads whom they wait for, and need send them no link."""
        kept = [(seat, chair.name) for seat, chair in enumerate(chairs) if chair.free]
        asides = [Aside(n, self.now(), seat, "expected", name) for n, (seat, name) in enumerate(kept)]
        return [statement for aside in asides for statement in self.store.aside(id, aside)]

    @staticmethod
    def _kept(chair: Chair, person: str) -> Chair:
        """The same seat at another table: somebody else's is kept free for them."""
        if chair.kind == "bot":
            return Chair("bot", chair.name, mind=chair.mind)
        if chair.person == person:
            return Chair("here", chair.name, person)
        return Chair("link", chair.name, secret=secrets.token_hex(8))


def house_of(connection: HTTPConnection) -> House:
    house: House = connection.app.state.house
    return house


def town_of(rooms: Rooms) -> Town | None:
    """The other processes, where there may be any."""
    if isinstance(rooms.store.db, SQLite):
        return None
    from recollect.table.live.town import Town

    return Town(rooms.store.db, rooms)
