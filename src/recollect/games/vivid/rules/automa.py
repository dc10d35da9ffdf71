"""The house automa, for one who plays alone. It is ours: the publisher's solo sheet is not part of the rulebooks.

Each turn it shuffles the five colours into a list of preferences and takes accordingly; it has no board.
"""

from ..components import HAS, LESS, SIZE, TIMES
from .layout import AUTOMA, LEFT_END, RIGHT_END, WISH
from .remember import claim, end_tile, end_turn, next_tile, several, take_fragment


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
    ends = int(HAS[s.tokens[s.first]]) | int(HAS[s.tokens[s.last]])
    best = favourite(s, ends)
    s.end = s.took_end = LEFT_END if (int(HAS[s.tokens[s.first]]) >> best) & 1 else RIGHT_END  # the left one if both hold it
    seconds = on_the_way_to_three(s, best)
    pair = twice(s)
    if seconds:
        take_fragment(s, s.end, best)
        second = favourite(s, seconds)
        take_fragment(s, s.end, second)
        best = favourite(s, int(HAS[s.tokens[end_tile(s)]]) & ~(1 << best | 1 << second))
    elif pair:
        best = favourite(s, pair)
        take_fragment(s, s.end, best)
    take_fragment(s, s.end, best)
    s.took = s.hand
    for c in range(5):
        s.kept[c] += TIMES[s.hand, c]
    s.hand = 0
    claim(s, AUTOMA)
    return end_turn(s, AUTOMA)


def favourite(s, colours):
    """The most preferred of some colours."""
    for k in range(5):
        if (colours >> s.wish[k]) & 1:
            return s.wish[k]
    return -1


def on_the_way_to_three(s, best):
    """The colours that can be second after the most preferred one, so that a third, different one can follow."""
    i = end_tile(s)
    left = int(LESS[s.tokens[i], best])
    if left == 0:  # the first one empties the tile: the others come from the next
        i = next_tile(s, i)
        left = s.tokens[i] if i >= 0 else 0
    others = int(HAS[left]) & ~(1 << best)
    if SIZE[left] > 1:
        return others if several(others) else 0
    i = next_tile(s, i) if i >= 0 else -1
    third = int(HAS[s.tokens[i]]) & ~others & ~(1 << best) if i >= 0 else 0
    return others if third else 0


def twice(s):
    """The colours of which two can be taken from this end."""
    i = end_tile(s)
    found = 0
    for c in range(5):
        found |= (1 if TIMES[s.tokens[i], c] > 1 else 0) << c
    i = next_tile(s, i) if SIZE[s.tokens[i]] == 1 else -1
    return found | int(HAS[s.tokens[end_tile(s)]]) & int(HAS[s.tokens[i]]) if i >= 0 else found
