"""What is shown to all: how long it stays, who has had it on their screen, and the server's clock over it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from recollect.table.store import Unkept

if TYPE_CHECKING:
    from recollect.table.live.room import Room

log = logging.getLogger("recollect.table")

SHOW = 5.0  # seconds that something shown to all stays, where the game has no option for it
GRACE = 3.0  # seconds more for what is shown to reach a page and be drawn
LINGER = 0.5  # seconds more that it lies open before those who have had it, while the table waits for others
PATIENCE = 15.0  # seconds more that the table waits for a page that is open but out of sight
HELD = 60.0  # seconds more, at most, when somebody asks for more time: everybody gets it


class Exposure:
    """The exposures of one table. Each is known by its place in the log."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.news = asyncio.Event()  # somebody has had it, or left, or the table went on
        self.seen: set[int] = set()  # seats whose people said that they have seen what lies open
        self.held: set[int] = set()  # seats whose people asked for more time
        self._late = -1  # where in the log the table waits for somebody longer than it shows what lies open
        self._begun = -1, 0.0  # since when the one at this place lies open here
        self._sent: dict[tuple[int, int], asyncio.TimerHandle] = {}  # what is being shown to a seat, until the server's clock says enough

    @cached_property
    def _show(self) -> float:
        show = self.room.match.options.get("show")
        return float(show) if isinstance(show, int | float) and not isinstance(show, bool) else SHOW

    @property
    def hold(self) -> float:
        """How long it stays."""
        return self._show * self.room.pace

    @property
    def gone(self) -> bool:
        """Its time is over for who only watches, though the table may still wait for somebody."""
        began = self.room.times[-1] if self.room.times else 0
        return not self.held and self.room.now() - began > self.hold + LINGER * self.room.pace

    def _turn_back(self) -> None:
        """Who only watches, has said that it is enough or has had it for its time, sees it no longer."""
        self._late = self.room.at
        for screen in self.room.screens:
            if all(seat in self.seen or self.room.row.chairs[seat].shown > self.room.at for seat in screen.mine):
                screen.dirty.set()

    async def over(self) -> None:
        """Until everyone whose page is open has had it in sight for the full time, within reason."""
        clock, stamp = asyncio.get_running_loop().time, self.room.at
        watched = asyncio.get_running_loop().call_later(self.hold + LINGER * self.room.pace + 0.05, self._turn_back)
        try:
            await self._wait(clock, stamp)
        finally:
            watched.cancel()

    async def _wait(self, clock: Callable[[], float], stamp: int) -> None:
        if self._begun[0] != stamp:
            self._begun = stamp, clock() - self._past()
        begun = self._begun[1]
        while (past := clock() - begun) < (limit := self.hold + (HELD if self.held else PATIENCE) * self.room.pace):
            waits = self._waits(stamp)
            if self.room.at != stamp or self.enough or (past >= self.hold and not waits and not self.held):
                return
            self.news.clear()
            until = limit if waits or past >= self.hold else self.hold  # who has not had it yet says when they have
            soon = asyncio.get_running_loop().call_later(until - past, self.news.set)
            try:
                await self.news.wait()
            finally:
                soon.cancel()

    def _waits(self, stamp: int) -> bool:
        """Somebody whose page is open has not had it yet."""
        return any(self.room.row.chairs[seat].shown <= stamp for seat in self.room.present())

    def _past(self) -> float:
        """How much of its time was over before this process came to it; who is here and has not had it is waited for all the same."""
        return min(self.hold, max(0.0, self.room.now() - self.room.times[-1])) if self.room.times else 0.0

    @property
    def enough(self) -> bool:
        """Everyone at the table has said so: nobody needs to wait any longer."""
        return bool(self.seen) and self.seen.issuperset([seat for seat, chair in enumerate(self.room.row.chairs) if not chair.bot])

    def saw(self, seats: list[int]) -> None:
        """The people of these seats have seen enough of what lies open."""
        if self.room.moment.paced:
            self.room.note(self.room.store.saw(self.room.row.id, seats, self.room.at))
            self.shown(seats, self.room.at)
            self.say(seats, enough=True)

    def wait(self, seats: list[int]) -> None:
        """The people of these seats want to look longer; so all may."""
        if self.room.moment.paced:
            self.room.note(self.room.store.held(self.room.row.id, seats, self.room.at))
            self.say(seats, enough=False)

    def say(self, seats: Iterable[int], enough: bool) -> None:
        """Enough for these, or not yet; everybody's page says so."""
        yes, no = (self.seen, self.held) if enough else (self.held, self.seen)
        yes.update(seats)
        no.difference_update(seats)
        self.news.set()
        self.room.tell()

    def clear(self) -> None:
        """The table went on, here or at another process."""
        self.seen.clear()
        self.held.clear()
        self.news.set()

    def shown(self, seats: list[int], stamp: int) -> None:
        """These seats have had the exposure at this place of the log on their screen."""
        self.had(seats, stamp + 1)
        self.room.note(self.room.store.shown(self.room.row.id, seats, stamp + 1))

    def had(self, seats: list[int], upto: int) -> None:
        """So it counts here; another process may have stored it."""
        for seat in seats:
            chair = self.room.row.chairs[seat]
            chair.shown = max(chair.shown, upto)
            if counted := self._sent.pop((seat, upto - 1), None):
                counted.cancel()
        if not self._waits(self.room.at):
            self.news.set()
        elif self._late == self.room.at:
            self._turn_back()

    def sent(self, seats: list[int], stamp: int) -> None:
        """It has come to these seats. From now on the server counts: nobody looks longer by keeping silent or coming again."""
        fresh = [seat for seat in seats if (seat, stamp) not in self._sent and self.room.row.chairs[seat].shown <= stamp]
        if not fresh:
            return
        for seat in fresh:
            self._count(seat, stamp, 0)
        try:
            self.room.note(self.room.store.sent(self.room.row.id, fresh, stamp, self.room.now()))
        except Unkept:  # it counts all the same, until the house closes
            log.exception("table %s: since when it was shown", self.room.row.id)

    def resume(self) -> None:
        """Count on for those who had something on their screen when the house closed, or the table was put away."""
        for seat, stamp, since in self.room.store.being_shown(self.room.row.id):
            self.began([seat], stamp, since)

    def began(self, seats: list[int], stamp: int, since: float) -> None:
        """It is on the screen of these seats since then, here or at another process."""
        for seat in seats:
            if (seat, stamp) not in self._sent and self.room.row.chairs[seat].shown <= stamp:
                self._count(seat, stamp, max(0, self.room.now() - since))

    def _count(self, seat: int, stamp: int, past: float) -> None:
        wait = self.hold + GRACE * self.room.pace - past
        if wait <= 0:
            self._had(seat, stamp)
        else:
            self._sent[seat, stamp] = asyncio.get_running_loop().call_later(wait, self._had, seat, stamp)

    def _had(self, seat: int, stamp: int) -> None:
        if self.room.row.chairs[seat].shown <= stamp:
            self.shown([seat], stamp)
            for screen in self.room.screens:
                if seat in screen.mine:
                    screen.dirty.set()

    def stop(self) -> None:
        for timer in self._sent.values():
            timer.cancel()
