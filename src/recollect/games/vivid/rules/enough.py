"""3: Reflect, running out of fragments. All act at once, unless a colour of the supply or the bag could run out before they are done.

Then who would take what somebody before them, counted from the start player, may still want has to wait; judged again after every action.
Nobody is denied a fragment by another's haste: who acts leaves, of every colour it can take, enough for all before it.
What a seat may still take is counted in a number with one byte a colour; the supply too, so that five are added at once.
"""

import numpy as np

from ..components import INTO_A, INTO_B, SHOWS, SPLITS, TILES
from .layout import CLAIMED, COMBINE, LAY, SLOTS, SPECULATE, WAIT
from .prepare import bag_size, takers

EACH_COLOUR = 0x01_01_01_01_01
SHORT = 0x80_80_80_80_80  # the highest bit of every byte
GIVES = np.array([1 << 8 * SHOWS[t] if not SPLITS[t] else (1 << 8 * INTO_A[t]) + (1 << 8 * INTO_B[t]) for t in range(TILES)])
TWICE = 2 if any(SPLITS[t] and INTO_A[t] == INTO_B[t] for t in range(TILES)) else 1  # the most of one colour that a tile gives


def bank_open(s, seat, k):
    """The bank action lies open and was not performed this round."""
    return 1 if s.bank[seat, k] < 0 and not (s.used[seat] >> k) & 1 else 0


def wanted(s, seat):
    """The most fragments of each colour that the seat could still take from the supply in this phase."""
    n = 0
    free = 0
    for k in range(SLOTS):
        if s.bank[seat, k] < 0:
            free += 1
        elif not (s.flipped[seat] >> k) & 1:
            n += int(GIVES[s.bank[seat, k]])
    if s.task[seat] != LAY:
        return n + EACH_COLOUR * bank_open(s, seat, COMBINE)
    laid = tiles = 0
    for tile in range(TILES):
        if s.home[tile] == CLAIMED + seat:
            laid += int(GIVES[tile])
            tiles += 1
    if tiles < free:
        return n + laid + EACH_COLOUR * bank_open(s, seat, COMBINE)
    return n + laid if tiles == free else n + no_more(laid, free)  # tiles that must be laid cover the bank; some may find no slot


def no_more(n, slots):
    """Of each colour as many as tiles on so many slots can give."""
    most = 0
    for c in range(5):
        most |= min((n >> 8 * c) & 0xFF, slots * TWICE) << 8 * c
    return most


def draws_on(s, seat):
    """The seat may still speculate: the slot lies open, and tiles need not cover it."""
    if not bank_open(s, seat, SPECULATE):
        return 0
    free = 0
    for k in range(SLOTS):
        free += 1 if s.bank[seat, k] < 0 else 0
    if s.task[seat] == LAY:
        for tile in range(TILES):
            free -= 1 if s.home[tile] == CLAIMED + seat else 0
    return 1 if free > 0 else 0


def stock(s):
    """The supply, one byte a colour."""
    n = 0
    for c in range(5):
        n |= s.supply[c] << 8 * c
    return n


def short(there, taken):
    """The colours, by their highest bits, of which there are fewer than would be taken."""
    return ~((there | SHORT) - taken) & SHORT


def of_those(n):
    """The colours, by their highest bits, that a seat wants at all."""
    return (n + SHORT - EACH_COLOUR) & SHORT


def ample(s):
    """Neither a colour of the supply nor the bag can run out, whatever everybody does: then it stays so until all are done."""
    draws = 0
    taken = 0
    for seat in range(s.players):
        if s.task[seat] != WAIT:
            draws += draws_on(s, seat)
            taken += wanted(s, seat)
    return 1 if short(stock(s), taken) == 0 and bag_size(s) >= draws else 0


def reflecting(s):
    """Who may act: everybody, but when fragments run low only those who cannot take what somebody before them may still want."""
    return not_done(s) if s.ample else in_order(s)


def not_done(s):
    """Everybody who still reflects."""
    who = 0
    for seat in range(s.players):
        who |= (1 if s.task[seat] != WAIT else 0) << seat
    return who


def in_order(s):
    """From the start player on: the first; who only lays tiles; who finds enough when all before have taken all they may want."""
    who = 0
    taken = 0
    draws = 0
    there = stock(s)
    bag = bag_size(s)
    seat = s.start
    for _ in range(takers(s)):
        if seat < s.players and s.task[seat] != WAIT:
            mine = wanted(s, seat)
            draw = draws_on(s, seat)
            taken += mine
            draws += draw
            enough = short(there, taken) & of_those(mine) == 0 and (draw == 0 or draws <= bag)
            if who == 0 or enough or s.task[seat] == LAY:
                who |= 1 << seat
        seat = seat + 1 if seat + 1 < takers(s) else 0
    return who
