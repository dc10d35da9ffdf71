"""What all requests share: the store, the tables in use, the key that signs cookies."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from itsdangerous import URLSafeSerializer
from starlette.requests import HTTPConnection

from recollect.engine.game import Game
from recollect.engine.stream import new_seed
from recollect.table.limits import Visits
from recollect.table.live.room import Room
from recollect.table.live.rooms import Rooms
from recollect.table.own.own import Own
from recollect.table.render.timeline import Timeline
from recollect.table.store import Chair, Row, Store
from recollect.table.store.sqlite import SQLite
from recollect.table.writer import Writer

if TYPE_CHECKING:
    from recollect.table.live.town import Town


class House:
    """What all requests share."""

    def __init__(self, where: Path | str, pace: float) -> None:
        self.store = Store(where)
        self.writer = Writer(self.store)
        self.rooms = Rooms(self.store, pace, self.writer)
        self.rooms.town = town_of(self.rooms)
        self.visits = Visits()
        self.own = Own(self.store, self.rooms)
        self.verified: dict[str, tuple[int, str]] = {}  # finished tables that somebody had checked
        self.timelines: dict[str, Timeline] = {}  # finished tables that somebody looked back at
        self.signer = URLSafeSerializer(self.store.secret(), salt="recollect")

    def start(self) -> None:
        """From now on tables go on by themselves."""
        if self.rooms.town:
            self.rooms.town.start()
        self._waking = asyncio.create_task(self.rooms.wake())

    def close(self) -> None:
        """What is on its way is stored first; then others may take over."""
        self._waking.cancel()
        self.rooms.close()
        self.writer.close()
        if self.rooms.town:
            self.rooms.town.stop()
        self.store.close()

    def open_table(self, game: Game, options: Mapping[str, Any], host: str, listed: bool, chairs: list[Chair]) -> str:
        """A new table with a sealed seed."""
        seed, now, id = new_seed(), time.time(), secrets.token_urlsafe(6).replace("-", "x").replace("_", "y")
        row = Row.of(game, id=id, options=dict(options), seed=seed, host=host, listed=listed, created=now, moved=now, chairs=chairs)
        self.store.create(row)
        return id

    async def again(self, room: Room) -> str:
        """The same people, the same options, a new shuffle."""
        row = room.row
        chairs = [Chair(c.kind, c.name, c.person, c.mind, secrets.token_hex(8) if c.secret else None) for c in row.chairs]
        id = self.open_table(room.game, row.options, row.host, row.listed, chairs)
        row.rematch = self.store.rematch(row.id, id)
        if row.rematch != id:
            self.store.remove(id)  # somebody at another process was quicker
        return row.rematch


def house_of(connection: HTTPConnection) -> House:
    house: House = connection.app.state.house
    return house


def town_of(rooms: Rooms) -> Town | None:
    """The other processes, where there may be any."""
    if isinstance(rooms.store.db, SQLite):
        return None
    from recollect.table.live.town import Town

    return Town(rooms.store.db, rooms)
