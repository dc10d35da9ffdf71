"""Fragments in hexes. A set of hexes is one integer, bit h for hex h; a hex packs its fragments, two bits a colour."""

from ..components import HEXES, SIZE
from .layout import PICK


def count(held, colour):
    """How many fragments of the colour."""
    return (held >> 2 * colour) & 3


def put(s, seat, h, colour):
    """A fragment goes into the hex."""
    s.hexes[seat, h] += 1 << 2 * colour


def lift(s, seat, h, colour):
    """A fragment leaves the hex."""
    s.hexes[seat, h] -= 1 << 2 * colour


def holding(s, seat, least, most):
    """The hexes that hold so many fragments."""
    found = 0
    for h in range(HEXES):
        n = SIZE[s.hexes[seat, h]]
        if least <= n <= most:
            found |= 1 << h
    return found


def having(s, seat, colour):
    """The hexes that hold a fragment of the colour."""
    found = 0
    for h in range(HEXES):
        if count(s.hexes[seat, h], colour):
            found |= 1 << h
    return found


def offer(mask, first, hexes):
    """Each hex of the set may be chosen."""
    for h in range(HEXES):
        if (hexes >> h) & 1:
            mask[first + h] = 1


def offer_fragments(s, seat, mask, h):
    """Each fragment of the hex may be picked."""
    for colour in range(5):
        if count(s.hexes[seat, h], colour):
            mask[PICK + 5 * h + colour] = 1


def point(s, seat, pick):
    """Remember which fragment the seat pointed at."""
    s.held[seat] = pick // 5
    s.what[seat] = pick % 5


def forget(s, seat):
    """Nothing is pointed at."""
    s.held[seat] = -1
    s.what[seat] = -1
