"""Phase 2, recollection: take up the bits of a tile, drop one on each tile of a way, gather the colour of the last."""

from ..components import SHAPES, WHITE
from .layout import (
    BIT_KINDS,
    BUILD,
    DONE,
    DROP,
    HOLD,
    PICK,
    SHAPE_COUNT,
    SOW,
    SOW_FROM,
    TILE_COUNT,
    WANDER,
    WHITE_PICK,
    WHITES,
    clear_trail,
    icons,
)
from .mapping import way_on

WHITE_BITS = WHITE * len(SHAPES)  # kinds of bits from here on are white


def colourful(s, tile):
    """Bits of a tile that are not white."""
    n = 0
    for bit in range(WHITE_BITS):
        n += s.bits[tile, bit]
    return n


def white_there(s, tile):
    """White bits of a tile."""
    n = 0
    for bit in range(WHITE_BITS, BIT_KINDS):
        n += s.bits[tile, bit]
    return n


def may_start(s, tile):
    """The last bit can be of a colour, and a way is long enough for all of them."""
    n = colourful(s, tile)
    return n > 0 and n + white_there(s, tile) <= s.far[tile]


def may_sow(s, mask):
    """Tiles that can be sown; if there is none the phase is skipped. The girl may go first."""
    none = 1
    for tile in range(TILE_COUNT):
        if may_start(s, tile):
            mask[SOW_FROM + tile] = 1
            none = 0
    mask[DONE] = none
    mask[WANDER] = not s.strolled


def sow(s, tile):
    """Take all the bits of the start tile."""
    clear_trail(s)
    s.stage = SOW
    s.at = tile
    s.trail[tile] = 1
    for bit in range(BIT_KINDS):
        s.held[bit] = s.bits[tile, bit]
        s.bits[tile, bit] = 0
    line_up(s)


def line_up(s):
    """Which bit is dropped next, unless the player chooses: a white one first, for it cannot be the last."""
    s.chosen = 0
    bit = WHITE_BITS
    while s.held[bit] == 0:
        bit = (bit + 1) % BIT_KINDS
    s.upcoming = bit


def may_drop(s, mask):
    """Connected tiles not yet crossed, from which the way can be completed; and the bits that could come first."""
    left = in_hand(s)
    crossed = crossed_tiles(s)
    for tile in range(TILE_COUNT):
        if (s.near[s.at] & ~crossed) >> tile & 1 and way_on(s, tile, crossed | (1 << tile), left - 1):
            mask[DROP + tile] = 1
    if not s.chosen:
        may_hold(s, mask)


def may_hold(s, mask):
    """Any bit may be dropped next that leaves one of a colour for the end."""
    coloured = 0
    for bit in range(WHITE_BITS):
        coloured += s.held[bit]
    for bit in range(BIT_KINDS):
        if s.held[bit] and bit != s.upcoming and (bit >= WHITE_BITS or coloured > 1):
            mask[HOLD + bit] = 1


def in_hand(s):
    """Bits still to drop."""
    n = 0
    for bit in range(BIT_KINDS):
        n += s.held[bit]
    return n


def crossed_tiles(s):
    """The tiles of the way so far."""
    tiles = 0
    for tile in range(TILE_COUNT):
        if s.trail[tile]:
            tiles |= 1 << tile
    return tiles


def hold(s, bit):
    """This bit is dropped next."""
    s.upcoming = bit
    s.chosen = 1


def drop(s, seat, tile):
    """Leave the upcoming bit on the next tile; the last one gathers."""
    bit = s.upcoming
    s.held[bit] -= 1
    s.bits[tile, bit] += 1
    s.at = tile
    s.steps += 1
    s.trail[tile] = s.steps + 1
    if in_hand(s):
        line_up(s)
    else:
        gather(s, seat, bit // SHAPE_COUNT)


def gather(s, seat, colour):
    """Take the last bit and all others of its colour from the final tile; then white ones by power."""
    for bit in range(colour * SHAPE_COUNT, (colour + 1) * SHAPE_COUNT):
        s.own[seat, bit] += s.bits[s.at, bit]
        s.bits[s.at, bit] = 0
    s.picks = icons(s, seat, WHITE_PICK)
    s.stage = WHITES
    if s.picks == 0 or white_there(s, s.at) == 0:
        end_sowing(s)


def may_pick(s, mask):
    """White bits of the final tile, one for each icon."""
    for shape in range(SHAPE_COUNT):
        mask[PICK + shape] = s.bits[s.at, WHITE_BITS + shape] > 0
    mask[DONE] = 1


def pick(s, seat, shape):
    """Take a white bit."""
    s.bits[s.at, WHITE_BITS + shape] -= 1
    s.own[seat, WHITE_BITS + shape] += 1
    s.picks -= 1
    if s.picks == 0 or white_there(s, s.at) == 0:
        end_sowing(s)


def end_sowing(s):
    """On to Déjà Vu."""
    s.sown = 1
    s.picks = 0
    clear_trail(s)
    s.stage = BUILD
