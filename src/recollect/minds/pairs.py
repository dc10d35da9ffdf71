"""Exact solutions of games of pairs under perfect memory.

Two players who forget nothing share one state of knowledge, so a whole game is a small table. For each *kind* of pair it counts

    known     pairs of which both places are known,
    singles   cards whose place is known and whose partner is not,
    unseen    pairs of which no card was ever seen,

and beside them the reds, which leave the table when they are turned and so are never known. A turn takes a known pair, or turns an
unseen card and then answers: take its partner, waste the second card on a known one, or turn another unseen card. Turning a known
card first is never better than that, because an unseen card turned first leaves every second card open.

Every turn of the table shows or takes something, so play cannot go in circles. Where passing is allowed (turning two known cards
that do not match), two players who both prefer to wait end with nothing more: a pass is worth exactly 0 to whoever moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

RED = 1  # points a red card costs


class Kind(NamedTuple):
    """A kind of pair: what it is worth, and whether its finder plays again."""

    worth: int
    again: bool


class Count(NamedTuple):
    """What is known of one kind of pair."""

    known: int = 0
    singles: int = 0
    unseen: int = 0

    @property
    def hidden(self) -> int:
        """Cards of this kind that nobody has seen."""
        return self.singles + 2 * self.unseen

    @property
    def places(self) -> int:
        """Cards of this kind whose place is known."""
        return 2 * self.known + self.singles


class Knowledge(NamedTuple):
    """What both players know: one count for each kind, the first being the kind that ends the game; and the reds left."""

    counts: tuple[Count, ...]
    reds: int = 0

    @property
    def over(self) -> bool:
        return self.counts[0] == (0, 0, 0)

    @property
    def hidden(self) -> int:
        return self.reds + sum(c.singles + 2 * c.unseen for c in self.counts)

    @property
    def places(self) -> int:
        return sum(2 * c.known + c.singles for c in self.counts)

    def take(self, kind: int) -> Knowledge:
        """A known pair leaves the table."""
        return self._with(kind, -1, 0, 0)

    def meet(self, kind: int) -> Knowledge:
        """The partner of a single was seen: a known pair."""
        return self._with(kind, 1, -1, 0)

    def see(self, kind: int) -> Knowledge:
        """The first card of an unseen pair was seen."""
        return self._with(kind, 0, 1, -1)

    def keep_red(self) -> Knowledge:
        return Knowledge(self.counts, self.reds - 1)

    def _with(self, kind: int, known: int, singles: int, unseen: int) -> Knowledge:
        c = self.counts[kind]
        new = Count(c.known + known, c.singles + singles, c.unseen + unseen)
        return Knowledge(self.counts[:kind] + (new,) + self.counts[kind + 1 :], self.reds)


class First(NamedTuple):
    """The card that lies open as the first of the turn; the knowledge beside it counts it already."""

    kind: int
    match: bool  # its partner's place is known


class Move(NamedTuple):
    """One way to play on: `take` (a known pair of that kind), `turn` (an unseen card), `waste` (turn a known card), `pass`."""

    what: str
    kind: int = -1


@dataclass(eq=False)
class Pairs:
    """A solved game of pairs for two players with perfect memory. `number` is float or Fraction."""

    kinds: tuple[Kind, ...]
    may_pass: bool = False
    number: type = float
    _values: dict[Knowledge, Any] = field(default_factory=dict, repr=False)

    def value(self, k: Knowledge) -> Any:
        """Points the player to move expects to gain on the other in the rest of the game."""
        if k.over:
            return self.number(0)
        if k not in self._values:
            self._values[k] = max(worth for _, worth in self.moves(k))
        return self._values[k]

    def moves(self, k: Knowledge) -> list[tuple[Move, Any]]:
        """Every way to begin a turn, with its value."""
        moves = [(Move("take", i), self._take(k, i)) for i, c in enumerate(k.counts) if c.known]
        if k.hidden:
            moves.append((Move("turn"), self._turn_first(k)))
        if self.may_pass and _two_that_differ(k):
            moves.append((Move("pass"), self.number(0)))
        return moves

    def answers(self, k: Knowledge, first: First) -> list[tuple[Move, Any]]:
        """Every way to turn the second card, with its value."""
        answers = []
        if first.match:
            answers.append((Move("take", first.kind), self._take(k, first.kind)))
        if k.hidden:
            answers.append((Move("turn"), self._turn_second(k, first)))
        if k.places > 1 + first.match:
            answers.append((Move("waste"), -self.value(k)))
        return answers

    def best(self, k: Knowledge, first: First | None = None) -> Move:
        """The move of the highest value; the first of equals."""
        options = self.moves(k) if first is None else self.answers(k, first)
        return max(options, key=lambda option: option[1])[0]

    def _take(self, k: Knowledge, kind: int) -> Any:
        worth, again = self.kinds[kind]
        rest = self.value(k.take(kind))
        return worth + rest if again else worth - rest

    def _turn_first(self, k: Knowledge) -> Any:
        """Turn an unseen card; what it is, nobody knows."""
        total = self.number(0)
        if k.reds:
            total -= k.reds * (RED + self.value(k.keep_red()))
        for i, c in enumerate(k.counts):
            if c.unseen:
                total += 2 * c.unseen * self._answer(k.see(i), First(i, False))
            if c.singles:
                total += c.singles * self._answer(k.meet(i), First(i, True))
        return total / k.hidden

    def _answer(self, k: Knowledge, first: First) -> Any:
        return max(worth for _, worth in self.answers(k, first))

    def _turn_second(self, k: Knowledge, first: First) -> Any:
        """Turn a second unseen card: it may be the partner, by luck."""
        total = self.number(0)
        if k.reds:
            total -= k.reds * (RED + self.value(k.keep_red()))
        for i, c in enumerate(k.counts):
            if c.unseen:
                total -= 2 * c.unseen * self.value(k.see(i))
            lucky = int(i == first.kind and not first.match)
            if lucky:
                total += self._take(k.meet(i), i)
            if c.singles > lucky:
                total -= (c.singles - lucky) * self.value(k.meet(i))
        return total / k.hidden


def _two_that_differ(k: Knowledge) -> bool:
    """Two known cards that are not a pair lie on the table, so a turn can be passed."""
    return k.places > 2 or (k.places == 2 and not any(c.known for c in k.counts))


# Pti Bapt -------------------------------------------------------------------------------------------------------------

GREEN, GOLD, BLUE = range(3)


@cache
def ptibapt(replay_on_green: bool = False) -> Pairs:
    """Pti Bapt as it is solved: no turn may show nothing new and take nothing. Blue pairs count as pairs worth nothing."""
    return Pairs((Kind(2, replay_on_green), Kind(4, True), Kind(0, False)))


def ptibapt_start(greens: int = 7, golds: int = 1, reds: int = 4) -> Knowledge:
    """Nothing has been turned yet."""
    return Knowledge((Count(unseen=greens), Count(unseen=golds), Count()), reds)


# The classic game -----------------------------------------------------------------------------------------------------


def classic(n: int, may_pass: bool = True) -> Fraction:
    """Pairs the first player gains on the second with n pairs on the table (Zwick & Paterson 1993), exactly."""
    return Pairs((Kind(1, True),), may_pass, Fraction).value(Knowledge((Count(unseen=n),)))


# Alone ----------------------------------------------------------------------------------------------------------------


def solitaire(n: int) -> Fraction:
    """Turns that one player with perfect memory needs for n pairs, on average (Velleman & Warrington 2013), exactly."""
    turns: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(0)}
    for unseen in range(n + 1):  # fewer unseen pairs first, then fewer singles: each state rests on earlier ones
        for singles in range(n - unseen + 1):
            if singles + unseen:
                turns[singles, unseen] = _solitaire_turn(turns, singles, unseen)
    return turns[0, n]


def _solitaire_turn(turns: dict[tuple[int, int], Fraction], singles: int, unseen: int) -> Fraction:
    """This turn and those after it. The second card is always an unseen one: wasting it gains nothing when nobody else plays."""
    hidden = singles + 2 * unseen
    total = Fraction(hidden)
    if singles:
        total += singles * turns[singles - 1, unseen]
    if unseen:
        second = turns[singles, unseen - 1]  # it is the partner
        second += singles * (1 + turns[singles, unseen - 1])  # it meets a single: a turn more to take that pair
        if unseen > 1:
            second += 2 * (unseen - 1) * turns[singles + 2, unseen - 2]
        total += 2 * unseen * second / (hidden - 1)
    return total / hidden
