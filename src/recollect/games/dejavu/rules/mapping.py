"""Building the cosmic map, and finding ways on it.

Tiles lie on a hexagonal grid in axial steps: east, and south-east. Those that touch are connected.

        nw   ne
      w   ::   e          A set of tiles is one number, a binary digit for each.
        sw   se
"""

from recollect.engine.sets import WORD, size

from ..components import EAST, SOUTH
from .layout import TILE_COUNT

ALL_SIDES = 6
ALL_TILES = (1 << TILE_COUNT) - 1
AT_ONCE = 8  # ways over so many tiles are looked for once, from every tile; hardly a pile is higher
CLOSE = 5  # over so few tiles a way is looked for without asking first whether enough are left


def touches(s, tile, east, south):
    """The tile lies beside the spot, or on it."""
    de = s.east[tile] - east
    ds = s.south[tile] - south
    return (-1 <= de <= 1) & (-1 <= ds <= 1) & (-1 <= de + ds <= 1)


def touching(s, east, south):
    """The placed tiles that touch a spot."""
    tiles = 0
    for tile in range(s.placed):
        tiles |= touches(s, tile, east, south) << tile
    return tiles


def connects(s, tile, east, south):
    """A new tile lies on a free spot and touches at least two, the second the one there is; `tile` is the first placed of them."""
    for other in range(tile):
        if touches(s, other, east, south):
            return False
    more = s.placed == 1
    for other in range(tile + 1, s.placed):
        if touches(s, other, east, south):
            if s.east[other] == east and s.south[other] == south:
                return False
            more = True
    return more


def spots(s):
    """Every spot where the next tile connects, in two words; a spot is named by the first placed of the tiles it touches."""
    some = 0
    more = 0
    for tile in range(s.placed):
        for side in range(ALL_SIDES):
            if connects(s, tile, s.east[tile] + EAST[side], s.south[tile] + SOUTH[side]):
                spot = tile * ALL_SIDES + side
                if spot < WORD:
                    some |= 1 << spot
                else:
                    more |= 1 << (spot - WORD)
    return some, more


def place(s, spot):
    """Connect the next tile to those already placed."""
    tile = spot // ALL_SIDES
    side = spot % ALL_SIDES
    put_tile(s, s.east[tile] + EAST[side], s.south[tile] + SOUTH[side])
    if s.hands_build and s.placed % 2 == 1:
        s.turn = (s.turn + 1) % s.players  # two tiles each
    if s.placed == TILE_COUNT:
        measure(s)


def put_tile(s, east, south):
    """Lay the next tile and note whom it touches."""
    new = s.placed
    tiles = touching(s, east, south)
    s.east[new] = east
    s.south[new] = south
    s.near[new] = tiles
    for tile in range(new):
        if (tiles >> tile) & 1:
            s.near[tile] |= 1 << new
    s.placed = new + 1


def measure(s):
    """Ways that are long enough for nearly every pile lead from every tile, as a rule; that never changes again."""
    s.far = 0
    for tile in range(TILE_COUNT):
        if not way_on(s, tile, 1 << tile, AT_ONCE):
            return
    s.far = AT_ONCE


def leads(s, tile, length):
    """A way from the tile can lead over so many others."""
    return length <= s.far or (length < TILE_COUNT and way_on(s, tile, 1 << tile, length))


def way_on(s, at, crossed, left):
    """From `at` a way can lead over `left` more connected tiles without crossing one twice.

    A search in depth; the way so far is kept in one number, four binary digits a tile.
    """
    if left == 0:
        return True
    if left > CLOSE and enclosed(s, at, crossed, left):
        return False
    way = 0
    depth = 0
    tried = 0  # neighbours of `at` up to here have been tried
    while True:
        ahead = s.near[at] & ~crossed & -(1 << tried)
        if ahead:
            depth += 1
            if depth == left:
                return True
            way = (way << 4) | at
            at = size((ahead & -ahead) - 1)
            crossed |= 1 << at
            tried = 0
        else:
            if depth == 0:
                return False
            depth -= 1
            crossed ^= 1 << at
            tried = at + 1
            at = way & 15
            way >>= 4


def enclosed(s, at, crossed, left):
    """Fewer than `left` tiles can be reached at all."""
    reached = s.near[at] & ~crossed
    edge = reached
    while edge:
        more = s.near[size((edge & -edge) - 1)] & ~crossed & ~reached
        edge = edge & (edge - 1) | more
        reached |= more
    return size(reached) < left
