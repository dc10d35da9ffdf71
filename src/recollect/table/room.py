"""A table in use: its match, rebuilt from what is stored and stored before anyone is told, and the pages that are open."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from recollect.engine.game import load
from recollect.engine.match import Match, Refused
from recollect.engine.stream import CHANCE
from recollect.table.clock import Clock, clock_of
from recollect.table.showing import Showing
from recollect.table.sights import Sights
from recollect.table.store import UNDO, Row, Store
from recollect.table.tending import Tending

log = logging.getLogger("recollect.table")


class Outdated(Exception):
    """The table was played under other rules, or with another box, than those here now."""


class Dropped(Exception):
    """What this room holds is not what is stored; the table must be opened again."""


class Room:
    """One table. All changes go through `play` and `undo`: checked, stored, then told."""

    def __init__(self, row: Row, store: Store, pace: float = 1.0, forget: Callable[[Room], None] | None = None) -> None:
        self.row = row
        self.store = store
        self.pace = pace  # scales every waiting time
        self.forget = forget  # says that this room is of no more use
        self.dropped = False
        self.game = load(row.game)
        self.desks: set[Any] = set()  # the pages that are open
        self.match: Match
        self.rows: list[int] = []  # the seat of each entry stored, undo included
        self.times: list[float] = []  # when each entry of the match's log was made
        self.states: dict[int, np.ndarray] = {}  # the record before each entry that a seat made, and the one now
        self.exposures: list[int] = []  # places in the log where the table went on by itself: what lay open before was shown to all
        self.clock: Clock | None = None  # of a game against time
        self.showing = Showing(self)
        self.sights = Sights(self)
        self.tending = Tending(self)
        self._opened = False

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
        self.sights.forget_lines()

    def start(self) -> None:
        """From now on the table plays its own part."""
        self.showing.resume()
        self.tending.start()

    def stop(self) -> None:
        self.showing.stop()
        self.tending.stop()

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
            self.showing.seen.clear()
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
                self.drop()
            self.tell()
            raise

    def drop(self) -> None:
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
        if s.house:
            result["house"] = [{"score": h.score, "rank": h.rank} for h in s.house]
        if self.clock:
            result["time"] = self.clock.result(self.match.state)
        return result, self.document()

    def can_undo(self, seat: int) -> bool:
        at = self.match.can_undo(seat) if seat >= 0 else None
        return at is not None and self.match.log[at][1] not in self.game.paced

    def tell(self) -> None:
        """Something changed: every page is to be shown it, and the table may have to go on."""
        self.sights.forget_pages()
        self.tending.news.set()
        for desk in self.desks:
            desk.dirty.set()

    def paced(self) -> tuple[int, int] | None:
        """The action that only carries the game on, when nothing else is asked of anybody."""
        due = None
        for seat in sorted(self.match.acting - {CHANCE}):
            legal = self.match.legal(seat)
            if not set(legal) <= self.game.paced:
                return None
            due = due or (seat, legal[0])
        return due

    # -- who is here

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
        self.showing.news.set()
        if self.present() != before:
            self.tell()
