"""The tables in use in this process: opened when somebody comes, put away when nobody looks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from recollect.engine.shelf import games, load
from recollect.table.live.room import Gone, Outdated, Room
from recollect.table.store import News, Removed, Row, Store, Unkept
from recollect.table.store.database import UNREAD
from recollect.table.writer import Writer

if TYPE_CHECKING:
    from recollect.table.live.town import Town

log = logging.getLogger("recollect.table")

MANY = 100  # tables kept in memory before idle ones are put away
FORGOTTEN = 1_000  # tables put away of which is known what their seats have had
WOKEN = 50  # tables that go on by themselves after a start, at most
REST = 0.1  # seconds for the last answers to leave
LATER, LATEST = 2.0, 60.0  # seconds until they are tried again, when the store failed; one that fails again and again, at most
BREATH = 0.2  # seconds between two of them, for whoever comes meanwhile


class Rooms:
    """The tables in use in this process."""

    def __init__(self, store: Store, pace: float = 1.0, writer: Writer | None = None, now: Callable[[], float] = time.time) -> None:
        self.store = store
        self.writer = writer
        self.pace = pace
        self.now = now
        self.trouble = ""  # why the store keeps nothing just now, if it does not
        self.deaf = False  # other processes, and the store, cannot be heard just now
        self._warned = ""  # what everybody was told of it
        self.news: Callable[[Room], None] | None = None  # hears what changed at any table
        self.rumour: Callable[[News], None] | None = None  # hears what other processes changed at any table
        self.town: Town | None = None  # the other processes that serve these tables
        self._rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Task[Room | None]] = {}  # tables that are just being read
        self._meanwhile: dict[str, list[News]] = {}  # what was heard of them
        self._orphans: asyncio.Task[None] | None = None
        self._anew = asyncio.Event()  # there may be more tables that should go on by themselves
        self._had: dict[str, list[int]] = {}  # what each seat of a table that was put away has had of what was shown

    def all(self) -> Iterable[Room]:
        return list(self._rooms.values())

    def there(self, id: str) -> Room | None:
        """The room of a table, if it is in use."""
        return self._rooms.get(id)

    async def get(self, id: str) -> Room | None:
        """The room of a table, opened if need be; None if there is no such table. Others are answered meanwhile."""
        if "\0" in id:  # no database would look for that
            return None
        while id not in self._rooms:
            if id not in self._opening:  # whoever comes at the same time waits for the same room
                self._opening[id] = asyncio.create_task(self._open(id))
            room = await asyncio.shield(self._opening[id])
            if room is None or not room.dropped:  # else it was put away again before this one's turn
                return room
        return self._rooms[id]

    async def _open(self, id: str) -> Room | None:
        heard: list[News] = []
        self._meanwhile[id] = heard
        try:
            if room := await asyncio.to_thread(self._read, id):
                self._make_way()
                self._rooms[id] = room
                if room.row.ready:
                    self._start(room)
                for news in heard:
                    self.heard(news)
            return room
        finally:
            del self._opening[id], self._meanwhile[id]

    def _start(self, room: Room) -> None:
        """The game goes on; somebody looks after the table."""
        room.start()
        if self.town:
            self.town.want(room.row.id)

    def _read(self, id: str) -> Room | None:
        """A table as it is stored."""
        row = self.store.row(id)
        if row is None:
            return None
        if row.game not in games():
            raise Gone(id)
        self._remember(row)
        room = Room(row, self.store, self.pace, self._forget, self.writer, self.town, self.now)
        room.news = self.news
        if self.town:
            room.others.pages = self.town.db.present(id)
        if not row.result:
            room.check()
        try:
            if row.ready:
                room.open()
        except Removed:  # just now
            return None
        return room

    def _remember(self, row: Row) -> None:
        """What a seat has had of what was shown, though it could not be kept while the store was away: nobody is shown it twice."""
        for seat, (chair, had) in enumerate(zip(row.chairs, self._had.get(row.id, ()), strict=False)):
            if had > chair.shown:
                chair.shown = had
                self.store.write(self.store.shown(row.id, [seat], had))
        self._had.pop(row.id, None)

    async def wake(self) -> None:
        """After a start, or when another process is gone: the latest tables that wait for no person go on. Where the store fails, later:
        all of them where it could not say which, else those that failed, more and more seldom."""
        left, pause = await self._wake(), LATER
        while left != [] or self._anew.is_set():
            if await self._more(pause) or left is None:
                left, pause = await self._wake(), LATER
            else:
                left, pause = await self._wake(left), min(2 * pause, LATEST)

    async def _more(self, pause: float) -> bool:
        """Wait; less long, and true, when another process is gone or the store is back meanwhile: all of them are looked through again."""
        try:
            async with asyncio.timeout(pause * self.pace):
                await self._anew.wait()
        except TimeoutError:
            return False
        return True

    async def _wake(self, ids: list[str] | None = None) -> list[str] | None:
        """One after the other, and pages come before them; those that failed, or None where the store could not say."""
        left = []
        try:
            if ids is None:
                self._anew.clear()
                ids = [row.id for row in self.store.unfinished(WOKEN) if may_go_on(row)]
            for id in ids:
                await asyncio.sleep(BREATH * self.pace)
                if id not in self._rooms and (not self.town or await self.town.holds(id)) and not await self._wake_one(id):
                    left.append(id)
        except Unkept as error:
            log.warning("tables that should go on by themselves: %s", error)
            return None
        return left

    async def _wake_one(self, id: str) -> bool:
        room, read = None, True
        try:
            room = await self.get(id)
        except Outdated:  # it says so to who comes
            pass
        except Unkept as error:
            log.warning("table %s, which should go on by itself: %s", id, error)
            read = False
        if room is None and self.town:
            self.town.free(id)
        elif room and not room.screens and not room.companions.due:
            room.drop()
        return read

    def _make_way(self) -> None:
        """Tables that nobody looks at are put away; they are rebuilt when somebody comes back."""
        if len(self._rooms) >= MANY:
            for room in list(self._rooms.values()):
                if not room.screens and room.writing is None:
                    room.drop()  # whoever is just on the way there is told to come again

    async def sit(self, id: str, seat: int, person: str, name: str) -> bool:
        """Somebody takes a free seat; when it was the last one, the game begins."""
        room = await self.get(id)
        if room is None:
            return False
        room.check()
        async with room.company.hands:
            taken = await asyncio.to_thread(self.store.sit, id, seat, person, name)
            if room := await self.get(id):  # it may have been put away meanwhile
                self.read_again(room)
        return taken

    def read_again(self, room: Room) -> None:
        """Somebody sat down, or the table changed in another way."""
        row = self.store.row(room.row.id)
        if row is None:
            return self._gone(room)
        for had, chair in zip(room.row.chairs, row.chairs, strict=True):
            chair.shown = max(chair.shown, had.shown)
        room.row = row
        room.company.read()
        if row.ready and not room.companions.started:
            try:
                room.open()
            except Removed:
                return self._gone(room)
            except BaseException:
                room.drop()  # it is opened anew when somebody comes
                raise
            self._start(room)
        for screen in room.screens:
            screen.find_seats()
        room.company.version += 1
        room.tell()
        self._answer(room.row.id)

    def _answer(self, id: str) -> None:
        """What has become of a rematch is told at the table before it: a seat that is kept no longer is offered no longer."""
        for before in self.all():
            if before.row.rematch == id:
                before.company.tell()

    async def clear(self, id: str, person: str) -> bool:
        """The host gives a table up: it is gone."""
        room = await self.get(id)
        if room is None:
            return False
        async with room.company.hands:  # nobody sits down in between
            await room.settled()
            try:
                while (row := self.store.row(id)) and row.removable(person):
                    room.dropped = True  # nobody plays on there while it is taken away; off the loop, for a disk takes its time
                    with contextlib.suppress(Removed):  # at another process somebody was quicker: it is as they left it
                        await asyncio.to_thread(self.store.remove, row)
                        self._gone(room)
                        return True
            finally:
                if room.dropped and self.there(id) is room:
                    room.drop()  # it is still there: whoever comes finds it as it is kept
        return False

    def _gone(self, room: Room) -> None:
        """There is no such table any more: nobody plays on there, neither a companion nor who has not heard of it."""
        room.dropped = True
        room.stop()
        self._forget(room)
        if self.news:
            self.news(room)
        for screen in list(room.screens):
            screen.go("/" if screen.person == room.row.host else "/?closed")
        self._answer(room.row.id)

    async def renew(self, ids: Iterable[str]) -> None:
        """What is kept of these tables was changed as a whole: whoever is there is shown them anew."""
        for id in ids:
            if room := self._rooms.get(id):
                await room.settled()
                room.drop(fault=False)

    def _forget(self, room: Room) -> None:
        if self._rooms.get(room.row.id) is room:
            del self._rooms[room.row.id]
            self._had[room.row.id] = [chair.shown for chair in room.row.chairs]
            while len(self._had) > FORGOTTEN:
                del self._had[next(iter(self._had))]
            if self.town:
                self.town.free(room.row.id)

    # -- what other processes do

    def heard(self, news: News) -> None:
        """Another process has stored something of a table; it matters to start pages, and where the table is in use."""
        if self.rumour:
            self.rumour(news)
        room = self._rooms.get(news.id)
        if room is None:
            if news.id in self._meanwhile:
                self._meanwhile[news.id].append(news)
            if news.what == "row":
                self._answer(news.id)
            return
        with self._or_dropped(room):
            if news.what == "row":
                self.read_again(room)
            else:
                room.others.heard(news)

    @contextlib.contextmanager
    def _or_dropped(self, room: Room) -> Iterator[None]:
        """What goes wrong at one table is no reason to listen no more: it is read again when somebody comes."""
        try:
            yield
        except Unkept as error:
            log.error("table %s: %s", room.row.id, error)
            room.drop()
        except Exception:
            log.exception("table %s", room.row.id)
            room.drop()

    async def catch_up(self) -> None:
        """Nobody may have listened for a while: what was stored meanwhile is read, and the others are told who is here."""
        for room in self.all():
            if room.dropped or self._rooms.get(room.row.id) is not room:
                continue
            with self._or_dropped(room):
                await room.settled()
                if self.town:
                    room.others.pages = self.town.db.present(room.row.id)
                    self.town.here(room)
                self.read_again(room)
                if room.opened and not room.dropped and room.writing is None:
                    room.follow()
            await asyncio.sleep(0)

    def keeps(self, trouble: str) -> None:
        """How the store is: everybody is told once when its trouble begins, and once when it is over."""
        before, self.trouble = self.trouble, trouble
        if bool(trouble) != bool(before):
            log.warning(trouble or "the store keeps what is played again")
        if before and not trouble:
            self._anew.set()
        self._say_how_it_is()

    def hears(self, well: bool) -> None:
        """The town hears what others do, or it does not; mostly that is known before anybody asks how the store is."""
        self.deaf = not well
        self._say_how_it_is()

    def _say_how_it_is(self) -> None:
        """Once for all that is wrong at the same time, in the words of what was found first."""
        away = self.deaf or (self.town is not None and self.trouble.startswith(UNREAD))
        before, self._warned = self._warned, "away" if away else "strip" if self.trouble else ""
        if bool(before) != bool(self._warned):
            self.warn(self._warned or "over")

    def warn(self, what: str) -> None:
        """Everybody at every table should know."""
        for room in self.all():
            for screen in room.screens:
                screen.warn(what)

    def orphaned(self) -> None:
        """A process is gone: the tables that it looked after, and nobody comes to, go on here or elsewhere."""
        self._anew.set()
        if self._orphans is None or self._orphans.done():
            self._orphans = asyncio.get_running_loop().create_task(self.wake())

    async def rest(self) -> None:
        """The house is about to close: what people have begun is stored and answered, and nothing new is begun."""
        for room in self.all():
            room.resting = True
        for room in self.all():
            await room.settled()
        await asyncio.sleep(REST)

    def close(self) -> None:
        if self._orphans:
            self._orphans.cancel()
        for room in self._rooms.values():
            room.stop()


def may_go_on(row: Row) -> bool:
    """Everyone sits, and a companion is asked or something may be being shown to all."""
    return row.ready and row.game in games() and (any(row.chairs[seat].bot for seat in row.acting) or bool(load(row.game).paced))
