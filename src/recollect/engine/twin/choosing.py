"""A game's choices, used: one of them taken at random, or all laid out as flags. Loaded beside the rules, as the loops are."""

import numpy as np

from recollect.engine.sets import WORD, member, size
from recollect.engine.stream import CHANCE, below

from . import rules
from .rules import ACTIONS, choices

COUNT = ACTIONS.count
STRETCH = 32  # actions that are laid out at once
UNEVEN = np.zeros(COUNT, np.bool_)  # draws that are not all alike
for _range in ACTIONS.ranges.values():
    UNEVEN[_range.start : _range.start + _range.count] = _range.name in getattr(rules, "UNEVEN", ())

if UNEVEN.any():
    from .rules import odds
else:

    def odds(s, action):
        """All draws are alike."""
        return 1


def choose(s, seat, r):
    """One of what the seat may do, each as likely; what chance draws, by its odds; -1 if there is nothing."""
    first, some, more = choices(s, seat)
    if (some | more) == 0:
        return -1
    if seat == CHANCE and UNEVEN[first]:
        return drawn(s, first, some, more, r)
    n = size(some)
    k = below(r, n + size(more))
    if k < n:
        return first + member(some, k)
    return first + WORD + member(more, k - n)


def drawn(s, first, some, more, r):
    """One of an uneven set, each as likely as its odds."""
    total = weight(s, first, some) + weight(s, first + WORD, more)
    k = below(r, total)
    rest, at = some, first
    while True:
        if rest == 0:
            rest, at = more, first + WORD
        action = at + size((rest & -rest) - 1)
        k -= odds(s, action)
        if k < 0:
            return action
        rest &= rest - 1


def weight(s, first, some):
    """The odds of all of a set together."""
    total = 0
    while some:
        total += odds(s, first + size((some & -some) - 1))
        some &= some - 1
    return total


def lay_out(s, seat, flags):
    """The choices as flags, one for every action."""
    first, some, more = choices(s, seat)
    for at in range(0, COUNT, STRETCH):
        bits = stretch(some, at - first) | stretch(more, at - first - WORD)
        for k in range(min(STRETCH, COUNT - at)):
            flags[at + k] = (bits >> k) & 1


def pack_up(s, seat, bits, j):
    """The choices as bits: from bits[j] on, a stretch in each."""
    first, some, more = choices(s, seat)
    for at in range(0, COUNT, STRETCH):
        bits[j] = stretch(some, at - first) | stretch(more, at - first - WORD)
        j += 1


def stretch(some, k):
    """The members of a set from k on, which may be before its first: as many as half a number holds."""
    if k <= -STRETCH or k >= WORD:
        return 0
    return (some >> k if k >= 0 else some << -k) & ((1 << STRETCH) - 1)
