"""The processes that serve the same tables over one PostgreSQL: who lives, who looks after which table, and what they tell each other."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from typing import TYPE_CHECKING

import msgspec
import psycopg

from recollect.table.store import Database, Unkept
from recollect.table.store.news import Present, read_news
from recollect.table.store.postgres import CHANNEL, KEPT, VANISHED, Postgres
from recollect.table.store.pulse import SILENCE, SILENT

if TYPE_CHECKING:
    from recollect.table.live.room import Room
    from recollect.table.live.rooms import Rooms

log = logging.getLogger("recollect.table")

BEAT = 0.5  # seconds between two signs of life
AGAIN = 0.3  # seconds before a lost connection is tried again
AGREED = 1.0  # seconds that the clocks of machines may differ


class Town:
    """This process among the others."""

    def __init__(self, db: Database, rooms: Rooms) -> None:
        assert isinstance(db, Postgres)
        self.db = db
        self.rooms = rooms
        self.alive = {db.name}
        self.hears = False  # what the others say
        self._holder: dict[str, str] = {}  # who looks after a table that is in use here
        self._wanted: set[str] = set()  # tables for which somebody must look after
        self._claims = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._tidying: asyncio.Task[None] | None = None
        self._stopped = threading.Event()
        self._beating: threading.Thread | None = None

    def start(self) -> None:
        with contextlib.suppress(Unkept):  # else with the next beat
            self.alive |= self.db.beat()[0]
            self.db.bury()
            if abs(ahead := self.db.ahead()) > AGREED:
                log.warning("this machine's clock is %+.1f s from the database's: what is shown stays too long, or too short", ahead)
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._claim())]
        loop = asyncio.get_running_loop()
        self._beating = threading.Thread(target=self._beat, args=(loop,), name="recollect beat", daemon=True)
        self._beating.start()

    def stop(self) -> None:
        """The others take over at once."""
        self._stopped.set()
        for task in self._tasks:
            task.cancel()
        if self._beating:
            self._beating.join()
        try:
            self.db.leave()
        except Unkept as error:
            log.warning("could not say good-bye: %s", error)

    # -- who lives

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        """In a thread of its own: however busy this process is, it says that it lives."""
        missed = False  # one: the others may have taken this one for dead, and back again by a late word
        while not self._stopped.is_set():
            try:
                alive, fresh = self.db.beat()
                loop.call_soon_threadsafe(self._lives, alive, fresh or missed)
                missed = False
            except Unkept as error:
                missed = True
                log.debug("no sign of life: %s", error)
            except RuntimeError:  # the house is closed
                return
            self._stopped.wait(BEAT)

    def _lives(self, alive: set[str], fresh: bool = False) -> None:
        gone, self.alive = self.alive - alive - {self.db.name}, alive | {self.db.name}
        for process in gone:
            self._gone(process)
        if gone or fresh:  # fresh: the others took this one for dead
            self._tidying = asyncio.get_running_loop().create_task(self._tidy(fresh))
        self._claim_again(every=fresh)

    def _claim_again(self, every: bool = False) -> None:
        """What dead processes looked after, and what could not be claimed before."""
        self._wanted |= {id for id, holder in self._holder.items() if every or holder not in self.alive}
        if self._wanted:
            self._claims.set()

    def _gone(self, process: str) -> None:
        """A process died or closed: its people come to others, its tables are looked after by others."""
        self.alive.discard(process)
        log.info("process %s is gone; %s are left", process, len(self.alive))
        for room in self.rooms.all():
            room.others.gone(process)
        self._claim_again()
        self.rooms.orphaned()

    async def _tidy(self, fresh: bool) -> None:
        """What the dead held is nobody's; what this process could not say while it was taken for dead is said now."""
        with contextlib.suppress(Unkept):
            await asyncio.to_thread(self.db.bury)
            if fresh:
                await asyncio.to_thread(self.db.keep, [room.row.id for room in self.rooms.all()])
                await self.rooms.catch_up()

    # -- who looks after what

    def held(self) -> int:
        """How many tables are looked after here."""
        return sum(holder == self.db.name for holder in self._holder.values())

    def want(self, id: str) -> None:
        """A table is in use here: somebody must look after it."""
        self._wanted.add(id)
        self._claims.set()

    async def holds(self, id: str) -> bool:
        """Look after a table, unless somebody does."""
        mine = (await asyncio.to_thread(self.db.claim, [id])).get(id) == self.db.name
        if mine:
            self._holder[id] = self.db.name
        return mine

    def free(self, id: str) -> None:
        """Somebody else may look after it."""
        if self._holder.pop(id, None) == self.db.name and self.rooms.writer:
            self.rooms.writer.note(self.db.release(id), id)

    async def _claim(self) -> None:
        while True:
            await self._claims.wait()
            self._claims.clear()
            wanted, self._wanted = self._wanted, set()
            try:
                holders = await asyncio.to_thread(self.db.claim, list(wanted)) if wanted else {}
            except Unkept:
                self._wanted |= wanted  # with the next beat
                continue
            for id, holder in holders.items():
                self._held(id, holder)

    def _held(self, id: str, holder: str) -> None:
        self._holder[id] = holder
        if room := self.rooms.there(id):
            room.others.tend(holder == self.db.name)
        else:
            self.free(id)  # it was put away meanwhile

    def here(self, room: Room) -> None:
        """Somebody came to, or left, this process's pages of a table."""
        company = room.company
        there = Present(sorted(room.seats_here()), len(room.screens), company.watching(), company.liked())
        room.note(self.db.here(room.row.id, there))

    # -- what they tell each other

    async def _listen(self) -> None:
        while True:
            try:
                await self._hear()
            except (psycopg.Error, OSError) as error:
                if self.hears:
                    log.warning("the store cannot be heard: %s", str(error).strip().partition("\n")[0])
                    self.rooms.hears(False)
                self.hears = False
            await asyncio.sleep(AGAIN)

    async def _hear(self) -> None:
        async with await psycopg.AsyncConnection.connect(self.db.address, autocommit=True, options=VANISHED, **KEPT) as link:
            async with asyncio.timeout(SILENCE):
                await link.execute(f"listen {CHANNEL}")
            if self.db.pulse.gone():  # until it answers a sign of life nobody here may ask it anything
                raise OSError(SILENT)
            await self.rooms.catch_up()  # what was said while nobody listened
            self._claim_again(every=True)
            self.hears = True
            self.rooms.hears(True)
            while not self.db.pulse.gone():  # who was cut off hears neither news nor that there are none
                async for notice in link.notifies(timeout=BEAT):
                    self._heard(notice.payload)
            raise OSError(SILENT)

    def _heard(self, said: str) -> None:
        try:
            news = read_news(said)
        except msgspec.DecodeError as error:  # anybody who may ask the database may say something there
            return log.warning("nobody of ours says %.80r: %s", said, error)
        if news.by == self.db.name:
            return
        if news.what == "gone":
            self._gone(news.by)
        elif news.what == "holds":
            self._held(news.id, news.by)
        elif news.what == "free":
            if self.rooms.there(news.id):  # who looked after it may not be known here yet
                self.want(news.id)
        else:
            self.rooms.heard(news)
