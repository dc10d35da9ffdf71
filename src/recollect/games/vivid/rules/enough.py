"""3: Reflect, running out of fragments. All act at once, unless a colour of the supply or the bag could run out before they are done.

What a seat may still take is counted in a number with one byte a colour; the supply too, so that five are added at once.
"""

import numpy as np

from ..components import INTO_A, INTO_B, SHOWS, SPLITS, TILES
from .layout import CLAIMED, COMBINE, LAY, SLOTS, SPECULATE, WAIT
from .prepare import bag_size, takers

EACH_COLOUR = 0x01_01_01_01_01
SHORT = 0x80_80_80_80_80  # the highest bit of every byte
GIVES = np.array([1 << 8 * SHOWS[t] if not SPLITS[t] else (1 << 8 * INTO_A[t]) + (1 << 8 * INTO_B[t]) for t in range(TILES)])


def bank_open(s, seat, k):
    """The bank action lies open and was not performed this round."""
    return 1 if s.bank[seat, k] < 0 and not (s.used[seat] >> k) & 1 else 0


def wanted(s, seat):
    """The most fragments of each colour that the seat could still take from the supply in this phase."""
    n = EACH_COLOUR * bank_open(s, seat, COMBINE)
    for k in range(SLOTS):
        if s.bank[seat, k] >= 0 and not (s.flipped[seat] >> k) & 1:
            n += int(GIVES[s.bank[seat, k]])
    if s.task[seat] == LAY:
        for tile in range(TILES):
            if s.home[tile] == CLAIMED + seat:
                n += int(GIVES[tile])
    return n


def stock(s):
    """The supply, one byte a colour."""
    n = 0
    for c in range(5):
        n |= s.supply[c] << 8 * c
    return n


def suffices(there, taken):
    """No colour would be short."""
    return ((there | SHORT) - taken) & SHORT == SHORT


def ample(s):
    """Neither a colour of the supply nor the bag can run out, whatever everybody does."""
    draws = 0
    taken = 0
    for seat in range(s.players):
        if s.task[seat] != WAIT:
            draws += bank_open(s, seat, SPECULATE)
            taken += wanted(s, seat)
    return 1 if suffices(stock(s), taken) and bag_size(s) >= draws else 0


def reflecting(s):
    """Who may act: everybody; when fragments run low, one by one from the start player (tiles can be laid meanwhile)."""
    who = 0
    first = 1
    seat = s.start
    for _ in range(takers(s)):
        if seat < s.players and s.task[seat] != WAIT:
            if s.ample or first or s.task[seat] == LAY:
                who |= 1 << seat
            first = 0
        seat = seat + 1 if seat + 1 < takers(s) else 0
    return who
