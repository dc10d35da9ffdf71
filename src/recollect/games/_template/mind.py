"""A companion: it gets the knowledge of its seat, its legal actions and a stream of its own, and nothing else."""

from __future__ import annotations

import random

from recollect.engine import Opened

from .components import CARDS, VALUE
from .rules import KEEP, LOOK


class Sensible:
    """Looks at what it does not know; keeps the best card that it remembers, if that is better than most."""

    name = "sensible"

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        new = [action for action in legal if action < KEEP and k.card[action - LOOK] < 0]
        if new:
            return rng.choice(new)
        known = [action for action in legal if KEEP <= action < KEEP + CARDS and k.card[action - KEEP] >= 0]
        best = max(known, key=lambda action: VALUE[k.card[action - KEEP]], default=None)
        if best is not None and 2 * VALUE[k.card[best - KEEP]] > VALUE.max():
            return best
        return rng.choice([action for action in legal if action not in known] or legal)
