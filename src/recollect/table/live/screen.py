"""A page that is open: one WebSocket. It is sent what its seat sees, and says what its people do."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from recollect.engine.look import Look
from recollect.engine.match import Refused
from recollect.table.limits import BREATH, BURST, DEAF, MESSAGES, Allowance
from recollect.table.live import company, wire
from recollect.table.live.pages import Message, Shown, encoded
from recollect.table.live.room import Room
from recollect.table.live.wire import Act, Here, Hold, Seen, Sit, Try, Undo
from recollect.table.render.company import news, standing
from recollect.table.render.lobby import curtain, lobby, waiting
from recollect.table.render.page import scene_of
from recollect.table.render.parts import Sheet
from recollect.table.render.prose import game_texts, ui_texts
from recollect.table.store import Overtaken, Unkept

log = logging.getLogger("recollect.table")

if TYPE_CHECKING:
    from recollect.table.house import House

OVERTAKEN = 5  # times that a click tries again when others at the table are quicker
LAST_LOOK = 2.5  # seconds between the last move and the page of the end


class Screen:
    """One open page of one person, who may have several seats at this screen."""

    def __init__(
        self, room: Room, socket: WebSocket | None, person: str, language: str, base: str = "", house: House | None = None
    ) -> None:
        self.room = room
        self.socket = socket
        self.person = person
        self.language = language
        self.base = base  # how this page's browser reaches the house
        self.house = house  # opens a table for a rematch
        self.beside = asyncio.Event()  # something beside the game may be to be told
        self.leisure = 1.0  # how long this browser likes companions to take
        self.mine: list[int] = []
        self.dirty = asyncio.Event()
        self.seat = -1  # whose page is on the screen
        self.sure: int | None = None  # who said: it is me
        self.hidden = False  # the curtain is before the screen
        self.away = False  # the page is open but out of sight: what is shown to all waits until somebody looks
        self.ended = room.row.ready and room.moment.over
        self._ending: asyncio.TimerHandle | None = None
        self._told: Sheet | None = None  # what the page was told last
        self._stood: object = None  # how its company stood when it was told of that last
        self._last_word: asyncio.Task[None] | None = None
        self._serving: asyncio.Task[Any] | None = None
        self._breath: asyncio.TimerHandle | None = None
        self._since: float | None = None  # when something was said that the page has not taken yet
        self._said = 0.0  # when it last took something
        self._allowance = Allowance(MESSAGES, BURST)
        self._warned = False  # that it sends too much
        self.find_seats()

    def find_seats(self) -> None:
        self.mine = [seat for seat, chair in enumerate(self.room.row.chairs) if chair.person == self.person and chair.kind != "bot"]
        self.dirty.set()

    async def serve(self) -> None:
        """Until the page is closed."""
        assert self.socket
        self._serving = asyncio.current_task()
        self.room.arrive(self)
        senders = [asyncio.create_task(self._send()), asyncio.create_task(self._send_beside())]
        self._said = asyncio.get_running_loop().time()
        self._breath = asyncio.get_running_loop().call_later(BREATH, self._breathe)
        try:
            await self._welcome()
            while (message := await self.socket.receive())["type"] == "websocket.receive":
                await self._in_turn()
                if self.room.resting:
                    break  # the page has no answer, and sends it again where it is answered
                await self._hear(message.get("text") or "")
        except (WebSocketDisconnect, asyncio.CancelledError):
            pass
        finally:
            for sender in senders:
                sender.cancel()
            for timer in (self._ending, self._breath):
                if timer:
                    timer.cancel()
            self.room.leave(self)
            await asyncio.gather(*senders, return_exceptions=True)

    async def _welcome(self) -> None:
        """Who is before the screen again has their seat back from the companion that played for them."""
        if not self.away and self.room.row.ready and not self.room.moment.over:
            with contextlib.suppress(Unkept, Overtaken):  # it is theirs when they play, at the latest
                await self.room.company.back(self.mine)

    async def _in_turn(self) -> None:
        """However much one page sends, others are answered: after each message they come first, and who sends too much waits."""
        wait = self._allowance.take()
        if wait > 1 and not self._warned:
            self._warned = True
            await self._say({"why": ui_texts(self.language)("error.fast")})
        self._warned = self._warned and wait > 0
        await asyncio.sleep(wait)

    # -- sending

    async def _send(self) -> None:
        """The latest page, whenever something changed."""
        while True:
            await self.dirty.wait()
            self.dirty.clear()
            try:
                await self._tell()
            except Exception:
                log.exception("the page of seat %s at table %s", self.seat, self.room.row.id)
                await self._say({"why": ui_texts(self.language)("trouble.server.text")})

    async def _tell(self) -> None:
        """What belongs on the screen now, as what changed since it was last told."""
        shown = self.shown()
        if shown.stamp is not None and self.away:
            return
        await self._say(self.room.pages.told(self._told, shown))
        self._told = shown.sheet
        if standing(self) != self._stood:
            self.beside.set()
        if shown.stamp is not None:
            self.room.exposure.sent(self.mine, shown.stamp)

    async def _send_beside(self) -> None:
        """What is to be told beside the game, whenever that has changed."""
        while True:
            await self.beside.wait()
            self.beside.clear()
            try:
                if (now := standing(self)) != self._stood:
                    self._stood = now
                    await self._say(self._news())
            except Exception:
                log.exception("the company of table %s", self.room.row.id)

    def _news(self) -> dict[str, Any]:
        return news(self)

    def _breathe(self) -> None:
        """Every now and then: a word to a page that has heard nothing; one that takes nothing is let go."""
        loop = asyncio.get_running_loop()
        self._breath = loop.call_later(BREATH, self._breathe)
        if self._since is not None and loop.time() - self._since > DEAF:
            log.info("a page of table %s takes nothing", self.room.row.id)
            if self._serving:
                self._serving.cancel()
        elif self._since is None and loop.time() - self._said >= BREATH:
            self._last_word = loop.create_task(self._say({"ping": 1}))

    async def _say(self, message: dict[str, Any]) -> None:
        if self.socket and self.socket.application_state == WebSocketState.CONNECTED:
            clock = asyncio.get_running_loop().time
            self._since = self._since or clock()
            try:
                await self.socket.send_text(message.text if isinstance(message, Message) else encoded(message))
            except (WebSocketDisconnect, RuntimeError, OSError):
                log.info("a page of table %s closed before it was told", self.room.row.id)
            self._since, self._said = None, clock()

    def go(self, path: str) -> None:
        """The page leaves for another."""
        self._last_word = asyncio.get_running_loop().create_task(self._say({"go": path}))

    def warn(self, what: str) -> None:
        """Something that everybody should know."""
        self._last_word = asyncio.get_running_loop().create_task(self._say({"why": ui_texts(self.language)(what)}))

    def dismiss(self) -> None:
        """The table must be read again from what is stored: the page comes back and finds it so."""
        self._last_word = asyncio.get_running_loop().create_task(self._dismiss())

    async def _dismiss(self) -> None:
        await self._say({"why": ui_texts(self.language)("trouble.server.text")})
        if self.socket and self.socket.application_state == WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, OSError):
                await self.socket.close(1012)

    def first(self) -> str:
        """What a page holds before its socket is open: not yet what is shown for a certain time, for nobody would count it."""
        if self.room.row.ready and self.mine and not self.room.moment.over and (self._missed() or self.room.moment.paced):
            return waiting(self.room, self.language)
        return self.shown().sheet.html

    def frame(self) -> dict[str, Any]:
        """What a page that has nothing yet is told."""
        return self.room.pages.told(None, self.shown())

    def shown(self) -> Shown:
        """What belongs on the screen now."""
        room = self.room
        if not room.row.ready:
            return Shown(Sheet(lobby(room, self.person, self.mine, self.language, self.base)))
        missed = self._missed()
        if missed:
            seat = self.mine[0] if len(self.mine) == 1 else -1
            sheet = room.pages.sheet(seat, self.language, at=missed[0], missed=len(missed))
            return Shown(sheet, hold=room.exposure.hold, stamp=missed[0])
        return self._now()

    def _missed(self) -> list[int]:
        """What was shown to all while nobody looked at this screen: each is shown once, for the same time."""
        if not self.mine or self.ended:
            return []
        shown = min(self.room.row.chairs[seat].shown for seat in self.mine)
        return [i for i in self.room.exposures if i >= shown]

    def _now(self) -> Shown:
        room, now = self.room, self.room.moment
        asked = self._place()
        if self.hidden:
            return Shown(Sheet(curtain(room, self.seat, self.language)))
        if now.paced and self._had():
            return Shown(Sheet(waiting(room, self.language)))  # they have had their time; others have not
        chairs = [seat for seat in asked if seat != self.seat] if len(asked) > 1 else []
        sheet = room.pages.sheet(self.seat, self.language, chairs=chairs, mine=bool(self.mine), shared=len(self.mine) > 1, ended=self.ended)
        if now.over and not self.ended and self._ending is None and self.socket is not None:
            self._ending = asyncio.get_running_loop().call_later(LAST_LOOK * room.pace, self._end)
        if now.paced and self.mine:
            return Shown(sheet, self._title(False), room.exposure.hold, room.at)
        return Shown(sheet, self._title(bool(asked)))

    def _had(self) -> bool:
        """Their time with what lies open is over. Who said so before keeps it for that time; who asked for more gives it to all."""
        shows, chairs = self.room.exposure, self.room.row.chairs
        if shows.held or not self.mine or not shows.seen.isdisjoint(self.mine):
            return shows.gone
        return all(chairs[seat].shown > self.room.at for seat in self.mine)

    def _place(self) -> list[int]:
        """Whose page is on the screen, and whether a curtain is before it. Returns the seats of this screen that are asked now."""
        now = self.room.moment
        asked = [] if now.paced else [seat for seat in self.mine if seat in now.acting]
        if self.sure not in asked:
            self.sure = None  # whoever looks next says so again
        self.seat = self._whose(asked)
        secret = len(self.mine) > 1 and self.seat != self.sure and now.private(self.seat)
        self.hidden = secret and self.seat in asked
        if secret and not self.hidden:
            self.seat = -1  # nobody here is asked: people look together, and see what everyone sees
        return asked

    def _whose(self, asked: list[int]) -> int:
        """The seat on the screen: the one asked; else the one that was there."""
        if self.sure is not None:
            return self.sure
        if asked:
            return self.seat if self.seat in asked else asked[0]
        if self.seat in self.mine:
            return self.seat
        return self.mine[0] if self.mine else -1

    def _end(self) -> None:
        self.ended = True
        self.dirty.set()

    def _title(self, turn: bool) -> str:
        ui, name = ui_texts(self.language), game_texts(self.room.game, self.language)("name")
        return f"{ui('turn.yours')} · {name} · Recollect" if turn and not self.room.moment.over else f"{name} · Recollect"

    # -- hearing

    async def _hear(self, text: str) -> None:
        ui = ui_texts(self.language)
        if len(text) > wire.LONGEST:
            return await self._say({"why": ui("error.long")})
        try:
            message = wire.read(text)
        except msgspec.MsgspecError as error:
            return await self._say({"why": ui("error.message", what=str(error))})
        try:
            why = await self._do(message)
        except Unkept:
            why = ui("trouble.unkept.text")
            self.dirty.set()
        except Exception:  # a fault of ours: said to who clicked, told in our log, and the page stays open
            log.exception("%s at table %s", message, self.room.row.id)
            why = ui("trouble.server.text")
            self.dirty.set()
        answer: dict[str, Any] = {"why": why} if why else {}
        if hasattr(message, "id"):
            answer["done"] = message.id
        if answer:
            await self._say(answer)

    async def _do(self, message: wire.Message) -> str:
        """Returns why it was not done, if it was not."""
        ui = ui_texts(self.language)
        if isinstance(message, wire.Beside):
            return await company.hear(self, message)
        await self.room.settled()  # from here to the change nobody else comes between
        if self.room.dropped:
            return ui("trouble.server.text")
        if isinstance(message, Here):
            self.away = not message.yes
            self.dirty.set()
            await self._welcome()
            return ""
        if not self.room.row.ready:
            return ui("why.waiting")
        if isinstance(message, wire.Shown):
            await self._was_shown(message.stamp)
            return ""
        if not self.mine:
            return ui("why.spectator")
        if self._place() and self.hidden and not isinstance(message, Sit):
            self.dirty.set()
            return ui("why.curtain")
        if isinstance(message, Act):
            await self.room.company.back([self._actor()])  # who plays is here
            return await self._click(message)
        if isinstance(message, Try):
            return self._why(message.action)
        if isinstance(message, Seen | Hold):
            return self._saw(message)
        if isinstance(message, Undo):
            return await self._take_back(message)
        if isinstance(message, wire.Hint):
            return await self._hint(message)
        if isinstance(message, Sit):
            return self._sit(message.seat)
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
                if self.room.dropped:
                    break
        return ui_texts(self.language)("why.stale")

    async def _was_shown(self, stamp: int) -> None:
        """Only in order, and only what was shown."""
        missed = self._missed()
        if self.mine and stamp == (missed[0] if missed else self.room.at if self.room.moment.paced else None):
            self.room.exposure.shown(self.mine, stamp)
            if missed:
                self.dirty.set()

    def _saw(self, message: Seen | Hold) -> str:
        if message.n == self.room.n and not self._missed():
            exposure = self.room.exposure
            (exposure.saw if isinstance(message, Seen) else exposure.wait)(self.mine)
        return ""

    def _actor(self) -> int:
        """The seat for which a click on this screen is meant."""
        return self.seat if self.seat in self.mine else self.mine[0]

    async def _click(self, message: Act) -> str:
        """One click: its action, those it stands for besides, and answers that leave no choice, each played and kept for itself."""
        room, seat = self.room, self._actor()
        began, rest = room.at, list(message.then)
        why = await self._done(lambda: self._old(message) or self._act(seat, message.action))
        while not why and not room.dropped and seat in room.moment.acting:
            following = rest.pop(0) if rest else self._forced(seat)
            if following is None:
                break
            why = await self._done(partial(self._act, seat, following))
        room.clicks.append((seat, began, room.at))
        return why

    def _old(self, message: Act | Undo) -> str:
        """Why a click on a page of another moment is not done."""
        if not self._missed() and not self._stale(message):
            return ""
        self.dirty.set()
        return ui_texts(self.language)("why.stale")

    def _act(self, seat: int, action: int) -> str:
        room = self.room
        if action in room.game.paced or not 0 <= action < room.game.actions.count:
            return self._why(action)
        try:
            room.play(seat, action)
        except Refused:
            self.dirty.set()
            return self._why(action)
        return ""

    def _forced(self, seat: int) -> int | None:
        """The answer that the game's scene says need not be asked for."""
        room = self.room
        forced = getattr(scene_of(room.game), "forced", None)
        if forced is None or seat not in room.moment.acting or room.moment.paced:
            return None
        look = Look.of(room.moment, seat, room.names(self.language), game_texts(room.game, self.language))
        return cast("int | None", forced(look))

    def _stale(self, message: Act | Undo | wire.Hint) -> bool:
        """The page was of another moment, since when somebody at this screen has moved or took something back; or of another seat."""
        if message.seat not in (None, self.seat):
            return True
        return not 0 <= message.n <= self.room.n or not set(self.mine).isdisjoint(self.room.rows[message.n :])

    def _why(self, action: int) -> str:
        """Why not, in the game's words."""
        room, ui = self.room, ui_texts(self.language)
        if not 0 <= action < room.game.actions.count:
            return ui("error.action", n=action)
        if room.moment.over:
            return ui("why.over")
        if room.moment.paced or self._missed():
            return ui("why.showing")
        look = Look.of(room.moment, self._actor(), room.names(self.language), game_texts(room.game, self.language))
        if look.seat not in look.acting:
            names = [look.names[seat] for seat in sorted(look.acting)]
            return ui("why.turn", name=f" {ui('and')} ".join(names))
        if action in look.legal:
            return ui("why.now")
        return str(scene_of(room.game).why(look, action))

    async def _take_back(self, message: Undo) -> str:
        """What one click did is taken back as one, as far as it can be."""
        room, seat = self.room, self._actor()
        if why := self._old(message):
            return why
        for i in range(max(1, room.clicked(seat))):  # a click that was refused did nothing: what came before is asked for
            if why := await self._done(partial(self._undo, seat)):
                return "" if i else why
        return ""

    def _undo(self, seat: int) -> str:
        try:
            self.room.undo(seat)
        except Refused:
            return ui_texts(self.language)("why.undo")
        return ""

    async def _hint(self, message: wire.Hint) -> str:
        """A hint for the seat on this screen, thought out elsewhere; the table may have gone on meanwhile."""
        room, ui, seat = self.room, ui_texts(self.language), self._actor()
        if self._missed() or self._stale(message) or not room.hints.may(seat):
            self.dirty.set()
            return ui("why.hints") if not room.hints.allowed else ui("why.stale")
        if not room.hints.ready:
            return ui("why.hint_later")
        at = await room.hints.find(seat)
        await room.settled()
        if room.at != at or room.dropped:
            return ui("why.stale")
        if (at, seat) not in room.hints.taken:
            room.take_hint(seat)
            await room.kept()
        return ""

    def _sit(self, seat: int) -> str:
        if seat not in self.mine:
            return ui_texts(self.language)("why.seat")
        self.seat = self.sure = seat
        self.dirty.set()
        return ""

    async def _again(self) -> str:
        if not self.room.moment.over or self.house is None:
            return ui_texts(self.language)("why.not_over")
        id = await self.house.again(self.room, self.person)
        for screen in list(self.room.screens):
            if screen.person == self.person:
                screen.go(f"/t/{id}")
        return ""
