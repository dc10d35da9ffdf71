"""Phase 3, Déjà Vu: build cards with bits, grow a flower, save bits in chests."""

from ..components import ANY, CARD_COLOUR, FLOWER_PRICE, NEED, PLACES, SLOT, SLOTS, WHITE
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
    in_tableau,
    short_limit,
)
from .planting import wander

EIGHT = 8  # binary digits for a count in `shapes`


def shapes(s, seat):
    """How many bits of each shape the seat has, eight binary digits each."""
    counts = 0
    for bit in range(BIT_KINDS):
        counts += s.own[seat, bit] << (EIGHT * (bit % SHAPE_COUNT))
    return counts


def total(counts):
    """All bits in such a number."""
    n = 0
    for shape in range(SHAPE_COUNT):
        n += (counts >> (EIGHT * shape)) & 255
    return n


def covers(counts, card, slot):
    """The bits can cover the card from this slot to the bottom."""
    for shape in range(SHAPE_COUNT):
        if (counts >> (EIGHT * shape)) & 255 < NEED[card, slot, shape]:
            return 0
    return total(counts) >= SLOTS[card] - slot


def fits_next(counts, card, slot):
    """Some bit fits this slot."""
    shape = SLOT[card, slot]
    return counts > 0 if shape == ANY else (counts >> (EIGHT * shape)) & 255 > 0


def covered(s, seat, place):
    """Slots of the card at this place that are covered, from the top."""
    n = 0
    while n < SLOTS[s.short[seat, place]] and s.laid[seat, place, n] >= 0:
        n += 1
    return n


def may_build(s, seat, mask):
    """Cards that a bit can be laid on and that can stay or be completed; a flower; or enough."""
    counts = shapes(s, seat)
    mask[DONE] = 1
    if counts == 0:
        return
    free = begun(s, seat) < short_limit(s, seat)
    for place in range(PLACES):
        card = s.short[seat, place]
        if card >= 0 and fits_next(counts, card, covered(s, seat, place)):
            mask[REMEMBER + card] = 1
    for card in range(ORDINARIES):
        if s.hand[seat, card] and not in_tableau(s, seat, card):
            if covers(counts, card, 0) or (free and fits_next(counts, card, 0)):
                mask[REMEMBER + card] = 1
    for card in range(ORDINARIES, CARD_KINDS):  # common cards at once or not at all
        if s.common[card - ORDINARIES] and covers(counts, card, 0) and not s.long[seat, card]:
            mask[REMEMBER + card] = 1
    mask[GROW] = s.circle[seat] == 0 and s.flowers > 0 and total(counts) >= FLOWER_PRICE


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
        s.hand[seat, card] = 0
        s.hand_count[seat] -= 1
    else:
        s.common[card - ORDINARIES] -= 1


def can_stay(s, seat):
    """The card on the bench may be kept in short-term memory: an ordinary one, with a place for it."""
    if not s.from_hand:
        return 1
    return s.short[seat, s.bench] < ORDINARIES and begun(s, seat) <= short_limit(s, seat)


def may_lay(s, seat, mask):
    """Bits of the shape of the next slot; if the card cannot stay, only such as leave enough to complete it."""
    card = s.short[seat, s.bench]
    slot = covered(s, seat, s.bench)
    counts = shapes(s, seat)
    stays = can_stay(s, seat)
    for bit in range(BIT_KINDS):
        shape = bit % SHAPE_COUNT
        if s.own[seat, bit] and (SLOT[card, slot] == ANY or SLOT[card, slot] == shape):
            mask[LAY + bit] = stays or covers(counts - (1 << (EIGHT * shape)), card, slot + 1)
    mask[KEEP] = stays and s.fresh > 0


def lay(s, seat, bit):
    """Cover the next slot; the last one completes the card."""
    place = s.bench
    slot = covered(s, seat, place)
    s.own[seat, bit] -= 1
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
        s.aside[bit] += 1
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


def may_pay(s, seat, mask):
    """Any bits, whatever their shape and colour."""
    for bit in range(BIT_KINDS):
        mask[LAY + bit] = s.own[seat, bit] > 0


def pay(s, seat, bit):
    """One bit towards the flower; the third sets it on the girl's circle."""
    s.own[seat, bit] -= 1
    s.aside[bit] += 1
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
    if s.room == 0 or shapes(s, seat) == 0:
        end_saving(s, seat)


def may_save(s, seat, mask):
    """Any bit into a free chest; or no more."""
    for bit in range(BIT_KINDS):
        mask[SAVE + bit] = s.own[seat, bit] > 0
    mask[DONE] = 1


def save(s, seat, bit):
    """Put a bit into a chest."""
    s.own[seat, bit] -= 1
    s.saved[bit] += 1
    s.room -= 1
    if s.room == 0 or shapes(s, seat) == 0:
        end_saving(s, seat)


def end_saving(s, seat):
    """What is not saved goes aside. Then the girl may walk, if she has not."""
    for bit in range(BIT_KINDS):
        s.aside[bit] += s.own[seat, bit]
        s.own[seat, bit] = s.saved[bit]
        s.saved[bit] = 0
    s.room = 0
    s.stage = MEDITATE
    if not s.strolled:
        s.stage = WALK
        wander(s)
