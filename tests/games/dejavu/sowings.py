"""Everything that sowing offers in Déjà Vu, walked to every end through the compiled rules, beside an exhaustive search of its own.

The search has the rulebook's words, where the tiles lie and the bits on them, and nothing of the rules' code: ways are found by trying
every connected tile to the end, orders of the bits by trying every bit. A tile that is connected and not crossed belongs to a sowing
only if some complete way leads over it; a bit may be dropped only if some order of the others ends in a colour.

The walk starts wherever the rules let it and takes every step and every bit that they offer. Where few sowings begin it takes them all,
one by one, and they must be as many as the search counts. Elsewhere it goes on only once from a position (where one is, the tiles
crossed, the bits left), yet compares the answers each time it comes there: when at every position that can be reached the offered steps
are those that begin the search's sowings, and the ends are the search's ends, then the two sets of sowings are one, and no end is dead.

Imported by a test when it runs, for it compiles: see test_dejavu_sowing.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

import recollect
from recollect.games.dejavu.rules.layout import BUILD, DONE, DROP, HOLD, PICK, REFILL, SOW, SOW_FROM, WANDER, WHITES

GAME = recollect.load("dejavu")
TILES, KINDS, SHAPES, WHITE = 15, 30, 5, 25  # kinds of bits from 25 on are white
SPOTS = 1 << 20  # in the table of positions seen; a map with more is too large for it
FEW = 300  # so many sowings from a tile are walked one by one
STEP, MASKS = GAME.fast.step, GAME.fast.masks
INT, RECORDS, MASK = numba.int64, numba.from_dtype(GAME.state.dtype)[::1], numba.uint8[:, ::1]  # a signature: compiled only once
COUNTED = ("starts", "sowings", "one_by_one", "positions", "answers", "shut", "ends", "picked")
STARTS, SOWINGS, ONE_BY_ONE, POSITIONS, ANSWERS, SHUT, ENDS, PICKED = range(8)
ALL_RIGHT = (-1, 0)


class Tools(NamedTuple):
    """What a walk writes on. Lists begin with their length."""

    games: np.ndarray  # the record at each step; the map in front
    held: np.ndarray  # the same with the bit chosen
    call: np.ndarray  # the seat that acts and its action
    mask: np.ndarray
    near: np.ndarray  # connected tiles, one binary digit each
    onward: np.ndarray  # [at * 2**15 + tiles crossed]: the tiles that follow on complete ways
    onward_noted: np.ndarray  # where in it
    pile: np.ndarray  # the bits of the start tile, by kind
    unit: np.ndarray  # a handful of bits is a number: the sum of these
    then: np.ndarray  # [handful]: the kinds that can be dropped first
    seen: np.ndarray  # positions
    seen_noted: np.ndarray
    tally: np.ndarray


def tools() -> Tools:
    numbers = lambda n: np.zeros(n, np.int64)  # noqa: E731
    records = lambda n: np.zeros(n, GAME.state.dtype)  # noqa: E731
    ways = TILES << TILES
    return Tools(
        records(32), records(32), numbers(2), np.zeros((1, GAME.actions.count), np.uint8), numbers(TILES), numbers(ways), numbers(ways + 1),
        numbers(KINDS), numbers(KINDS), numbers(1 << TILES), numbers(SPOTS), numbers(SPOTS + 1), numbers(8),
    )  # fmt: skip


TOOLS = numba.typeof(tools())


# --- the search of its own --------------------------------------------------------------------------------------------
@numba.njit
def touching(east, south, near):
    """Tiles on a hexagonal grid touch when they are one step apart: east, south-east, south-west, or the way back."""
    for a in range(TILES):
        near[a] = 0
        for b in range(TILES):
            e, s = east[b] - east[a], south[b] - south[a]
            if (abs(e) == 1 and s == 0) or (e == 0 and abs(s) == 1) or (e == 1 and s == -1) or (e == -1 and s == 1):
                near[a] |= 1 << b


@numba.njit
def note(noted, place):
    noted[0] += 1
    noted[noted[0]] = place


@numba.njit
def wipe(table, noted):
    for i in range(1, noted[0] + 1):
        table[noted[i]] = 0
    noted[0] = 0


@numba.njit
def all_ways(near, start, length, onward, noted):
    """Try every way over so many tiles, none twice; note for each beginning of a complete one which tile follows. How many there are."""
    way, tried = np.zeros(TILES + 1, np.int64), np.zeros(TILES + 1, np.int64)
    way[0], depth, complete = start, 0, 0
    while depth >= 0:
        if depth == length:
            complete += 1
            crossed = 1 << start
            for i in range(length):
                place = way[i] << TILES | crossed
                if onward[place] == 0:
                    note(noted, place)
                onward[place] |= 1 << way[i + 1]
                crossed |= 1 << way[i + 1]
        if depth == length or tried[depth] == TILES:
            depth -= 1
            continue
        tile = tried[depth]
        tried[depth] += 1
        fresh = near[way[depth]] >> tile & 1
        for i in range(depth + 1):
            if way[i] == tile:
                fresh = 0
        if fresh:
            depth += 1
            way[depth], tried[depth] = tile, 0
    return complete


@numba.njit
def all_orders(pile, unit, then):
    """For each handful of the pile, the kinds that can be dropped first if the last is not to be white. How many orders there are."""
    n = 1
    for kind in range(KINDS):
        unit[kind] = n
        n *= pile[kind] + 1
    orders = np.zeros(n, np.int64)
    for handful in range(1, n):
        then[handful] = 0
        for kind in range(KINDS):
            if handful // unit[kind] % (pile[kind] + 1):
                rest = handful - unit[kind]
                ways = orders[rest] if rest else int(kind < WHITE)
                if ways:
                    then[handful] |= 1 << kind
                    orders[handful] += ways
    return orders[n - 1]


# --- the walk through the rules ---------------------------------------------------------------------------------------
@numba.njit(numba.void(RECORDS, INT, INT[::1], INT))
def play(games, i, call, action):
    call[0], call[1] = games[i].turn, action
    STEP(games[i : i + 1], call[:1], call[1:])


@numba.njit(numba.boolean(RECORDS, INT, INT[::1], MASK, INT, INT))
def ask(games, i, call, mask, first, last):
    """The legal actions; false if there is one outside of the span."""
    call[0] = games[i].turn
    MASKS(games[i : i + 1], call[:1], mask)
    outside = 0
    for a in range(first):
        outside |= mask[0, a]
    for a in range(last, mask.shape[1]):
        outside |= mask[0, a]
    return outside == 0


@numba.njit(INT(MASK, INT, INT))
def offered(mask, first, count):
    """A stretch of the legal actions, one binary digit each."""
    n = 0
    for i in range(count):
        n |= np.int64(mask[0, first + i]) << i
    return n


@numba.njit(INT(INT))
def lowest(digits):
    n = 0
    while not digits >> n & 1:
        n += 1
    return n


@numba.njit(numba.boolean(INT[::1], INT[::1], INT))
def new(seen, noted, position):
    """It was not seen before; now it is."""
    at = (position * 0x9E3779B97F4A7C1) >> 20 & (SPOTS - 1)
    while seen[at]:
        if seen[at] == position:
            return False
        at = (at + 1) & (SPOTS - 1)
    seen[at] = position
    note(noted, at)
    return True


@numba.njit(numba.boolean(TOOLS, INT, INT, INT))
def meets(t, i, tiles, kinds):
    """The offered tiles and bits are those with which a sowing can be completed; there is at least one of each."""
    s = t.games[i]
    t.tally[ANSWERS] += 1
    if s.stage != SOW or not ask(t.games, i, t.call, t.mask, DROP, REFILL) or t.mask[0, HOLD + s.upcoming]:
        return False
    bits = offered(t.mask, HOLD, KINDS) | 1 << s.upcoming
    return tiles > 0 and kinds > 0 and offered(t.mask, DROP, TILES) == tiles and bits == kinds


@numba.njit(INT(INT, INT))
def many(pile, kind):
    """How many of a kind lie in a pile."""
    return (pile >> kind & 1) + (pile >> (KINDS + kind) & 1)


@numba.njit
def gathered(s, before, last, icons):
    """The last bit and all of its colour are taken from the last tile, and nothing else; white ones by power are to follow."""
    white = 0
    for kind in range(KINDS):
        there = many(before.bits[s.at], kind) + (kind == last)
        taken = there if kind // SHAPES == last // SHAPES else 0
        if many(s.own[s.turn], kind) != many(before.own[s.turn], kind) + taken or many(s.bits[s.at], kind) != there - taken or s.held:
            return False
        white += there if kind >= WHITE else 0
    return s.stage == WHITES if white and icons else s.stage == BUILD and s.sown


@numba.njit
def whites(t, i, icons):
    """Every choice of white bits on the last tile: up to one for each icon, and no other."""
    before, at, seat = t.games[i], t.games[i].at, t.games[i].turn
    taken, todo = np.zeros(3**SHAPES, np.bool_), np.full(16, -1)
    depth = 0
    while depth >= 0:
        if todo[depth] == -1:
            if not ask(t.games, i + depth, t.call, t.mask, PICK, DONE + 1):
                return False
            todo[depth] = offered(t.mask, PICK, SHAPES) | np.int64(t.mask[0, DONE]) << SHAPES
        if todo[depth] == 0:
            todo[depth] = -1
            depth -= 1
            continue
        choice = lowest(todo[depth])
        todo[depth] ^= 1 << choice
        t.games[i + depth + 1] = t.games[i + depth]
        play(t.games, i + depth + 1, t.call, DONE if choice == SHAPES else PICK + choice)
        s = t.games[i + depth + 1]
        t.tally[PICKED] += 1
        if s.stage == WHITES:
            depth += 1
            continue
        got = 0
        for shape in range(SHAPES):
            n = many(s.own[seat], WHITE + shape) - many(before.own[seat], WHITE + shape)
            if n < 0 or n + many(s.bits[at], WHITE + shape) != many(before.bits[at], WHITE + shape) or s.stage != BUILD:
                return False
            got = got * 3 + n
        taken[got] = True
    for got in range(3**SHAPES):  # every handful of up to two of each shape
        n, fits, rest = 0, True, got
        for shape in range(SHAPES - 1, -1, -1):
            n += rest % 3
            fits = fits and rest % 3 <= many(before.bits[at], WHITE + shape)
            rest //= 3
        if taken[got] != (fits and n <= icons):
            return False
    return True


@numba.njit
def sowings(t, start, few, icons):
    """Every sowing from a start tile, over every tile and with every bit offered. How many ends it has; below 0 if something differs."""
    left, crossed = np.zeros(TILES + 2, np.int64), np.zeros(TILES + 2, np.int64)
    kinds, kind, tiles = left.copy(), left.copy(), left.copy()  # bits still to try, the one tried now, tiles still to try with it
    games, ends = t.games, 0
    games[1] = games[0]
    play(games, 1, t.call, SOW_FROM + start)
    for k in range(KINDS):
        if many(games[1].held, k) != many(games[0].bits[start], k) or many(games[1].bits[start], k):
            return -1
        left[1] += many(games[1].held, k) * t.unit[k]
    crossed[1], depth, arrived = 1 << start, 1, True
    while depth > 0:
        s = games[depth]
        place = s.at << TILES | crossed[depth]
        if arrived:
            arrived = False
            if not meets(t, depth, t.onward[place], t.then[left[depth]]):
                return -2
            kinds[depth] = t.then[left[depth]] if few or new(t.seen, t.seen_noted, left[depth] << 20 | place) else 0
            t.tally[POSITIONS] += kinds[depth] > 0
            t.tally[SHUT] += kinds[depth] > 0 and (t.near[s.at] & ~crossed[depth] & ~t.onward[place]) > 0
        if tiles[depth] == 0:
            if kinds[depth] == 0:
                depth -= 1
                continue
            kind[depth] = lowest(kinds[depth])
            kinds[depth] ^= 1 << kind[depth]
            tiles[depth] = t.onward[place]
            t.held[depth] = s
            if kind[depth] != s.upcoming:  # choose it: then only tiles are asked for
                play(t.held, depth, t.call, HOLD + kind[depth])
                if not ask(t.held, depth, t.call, t.mask, DROP, HOLD) or offered(t.mask, DROP, TILES) != tiles[depth]:
                    return -3
        tile = lowest(tiles[depth])
        tiles[depth] ^= 1 << tile
        games[depth + 1] = t.held[depth]
        play(games, depth + 1, t.call, DROP + tile)
        if games[depth + 1].at != tile:
            return -4
        left[depth + 1], crossed[depth + 1] = left[depth] - t.unit[kind[depth]], crossed[depth] | 1 << tile
        if left[depth + 1]:
            depth += 1
            arrived = True
            continue
        ends += 1
        if kind[depth] >= WHITE or not gathered(games[depth + 1], games[0], kind[depth], icons):
            return -5
        end = (kind[depth] << 20 | tile << TILES | crossed[depth + 1]) + (1 << 40)
        if icons and new(t.seen, t.seen_noted, end) and games[depth + 1].stage == WHITES and not whites(t, depth + 1, icons):
            return -6
    return ends


@numba.njit
def walk(t, icons):
    """All the sowings of the map in games[0]: nothing, or the start tile + 1 (0: the starts themselves) and what differs first."""
    s = t.games[0]
    touching(s.east, s.south, t.near)
    if not ask(t.games, 0, t.call, t.mask, WANDER, DONE + 1) or t.mask[0, WANDER] == s.strolled:
        return 0, -1
    starts, none = offered(t.mask, SOW_FROM, TILES), t.mask[0, DONE]
    if none != (starts == 0) or t.mask[0].sum() != none + t.mask[0, WANDER] + t.mask[0, SOW_FROM : SOW_FROM + TILES].sum():
        return 0, -2
    for start in range(TILES):
        wipe(t.onward, t.onward_noted)
        wipe(t.seen, t.seen_noted)
        for kind in range(KINDS):
            t.pile[kind] = many(s.bits[start], kind)
        length = t.pile.sum()
        ways = all_ways(t.near, start, length, t.onward, t.onward_noted) if 0 < length < TILES else 0
        count = ways * all_orders(t.pile, t.unit, t.then) if ways else 0
        if (count > 0) != (starts >> start & 1):
            return start + 1, -7
        if count:
            ends = sowings(t, start, count <= FEW, icons)
            if ends < 0 or (count <= FEW and ends != count) or t.seen_noted[0] > SPOTS // 2:
                return start + 1, ends
            t.tally[STARTS] += 1
            t.tally[SOWINGS] += count
            t.tally[ENDS] += ends
            t.tally[ONE_BY_ONE] += count if count <= FEW else 0
    return ALL_RIGHT
