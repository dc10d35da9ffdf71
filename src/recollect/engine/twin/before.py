"""TRANSITIONAL, in place of choosing.py for a game whose rules still say `legal(s, seat, mask)`, `odds(s, weights)`, `reach`.
Slow, and not for a GPU. When no game does, delete this file and every line marked `before.py`."""

import numpy as np

from recollect.engine.stream import CHANCE, below

from .rules import ACTIONS, legal, odds, reach

COUNT = ACTIONS.count


def choose(s, seat, r):
    """One of what the seat may do, each as likely; what chance draws, by its odds; -1 if there is nothing."""
    weights = np.zeros(COUNT, np.int64)
    if seat == CHANCE:
        odds(s, weights)
    else:
        legal(s, seat, weights)
    first, last = reach(s, seat)
    total = 0
    for i in range(first, last):
        total += weights[i]
    if total == 0:
        return -1
    k = below(r, total)
    i = first - 1
    while k >= 0:
        i += 1
        k -= weights[i]
    return i


def lay_out(s, seat, flags):
    """The legal mask."""
    for action in range(COUNT):
        flags[action] = 0
    legal(s, seat, flags)
