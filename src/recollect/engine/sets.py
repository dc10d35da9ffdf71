"""Sets as the bits of a number: member i is there when bit i is set. For rule functions: plain, compiled and on a GPU."""

from __future__ import annotations

WORD = 63  # members that one number holds, as it is not to be negative


def size(some):
    """How many members."""
    n = 0
    while some:
        some &= some - 1
        n += 1
    return n


def member(some, k):
    """The k-th member, from 0, of a set that has as many: halves are counted, so that there is no branch to guess."""
    i = 0
    if some >> 32:
        n = 0
        low = some & 0xFFFFFFFF
        while low:
            low &= low - 1
            n += 1
        if n <= k:
            some >>= 32
            i += 32
            k -= n
    for step in (16, 8, 4, 2, 1):
        n = 0
        low = some & ((1 << step) - 1)
        while low:
            low &= low - 1
            n += 1
        if n <= k:
            some >>= step
            i += step
            k -= n
    return i


def members(some, first=0):
    """Every member, counted from `first`; for plain Python alone."""
    while some:
        yield first + (some & -some).bit_length() - 1
        some &= some - 1
