"""What a position of Vivid Memories is worth to a seat, in the language of the rules: points, and what they promise."""

from recollect.engine import size

from .components import CLUSTERS, CORE, CORE_PAYS, HEXES, PATTERN, PAYS, SLOTS_OF, TILES, TIMES, TOUCH
from .rules.fragments import around, empty, full, having, size_of
from .rules.layout import (
    BANKED,
    CLAIMED,
    COMBINE_INTO,
    COMBINING,
    OVER,
    PAY_CORE,
    PAY_MOMENTS,
    PAY_THREADS,
    REFLECT,
    REMEMBER,
    ROUNDS,
    SLOTS,
    SPECULATING,
    WAIT,
)
from .rules.reward import aspiration_points, core_points, paid, spread

FAR = 5  # a gap of as many hexes is no hope
(
    LATER,  # what a thread promises that cannot be had before the next round, of what it would pay
    HOPE,  # what one missing hex leaves of a promise
    HEXES_OF_A_THREAD,  # about how many hexes a thread has when it is closed
    SECOND,  # what the second best promise of a colour counts
    SLOT_HOPE,  # what a slot towards a core memory counts of its points
    LACKING,  # what each further slot that lacks takes from that
    UNUSED,  # what a tile with its action side up counts of what it would pay
    NEXT_ROUND,  # what a match counts of a tile that may still be scored in a later round
    ONE_SHORT,  # a hex that lacks one fragment of a tile's pattern
    TILE,  # a claimed tile, whatever it shows
    EXCESS,  # a tile beyond the fourth
    ROOM,  # an empty hex, up to five
    BLOCKED,  # a full hex
    DREAM,  # a fragment of one's aspiration
    DREAM_TILE,  # a tile that shows it and may be cherished
    COLOUR,  # a fragment that may join a thread
    IN_HAND,  # a fragment in hand, not yet placed
    PAIR,  # two in hand that match a tile's pattern so far
    MIDWAY,  # fragments that a combination has taken away and not yet replaced, or a drawn one not yet placed
    TOGETHER,  # what a core memory counts of its points, by the chance that all of its slots are filled
    SOON,  # the chance that one missing hex leaves a slot to be filled in this round
    IN_TIME,  # and by the end of the next one
) = range(22)

WEIGHTS = (0.9, 0.44, 5.0, 0.8, 0.4, 2.0, 0.6, 0.5, 0.7, 2.2, -1.0, 0.15, -0.2, 1.0, 1.2, 0.12, 0.3, 1.0, 4.0, 1.0, 0.4, 0.6)
NO_GAP = 3  # gaps of slots are counted up to this, in two binary digits for each place of the ring
ALL_GAPS = (1 << 62) - 1


def turn(s):
    """Turns end with a phase, or when another takes fragments; alone, when the automa has."""
    n = 0
    if s.phase == REMEMBER:
        n = s.turn
        for c in range(5):
            n += 8 * s.kept[c]
    return (s.round_no * 16 + s.phase) * 1024 + n


def settled(s):
    """Points are being counted."""
    return s.phase >= PAY_MOMENTS


def worth(s, seat, w):
    """Points, and what the board, the bank and the aspiration promise."""
    v = 0.0
    for n in range(ROUNDS):
        for kind in range(4):
            v += paid(s, seat, n, kind)
    if s.phase == OVER or seat >= s.players:
        return v
    if s.aspiration[seat] >= 0:
        v += dream(s, seat, w)
    if s.phase > PAY_CORE:
        return v
    rounds = ROUNDS - s.round_no - (1 if s.phase > PAY_THREADS else 0)  # in which threads are counted still
    v += moments(s, seat, w) + core(s, seat, w)
    if rounds > 0:
        gaps = ALL_GAPS
        for colour in range(5):
            more, gaps = thread(s, seat, colour, rounds, gaps, w)
            v += more
        v += together(s, seat, gaps, rounds, w)
    return v + room(s, seat, w) + hand(s, seat, w)


def dream(s, seat, w):
    """The aspiration, as it would be paid now; tiles that may be cherished."""
    colour = s.aspiration[seat]
    v = w[DREAM] * aspiration_points(s, seat, colour)
    for tile in range(TILES):
        if (s.home[tile] == CLAIMED + seat or s.home[tile] == BANKED + seat) and TIMES[PATTERN[tile], colour]:
            v += w[DREAM_TILE]
    return v


# ---------------------------------------------------------------- moments


def moments(s, seat, w):
    """What the tiles of the bank, and those to be laid, would pay for the hexes as they are."""
    v = 0.0
    n = 0
    last = s.round_no == ROUNDS - 1
    counted = s.phase > PAY_MOMENTS
    for k in range(SLOTS):
        tile = s.bank[seat, k]
        if tile >= 0:
            n += 1
            if (s.flipped[seat] >> k) & 1:
                sure = 1.0 if not counted else 0.0 if last else w[NEXT_ROUND]
            elif s.phase == REMEMBER or (s.phase == REFLECT and s.task[seat] != WAIT):
                sure = w[UNUSED]
            else:
                sure = 0.0 if last else w[UNUSED] * w[NEXT_ROUND]
            if sure > 0.0:
                v += sure * fits(s, seat, tile, w)
    for tile in range(TILES):
        if s.home[tile] == CLAIMED + seat:
            n += 1
            v += w[UNUSED] * fits(s, seat, tile, w)
    return v + w[TILE] * n if n <= SLOTS else v + w[TILE] * SLOTS + w[EXCESS] * (n - SLOTS)


def fits(s, seat, tile, w):
    """What a tile pays for hexes that match, and a little for those that lack one fragment."""
    v = 0.0
    pattern = PATTERN[tile]
    for h in range(HEXES):
        held = s.hexes[seat, h]
        if held == pattern:
            v += PAYS[tile]
        elif held and lacks_one(held, pattern):
            v += w[ONE_SHORT]
    return v


def lacks_one(held, pattern):
    """All that the hex holds is in the pattern, and one fragment is missing."""
    return (held & 31 & ~pattern) == 0 and size_of(held) + 1 == size_of(pattern) and (held >> 5 == 0 or pattern >> 5 != 0)


# ---------------------------------------------------------------- threads and core memories


def slot_worth(s, seat, place, rounds, w):
    """What filling a slot brings towards its core memory in the rounds that are left."""
    for k in range(CLUSTERS):
        if (CORE[seat, k] >> place) & 1:
            lacking = size(int(CORE[seat, k]) & ~s.filled[seat])
            return w[SLOT_HOPE] * CORE_PAYS[seat, k] * rounds / (1.0 + w[LACKING] * (lacking - 1))
    return 0.0


def thread(s, seat, colour, rounds, gaps, w):
    """The two best promises of a colour: what a link between two slots would pay, less for every hex that is missing; and how many
    are missing for each slot."""
    have = having(s, seat, colour)
    shut = full(s, seat) & ~have
    best = 0.0
    second = 0.0
    left = int(SLOTS_OF[seat, colour])
    while left:
        a = size((left & -left) - 1)
        left &= left - 1
        others = left
        reached = int(TOUCH[a]) & ~shut
        part = spread(have, reached & have) if reached & have else 0
        gap = 0
        while others and gap < FAR:
            again = others
            while again:
                b = size((again & -again) - 1)
                again &= again - 1
                if part & int(TOUCH[b]):
                    others &= ~(1 << b)
                    gaps = nearer(nearer(gaps, a, gap), b, gap)
                    v = promise(s, seat, colour, a, b, gap, have, part, rounds, w)
                    if v > best:
                        second = best
                        best = v
                    elif v > second:
                        second = v
            gap += 1
            step = (around(part) | reached) & ~shut & ~part
            joined = spread(have, step & have) if step & have else 0
            part |= step | joined
    return best + w[SECOND] * second + w[COLOUR] * size(have), gaps


def nearer(gaps, place, gap):
    """The gaps, where that of a place is at most so many hexes."""
    return gaps if gap >= (gaps >> 2 * place) & NO_GAP else gaps & ~(NO_GAP << 2 * place) | gap << 2 * place


def promise(s, seat, colour, a, b, gap, have, part, rounds, w):
    """What the link of slots a and b would pay."""
    empties = (1 << a | 1 << b) & ~s.filled[seat]
    n = size(empties)
    if n == 0:
        return 0.0
    v = 0.0
    while empties:
        v += slot_worth(s, seat, size((empties & -empties) - 1), rounds, w)
        empties &= empties - 1
    if gap == 0:
        return v + size(spread(have, part & have)) * n if s.phase <= PAY_THREADS else w[LATER] * (v + w[HEXES_OF_A_THREAD] * n)
    v += w[HEXES_OF_A_THREAD] * n
    for _ in range(gap):
        v *= w[HOPE]
    if s.phase > REFLECT or (s.phase == REFLECT and s.task[seat] == WAIT):
        v = v * w[LATER] if s.round_no < ROUNDS - 1 else 0.0
    return v


def core(s, seat, w):
    """Complete core memories pay in every round that is left; begun ones promise."""
    rounds = ROUNDS - s.round_no - (1 if s.phase > PAY_CORE else 0)
    filled = s.filled[seat] | s.owed[seat]
    v = float(core_points(seat, filled) * rounds)
    for k in range(CLUSTERS):
        there = size(int(CORE[seat, k]) & filled)
        lacking = size(int(CORE[seat, k])) - there
        if there and lacking:
            v += w[SLOT_HOPE] * CORE_PAYS[seat, k] * (rounds - 1) * 0.3 * there / (there + lacking)
    return v


def together(s, seat, gaps, rounds, w):
    """Core memories, by the chance that all their empty slots are filled in this round, or by the end of the next."""
    if w[TOGETHER] == 0.0:
        return 0.0
    closing = s.phase <= REFLECT and not (
        s.phase == REFLECT and s.task[seat] == WAIT
    )  # hexes can still be filled before threads are counted
    v = 0.0
    for k in range(CLUSTERS):
        lacking = int(CORE[seat, k]) & ~(s.filled[seat] | s.owed[seat])
        if lacking:
            soon, in_time = 1.0, 1.0
            while lacking:
                gap = (gaps >> 2 * size((lacking & -lacking) - 1)) & NO_GAP
                lacking &= lacking - 1
                for _ in range(gap):
                    soon *= w[SOON] if closing else 0.0
                    in_time *= w[IN_TIME]
            v += CORE_PAYS[seat, k] * (soon * rounds + max(0.0, in_time - soon) * (rounds - 1))
    return w[TOGETHER] * v


# ---------------------------------------------------------------- room, and what is on its way


def room(s, seat, w):
    """Empty hexes, as long as fragments come; full ones are in the way."""
    n = size(empty(s, seat))
    return w[ROOM] * (n if n < 5 else 5) + w[BLOCKED] * size(full(s, seat))


def hand(s, seat, w):
    """Fragments in hand: what a search thinks of them before they are placed."""
    if s.phase == REFLECT:
        midway = s.task[seat] == SPECULATING or s.task[seat] == COMBINE_INTO or (s.task[seat] == COMBINING and s.held[seat] >= 0)
        return w[MIDWAY] if midway else 0.0
    if s.phase != REMEMBER or s.turn != seat or s.hand == 0:
        return 0.0
    v = w[IN_HAND] * size_of(s.hand)
    for tile in range(TILES):
        if s.home[tile] == CLAIMED + seat or s.home[tile] == BANKED + seat:
            if s.hand == PATTERN[tile]:
                v += w[UNUSED] * PAYS[tile]
            elif lacks_one(s.hand, PATTERN[tile]):
                v += w[PAIR]
    return v
