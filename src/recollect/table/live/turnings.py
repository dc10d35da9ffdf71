"""The turning points of finished games of planning: found once, in a thread, one game at a time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from recollect.minds import thinking
from recollect.review.turning import Found, turning_points
from recollect.table.live.room import Room

KEPT = 200  # games whose turning points are remembered
WAITING = 20  # games that may wait to be gone through; who comes then is told to come later


class Turnings:
    """What was found, and what is being looked for: one game at a time."""

    def __init__(self) -> None:
        self._found: OrderedDict[str, asyncio.Task[Found]] = OrderedDict()
        self._room = asyncio.Semaphore(1)

    def of(self, room: Room) -> Found | None:
        """The turning points of a game; None while they are being looked for, or when too many are waited for."""
        id = room.row.id
        if id not in self._found:
            if sum(not task.done() for task in self._found.values()) >= WAITING or not thinking.ready(room.game):
                return None
            self._found[id] = asyncio.get_running_loop().create_task(self._look(room))
            while len(self._found) > KEPT:
                self._found.popitem(last=False)[1].cancel()
        task = self._found[id]
        return task.result() if task.done() else None

    def known(self, id: str) -> Found | None:
        """What was found already; nothing is looked for."""
        task = self._found.get(id)
        return task.result() if task and task.done() and not task.cancelled() and not task.exception() else None

    async def _look(self, room: Room) -> Found:
        async with self._room:
            return await asyncio.to_thread(turning_points, room.match)
