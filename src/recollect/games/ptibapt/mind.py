"""A player with a good memory and plain sense."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

from recollect.minds import walker
from recollect.minds.levels import recalling

from .rules import BLUE, COLOUR, GOLD, LOOK, PLACE_COUNT, RED, SECOND, TURN


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


MINDS = {"sensible": lambda game: Sensible(), **recalling(walker.Player)}
