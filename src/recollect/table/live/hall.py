"""The hall: start pages that are open. Each is told of its person's tables, whenever something changes at one of them."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from recollect.table.limits import DEAF, Allowance
from recollect.table.live.pages import encoded
from recollect.table.live.room import Room

REST = 0.5  # seconds between two lists: much may happen at many tables
ANYWAY = 15.0  # seconds after which the list is looked at though nobody said a word: time passes, and other processes play too
TALK = (1.0, 20.0)  # messages that a start page may send in a second for long, and at once; it has nothing to say

Told = dict[str, Any]


class Hall:
    """Who has a start page open."""

    def __init__(self) -> None:
        self._doors: defaultdict[str, set[Door]] = defaultdict(set)

    def news(self, room: Room) -> None:
        """Something changed at a table: those who sit there look at their lists again."""
        for person in {chair.person for chair in room.row.chairs}:
            for door in self._doors.get(person or "", ()):
                door.fresh.set()

    async def serve(self, door: Door) -> None:
        """Until the page is closed."""
        self._doors[door.person].add(door)
        try:
            await door.serve()
        finally:
            self._doors[door.person].discard(door)
            if not self._doors[door.person]:
                del self._doors[door.person]


class Door:
    """One open start page; `look` makes what it is told (not on the event loop)."""

    def __init__(self, socket: WebSocket, person: str, look: Callable[[], Told], pace: float = 1.0) -> None:
        self.socket, self.person, self.look, self.pace = socket, person, look, pace
        self.fresh = asyncio.Event()

    async def serve(self) -> None:
        sender, allowance = asyncio.create_task(self._send()), Allowance(*TALK)
        try:
            while (await self.socket.receive())["type"] == "websocket.receive":
                if allowance.take():
                    await self.socket.close(4429, "a start page has nothing to say")
                    return
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)

    async def _send(self) -> None:
        """The list, when it has changed; a word at least all the while, so that a lost connection is noticed."""
        told: Told | None = None
        while True:
            self.fresh.clear()
            now = await asyncio.to_thread(self.look)
            await self._say(now if now != told else {"ping": 1})
            told = now
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ANYWAY):
                    await self.fresh.wait()
            await asyncio.sleep(REST * self.pace)

    async def _say(self, message: Told) -> None:
        if self.socket.application_state == WebSocketState.CONNECTED:
            async with asyncio.timeout(DEAF):
                await self.socket.send_text(encoded(message))
