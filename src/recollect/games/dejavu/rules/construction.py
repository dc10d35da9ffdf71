"""Phase 3, Déjà Vu: build cards with bits, grow a flower, save bits in chests."""

import numpy as np

from recollect.engine import size

from ..components import ANY, CARD_COLOUR, COMMON_COUNT, FLOWER_PRICE, NEED, PLACES, SLOT, SLOTS, WHITE
from .layout import (
    BIT_KINDS,
    BUILD,
    CARD_KINDS,
    CHEST,
    DONE,
    GROW,
    GROWING,
    KEEP,
    LAY,
    LAYING,
    MEDITATE,
    ORDINARIES,
    REMEMBER,
    SAVE,
    SAVING,
    SHAPE_COUNT,
    WALK,
    begun,
    enter_memory,
    icons,
    short_limit,
    tableau,
)
from .piles import added, kinds_of, taken, together
from .planting import wander

EIGHT = 8  # binary digits for a count in `shapes`
SPARE = sum(128 << (EIGHT * _shape) for _shape in range(SHAPE_COUNT))  # the highest digit of each count
OF_SHAPE = np.array([sum(1 << _bit for _bit in range(_shape, 2 * BIT_KINDS, SHAPE_COUNT)) for _shape in range(SHAPE_COUNT)])  # in a pile
SHORTEST = int(SLOTS[ORDINARIES:].min())  # common cards want at least so many bits


def shapes(s, seat):
    """How many bits of each shape the seat has, eight binary digits each."""
    counts = 0
    for shape in range(SHAPE_COUNT):
        counts |= size(s.own[seat] & OF_SHAPE[shape]) << (EIGHT * shape)
    return counts


def covers(counts, bits, card, slot):
    """So many bits, counted by shape, can cover the card from this slot to the bottom."""
    return bits >= SLOTS[card] - slot and ((counts | SPARE) - NEED[card, slot]) & SPARE == SPARE


def fits(pile, card, slot):
    """The bits of the pile that fit this slot."""
    shape = SLOT[card, slot]
    return pile if shape == ANY else pile & OF_SHAPE[shape]


def covered(s, seat, place):
    """Slots of the card at this place that are covered, from the top."""
    n = 0
    while n < SLOTS[s.short[seat, place]] and s.laid[seat, place, n] >= 0:
        n += 1
    return n


def builds(s, seat):
    """Cards that a bit can be laid on and that can stay or be completed; a flower; or enough."""
    own = s.own[seat]
    if own == 0:
        return DONE, 1, 0
    bits = size(own)
    cards = went_on(s, seat, own) | from_hand(s, seat, own, bits)
    if bits >= SHORTEST:
        cards |= commons(s, seat, bits)
    grows = s.circle[seat] == 0 and s.flowers > 0 and bits >= FLOWER_PRICE
    return DONE, 1 | grows << (GROW - DONE) | cards << (REMEMBER - DONE), 0


def went_on(s, seat, own):
    """Cards of short-term memory whose next slot can be covered."""
    cards = 0
    for place in range(PLACES):
        card = s.short[seat, place]
        if card >= 0 and fits(own, card, covered(s, seat, place)):
            cards |= 1 << card
    return cards


def from_hand(s, seat, own, bits):
    """Cards of the hand that can be completed, or begun where there is a place."""
    cards = 0
    counts = shapes(s, seat)
    free = begun(s, seat) < short_limit(s, seat)
    hand = s.hand[seat] & ~tableau(s, seat)
    while hand:
        one = hand & -hand
        card = size(one - 1)
        if (free and fits(own, card, 0)) or covers(counts, bits, card, 0):
            cards |= one
        hand ^= one
    return cards


def commons(s, seat, bits):
    """Common cards, at once or not at all."""
    cards = 0
    counts = shapes(s, seat)
    lie = (s.common & ((1 << COMMON_COUNT) - 1)) << ORDINARIES & ~s.long[seat]
    for card in range(ORDINARIES, CARD_KINDS):
        if (lie >> card) & 1 and covers(counts, bits, card, 0):
            cards |= 1 << card
    return cards


def take_up(s, seat, card):
    """The card comes to the bench: from short-term memory, the hand or the table."""
    s.stage = LAYING
    s.latest = card
    s.fresh = 0
    s.from_hand = 0
    for place in range(PLACES):
        if s.short[seat, place] == card:
            s.bench = place
            return
    s.from_hand = 1
    place = 0
    while s.short[seat, place] >= 0:
        place += 1
    s.bench = place
    s.short[seat, place] = card
    if card < ORDINARIES:
        s.hand[seat] &= ~(1 << card)
        s.hand_count[seat] -= 1
    else:
        s.common = taken(s.common, card - ORDINARIES, COMMON_COUNT)


def can_stay(s, seat):
    """The card on the bench may be kept in short-term memory: an ordinary one, with a place for it."""
    if not s.from_hand:
        return True
    return s.short[seat, s.bench] < ORDINARIES and begun(s, seat) <= short_limit(s, seat)


def lays(s, seat):
    """Bits of the shape of the next slot; if the card cannot stay, only such as leave enough to complete it."""
    card = s.short[seat, s.bench]
    slot = covered(s, seat, s.bench)
    stays = can_stay(s, seat)
    bits = fits(kinds_of(s.own[seat]), card, slot)
    if not stays:
        bits = enough_left(s, seat, card, slot, bits)
    return KEEP, bits << (LAY - KEEP) | (stays and s.fresh > 0), 0


def enough_left(s, seat, card, slot, bits):
    """Those of the bits without which the others still cover the card from the next slot down."""
    counts = shapes(s, seat)
    left = size(s.own[seat]) - 1
    for shape in range(SHAPE_COUNT):
        if bits & OF_SHAPE[shape] and not covers(counts - (1 << (EIGHT * shape)), left, card, slot + 1):
            bits &= ~OF_SHAPE[shape]
    return bits


def lay(s, seat, bit):
    """Cover the next slot; the last one completes the card."""
    place = s.bench
    slot = covered(s, seat, place)
    s.own[seat] = taken(s.own[seat], bit, BIT_KINDS)
    s.laid[seat, place, slot] = bit
    s.fresh += 1
    if slot + 1 == SLOTS[s.short[seat, place]]:
        complete(s, seat, place)


def pays(card, bit):
    """A bit of the card's colour is worth a point; a white one always is."""
    colour = bit // SHAPE_COUNT
    return colour == CARD_COLOUR[card] or colour == WHITE


def complete(s, seat, place):
    """Points for the colours, the card into long-term memory, its bits aside."""
    card = s.short[seat, place]
    for slot in range(SLOTS[card]):
        bit = s.laid[seat, place, slot]
        s.tokens[seat] += pays(card, bit)
        s.aside = added(s.aside, bit)
        s.laid[seat, place, slot] = -1
    s.short[seat, place] = -1
    enter_memory(s, seat, card)
    keep(s)


def keep(s):
    """Back to the choice of cards; what stays, stays in short-term memory."""
    s.bench = -1
    s.fresh = 0
    s.from_hand = 0
    s.stage = BUILD


def grow(s):
    """A flower for three bits."""
    s.stage = GROWING
    s.latest = -1
    s.paid = 0


def payments(s, seat):
    """Any bits, whatever their shape and colour."""
    return LAY, kinds_of(s.own[seat]), 0


def pay(s, seat, bit):
    """One bit towards the flower; the third sets it on the girl's circle."""
    s.own[seat] = taken(s.own[seat], bit, BIT_KINDS)
    s.aside = added(s.aside, bit)
    s.paid += 1
    if s.paid == FLOWER_PRICE:
        s.paid = 0
        s.flowers -= 1
        s.circle[seat] = 1
        s.stage = BUILD


def end_building(s, seat):
    """Bits left over can be saved, one in each chest."""
    s.stage = SAVING
    s.room = icons(s, seat, CHEST)
    if s.room == 0 or s.own[seat] == 0:
        end_saving(s, seat)


def savings(s, seat):
    """Any bit into a free chest; or no more."""
    return SAVE, kinds_of(s.own[seat]) | 1 << (DONE - SAVE), 0


def save(s, seat, bit):
    """Put a bit into a chest."""
    s.own[seat] = taken(s.own[seat], bit, BIT_KINDS)
    s.saved = added(s.saved, bit)
    s.room -= 1
    if s.room == 0 or s.own[seat] == 0:
        end_saving(s, seat)


def end_saving(s, seat):
    """What is not saved goes aside. Then the girl may walk, if she has not."""
    s.aside = together(s.aside, s.own[seat])
    s.own[seat] = s.saved
    s.saved = 0
    s.room = 0
    s.stage = MEDITATE
    if not s.strolled:
        s.stage = WALK
        wander(s)
