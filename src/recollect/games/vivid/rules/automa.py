"""The house automa, for one who plays alone. It is ours: the publisher's solo sheet is not part of the rulebooks.

Each turn it shuffles the five colours into a list of preferences and takes accordingly; it has no board.
"""

from ..components import HAS, SIZE, TIMES
from .layout import AUTOMA, LEFT_END, NO_END, RIGHT_END, WISH
from .remember import claim, end_tile, end_turn, next_tile, take_fragment


def wish_choices(s):
    """Any colour that is not on the list yet."""
    free = 31
    for i in range(5):
        if s.wish[i] >= 0:
            free &= ~(1 << s.wish[i])
    return WISH, free, 0


def wished(s, colour):
    """The next preference; with five it takes its turn. Returns 1 when Remember is over."""
    i = 0
    while s.wish[i] >= 0:
        i += 1
    s.wish[i] = colour
    return automa_turn(s) if i == 4 else 0


def automa_turn(s):
    """Take from the end with the most preferred colour, keep the fragments, claim emptied tiles."""
    s.end = preferred_end(s)
    best = preferred_on(s, end_tile(s))
    s.took_end = s.end
    if not take_three(s, best) and not take_two(s):
        take_fragment(s, s.end, best)
    s.took = s.hand
    for c in range(5):
        s.kept[c] += TIMES[s.hand, c]
    s.hand = 0
    claim(s, AUTOMA)
    return end_turn(s, AUTOMA)


def on_tile(s, i, colour):
    """There is a fragment of the colour on tile i of the line."""
    return (int(HAS[s.tokens[i]]) >> colour) & 1


def preferred_end(s):
    """The end that holds the most preferred colour; the left one if both do."""
    for i in range(5):
        if on_tile(s, s.first, s.wish[i]):
            return LEFT_END
        if on_tile(s, s.last, s.wish[i]):
            return RIGHT_END
    return NO_END


def preferred_on(s, i):
    """The most preferred colour on a tile of the line."""
    for k in range(5):
        if on_tile(s, i, s.wish[k]):
            return s.wish[k]
    return -1


def take_three(s, best):
    """Three different with the most preferred one, if possible; returns whether it did."""
    i = end_tile(s)
    second = 0
    if SIZE[s.tokens[i]] == 1:  # the first one empties the tile: the others come from the next
        i = next_tile(s, i)
        if i < 0:
            return 0
        second = second_of(s, i, best, 0)
    else:
        second = second_of(s, i, best, 1)
    if second < 0:
        return 0
    take_fragment(s, s.end, best)
    take_fragment(s, s.end, second)
    take_fragment(s, s.end, third_of(s, end_tile(s), best, second))
    return 1


def second_of(s, i, best, gone):
    """The most preferred second colour on tile i that leaves a third one; `gone`: the first came from this tile too."""
    for k in range(5):
        c = s.wish[k]
        if c != best and on_tile(s, i, c) and third_left(s, i, best, c, gone):
            return c
    return -1


def third_left(s, i, one, two, gone):
    """After these two a third, different one can be taken."""
    if SIZE[s.tokens[i]] - gone == 1:
        i = next_tile(s, i)
        if i < 0:
            return 0
    return 1 if int(HAS[s.tokens[i]]) & ~(1 << one | 1 << two) else 0


def third_of(s, i, one, two):
    """The most preferred third colour."""
    for k in range(5):
        c = s.wish[k]
        if c != one and c != two and on_tile(s, i, c):
            return c
    return -1


def take_two(s):
    """Two alike of the most preferred colour there is twice; returns whether it did."""
    i = end_tile(s)
    after = next_tile(s, i) if SIZE[s.tokens[i]] == 1 else -1
    for k in range(5):
        c = s.wish[k]
        if TIMES[s.tokens[i], c] >= 2 or (on_tile(s, i, c) and after >= 0 and on_tile(s, after, c)):
            take_fragment(s, s.end, c)
            take_fragment(s, s.end, c)
            return 1
    return 0
