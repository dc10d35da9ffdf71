"""Phase 2, recollection: take up the bits of a tile, drop one on each tile of a way, gather the colour of the last."""

from recollect.engine.sets import WORD, size

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
    forget_way,
    icons,
    set_out,
    step_to,
)
from .mapping import leads, way_on
from .piles import added, kinds_of, taken, together

WHITE_BITS = WHITE * len(SHAPES)  # kinds of bits from here on are white
FIVE_SHAPES = (1 << SHAPE_COUNT) - 1
ALL_WHITE = FIVE_SHAPES << WHITE_BITS | FIVE_SHAPES << (WHITE_BITS + BIT_KINDS)  # every white bit of a pile


def may_start(s, tile):
    """The last bit can be of a colour, and a way is long enough for all of them."""
    return (s.bits[tile] & ~ALL_WHITE) != 0 and leads(s, tile, size(s.bits[tile]))


def mornings(s):
    """Tiles that can be sown; if there is none the phase is skipped. The girl may go first."""
    starts = 0
    for tile in range(TILE_COUNT):
        if may_start(s, tile):
            starts |= 1 << tile
    return WANDER, starts << (SOW_FROM - WANDER) | (s.strolled ^ 1), (starts == 0) << (DONE - WANDER - WORD)


def sow(s, tile):
    """Take all the bits of the start tile."""
    set_out(s, tile)
    s.stage = SOW
    s.at = tile
    s.held = s.bits[tile]
    s.bits[tile] = 0
    line_up(s)


def line_up(s):
    """Which bit is dropped next, unless the player chooses: a white one first, for it cannot be the last."""
    s.chosen = 0
    first = s.held & (FIVE_SHAPES << WHITE_BITS)
    if first == 0:
        first = kinds_of(s.held)
    s.upcoming = size((first & -first) - 1)


def drops(s):
    """Connected tiles not yet crossed, from which the way can be completed; and the bits that could come first."""
    return DROP, onward(s) | (0 if s.chosen else others(s)) << (HOLD - DROP), 0


def onward(s):
    """The tiles that can follow."""
    left = size(s.held)
    ahead = s.near[s.at] & ~s.crossed
    if left == 1:
        return ahead
    tiles = 0
    while ahead:
        one = ahead & -ahead
        if way_on(s, size(one - 1), s.crossed | one, left - 1):
            tiles |= one
        ahead ^= one
    return tiles


def others(s):
    """Any bit may be dropped next that leaves one of a colour for the end."""
    bits = kinds_of(s.held) & ~(1 << s.upcoming)
    return bits if size(s.held & ~ALL_WHITE) > 1 else bits & ALL_WHITE


def hold(s, bit):
    """This bit is dropped next."""
    s.upcoming = bit
    s.chosen = 1


def drop(s, seat, tile):
    """Leave the upcoming bit on the next tile; the last one gathers."""
    bit = s.upcoming
    s.held = taken(s.held, bit, BIT_KINDS)
    s.bits[tile] = added(s.bits[tile], bit)
    s.at = tile
    step_to(s, tile)
    if s.held:
        line_up(s)
    else:
        gather(s, seat, bit // SHAPE_COUNT)


def gather(s, seat, colour):
    """Take the last bit and all others of its colour from the final tile; then white ones by power."""
    of_colour = (FIVE_SHAPES | FIVE_SHAPES << BIT_KINDS) << (colour * SHAPE_COUNT)
    s.own[seat] = together(s.own[seat], s.bits[s.at] & of_colour)
    s.bits[s.at] &= ~of_colour
    s.picks = icons(s, seat, WHITE_PICK)
    s.stage = WHITES
    if s.picks == 0 or s.bits[s.at] & ALL_WHITE == 0:
        end_sowing(s)


def whites(s):
    """White bits of the final tile, one for each icon."""
    return PICK, (s.bits[s.at] >> WHITE_BITS) & FIVE_SHAPES, 1 << (DONE - PICK - WORD)


def pick(s, seat, shape):
    """Take a white bit."""
    s.bits[s.at] = taken(s.bits[s.at], WHITE_BITS + shape, BIT_KINDS)
    s.own[seat] = added(s.own[seat], WHITE_BITS + shape)
    s.picks -= 1
    if s.picks == 0 or s.bits[s.at] & ALL_WHITE == 0:
        end_sowing(s)


def end_sowing(s):
    """On to Déjà Vu."""
    s.sown = 1
    s.picks = 0
    forget_way(s)
    s.stage = BUILD
