"""Phase 4, meditation: bits into the memory grid, refill, discard and draw cards. Dealing at the start works the same way."""

from recollect.engine import size

from ..components import DRAWN, FAST_DRAWN, GRID
from .layout import (
    BIT_DRAWN,
    BIT_KINDS,
    CARD_DRAWN,
    DISCARD,
    DISCARDING,
    DONE,
    HAND,
    LAY_FRAGMENT,
    LAY_FRAGMENTS,
    ORDINARIES,
    REFILL,
    REFILLING,
    TILE_COUNT,
    icons,
    tableau,
)
from .piles import added, taken, together

EVERY_BIT = (1 << (2 * BIT_KINDS)) - 1
EVERY_FRAGMENT = (1 << TILE_COUNT) - 1


# --- the memory grid and the refill -----------------------------------------------------------------------------------
def meditate(s):
    """All that was used or not saved goes into the grid; when its last cell is taken, the map is refilled."""
    s.grid = together(s.grid, s.aside)
    s.aside = 0
    s.stage = DISCARDING
    if size(s.grid) >= GRID:
        refill_on(s)


def emptiest(s):
    """The tiles with the fewest bits."""
    fewest = 2 * BIT_KINDS
    tiles = 0
    for tile in range(TILE_COUNT):
        bits = size(s.bits[tile])
        if bits < fewest:
            fewest = bits
            tiles = 0
        tiles |= (bits == fewest) << tile
    return tiles


def refill_on(s):
    """The emptiest tiles come first; if the bits do not suffice for all of them, the player says which."""
    tiles = emptiest(s)
    s.target = size((tiles & -tiles) - 1)
    s.stage = BIT_DRAWN if size(tiles) <= size(s.grid) or size(tiles) == 1 else REFILLING


def refills(s):
    """Any of the emptiest tiles."""
    return REFILL, emptiest(s), 0


def refill(s, tile):
    """The next bit goes to this tile."""
    s.target = tile
    s.stage = BIT_DRAWN


def draw_bit(s, bit):
    """Out of the grid onto the tile."""
    s.grid = taken(s.grid, bit, BIT_KINDS)
    s.bits[s.target] = added(s.bits[s.target], bit)
    if s.grid:
        refill_on(s)
    elif s.rounds == 0:
        s.stage = LAY_FRAGMENTS
        s.target = 0
    else:
        s.stage = DISCARDING


# --- set-up: bits, fragments -------------------------------------------------------------------------------------------
def strew(s):
    """Four bits on each tile at random: a refill of the empty map with all of them."""
    s.grid = EVERY_BIT
    refill_on(s)


def fragments(s):
    """Each fragment that lies on no tile yet."""
    some = EVERY_FRAGMENT
    for tile in range(s.target):
        some &= ~(1 << s.fragment[tile])
    return LAY_FRAGMENT, some, 0


def lay_fragment(s, fragment):
    """One on each tile; then cards are dealt."""
    s.fragment[s.target] = fragment
    s.target += 1
    if s.target == TILE_COUNT:
        s.target = 0
        s.turn = 0
        s.stage = CARD_DRAWN


# --- cards ------------------------------------------------------------------------------------------------------------
def discards(s, seat):
    """As many cards of the hand as one likes."""
    return DISCARD, s.hand[seat] | 1 << (DONE - DISCARD), 0


def discard(s, seat, card):
    """From the hand onto the open pile."""
    s.hand[seat] &= ~(1 << card)
    s.hand_count[seat] -= 1
    s.discard = added(s.discard, card)


def hand_limit(s, seat):
    """Cards that are drawn up to."""
    if s.rounds:
        return icons(s, seat, HAND)
    return FAST_DRAWN if s.speed else DRAWN


def hand_full(s, seat):
    """Nothing more to draw: the hand is full, or no cards are left anywhere. An empty deck is made anew of the discard pile."""
    if s.hand_count[seat] >= hand_limit(s, seat):
        return True
    if s.deck_count == 0:
        reshuffle(s)
    return s.deck_count == 0


def reshuffle(s):
    """The discard pile becomes the deck."""
    s.deck = together(s.deck, s.discard)
    s.deck_count = size(s.deck)
    s.discard = 0


def draw_card(s, seat, card):
    """Into the hand; a second copy of a card in hand or tableau is set aside, and another is drawn."""
    s.deck = taken(s.deck, card, ORDINARIES)
    s.deck_count -= 1
    if ((s.hand[seat] | tableau(s, seat)) >> card) & 1:
        s.twin = added(s.twin, card)
    else:
        s.hand[seat] |= 1 << card
        s.hand_count[seat] += 1


def discard_twins(s):
    """Second copies that came up join the discard pile when the drawing is over, so that they do not come up again."""
    s.discard = together(s.discard, s.twin)
    s.twin = 0
