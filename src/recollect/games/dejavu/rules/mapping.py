"""Building the cosmic map, and finding ways on it.

Tiles lie on a hexagonal grid in axial steps: east, and south-east. Those that touch are connected.

        nw   ne
      w   ::   e          A set of tiles is one number, a binary digit for each.
        sw   se
"""

from ..components import EAST, SOUTH, TILE_OF_BIT
from .layout import PLACE, TILE_COUNT

ALL_SIDES = 6


def touching(s, east, south):
    """The placed tiles that touch a spot; -1 if a tile lies on it."""
    tiles = 0
    for tile in range(s.placed):
        de = s.east[tile] - east
        ds = s.south[tile] - south
        if de == 0 and ds == 0:
            return -1
        if -1 <= de <= 1 and -1 <= ds <= 1 and -1 <= de + ds <= 1:
            tiles |= 1 << tile
    return tiles


def connects(s, tiles):
    """A new tile touches at least two, the second the one there is."""
    return tiles > 0 and (s.placed == 1 or tiles & (tiles - 1) != 0)


def may_place(s, mask):
    """Every spot where the next tile connects; a spot is named by the first placed of the tiles it touches."""
    for tile in range(s.placed):
        for side in range(ALL_SIDES):
            tiles = touching(s, s.east[tile] + EAST[side], s.south[tile] + SOUTH[side])
            if connects(s, tiles) and tiles & ((1 << tile) - 1) == 0:
                mask[PLACE + tile * ALL_SIDES + side] = 1


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
    """How far a way can lead from each tile: it never changes again."""
    for tile in range(TILE_COUNT):
        far = TILE_COUNT - 1
        while not way_on(s, tile, 1 << tile, far):
            far -= 1
        s.far[tile] = far


def way_on(s, at, crossed, left):
    """From `at` a way can lead over `left` more connected tiles without crossing one twice.

    A search in depth; the way so far is kept in one number, four binary digits a tile.
    """
    if left == 0:
        return 1
    if enclosed(s, at, crossed, left):
        return 0
    way = 0
    depth = 0
    tried = 0  # neighbours of `at` up to here have been tried
    while True:
        open_tiles = s.near[at] & ~crossed & -(1 << tried)
        if open_tiles:
            depth += 1
            if depth == left:
                return 1
            way = (way << 4) | at
            at = TILE_OF_BIT[(open_tiles & -open_tiles) % 37]
            crossed |= 1 << at
            tried = 0
        else:
            if depth == 0:
                return 0
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
        tile = TILE_OF_BIT[(edge & -edge) % 37]
        edge &= edge - 1
        more = s.near[tile] & ~crossed & ~reached
        reached |= more
        edge |= more
    n = 0
    while reached:
        reached &= reached - 1
        n += 1
    return n < left
