"""The house automa, for one who plays alone. It is ours: the publisher's solo sheet is not part of the rulebooks.

Each turn it shuffles the five colours into a list of preferences; it has no board. A goldfish takes accordingly. The others look at
every hand that an end of the line can give, and take the one that is worth most to them; wishes decide between equals.
"""

from ..components import HAS, LESS, PATTERN, PAYS, SIZE, TILES, TIMES
from .layout import AUTOMA, ELEPHANT, GOLDFISH, LEFT_END, PARROT, RIGHT_END, WISH, WISHES
from .remember import claim, end_tile, end_turn, next_tile, several, take_fragment
from .reward import automa_counts

A_TILE = 4  # what a tile promises that it cannot score yet
LEFT_OVER = 4  # what it costs to leave a tile that can be emptied in one turn


def wish_choices(s):
    """Any colour that is not on the list yet."""
    free = 31
    for i in range(WISHES):
        if s.wish[i] >= 0:
            free &= ~(1 << s.wish[i])
    return WISH, free, 0


def wished(s, colour):
    """The next preference; with five it takes its turn. Returns 1 when Remember is over."""
    i = 0
    while i < WISHES and s.wish[i] >= 0:
        i += 1
    if i == WISHES:
        return automa_turn(s)
    s.wish[i] = colour
    return 0


def preference(s, k):
    """Its k-th wish; the last is the colour that is left."""
    return s.wish[k] if k < WISHES else 10 - (s.wish[0] + s.wish[1] + s.wish[2] + s.wish[3])


def automa_turn(s):
    """Take fragments, keep them, claim emptied tiles."""
    if s.level == GOLDFISH:
        take_as_wished(s)
    else:
        take_the_best(s)
    s.took = s.hand
    for c in range(5):
        s.kept[c] += TIMES[s.hand, c]
    s.hand = 0
    claim(s, AUTOMA)
    return end_turn(s, AUTOMA)


# ---------------------------------------------------------------- the goldfish


def take_as_wished(s):
    """From the end with the most preferred colour: three different if it can, else two alike, else one."""
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


def favourite(s, colours):
    """The most preferred of some colours."""
    for k in range(5):
        if (colours >> preference(s, k)) & 1:
            return preference(s, k)
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


# ---------------------------------------------------------------- those that look


def take_the_best(s):
    """Every hand of one, of two alike and of three different, from either end, in the order of wishes; the best is taken."""
    most, best_end, first, second, third = -1000, LEFT_END, -1, -1, -1
    for end in range(LEFT_END, RIGHT_END + 1):
        for i in range(5):
            for j in range(-1, 5):
                for k in range(-1, 5):
                    a = preference(s, i)
                    b = preference(s, j) if j >= 0 else -1
                    c = preference(s, k) if k >= 0 else -1
                    v = hand_worth(s, end, a, b, c) if hand_of(a, b, c) else -1000
                    if v > most:
                        most, best_end, first, second, third = v, end, a, b, c
    s.end = s.took_end = best_end
    take_fragment(s, best_end, first)
    if second >= 0:
        take_fragment(s, best_end, second)
    if third >= 0:
        take_fragment(s, best_end, third)


def hand_of(a, b, c):
    """One, two alike or three different."""
    if c < 0:
        return b < 0 or a == b
    return b >= 0 and a != b and a != c and b != c


def hand_worth(s, end, a, b, c):
    """What the hand brings, with the tiles that it empties; -1000 if this end cannot give it."""
    step = 1 if end == LEFT_END else -1
    i = s.first if end == LEFT_END else s.last
    held = s.tokens[i]
    v = 0
    for n in range(3):  # tile after tile, as the fragments empty them
        colour = a if n == 0 else b if n == 1 else c
        if colour >= 0:
            if i < s.first or i > s.last or not (int(HAS[held]) >> colour) & 1:
                return -1000
            held = int(LESS[held, colour])
            if held == 0:
                v += tile_worth(s, s.line[i], a, b, c)
                i += step
                held = s.tokens[i] if s.first <= i <= s.last else 0
    for tile in range(TILES):
        if automa_counts(s, tile):
            v += tile_worth(s, tile, a, b, c)
    return v - left_over(s, i, held)


def tile_worth(s, tile, a, b, c):
    """What the tile would pay the automa with this hand; a promise if fragments are missing."""
    n = TILES
    for colour in range(5):
        wants = TIMES[PATTERN[tile], colour]
        if wants:
            n = min(n, (s.kept[colour] + (a == colour) + (b == colour) + (c == colour)) // wants)
    if n == 0:
        return A_TILE
    return A_TILE + PAYS[tile] * (n if s.level == ELEPHANT else 1)


def left_over(s, i, held):
    """What it leaves for the other to empty, if it is no parrot."""
    if s.level == PARROT or i < s.first or i > s.last:
        return 0
    return LEFT_OVER if emptied_at_once(held) else 0


def emptied_at_once(held):
    """One fragment, two alike, or three different."""
    if SIZE[held] == 3:
        return not twins(held)
    return SIZE[held] == 1 or (SIZE[held] == 2 and twins(held))


def twins(held):
    """Two of one colour are among them."""
    for c in range(5):
        if TIMES[held, c] > 1:
            return True
    return False
