"""Déjà Vu: Fragments of Memory. The turn and its questions; each phase has a file of its own."""

from recollect.engine import CHANCE
from recollect.engine.stream import below

from ..components import (
    AWAKENING,
    CARD_COPIES,
    CARD_POINTS,
    COMMON_COUNT,
    FAST_REMEMBERED,
    FAST_TOKENS,
    FLOWER_TOKENS,
    HAND,
    MOST_SLOTS,
    PLACES,
)
from .awakening import POINTS, TIES, points
from .construction import (
    end_building,
    end_saving,
    grow,
    keep,
    lay,
    may_build,
    may_lay,
    may_pay,
    may_save,
    pay,
    save,
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
    in_tableau,
    remembered,
)
from .mapping import may_place, place, put_tile
from .meditation import (
    discard,
    discard_twins,
    draw_bit,
    draw_card,
    hand_full,
    lay_fragment,
    may_discard,
    may_refill,
    meditate,
    odds_of_bits,
    odds_of_cards,
    odds_of_fragments,
    refill,
    strew,
)
from .planting import end_walk, may_walk, plant, walk, wander
from .sowing import drop, end_sowing, hold, may_drop, may_pick, may_sow, pick, sow

VERSION = 1
VARIANTS = (  # what tests try
    {"players": 2},
    {"players": 2, "map": "built"},
    {"players": 3, "speed": True},
    {"players": 4, "first": "first_seat"},
    {"players": 4, "map": "built", "speed": True, "rounds": 60},
)
ACTION_COUNT = ACTIONS.count
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
    for card in range(COMMON_COUNT):
        s.common[card] = 1 if s.players == 2 else CARD_COPIES  # gold; gold and silver
    for card in range(ORDINARIES):
        s.deck[card] = CARD_COPIES
        s.deck_count += CARD_COPIES
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


def may_choose(s, seat, mask):
    """Speed game: two cards into long-term memory first. Then three are kept."""
    first = REMEMBER if s.speed and remembered(s, seat) < FAST_REMEMBERED else DISCARD
    for card in range(ORDINARIES):
        mask[first + card] = s.hand[seat, card]


def remember_first(s, seat, card):
    """Speed game: this card is remembered from the start; after the second, tokens make up for their points."""
    s.hand[seat, card] = 0
    s.hand_count[seat] -= 1
    enter_memory(s, seat, card)
    if remembered(s, seat) == FAST_REMEMBERED:
        s.tokens[seat] = FAST_TOKENS
        for other in range(ORDINARIES):
            s.tokens[seat] -= s.long[seat, other] * CARD_POINTS[other]


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
    """Ten cards remembered: each opponent has one more turn. After the last round the girl falls asleep (our own limit)."""
    if s.awake < 0 and remembered(s, s.turn) >= AWAKENING:
        s.awake = s.turn
    following = (s.turn + 1) % s.players
    if following == s.first:
        s.rounds += 1
    begin_turn(s, following)
    if following == s.awake or s.rounds > s.last_round:
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


def reach(s, seat):
    """The stretch of actions in which the answers to this question lie."""
    stage = s.stage
    if stage == FIRST_PLAYER:
        return FIRST, PLACE
    if stage == MAP:
        return PLACE, LAY_FRAGMENT
    if stage == LAY_FRAGMENTS:
        return LAY_FRAGMENT, WANDER
    if stage == MORNING or stage == WALK or stage == WHITES:
        return WANDER, GROW
    if stage == SAVING:
        return SAVE, GROW
    if stage == DISCARDING:
        return DISCARD, GROW
    if stage == CHOOSE:
        return DISCARD, KEEP
    if stage == BUILD:
        return DONE, KEEP
    if stage == LAYING or stage == GROWING:
        return KEEP, DROP
    if stage == SOW:
        return DROP, REFILL
    if stage == REFILLING:
        return REFILL, DRAW_BIT
    if stage == BIT_DRAWN:
        return DRAW_BIT, DRAW_CARD
    return DRAW_CARD, ACTION_COUNT


def legal(s, seat, mask):
    """What the seat may answer."""
    stage = s.stage
    if stage == MAP:
        may_place(s, mask)
    elif stage == CHOOSE:
        may_choose(s, seat, mask)
    elif stage == MORNING:
        may_sow(s, mask)
    elif stage == WALK:
        may_walk(s, seat, mask)
    elif stage == SOW:
        may_drop(s, mask)
    elif stage == WHITES:
        may_pick(s, mask)
    elif stage == BUILD:
        may_build(s, seat, mask)
    elif stage == LAYING:
        may_lay(s, seat, mask)
    elif stage == GROWING:
        may_pay(s, seat, mask)
    elif stage == SAVING:
        may_save(s, seat, mask)
    elif stage == REFILLING:
        may_refill(s, mask)
    else:
        may_discard(s, seat, mask)


def odds(s, weights):
    """What chance may draw: the first player, spots for the next tile, fragments, bits of the grid, cards of the deck."""
    if s.stage == FIRST_PLAYER:
        for seat in range(s.players):
            weights[FIRST + seat] = 1
    elif s.stage == MAP:
        may_place(s, weights)
    elif s.stage == LAY_FRAGMENTS:
        odds_of_fragments(s, weights)
    elif s.stage == BIT_DRAWN:
        odds_of_bits(s, weights)
    else:
        odds_of_cards(s, weights)


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
        if s.hand[other, card]:
            found = unseen_card(s, seat, below(r, unseen))
            swap(s, other, card, found // ORDINARIES, found % ORDINARIES)


def unseen_card(s, seat, n):
    """The n-th card that the seat cannot see: its place (a hand, or SEATS for the deck) and what it is, as one number."""
    for other in range(s.players):
        if other != seat:
            for card in range(ORDINARIES):
                n -= s.hand[other, card]
                if n < 0:
                    return other * ORDINARIES + card
    for card in range(ORDINARIES):
        n -= s.deck[card]
        if n < 0:
            return SEATS * ORDINARIES + card
    return SEATS * ORDINARIES


def may_hold_card(s, seat, card):
    """A hand has no second copy, nor one of its tableau."""
    return not s.hand[seat, card] and not in_tableau(s, seat, card)


def swap(s, a, mine, b, theirs):
    """Hand a and hand or deck b change two cards."""
    if mine == theirs or not may_hold_card(s, a, theirs):
        return
    if b == SEATS:
        s.deck[theirs] -= 1
        s.deck[mine] += 1
    elif not may_hold_card(s, b, mine):
        return
    else:
        s.hand[b, theirs] = 0
        s.hand[b, mine] = 1
    s.hand[a, mine] = 0
    s.hand[a, theirs] = 1
