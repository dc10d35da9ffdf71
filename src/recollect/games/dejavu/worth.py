"""What a position of Déjà Vu is worth to a seat, in the language of the rules.

Points as they stand, and what is on its way: cards begun, bits in hand and what they can build, flowers and the fragments they bring,
goals of common cards that are still to be had, powers for the turns that are left. In the middle of a turn it looks ahead: a sowing is
worth its best end, and a handful of bits the cards that it can cover.
"""

import numpy as np

from recollect.engine import size

from .components import (
    ANY,
    AWAKENING,
    CARD_COLOUR,
    CARD_POINTS,
    COMMON_COUNT,
    EACH,
    EACH_GOALS,
    FLOWER_PRICE,
    GOALS_OF_COLOUR,
    LINK,
    NEED,
    NEXT,
    OF_COLOUR,
    PLACES,
    POWER,
    RUN,
    RUN_GOALS,
    RUNS,
    SAME_COLOUR,
    SET,
    SET_GOALS,
    SLOT,
    SLOTS,
    VALUES,
    WHITE,
    WHITE_CARDS,
    WHITE_GOALS,
)
from .rules.awakening import ALL_VALUES, colour_goals, fixed_points, fragment_goals, links
from .rules.construction import EIGHT, OF_SHAPE, covered, covers
from .rules.layout import (
    BIT_KINDS,
    CARD_KINDS,
    CHEST,
    FOOTPRINT,
    GROWING,
    MEDITATE,
    ORDINARIES,
    SAVING,
    SHAPE_COUNT,
    SOW,
    TILE_COUNT,
    WALK,
    WHITE_PICK,
    WHITES,
    begun,
    icons,
    short_limit,
    tableau,
)
from .rules.piles import added, kinds_of, taken, together
from .rules.sowing import ALL_WHITE, FIVE_SHAPES, may_start

# name, weight set by hand, what it is for
FEATURES = (
    ("step", 1.2),  # a card remembered, towards the awakening
    ("hand", 1.5),  # powers, for the whole game; less when it is nearly over
    ("footprint", 0.6),
    ("short_term", 2.0),
    ("white_pick", 2.5),
    ("chest", 2.5),
    ("flower", 1.5),
    ("slot", 0.75),  # a covered slot of a card begun, in parts of what the card will bring
    ("in_hand", 0.12),  # a card in the hand, in parts of what it will bring
    ("bit", 0.35),  # a bit in a chest
    ("towards", 0.22),  # the card that the bits in the chests help most, in parts of what it will bring
    ("planted", 0.7),  # a flower that can be planted, in parts of what the best fragment on the map would bring
    ("fragment", 1.0),  # a fragment, whoever wants it
    ("run", 0.4),  # what runs would pay, while their card is to be had
    ("set", 0.3),  # what sets would pay, while their card is to be had
    ("each", 0.3),  # what any fragment would pay, while such a card is to be had
    ("colour", 0.25),  # what a colour's goal would pay, while it is to be had
    ("white", 0.3),  # what the goal of white cards would pay, while it is to be had
    ("end", 10.0),  # waking the girl in front of the others, or behind them
    ("close", 0.35),  # a step towards the next fragment for who has a flower
    ("next", 0.4),  # the best sowing of the next turn, on the map that is left
    ("usual", 5.0),  # what that is, on the average
    ("focus", 0.4),  # two cards of one colour: links and goals to come
    ("choosy", 1.0),  # a card of the hand goes that promises less than so much of the mean
)
WEIGHTS = tuple(weight for _, weight in FEATURES)
(
    STEP, HAND_W, FOOT_W, SHORT_W, PICK_W, CHEST_W, FLOWER_W, SLOT_W, IN_HAND, BIT, TOWARDS, PLANTED, FRAGMENT,
    RUN_W, SET_W, EACH_W, COLOUR_W, WHITE_W, END, CLOSE, NEXT_TURN, USUAL, FOCUS, CHOOSY,
) = range(len(FEATURES))  # fmt: skip
BEFORE = np.zeros(CARD_KINDS, np.int64)
BEFORE[NEXT] = np.arange(CARD_KINDS)
ONE_COLOUR = FIVE_SHAPES | FIVE_SHAPES << BIT_KINDS  # every bit of the first colour in a pile
LONG_WAY = 6  # ways over more tiles are not all tried
TRIES = 400  # ends of ways looked at
ONE_MORE = 5  # points that a last turn brings
HOPES = np.array([0.2, 0.5, 0.85, 1.0])  # by the cards that are missing to whoever is nearest to waking the girl


def turn(s):
    """Meditation is no part of the turn that is searched: what is refilled and drawn is chance."""
    return s.stage >= MEDITATE


def worth(s, seat, w):
    """Points now, and what is on its way."""
    long = s.long[seat]
    v = float(total(s, seat)) + w[STEP] * size(long)
    left = turns_left(s, seat)
    hope = hopes(s, seat)
    if left > 0.0:
        v += left * powers(long, w) + goals_ahead(s, seat, left, w)
    else:
        v += w[END] * in_front(s, seat)
    bloom = hope * flower_worth(s, seat, left, w)
    v += bloom * min(s.circle[seat] + s.bloom[seat], 3)
    if s.turn == seat and s.rounds > 0 and s.stage < MEDITATE:
        return v + under_way(s, seat, hope, bloom, w) + hope * w[NEXT_TURN] * w[USUAL]
    return v + hope * (kept(s, seat, s.own[seat], w) + w[NEXT_TURN] * next_turn(s, seat, hope, bloom, w))


def under_way(s, seat, hope, bloom, w):
    """What the turn can still bring, from the morning to the last card; then what is kept."""
    if s.stage == SAVING or (s.stage == WALK and s.sown):
        return hope * kept(s, seat, s.saved if s.stage == SAVING else s.own[seat], w)
    if s.stage == SOW:
        return hope * waiting(s, seat, w) + best_end(s, seat, s.at, s.crossed, s.held, hope, bloom, w)
    if s.sown or s.stage == WHITES:
        return built(s, seat, s.own[seat], hope, bloom, w) + (bloom if s.stage == GROWING else 0.0)
    return best_start(s, seat, hope, bloom, w)


def next_turn(s, seat, hope, bloom, w):
    """What the next sowing brings, if the map stays as it is; just refilled, it is a map as usual."""
    if s.grid == 0 or w[NEXT_TURN] == 0.0 or s.turn != seat or hope == 0.0:
        return w[USUAL]
    return best_start(s, seat, hope, bloom, w) - built(s, seat, s.own[seat], hope, bloom, w)


def total(s, seat):
    """Points as they stand."""
    long = s.long[seat]
    return s.tokens[seat] + fixed_points(long) + colour_goals(long) + fragment_goals(long, s.found[seat]) + LINK * links(long)


def turns_left(s, seat):
    """From 1 at the start to 0 when the seat has no turn after this one."""
    most = 0
    for other in range(s.players):
        most = max(most, size(s.long[other]))
    if most >= AWAKENING and (s.awake >= 0 or size(s.long[seat]) >= AWAKENING):
        return 0.0
    return max(0.1, (AWAKENING - most) / AWAKENING)


def hopes(s, seat):
    """How likely what is left unfinished now can be finished: the fewer cards are missing to somebody, the less."""
    if turns_left(s, seat) == 0.0:
        return 0.0
    missing = AWAKENING
    for other in range(s.players):
        missing = min(missing, AWAKENING - size(s.long[other]))
    return HOPES[max(0, min(3, missing))]


def in_front(s, seat):
    """The girl was woken by this seat: 1 if it stays in front after a turn of the others, -1 if not. 0 if somebody else woke her."""
    if s.awake >= 0 and s.awake != seat:
        return 0
    for other in range(s.players):
        if other != seat and total(s, other) + ONE_MORE > total(s, seat):
            return -1
    return 1


def powers(long, w):
    """What the powers remembered are good for, over a whole game."""
    v = 0.0
    rest = long & ((1 << ORDINARIES) - 1)
    while rest:
        v += w[HAND_W + POWER[size((rest & -rest) - 1)]]
        rest &= rest - 1
    return v


# --- what a card would bring --------------------------------------------------------------------------------------------
def brings(s, seat, card, w):
    """Points that the card would add, its power, a step, and what its colour promises."""
    long = s.long[seat]
    colour = CARD_COLOUR[card]
    have = min(5, size(long & OF_COLOUR[colour]))
    then = min(5, have + 1)
    v = CARD_POINTS[card] + LINK * (((long >> NEXT[card]) & 1) + ((long >> BEFORE[card]) & 1)) + w[STEP]
    v += size(long & GOALS_OF_COLOUR[colour]) * (SAME_COLOUR[then] - SAME_COLOUR[have])
    if colour == WHITE:
        v += size(long & WHITE_GOALS) * (WHITE_CARDS[then] - WHITE_CARDS[have])
    if card < ORDINARIES:
        v += turns_left(s, seat) * (w[HAND_W + POWER[card]] + w[FOCUS] * have)
    elif (WHITE_GOALS >> card) & 1:
        v += WHITE_CARDS[then]
    elif (GOALS_OF_COLOUR[colour] >> card) & 1:
        v += SAME_COLOUR[then] + turns_left(s, seat) * w[FOCUS] * have
    else:
        v += fragment_goals(long | 1 << card, s.found[seat]) - fragment_goals(long, s.found[seat])
    return v


def candidates(s, seat):
    """Cards that can be built: begun, in the hand, or common ones."""
    lie = (s.common & ((1 << COMMON_COUNT) - 1)) << ORDINARIES
    return (tableau(s, seat) | s.hand[seat] | lie) & ~s.long[seat]


def place_of(s, seat, card):
    """Where it lies in short-term memory, -1 nowhere."""
    for place in range(PLACES):
        if s.short[seat, place] == card:
            return place
    return -1


def fitting(pile, card, slot):
    """The kinds of bits that are best for this slot: of the card's colour, or white, or any other."""
    bits = kinds_of(pile)
    if SLOT[card, slot] != ANY:
        bits &= OF_SHAPE[SLOT[card, slot]]
    of_colour = bits & (FIVE_SHAPES << (CARD_COLOUR[card] * SHAPE_COUNT))
    if of_colour:
        return of_colour
    white = bits & ALL_WHITE
    return white if white else bits


def covering(pile, card, slot):
    """The bits of the pile that would cover the card from this slot down: slots covered, points paid, and the pile that is left."""
    n = 0
    paid = 0
    while slot + n < SLOTS[card]:
        fit = fitting(pile, card, slot + n)
        if fit == 0:
            break
        bit = size((fit & -fit) - 1)
        colour = bit // SHAPE_COUNT
        paid += colour == CARD_COLOUR[card] or colour == WHITE
        pile = taken(pile, bit, BIT_KINDS)
        n += 1
    return n, paid, pile


# --- bits to build with -------------------------------------------------------------------------------------------------
def built(s, seat, pile, hope, bloom, w):
    """What a handful of bits is good for: the best card, then the best for what is left; then a flower; the rest in chests."""
    return hope * waiting(s, seat, w) + laid_out(s, seat, pile, hope, bloom, w)


def laid_out(s, seat, pile, hope, bloom, w):
    """What the bits bring to cards, beyond what waits already; then what is left, as a flower and in chests."""
    v = 0.0
    cards = candidates(s, seat)
    free = short_limit(s, seat) - begun(s, seat)
    while pile:
        best = 0.0
        best_card = -1
        best_left = pile
        best_whole = True
        shapes = shapes_of(pile)
        rest = cards
        while rest:
            card = size((rest & -rest) - 1)
            rest &= rest - 1
            place = place_of(s, seat, card)
            done = covered(s, seat, place) if place >= 0 else 0
            if card >= ORDINARIES and not covers(shapes, size(pile), card, done):
                continue  # a common card is built at once or not at all
            n, paid, left = covering(pile, card, done)
            whole = n > 0 and done + n == SLOTS[card]
            if n == 0 or not (whole or (card < ORDINARIES and (place >= 0 or free > 0))):
                continue
            bring = brings(s, seat, card, w)
            gain = bring + paid
            if not whole:
                gain *= hope * w[SLOT_W] * n / SLOTS[card]
            elif place >= 0:
                gain -= hope * bring * w[SLOT_W] * done / SLOTS[card]  # which was counted as waiting
            if gain > best:
                best, best_card, best_left, best_whole = gain, card, left, whole
        if best_card < 0:
            break
        v += best
        pile = best_left
        cards &= ~(1 << best_card)
        free -= not best_whole and place_of(s, seat, best_card) < 0
    return v + left_over(s, seat, size(pile), hope, bloom, w)


def left_over(s, seat, bits, hope, bloom, w):
    """What bits that no card takes are worth: as a flower, and in chests."""
    chests = icons(s, seat, CHEST)
    saved = hope * w[BIT] * min(bits, chests)
    if s.circle[seat] == 0 and s.flowers > 0 and bits >= FLOWER_PRICE:
        saved = max(saved, bloom + hope * w[BIT] * min(bits - FLOWER_PRICE, chests))
    return saved


def shapes_of(pile):
    """How many bits of each shape there are, eight binary digits each."""
    counts = 0
    for shape in range(SHAPE_COUNT):
        counts |= size(pile & OF_SHAPE[shape]) << (EIGHT * shape)
    return counts


def waiting(s, seat, w):
    """Cards begun, by the slots that are covered; and those in the hand."""
    v = 0.0
    for place in range(PLACES):
        card = s.short[seat, place]
        if card >= 0:
            done = covered(s, seat, place)
            paid = 0
            for slot in range(done):
                colour = s.laid[seat, place, slot] // SHAPE_COUNT
                paid += colour == CARD_COLOUR[card] or colour == WHITE
            v += (brings(s, seat, card, w) + paid) * w[SLOT_W] * done / SLOTS[card]
    rest = s.hand[seat]
    while rest:
        card = size((rest & -rest) - 1)
        rest &= rest - 1
        v += brings(s, seat, card, w) * w[IN_HAND] * 4.0 / SLOTS[card]
    return v


def kept(s, seat, pile, w):
    """Bits in chests: each is something, and helps a card on."""
    v = waiting(s, seat, w) + w[BIT] * size(pile)
    best = 0.0
    rest = candidates(s, seat)
    bits = size(pile)
    while rest and bits:
        card = size((rest & -rest) - 1)
        rest &= rest - 1
        place = place_of(s, seat, card)
        done = covered(s, seat, place) if place >= 0 else 0
        n = wanted(pile, card, done)
        if n:
            best = max(best, brings(s, seat, card, w) * n / SLOTS[card])
    return v + w[TOWARDS] * best


def wanted(pile, card, slot):
    """How many of the bits the card wants, in whatever order, from this slot down."""
    n = 0
    for shape in range(SHAPE_COUNT):
        n += min(size(pile & OF_SHAPE[shape]), (NEED[card, slot] >> (EIGHT * shape)) & 255)
    return n


# --- sowing -------------------------------------------------------------------------------------------------------------
def best_start(s, seat, hope, bloom, w):
    """The best end of a sowing from any tile."""
    best = laid_out(s, seat, s.own[seat], hope, bloom, w)
    for tile in range(TILE_COUNT):
        if may_start(s, tile):
            best = max(best, best_end(s, seat, tile, 1 << tile, s.bits[tile], hope, bloom, w))
    return hope * waiting(s, seat, w) + best


def best_end(s, seat, at, crossed, held, hope, bloom, w):
    """The best that the way can bring to cards, whatever bit is last."""
    ends = ends_of(s, at, crossed, size(held))
    picks = icons(s, seat, WHITE_PICK)
    upcoming = s.upcoming if s.stage == SOW and s.chosen else -1
    best = -1e9
    rest = kinds_of(held & ~ALL_WHITE)
    if upcoming >= 0 and size(held) > 1 and not (held >> (upcoming + BIT_KINDS)) & 1:
        rest &= ~(1 << upcoming)  # it is dropped now, so it is not the last
    while rest:
        last = size((rest & -rest) - 1)
        rest &= rest - 1
        bare = False  # an end where nothing else is gathered has been seen
        left = ends
        while left:
            tile = size((left & -left) - 1)
            left &= left - 1
            alike = s.bits[tile] & (ONE_COLOUR << (last // SHAPE_COUNT * SHAPE_COUNT))
            whites = s.bits[tile] & ALL_WHITE if picks else 0
            if alike | whites or not bare:
                bare = bare or alike | whites == 0
                pile = with_whites(added(together(s.own[seat], alike), last), whites, picks)
                best = max(best, laid_out(s, seat, pile, hope, bloom, w))
    return best


def with_whites(pile, whites, picks):
    """So many white bits more."""
    while whites and picks > 0:
        bit = size((kinds_of(whites) & -kinds_of(whites)) - 1)
        pile = added(pile, bit)
        whites = taken(whites, bit, BIT_KINDS)
        picks -= 1
    return pile


def ends_of(s, at, crossed, left):
    """The tiles on which a way over `left` more tiles can end; of very long ways, where one tried did."""
    ends = 0
    way = 0
    depth = 0
    tried = 0
    tries = 0
    while tries < TRIES:
        ahead = s.near[at] & ~crossed & -(1 << tried)
        if depth + 1 == left and ahead:
            ends |= ahead
            tries += 1
            ahead = 0
        if ahead:
            depth += 1
            way = (way << 4) | at
            at = size((ahead & -ahead) - 1)
            crossed |= 1 << at
            tried = 0
        else:
            if depth == 0:
                break
            depth -= 1
            crossed ^= 1 << at
            tried = at + 1
            at = way & 15
            way >>= 4
    return ends


# --- flowers, fragments, goals ------------------------------------------------------------------------------------------
def flower_worth(s, seat, left, w):
    """What one flower promises: the fragment that would bring most, less for every step that the girl lacks to it."""
    if left == 0.0:
        return 0.0
    found = s.found[seat]
    now = fragment_goals(s.long[seat], found) + promised(s, seat, found, left, w)
    best = 0.0
    reached = 0
    edge = 1 << s.girl
    steps = -icons(s, seat, FOOTPRINT)
    while edge:
        reached |= edge
        more = 0
        while edge:
            tile = size((edge & -edge) - 1)
            edge &= edge - 1
            more |= s.near[tile]
            if s.fragment[tile] >= 0:
                then = found | 1 << s.fragment[tile]
                gain = fragment_goals(s.long[seat], then) + promised(s, seat, then, left, w) - now
                best = max(best, w[PLANTED] * gain - w[CLOSE] * max(0, steps))
        edge = more & ~reached
        steps += 1
    return best


def promised(s, seat, found, left, w):
    """What fragments promise: each is something, and more for goals that are still to be had."""
    to_have = (s.common & ((1 << COMMON_COUNT) - 1)) << ORDINARIES & ~s.long[seat]
    v = w[FRAGMENT] * size(found)
    for kind in range(3):
        if to_have & RUN_GOALS[kind]:
            v += left * w[RUN_W] * RUN * RUNS[(found >> (kind * VALUES)) & ALL_VALUES, 0]
    if to_have & SET_GOALS:
        v += left * w[SET_W] * SET * size(found & (found >> VALUES) & (found >> (2 * VALUES)) & ALL_VALUES)
    if to_have & EACH_GOALS:
        v += left * w[EACH_W] * EACH * size(found)
    return v


def goals_ahead(s, seat, left, w):
    """Fragments, and cards of a colour, for goals that are still to be had."""
    long = s.long[seat]
    to_have = (s.common & ((1 << COMMON_COUNT) - 1)) << ORDINARIES & ~long
    v = promised(s, seat, s.found[seat], left, w)
    if to_have & WHITE_GOALS:
        v += left * w[WHITE_W] * WHITE_CARDS[min(5, size(long & OF_COLOUR[WHITE]))]
    for colour in range(WHITE):
        have = size(long & OF_COLOUR[colour])
        v += left * w[FOCUS] * have * (have - 1) / 2
        if to_have & GOALS_OF_COLOUR[colour]:
            v += left * w[COLOUR_W] * SAME_COLOUR[min(5, 1 + have)]
    return v
