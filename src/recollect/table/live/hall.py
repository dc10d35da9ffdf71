"""The hall: start pages that are open. Each is told of its person's tables and of those that anyone may join, whenever that changes."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from recollect.table.limits import DEAF, Allowance
from recollect.table.live.room import Room
from recollect.table.render.parts import write
from recollect.table.store import News, Row

REST = 0.5  # seconds between two lists: much may happen at many tables
ANYWAY = 15.0  # seconds after which the lists are looked at though nobody said a word: time passes
TALK = (1.0, 20.0)  # messages that a start page may send in a second for long, and at once; it has nothing to say
CONCERNS = ("moves", "row", "set")  # what other processes say that may change a list

Told = dict[str, Any]
Look = Callable[[], tuple[Told, set[str]]]  # what a page is told of a list, and the tables in it


class Hall:
    """Who has a start page open, and which tables it lists: `mine`, and `open` to anyone."""

    def __init__(self) -> None:
        self._doors: defaultdict[str, set[Door]] = defaultdict(set)  # of each person
        self._at: defaultdict[tuple[str, str], set[Door]] = defaultdict(set)  # that have a table in this list

    def news(self, room: Room) -> None:
        """Something changed at a table in use here."""
        self.changed(room.row.id, people_of(room.row), room.row.listed)

    def heard(self, news: News) -> None:
        """Another process changed something."""
        if news.what in CONCERNS:
            self.changed(news.id, news.people, news.open)

    def changed(self, id: str, people: Iterable[str], listed: bool = False) -> None:
        """Those who sit at a table, or have it in a list, look at that list again; everybody does where anyone may join."""
        for person in people:
            for door in self._doors.get(person, ()):
                door.ask("mine")
        for name in ("mine", "open"):
            for door in self._at.get((name, id), ()):
                door.ask(name)
        if listed:
            for door in [door for doors in self._doors.values() for door in doors]:
                door.ask("open")

    def lists(self, door: Door, name: str, ids: set[str]) -> None:
        """These are the tables in that list of a page now."""
        for id in door.listed[name] - ids:
            self._at[name, id].discard(door)
            if not self._at[name, id]:
                del self._at[name, id]
        for id in ids - door.listed[name]:
            self._at[name, id].add(door)
        door.listed[name] = ids

    async def serve(self, door: Door) -> None:
        """Until the page is closed."""
        self._doors[door.person].add(door)
        try:
            await door.serve(self)
        finally:
            for name in door.looks:
                self.lists(door, name, set())
            self._doors[door.person].discard(door)
            if not self._doors[door.person]:
                del self._doors[door.person]


class Door:
    """One open start page; each of its `looks` makes what it is told of a list (not on the event loop)."""

    def __init__(self, socket: WebSocket, person: str, looks: Mapping[str, Look], pace: float = 1.0) -> None:
        self.socket, self.person, self.looks, self.pace = socket, person, looks, pace
        self.listed: dict[str, set[str]] = {name: set() for name in looks}
        self._due = set(looks)
        self._fresh = asyncio.Event()

    def ask(self, name: str) -> None:
        """This list may have changed."""
        self._due.add(name)
        self._fresh.set()

    async def serve(self, hall: Hall) -> None:
        sender, allowance = asyncio.create_task(self._send(hall)), Allowance(*TALK)
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

    async def _send(self, hall: Hall) -> None:
        """The lists that have changed; a word at least all the while, so that a lost connection is noticed."""
        told: dict[str, Told] = {}
        while True:
            self._fresh.clear()
            due, self._due = self._due, set()
            message: Told = {}
            for name in sorted(due):
                now, ids = await asyncio.to_thread(self.looks[name])
                hall.lists(self, name, ids)
                message |= now if now != told.get(name) else {}
                told[name] = now
            await self._say(message or {"ping": 1})
            await self._wait()

    async def _wait(self) -> None:
        """Until there may be something to tell."""
        try:
            async with asyncio.timeout(ANYWAY):
                await self._fresh.wait()
        except TimeoutError:
            self._due = set(self.looks)
        await asyncio.sleep(REST * self.pace)

    async def _say(self, message: Told) -> None:
        if self.socket.application_state == WebSocketState.CONNECTED:
            async with asyncio.timeout(DEAF):
                await self.socket.send_text(write(message).decode())


def people_of(row: Row) -> list[str]:
    """Who sits at a table."""
    return [chair.person for chair in row.chairs if chair.person]
