"""Companions: who may take a seat, how they play, and what a table does by itself."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from recollect.engine.match import Entry
from recollect.engine.stream import CHANCE
from recollect.minds import Mind, Random, Seated, prepare
from recollect.minds import mind as find_mind
from recollect.table.live.thinkers import think
from recollect.table.render.page import scene_of
from recollect.table.store import Overtaken, Unkept

if TYPE_CHECKING:
    from recollect.table.live.room import Room

log = logging.getLogger("recollect.table")

THINK = (0.8, 1.6)  # seconds a companion takes at least, so that people can follow


class Companions:
    """One task that looks after one table until its game is over."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.news = asyncio.Event()  # something changed at the table
        self._minds: dict[int, Seated] = {}
        self._rng = random.Random()
        self._task: asyncio.Task[None] | None = None

    @property
    def started(self) -> bool:
        return self._task is not None

    def start(self) -> None:
        if self._task is None:
            if self.room.hints.allowed or any(chair.bot for chair in self.room.row.chairs):
                prepare(self.room.game)
            self._task = asyncio.create_task(self._tend())

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    def heard(self) -> None:
        """Something changed at the table: there may be something to do."""
        if not self.room.opened or self.room.dropped or self.room.moment.over or self.due:
            self.news.set()

    @property
    def unwatched(self) -> bool:
        """Companions among themselves play only while somebody looks."""
        return not (self.room.screens or self.room.others.pages) and all(chair.bot for chair in self.room.row.chairs)

    @property
    def due(self) -> bool:
        """The table waits for no person: something is being shown to all, or a companion is asked."""
        now = self.room.moment
        return bool(now.paced) or any(self.room.row.chairs[seat].bot for seat in now.players)

    async def _tend(self) -> None:
        while not self.room.moment.over and not self.room.dropped:
            self.news.clear()
            try:
                if self.room.moment.paced:
                    await self._go_on()
                elif self.unwatched or not self.room.others.tended or not await self.companion():
                    await self.news.wait()
            except asyncio.CancelledError:
                raise
            except Overtaken:
                continue  # another process has played: it is followed
            except Unkept as error:
                log.error("table %s: %s", self.room.row.id, error)
                await asyncio.sleep(self.room.pace)
            except Exception:
                log.exception("table %s", self.room.row.id)
                await asyncio.sleep(self.room.pace)

    async def _go_on(self) -> None:
        """When what lies open has been in sight for its time, by whoever looks after the table."""
        room, at = self.room, self.room.at
        await room.exposure.over()
        await room.settled()
        due = room.moment.paced
        if room.at != at or not due:
            return  # it went on at another process, and something else may lie open by now
        if room.others.tended:
            room.play(*due)
            await room.kept()
        else:
            await self.news.wait()

    async def companion(self) -> bool:
        """Let one companion play, if one is asked."""
        room = self.room
        for seat in sorted(room.moment.players):
            if not room.row.chairs[seat].bot:
                continue
            await asyncio.sleep(self._pause(seat) * room.company.leisure() * room.pace)
            await room.settled()
            n, legal, chair = room.n, room.moment.legal(seat), room.row.chairs[seat]
            if not legal or not chair.bot:
                return True  # meanwhile somebody took back what it was to answer, or came back to the seat
            action = await think(self._think, seat, str(chair.mind), legal, list(room.match.log))
            await room.settled()
            plays = room.others.tended and room.row.chairs[seat].bot and seat not in room.company.coming
            if plays and (room.n == n or action in room.moment.legal(seat)):
                room.play(seat, action)
                await room.kept()
            return True
        return False

    def _pause(self, seat: int) -> float:
        """Time to follow a companion; within its turn a game of many small answers may be brisk (`BRISK` in its scene)."""
        brisk = getattr(scene_of(self.room.game), "BRISK", None)
        before = next((who for who, _ in reversed(self.room.match.log) if who != CHANCE), None)
        return float(brisk) if brisk and before == seat else self._rng.uniform(*THINK)

    def _think(self, seat: int, name: str, legal: Sequence[int], entries: list[Entry]) -> int:
        try:
            if seat not in self._minds:
                self._minds[seat] = Seated(self.room.game, self.room.match.options, seat, self._mind(name), seed=self.room.row.id)
            action: int | None = self._minds[seat].choose(entries)
        except Exception:
            log.exception("companion %s at table %s", name, self.room.row.id)
            action = None
        return action if action is not None and action in legal else self._rng.choice(legal)

    def _mind(self, name: str) -> Mind:
        try:
            return find_mind(self.room.game, name)
        except ValueError as error:  # it was taken out since the table was set: somebody must play on
            log.warning("table %s: %s; any legal move is played for it", self.room.row.id, error)
            return Random()
