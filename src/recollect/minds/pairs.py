"""Exact solutions of games of pairs under perfect memory.

Two players who forget nothing share one state of knowledge, so a whole game is a small table. For each *kind* of pair it counts

    known     pairs of which both places are known,
    singles   cards whose place is known and whose partner is not,
    unseen    pairs of which no card was ever seen,

and beside them the reds, which leave the table when they are turned and so are never known. A turn takes a known pair, or turns an
unseen card and then answers: take its partner, waste the second card on a known one, or turn another unseen card. Turning a known
card first is never better than that, because an unseen card turned first leaves every second card open.

A turn of two known cards that differ is a *pass*. Without passes every turn shows or takes something, so play cannot go in circles.
With them a turn is worth at least 0 wherever one can pass: if the rest is worth N < 0 to whoever plays on, both wait, and the game
is called as it stands (Pti Bapt: after six idle turns; the classic game: at once). How many turns have been idle does not matter: with
N < 0 waiting is worth 0 at every count, with N >= 0 playing on is as good or better, so the table needs no counter.

The table is filled in layers, all states of a layer at once: a card that is seen or taken leads to a lower layer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from recollect.engine.game import Game

NEVER = -(10**6)  # the value of what cannot be done
EQUAL = 1e-9  # values that differ by less are the same


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
    def pairs(self) -> int:
        return self.known + self.singles + self.unseen


class Knowledge(NamedTuple):
    """What both players know: one count for each kind, the first being the kind that ends the game; and the reds left."""

    counts: tuple[Count, ...]
    reds: int = 0

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
        return Knowledge((*self.counts[:kind], new, *self.counts[kind + 1 :]), self.reds)


class First(NamedTuple):
    """The card that lies open as the first of the turn; the knowledge beside it counts it already."""

    kind: int
    match: bool  # its partner's place is known
    fresh: bool = True  # it was seen for the first time, so the turn is no pass whatever follows


class Move(NamedTuple):
    """One way to play on: `take` (a known pair of that kind), `turn` (an unseen card), `waste` (turn a known card), `pass`."""

    what: str
    kind: int = -1


STEPS = {  # what each event does to (known, singles, unseen) of one kind
    "see": (0, 1, -1),
    "meet": (1, -1, 0),
    "take": (-1, 0, 0),
    "match": (0, -1, 0),  # the partner of a single is turned and the pair taken
    "find": (1, 0, -1),  # both cards of an unseen pair are seen
    "clear": (0, 0, -1),  # and taken
}


class Axis:
    """All counts of one kind with at most so many pairs, numbered; and where each event leads, as a difference of numbers."""

    def __init__(self, most: int, stride: int) -> None:
        triples = [(k, s, u) for u in range(most + 1) for s in range(most + 1 - u) for k in range(most + 1 - u - s)]
        number = {triple: n for n, triple in enumerate(triples)}
        self.number, self.stride = number, stride
        self.known, self.singles, self.unseen = np.array(triples).T.copy()
        self.steps = {
            name: np.array([(number.get((k + a, s + b, u + c), n) - n) * stride for n, (k, s, u) in enumerate(triples)])
            for name, (a, b, c) in STEPS.items()
        }


class Table:
    """Values of all states with at most so many pairs of each kind and reds."""

    def __init__(self, most: tuple[int, ...], nothing: Any) -> None:
        self.most, self.axes, stride = most, [], most[-1] + 1
        for n in most[:-1]:
            self.axes.append(Axis(n, stride))
            stride *= len(self.axes[-1].known)
        self.values = np.full(stride, nothing)  # to the player to move
        self.second = np.full(stride, nothing)  # all second cards in sum, when none is the partner of the first

    def number(self, counts: tuple[Count, ...], reds: int) -> int:
        return sum(axis.number[c] * axis.stride for axis, c in zip(self.axes, counts, strict=True)) + reds

    def layers(self) -> list[np.ndarray]:
        """A card that is seen lowers the hidden ones and one that leaves lowers the cards: the sum of both is the layer, lowest first."""
        layer: Any = 2 * np.arange(self.most[-1] + 1, dtype=np.int16)
        for axis in self.axes:
            own = (2 * axis.known + 3 * axis.singles + 4 * axis.unseen).astype(np.int16)
            layer = (own[:, None] + layer).reshape(-1)
        order = np.argsort(layer, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(layer[order])) + 1)


class States:
    """Some states of a table: their numbers, and what is counted in them."""

    def __init__(self, table: Table, at: np.ndarray) -> None:
        self.at, self.axes = at, table.axes
        self.values, self.second = table.values, table.second
        self.reds = at % (table.most[-1] + 1)
        self.numbers = [at // axis.stride % len(axis.known) for axis in self.axes]

    def count(self, what: str, i: int) -> Any:
        return getattr(self.axes[i], what)[self.numbers[i]]

    def after(self, step: str, i: int) -> Any:
        """The numbers of the states that an event of kind i leads to."""
        return self.at + self.axes[i].steps[step][self.numbers[i]]

    @cached_property
    def hidden(self) -> Any:
        """Cards that nobody has seen."""
        return self.reds + sum(self.count("singles", i) + 2 * self.count("unseen", i) for i in range(len(self.axes)))

    @cached_property
    def places(self) -> Any:
        """Cards whose place is known."""
        return sum(self.count("singles", i) + 2 * self.count("known", i) for i in range(len(self.axes)))

    @cached_property
    def over(self) -> Any:
        return (self.count("known", 0) == 0) & (self.count("singles", 0) == 0) & (self.count("unseen", 0) == 0)

    @cached_property
    def differ(self) -> Any:
        """Two known cards that are not a pair lie on the table, so that a turn can be passed."""
        pairs = sum(self.count("known", i) for i in range(len(self.axes)))
        return (self.places > 2) | ((self.places == 2) & (pairs == 0))


@dataclass(eq=False)
class Pairs:
    """A solved game of pairs for two players with perfect memory. `number` is float or Fraction."""

    kinds: tuple[Kind, ...]
    may_pass: bool = False
    number: type = float
    red: int = -1  # points of a red card
    _table: Table | None = field(default=None, repr=False)
    _asked: dict[tuple[Knowledge, First | None, bool], dict[Move, Any]] = field(default_factory=dict, repr=False)

    # -- asked for one state of knowledge

    def value(self, k: Knowledge) -> Any:
        """Points the player to move expects to gain on the other in the rest of the game."""
        s = self.states(k)
        return s.values[s.at].tolist()[0]

    def options(self, k: Knowledge, first: First | None = None, last: bool = False) -> dict[Move, Any]:
        """What can be done, with its value; asked once, and kept."""
        asked = (k, first, last)
        if asked not in self._asked:
            self._asked[asked] = dict(self.moves(k) if first is None else self.answers(k, first, last))
        return self._asked[asked]

    def moves(self, k: Knowledge) -> list[tuple[Move, Any]]:
        """Every way to begin a turn, with its value."""
        s = self.states(k)
        if s.over[0]:
            return []
        moves = [(Move("take", i), self.take(s, i)) for i, c in enumerate(k.counts) if c.known]
        if s.hidden[0]:
            moves.append((Move("turn"), self.turn_first(s)))
        if self.may_pass and s.differ[0]:
            moves.append((Move("pass"), self.idle(s)))
        return [(move, worth.tolist()[0]) for move, worth in moves]

    def answers(self, k: Knowledge, first: First, last: bool = False) -> list[tuple[Move, Any]]:
        """Every way to turn the second card, with its value. `last`: a pass now ends the game."""
        s, others = self.states(k), 1 + first.match
        answers = [(Move("take", first.kind), self.take(s, first.kind))] if first.match else []
        if s.hidden[0]:
            answers.append((Move("turn"), self.turn_second(s, first.kind, first.match)))
        if s.places[0] > others and first.fresh:
            answers.append((Move("waste"), self.idle(s)))
        elif s.places[0] > others and self.may_pass:
            answers.append((Move("pass"), 0 * self.idle(s) if last else self.idle(s)))
        return [(move, worth.tolist()[0]) for move, worth in answers]

    def best(self, k: Knowledge, first: First | None = None, last: bool = False) -> Move:
        """The move of the highest value; the first of equals, so that nobody waits who might as well play on."""
        options = self.options(k, first, last)
        most = max(options.values())
        return next(move for move, worth in options.items() if worth >= most - EQUAL)

    # -- the same for many states at once

    def take(self, s: States, i: int) -> Any:
        return self._taken(i, s.values[s.after("take", i)])

    def _taken(self, i: int, rest: Any) -> Any:
        """The value of a pair that is taken now."""
        worth, again = self.kinds[i]
        return worth + rest if again else worth - rest

    def idle(self, s: States) -> Any:
        """A pass: the other has the same before them."""
        return -s.values[s.at]

    def turn_first(self, s: States) -> Any:
        """Turn an unseen card; what it is, nobody knows."""
        total = s.reds * (self.red - s.values[np.where(s.reds > 0, s.at - 1, s.at)])
        for i in range(len(self.kinds)):
            total = total + 2 * s.count("unseen", i) * self._after_new(s, i) + s.count("singles", i) * self._after_partner(s, i)
        return total / np.maximum(s.hidden, 1)

    def _after_new(self, s: States, i: int) -> Any:
        """The first card of an unseen pair lies open."""
        seen = s.after("see", i)
        lucky = self._taken(i, s.values[s.after("clear", i)]) + s.values[s.after("find", i)]
        turn = (s.second[seen] + lucky) / np.maximum(s.hidden - 1, 1)
        return np.maximum(turn, np.where(s.places > 0, -s.values[seen], NEVER))

    def _after_partner(self, s: States, i: int) -> Any:
        """The partner of a known single lies open."""
        met = s.after("meet", i)
        take = self._taken(i, s.values[s.after("match", i)])
        turn = np.where(s.hidden > 1, s.second[met] / np.maximum(s.hidden - 1, 1), NEVER)
        return np.maximum(np.maximum(take, turn), np.where(s.places > 1, -s.values[met], NEVER))

    def turn_second(self, s: States, i: int, match: bool) -> Any:
        """Turn a second unseen card beside an open one of kind i: it may be the partner, by luck."""
        lucky = 0 if match else self._taken(i, s.values[s.after("match", i)]) + s.values[s.after("meet", i)]
        return (s.second[s.at] + lucky) / np.maximum(s.hidden, 1)

    # -- the table

    def states(self, *ks: Knowledge) -> States:
        """States by what is known in them. A table that is too small gives way to a larger one; who reads the old one is not disturbed."""
        counts = [k.counts + (Count(),) * (len(self.kinds) - len(k.counts)) for k in ks]  # kinds not named are not there
        need = [*(max(c.pairs for c in kind) for kind in zip(*counts, strict=True)), max(k.reds for k in ks)]
        table = self._table
        if table is None or any(a > b for a, b in zip(need, table.most, strict=True)):
            table = self._table = self._solved(tuple(map(max, need, table.most if table else need)))
        return States(table, np.array([table.number(c, k.reds) for c, k in zip(counts, ks, strict=True)]))

    def _solved(self, most: tuple[int, ...]) -> Table:
        table = Table(most, self.number(0))
        for at in table.layers():
            self._fill(States(table, at))
        return table

    def _fill(self, s: States) -> None:
        best = self.turn_first(s)
        best = np.where(s.hidden > 0, best, NEVER)
        for i in range(len(self.kinds)):
            best = np.maximum(best, np.where(s.count("known", i) > 0, self.take(s, i), NEVER))
        if self.may_pass:
            best = np.maximum(best, np.where(s.differ, 0, NEVER))
        s.values[s.at] = np.where(s.over, 0 * best, best)
        s.second[s.at] = self._second(s)

    def _second(self, s: States) -> Any:
        """What turning a second unseen card brings in sum over all of them, when none is the partner of the first."""
        total = s.reds * (self.red - s.values[np.where(s.reds > 0, s.at - 1, s.at)])
        for i in range(len(self.kinds)):
            total = total - 2 * s.count("unseen", i) * s.values[s.after("see", i)]
            total = total - s.count("singles", i) * s.values[s.after("meet", i)]
        return total


# Pti Bapt -------------------------------------------------------------------------------------------------------------

GREEN, GOLD, BLUE = range(3)
POINTS = (1, 2, -1)  # of a green, a golden and a red card in the rulebook


@cache
def ptibapt(replay_on_green: bool = False, may_pass: bool = False, points: tuple[int, int, int] = POINTS) -> Pairs:
    """Pti Bapt, without passes or as it is played under the stalemate rule. Blue pairs count as pairs worth nothing."""
    green, gold, red = points
    return Pairs((Kind(2 * green, replay_on_green), Kind(2 * gold, True), Kind(0, False)), may_pass, red=red)


def points(game: Game) -> tuple[int, int, int]:
    """What a green, a golden and a red card count, in the rulebook or by an owner's file."""
    green, gold, red = game.rules.WORTH.tolist()[:3]
    return green, gold, red


def ptibapt_start(greens: int = 7, golds: int = 1, reds: int = 4) -> Knowledge:
    """Nothing has been turned yet."""
    return Knowledge((Count(unseen=greens), Count(unseen=golds), Count()), reds)


# The classic game -----------------------------------------------------------------------------------------------------


def classic(n: int, may_pass: bool = True) -> Fraction:
    """Pairs the first player gains on the second with n pairs on the table (Zwick & Paterson 1993), exactly."""
    return Fraction(Pairs((Kind(1, True),), may_pass, Fraction).value(Knowledge((Count(unseen=n),))))


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
