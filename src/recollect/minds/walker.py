"""The walker: a player of Pti Bapt who forgets nothing and plays the solved game (see pairs.py)."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from recollect.engine.game import load

from .pairs import BLUE, GOLD, GREEN, Count, First, Knowledge, Move, ptibapt

PLAYS = "ptibapt"


class Player:
    """Plays the best move of the solved game. Exact in the base game against a player who forgets nothing either;
    with bonus cards it takes blue pairs for pairs worth nothing, and what the other saw by a lantern for unseen."""

    name = "solved"

    def __init__(self) -> None:
        game = load(PLAYS)
        self.colours: list[int] = game.rules.COLOUR.tolist()
        self.kind = {game.rules.GREEN: GREEN, game.rules.GOLD: GOLD, game.rules.BLUE: BLUE}
        self.red, self.blue = game.rules.RED, game.rules.BLUE
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
        return ptibapt(bool(k.replay)).best(self.knowledge(k), self.first(k))

    def where(self, k: Any) -> dict[int, list[int]]:
        """Where each known face lies."""
        where: dict[int, list[int]] = defaultdict(list)
        for p in range(self.places):
            if k.card[p] >= 0:
                where[k.card[p]].append(p)
        return where

    def knowledge(self, k: Any) -> Knowledge:
        """What this seat knows, counted as the solver counts it."""
        known, singles, reds = [0, 0, 0], [0, 0, 0], k.pairs[self.red]
        for face, places in self.where(k).items():
            if self.colour(face) == self.red:
                reds -= 1  # seen by a lantern: nobody needs to turn it
            elif len(places) == 2:
                known[self.kind[self.colour(face)]] += 1
            else:
                singles[self.kind[self.colour(face)]] += 1
        left = [k.pairs[colour] for colour in self.kind]
        return Knowledge(tuple(Count(a, b, n - a - b) for a, b, n in zip(known, singles, left, strict=True)), reds)

    def first(self, k: Any) -> First | None:
        """The card that lies open, if one does."""
        if k.one < 0:
            return None
        face = k.card[k.one]
        return First(self.kind[self.colour(face)], len(self.where(k)[face]) == 2)

    def carry_out(self, k: Any, move: Move, turns: list[int], rng: random.Random) -> int:
        """One card to turn, of those that the move means."""
        meant = [a for a in turns if self.means(k, move, k.card[a - self.turn])]
        return rng.choice(meant or turns)

    def means(self, k: Any, move: Move, face: int) -> bool:
        """Whether the move may turn a card of this face (-1: not seen yet)."""
        if move.what == "turn" or face < 0:
            return move.what == "turn" and face < 0
        if move.what == "take" and k.one >= 0:
            return face == k.card[k.one]
        if move.what == "take":
            return len(self.where(k)[face]) == 2 and self.kind.get(self.colour(face)) == move.kind
        return face != k.card[k.one] and self.colour(face) != self.red
