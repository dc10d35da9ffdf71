"""Phase 4, meditation: bits into the memory grid, refill, discard and draw cards. Dealing at the start works the same way."""

from ..components import BIT_COPIES, DRAWN, FAST_DRAWN, GRID
from .layout import (
    BIT_DRAWN,
    BIT_KINDS,
    CARD_DRAWN,
    DISCARD,
    DISCARDING,
    DONE,
    DRAW_BIT,
    DRAW_CARD,
    HAND,
    LAY_FRAGMENT,
    LAY_FRAGMENTS,
    ORDINARIES,
    REFILL,
    REFILLING,
    TILE_COUNT,
    icons,
    in_tableau,
)


# --- the memory grid and the refill -----------------------------------------------------------------------------------
def bits_on(s, tile):
    """Bits of a tile."""
    n = 0
    for bit in range(BIT_KINDS):
        n += s.bits[tile, bit]
    return n


def in_grid(s):
    """Bits in the memory grid."""
    n = 0
    for bit in range(BIT_KINDS):
        n += s.grid[bit]
    return n


def meditate(s):
    """All that was used or not saved goes into the grid; when its last cell is taken, the map is refilled."""
    for bit in range(BIT_KINDS):
        s.grid[bit] += s.aside[bit]
        s.aside[bit] = 0
    s.stage = DISCARDING
    if in_grid(s) >= GRID:
        refill_on(s)


def fewest_bits(s):
    """The number of bits on the emptiest tiles."""
    fewest = bits_on(s, 0)
    for tile in range(1, TILE_COUNT):
        fewest = min(fewest, bits_on(s, tile))
    return fewest


def refill_on(s):
    """The emptiest tiles come first; if the bits do not suffice for all of them, the player says which."""
    fewest = fewest_bits(s)
    tiles = 0
    for tile in range(TILE_COUNT - 1, -1, -1):
        if bits_on(s, tile) == fewest:
            tiles += 1
            s.target = tile
    s.stage = BIT_DRAWN if tiles <= in_grid(s) or tiles == 1 else REFILLING


def may_refill(s, mask):
    """Any of the emptiest tiles."""
    fewest = fewest_bits(s)
    for tile in range(TILE_COUNT):
        mask[REFILL + tile] = bits_on(s, tile) == fewest


def refill(s, tile):
    """The next bit goes to this tile."""
    s.target = tile
    s.stage = BIT_DRAWN


def odds_of_bits(s, weights):
    """Each bit of the grid as likely."""
    for bit in range(BIT_KINDS):
        weights[DRAW_BIT + bit] = s.grid[bit]


def draw_bit(s, bit):
    """Out of the grid onto the tile."""
    s.grid[bit] -= 1
    s.bits[s.target, bit] += 1
    if in_grid(s):
        refill_on(s)
    elif s.rounds == 0:
        s.stage = LAY_FRAGMENTS
        s.target = 0
    else:
        s.stage = DISCARDING


# --- set-up: bits, fragments -------------------------------------------------------------------------------------------
def strew(s):
    """Four bits on each tile at random: a refill of the empty map with all of them."""
    for bit in range(BIT_KINDS):
        s.grid[bit] = BIT_COPIES
    refill_on(s)


def odds_of_fragments(s, weights):
    """Each fragment that lies on no tile yet."""
    for fragment in range(TILE_COUNT):
        weights[LAY_FRAGMENT + fragment] = 1
    for tile in range(s.target):
        weights[LAY_FRAGMENT + s.fragment[tile]] = 0


def lay_fragment(s, fragment):
    """One on each tile; then cards are dealt."""
    s.fragment[s.target] = fragment
    s.target += 1
    if s.target == TILE_COUNT:
        s.target = 0
        s.turn = 0
        s.stage = CARD_DRAWN


# --- cards ------------------------------------------------------------------------------------------------------------
def may_discard(s, seat, mask):
    """As many cards of the hand as one likes."""
    for card in range(ORDINARIES):
        mask[DISCARD + card] = s.hand[seat, card]
    mask[DONE] = 1


def discard(s, seat, card):
    """From the hand onto the open pile."""
    s.hand[seat, card] = 0
    s.hand_count[seat] -= 1
    s.discard[card] += 1


def hand_limit(s, seat):
    """Cards that are drawn up to."""
    if s.rounds:
        return icons(s, seat, HAND)
    return FAST_DRAWN if s.speed else DRAWN


def hand_full(s, seat):
    """Nothing more to draw: the hand is full, or no cards are left anywhere. An empty deck is made anew of the discard pile."""
    if s.hand_count[seat] >= hand_limit(s, seat):
        return 1
    if s.deck_count == 0:
        reshuffle(s)
    return s.deck_count == 0


def reshuffle(s):
    """The discard pile becomes the deck."""
    for card in range(ORDINARIES):
        s.deck_count += s.discard[card]
        s.deck[card] += s.discard[card]
        s.discard[card] = 0


def odds_of_cards(s, weights):
    """Each card of the deck as likely."""
    for card in range(ORDINARIES):
        weights[DRAW_CARD + card] = s.deck[card]


def draw_card(s, seat, card):
    """Into the hand; a second copy of a card in hand or tableau is set aside, and another is drawn."""
    s.deck[card] -= 1
    s.deck_count -= 1
    if s.hand[seat, card] or in_tableau(s, seat, card):
        s.twin[card] += 1
    else:
        s.hand[seat, card] = 1
        s.hand_count[seat] += 1


def discard_twins(s):
    """Second copies that came up join the discard pile when the drawing is over, so that they do not come up again."""
    for card in range(ORDINARIES):
        s.discard[card] += s.twin[card]
        s.twin[card] = 0
