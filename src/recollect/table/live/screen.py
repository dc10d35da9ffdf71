"""A page that is open: one WebSocket. It is sent what its seat sees, and says what its people do."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from bisect import bisect_left
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from recollect.table.limits import BREATH, BURST, DEAF, MESSAGES, Allowance
from recollect.table.live import wire
from recollect.table.live.deeds import Deeds
from recollect.table.live.exposure import GRACE
from recollect.table.live.pages import Message, Shown
from recollect.table.live.room import CROWD, Dropped, Room
from recollect.table.render.company import news, standing
from recollect.table.render.lobby import curtain, lobby, waiting
from recollect.table.render.parts import Sheet, write
from recollect.table.render.prose import title_of, ui_texts
from recollect.table.store import Overtaken, Unkept

log = logging.getLogger("recollect.table")

if TYPE_CHECKING:
    from recollect.table.house import House

LAST_LOOK = 2.5  # seconds between the last move and the page of the end


class Bell:
    """Rung when something is to be done: who listens is called soon, once, however often it is rung until then."""

    def __init__(self) -> None:
        self._rung, self._call = False, cast("Callable[[], None] | None", None)

    def listen(self, call: Callable[[], None] | None) -> None:
        self._call = call
        if self._rung:
            self._soon()

    def set(self) -> None:
        if not self._rung:
            self._rung = True
            self._soon()

    def _soon(self) -> None:
        if self._call:
            asyncio.get_running_loop().call_soon(self._heard)

    def _heard(self) -> None:
        if self._rung and self._call:
            self._call()

    def is_set(self) -> bool:
        return self._rung

    def clear(self) -> None:
        self._rung = False


def nothing() -> None:
    """Nothing follows."""


def written(message: dict[str, Any]) -> bytes:
    return message.written if type(message) is Message else write(message)


class Screen:
    """One open page of one person, who may have several seats at this screen."""

    def __init__(
        self, room: Room, socket: WebSocket | None, person: str, language: str, base: str = "", house: House | None = None
    ) -> None:
        self.room = room
        self.socket = socket
        direct = getattr(socket, "scope", {}).get("extensions", {}).get(wire.DIRECT, {})
        self._direct: Callable[[bytes], bool] | None = direct.get("say")
        self._reached: Callable[[Callable[[], None]], None] = direct.get("reached", lambda call: call())  # when all that was said has come
        self._more: Callable[[], bool] = direct.get("more", lambda: True)  # whether it has said more than was heard
        self.person = person
        self.language = language
        self.base = base  # how this page's browser reaches the house
        self.house = house  # opens a table for a rematch
        self.beside = asyncio.Event()  # something beside the game may be to be told
        self.leisure = 1.0  # how long this browser likes companions to take
        self.mine: list[int] = []
        self.lost: set[int] = set()  # seats that were theirs while this page was open
        self.dirty = Bell()  # the page is to be told how it stands
        self.seat = -1  # whose page is on the screen
        self.sure: int | None = None  # who said: it is me
        self.hidden = False  # the curtain is before the screen
        self.away = False  # the page is open but out of sight: what is shown to all waits until somebody looks
        self.ended = room.row.ready and room.moment.over
        self._ending: asyncio.TimerHandle | None = None
        self._told: Sheet | None = None  # what the page was told last
        self._begun = False  # it has been told how it stands
        self._answer: dict[str, Any] = {}  # goes with the page that is on its way
        self._showing: tuple[int, ...] = ()  # what it was sent last of what is shown for a certain time, for which seats
        self._cut: asyncio.TimerHandle | None = None  # what is shown here has not come yet: when it is too late for that
        self._stood: object = None  # how its company stood when it was told of that last
        self._last_word: asyncio.Task[None] | None = None
        self._slowly: asyncio.Task[None] | None = None  # tells a page that does not take what it is told at once
        self._serving: asyncio.Task[Any] | None = None
        self._breath: asyncio.TimerHandle | None = None
        self._since: float | None = None  # when something was said that the page has not taken yet
        self._said = 0.0  # when it last took something
        self._allowance = Allowance(MESSAGES, BURST)
        self._warned = False  # that it sends too much
        self.deeds = Deeds(self)
        self.find_seats()

    def find_seats(self) -> None:
        had, chairs = self.mine, enumerate(self.room.row.chairs)
        self.mine = [seat for seat, chair in chairs if chair.person == self.person and chair.kind != "bot"]
        self.lost.update(set(had) - set(self.mine))
        self.dirty.set()

    async def serve(self, had: int | None = None) -> None:
        """Until the page is closed. `had`: what was shown here last, for its time, before the page lost us or another process."""
        assert self.socket
        self._serving = asyncio.current_task()
        self.room.arrive(self)
        await self._has_had(had)
        self.dirty.listen(self._send)
        beside = asyncio.create_task(self._send_beside())
        self._said = asyncio.get_running_loop().time()
        self._breath = asyncio.get_running_loop().call_later(BREATH, self._breathe)
        try:
            await self.welcome()
            while (message := await self.socket.receive())["type"] == "websocket.receive":
                await self._in_turn()
                if self.room.resting:
                    break  # the page has no answer, and sends it again where it is answered
                await self._hear(message.get("text") or "")
        except (WebSocketDisconnect, asyncio.CancelledError):
            pass
        finally:
            self.dirty.listen(None)
            senders = [sender for sender in (beside, self._slowly) if sender]
            for waiting in (*senders, self._ending, self._breath, self._cut):
                if waiting:
                    waiting.cancel()
            self.room.leave(self)
            await asyncio.gather(*senders, return_exceptions=True)

    async def _has_had(self, stamp: int | None) -> None:
        """What a page has shown is not shown again, though whoever it told so could not keep it."""
        if stamp is not None and self.room.row.ready:
            with contextlib.suppress(Unkept):
                await self.room.settled()
                await self.deeds.was_shown(stamp)

    async def welcome(self) -> None:
        """Who is before the screen again has their seat back from the companion that played for them."""
        if not self.away and self.room.row.ready and not self.room.moment.over:
            with contextlib.suppress(Unkept, Overtaken):  # it is theirs when they play, at the latest
                await self.room.company.back(self.mine)

    async def _in_turn(self) -> None:
        """However much one page sends, others are answered: after each message they come first, and who sends too much waits."""
        wait = self._allowance.take()
        if wait and not self._warned:
            await self._say({"why": ui_texts(self.language)("error.fast")})
        self._warned = bool(wait) or (self._warned and not self._allowance.rested)
        if wait or self._more():
            await asyncio.sleep(wait)

    # -- sending

    def _send(self) -> None:
        """The latest page, whenever something changed; to who is slow, when they have taken what is on its way."""
        if self._slowly or self.room.dropped:  # what that holds is half of something; the page has been told to come again
            return
        self.dirty.clear()
        try:
            message, then = self._now_told()
        except Exception:
            log.exception("the page of seat %s at table %s", self.seat, self.room.row.id)
            message, then = {**self._trouble("server"), **self._answered()}, nothing
        if not message or self._at_once(message):
            then()
        else:
            self._slowly = asyncio.get_running_loop().create_task(self._send_slowly(message, then))

    async def _send_slowly(self, message: dict[str, Any], then: Callable[[], None]) -> None:
        try:
            await self._say(message)
            then()
        except Exception:  # what comes next is told all the same
            log.exception("the page of seat %s at table %s", self.seat, self.room.row.id)
        self._slowly = None
        if self.dirty.is_set():
            self._send()

    def _now_told(self) -> tuple[dict[str, Any], Callable[[], None]]:
        """What belongs on the screen now, as what changed since it was last told, and what follows when the page has it."""
        shown, answer = self.shown(), self._answered()
        if shown.stamp is not None and self.away:
            if self._showing[:1] == (shown.stamp,):
                return answer, nothing  # it has come, and its time is counted
            shown = Shown(Sheet(waiting(self.room, self.language)))  # nor does what lay open before lie there until somebody looks
        told = self.room.pages.told(self._told, shown)
        return {**told, **answer} if answer else told, lambda: self._has(shown)

    def _has(self, shown: Shown) -> None:
        """The page has been told."""
        self._begun, self._told = True, shown.sheet
        if standing(self) != self._stood:
            self.beside.set()
        if shown.stamp is not None:
            self._shows(shown.stamp)

    def _shows(self, stamp: int) -> None:
        """From when it has come its time is counted. A page that it does not reach in time is cut off, and shown it when it comes back."""
        if self._showing != (now := (stamp, *self.mine)):
            self._showing, seats = now, list(self.mine)
            if self._cut is None:
                self._cut = asyncio.get_running_loop().call_later(self.room.exposure.hold + GRACE, self._let_go, "is cut off")
            self._reached(lambda: self._has_come(seats, stamp))

    def _has_come(self, seats: list[int], stamp: int) -> None:
        if self._cut and self._showing == (stamp, *seats):
            self._cut.cancel()
            self._cut = None
        if not self.room.dropped:
            self.room.exposure.sent(seats, stamp)

    def _let_go(self, why: str) -> None:
        """It is no page of ours any more, until it comes back."""
        log.info("a page of table %s %s", self.room.row.id, why)
        if self._serving:
            self._serving.cancel()

    def _answered(self) -> dict[str, Any]:
        """The answer that waits for a page, once."""
        answer, self._answer = self._answer, {}
        return answer

    async def _send_beside(self) -> None:
        """What is to be told beside the game, whenever that has changed."""
        while True:
            await self.beside.wait()
            self.beside.clear()
            if not self._begun:
                continue  # the page itself comes first; when it is there, this is asked for again
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
        quiet = loop.time() - self._said
        self._breath = loop.call_later(BREATH - quiet if quiet < BREATH else BREATH, self._breathe)
        if self._since is not None and loop.time() - self._since > DEAF:
            self._let_go("takes nothing")
        elif self._since is None and quiet >= BREATH:
            self._last_word = loop.create_task(self._say({"ping": 1}))

    async def _say(self, message: dict[str, Any]) -> None:
        if not self._at_once(message):
            await self._say_in_time(written(message).decode(), asyncio.get_running_loop().time)

    def _at_once(self, message: dict[str, Any]) -> bool:
        """Say it now; false where it must wait until the page takes it. Who is gone hears nothing."""
        if not self.socket or self.socket.application_state != WebSocketState.CONNECTED:
            return True
        if self._since is not None or not self._direct or not self._direct(written(message)):
            return False
        self._said = asyncio.get_running_loop().time()
        return True

    async def _say_in_time(self, text: str, clock: Callable[[], float]) -> None:
        """When the page takes it."""
        assert self.socket
        self._since = self._since or clock()
        try:
            await self.socket.send_text(text)
        except (WebSocketDisconnect, RuntimeError, OSError):
            log.info("a page of table %s closed before it was told", self.room.row.id)
        self._since, self._said = None, clock()

    def go(self, path: str) -> None:
        """The page leaves for another."""
        self._last_word = asyncio.get_running_loop().create_task(self._say({"go": path}))

    def warn(self, what: str) -> None:
        """Something that everybody should know."""
        self._last_word = asyncio.get_running_loop().create_task(self._say(self._trouble(what)))

    def _trouble(self, what: str) -> dict[str, Any]:
        """Why nothing is done just now, which is no matter of the game and of its rules."""
        return {"why": ui_texts(self.language)(f"trouble.{what}.text"), "house": True}

    def dismiss(self, fault: bool = False) -> None:
        """The table must be read again from what is stored: the page comes back and finds it so. Of a fault of ours it is told."""
        self._last_word = asyncio.get_running_loop().create_task(self._dismiss(fault))

    async def _dismiss(self, fault: bool) -> None:
        if fault:
            await self._say(self._trouble("server"))
        if self.socket and self.socket.application_state == WebSocketState.CONNECTED:
            with contextlib.suppress(RuntimeError, OSError):
                await self.socket.close(1012)

    def first(self) -> str:
        """What a page holds before its socket is open: not yet what is shown for a certain time, for nobody would count it."""
        if self.room.row.ready and self.mine and not self.room.moment.over and (self.missed() or self.room.moment.paced):
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
        missed = self.missed()
        if missed:
            seat = self.mine[0] if len(self.mine) == 1 else -1
            sheet = room.pages.sheet(seat, self.language, at=missed[0], missed=len(missed))
            return Shown(sheet, hold=room.exposure.hold, stamp=missed[0])
        return self._now()

    def missed(self) -> list[int]:
        """What was shown to all while nobody looked at this screen: each is shown once, for the same time."""
        if not self.mine or self.ended:
            return []
        shown, exposures = min([self.room.row.chairs[seat].shown for seat in self.mine]), self.room.exposures
        return exposures[bisect_left(exposures, shown) :] if exposures and exposures[-1] >= shown else []

    def _now(self) -> Shown:
        room, now = self.room, self.room.moment
        asked = self.place()
        if self.hidden:
            return Shown(Sheet(curtain(room, self.seat, self.language)))
        if now.paced and self._had():
            return Shown(Sheet(waiting(room, self.language)))  # they have had their time; others have not
        chairs = tuple([seat for seat in asked if seat != self.seat]) if len(asked) > 1 else ()
        sheet = room.pages.sheet(self.seat, self.language, chairs=chairs, mine=bool(self.mine), shared=len(self.mine) > 1, ended=self.ended)
        if now.over and not self.ended and self._ending is None and self.socket is not None:
            self._ending = asyncio.get_running_loop().call_later(LAST_LOOK * room.pace, self._end)
        if now.paced and self.mine:
            return Shown(sheet, self._title(False), room.exposure.hold, room.at)
        return Shown(sheet, self._title(not all(room.row.chairs[seat].bot for seat in asked)))

    def _had(self) -> bool:
        """Their time with what lies open is over. Who said so before keeps it for that time; who asked for more gives it to all."""
        shows, chairs = self.room.exposure, self.room.row.chairs
        if shows.held or not self.mine or not shows.seen.isdisjoint(self.mine):
            return shows.gone
        return all(chairs[seat].shown > self.room.at for seat in self.mine)

    def place(self) -> list[int]:
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
        return title_of(self.room.game, self.language, turn and not self.room.moment.over)

    # -- hearing

    async def _hear(self, text: str) -> None:
        ui = ui_texts(self.language)
        if len(text) > wire.LONGEST:
            return await self._say({"why": ui("error.long")})
        try:
            message = wire.read(text)
        except (msgspec.MsgspecError, RecursionError) as error:  # what has no kind yet is looked through for it, however deep it lies
            return await self._say({"why": ui("error.message", what=str(error))})
        try:
            why = await self.deeds.do(message)
            answer: dict[str, Any] = {"why": why} if why else {}
        except Unkept:
            answer = self._trouble("unkept")
            self.dirty.set()
        except Dropped:  # which the log says already, and why
            answer = self._trouble("server")
        except Exception:  # a fault of ours: said to who clicked, told in our log, and the page stays open
            log.exception("%s at table %s", message, self.room.row.id)
            answer = self._trouble("server")
            self.dirty.set()
        if answer and isinstance(message, wire.Beside):
            answer["beside"] = True  # nothing of the game, and of its rules
        if hasattr(message, "id"):
            answer["done"] = message.id
        if answer:
            await self._reply(answer)

    async def _reply(self, answer: dict[str, Any]) -> None:
        """The answer to a message: with the page that it brings, if one is on its way; before a crowd, at once."""
        if self._serving and self.dirty.is_set() and not self._answer and len(self.room.screens) <= CROWD:
            self._answer = answer
        else:
            await self._say(answer)
