"""Déjà Vu: Fragments of Memory. The turn and its questions; each phase has a file of its own."""

from recollect.engine import CHANCE, below, member, size

from ..components import (
    AWAKENING,
    COMMON_COUNT,
    FAST_REMEMBERED,
    FAST_TOKENS,
    FLOWER_TOKENS,
    HAND,
    MOST_SLOTS,
    PLACES,
)
from .awakening import POINTS, TIES, fixed_points, points
from .construction import (
    builds,
    end_building,
    end_saving,
    grow,
    keep,
    lay,
    lays,
    pay,
    payments,
    save,
    savings,
    take_up,
)
from .layout import (
    ACTIONS,
    BIT_DRAWN,
    BUILD,
    CARD_DRAWN,
    CHOOSE,
    DISCARD,
    DISCARDING,
    DONE,
    DRAW_BIT,
    DRAW_CARD,
    DROP,
    FIRST,
    FIRST_PLAYER,
    GROW,
    GROWING,
    HOLD,
    KEEP,
    LAY,
    LAY_FRAGMENT,
    LAY_FRAGMENTS,
    LAYING,
    MAP,
    MEDITATE,
    MORNING,
    OPTIONS,
    ORDINARIES,
    OVER,
    PICK,
    PLACE,
    PLANT,
    REFILL,
    REFILLING,
    REMEMBER,
    SAVE,
    SAVING,
    SEATS,
    SOW,
    SOW_FROM,
    STATE,
    TILE_COUNT,
    WALK,
    WALK_TO,
    WANDER,
    WHITES,
    enter_memory,
    remembered,
    tableau,
)
from .mapping import place, put_tile, spots
from .meditation import (
    discard,
    discard_twins,
    discards,
    draw_bit,
    draw_card,
    fragments,
    hand_full,
    lay_fragment,
    meditate,
    refill,
    refills,
    strew,
)
from .piles import added, copies, kinds_of, taken
from .planting import end_walk, plant, walk, walks, wander
from .sowing import drop, drops, end_sowing, hold, mornings, pick, sow, whites

VERSION = 1
VARIANTS = (  # what tests try
    {"players": 2},
    {"players": 2, "map": "built"},
    {"players": 3, "speed": True},
    {"players": 4, "first": "first_seat"},
    {"players": 4, "map": "built", "speed": True, "rounds": 60},
)
UNEVEN = ("draw_bit", "draw_card")  # there may be two of a kind
__all__ = ["ACTIONS", "OPTIONS", "POINTS", "SEATS", "STATE", "TIES", "VERSION", "points"]


def REFUSES(options):
    """The speed game is for three or four."""
    return (
        "The speed game is for 3 or 4 players. / La partie rapide est pour 3 ou 4 joueurs."
        if options["speed"] and options["players"] == 2
        else None
    )


# --- set-up -----------------------------------------------------------------------------------------------------------
def setup(s, o):
    """Everything lies ready; the first tile is on the table, with the girl on it."""
    s.players = o[0]
    s.hands_build = o[1]
    s.speed = o[2]
    s.last_round = o[3]
    s.stage = MAP if o[4] else FIRST_PLAYER
    s.awake = -1
    s.bench = -1
    s.flowers = FLOWER_TOKENS
    s.common = (1 << (COMMON_COUNT if s.players == 2 else 2 * COMMON_COUNT)) - 1  # gold; gold and silver
    s.deck = (1 << (2 * ORDINARIES)) - 1
    s.deck_count = 2 * ORDINARIES
    for tile in range(TILE_COUNT):
        s.fragment[tile] = -1
    clear_tables(s)
    put_tile(s, 0, 0)


def name_first_player(s, seat):
    """The first player is drawn by lot; the map is begun, or built for us."""
    s.first = s.turn = seat
    s.stage = MAP


def clear_tables(s):
    """No card in short-term memory, no bit on a card."""
    for seat in range(SEATS):
        for spot in range(PLACES):
            s.short[seat, spot] = -1
            for slot in range(MOST_SLOTS):
                s.laid[seat, spot, slot] = -1


def choosing(s, seat):
    """Cards are still to be remembered (speed game) or discarded before the first turn."""
    return s.hand_count[seat] > HAND


def first_cards(s, seat):
    """Speed game: two cards into long-term memory first. Then three are kept."""
    return REMEMBER if s.speed and remembered(s, seat) < FAST_REMEMBERED else DISCARD, s.hand[seat], 0


def remember_first(s, seat, card):
    """Speed game: this card is remembered from the start; after the second, tokens make up for their points."""
    s.hand[seat] &= ~(1 << card)
    s.hand_count[seat] -= 1
    enter_memory(s, seat, card)
    if remembered(s, seat) == FAST_REMEMBERED:
        s.tokens[seat] = FAST_TOKENS - fixed_points(s.long[seat])


def begin_when_chosen(s):
    """When everyone has chosen, the first player begins."""
    for seat in range(s.players):
        if choosing(s, seat):
            return
    s.rounds = 1
    begin_turn(s, s.first)


# --- turns ------------------------------------------------------------------------------------------------------------
def begin_turn(s, seat):
    """A new turn: nothing sown, nothing planted."""
    s.turn = seat
    s.strolled = 0
    s.sown = 0
    s.stage = MORNING


def draw_on(s):
    """Draw until the hand is full; then the next one is dealt to, or the turn is over."""
    s.stage = CARD_DRAWN
    if not hand_full(s, s.turn):
        return
    discard_twins(s)
    if s.rounds:
        end_turn(s)
    elif s.turn + 1 < s.players:
        s.turn += 1
    else:
        s.stage = CHOOSE


def end_turn(s):
    """Ten cards remembered: each opponent has one more turn. Else, after the last round, the girl falls asleep (our own limit)."""
    if s.awake < 0 and remembered(s, s.turn) >= AWAKENING:
        s.awake = s.turn
    following = (s.turn + 1) % s.players
    if following == s.first:
        s.rounds += 1
    begin_turn(s, following)
    if following == s.awake or (s.awake < 0 and s.rounds > s.last_round > 0):
        s.stage = OVER


def done(s, seat):
    """Nothing more of this."""
    if s.stage == MORNING:
        end_sowing(s)  # nothing can be sown
    elif s.stage == WALK:
        end_walk(s)
    elif s.stage == WHITES:
        end_sowing(s)
    elif s.stage == BUILD:
        end_building(s, seat)
    elif s.stage == SAVING:
        end_saving(s, seat)
    else:
        draw_on(s)


# --- what the engine asks ---------------------------------------------------------------------------------------------
def acting(s):
    """Who is asked."""
    if s.stage == OVER:
        return 0
    if s.stage in (FIRST_PLAYER, BIT_DRAWN, CARD_DRAWN, LAY_FRAGMENTS) or (s.stage == MAP and not s.hands_build):
        return 1 << CHANCE
    if s.stage != CHOOSE:
        return 1 << s.turn
    seats = 0
    for seat in range(s.players):
        if choosing(s, seat):
            seats |= 1 << seat
    return seats


def question(s, seat):
    """Which question it is, as a number below 62: on a GPU, games that stand before the same one are played on together."""
    return s.stage


def choices(s, seat):
    """What the seat may answer, or what chance may draw."""
    stage = s.stage
    if stage == SOW:
        return drops(s)
    if stage == DISCARDING:
        return discards(s, seat)
    if stage == BUILD:
        return builds(s, seat)
    if stage == WALK:
        return walks(s, seat)
    if stage == MORNING:
        return mornings(s)
    if stage == SAVING:
        return savings(s, seat)
    if stage == LAYING:
        return lays(s, seat)
    if stage == GROWING:
        return payments(s, seat)
    if stage == WHITES:
        return whites(s)
    if stage == REFILLING:
        return refills(s)
    if stage == CHOOSE:
        return first_cards(s, seat)
    return draws(s) if stage != MAP else map_spots(s)


def map_spots(s):
    """Where the next tile may lie."""
    some, more = spots(s)
    return PLACE, some, more


def draws(s):
    """What chance may draw: the first player, fragments, bits of the grid, cards of the deck."""
    if s.stage == BIT_DRAWN:
        return DRAW_BIT, kinds_of(s.grid), 0
    if s.stage == CARD_DRAWN:
        return DRAW_CARD, kinds_of(s.deck), 0
    if s.stage == LAY_FRAGMENTS:
        return fragments(s)
    return FIRST, (1 << s.players) - 1, 0


def odds(s, action):
    """Each bit of the grid, and each card of the deck, is as likely."""
    return copies(s.grid, action - DRAW_BIT) if action < DRAW_CARD else copies(s.deck, action - DRAW_CARD)


def apply(s, seat, action):
    """Carry out an answer; what needs no question follows at once."""
    if action < PLACE:
        name_first_player(s, action - FIRST)
    elif action < LAY_FRAGMENT:
        place(s, action - PLACE)
        if s.placed == TILE_COUNT:
            strew(s)
    elif action < WANDER:
        lay_fragment(s, action - LAY_FRAGMENT)
    elif action < SAVE:
        wake(s, seat, action)
    elif action < LAY:
        dream(s, seat, action)
    elif action < DROP:
        if s.stage == GROWING:
            pay(s, seat, action - LAY)
        else:
            lay(s, seat, action - LAY)
    elif action < HOLD:
        drop(s, seat, action - DROP)
    elif action < REFILL:
        hold(s, action - HOLD)
    elif action < DRAW_BIT:
        refill(s, action - REFILL)
    elif action < DRAW_CARD:
        draw_bit(s, action - DRAW_BIT)
    else:
        draw_card(s, s.turn, action - DRAW_CARD)
        draw_on(s)
    if s.stage == MEDITATE:
        meditate(s)


def wake(s, seat, action):
    """Planting, and the beginning and end of sowing."""
    if action < SOW_FROM:
        wander(s)
    elif action < WALK_TO:
        sow(s, action - SOW_FROM)
    elif action < PLANT:
        walk(s, seat, action - WALK_TO)
    elif action < PICK:
        plant(s, seat, action - PLANT)
    else:
        pick(s, seat, action - PICK)


def dream(s, seat, action):
    """Cards, chests and the end of a phase."""
    if action < DISCARD:
        save(s, seat, action - SAVE)
    elif action < DONE:
        discard(s, seat, action - DISCARD)
        if s.stage == CHOOSE:
            begin_when_chosen(s)
    elif action < GROW:
        done(s, seat)
    elif action < REMEMBER:
        grow(s)
    elif action < KEEP:
        if s.stage == CHOOSE:
            remember_first(s, seat, action - REMEMBER)
        else:
            take_up(s, seat, action - REMEMBER)
    else:
        keep(s)


def ties(s, out):
    """Equal points share the victory."""


# --- what a seat cannot know ------------------------------------------------------------------------------------------
def redeal(s, seat, r):
    """The hands of others and the deck change cards at random, three times over."""
    unseen = s.deck_count
    for other in range(s.players):
        if other != seat:
            unseen += s.hand_count[other]
    for _ in range(3):
        for other in range(s.players):
            if other != seat:
                redeal_hand(s, seat, other, unseen, r)


def redeal_hand(s, seat, other, unseen, r):
    """Each card of a hand changes places with any unseen card, if both may lie there."""
    for card in range(ORDINARIES):
        if (s.hand[other] >> card) & 1:
            found = unseen_card(s, seat, below(r, unseen))
            swap(s, other, card, found // ORDINARIES, found % ORDINARIES)


def unseen_card(s, seat, n):
    """The n-th card that the seat cannot see: its place (a hand, or SEATS for the deck) and what it is, as one number."""
    for other in range(s.players):
        if other != seat:
            if n < size(s.hand[other]):
                return other * ORDINARIES + member(s.hand[other], n)
            n -= size(s.hand[other])
    for card in range(ORDINARIES):
        n -= copies(s.deck, card)
        if n < 0:
            return SEATS * ORDINARIES + card
    return SEATS * ORDINARIES


def may_hold_card(s, seat, card):
    """A hand has no second copy, nor one of its tableau."""
    return not ((s.hand[seat] | tableau(s, seat)) >> card) & 1


def swap(s, a, mine, b, theirs):
    """Hand a and hand or deck b change two cards."""
    if mine == theirs or not may_hold_card(s, a, theirs):
        return
    if b == SEATS:
        s.deck = added(taken(s.deck, theirs, ORDINARIES), mine)
    elif not may_hold_card(s, b, mine):
        return
    else:
        s.hand[b] ^= 1 << theirs | 1 << mine
    s.hand[a] ^= 1 << theirs | 1 << mine
