"""A player of Memoarrr! that remembers everything it was shown and plays sensibly."""

from __future__ import annotations

import random

from recollect.engine import Opened
from recollect.minds.levels import recalling

from .rules.layout import GUARD, GUARD_WHICH, PEEK, PEEK_WHICH, PLACES, REVEAL, TURN


def _linked(a: int, b: int) -> bool:
    return a // 5 == b // 5 or a % 5 == b % 5


class Sensible:
    """Links with a card it knows, the one that leaves the others the fewest links; else tries a card it does not know."""

    name = "sensible"

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        if k.stage == TURN:
            return self._turn(k, [a - REVEAL for a in legal], rng) + REVEAL
        if k.stage == GUARD_WHICH:  # close a card that would link
            links = [p for p in (a - GUARD for a in legal) if k.card[p] >= 0 and _linked(k.card[p], k.card[k.last])]
            return rng.choice([p + GUARD for p in links] or legal)
        if k.stage == PEEK_WHICH:  # look at something new
            return rng.choice([a for a in legal if k.card[a - PEEK] < 0] or legal)
        return rng.choice(legal)

    def _turn(self, k: Opened, places: list[int], rng: random.Random) -> int:
        seen = [p for p in places if k.card[p] >= 0]
        unseen = [p for p in places if k.card[p] < 0]
        if k.last < 0:  # opening: any card does; keep what is unknown for when it is needed
            return self._narrowest(k, seen, rng) if seen else rng.choice(unseen)
        links = [p for p in seen if _linked(k.card[p], k.card[k.last])]
        if links:
            return self._narrowest(k, links, rng)
        return rng.choice(unseen or places)

    def _narrowest(self, k: Opened, places: list[int], rng: random.Random) -> int:
        """The card with the fewest known links left for the next player."""

        def links_left(p: int) -> int:
            return sum(q != p and not k.up >> q & 1 and k.card[q] >= 0 and _linked(k.card[p], k.card[q]) for q in range(len(PLACES)))

        fewest = min(map(links_left, places))
        return rng.choice([p for p in places if links_left(p) == fewest])


MINDS = {"sensible": lambda game: Sensible(), **recalling(lambda game: Sensible())}
