"""Who sits together at a table, beside the game: seats that companions take over and give back, who gives up, who only watches."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from recollect.minds import companions, prepare
from recollect.table.limits import Allowances
from recollect.table.live import wire
from recollect.table.live.pace import Pace
from recollect.table.live.words import Words
from recollect.table.render.prose import ui_texts
from recollect.table.store import Chair, Overtaken, Statement
from recollect.table.store.beside import Aside

if TYPE_CHECKING:
    from recollect.table.live.room import Room
    from recollect.table.live.screen import Screen

FAVOURITE = "parrot"  # who stands in, where it plays
LEISURE = {"brisk": 0.4, "usual": 1.0, "unhurried": 2.0}  # how a browser likes companions to play: times their pause
CALM = 1.0  # seconds in which people who only watch may come and go before the others are told how many they are


class Company:
    """The people of one table. What happens among them is an aside: kept, then told."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.read()
        self.pace = Pace(self)
        self.words = Words(self)
        self.changes = Allowances(1.0, 20.0)  # of who sits where, a second and at once, of one person
        self.version = 0  # of what pages are told of it
        self._later: asyncio.TimerHandle | None = None
        self.hands = asyncio.Lock()  # what two tabs decide at once about a seat is done one after the other
        self.coming: set[int] = set()  # seats whose people are just coming back: no companion moves for them while that is kept

    def read(self) -> None:
        """As it is kept."""
        self.manners = self.room.store.manners(self.room.row.id)
        self.asides = self.room.store.asides(self.room.row.id)
        moved = any(aside.kind in ("lost", "carried") for aside in self.asides)  # most tables need not ask
        self.former = self.room.store.former(self.room.row.id) if moved else []
        self._n = self.asides[-1].n + 1 if self.asides else 0

    async def add(
        self, kind: str, seat: int = -1, what: str = "", change: list[Statement] | None = None, known: Callable[[], bool] = lambda: False
    ) -> bool:
        """Something happened: it is kept with all that it changes, then everybody is told. False where another process has said so."""
        while True:
            aside = Aside(self._n, self.room.now(), seat, kind, what)
            self._n += 1
            try:
                await self.room.keep_beside([*self.room.store.aside(self.room.row.id, aside), *(change or [])])
                break
            except Overtaken:  # another process was quicker: ours comes after theirs, unless that was the same
                self.read()
                if aside in self.asides:
                    break  # it was ours, which was kept though nobody heard so
                if known():
                    return False
            except BaseException:
                self.read()
                raise
        if all(known.n != aside.n for known in self.asides):  # they may have been read again before we were answered
            self.asides.append(aside)
        self.tell()
        return True

    def tell(self) -> None:
        """The company has changed: open pages are told of it, and so are the lists of who sits here."""
        self.version += 1
        for screen in self.room.screens:
            screen.beside.set()
        if self.room.news:
            self.room.news(self.room)

    def chairs(self, place: int) -> list[Chair]:
        """Who sat where when an entry of the log was made: those who have given up, or lost the seat, sat there before."""
        chairs, left = self.room.row.chairs, [aside for aside in self.asides if aside.kind in ("gave_up", "lost")]
        if not left:
            return chairs
        at = self.room.times[place] if place >= 0 else 0.0
        gone = {aside.seat: aside.what for aside in left if aside.at >= at}
        return [Chair("link", gone[seat]) if seat in gone else chair for seat, chair in enumerate(chairs)]

    # -- who may

    def decides(self, person: str, seat: int) -> bool:
        """The host decides what follows for a seat whose person is late or away; of the host's own seat, whoever else sits here."""
        return self.room.row.settles(person, seat) and (seat in self.pace.late() or seat not in self.room.present())

    # -- a companion takes over

    def substitute(self) -> str:
        """Who stands in."""
        offered = companions(self.room.game)
        return FAVOURITE if FAVOURITE in offered else offered[-1]

    async def stand_in(self, seat: int) -> None:
        """A companion plays on for somebody; the seat stays theirs."""
        async with self.hands:
            if not self.room.row.chairs[seat].bot:
                await self._lend("taken", seat, self.substitute())

    async def back(self, seats: list[int]) -> None:
        """Somebody is here again: what a companion had taken over is theirs."""
        if not any(self.room.row.chairs[seat].lent for seat in seats):
            return  # nearly always: a move waits for nothing here
        async with self.hands:
            for seat in seats:
                if self.room.row.chairs[seat].lent:
                    self.coming.add(seat)
                    try:
                        await self._lend("back", seat, None)
                    finally:
                        self.coming.discard(seat)

    async def _lend(self, kind: str, seat: int, mind: str | None) -> None:
        """A companion plays for somebody, or does so no more."""
        was = self.room.row.chairs[seat]
        change = self.room.store.sat(self.room.row.id, seat, was, mind=mind)
        await self.add(kind, seat, mind or str(was.mind), change, lambda: self._as_kept(seat).mind == mind)
        chair = self.room.row.chairs[seat]  # the row may have been read again meanwhile
        if (chair.kind, chair.person) == (was.kind, was.person):  # else it was not stored either: somebody else has the seat by now
            chair.mind = mind
        self._changed()

    async def more(self, seat: int) -> None:
        """Time anew for somebody who is late."""
        await self.add("more", seat, known=lambda: seat not in self.pace.late())
        self._changed()

    async def give_up(self, seat: int, kind: str = "gave_up") -> None:
        """A companion has the seat from now on; who sat there sits here no more, because they said so, or `lost` it."""
        async with self.hands:
            await self._leave(seat, kind)

    async def _leave(self, seat: int, kind: str) -> None:
        row, chair, mind = self.room.row, self.room.row.chairs[seat], self.substitute()
        if chair.kind == "bot":
            return
        change = self.room.store.passes_on(row.id, seat)
        change += self.room.store.sat(row.id, seat, kind="bot", mind=mind, person=None, name=mind.capitalize(), secret=None)
        if chair.person:
            change += (self.room.store.lost if kind == "lost" else self.room.store.given_up)(row.id, seat, chair.person)
        if not await self.add(kind, seat, chair.name, change, lambda: self._as_kept(seat).kind == "bot"):
            return  # at another process, in the same instant
        row, stored = self.room.row, self.room.store.row(self.room.row.id)  # ours may have been read again meanwhile
        row.chairs[seat], row.host = Chair("bot", mind.capitalize(), mind=mind, shown=row.chairs[seat].shown), stored.host if stored else ""
        self.former = self.room.store.former(row.id) if kind == "lost" else self.former
        for screen in self.room.screens:
            screen.find_seats()
        self._changed()

    def _as_kept(self, seat: int) -> Chair:
        """Who has the seat, whatever this process has heard of it."""
        return (self.room.store.row(self.room.row.id) or self.room.row).chairs[seat]

    async def carry_out(self, what: str, seat: int, mine: bool) -> None:
        """What was decided about a seat, by its own person or by who decides for the others."""
        if what == "stand_in":
            await self.stand_in(seat)
        elif what == "give_up":
            await self.give_up(seat, "gave_up" if mine else "lost")
        elif what == "back":
            await self.back([seat])
        elif seat in self.pace.late():
            await self.more(seat)

    def _changed(self) -> None:
        """A seat is played by another: the table goes on with it."""
        if any(chair.bot for chair in self.room.row.chairs):
            prepare(self.room.game)
        self.pace.wind()
        self.version += 1
        self.room.tell()

    # -- before the game begins

    def declined(self) -> list[int]:
        """The seats whose people said that they would rather not come."""
        return [aside.seat for aside in self.asides if aside.kind == "declined" and self.room.row.chairs[aside.seat].free]

    def expected(self) -> list[int]:
        """The seats kept for people of the table before, who were asked to play again and have not answered."""
        chairs, declined = self.room.row.chairs, self.declined()
        kept = [aside.seat for aside in self.asides if aside.kind == "expected" and chairs[aside.seat].name == aside.what]
        return [seat for seat in kept if chairs[seat].free and seat not in declined]

    def vacancy(self, seat: int, name: str) -> list[Statement]:
        """The seat is free again, for whoever has the link; for anybody if it was so before a companion sat there."""
        was = self.room.row.chairs[seat]
        before = next((aside.what for aside in reversed(self.asides) if (aside.kind, aside.seat) == ("sat", seat)), "")
        kind = "open" if was.kind == "open" or (was.kind == "bot" and before == "open") else "link"
        change = {"kind": kind, "mind": None, "person": None, "name": name, "secret": secrets.token_hex(8)}
        return self.room.store.sat(self.room.row.id, seat, was, **change)

    # -- who only watches

    def leisure(self) -> float:
        """How long companions take: as the most patient of those who play, here or at another process, like it."""
        liked = [self.liked(), *(there.leisure for there in self.room.others.pages.values())]
        return max((leisure for leisure in liked if leisure is not None), default=1.0)

    def liked(self) -> float | None:
        """So those like it who play at this process's pages; nobody says so where none of them does."""
        return max((screen.leisure for screen in self.room.screens if screen.mine), default=None)

    def spectators(self) -> int:
        return self.watching() + sum(there.watching for there in self.room.others.pages.values())

    def watching(self) -> int:
        """Who only watches at this process's pages."""
        return len({screen.person for screen in self.room.screens if not screen.mine})

    def came_or_went(self) -> None:
        """Somebody who only watches: the others are told soon, once for many."""
        if self._later is None:
            self._later = asyncio.get_running_loop().call_later(CALM * self.room.pace, self._count)

    def _count(self) -> None:
        self._later = None
        self.tell()

    def stop(self) -> None:
        if self._later:
            self._later.cancel()
            self._later = None


# -- what people of a table ask for, beside the game


async def hear(screen: Screen, message: wire.Beside) -> str:
    """Returns why it was not done, if it was not. Nothing of this waits for the game, and the game waits for nothing of it."""
    if isinstance(message, wire.Decide):
        return await decide(screen, message)
    if isinstance(message, wire.Fill):
        return await fill(screen, message)
    if isinstance(message, wire.Decline):
        return await decline(screen)
    if isinstance(message, wire.Say):
        return await screen.room.company.words.say(screen, message.what)
    screen.leisure = LEISURE[message.companions]
    screen.room.counted()
    return ""


async def decide(screen: Screen, message: wire.Decide) -> str:
    """About one's own seat, or as the host about one whose person is late or away."""
    room, company, ui = screen.room, screen.room.company, ui_texts(screen.language)
    if not room.row.ready:
        return ui("why.waiting")
    if not company.changes.may(screen.person):
        return ui("why.changes")
    await room.settled()  # who is late may be playing just now
    if room.moment.over:
        return ui("why.over")
    seats = screen.mine if message.seat < 0 else [message.seat]
    mine = bool(seats) and set(seats) <= set(screen.mine)
    if not mine and not (len(seats) == 1 and seats[0] < len(room.row.chairs) and company.decides(screen.person, seats[0])):
        return ui("why.decide")
    if message.what == ("more" if mine else "back"):
        return ui("why.decide")
    if not mine and message.what == "give_up" and seats[0] not in company.pace.late():
        return ui("why.not_late")
    for seat in list(seats):
        await company.carry_out(message.what, seat, mine)
    if mine and message.what == "give_up":
        screen.go("/")
    return ""


async def fill(screen: Screen, message: wire.Fill) -> str:
    """In the lobby: the host gives an empty seat to a companion, or takes it from one; anybody may leave their own again."""
    room, ui, seat = screen.room, ui_texts(screen.language), message.seat
    if room.row.ready or screen.house is None or not 0 <= seat < len(room.row.chairs):
        return ui("why.decide")
    if not room.company.changes.may(screen.person):
        return ui("why.changes")
    chair, host = room.row.chairs[seat], room.row.host == screen.person
    if message.mind and host and chair.free and message.mind in companions(room.game):
        change = room.store.sat(room.row.id, seat, chair, kind="bot", mind=message.mind, name=message.mind.capitalize())
    elif not message.mind and ((host and chair.kind == "bot") or (not host and chair.person == screen.person)):
        change = room.company.vacancy(seat, ui("seat.nobody", n=seat + 1))
    else:
        return ui("why.decide")
    await room.company.add("sat", seat, chair.kind, [*change, *room.store.listing(room.row.id)])
    screen.house.rooms.read_again(room)
    return ui("join.taken") if message.mind and room.row.chairs[seat].mind != message.mind else ""  # somebody was quicker


async def decline(screen: Screen) -> str:
    """Somebody would rather not play again: it is said at the table where they are waited for."""
    room, ui = screen.room, ui_texts(screen.language)
    there = await screen.house.rooms.get(room.row.rematch) if screen.house and room.row.rematch else None
    seats = [seat for seat in screen.mine if there and there.row.chairs[seat].free and seat not in there.company.declined()]
    if not there or not seats:
        return ui("why.decide")
    for seat in seats:
        await there.company.add("declined", seat)
    there.tell()  # whom they wait for there has changed
    room.company.tell()
    return ""
