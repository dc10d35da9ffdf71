"""Memoarrr!: what a card turned was worth, estimated by playing the rest of the round many times.

What the seat had not been shown is dealt anew each time, and everybody then plays on plainly from what they were shown: a known card that
is linked, else one not known. Animals do nothing in these rounds. The value is the share of rounds that the seat wins. The best other
card is chosen with one half of the rounds and weighed with the other half, so that being chosen does not make it look better; every
card meets the same deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from recollect.engine.match import Match
from recollect.engine.stream import CHANCE
from recollect.review.watched import Decision

ROWS = 24_000  # rounds played in all: as many for each card that is weighed as this allows
OTHERS = 3  # known cards that are weighed beside the one turned
Z = 1.645  # 90%, both sides
CENTRE = 12  # where no card lies


@dataclass(frozen=True)
class Estimate:
    """The chance to win the round with the card turned and with the best other one; what was lost, with its 90% interval."""

    entry: int
    seat: int
    value: float
    best: float
    place: str  # the other one
    lost: float
    interval: tuple[float, float]


@dataclass
class Moment:
    """A decision as its seat saw it."""

    decision: Decision
    card: np.ndarray
    known: np.ndarray  # (seats, places): who has been shown what
    up: np.ndarray
    alive: np.ndarray
    last: int
    turn: int
    choices: list[int]  # the card turned first


def estimates(match: Match, decisions: list[Decision], seed: int = 0) -> list[Estimate]:
    """Every decision of a match, weighed."""
    moments = list(_moments(match, {d.entry: d for d in decisions}))
    if not moments:
        return []
    table = Rounds(moments, match.game.rules, np.random.default_rng(seed))
    wins = table.played()
    places = match.game.rules.STATE["card"].axes[0]
    return [_estimate(moment, wins[rows], places) for moment, rows in zip(moments, table.rows, strict=True)]


def _estimate(moment: Moment, wins: np.ndarray, places: Any) -> Estimate:
    won = wins.reshape(len(moment.choices), -1)
    half = won.shape[1] // 2
    other = 1 + int(won[1:, :half].mean(axis=1).argmax())
    lost = won[other, half:] - won[0, half:]
    mean, spread = float(lost.mean()), Z * float(lost.std()) / half**0.5
    d = moment.decision
    value, best = float(won[0, half:].mean()), float(won[other, half:].mean())
    return Estimate(d.entry, d.seat, value, best, places[moment.choices[other]], mean, (mean - spread, mean + spread))


def _moments(match: Match, wanted: dict[int, Decision]) -> Any:
    """Where the decisions were made."""
    game = match.game
    record = game.start(match.options)
    s = game.state.open(record)
    places: Any = game.state.fields["card"].axes[0]
    for n, (seat, action) in enumerate(match.log):
        if seat != CHANCE and n + 1 in wanted:
            moment = _moment(match, s, wanted[n + 1], list(places), seat)
            if len(moment.choices) > 1:
                yield moment
        game.rules.apply(s, seat, action)


def _moment(match: Match, s: Any, decision: Decision, places: list[str], seat: int) -> Moment:
    bits = np.arange(25)
    known = np.array([(int(k) >> bits) & 1 for k in s.known], bool)[: match.players]
    up = ((int(s.up) >> bits) & 1).astype(bool) | (bits == CENTRE)
    start = match.game.rules.REVEAL
    legal = [a - start for a in match.game.legal(s, seat)]
    mine = places.index(decision.place)
    links = [places.index(m.place) for m in decision.wanted if m.place != decision.place][:OTHERS]
    unknown = [p for p in legal if not known[seat, p] and p != mine][:1] if known[seat, mine] else []
    alive = np.array([v < 0 for v in s.volcano][: match.players])
    last = s.card[s.last]
    return Moment(decision, np.array(s.card), known, up, alive, last, s.turn, [mine, *links, *unknown])


class Rounds:
    """Many rounds, played at once: one row for each. Sets of places are bits, and every row has its places in an order of its own, so
    that the lowest bit of a set is any of them, each as likely."""

    def __init__(self, moments: list[Moment], rules: Any, rng: np.random.Generator) -> None:
        choices = [len(m.choices) for m in moments]
        rounds = max(16, min(128, ROWS // sum(choices) // 2 * 2))
        counts = [n * rounds for n in choices]
        ends = np.cumsum(counts)
        self.rows = [slice(end - count, end) for end, count in zip(ends, counts, strict=True)]
        each = np.repeat(np.arange(len(moments)), counts)
        bit = 1.0 * (1 << rng.random((len(each), 25)).argsort(axis=1))  # of each place
        seats = np.array([m.known for m in moments])[each]
        self.known = (seats * bit[:, None]).sum(axis=2).astype(np.int64)
        self.down = (~np.array([m.up for m in moments])[each] * bit).sum(axis=1).astype(np.int64)
        self.alive = np.array([m.alive for m in moments])[each]
        self.last = np.array([m.last for m in moments])[each]
        self.seat = np.array([m.decision.seat for m in moments])[each]
        self.turn = np.array([m.turn for m in moments])[each]
        turned = np.concatenate([np.repeat(m.choices, rounds) for m in moments])
        self.first = np.take_along_axis(bit, turned[:, None], 1)[:, 0].astype(np.int64)
        self._deal(np.concatenate([_deals(m, rounds, rng) for m in moments]), bit, rules)

    def _deal(self, card: np.ndarray, bit: np.ndarray, rules: Any) -> None:
        """Where the cards lie: the face at each bit, and for each face the set of places with a card that it is linked with."""
        linked = ((rules.LINKS[:, None] >> np.arange(25)) & 1).astype(float)
        lies = np.zeros_like(bit)
        np.put_along_axis(lies, np.maximum(card, 0), np.where(card < 0, 0, bit), axis=1)
        self.links = (lies @ linked).astype(np.int64)
        order = np.log2(bit).astype(np.int64)
        self.face = np.empty_like(order)
        np.put_along_axis(self.face, order, card, axis=1)

    def played(self) -> np.ndarray:
        """1 for every round that its seat wins."""
        going = np.arange(len(self.turn))
        choice = self.first
        while len(going):
            self._turned(going, choice)
            going = going[self.alive[going].sum(axis=1) > 1]
            choice = self._choose(going)
        return np.asarray(self.alive[np.arange(len(self.seat)), self.seat], float)

    def _turned(self, rows: np.ndarray, choice: np.ndarray) -> None:
        """A card is turned, or none is left (0): whoever fails is out, and the next one plays."""
        failed = rows[self.links[rows, self.last[rows]] & choice == 0]
        self.down[rows] &= ~choice
        some = choice > 0
        self.last[rows[some]] = self.face[rows[some], np.log2(choice[some]).astype(np.int64)]
        self.alive[failed, self.turn[failed]] = False
        self._next(rows)

    def _next(self, rows: np.ndarray) -> None:
        players = self.alive.shape[1]
        steps = (self.turn[rows, None] + 1 + np.arange(players)) % players
        ahead = self.alive[rows[:, None], steps].argmax(axis=1)
        self.turn[rows] = steps[np.arange(len(rows)), ahead]

    def _choose(self, rows: np.ndarray) -> np.ndarray:
        """A known card that is linked, else one not known, else any."""
        down, known = self.down[rows], self.known[rows, self.turn[rows]]
        links, new = self.links[rows, self.last[rows]] & down & known, down & ~known
        some = np.where(links > 0, links, np.where(new > 0, new, down))
        return np.asarray(some & -some)


def _deals(m: Moment, rounds: int, rng: np.random.Generator) -> np.ndarray:
    """The cards as the seat knows them, the others dealt anew; the same deals for every choice."""
    own = m.known[m.decision.seat]
    hidden = np.flatnonzero(~own & (np.arange(25) != CENTRE))
    left = np.setdiff1d(np.arange(25), m.card[own])
    orders = rng.random((rounds, len(left))).argsort(axis=1)[:, : len(hidden)]
    deals = np.repeat(m.card[None], rounds, axis=0)
    deals[:, hidden] = left[orders]
    deals[:, CENTRE] = -1
    return np.tile(deals, (len(m.choices), 1))
