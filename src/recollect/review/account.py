"""The result of a game of Pti Bapt taken apart: final margin = value of the start + luck - own losses + the other's losses.

Every moment of a match has a value: the lead so far, and what the solved game (minds/pairs.py) makes of the rest for two players who
forget nothing. An entry of chance changes it by luck, a decision by what it lost against the best one. The sum of all changes is the
final margin less the value of the start, exactly. A seat is judged by what was shown to all, not by what it still knew.

A loss is divided into *memory* and *decision*. Think of somebody who has forgotten some of the cards that mattered, at most FORGOTTEN of
them: a known card that was turned as if it were new (unless its twin was turned next), and, where taking a pair was best, the cards of
pairs. What the move loses even to them is decision: wrong even so. The rest is memory: right, had it been remembered. Of all such
forgettings the one that leaves the least is taken, of equals the smallest, and it is named. What forgetting a card does to the parity of
a position, where no pair is at stake, cannot be told from a wrong decision and counts as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from recollect.engine.match import Match
from recollect.engine.stream import CHANCE
from recollect.minds.pairs import EQUAL, Count, First, Knowledge, Move, Pairs, points, ptibapt
from recollect.minds.walker import Player

FORGOTTEN = 4  # cards at most that explain a move: two pairs
TURN = Move("turn")


@dataclass
class Loss:
    """What one decision lost against the best one."""

    seat: int
    entry: int
    points: float
    best: str  # what would have been right: take, turn, waste or pass
    memory: float  # of the points: right, had it been remembered
    decision: float  # wrong even so
    forgotten: list[str] = field(default_factory=list)  # the places that explain the first


@dataclass
class Account:
    """From seat 0's side: margin = start + luck - losses of seat 0 + losses of seat 1."""

    margin: float
    start: float
    luck: float
    lost: list[Loss]
    draws: dict[int, float]  # luck by entry
    exact: bool  # without bonus cards

    def losses(self, seat: int) -> dict[str, float]:
        own = [x for x in self.lost if x.seat == seat]
        return {"memory": sum(x.memory for x in own), "decision": sum(x.decision for x in own)}

    def json(self) -> dict[str, Any]:
        return {
            "margin": self.margin,
            "start": self.start,
            "luck": self.luck,
            "losses": [self.losses(0), self.losses(1)],
            "exact": self.exact,
        }


class Scales:
    """Weighs every moment of one match."""

    def __init__(self, match: Match) -> None:
        self.match, self.game, self.rules = match, match.game, match.game.rules
        self.player = Player(match.game)
        start = self.game.state.open(self.game.start(match.options))
        self.solved: Pairs = ptibapt(bool(start.replay), True, points(self.game))
        self.solved.states(self.player.knowledge(start))  # the whole table at once
        self.bonus = bool(match.options["bonus"])

    # -- what a moment is worth to seat 0

    def worth(self, s: Any, record: Any) -> float:
        """The lead, and the value of the rest."""
        if s.step == self.rules.START:
            return 0.0  # either may begin
        value = self.rest(self.common(s, record))
        return self.lead(s) + (value if s.turn == 0 else -value)

    def lead(self, s: Any) -> float:
        first, second = self.game.standing(s, 2).scores
        return float(first - second)

    def common(self, s: Any, record: Any) -> Any:
        """What all have been shown: without lanterns that is all there is."""
        return self.game.knowledge(record, -1) if self.bonus else s

    def rest(self, k: Any) -> float:
        """To the player whose turn it is."""
        rules = self.rules
        if k.step == rules.OVER:
            return 0.0
        if k.step == rules.FIRST:
            return self.first_card(k)
        if k.step == rules.SECOND:
            return self.second_card(k)
        here = self.player.knowledge(k)
        if k.step == rules.KEEPING:
            return self.keeping(k, here)
        if k.step == rules.TURNING and not k.news and self.last(k):
            return 0.0  # the sixth idle turn
        return -float(self.solved.value(here))

    def last(self, k: Any) -> bool:
        """A pass now ends the game."""
        return bool(k.stalemate and k.idle == self.rules.PATIENCE - 1)

    def first_card(self, k: Any) -> float:
        here = self.player.knowledge(k)
        return float(self.solved.value(here) if k.dealing < 0 else self.solved.options(here)[TURN])

    def second_card(self, k: Any) -> float:
        options = self.solved.options(self.player.knowledge(k), self.player.first(k), self.last(k))
        return float(max(options.values()) if k.dealing < 0 else options[TURN])

    def keeping(self, k: Any, here: Knowledge) -> float:
        """A red costs and ends the turn; a pair is taken."""
        if k.two >= 0 and k.card[k.one] == k.card[k.two]:
            kind = self.player.kind[self.player.colour(k.card[k.one])]
            return float(self.solved.options(here)[Move("take", kind)]) if self.solved.options(here) else 0.0
        return self.solved.red - float(self.solved.value(here))

    # -- the account

    def account(self) -> Account:
        record = self.game.start(self.match.options)
        s = self.game.state.open(record)
        before = start = self.worth(s, record)
        lost, draws = [], {}
        for n, (seat, action) in enumerate(self.match.log):
            expected = before
            if seat != CHANCE and self.turns(action):
                expected, loss = self.weigh(s, record, seat, action, before, n)
                lost += loss
            self.rules.apply(s, seat, action)
            after = self.worth(s, record)
            if abs(after - expected) > EQUAL / 1000:
                draws[n + 1] = after - expected
            before = after
        return Account(self.lead(s), start, sum(draws.values()), lost, draws, not self.bonus)

    def turns(self, action: int) -> bool:
        return bool(self.rules.TURN <= action < self.rules.TURN + self.rules.PLACE_COUNT)

    def weigh(self, s: Any, record: Any, seat: int, action: int, before: float, n: int) -> tuple[float, list[Loss]]:
        """What the moment is worth with this card chosen, but not yet seen; and what was lost by the choice."""
        sign = 1 if seat == 0 else -1
        choice = Choice(self, self.common(s, record), action - self.rules.TURN, self.following(n, seat))
        value = choice.value()
        best = (before - self.lead(s)) * sign
        points = best - value
        if points <= EQUAL:
            return before, []
        wrong, forgotten = choice.explained(points)
        places = [self.rules.PLACES[p] for p in sorted(forgotten)]
        return before - sign * points, [Loss(seat, n + 1, points, self.advice(choice.k), points - wrong, wrong, places)]

    def following(self, n: int, seat: int) -> int:
        """The place that the same seat turns next, without a card being dealt between; or -1."""
        who, action = self.match.log[n + 1] if n + 1 < len(self.match.log) else (CHANCE, 0)
        return action - self.rules.TURN if who == seat and self.turns(action) else -1

    def advice(self, k: Any) -> str:
        return self.solved.best(self.player.knowledge(k), self.player.first(k), self.last(k)).what


class Choice:
    """A card to turn, weighed with all that was shown, or with some of it forgotten."""

    def __init__(self, scales: Scales, k: Any, place: int, following: int) -> None:
        self.scales, self.solved, self.k, self.place = scales, scales.solved, k, place
        self.deliberate = k.one < 0 <= following and k.card[following] == k.card[place] >= 0  # its twin is taken next: not taken for new
        self.first = scales.player.first(k)
        self.where = {face: places for face, places in scales.player.where(k).items() if scales.player.colour(face) != scales.player.red}
        self.here = scales.player.knowledge(k)
        self.last = scales.last(k)

    def value(self, forgotten: frozenset[int] = frozenset()) -> float:
        """Of turning this card, for whoever has forgotten some."""
        return self._of(forgotten, *self.without(forgotten))

    def wrong(self, forgotten: frozenset[int]) -> float:
        """What turning this card loses even to them."""
        here, first = self.without(forgotten)
        best = max(self.solved.options(here, first, self.last and first is not None).values())
        return max(0.0, float(best) - self._of(forgotten, here, first))

    def _of(self, forgotten: frozenset[int], here: Knowledge, first: First | None) -> float:
        face = -1 if self.place in forgotten else self.k.card[self.place]
        if face not in self.where:
            return float(self.solved.options(here, first, self.last and first is not None)[TURN])
        if first is None:
            match = any(p != self.place and p not in forgotten for p in self.where[face])
            return float(max(self.solved.options(here, First(self.kind(face), match, False), self.last).values()))
        twin = face == self.k.card[self.k.one]
        move = Move("take", first.kind) if twin else Move("waste" if first.fresh else "pass")
        return float(self.solved.options(here, first, self.last)[move])

    def kind(self, face: int) -> int:
        return self.scales.player.kind[self.scales.player.colour(face)]

    def without(self, forgotten: frozenset[int]) -> tuple[Knowledge, First | None]:
        """The knowledge that is left. The open card is in sight: to forget it is to take it for new."""
        if not forgotten:
            return self.here, self.first
        counts = [list(c) for c in self.here.counts]
        for face, places in self.where.items():
            gone = sum(p in forgotten and p != self.k.one for p in places)
            if gone:
                self._lower(counts[self.kind(face)], len(places), gone)
        first = self.first
        if first is not None:
            match = any(p != self.k.one and p not in forgotten for p in self.where[self.k.card[self.k.one]])
            first = First(first.kind, match, first.fresh or self.k.one in forgotten)
        return Knowledge(tuple(Count(*c) for c in counts), self.here.reds), first

    @staticmethod
    def _lower(count: list[int], had: int, gone: int) -> None:
        """A pair of which one card is forgotten is a single; of which both are, or a single that is forgotten, unseen."""
        count[0 if had == 2 else 1] -= 1
        count[1 if had - gone == 1 else 2] += 1

    def explained(self, points: float) -> tuple[float, frozenset[int]]:
        """How much of a loss stays wrong for whoever has forgotten what mattered; and what that is."""
        least, because = points, frozenset[int]()
        for forgotten in self.forgettings():
            wrong = self.wrong(forgotten)
            if wrong < least - EQUAL:
                least, because = wrong, forgotten
            if least <= EQUAL:
                return 0.0, because
        return least, because

    def forgettings(self) -> list[frozenset[int]]:
        """What may have been forgotten, fewest cards first, of those that matter: the card turned, taken for new; and pairs, where taking
        one was best. Other pairs of a kind are alike: only how many of them are half or wholly forgotten makes a difference."""
        pairs = [places for places in self.where.values() if len(places) == 2] if self.scales.advice(self.k) == "take" else []
        near = {self.k.card[self.place], self.k.card[self.k.one] if self.k.one >= 0 else -1}
        special = {p for places in pairs for p in places if self.k.card[p] in near} | self._turned()
        special = special - {self.k.one} | self._opened()
        sets = [frozenset(some) for n in range(FORGOTTEN + 1) for some in combinations(sorted(special), n)]
        for kind in range(len(self.here.counts)):
            others = [places for places in pairs if self.k.card[places[0]] not in near and self.kind(self.k.card[places[0]]) == kind]
            forgotten = list(_some(others))
            sets = [a | b for a in sets for b in forgotten if len(a) + len(b) <= FORGOTTEN]
        return sorted(sets, key=len)[1:]

    def _turned(self) -> set[int]:
        """The card turned, if it was known and may have been taken for new."""
        return {self.place} if self.k.card[self.place] in self.where and not self.deliberate else set()

    def _opened(self) -> set[int]:
        """The open card, if it was known before."""
        return {self.k.one} if self.first and not self.first.fresh else set()


def _some(pairs: list[list[int]]) -> Iterator[frozenset[int]]:
    """Some pairs wholly forgotten, some by half."""
    for whole in range(min(len(pairs), FORGOTTEN // 2) + 1):
        for half in range(min(len(pairs) - whole, FORGOTTEN - 2 * whole) + 1):
            yield frozenset([p for pair in pairs[:whole] for p in pair] + [pair[0] for pair in pairs[whole : whole + half]])
