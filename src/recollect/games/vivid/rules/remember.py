"""2: Remember. Take fragments from an end of the line, place them in one empty hex, claim emptied tiles, perhaps rewire."""

from ..components import HAS, LESS, SIZE, WITH
from .fragments import colours_in, empty, hold, size_of
from .layout import (
    CLAIMED,
    DONE,
    LEFT,
    LEFT_END,
    LINE,
    MAKE_ROOM,
    NO_END,
    PICK,
    PLACE,
    REMEMBER,
    REWIRE,
    RIGHT,
    RIGHT_END,
    ROUNDS,
    TAKE,
    WAIT,
    WISHES,
)  # fmt: skip
from .prepare import takers
from .rewire import ask_rewire, begin_rewire, rewire_step


def begin_remember(s):
    """The player with the start player marker goes first."""
    s.phase = REMEMBER
    begin_turn(s, s.start)


def begin_turn(s, seat):
    """Take fragments; with no empty hex left, make room instead."""
    s.turn = seat
    s.hand = 0
    s.end = NO_END
    if seat >= s.players:
        for i in range(WISHES):
            s.wish[i] = -1
    elif empty(s, seat):
        s.task[seat] = TAKE
    else:
        s.task[seat] = MAKE_ROOM
        begin_rewire(s)


def after(s, seat):
    """Who comes next, clockwise."""
    return seat + 1 if seat + 1 < takers(s) else 0


# ---------------------------------------------------------------- take


def end_tile(s):
    """The tile at the end that fragments are taken from, or -1."""
    if s.first > s.last:
        return -1
    return s.first if s.end == LEFT_END else s.last


def next_tile(s, i):
    """The tile that comes after tile i from this end, or -1."""
    i = i + 1 if s.end == LEFT_END else i - 1
    return i if s.first <= i <= s.last else -1


def several(colours):
    """The set of colours has more than one."""
    return (colours & (colours - 1)) != 0


def complete(hand):
    """One alone, two alike, or three different are in hand."""
    return size_of(hand) == 3 or not several(colours_in(hand))


def may_join(s, i):
    """The colours of tile i that may join the hand: two alike, or the way to three different."""
    there, mine, n = int(HAS[s.tokens[i]]), colours_in(s.hand), size_of(s.hand)
    if n != 1:
        return there & ~mine if n == 2 and several(mine) else 0
    others = there & ~mine
    if SIZE[s.tokens[i]] > 1:
        return there if several(others) else there & mine
    i = next_tile(s, i)  # the second empties the tile: the third would come from the next one
    third = int(HAS[s.tokens[i]]) & ~mine & ~there if i >= 0 else 0
    return there if third else there & mine


def ask_take(s, seat):
    """Take from one end only, on across emptied tiles; place what is complete."""
    if s.end == NO_END:
        right = int(HAS[s.tokens[s.last]]) if s.first < s.last else 0
        return LEFT, int(HAS[s.tokens[s.first]]) | right << (RIGHT - LEFT), 0, 0
    i = end_tile(s)
    found = may_join(s, i) if i >= 0 else 0
    if s.end == RIGHT_END:
        found <<= RIGHT - LEFT
    if complete(s.hand):
        found |= empty(s, seat) << (PLACE - LEFT)
    return LEFT, found, 0, 0


def take_fragment(s, end, c):
    """A fragment comes into the hand; an emptied tile lets the next one be the end."""
    s.end = end
    i = end_tile(s)
    s.tokens[i] = LESS[s.tokens[i], c]
    s.hand = WITH[s.hand, c]
    if s.tokens[i] == 0:
        if end == LEFT_END:
            s.first += 1
        else:
            s.last -= 1


# ---------------------------------------------------------------- place, claim


def place(s, seat, h):
    """All fragments in hand go into one empty hex; exactly one taken allows rewiring. Returns 1 when the phase is over."""
    taken = size_of(s.hand)
    hold(s, seat, h, s.hand)
    s.hand = 0
    claim(s, seat)
    if taken == 1:
        s.task[seat] = REWIRE
        begin_rewire(s)
        return 0
    return end_turn(s, seat)


def claim(s, seat):
    """Every tile that the seat emptied is claimed."""
    for i in range(LINE):
        if s.line[i] >= 0 and (i < s.first or i > s.last):
            s.home[s.line[i]] = CLAIMED + seat
            s.line[i] = -1


def end_turn(s, seat):
    """Clockwise to the next player; returns 1 when the line is empty and Remember over."""
    if seat < s.players:
        s.task[seat] = WAIT
    if s.first <= s.last:
        begin_turn(s, after(s, seat))
        return 0
    if s.round_no < ROUNDS - 1:  # the marker goes to the left of whoever took the last turn
        s.start = after(s, seat)
    return 1


def ask_remember(s, seat):
    """The question of the one whose turn it is."""
    if s.task[seat] == TAKE:
        return ask_take(s, seat)
    return ask_rewire(s, seat)


def remember_step(s, seat, action):
    """Carry out one step of a turn; returns 1 when the phase is over."""
    if action < RIGHT:
        take_fragment(s, LEFT_END, action - LEFT)
    elif action < PLACE:
        take_fragment(s, RIGHT_END, action - RIGHT)
    elif action == DONE:
        return end_turn(s, seat)
    elif action < PICK and s.task[seat] == TAKE:
        return place(s, seat, action - PLACE)
    else:
        rewire_step(s, seat, action)
    return 0
