"""A finished match gone through once: everything that each seat was shown, and every decision in which memory could help."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.match import Match
from recollect.engine.stream import CHANCE


@dataclass
class Exposure:
    """A card that lay in a seat's sight for a while. Entries and turns count from 1; seconds are known where times were kept."""

    place: str
    face: str
    by: int  # who turned it; chance deals, but does not turn
    entry: int  # the entry of the log that brought it in sight
    turn: int
    until: int  # the last turn in which it was in sight
    seconds: float | None = None
    ended: float | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Memory:
    """What a seat could have remembered of one place: how often it was shown, and how long ago."""

    place: str
    face: str
    turns: int  # since it was last in sight
    seconds: float | None
    ages: tuple[int, ...]  # of every time it was shown, in turns, this turn being 1

    @property
    def times(self) -> int:
        return len(self.ages)


@dataclass
class Decision:
    """One card turned where memory could help. `wanted` is what the seat had been shown and would have done well to turn."""

    seat: int
    entry: int
    turn: int
    kind: str  # twin, pair or link
    place: str  # what was turned
    face: str
    outcome: str  # used, missed, lucky (never shown, yet right) or guessed (nobody could know); left: nothing was lost by it
    wanted: list[Memory]
    others: list[tuple[int, ...]]  # ages of the other cards in smoke; () for one never shown
    fresh: bool = True  # nothing that was remembered this turn led here
    known: bool = False  # what was turned had been shown before


class Watched:
    """The match, entry by entry. `times` are the moments of the entries in seconds, where they were kept."""

    def __init__(self, match: Match, times: Sequence[float] = ()) -> None:
        self.match, self.game, self.times = match, match.game, list(times) if len(times) == len(match.log) else []
        self.recall: Any = recall_of(match.game)
        self.turn, self.turns = 0, list[int]()  # now; and of each entry, as memories count them: who plays again is still at it
        self.number, self.numbers = 0, list[int]()  # the same as the table counts them: who plays again has another turn
        self.rounds = list[int]()  # of each entry, where a game has rounds
        self.exposures: list[list[Exposure]] = [[] for _ in range(match.players)]
        self.decisions: list[Decision] = []
        self.left: dict[str, tuple[int, int]] = {}  # cards that left the table: with which entry, and who took them
        self.record = self.game.start(match.options)
        self.state = self.game.state.open(self.record)
        (self.name,) = (name for name, f in self.game.state.fields.items() if f.visibility.kind == "known")
        self.field = self.game.state.fields[self.name]
        self.places: Sequence[str] = self.field.axes[0]  # type: ignore[assignment]
        self.seen: list[dict[int, list[Exposure]]] = [{} for _ in range(match.players)]  # by seat and place: what was shown there
        self._cards, self._now = self._faces(), self._sight()
        self._last = max((n for n, (seat, _) in enumerate(match.log) if seat != CHANCE), default=0)
        self._go()

    # -- going through

    def _go(self) -> None:
        last, round_of = CHANCE, getattr(self.recall, "round_of", lambda _: 0)
        for n, (seat, action) in enumerate(self.match.log):
            decision = self._decide(n, seat, action) if seat != CHANCE and action in self.recall.ACTIONS else None
            faces, sight = self._cards, self._now
            self.rounds.append(round_of(self.state))
            self.game.rules.apply(self.state, seat, action)
            self._cards, self._now = self._faces(), self._sight()
            if seat != CHANCE:
                self.turn += self._newcomer(n, seat)
                self.number += self._begins(n, seat)
                last = seat
            self.turns.append(max(self.turn, 1))
            self.numbers.append(max(self.number, 1))
            self._look(n, last, faces, sight)
            if decision:
                self.decisions.append(decision)
            self._settle()

    def _faces(self) -> list[int]:
        return list(self.record[self.name].tolist())

    def _sight(self) -> np.ndarray:
        return self._flags(self.field.visibility.now)

    def _flags(self, name: str) -> np.ndarray:
        flags = self.game.state.fields[name].flags(self.record[name])
        return np.array(flags[: self.match.players], bool)

    def _at(self, n: int) -> float | None:
        return self.times[n] if self.times else None

    def _look(self, n: int, by: int, faces: list[int], before: np.ndarray) -> None:
        """What came in sight, what stayed and what went; and cards that changed places take what is known of them along."""
        now, after = self._now, self._cards
        for seat, at in zip(*np.nonzero(before), strict=True):
            if shown := self.seen[seat].get(int(at)):
                self._goes_on(shown[-1], n, bool(now[seat, at]))
        if after != faces:
            self._moved(faces, after)
            gone = [at for at, face in enumerate(after) if face < 0 <= faces[at] and after.count(faces[at]) < faces.count(faces[at])]
            self.left |= {self.places[at]: (n + 1, by) for at in gone}  # and not to a place where nobody knows yet what lies there
        if n < self._last:  # what is turned up after the end taught nobody anything
            self._shown(n, by, now & ~before)

    def _shown(self, n: int, by: int, new: np.ndarray) -> None:
        for seat, at in zip(*np.nonzero(new), strict=True):
            exposure = Exposure(self.places[at], self.say(self._cards[at]), by, n + 1, self.turns[-1], self.turns[-1], ended=self._at(n))
            self.seen[seat].setdefault(int(at), []).append(exposure)
            self.exposures[seat].append(exposure)

    def _goes_on(self, exposure: Exposure, n: int, in_sight: bool) -> None:
        if in_sight:
            exposure.until = self.turns[-1]
        if self.times:
            exposure.seconds = round(self.times[n] - self.times[exposure.entry - 1], 3)
            exposure.ended = self.times[n]

    def _moved(self, faces: list[int], after: list[int]) -> None:
        """Cards that left are forgotten, and those that changed places are known where they are now."""
        changed = [at for at, (old, new) in enumerate(zip(faces, after, strict=True)) if old != new and old >= 0]
        for shown in self.seen:
            were = {faces[at]: shown.pop(at, []) for at in changed}
            for at in changed:
                if after[at] >= 0 and were.get(after[at]):
                    shown[at] = were[after[at]]

    # -- decisions

    def _decide(self, n: int, seat: int, action: int) -> Decision | None:
        k = self.game.knowledge(self.record, seat)
        asked = self.recall.wanted(k)
        if asked is None:
            return None
        kind, wanted = asked
        at = action - self.recall.ACTIONS.start
        now = self.turn + self._newcomer(n, seat)
        decision = Decision(seat, n + 1, self.number + self._begins(n, seat), kind, self.places[at], "", "", [], [], known=k.card[at] >= 0)
        decision.wanted = [self._memory(seat, p, n, now) for p in sorted(wanted)]
        decision.others = [self._ages(seat, p) for p in self._hidden(seat) if p not in wanted]
        decision.fresh = self._fresh(n, seat)
        self._asked = (k, wanted, at, decision)
        return decision

    def _newcomer(self, n: int, seat: int) -> bool:
        """Whether somebody else moved before; alone, whether the table had put the cards away."""
        return self._made(n)[0] != seat or (self.match.players == 1 and self._made(n)[1] in self.game.paced)

    def _begins(self, n: int, seat: int) -> bool:
        """Whether a turn begins with this entry: somebody else moved before, or the table had put the cards away and one is turned."""
        who, what = self._made(n)
        return who != seat or (what in self.game.paced and self.match.log[n][1] in self.recall.ACTIONS)

    def _made(self, n: int) -> tuple[int, int]:
        """What was done before an entry, by whom."""
        return next((entry for entry in (self.match.log[i] for i in range(n - 1, -1, -1)) if entry[0] != CHANCE), (CHANCE, 0))

    def _fresh(self, n: int, seat: int) -> bool:
        """No card that was known led here: the turn begins now, or the card that lies open was new to the seat."""
        entry = self.match.log[n - 1] if n else (CHANCE, 0)
        return self._newcomer(n, seat) or entry[0] == CHANCE

    def _hidden(self, seat: int) -> list[int]:
        """Places that this decision could have been about."""
        return [a - self.recall.ACTIONS.start for a in self.game.legal(self.state, seat) if a in self.recall.ACTIONS]

    def _memory(self, seat: int, at: int, n: int, turn: int) -> Memory:
        shown = self.seen[seat][at]
        ended, now = shown[-1].ended, self._at(n)
        seconds = round(now - ended, 3) if now is not None and ended is not None else None
        return Memory(self.places[at], shown[-1].face, turn - shown[-1].until, seconds, self._ages(seat, at))

    def _ages(self, seat: int, at: int) -> tuple[int, ...]:
        return tuple(self.turn - e.until + 1 for e in self.seen[seat].get(at, ()))

    def _settle(self) -> None:
        """What a decision came to, once the card lies open."""
        if not self.decisions or self.decisions[-1].outcome:
            return
        k, wanted, at, decision = self._asked
        face = self._cards[at]
        if face < 0:
            return  # chance has still to deal it
        decision.face = self.say(face)
        if wanted:
            decision.outcome = "used" if at in wanted else "missed"
        else:
            decision.outcome = "lucky" if self.recall.right(k, face) else "guessed"

    def say(self, face: int) -> str:
        values = self.field.values
        return values[face] if values and face >= 0 else ""


def recall_of(game: Game) -> Any:
    """What remembering is for in a game (its recall.py)."""
    if not tells(game):
        raise ValueError(f"{game.name} is no game of recall: there is nothing to report of anybody's memory")
    return importlib.import_module(game.package + ".recall")


def tells(game: Game) -> bool:
    """Whether there can be a report of memory."""
    return importlib.util.find_spec(game.package + ".recall") is not None
