"""2: Remember. Take fragments from an end of the line, place them in one empty hex, claim emptied tiles, perhaps rewire."""

from ..components import SIZE
from .fragments import count, holding, offer
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
)  # fmt: skip
from .rewire import begin_rewire, legal_rewire, rewire


def begin_remember(s):
    """The player with the start player marker goes first."""
    s.phase = REMEMBER
    begin_turn(s, s.start)


def begin_turn(s, seat):
    """Take fragments; with no empty hex left, make room instead."""
    s.turn = seat
    s.hand = 0
    s.end = NO_END
    s.wishes = 0
    if seat < s.players:
        s.task[seat] = TAKE
        if holding(s, seat, 0, 0) == 0:
            s.task[seat] = MAKE_ROOM
            begin_rewire(s)


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


def on_tile(s, i):
    """How many fragments lie on tile i of the line."""
    n = 0
    for c in range(5):
        n += s.tokens[i, c]
    return n


def third_after(s, i, one, two):
    """With `one` in hand and `two` taken from tile i: can a third, different one be taken?"""
    if on_tile(s, i) == 1:
        i = next_tile(s, i)
        if i < 0:
            return 0
    for c in range(5):
        if c != one and c != two and s.tokens[i, c] > 0:
            return 1
    return 0


def only(hand):
    """The colour of the one fragment in hand."""
    for c in range(5):
        if count(hand, c):
            return c
    return -1


def alike(hand):
    """Two of one colour are in hand."""
    for c in range(5):
        if count(hand, c) == 2:
            return 1
    return 0


def may_join(s, i, c):
    """A fragment of tile i may join the hand: one alone, two alike, or three different."""
    n = SIZE[s.hand]
    if s.tokens[i, c] == 0:
        return 0
    if n == 0:
        return 1
    if n == 1:
        one = only(s.hand)
        return 1 if c == one else third_after(s, i, one, c)
    return 1 if n == 2 and not alike(s.hand) and not count(s.hand, c) else 0


def offer_end(s, mask, first, i):
    """What may be taken from tile i, by the actions from `first` on."""
    for c in range(5):
        if may_join(s, i, c):
            mask[first + c] = 1


def legal_take(s, seat, mask):
    """Take from one end only, on across emptied tiles; place what is complete."""
    if s.end == NO_END:
        offer_end(s, mask, LEFT, s.first)
        if s.first < s.last:
            offer_end(s, mask, RIGHT, s.last)
        return
    i = end_tile(s)
    if i >= 0:
        offer_end(s, mask, LEFT if s.end == LEFT_END else RIGHT, i)
    if SIZE[s.hand] != 2 or alike(s.hand):
        offer(mask, PLACE, holding(s, seat, 0, 0))


def take_fragment(s, end, c):
    """A fragment comes into the hand; an emptied tile lets the next one be the end."""
    s.end = end
    i = end_tile(s)
    s.tokens[i, c] -= 1
    s.hand += 1 << 2 * c
    if on_tile(s, i) == 0:
        if end == LEFT_END:
            s.first += 1
        else:
            s.last -= 1


# ---------------------------------------------------------------- place, claim


def place(s, seat, h):
    """All fragments in hand go into one empty hex; exactly one taken allows rewiring. Returns 1 when the phase is over."""
    taken = SIZE[s.hand]
    s.hexes[seat, h] = s.hand
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
        begin_turn(s, (seat + 1) % s.takers)
        return 0
    if s.round_no < ROUNDS - 1:  # the marker goes to the left of whoever took the last turn
        s.start = (seat + 1) % s.takers
    return 1


def legal_remember(s, seat, mask):
    """The question of the one whose turn it is."""
    if s.task[seat] == TAKE:
        legal_take(s, seat, mask)
    else:
        legal_rewire(s, seat, mask)


def remember(s, seat, action):
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
        rewire(s, seat, action)
    return 0
