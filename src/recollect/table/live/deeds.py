"""What the people before a screen do: each deed is done, or it is said why not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from recollect.engine.look import Look, Moment
from recollect.engine.match import Refused
from recollect.table.live import company, wire
from recollect.table.live.room import Dropped
from recollect.table.live.wire import Act, Here, Hold, Seen, Sit, Try, Undo
from recollect.table.render.page import scene_of
from recollect.table.render.prose import game_texts, listed, ui_texts
from recollect.table.store import Overtaken

if TYPE_CHECKING:
    from recollect.table.live.screen import Screen

OVERTAKEN = 5  # times that a click tries again when others at the table are quicker
RECENT = 100  # entries of the log in which a click that is sent again is looked for


class Deeds:
    """Of one screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.room, self.language = screen, screen.room, screen.language

    async def do(self, message: wire.Message) -> str:
        """Returns why it was not done, if it was not; what was not stored, or comes to a room that is dropped, is raised."""
        ui = ui_texts(self.language)
        if not isinstance(message, wire.Beside):
            await self.room.settled()  # from here to the change nobody else comes between
        if self.room.dropped:
            raise Dropped(self.room.row.id)
        if isinstance(message, wire.Beside):
            return await company.hear(self.screen, message)
        if isinstance(message, Here):
            self.screen.away = not message.yes
            self.screen.dirty.set()
            await self.screen.welcome()
            return ""
        if not self.room.row.ready:
            return ui("why.waiting")
        if isinstance(message, wire.Shown):
            await self.was_shown(message.stamp)
            return ""
        if not self.screen.mine:
            return ui("why.spectator")
        if self.screen.place() and self.screen.hidden and not isinstance(message, Sit):
            self.screen.dirty.set()
            return ui("why.curtain")
        if isinstance(message, Act):
            await self.room.company.back([self._actor()])  # who plays is here
            await self.room.settled()  # the companion that played for them may have moved meanwhile
            return await self._click(message) if self.screen.mine else ui("why.spectator")
        if isinstance(message, Try):
            return self._why(message.action)
        if isinstance(message, Seen | Hold):
            return self._saw(message)
        if isinstance(message, Undo):
            return await self._take_back(message)
        if isinstance(message, wire.Hint):
            return await self._hint(message)
        if isinstance(message, Sit):
            return self.sit(message.seat)
        return await self._again()

    async def _done(self, change: Callable[[], str]) -> str:
        """Stored; where another process was quicker, asked again of the table as it stands then."""
        for _ in range(OVERTAKEN):
            why = change()
            try:
                await self.room.kept()
                await self.room.settled()
                return why
            except Overtaken:
                await self.room.settled()
        return ui_texts(self.language)("why.stale")

    async def was_shown(self, stamp: int) -> None:
        """Only in order, and only what was shown."""
        missed = self.screen.missed()
        if self.screen.mine and stamp == (missed[0] if missed else self.room.at if self.room.moment.paced else None):
            self.room.exposure.shown(self.screen.mine, stamp)
            if missed:
                self.screen.dirty.set()

    def _saw(self, message: Seen | Hold) -> str:
        if message.n == self.room.n and not self.screen.missed():
            exposure = self.room.exposure
            (exposure.saw if isinstance(message, Seen) else exposure.wait)(self.screen.mine)
        return ""

    def _actor(self) -> int:
        """The seat for which a click on this screen is meant."""
        return self.screen.seat if self.screen.seat in self.screen.mine else self.screen.mine[0]

    async def _click(self, message: Act) -> str:
        """One click: its action, those it stands for besides, and answers that leave no choice, kept as one change."""
        room, seat, rest = self.room, self._actor(), list[int]()
        if room.played.get(self.screen.person) == message:
            return ""  # sent again by a page that lost its connection before it heard the answer
        why = await self._done(lambda: self._old(message) or self._act(seat, message, rest))
        if why and self._kept(message):
            return ""  # sent again by a page that lost the process itself
        return why or self._not_all(seat, message, rest)

    def _not_all(self, seat: int, message: Act, rest: list[int]) -> str:
        """Of a click that stands for several actions not all could be played: who sends it again is not told that it was done."""
        room = self.room
        if not rest or seat not in room.moment.acting:
            return ""
        if room.played.get(self.screen.person) == message:
            del room.played[self.screen.person]
        return self._why(rest[0]) if seat in self.screen.mine else self._lost()

    def _old(self, message: Act | Undo) -> str:
        """Why a click on a page of another moment is not done."""
        if message.n > self.room.n and self.room.town:
            self.room.follow()  # who comes from another process may have seen what this one has not heard of yet
        if not self.screen.missed() and not self._stale(message):
            return ""
        self.screen.dirty.set()
        return ui_texts(self.language)("why.stale")

    def _act(self, seat: int, message: Act, rest: list[int]) -> str:
        """Play the action that was clicked and what follows from it; `rest` is what could not be played."""
        room, rest[:] = self.room, message.then
        if seat not in self.screen.mine:
            return self._lost()
        if message.action in room.game.paced or not 0 <= message.action < room.game.actions.count:
            return self._why(message.action)
        try:
            room.play(seat, message.action, (self.screen.person, message), lambda now: self._following(seat, rest, now))
        except Refused:
            self.screen.dirty.set()
            return self._why(message.action)
        return ""

    def _following(self, seat: int, rest: list[int], now: Moment) -> int | None:
        """What the click stands for besides, as long as it is legal in its turn; then what is forced."""
        if seat not in now.acting:
            return None
        if rest:
            return rest.pop(0) if rest[0] in now.legal(seat) and rest[0] not in self.room.game.paced else None
        return self._forced(seat, now)

    def _lost(self) -> str:
        """While they waited for another process, the seat became somebody else's."""
        self.screen.dirty.set()
        return ui_texts(self.language)("why.spectator")

    def _forced(self, seat: int, now: Moment) -> int | None:
        """The answer that the game's scene says need not be asked for."""
        room = self.room
        forced = getattr(scene_of(room.game), "forced", None)
        if forced is None or now.paced:
            return None
        return cast("int | None", forced(Look.of(now, seat, room.names(self.language), game_texts(room.game, self.language))))

    def _stale(self, message: Act | Undo | wire.Hint) -> bool:
        """The page was of another moment, since when somebody at this screen has moved or took something back; or of another seat."""
        if message.seat not in (None, self.screen.seat):
            return True
        return not 0 <= message.n <= self.room.n or not set(self.screen.mine).isdisjoint(self.room.rows[message.n :])

    def _kept(self, message: Act) -> bool:
        """What was clicked is in the log, next after what the page had seen: who played it could not say so any more."""
        seats = [seat for seat in self.screen.mine if message.seat in (None, seat)]
        recent = message.n >= 0 and 0 < self.room.n - message.n <= RECENT
        since = self.room.store.entries(self.room.row.id, message.n) if seats and recent else []
        asked = [message.action, *message.then]
        return any([action for who, action, _ in since if who == seat][: len(asked)] == asked for seat in seats)

    def _why(self, action: int) -> str:
        """Why not, in the game's words."""
        room, ui = self.room, ui_texts(self.language)
        if not 0 <= action < room.game.actions.count:
            return ui("error.action", n=action)
        if room.moment.over:
            return ui("why.over")
        if room.moment.paced or self.screen.missed():
            return ui("why.showing")
        look = Look.of(room.moment, self._actor(), room.names(self.language), game_texts(room.game, self.language))
        if look.seat not in look.acting:
            names = [look.names[seat] for seat in sorted(look.acting)]
            return ui("why.turn", name=listed(names, ui))
        if action in look.legal:
            return ui("why.now")
        return str(scene_of(room.game).why(look, action))

    async def _take_back(self, message: Undo) -> str:
        """What one click did is taken back as one, as far as it can be."""
        seat = self._actor()
        if why := self._old(message):
            return why
        return await self._done(partial(self._undo, seat, self.room.clicked(seat)))

    def _undo(self, seat: int, most: int) -> str:
        if seat not in self.screen.mine:
            return self._lost()
        try:
            self.room.undo(seat, most)
        except Refused:
            return ui_texts(self.language)("why.undo")
        return ""

    async def _hint(self, message: wire.Hint) -> str:
        """A hint for the seat on this screen, thought out elsewhere; the table may have gone on meanwhile."""
        room, ui, seat = self.room, ui_texts(self.language), self._actor()
        if self.screen.missed() or self._stale(message) or not room.hints.may(seat):
            self.screen.dirty.set()
            return ui("why.hints") if not room.hints.allowed else ui("why.stale")
        if not room.hints.ready:
            return ui("why.hint_later")
        at = await room.hints.find(seat)
        await room.settled()
        if room.at != at or room.dropped:
            return ui("why.stale")
        if (at, seat) not in room.hints.taken:
            room.take_hint(seat)
            try:
                await room.kept()
            except Overtaken:  # another process has moved: it would be of another moment
                return ui("why.stale")
        return ""

    def sit(self, seat: int) -> str:
        if seat not in self.screen.mine:
            return ui_texts(self.language)("why.seat")
        self.screen.seat = self.screen.sure = seat
        self.screen.dirty.set()
        return ""

    async def _again(self) -> str:
        if not self.room.moment.over or self.screen.house is None:
            return ui_texts(self.language)("why.not_over")
        id = await self.screen.house.again(self.room, self.screen.person)
        for screen in list(self.room.screens):
            if screen.person == self.screen.person:
                screen.go(f"/t/{id}")
        return ""
