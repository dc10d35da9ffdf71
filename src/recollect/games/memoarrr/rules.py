"""The rules of Memoarrr!, base game and expert mode."""

import numpy as np

from recollect.engine import CHANCE

from .components import BIRDS, RUBIES, TREASURES
from .counting import points, ties
from .layout import (
    ACTIONS,
    BURIED,
    CENTRE,
    CHOOSE_SIDE,
    CRAB,
    DEAL,
    FIRST,
    FIRST_PLAYER,
    GUARD,
    GUARD_WHICH,
    LOOK,
    LOOK_DEAL,
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
    REACH,
    REVEAL,
    ROUND_WON,
    ROUNDS,
    RUBY,
    SEATS,
    SIDE,
    STATE,
    SWAP,
    SWAP_WHICH,
    TAKE_TREASURE,
    TAKE_VOLCANO,
    TIES,
    TREASURE_DEAL,
    TURN,
    TURN_DEAL,
    VOLCANO,
    VOLCANO_DEAL,
    WALRUS,
)
from .unseen import redeal

__all__ = ["ACTIONS", "OPTIONS", "PACED", "POINTS", "SEATS", "STATE", "TIES", "points", "redeal", "ties"]

VERSION = 1
MIDDLE = np.array([[1, 2, 3], [9, 14, 19], [21, 22, 23], [5, 10, 15]])  # the middle three of each side
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
    s.hidden = 24
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


def show(s, seat, p):
    """The card at p lies in the seat's sight."""
    s.known[seat, p] = 1
    s.sight[seat, p] = 1


def hide_from(s, seat):
    """What the seat looked at in secret is smoke again."""
    for p in range(25):
        s.sight[seat, p] = s.up[p]


# -- a turn


def next_seat(s, seat):
    """Clockwise."""
    return seat + 1 if seat + 1 < s.players else 0


def begin_turn(s):
    """The player turns a card; with nothing left to turn, takes a volcano."""
    open_to_turn = s.hidden
    if s.guarded >= 0 and not s.up[s.guarded]:
        open_to_turn -= 1
    s.stage = TURN if open_to_turn > 0 else BURIED


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
    s.up[p] = 1
    s.hidden -= 1
    for seat in range(SEATS):
        show(s, seat, p)
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
    return a // 5 == b // 5 or a % 5 == b % 5


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
    s.in_game[v] = 1
    s.guarded = -1
    begin_turn(s)


# -- expert mode: the animal of a card that was linked acts


def use_power(s, animal):
    """Mandatory when possible; a power without a target is skipped."""
    if animal == CRAB:
        begin_turn(s)  # plays again at once, and links to the crab
    elif animal == PENGUIN and s.hidden > 0:
        s.stage = PEEK_WHICH
    elif animal == OCTOPUS:
        s.stage = SWAP_WHICH
    elif animal == WALRUS and s.hidden > 1:
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
    s.up[p], s.up[q] = s.up[q], s.up[p]
    for seat in range(SEATS):
        s.known[seat, p], s.known[seat, q] = s.known[seat, q], s.known[seat, p]
        s.sight[seat, p], s.sight[seat, q] = s.sight[seat, q], s.sight[seat, p]
    s.last = q
    pass_turn(s)


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
    for p in range(25):
        s.up[p] = 0
    for seat in range(SEATS):
        hide_from(s, seat)
    s.hidden = 24
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
    for p in range(25):
        s.up[p] = s.card[p] >= 0
        s.hidden -= s.up[p]
    for seat in range(SEATS):
        for p in range(25):
            s.known[seat, p] |= s.up[p]
            s.sight[seat, p] = s.up[p]
    s.stage = OVER if s.sorted_pile else TREASURE_DEAL


def open_treasure(s, rubies):
    """What the treasures hold is seen only now, one after the other."""
    k = unopened(s)
    s.rubies[k] = rubies
    if k == ROUNDS - 1:
        s.stage = OVER


def unopened(s):
    """The first treasure that nobody has opened."""
    k = 0
    while s.rubies[k] > 0:
        k += 1
    return k


# -- what the engine asks


def acting(s):
    """Chance deals, or one player is asked."""
    if s.stage == OVER:
        return 0
    if s.stage in (FIRST_PLAYER, LOOK_DEAL, VOLCANO_DEAL, TURN_DEAL, PEEK_DEAL, TREASURE_DEAL):
        return 1 << CHANCE
    return 1 << s.turn


def reach(s, seat):
    """Where in the mask, or the odds, to look."""
    return REACH[s.stage, 0], REACH[s.stage, 1]


def legal(s, seat, mask):
    """The one statement of what may be done."""
    if s.stage == TURN:
        legal_reveals(s, mask)
    elif s.stage == CHOOSE_SIDE:
        for side in range(4):
            mask[SIDE + side] = side_is_free(s, side)
    elif s.stage == LOOK or s.stage == PEEKING:
        mask[PUT_BACK] = 1
    elif s.stage == BURIED:
        mask[TAKE_VOLCANO] = 1
    elif s.stage == PEEK_WHICH:
        legal_hidden(s, mask, PEEK)
    elif s.stage == GUARD_WHICH:
        legal_hidden(s, mask, GUARD)
    elif s.stage == SWAP_WHICH:
        for direction in range(4):
            mask[SWAP + direction] = has_neighbour(s.last, direction)
    elif s.stage == ROUND_WON:
        mask[TAKE_TREASURE] = 1


def legal_reveals(s, mask):
    """Any card that lies face down, save the guarded one, and the very first card not one that was looked at."""
    for p in range(25):
        mask[REVEAL + p] = 1 - s.up[p]
    mask[REVEAL + CENTRE] = 0
    if s.guarded >= 0:
        mask[REVEAL + s.guarded] = 0
    if s.rounds == 0 and s.last < 0:
        for seat in range(s.players):
            for i in range(3):
                mask[REVEAL + MIDDLE[s.side[seat], i]] = 0


def legal_hidden(s, mask, start):
    """Any card that lies face down."""
    for p in range(25):
        mask[start + p] = 1 - s.up[p]
    mask[start + CENTRE] = 0


def side_is_free(s, side):
    """Nobody has chosen it."""
    for seat in range(s.players):
        if s.side[seat] == side:
            return 0
    return 1


def odds(s, weights):
    """What chance may draw now, each as likely as there are cards of it left."""
    if s.stage == FIRST_PLAYER:
        for seat in range(s.players):
            weights[FIRST + seat] = 1
    elif s.stage == VOLCANO_DEAL:
        volcano_odds(s, weights)
    elif s.stage == TREASURE_DEAL:
        for n in range(10):
            weights[RUBY + n] = TREASURES[n]
        for k in range(unopened(s)):
            weights[RUBY + s.rubies[k]] -= 1
    else:
        for c in range(25):
            weights[DEAL + c] = 1
        for p in range(25):
            weights[DEAL + s.card[p]] = 0  # -1, nobody has looked there: the place before the deals, which is 0 anyway


def volcano_odds(s, weights):
    """A volcano that is in the game and not taken; until all in the game are met, one not met yet."""
    met = 0
    for v in range(3):
        met += s.in_game[v]
    for v in range(3):
        weights[VOLCANO + v] = s.in_game[v] if met == s.players - 1 else 1 - s.in_game[v]
    for seat in range(s.players):
        if s.volcano[seat] >= 0:
            weights[VOLCANO + s.volcano[seat]] = 0


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
        s.card[s.pending] = action - DEAL
        if s.stage == TURN_DEAL:
            turned(s)
        elif s.stage == PEEK_DEAL:
            peeked(s)
        else:
            next_look(s)
    elif action < RUBY:
        lay_volcano(s, action - VOLCANO)
    else:
        open_treasure(s, action - RUBY)
