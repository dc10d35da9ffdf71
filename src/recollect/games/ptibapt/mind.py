"""A player with a good memory and plain sense."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from recollect.engine.game import Game
from recollect.minds import walker
from recollect.minds.hint import Hint, Reason, because
from recollect.minds.levels import BY_NAME
from recollect.minds.mind import Mind, Recalling
from recollect.minds.pairs import Move, ptibapt

from .components import CARDS, WORTH
from .rules import BLUE, COLOUR, GOLD, GREEN, LOOK, PLACE_COUNT, RED, SECOND, TURN


class Sensible:
    """Takes the pairs it knows, gold first; else turns a new card, and a second new one only while little is known."""

    name = "sensible"

    def choose(self, k: Any, seat: int, legal: list[int], rng: random.Random) -> int:
        where = places(k)
        unseen = [a for a in legal if TURN <= a < TURN + PLACE_COUNT and k.card[a - TURN] < 0]
        looks = [a for a in legal if LOOK <= a < LOOK + PLACE_COUNT and k.card[a - LOOK] < 0]
        if looks:
            return rng.choice(looks)
        if len(legal) == 1 or not unseen:
            return self.partner(k, where, legal) or rng.choice(legal)
        if k.step == SECOND:
            return self.partner(k, where, legal) or self.second(where, legal, unseen, rng)
        pairs = sorted((p for face, p in where.items() if len(p) == 2), key=lambda p: -worth(k.card[p[0]]))
        return TURN + pairs[0][0] if pairs else rng.choice(unseen)

    def partner(self, k: Any, where: dict[int, list[int]], legal: list[int]) -> int | None:
        """The other card of the one that lies open, or of any known pair."""
        faces = [k.card[k.one]] if k.one >= 0 else [face for face, p in where.items() if len(p) == 2]
        return next((TURN + p for face in faces for p in where[face] if TURN + p in legal), None)

    def second(self, where: dict[int, list[int]], legal: list[int], unseen: list[int], rng: random.Random) -> int:
        """Nothing matches: show the other player as little as is wise."""
        known = [TURN + p for places in where.values() for p in places if TURN + p in legal]
        return rng.choice(known if len(known) > 2 else unseen)


def places(k: Any) -> dict[int, list[int]]:
    """Where each known face lies; reds are left where they are."""
    where: dict[int, list[int]] = defaultdict(list)
    for p in range(PLACE_COUNT):
        if k.card[p] >= 0 and COLOUR[k.card[p]] != RED:
            where[k.card[p]].append(p)
    return where


def worth(face: int) -> int:
    """Gold and blue before green: gold plays again."""
    return {GOLD: 2, BLUE: 1}.get(int(COLOUR[face]), 0)


class Exact(walker.Player):
    """Plays the exact solution, waiting where waiting is best, and says why."""

    def options(self, k: Any) -> dict[Move, float]:
        """What can be done, with the points it gains on the other in the rest of the game."""
        last = k.idle == self.patience - 1
        return ptibapt(bool(k.replay), bool(k.stalemate), self.points).options(self.knowledge(k), self.first(k), last)

    def explain(self, k: Any, seat: int, legal: list[int], rng: random.Random) -> Hint:
        """The same choice, with what is expected of it and why."""
        action = self.choose(k, seat, legal, rng)
        if len(legal) == 1 or k.players == 1 or not TURN <= action < TURN + PLACE_COUNT:
            return Hint(action)
        options, face = self.options(k), k.card[action - TURN]
        move = max((m for m in options if self.means(k, m, face)), key=lambda m: options[m])
        turns = [a for a in legal if TURN <= a < TURN + PLACE_COUNT]
        others = sorted(((self.carry_out(k, m, turns, rng), v) for m, v in options.items() if m != move), key=lambda o: -o[1])
        steps = tuple(TURN + p for p in self.where(k)[face] if TURN + p != action) if move.what == "take" and k.one < 0 else ()
        return Hint(action, options[move], steps, tuple(others), tuple(self.why(k, move, face)))

    def why(self, k: Any, move: Move, face: int) -> Iterator[Reason]:
        """Why a move may be good, from what the seat knows."""
        unseen = self.knowledge(k)
        hidden = unseen.reds + sum(c.singles + 2 * c.unseen for c in unseen.counts)
        if move.what == "take":
            colour = self.colour(face)
            yield because("take", card=f"@cards.{CARDS[face].name}", n=2 * int(WORTH[colour]) if colour != BLUE else 0)
            if colour == GOLD or (colour == GREEN and k.replay):
                yield because("again")
            yield because("left", n=hidden)
        elif move.what == "turn":
            yield because("turn", n=sum(c.singles for c in unseen.counts), all=hidden)
            if unseen.reds:
                yield because("reds", n=unseen.reds)
        else:
            yield because(move.what)


class PlaysOn(walker.Player):
    """Plays the solved game in which nobody passes: two who remember well would otherwise sit and wait."""

    def advice(self, k: Any) -> Move:
        if k.players == 1:
            return self.alone(k)
        options = ptibapt(bool(k.replay), False, self.points).options(self.knowledge(k), self.first(k))
        return max(options, key=lambda move: options[move]) if options else Move("waste")


def _level(name: str) -> Callable[[Game], Mind]:
    """The elephant plays the exact solution; the others play on."""
    player = Exact if name == "elephant" else PlaysOn
    return lambda game: Recalling(name, player(game), BY_NAME[name].memory)


MINDS = {"sensible": lambda game: Sensible(), **{name: _level(name) for name in BY_NAME}}
