"""A table in use: the match, who sits where, who is watching, and what the table does by itself."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from recollect.engine.game import load
from recollect.engine.look import Look
from recollect.engine.match import Match, Refused
from recollect.engine.stream import CHANCE
from recollect.minds import Random
from recollect.minds import mind as find_mind
from recollect.table import companions, pages
from recollect.table.clock import Clock, clock_of
from recollect.table.store import UNDO, Row, Store

log = logging.getLogger("recollect.table")

SHOW = 5.0  # seconds that something shown to all stays, where the game has no option for it
GRACE = 3.0  # seconds more for what is shown to reach a page and be drawn
PATIENCE = 15.0  # seconds more that the table waits for a page that is open but out of sight
LAST_LOOK = 2.5  # seconds between the last move and the page of the end
LINES = 80  # of the log on a page
MANY = 100  # tables kept in memory before idle ones are put away
THINK = (0.8, 1.6)  # seconds a companion takes at least, so that people can follow


class Outdated(Exception):
    """The table was played under other rules, or with another box, than those here now."""


class Dropped(Exception):
    """What this room holds is not what is stored; the table must be opened again."""


class Room:
    """One table. All changes go through `play` and `undo`: checked, stored, then told."""

    def __init__(self, row: Row, store: Store, pace: float = 1.0, forget: Callable[[Room], None] | None = None) -> None:
        self.row = row
        self.forget = forget  # says that this room is of no more use
        self.dropped = False
        self._opened = False
        self.store = store
        self.pace = pace
        self.game = load(row.game)
        self.desks: set[Any] = set()
        self.news = asyncio.Event()
        self.acks = asyncio.Event()
        self.match: Match
        self.rows: list[int] = []  # the seat of each entry stored, undo included
        self.times: list[float] = []  # when each entry of the match's log was made
        self.states: dict[int, np.ndarray] = {}  # the record before each entry that a seat made, and the one now
        self.exposures: list[int] = []  # places in the log where the table went on by itself: what lay open before was shown to all
        self.clock: Clock | None = None  # of a game against time
        self.seen: set[int] = set()  # seats whose people said that they have seen what lies open
        self._sent: dict[tuple[int, int], asyncio.TimerHandle] = {}  # what is being shown to a seat, until the server's clock says enough
        self._lines: dict[tuple[int, str], tuple[int, list[dict[str, Any]]]] = {}
        self._pages: dict[Any, str] = {}  # pages made since the last change: many may look at the same
        self._minds: dict[int, Any] = {}
        self._task: asyncio.Task[None] | None = None
        self._rng = random.Random()

    # -- opening: everything is rebuilt from what is stored

    def open(self) -> None:
        """Replay the log; deal what chance owes."""
        self.check()
        moves, stamps, times = self.store.moves(self.row.id), self.store.times(self.row.id), list[float]()
        try:
            self.match = Match(self.game, self.game.settle(self.row.options), self.row.seed, auto_chance=False)
            for (seat, action), at in zip(moves, stamps, strict=True):
                if action == UNDO:
                    del times[self._taken_back(seat)]
                else:
                    self.match.play(seat, action)
                    times.append(at)
        except ValueError as error:
            raise Outdated(self.row.id) from error
        stood = len(self.match.log)
        self.rows = [seat for seat, _ in moves]
        self.match.auto_chance = True
        self.match._let_chance()
        now = time.time()
        self.times = times + [now] * (len(self.match.log) - stood)
        if len(self.match.log) > stood or not (moves or self._opened):
            self.store.add(self.row.id, self.n, self.match.log[stood:], self.match.acting, *self._ending(), now)
            self.rows += [seat for seat, _ in self.match.log[stood:]]
        self._opened = True
        self._remember()
        self._wind()

    def check(self) -> None:
        """The table is of these rules and this box."""
        if (self.row.version, self.row.digest) != (self.game.version, self.game.box):
            raise Outdated(self.row.id)

    def _wind(self) -> None:
        """The clock as the stored times of the moves say."""
        self.clock = clock_of(self.game, self.match.options)
        if self.clock is None:
            return
        places = sorted(self.states)
        for i, after in itertools.pairwise(places):
            self.clock.move(self.times[i], self.match.log[i][1] not in self.game.paced, self.game.state.open(self.states[after]))
        self._rank()

    def _rank(self) -> None:
        if self.clock:
            self.clock.rank(self.store.results(str(self.row.chairs[0].person), self.row.game), self.row.id)

    def _remember(self) -> None:
        """The positions that pages may need again."""
        replay = Match(self.game, self.match.options, self.match.seed, auto_chance=False)
        self.states = {}
        for i, (seat, action) in enumerate(self.match.log):
            if seat != CHANCE:
                self.states[i] = self.game.state.copy(replay.record)
            replay._append(seat, action)
        self.states[len(self.match.log)] = self.game.state.copy(replay.record)
        self.exposures = [i for i, (seat, action) in enumerate(self.match.log) if action in self.game.paced]
        self._lines.clear()

    def start(self) -> None:
        """From now on the table plays its own part."""
        if self._task is None:
            self._task = asyncio.create_task(self._tend())

    def stop(self) -> None:
        for timer in self._sent.values():
            timer.cancel()
        if self._task:
            self._task.cancel()

    @property
    def n(self) -> int:
        """How many entries are stored."""
        return len(self.rows)

    # -- changes

    def play(self, seat: int, action: int) -> None:
        """In one step: nobody can look between the move and its being stored."""
        with self._or_as_stored():
            before, now = len(self.match.log), time.time()
            entries = self.match.play(seat, action)
            self.times += [now] * len(entries)
            self.seen.clear()
            if self.clock:
                self.clock.move(now, action not in self.game.paced, self.match.state)
            self._keep(entries, now)
            self.states[len(self.match.log)] = self.game.state.copy(self.match.record)
            if action in self.game.paced:
                self.exposures.append(before)
            if self.match.over:
                self._rank()
        self.tell()

    def undo(self, seat: int) -> None:
        if not self.can_undo(seat):
            raise Refused("nothing to take back")
        with self._or_as_stored():
            del self.times[self._taken_back(seat)]
            self._keep([(seat, UNDO)])
            self._remember()
        self.tell()

    def _taken_back(self, seat: int) -> int:
        """Take the seat's last action back; returns its place in the log."""
        place = self.match.can_undo(seat)
        self.match.undo(seat)
        assert place is not None
        return place

    def document(self) -> dict[str, Any]:
        """The match file, with the time of each entry."""
        return {**self.match.document(), "times": self.times}

    @contextlib.contextmanager
    def _or_as_stored(self) -> Iterator[None]:
        """Wholly done and stored; if anything fails, the table stands as the store says, or is dropped and opened again when needed."""
        if self.dropped:
            raise Dropped(self.row.id)
        try:
            yield
        except Refused:
            raise
        except BaseException:
            try:
                self.open()
            except Exception:
                log.exception("table %s cannot be read again", self.row.id)
                self._drop()
            self.tell()
            raise

    def _drop(self) -> None:
        """Nobody goes on with what may not be what is stored."""
        self.dropped = True
        self.stop()
        if self.forget:
            self.forget(self)
        for desk in list(self.desks):
            desk.leaving = asyncio.get_running_loop().create_task(desk.leave())

    def _keep(self, entries: list[tuple[int, int]], now: float | None = None) -> None:
        self.store.add(self.row.id, self.n, entries, self.match.acting, *self._ending(), now)
        self.rows += [seat for seat, _ in entries]

    def _ending(self) -> tuple[Any, Any]:
        """What is kept of a finished game: who won by what, and the whole match."""
        if not self.match.over:
            return None, None
        s = self.match.standing()
        result: dict[str, Any] = {"scores": s.scores, "ranking": s.ranking, "points": s.points, "decided": s.decided}
        if self.clock:
            result["time"] = self.clock.result(self.match.state)
        return result, self.document()

    def can_undo(self, seat: int) -> bool:
        at = self.match.can_undo(seat) if seat >= 0 else None
        return at is not None and self.match.log[at][1] not in self.game.paced

    def tell(self) -> None:
        """Something changed: every page is to be shown it, and the table may have to go on."""
        self._pages.clear()
        self.news.set()
        for desk in self.desks:
            desk.dirty.set()

    # -- what the table does by itself

    def paced(self) -> tuple[int, int] | None:
        """The action that only carries the game on, when nothing else is asked of anybody."""
        due = None
        for seat in sorted(self.match.acting - {CHANCE}):
            legal = self.match.legal(seat)
            if not set(legal) <= self.game.paced:
                return None
            due = due or (seat, legal[0])
        return due

    @property
    def hold(self) -> float:
        """How long what is shown to all stays."""
        show = self.match.options.get("show")
        return (float(show) if isinstance(show, int | float) and not isinstance(show, bool) else SHOW) * self.pace

    async def _tend(self) -> None:
        while not self.match.over and not self.dropped:
            self.news.clear()
            try:
                if self.paced():
                    await self._exposed()
                    due = self.paced()
                    if due:
                        self.play(*due)
                elif not await self._bots():
                    await self.news.wait()
            except asyncio.CancelledError:
                raise
            except Exception:
                log.exception("table %s", self.row.id)
                await asyncio.sleep(1)

    async def _exposed(self) -> None:
        """Until everyone whose page is open has had it in sight for the full time, within reason."""
        clock, stamp = asyncio.get_running_loop().time, len(self.match.log)
        begun, limit = clock(), self.hold + PATIENCE * self.pace
        while (past := clock() - begun) < limit:
            waits = any(self.row.chairs[seat].shown <= stamp for seat in self.present())
            if self._all_seen() or (past >= self.hold and not waits):
                return
            self.acks.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.acks.wait(), timeout=self.hold - past if past < self.hold else limit - past)

    def _all_seen(self) -> bool:
        """Everyone at the table has said so: nobody needs to wait any longer."""
        people = {seat for seat, chair in enumerate(self.row.chairs) if chair.kind != "bot"}
        return bool(people) and people <= self.seen

    def saw(self, seats: list[int]) -> None:
        """The people of these seats have seen enough of what lies open."""
        if self.paced():
            self.seen |= set(seats)
            self.shown(seats, len(self.match.log))

    def shown(self, seats: list[int], stamp: int) -> None:
        """These seats have had the exposure at this place of the log on their screen."""
        for seat in seats:
            self.row.chairs[seat].shown = max(self.row.chairs[seat].shown, stamp + 1)
        self.store.shown(self.row.id, seats, stamp + 1)
        self.acks.set()

    def sent(self, seats: list[int], stamp: int) -> None:
        """It is on the screen of these seats. From now on the server counts: nobody looks longer by keeping silent or coming again."""
        for seat in seats:
            if (seat, stamp) not in self._sent and self.row.chairs[seat].shown <= stamp:
                wait = self.hold + GRACE * self.pace
                self._sent[seat, stamp] = asyncio.get_running_loop().call_later(wait, self._had, seat, stamp)

    def _had(self, seat: int, stamp: int) -> None:
        if self.row.chairs[seat].shown <= stamp:
            self.shown([seat], stamp)
            for desk in self.desks:
                if seat in desk.mine:
                    desk.dirty.set()

    @property
    def idle(self) -> bool:
        """Nobody looks, and nothing is being counted."""
        return not self.desks and all(self.row.chairs[seat].shown > stamp for seat, stamp in self._sent)

    async def _bots(self) -> bool:
        """Let one companion play, if one is asked."""
        for seat in sorted(self.match.acting - {CHANCE}):
            chair = self.row.chairs[seat]
            if chair.kind != "bot":
                continue
            await asyncio.sleep(self._pause(seat) * self.pace)
            n, legal = self.n, self.match.legal(seat)
            action = await asyncio.to_thread(self._think, seat, legal, self.match.knowledge(seat))
            if self.n == n or action in self.match.legal(seat):
                self.play(seat, action)
            return True
        return False

    def _pause(self, seat: int) -> float:
        """Time to follow a companion; within its turn a game of many small answers may be brisk (`BRISK` in its scene)."""
        brisk = getattr(pages.scene_of(self.game), "BRISK", None)
        before = next((who for who, _ in reversed(self.match.log) if who != CHANCE), None)
        return float(brisk) if brisk and before == seat else self._rng.uniform(*THINK)

    def _think(self, seat: int, legal: list[int], knowledge: Any) -> int:
        try:
            if seat not in self._minds:
                self._minds[seat] = self._mind(str(self.row.chairs[seat].mind))
            action = self._minds[seat].choose(knowledge, seat, legal, self._rng)
        except Exception:
            log.exception("companion %s at table %s", self.row.chairs[seat].mind, self.row.id)
            action = None
        return action if action in legal else self._rng.choice(legal)

    def _mind(self, name: str) -> Any:
        try:
            return find_mind(self.game, name)
        except ValueError as error:  # it was taken out since the table was set: somebody must play on
            log.warning("table %s: %s; any legal move is played for it", self.row.id, error)
            return Random()

    # -- what is seen

    def people(self, language: str) -> list[tuple[str, str | None, bool]]:
        """Name, picture and absence of each seat."""
        ui = pages.ui_texts(language)
        here = self.present()
        out: list[tuple[str, str | None, bool]] = []
        for seat, chair in enumerate(self.row.chairs):
            if chair.kind == "bot":
                key = f"minds.{chair.mind}.name"
                name = ui(key) if key in ui else str(chair.mind).capitalize()
                twins = [s for s, c in enumerate(self.row.chairs) if c.kind == "bot" and c.mind == chair.mind]
                out.append((f"{name} {twins.index(seat) + 1}" if len(twins) > 1 else name, companions.art_of(chair.mind), False))
            else:
                out.append((chair.name, None, seat not in here))
        return out

    def names(self, language: str) -> list[str]:
        return [name for name, _, _ in self.people(language)]

    def private(self, at: int, seat: int) -> bool:
        """The seat sees something now that not everybody sees."""
        record = self.states[at]
        return self.game.view(record, seat) != self.game.view(record, -1)

    def lines(self, seat: int, language: str, at: int) -> list[dict[str, Any]]:
        """The log in words as this seat reads it, newest first, up to a place in the log."""
        scene, entries = pages.scene_of(self.game), self.match.log
        clears = {
            a for name in getattr(scene, "CLEARS", ()) for r in (self.game.actions.ranges[name],) for a in range(r.start, r.start + r.count)
        }
        upto, lines = self._lines.get((seat, language), (0, []))
        places = sorted(self.states)
        for i, after in itertools.pairwise(places):
            if i < upto:
                continue
            said = scene.line(self._past(after, seat, language), *entries[i])
            if entries[i][1] in clears:
                lines.append({"n": i, "clear": True})
            if said:
                text, tone = said if isinstance(said, tuple) else (said, "")
                lines.append({"n": i, "text": text, "tone": tone})
        self._lines[seat, language] = (places[-1], lines)
        past = (line for line in reversed(lines) if line["n"] < at)
        return list(itertools.islice(itertools.takewhile(lambda line: "text" in line, past), LINES))

    def _past(self, at: int, seat: int, language: str) -> Look:
        record = self.states[at]
        acting = self.game.acting(self.game.state.open(record)) - {CHANCE}
        return Look(
            self.game,
            self.game.view(record, seat),
            seat,
            acting,
            frozenset(),
            self.names(language),
            pages.game_texts(self.game, language),
            self.match.options,
            over=not acting,
        )

    def last(self, at: int) -> Mapping[str, object]:
        """The seat and action of the latest entry that a seat made, for the animation; and the time, where it counts."""
        made = [i for i in self.states if i < at]
        clock = {"clock": self.clock.face(time.time(), self.match.over)} if self.clock else {}
        return {"entry": self.match.log[max(made)] if made else None, **clock, **self._best()}

    def _best(self) -> Mapping[str, object]:
        """After a game alone: this person's scores in such games, best first."""
        if self.clock or self.match.players > 1 or not self.match.over:
            return {}
        played = self.store.results(str(self.row.chairs[0].person), self.row.game)
        alone = [(result["scores"][0], at, id) for id, _, result, at in played if len(result["scores"]) == 1]
        return {"best": [{"score": score, "at": at, "this": id == self.row.id} for score, at, id in sorted(alone, reverse=True)[:10]]}

    def sight(self, seat: int, language: str, at: int | None = None, **more: Any) -> pages.Sight:
        """What a seat sees, now or at a place in the log."""
        now = len(self.match.log)
        at = now if at is None else at
        return pages.Sight(
            game=self.game, record=self.states[at], seat=seat, options=self.match.options, people=self.people(language), language=language,
            path=f"/t/{self.row.id}", id=self.row.id, n=self.n, lines=self.lines(seat, language, at), hold=self.hold,
            can_undo=at == now and self.can_undo(seat), seal=self.row.seal, extra=self.last(at), **more,
        )  # fmt: skip


    def page(self, seat: int, language: str, at: int | None = None, **more: Any) -> str:
        """The live part of a page; what several look at is made once. (Where time is shown, no two are the same.)"""
        now = self.states[len(self.match.log) if at is None else at].tobytes()
        seen = seat, language, at, self.n, now, tuple(self.people(language)), tuple(map(str, sorted(more.items())))
        if self.clock or seen not in self._pages:
            self._pages[seen] = pages.fragment(self.sight(seat, language, at, **more))
        return self._pages[seen]

    def present(self) -> set[int]:
        """The seats whose people have this table open."""
        return {seat for desk in self.desks for seat in desk.mine}

    def arrive(self, desk: Any) -> None:
        """A page is opened; the others change only when a seat's person came."""
        before = self.present()
        self.desks.add(desk)
        if self.present() != before:
            self.tell()

    def leave(self, desk: Any) -> None:
        before = self.present()
        self.desks.discard(desk)
        self.acks.set()
        if self.present() != before:
            self.tell()


def summary(row: Row, person: str, language: str) -> dict[str, Any]:
    """A table in a list."""
    ui = pages.ui_texts(language)
    mine = [seat for seat, chair in enumerate(row.chairs) if chair.person == person]
    names = []
    for seat, chair in enumerate(row.chairs):
        if seat not in mine:
            key = f"minds.{chair.mind}.name"
            names.append(ui(key) if chair.kind == "bot" and key in ui else chair.name)
    turn = bool(set(row.acting) & set(mine)) and row.ready and not row.result
    return {
        "id": row.id,
        "game": row.game,
        "names": names,
        "turn": turn,
        "over": bool(row.result),
        "won": any(row.result["ranking"][seat] == 1 for seat in mine) if row.result else False,
        "waiting": not row.ready,
        "acting": [row.chairs[seat].name for seat in row.acting if seat < len(row.chairs)],
        "ago": time.time() - row.moved,
        "taken": sum(not chair.free for chair in row.chairs),
        "seats": len(row.chairs),
        "host": next((chair.name for chair in row.chairs if chair.person == row.host), row.chairs[0].name),
    }


class Rooms:
    """The tables in use in this process."""

    def __init__(self, store: Store, pace: float = 1.0) -> None:
        self.store = store
        self.pace = pace
        self._rooms: dict[str, Room] = {}

    def get(self, id: str) -> Room | None:
        """The room of a table whose seats are all taken, opened if need be; None if there is no such table."""
        if id not in self._rooms:
            self._make_way()
            row = self.store.row(id)
            if row is None:
                return None
            room = Room(row, self.store, self.pace, self._forget)
            if not row.result:
                room.check()
            if row.ready:
                room.open()
                room.start()
            self._rooms[id] = room
        return self._rooms[id]

    def _make_way(self) -> None:
        """Tables that nobody looks at are put away; they are rebuilt when somebody comes back."""
        if len(self._rooms) >= MANY:
            for id, room in list(self._rooms.items()):
                if room.idle:
                    room.stop()
                    del self._rooms[id]

    def sit(self, id: str, seat: int, person: str, name: str) -> bool:
        """Somebody takes a free seat; when it was the last one, the game begins."""
        room = self.get(id)
        if room is None:
            return False
        room.check()
        taken = self.store.sit(id, seat, person, name)
        room.row = self.store.row(id) or room.row
        if room.row.ready and room._task is None:
            try:
                room.open()
            except BaseException:
                room._drop()  # it is opened anew when somebody comes
                raise
            room.start()
        for desk in room.desks:
            desk.find_seats()
        room.tell()
        return taken

    def clear(self, id: str, person: str) -> bool:
        """The host gives up waiting: the table is gone. Not once everyone sits."""
        room = self.get(id)
        if room is None or room.row.ready or room.row.host != person:
            return False
        self.store.remove(id)
        self._forget(room)
        for desk in list(room.desks):
            desk.leaving = asyncio.get_running_loop().create_task(desk._say({"go": "/"}))
        return True

    def _forget(self, room: Room) -> None:
        if self._rooms.get(room.row.id) is room:
            del self._rooms[room.row.id]

    def close(self) -> None:
        for room in self._rooms.values():
            room.stop()
