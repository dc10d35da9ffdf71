"""Fragments in hexes. A set of hexes is one integer, bit h for hex h; what a hex holds is the number of a handful (see components.py)."""

from recollect.engine.sets import WORD, size

from ..components import ALL, BEFORE, CAP, HEXES, LESS, STRIDE, WITH
from .layout import DONE, PICK

FIRST_WORD = (1 << WORD) - 1
WHOLE = min(HEXES, WORD // 5)  # hexes whose five colours are all in the first word of choices
AT_DONE = DONE - PICK
ANY = 31  # all five colours, as a set


def colours_in(handful):
    """The colours in a hex, as a set."""
    return handful & ANY


def size_of(handful):
    """How many fragments are in a hex."""
    n = size(handful & ANY) + (handful >> 5)
    return n if n < CAP else CAP


def hold(s, seat, h, handful):
    """The hex holds these fragments from now on."""
    n = size_of(handful)
    s.hexes[seat, h] = handful
    s.ones[seat] = s.ones[seat] & ~(1 << h) | (n & 1) << h
    s.twos[seat] = s.twos[seat] & ~(1 << h) | (n >> 1) << h


def put(s, seat, h, colour):
    """A fragment goes into the hex."""
    hold(s, seat, h, int(WITH[s.hexes[seat, h], colour]))


def lift(s, seat, h, colour):
    """A fragment leaves the hex."""
    hold(s, seat, h, int(LESS[s.hexes[seat, h], colour]))


def derive(s):
    """What follows from what the hexes hold: which of them are empty, have room, are full."""
    for seat in range(s.hexes.shape[0]):
        for h in range(HEXES):
            hold(s, seat, h, s.hexes[seat, h])


# ---------------------------------------------------------------- sets of hexes


def empty(s, seat):
    """The hexes without a fragment."""
    return ALL & ~(s.ones[seat] | s.twos[seat])


def occupied(s, seat):
    """The hexes with fragments."""
    return int(s.ones[seat] | s.twos[seat])


def roomy(s, seat):
    """The hexes with fewer than three."""
    return ALL & ~(s.ones[seat] & s.twos[seat])


def full(s, seat):
    """The hexes with three."""
    return int(s.ones[seat] & s.twos[seat])


def having(s, seat, colour):
    """The hexes that hold a fragment of the colour."""
    found = 0
    for h in range(HEXES):
        found |= ((s.hexes[seat, h] >> colour) & 1) << h
    return found


def colours_on(s, seat):
    """The colours that there are on the board, as a set."""
    found = 0
    for h in range(HEXES):
        found |= s.hexes[seat, h]
    return found & ANY


def around(hexes):
    """The hexes that touch one of these."""
    found = 0
    for i in range(STRIDE.shape[0]):
        found |= (hexes & int(BEFORE[i])) << int(STRIDE[i]) | (hexes >> int(STRIDE[i])) & int(BEFORE[i])
    return found


# ---------------------------------------------------------------- choices: fragments to pick


def picks(s, seat, hexes, colours, done):
    """The fragments of these colours in these hexes, as choices: fragment 5 * hex + colour, 63 in the first word; or nothing more."""
    some = 0
    more = 0
    for h in range(WHOLE):
        some |= (s.hexes[seat, h] & colours & -((hexes >> h) & 1)) << 5 * h
    for h in range(WHOLE, HEXES):
        here = s.hexes[seat, h] & colours & -((hexes >> h) & 1)
        if 5 * h < WORD:
            some |= (here << 5 * h) & FIRST_WORD
            more |= here >> (WORD - 5 * h)
        else:
            more |= here << (5 * h - WORD)
    if AT_DONE < WORD:
        return PICK, some | done << AT_DONE, more
    return PICK, some, more | done << (AT_DONE - WORD)


def point(s, seat, pick):
    """Remember which fragment the seat pointed at."""
    s.held[seat] = pick // 5
    s.what[seat] = pick % 5


def forget(s, seat):
    """Nothing is pointed at."""
    s.held[seat] = -1
    s.what[seat] = -1
