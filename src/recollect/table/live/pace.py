"""The pace of a table: how long a turn may take, the reminder before that, and what follows when time is up.

Whose time is up is said and never played in silence. Nothing of it lives in a process: since when a seat is asked follows from the times
of the log, what was said of it from the asides, and when to look next is kept, so that a table's clock runs on while nobody has it open.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from recollect.engine.shelf import games
from recollect.table.store import Statement, Store, Unkept

if TYPE_CHECKING:
    from recollect.table.live.company import Company
    from recollect.table.live.rooms import Rooms

log = logging.getLogger("recollect.table")

TICK = 1.0  # seconds between two looks at the clock, and that an answer of the store holds for who only wants to know
AGAIN = ("more", "back")  # asides from which a seat's time begins anew


class Pace:
    """The clock of one table."""

    def __init__(self, company: Company) -> None:
        self.company = company
        self.room = company.room
        self._looking = asyncio.Lock()

    @property
    def runs(self) -> bool:
        return self.company.manners.turn > 0

    def asked(self) -> list[int]:
        """The seats whose people are to move now."""
        room = self.room
        if not self.runs or not room.row.ready or room.moment.over or room.moment.paced:
            return []
        return [seat for seat in sorted(room.moment.players) if not room.row.chairs[seat].bot]

    def since(self, seat: int) -> float:
        """When the seat was asked: after its own last move, or when the question came to it, or when it was given time anew."""
        return max([self._came(seat), *(a.at for a in self.company.asides if a.seat == seat and a.kind in AGAIN)])

    def _came(self, seat: int) -> float:
        room = self.room
        for place in sorted(room.states, reverse=True)[1:]:
            before = room.moment_at(place)
            if room.entries[place][0] == seat or seat not in before.players or before.paced:
                return room.times[place]
        return room.times[0] if room.times else room.row.moved

    def until(self) -> dict[int, float]:
        """Until when each seat that is asked has time."""
        return {seat: self.since(seat) + self.company.manners.turn for seat in self.asked()}

    def said(self, kind: str, seat: int) -> bool:
        """Whether it was said of the seat since it was asked."""
        since = self.since(seat)
        return any(a.seat == seat and a.kind == kind and a.at >= since for a in self.company.asides)

    def late(self) -> list[int]:
        """The seats whose time is up, as was said."""
        return [seat for seat in self.asked() if self.said("up", seat)]

    async def look(self) -> None:
        """Say what is to be said by now, once, however many look at the same time."""
        async with self._looking:
            now, reminder = self.room.now(), self.company.manners.reminder
            for seat, until in self.until().items():
                if now >= until and not self.said("up", seat):
                    if await self._say("up", seat):
                        await self._follow(seat)
                elif reminder and until > now >= until - reminder and not self.said("reminded", seat):
                    await self._say("reminded", seat)
            self.wind()

    async def _say(self, kind: str, seat: int) -> bool:
        """Say it; false where another process was quicker."""
        return await self.company.add(kind, seat, known=lambda: self.said(kind, seat))

    async def _follow(self, seat: int) -> None:
        """What the host chose beforehand; else the host is asked now."""
        if self.company.manners.follows == "companion":
            await self.company.stand_in(seat)
        elif self.company.manners.follows == "give_up":
            await self.company.give_up(seat, "lost")

    def soon(self, now: float) -> list[Statement]:
        """With a move: the clock is looked at before anybody's time can be up."""
        manners = self.company.manners
        return self.room.store.soon(self.room.row.id, now + manners.turn - manners.reminder) if self.runs else []

    def wind(self) -> None:
        """Note when to look next."""
        if self.runs:
            self.room.note(self.room.store.wound(self.room.row.id, self._next(), self.until(), self.room.n))

    def _next(self) -> float | None:
        reminder, times = self.company.manners.reminder, list[float]()
        for seat, until in self.until().items():
            if reminder and not self.said("reminded", seat) and not self.said("up", seat):
                times.append(until - reminder)
            elif not self.said("up", seat):
                times.append(until)
        return min(times, default=None)


class Watch:
    """Looks at the clock for every table that has one, whether or not anybody has it open; and after the store."""

    def __init__(self, rooms: Rooms, store: Store, now: Callable[[], float]) -> None:
        self.rooms, self.store, self.now = rooms, store, now
        self._one, self._asked = asyncio.Lock(), -math.inf  # who asks, and when the last answer came

    @property
    def tick(self) -> float:
        return TICK * self.rooms.pace

    async def run(self) -> None:
        while True:
            await asyncio.sleep(max(0.05, self.tick))
            try:
                await self.ask()
                if not self.rooms.trouble:
                    await self.look()
            except asyncio.CancelledError:
                raise
            except Unkept as error:
                log.warning("the clocks of the tables: %s", error)
            except Exception:
                log.exception("the clocks of the tables")

    async def ask(self) -> None:
        """How the store is; not on the loop, for a disk answers when it likes."""
        async with self._one:
            await self._ask()

    async def known(self) -> str:
        """How it is, by an answer that is not old: however many want to know, one asks."""
        if self._old():
            async with self._one:
                if self._old():
                    await self._ask()
        return self.rooms.trouble

    def _old(self) -> bool:
        return time.monotonic() - self._asked > self.tick

    async def _ask(self) -> None:
        self.rooms.keeps(await asyncio.to_thread(self.store.trouble))
        self._asked = time.monotonic()

    async def look(self) -> None:
        """Each table whose time has come."""
        for id in await asyncio.to_thread(self.store.due, self.now()):
            try:
                await self._look(id)
            except (asyncio.CancelledError, Unkept):  # the store is away, and the table may be well
                raise
            except Exception:  # of older rules, or unreadable: it is not looked at again until somebody plays there
                log.exception("the clock of table %s", id)
                await asyncio.to_thread(self.store.write, self.store.stopped(id))

    async def _look(self, id: str) -> None:
        row = await asyncio.to_thread(self.store.row, id)
        if row is None or row.result or row.game not in games():
            await asyncio.to_thread(self.store.write, self.store.stopped(id))
        elif self.rooms.town and not await self.rooms.town.holds(id):
            return  # another process looks after it
        elif room := await self.rooms.get(id):
            await room.settled()
            await room.company.pace.look()
