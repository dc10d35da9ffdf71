"""A table in use: its match, rebuilt from what is stored and stored before anyone is told, and the pages that are open."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from recollect.engine.look import Moment
from recollect.engine.match import Entry, Match, Refused
from recollect.engine.shelf import load
from recollect.engine.stream import CHANCE
from recollect.table.live.clock import Clock, clock_of
from recollect.table.live.companions import Companions
from recollect.table.live.company import Company
from recollect.table.live.exposure import Exposure
from recollect.table.live.hints import Hints
from recollect.table.live.others import Others
from recollect.table.live.pages import Pages
from recollect.table.render.log import Log
from recollect.table.render.players import Person, people
from recollect.table.store import HINT, UNDO, Overtaken, Row, Statement, Store, Unkept
from recollect.table.writer import Writer

if TYPE_CHECKING:
    from recollect.table.live.screen import Screen
    from recollect.table.live.town import Town
    from recollect.table.live.wire import Act

log = logging.getLogger("recollect.table")


CROWD = 20  # onlookers told at once


def nothing(now: Moment) -> None:
    """Nothing follows."""


class Outdated(Exception):
    """The table was played under other rules, or with another box, than those here now."""


class Gone(Outdated):
    """The game of this table is not here, or broken."""


class Dropped(Exception):
    """What this room holds is not what is stored; the table must be opened again."""


class Room:
    """One table. All changes go through `play` and `undo`: checked, stored, then told."""

    def __init__(
        self,
        row: Row,
        store: Store,
        pace: float = 1.0,
        forget: Callable[[Room], None] | None = None,
        writer: Writer | None = None,
        town: Town | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.row = row
        self.store = store
        self.writer = writer  # keeps what changes, together with other tables' changes; without one, each is kept at once
        self.writing: asyncio.Future[None] | None = None  # a change on its way to the disk: nobody has been told of it yet
        self.pace = pace  # scales every waiting time
        self.forget = forget  # says that this room is of no more use
        self.now = now  # what time it is
        self.news: Callable[[Room], None] | None = None  # hears that something changed here
        self.dropped = False
        self.resting = False  # the house closes: what was begun is answered, what comes now is for another process, or for later
        self.game = load(row.game)
        self.screens: set[Screen] = set()  # the pages that are open
        self.match: Match  # changed by this room alone; everybody else reads the moment
        self.moment: Moment  # how it stands since the last change
        self.at = self.stood = 0  # entries of the log up to the moment, and before the latest change
        self.rows: list[int] = []  # the seat of each entry stored, undo included
        self.entries: list[Entry] = []  # the log up to the moment; the match is ahead of it while something taken back is on its way
        self.times: list[float] = []  # when each entry was made
        self.states: dict[int, np.ndarray] = {}  # the record before each entry that a seat made, and the one now
        self.exposures: list[int] = []  # places in the log where the table went on by itself: what lay open before was shown to all
        self._undoable: dict[int, bool] = {}  # at this moment, by seat
        self.played: dict[str, Act] = {}  # the last click of each person that was played and is kept
        self.clock: Clock | None = None  # of a game against time
        self.exposure, self.pages, self.log, self.hints = Exposure(self), Pages(self), Log(self), Hints(self)
        self.companions = Companions(self)
        self.company = Company(self)
        self.town = town  # the processes that serve the same tables; None: this one alone
        self.others = Others(self, alone=town is None)
        self.opened = False

    # -- opening: everything is rebuilt from what is stored

    def open(self) -> None:
        """Replay the log; deal what chance owes, unless another process is quicker."""
        self.check()
        while True:
            self._replay()
            try:
                self._deal()
                break
            except Overtaken:
                continue
        self.opened = True
        self._remember()
        self._wind()

    def _replay(self) -> None:
        self.rows, self.times, self.hints.taken = [], [], []
        try:
            self.match = Match(self.game, self.game.settle(self.row.options), self.row.seed, auto_chance=False)
            self._append(self.store.entries(self.row.id))
        except ValueError as error:
            raise Outdated(self.row.id) from error
        self.match.auto_chance = True

    def _append(self, entries: Iterable[tuple[int, int, float]]) -> None:
        """Entries as they are stored."""
        for seat, action, at in entries:
            if action == HINT:
                self.hints.taken.append((len(self.match.log), seat))
            elif action == UNDO:
                del self.times[self._taken_back(seat)]
            else:
                self.match.follow([(seat, action)])
                self.times.append(at)
            self.rows.append(seat)

    def _deal(self) -> None:
        """What chance owes, stored."""
        stood, now = len(self.match.log), self.now()
        self.match.let_chance()
        dealt = self.match.log[stood:]
        if dealt or not (self.rows or self.opened):
            kept = self.store.added(self.row.id, self.n, dealt, self.match.acting, *self._ending(), now)
            self.store.write([*kept, *self.company.pace.soon(now)])
            self.row.moved = now
            self.rows += [seat for seat, _ in dealt]
        self.times += [now] * len(dealt)

    def check(self) -> None:
        """The table is of these rules and this box."""
        if not self.row.fits(self.game):
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
        self._stand()
        self.states = dict(self.match.positions())
        self.stood = next(itertools.islice(reversed(self.states), 1, None), 0)
        self.exposures = [i for i, (seat, action) in enumerate(self.match.log) if action in self.game.paced]
        self.log.forget()

    def start(self) -> None:
        """From now on the table plays its own part."""
        self.exposure.resume()
        self.companions.start()
        self.company.pace.wind()

    def stop(self) -> None:
        self.exposure.stop()
        self.companions.stop()
        self.company.stop()

    @property
    def n(self) -> int:
        """How many entries are stored."""
        return len(self.rows)

    # -- changes

    def play(
        self, seat: int, action: int, click: tuple[str, Act] | None = None, following: Callable[[Moment], int | None] = nothing
    ) -> None:
        """An action and those that are `following` from it, as one change. Nobody can look between the move and its being stored: what
        they read is the moment, which comes after. Nor is it known until then as the `click` of somebody, who sends it again where it was
        not stored."""
        with self._or_as_stored():
            before, now, then = len(self.match.log), self.now(), cast("int | None", action)
            while then is not None:
                entries = self.match.play(seat, then)
                self.times += [now] * len(entries)
                if self.clock:
                    self.clock.move(now, then not in self.game.paced, self.match.state)
                then = following(self.match.moment)
            self._keep(self.match.log[before:], lambda: self._played(before, click), now)

    def _played(self, before: int, click: tuple[str, Act] | None = None) -> None:
        """The table stands after a change of the log; the click that made it is known if it is sent again."""
        if click:
            self.played[click[0]] = click[1]
        self._stand()
        self.states |= dict(self.match.positions(before))
        self.stood = before
        self.exposures += [place for place in range(before, self.at) if self.match.log[place][1] in self.game.paced]
        if self.moment.over:
            self._rank()

    def follow(self, entries: Sequence[tuple[int, int, float]] = ()) -> None:
        """Another process has stored the next entries of the log: those given, or what the store has."""
        with self._or_as_stored():
            entries, before = entries or self.store.entries(self.row.id, self.n), len(self.match.log)
            if not entries:
                return
            self._append(entries)
            if self.clock or entries[0][0] == CHANCE or any(action < 0 for _, action, _ in entries):
                self._remember()
                self._wind()
            else:
                self._played(before)
        self.tell()

    def undo(self, seat: int, most: int = 1) -> None:
        """Take back the seat's last action, and before it others up to so many, as far as they can be: one change."""
        if not self.can_undo(seat):
            raise Refused("nothing to take back")
        with self._or_as_stored():
            self.entries, places = list(self.match.log), [self._taken_back(seat)]
            while len(places) < most and self._may_take_back(seat):
                places.append(self._taken_back(seat))
            self._keep([(seat, UNDO)] * len(places), lambda: self._undone(places), self.now())

    def _undone(self, places: Iterable[int]) -> None:
        """The table stands without these entries."""
        for place in places:
            del self.times[place]
        self._remember()

    def take_hint(self, seat: int) -> None:
        """The seat takes a hint: the table goes on as it was, and everybody can read that one was taken."""
        taken = len(self.match.log), seat
        with self._or_as_stored():
            self._keep([(seat, HINT)], lambda: self.hints.taken.append(taken), self.now())

    @property
    def over(self) -> bool:
        """The game is over, and everybody has been told so."""
        return self.moment.over

    @property
    def hinted(self) -> Sequence[tuple[int, int]]:
        """Who took a hint: place in the log and seat."""
        return self.hints.taken

    def _taken_back(self, seat: int) -> int:
        """Take the seat's last action back; returns its place in the log."""
        place = self.match.can_undo(seat)
        self.match.undo(seat)
        assert place is not None
        return place

    def document(self) -> dict[str, Any]:
        """The match file, with the time of each entry."""
        hints = {"hints": self.hints.taken} if self.hints.taken else {}
        given = {"given": n} if (n := self.store.given(self.row.id)) else {}
        return {**self.match.document(), "times": self.times, **hints, **given}

    @contextlib.contextmanager
    def _or_as_stored(self) -> Iterator[None]:
        """Wholly done and stored; if anything fails, the table stands as the store says, or is dropped and opened again when needed."""
        if self.dropped:
            raise Dropped(self.row.id)
        assert self.writing is None, "one change at a time: whoever makes one waits until the table is settled"
        try:
            yield
        except Refused:
            raise
        except BaseException:
            self._as_stored()
            raise

    def _as_stored(self) -> None:
        try:
            self.open()
        except Unkept as error:
            log.error("table %s cannot be read again: %s", self.row.id, error)
            self.drop()
        except Exception:
            log.exception("table %s cannot be read again", self.row.id)
            self.drop()
        self.tell()

    def drop(self, fault: bool = True) -> None:
        """Nobody goes on with what may not be what is stored."""
        self.dropped = True
        self.stop()
        if self.forget:
            self.forget(self)
        for screen in list(self.screens):
            screen.dismiss(fault)

    def _keep(self, entries: list[Entry], then: Callable[[], None], now: float) -> None:
        """Store the entries; then the table stands after them, and everybody is told."""

        def kept(done: asyncio.Future[None] | None = None) -> None:
            self.writing = None
            if done and (error := done.exception()):
                return self._overtaken(entries) if isinstance(error, Overtaken) else self._as_stored()
            self.rows += [seat for seat, _ in entries]
            then()
            self.company.pace.wind()
            if done is None:
                self.tell()
            else:
                done.get_loop().call_soon(self.tell)  # whoever clicked is answered first
            self.others.settled()

        statements = self.store.added(self.row.id, self.n, entries, self.match.acting, *self._ending(), now) + self.company.pace.soon(now)
        if self.writer is None:
            self.store.write(statements)
            kept()
        else:
            self.writing = self.writer.put(statements, self.row.id)
            self.writing.add_done_callback(kept)

    def _overtaken(self, entries: list[Entry]) -> None:
        """Another process was quicker: ours did not happen, theirs did."""
        if self.clock or entries[0][1] < 0:
            return self._as_stored()
        stood = len(self.match.log) - len(entries)
        self.match.back_to(stood)
        del self.times[stood:]
        self.follow()
        self.others.settled()

    async def settled(self) -> None:
        """Until no change is on its way. Whoever changes the table waits for this, and then does not wait again."""
        while self.writing is not None:
            await asyncio.wait([self.writing])

    async def kept(self) -> None:
        """Until what was just done is stored; what went wrong is raised."""
        if self.writing is not None:
            await asyncio.shield(self.writing)

    async def keep_beside(self, statements: list[Statement]) -> None:
        """Until something beside the game is kept."""
        if self.writer is None:
            self.store.write(statements)
        else:
            await self.writer.put(statements, self.row.id)

    def note(self, statements: list[Statement]) -> None:
        """Keep something that nobody waits for."""
        if self.writer is None:
            self.store.write(statements)
        else:
            self.writer.note(statements, self.row.id)

    def _stand(self) -> None:
        """The match stands at a new moment."""
        if self.at != len(self.match.log):
            self.exposure.clear()
        self.moment, self.at, self.entries = self.match.moment, len(self.match.log), self.match.log
        self._undoable.clear()
        self.pages.forget()

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
        """Whether the seat may take something back; found out once a moment."""
        if self.writing is not None or seat < 0:
            return False
        if seat not in self._undoable:
            self._undoable[seat] = self._may_take_back(seat)
        return self._undoable[seat]

    def _may_take_back(self, seat: int) -> bool:
        at = self.match.can_undo(seat)
        return at is not None and self.match.log[at][1] not in self.game.paced

    def clicked(self, seat: int) -> int:
        """How many actions the seat's last click stood for: at whichever process it came, what it did was kept at one time."""
        last = self.times[-1:]
        if last == self.times[:1]:  # so was all that a table began with, whatever was clicked for it
            return 1
        together = itertools.takewhile(lambda entry: [entry[1]] == last, zip(reversed(self.match.log), reversed(self.times), strict=True))
        return sum(who == seat for (who, _), _ in together)

    def tell(self) -> None:
        """Something changed: every page is to be shown it, and the table may have to go on."""
        self.pages.forget()
        self.companions.heard()
        if self.news:
            self.news(self)
        for screen in self.screens:
            if screen.mine:
                screen.dirty.set()
        self._tell_some(iter([screen for screen in self.screens if not screen.mine]))

    def _tell_some(self, crowd: Iterator[Screen]) -> None:
        """Who only watches is told after the players, some at a time: nobody waits for a crowd."""
        for screen in itertools.islice(crowd, CROWD):
            screen.dirty.set()
        if more := list(crowd):
            asyncio.get_running_loop().call_soon(self._tell_some, iter(more))

    def moment_at(self, place: int) -> Moment:
        """How it stood at a place in the log."""
        return self.moment if place == self.at else Moment(self.game, self.states[place], self.match.options)

    # -- who is here

    def present(self) -> set[int]:
        """The seats whose people have this table open."""
        return self.seats_here() | self.others.seats

    def seats_here(self) -> set[int]:
        """Those of them that are at this process's pages."""
        return {seat for screen in self.screens for seat in screen.mine}

    def people(self, language: str) -> list[Person]:
        """Name, picture and absence of each seat."""
        return self.pages.people(language)

    def names(self, language: str) -> list[str]:
        return [name for name, _, _ in self.people(language)]

    def named(self, language: str, place: int) -> list[str]:
        """What everybody was called when an entry was made: a line of the log keeps the name, whoever has the seat now."""
        then = self.company.chairs(place)
        return self.names(language) if then is self.row.chairs else [name for name, _, _ in people(then, (), language)]

    def arrive(self, screen: Screen) -> None:
        """A page is opened; the others change only when a seat's person came."""
        if self.dropped:  # on its way here, it missed the word to come again
            return screen.dismiss()
        before = self.present()
        self.screens.add(screen)
        self.counted()
        self.companions.news.set()  # companions among themselves play when somebody looks
        if self.present() != before:
            self.company.version += 1
            self.tell()
        elif not screen.mine:
            self.company.came_or_went()

    def leave(self, screen: Screen) -> None:
        before = self.present()
        self.screens.discard(screen)
        self.counted()
        self.exposure.news.set()
        if self.present() != before:
            self.company.version += 1
            self.tell()
        elif not screen.mine:
            self.company.came_or_went()

    def counted(self) -> None:
        """Who is here, and how they like it, is told to other processes."""
        if self.town:
            self.town.here(self)
