"""What the threads of a block on a GPU do together: each has the row of a game, and they write them with the game as the last axis.

Bytes that lie side by side belong to neighbouring games, so threads exchange what they have until each holds the same number, or the
same flag, of several games. In an exchange the neighbours whose places differ in one bit swap what stands where another bit differs: two
turn four bytes of a game into one byte of four games; a third, of 32 flags, makes it four flags of eight games. They are laid side by side
in the memory that the block shares, and written from there: of each number, all games of the block at once, a whole line of memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

BLOCK = 128  # threads, and games: a line of memory
ALL = 0xFFFFFFFF  # threads of a warp
ONES = 0x01010101  # the lowest bit of every byte
EVEN = 0x55555555  # every second bit
AT_ONCE = 8  # words of each game that are laid side by side
FOURS = 40  # room for a number of all games, four at a time: so that no bank is asked twice
EIGHTS = 20  # the same for four flags, eight at a time
SHARED = AT_ONCE * 4 * FOURS  # words
assert SHARED == AT_ONCE * 8 * EIGHTS


def where_there_are_games(cuda: Any, write: Any) -> Any:
    """What only those threads do that have something to write: in a last block that is not full some have not."""
    inner = cuda.jit(device=True, forceinline=True)(write)

    def guarded(there, tile, t, out, at, games, start, some):
        if there:
            inner(tile, t, out, at, games, start, some)

    return cuda.jit(device=True, forceinline=True)(guarded)


def turning(cuda: Any) -> Any:
    """Bytes turned: thread k of four has byte k of all four."""
    pick = cuda.libdevice.byte_perm

    def turn(x, t):
        x = pick(x, cuda.shfl_xor_sync(ALL, x, 2), 0x5410 ^ 0x6666 * ((t >> 1) & 1))
        return pick(x, cuda.shfl_xor_sync(ALL, x, 1), 0x6240 ^ 0x5555 * (t & 1))

    return cuda.jit(device=True, forceinline=True)(turn)


def gathering(cuda: Any) -> Any:
    """Of 32 flags of its game a thread comes to have four of eight games: bit 8 b + 2 k + j is its k-th flag, of the game 4 j + b."""
    turn = turning(cuda)

    def gather(x, t):
        x = turn(x, t)
        far, odd = cuda.shfl_xor_sync(ALL, x, 4), -((t >> 2) & 1)
        return (x & (EVEN ^ odd)) | ((far << 1) & ~(EVEN | odd)) | ((far >> 1) & EVEN & odd)

    return cuda.jit(device=True, forceinline=True)(gather)


def writing_numbers(cuda: Any, count: int) -> Any:
    """Numbers, four in each of `count` words, which are even: from the first row on."""
    from numba import uint32 as cell  # places of eight bytes are counted by half a word, which is quicker
    from numba import uint64 as place  # what is not below 0 need not be asked

    turn = turning(cuda)

    def write_out(tile, t, out, at, games, start, some):
        at = cell(at + (4 * start + (t >> 4)) * games)
        for k in range(some // 2):
            x = (8 * k + (t >> 4)) * FOURS + 2 * (t & 15)
            cuda.stcs(out, at, (tile[place(x)] & ALL) | (tile[place(x + 1)] << 32))  # past the caches: nobody here reads it
            at = cell(at + 8 * games)

    written = where_there_are_games(cuda, write_out)

    def write(words, t, tile, out, at, games):
        for start in range(0, count, AT_ONCE):
            some = min(AT_ONCE, count - start)
            for k in range(some):
                tile[place((4 * k + (t & 3)) * FOURS + (t >> 2))] = turn(words[start + k], t)
            cuda.syncthreads()
            written(at < games, tile, t, out, at, games, start, some)
            cuda.syncthreads()

    return cuda.jit(device=True, forceinline=True)(write)


def writing_flags(cuda: Any, rows: Sequence[int], second: Sequence[int]) -> Any:
    """Flags, 32 in each of as many words as there are rows at which they begin; `second` says which of `more` are their second copies."""
    count, written, laid = len(rows), where_there_are_games(cuda, flags_out(cuda, rows, max(second) >= 0)), laying_flags(cuda, second)

    def write(words, more, t, tile, out, at, games):
        for start in range(0, count, AT_ONCE):
            some = min(AT_ONCE, count - start)
            laid(words, more, t, tile, start, some)
            cuda.syncthreads()
            written(at < games, tile, t, out, at, games, start, some)
            cuda.syncthreads()

    return cuda.jit(device=True, forceinline=True)(write)


def laying_flags(cuda: Any, second: Sequence[int]) -> Any:
    """Some words of flags laid side by side, those of second copies behind them."""
    from numba import uint64 as place

    gather, copies, other = gathering(cuda), max(second) >= 0, np.array(second, np.int32)

    def lay(words, more, t, tile, start, some):
        for k in range(some):
            x = place((8 * k + (t & 7)) * EIGHTS + (t >> 3))
            tile[x] = gather(words[start + k], t)
            if copies:
                tile[place(SHARED) + x] = gather(more[other[start + k]], t) if other[start + k] >= 0 else 0

    return cuda.jit(device=True, forceinline=True)(lay)


def flags_out(cuda: Any, rows: Sequence[int], copies: bool) -> Any:
    """They are written: four flags of eight games by each thread."""
    from numba import uint32 as cell
    from numba import uint64 as place

    first = np.array(rows, np.int32)

    def write_out(tile, t, out, at, games, start, some):
        c = t >> 4
        at = cell(at + (8 * (c & 3) + (c >> 2)) * games)
        for j in range(some):
            x, to = place((8 * j + c) * EIGHTS + (t & 15)), cell(at + first[start + j] * games)
            one, two = tile[x], tile[place(SHARED) + x] if copies else 0
            for k in range(4):
                low = ((one >> (2 * k)) & ONES) + ((two >> (2 * k)) & ONES)
                high = ((one >> (2 * k + 1)) & ONES) + ((two >> (2 * k + 1)) & ONES)
                cuda.stcs(out, to, low | (high << 32))
                to = cell(to + 2 * games)

    return write_out
