"""The rules of Memoarrr!, base game and expert mode."""

import numpy as np

from recollect.engine import CHANCE, size
from recollect.engine.unseen import count_unseen, deal, hide_all, redeal, show, show_all, uncover

from ..components import BIRDS, RUBIES
from .counting import points, ties
from .layout import (
    ACTIONS,
    ASKS,
    BURIED,
    CENTRE,
    CHOOSE_SIDE,
    CRAB,
    DEAL,
    DEALS,
    FIRST,
    FIRST_PLAYER,
    GUARD,
    GUARD_WHICH,
    ISLAND,
    LINKS,
    LOOK,
    LOOK_DEAL,
    MIDDLE,
    MIDDLES,
    OCTOPUS,
    OPTIONS,
    OVER,
    PACED,
    PEEK,
    PEEK_DEAL,
    PEEK_WHICH,
    PEEKING,
    PENGUIN,
    POINTS,
    PUT_BACK,
    REVEAL,
    ROUND_WON,
    ROUNDS,
    SEATS,
    SIDE,
    STATE,
    SWAP,
    SWAP_WHICH,
    TAKE_TREASURE,
    TAKE_VOLCANO,
    TIES,
    TREASURE,
    TREASURE_DEAL,
    TURN,
    TURN_DEAL,
    VOLCANO,
    VOLCANO_DEAL,
    WALRUS,
)

__all__ = ["ACTIONS", "OPTIONS", "PACED", "POINTS", "SEATS", "STATE", "TIES", "points", "redeal", "ties"]

VERSION = 1
BESIDE = np.array([-5, 1, 5, -1])  # one step north, east, south, west


# -- set-up


def setup(s, o):
    """25 places of smoke, the centre taken out; volcanoes lie on seven treasures."""
    s.players, s.expert, s.sorted_pile = o[0], o[1], o[2]
    for p in range(25):
        s.card[p] = -1
    for seat in range(SEATS):
        s.side[seat] = -1
        s.volcano[seat] = -1
    for k in range(ROUNDS):
        s.owner[k] = -1
        s.rubies[k] = RUBIES[k] if s.sorted_pile else 0
    s.closed = 0 if s.sorted_pile else (1 << ROUNDS) - 1
    s.unseen = (1 << 25) - 1
    s.last = s.pending = s.guarded = s.top = -1
    s.pile = s.players - 1
    s.stage = CHOOSE_SIDE if o[3] else FIRST_PLAYER


def name_first_player(s, seat):
    """The first player opens the first round."""
    s.turn = s.starter = seat
    s.stage = CHOOSE_SIDE


def choose_side(s, seat, side):
    """Each player chooses a side and is shown its three middle cards."""
    s.side[seat] = side
    s.stage = LOOK_DEAL
    next_look(s)


def next_look(s):
    """The next of the three that nobody has looked at yet is dealt; then all three lie in sight."""
    side = s.side[s.turn]
    for i in range(3):
        if s.card[MIDDLE[side, i]] < 0:
            s.pending = MIDDLE[side, i]
            return
    for i in range(3):
        show(s, s.turn, MIDDLE[side, i])
    s.pending = -1
    s.stage = LOOK


def end_look(s):
    """The cards go back as they lay; then the next player chooses, and after all the first round begins."""
    hide_from(s, s.turn)
    s.turn = next_seat(s, s.turn)
    if s.side[s.turn] < 0:
        s.stage = CHOOSE_SIDE
    else:
        s.stage = VOLCANO_DEAL


# -- what is seen


def hide_from(s, seat):
    """What the seat looked at in secret is smoke again."""
    s.sight[seat] = s.up


def face_down(s):
    """The places of the cards in smoke."""
    return ISLAND & ~s.up


def turnable(s):
    """What may be turned: any card face down but the one that a walrus guards."""
    return face_down(s) if s.guarded < 0 else face_down(s) & ~(1 << s.guarded)


# -- a turn


def next_seat(s, seat):
    """Clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


def begin_turn(s):
    """The player turns a card; with nothing left to turn, takes a volcano."""
    s.stage = TURN if turnable(s) else BURIED


def reveal(s, p):
    """Turn the card at p; if nobody has looked at it, chance deals it first."""
    s.pending = p
    if s.card[p] < 0:
        s.stage = TURN_DEAL
    else:
        turned(s)


def turned(s):
    """The turned card lies open for all and is compared with the one turned before it."""
    p = s.pending
    s.pending = -1
    s.up |= 1 << p
    show_all(s, p)
    opening = s.last < 0
    success = opening or linked(s.card[p], s.card[s.last])
    s.last = p
    if not success:
        take_volcano(s)
    elif opening or not s.expert:
        pass_turn(s)
    else:
        use_power(s, s.card[p] // 5)


def linked(a, b):
    """Two cards are linked by the same animal or the same landscape."""
    return (LINKS[a] >> b) & 1


def take_volcano(s):
    """Who fails takes the top volcano and is out of the round; when the last is taken the round is over."""
    s.volcano[s.turn] = s.top
    s.top = -1
    s.pile -= 1
    to_next_active(s)
    s.stage = VOLCANO_DEAL if s.pile > 0 else ROUND_WON


def pass_turn(s):
    """The next player without a volcano plays; a walrus guards for one turn only."""
    s.guarded = -1
    to_next_active(s)
    begin_turn(s)


def to_next_active(s):
    """Players with a volcano are skipped."""
    seat = next_seat(s, s.turn)
    while s.volcano[seat] >= 0:
        seat = next_seat(s, seat)
    s.turn = seat


def lay_volcano(s, v):
    """The next volcano lies open on the pile."""
    s.top = v
    s.in_game |= 1 << v
    s.guarded = -1
    begin_turn(s)


# -- expert mode: the animal of a card that was linked acts


def use_power(s, animal):
    """Mandatory when possible; a power without a target is skipped."""
    if animal == CRAB:
        begin_turn(s)  # plays again at once, and links to the crab
    elif animal == PENGUIN and face_down(s):
        s.stage = PEEK_WHICH
    elif animal == OCTOPUS:
        s.stage = SWAP_WHICH
    elif animal == WALRUS and size(face_down(s)) > 1:
        s.stage = GUARD_WHICH
    else:
        pass_turn(s)  # turtle: nothing happens


def peek(s, p):
    """Penguin: look secretly at a card that is not turned."""
    s.pending = p
    if s.card[p] < 0:
        s.stage = PEEK_DEAL
    else:
        peeked(s)


def peeked(s):
    """The card lies in this player's sight alone."""
    show(s, s.turn, s.pending)
    s.pending = -1
    s.stage = PEEKING


def end_peek(s):
    """The card goes back to its place."""
    hide_from(s, s.turn)
    pass_turn(s)


def swap(s, direction):
    """Octopus: the turned card changes places with a neighbour; what is known of a card goes with it."""
    p, q = s.last, s.last + BESIDE[direction]
    s.card[p], s.card[q] = s.card[q], s.card[p]
    s.up = exchanged(s.up, p, q)
    for seat in range(SEATS):
        s.known[seat] = exchanged(s.known[seat], p, q)
        s.sight[seat] = exchanged(s.sight[seat], p, q)
    s.last = q
    pass_turn(s)


def exchanged(places, p, q):
    """The set when what lay at p lies at q, and what lay at q at p."""
    differ = ((places >> p) ^ (places >> q)) & 1
    return places ^ (differ << p | differ << q)


def guard(s, p):
    """Walrus: the next player may not turn the card at p."""
    to_next_active(s)
    s.guarded = p
    begin_turn(s)


def has_neighbour(p, direction):
    """There is a location card one step that way: not beyond the shore, not the centre."""
    if (direction == 0 and p < 5) or (direction == 2 and p > 19):
        return False
    if (direction == 1 and p % 5 == 4) or (direction == 3 and p % 5 == 0):
        return False
    return p + BESIDE[direction] != CENTRE


# -- the end of a round, and of the game


def take_treasure(s):
    """The last without a volcano takes the top treasure unseen; all cards are turned down; most birds starts."""
    s.owner[s.rounds] = s.turn
    s.rounds += 1
    s.up = 0
    hide_all(s)
    s.last = s.guarded = -1
    if s.rounds == ROUNDS:
        end(s)
    else:
        new_round(s)


def new_round(s):
    """Who holds the volcano with the most birds starts; the volcanoes go back on the pile."""
    most = 0
    for seat in range(s.players):
        v = s.volcano[seat]
        if v >= 0 and BIRDS[v] > most:
            most = BIRDS[v]
            s.starter = seat
        s.volcano[seat] = -1
    s.turn = s.starter
    s.pile = s.players - 1
    s.stage = VOLCANO_DEAL


def end(s):
    """After the seventh round the treasures are opened and the smoke clears."""
    uncover(s)
    s.up = s.known[0]
    s.stage = OVER if s.sorted_pile else TREASURE_DEAL


def open_treasure(s, treasure):
    """What the treasures hold is seen only now, one after the other."""
    s.rubies[ROUNDS - size(s.closed)] = RUBIES[treasure]
    s.closed &= ~(1 << treasure)
    if s.closed == 0:
        s.stage = OVER


def derive(s):
    """What follows from the cards on the island: those at which nobody has looked are the others."""
    count_unseen(s, (1 << 25) - 1)


# -- what the engine asks


def acting(s):
    """Chance deals, or one player is asked."""
    if s.stage == OVER:
        return 0
    return 1 << (CHANCE if (DEALS >> s.stage) & 1 else s.turn)


def choices(s, seat):
    """The one statement of what may be done, or drawn: a set of the actions that the stage asks for."""
    return ASKS[s.stage], offered(s), 0


def offered(s):
    """Which of them."""
    if s.stage == TURN:
        return first_cards(s) if s.rounds == 0 and s.last < 0 else turnable(s)
    if s.stage == LOOK_DEAL or s.stage == TURN_DEAL or s.stage == PEEK_DEAL:
        return s.unseen
    if s.stage == VOLCANO_DEAL:
        return volcanoes(s)
    if s.stage == CHOOSE_SIDE:
        return free_sides(s)
    if s.stage == PEEK_WHICH or s.stage == GUARD_WHICH:
        return face_down(s)
    if s.stage == SWAP_WHICH:
        return neighbours(s.last)
    if s.stage == FIRST_PLAYER:
        return (1 << s.players) - 1
    if s.stage == TREASURE_DEAL:
        return s.closed
    return 1  # put back, take a volcano, take the treasure


def first_cards(s):
    """The very first card of the game may not be one that was looked at."""
    cards = turnable(s)
    for seat in range(SEATS):  # a number the compiler knows; who does not play has no side, and below no volcano
        if s.side[seat] >= 0:
            cards &= ~MIDDLES[s.side[seat]]
    return cards


def free_sides(s):
    """The sides that nobody has chosen."""
    free = 15
    for seat in range(SEATS):
        if s.side[seat] >= 0:
            free &= ~(1 << s.side[seat])
    return free


def volcanoes(s):
    """A volcano that is in the game and not taken; until all in the game are met, one not met yet."""
    pile = s.in_game if size(s.in_game) == s.players - 1 else 7 & ~s.in_game
    for seat in range(SEATS):
        if s.volcano[seat] >= 0:
            pile &= ~(1 << s.volcano[seat])
    return pile


def neighbours(p):
    """Directions in which a location card lies."""
    some = 0
    for direction in range(4):
        if has_neighbour(p, direction):
            some |= 1 << direction
    return some


def apply(s, seat, action):
    """Carry out a legal action and pass the question on."""
    if seat == CHANCE:
        apply_chance(s, action)
    elif action < SIDE + 4:
        choose_side(s, seat, action - SIDE)
    elif action == PUT_BACK:
        if s.stage == LOOK:
            end_look(s)
        else:
            end_peek(s)
    elif action < TAKE_VOLCANO:
        reveal(s, action - REVEAL)
    elif action == TAKE_VOLCANO:
        take_volcano(s)
    elif action < SWAP:
        peek(s, action - PEEK)
    elif action < GUARD:
        swap(s, action - SWAP)
    elif action < TAKE_TREASURE:
        guard(s, action - GUARD)
    else:
        take_treasure(s)


def apply_chance(s, action):
    """What chance dealt."""
    if action < DEAL:
        name_first_player(s, action - FIRST)
    elif action < VOLCANO:
        deal(s, s.pending, action - DEAL)
        if s.stage == TURN_DEAL:
            turned(s)
        elif s.stage == PEEK_DEAL:
            peeked(s)
        else:
            next_look(s)
    elif action < TREASURE:
        lay_volcano(s, action - VOLCANO)
    else:
        open_treasure(s, action - TREASURE)
