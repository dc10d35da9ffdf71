"""The walker: a player of Pti Bapt who forgets nothing and plays the solved game (see pairs.py)."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from recollect.engine.game import Game
from recollect.engine.shelf import load

from .pairs import BLUE, GOLD, GREEN, Count, First, Knowledge, Move, points, ptibapt

BLUES = 3  # blue pairs that are counted: more, of an owner's file, would only make the table larger


class Player:
    """Plays the best move of the solved game.

    Without bonus cards and with the stalemate rule that is exact: nobody, whatever they remember, does better on average than the
    value of the solved game against this player. Without the stalemate rule it never passes, for two who wait would wait for ever;
    it is then the best against those who do not pass either. With bonus cards it is only good: it takes blue pairs (at most three of
    them) for pairs worth nothing, and what the other saw by a lantern for unseen. Alone it turns new cards and takes what it knows."""

    name = "solved"

    def __init__(self, game: Game | None = None) -> None:
        game = game or load("ptibapt")
        self.colours: list[int] = game.rules.COLOUR.tolist()
        self.kind = {game.rules.GREEN: GREEN, game.rules.GOLD: GOLD, game.rules.BLUE: BLUE}
        self.red, self.blue = game.rules.RED, game.rules.BLUE
        self.points, self.patience = points(game), game.rules.PATIENCE
        self.turn, self.look = game.actions.starts("turn", "look")
        self.places = game.actions.ranges["turn"].count

    def choose(self, k: Any, seat: int, legal: list[int], rng: random.Random) -> int:
        if len(legal) == 1:
            return legal[0]
        looks = [a for a in legal if self.look <= a < self.look + self.places and k.card[a - self.look] < 0]
        if looks:
            return rng.choice(looks)
        turns = [a for a in legal if self.turn <= a < self.turn + self.places]
        return self.carry_out(k, self.advice(k), turns, rng) if turns else rng.choice(legal)

    def colour(self, face: int) -> int:
        """The colour of a face; an owner's file may have more blue ones at the end."""
        return self.colours[face] if face < len(self.colours) else self.blue

    def advice(self, k: Any) -> Move:
        """The best move for what this seat knows."""
        if k.players == 1:
            return self.alone(k)
        solved = ptibapt(bool(k.replay), bool(k.stalemate), self.points)
        return solved.best(self.knowledge(k), self.first(k), last=k.idle == self.patience - 1)

    def alone(self, k: Any) -> Move:
        """Nobody else gains by what is shown: take what is known, else turn new cards."""
        first = self.first(k)
        pairs = [i for i, c in enumerate(self.knowledge(k).counts) if c.known and (first is None or (first.match and first.kind == i))]
        return Move("take", pairs[0]) if pairs else Move("turn")

    def where(self, k: Any) -> dict[int, list[int]]:
        """Where each known face lies."""
        where: dict[int, list[int]] = defaultdict(list)
        for p, face in enumerate(k.card):
            if face >= 0:
                where[face].append(p)
        return where

    def knowledge(self, k: Any) -> Knowledge:
        """What this seat knows, counted as the solver counts it."""
        known, singles, reds, where = [0, 0, 0], [0, 0, 0], k.pairs[self.red], self.where(k)
        for face, places in where.items():
            if self.colour(face) == self.red:
                reds -= 1  # seen by a lantern: nobody needs to turn it
            elif len(places) == 2:
                known[self.kind[self.colour(face)]] += 1
            else:
                singles[self.kind[self.colour(face)]] += 1
        left = [k.pairs[colour] for colour in self.kind]
        green, gold, blue = (Count(a, b, n - a - b) for a, b, n in zip(known, singles, left, strict=True))
        alone = k.one >= 0 and self.colour(k.card[k.one]) == self.blue and len(where[k.card[k.one]]) == 1
        return Knowledge((green, gold, few(blue, alone)), reds)

    def first(self, k: Any) -> First | None:
        """The card that lies open, if one does."""
        if k.one < 0:
            return None
        face = k.card[k.one]
        return First(self.kind[self.colour(face)], len(self.where(k)[face]) == 2, bool(k.news))

    def carry_out(self, k: Any, move: Move, turns: list[int], rng: random.Random) -> int:
        """One card to turn, of those that the move means."""
        meant = [a for a in turns if self.means(k, move, k.card[a - self.turn])]
        return rng.choice(meant or turns)

    def means(self, k: Any, move: Move, face: int) -> bool:
        """Whether the move may turn a card of this face (-1: not seen yet)."""
        if move.what == "turn" or face < 0:
            return move.what == "turn" and face < 0
        if move.what == "take" and k.one >= 0:
            return bool(face == k.card[k.one])
        if move.what == "take":
            return len(self.where(k)[face]) == 2 and self.kind.get(self.colour(face)) == move.kind
        return bool(self.colour(face) != self.red and (k.one < 0 or face != k.card[k.one]))


def few(blue: Count, alone: bool = False) -> Count:
    """As many blue pairs as are counted; those of which most is known, and that of a card which lies open `alone`."""
    known = min(blue.known, BLUES - alone)
    singles = min(blue.singles, BLUES - known)
    return Count(known, singles, min(blue.unseen, BLUES - known - singles))
