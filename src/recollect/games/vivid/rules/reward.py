"""4: Reward. Moments, then threads and the fragments they bring to their slots, then core memories, at the end aspirations."""

from recollect.engine import size

from ..components import CLUSTERS, CORE, CORE_PAYS, HEXES, PATTERN, PAYS, SLOT, SLOTS_OF, TILES, TIMES, TOUCH
from .fragments import around, having, lift
from .layout import (
    AUTOMA,
    BY_CORE,
    BY_MOMENTS,
    BY_THREADS,
    CHERISHED,
    CLAIMED,
    COUNT,
    DOLPHIN,
    ELEPHANT,
    GIVE,
    OVER,
    PAY_ASPIRATIONS,
    PAY_CORE,
    PAY_MOMENTS,
    PAY_THREADS,
    PICK,
    REVEAL,
    ROUNDS,
    SEATS,
    SLOTS,
    WAIT,
)  # fmt: skip
from .prepare import takers


def begin_reward(s):
    """Bank actions lie open again; moments are counted first."""
    s.phase = PAY_MOMENTS
    for seat in range(s.players):
        s.used[seat] = 0


def paid(s, seat, n, kind):
    """What round n paid the seat for moments, threads, core memories or its aspiration."""
    if kind == BY_MOMENTS:
        return s.moments[seat, n]
    if kind == BY_THREADS:
        return s.threads[seat, n]
    if kind == BY_CORE:
        return s.core[seat, n]
    return s.aspired[seat] if n == ROUNDS - 1 else 0


# ---------------------------------------------------------------- moments


def matches(s, seat, tile):
    """How many hexes hold exactly the tile's pattern."""
    n = 0
    for h in range(HEXES):
        n += 1 if s.hexes[seat, h] == PATTERN[tile] else 0
    return n


def pay_moments(s, seat):
    """Every tile with its scoring side up pays 4 or 6 for each hex that matches, then leaves its slot and is cherished."""
    for k in range(SLOTS):
        if (s.flipped[seat] >> k) & 1:
            tile = s.bank[seat, k]
            n = matches(s, seat, tile)
            if n:
                s.moments[seat, s.round_no] += PAYS[tile] * n
                s.home[tile] = CHERISHED + seat
                s.bank[seat, k] = -1
                s.flipped[seat] &= ~(1 << k)


# ---------------------------------------------------------------- threads


def spread(among, start):
    """The hexes connected with `start` inside the set."""
    reached = 0
    edge = start
    while edge:
        reached |= edge
        edge = around(edge) & among & ~reached
    return reached


def touched(seat, colour, hexes):
    """The slots of the colour that these hexes touch, as a set of places of the ring."""
    found = 0
    left = int(SLOTS_OF[seat, colour])
    while left:
        slot = left & -left
        if TOUCH[size(slot - 1)] & hexes:
            found |= slot
        left ^= slot
    return found


def next_part(among):
    """A connected part of the set: the one with its lowest hex; 0 if the set is empty."""
    return spread(among, among & -among)


def connects(seat, colour, hexes, filled):
    """The empty slots that a thread connects; none if it touches fewer than two slots, filled ones included."""
    slots = touched(seat, colour, hexes)
    return slots & ~filled if size(slots) >= 2 else 0


def pay_threads(s, seat):
    """Each thread pays its hexes times the empty slots it connects, and owes each of them a fragment."""
    for colour in range(5):
        if several_slots(s, seat, colour):
            left = having(s, seat, colour)
            while left:
                part = next_part(left)
                left &= ~part
                slots = connects(seat, colour, part, s.filled[seat])
                s.threads[seat, s.round_no] += size(part) * size(slots)
                s.owed[seat] |= slots


def several_slots(s, seat, colour):
    """Two slots of the colour or more are touched by it: else there is no thread to look for."""
    n = 0
    left = int(SLOTS_OF[seat, colour])
    while left:
        hexes = int(TOUCH[size((left & -left) - 1)])
        left &= left - 1
        found = 0
        while hexes:
            found |= (s.hexes[seat, size((hexes & -hexes) - 1)] >> colour) & 1
            hexes &= hexes - 1
        n += found
    return n > 1


def due(s, seat):
    """The next slot that waits for its fragment, or -1."""
    return size((s.owed[seat] & -s.owed[seat]) - 1) if s.owed[seat] else -1


def givers(s, seat, place):
    """The hexes that touch the slot and hold its colour."""
    return int(TOUCH[place]) & having(s, seat, SLOT[seat, place])


def build(s, seat):
    """Fragments move into the slots owed; the seat is asked where two hexes could give one and it matters later."""
    while s.owed[seat]:
        place = due(s, seat)
        hexes = givers(s, seat, place)
        if size(hexes) > 1 and s.round_no < ROUNDS - 1:
            s.task[seat] = GIVE
            return
        give(s, seat, place, size((hexes & -hexes) - 1))
    s.task[seat] = WAIT


def give(s, seat, place, h):
    """One fragment of the hex moves into the slot."""
    lift(s, seat, h, SLOT[seat, place])
    s.owed[seat] &= ~(1 << place)
    s.filled[seat] |= 1 << place


def ask_reward(s, seat):
    """Which of the fragments that touch the slot moves into it; else the next points are counted."""
    if s.task[seat] != GIVE:
        return COUNT, 1, 0, 0
    place = due(s, seat)
    return PICK, 0, int(TOUCH[place]), 1 << int(SLOT[seat, place])


def giving(s):
    """The seats that still choose."""
    who = 0
    for seat in range(s.players):
        who |= (1 if s.task[seat] == GIVE else 0) << seat
    return who


# ---------------------------------------------------------------- core memories, aspirations


def core_points(seat, filled):
    """Each complete cluster pays, in every round."""
    points = 0
    for k in range(CLUSTERS):
        if CORE[seat, k] and CORE[seat, k] & ~filled == 0:
            points += CORE_PAYS[seat, k]
    return points


def pay_core(s, seat):
    """Complete core memories pay now, and again in later rounds."""
    s.core[seat, s.round_no] += core_points(seat, s.filled[seat])


def cherished_with(s, seat, colour):
    """Cherished moments that show the colour in their pattern."""
    n = 0
    for tile in range(TILES):
        if s.home[tile] == CHERISHED + seat and TIMES[PATTERN[tile], colour]:
            n += 1
    return n


def aspiration_points(s, seat, colour):
    """1 for each fragment of the colour in hexes, 2 for each in slots, 5 for each cherished moment that shows it."""
    points = 5 * cherished_with(s, seat, colour) + 2 * size(s.filled[seat] & int(SLOTS_OF[seat, colour]))
    for h in range(HEXES):
        points += int(TIMES[s.hexes[seat, h], colour])
    return points


def pay_aspiration(s, seat):
    """All reveal their aspiration, and score it."""
    s.aspired[seat] = aspiration_points(s, seat, s.aspiration[seat])


# ---------------------------------------------------------------- the house automa


def automa_pays(s, tile):
    """A tile pays the automa if it has all fragments of the pattern; the elephant as often as it has them."""
    n = TILES
    for c in range(5):
        if TIMES[PATTERN[tile], c]:
            n = min(n, s.kept[c] // TIMES[PATTERN[tile], c])
    return PAYS[tile] * (n if s.level == ELEPHANT else min(n, 1))


def automa_counts(s, tile):
    """A claimed tile is counted; dolphin and elephant forget none, and count those again that have paid before."""
    return s.home[tile] == CLAIMED + AUTOMA or (s.level >= DOLPHIN and s.home[tile] == CHERISHED + AUTOMA)


def pay_automa_moments(s):
    """The automa scores its tiles; one that has paid is set aside."""
    for tile in range(TILES):
        if automa_counts(s, tile):
            points = automa_pays(s, tile)
            if points:
                s.moments[AUTOMA, s.round_no] += points
                s.home[tile] = CHERISHED + AUTOMA


def pay_automa_aspiration(s):
    """1 for each fragment of its colour, 5 for each scored tile that shows it."""
    colour = s.aspiration[AUTOMA]
    s.aspired[AUTOMA] = s.kept[colour] + 5 * cherished_with(s, AUTOMA, colour)


# ---------------------------------------------------------------- one count after the other


def keeper(s):
    """Who moves the markers on: the start player, or the one person there is."""
    return s.start if s.start < s.players else 0


def rewarding(s):
    """Who may act: those who choose a fragment for a slot, else whoever counts."""
    who = giving(s)
    return who if who else 1 << keeper(s)


def count_points(s):
    """Count the next kind of points for everybody; returns 1 when the round is over."""
    if s.phase == PAY_MOMENTS:
        count_moments(s)
    elif s.phase == PAY_THREADS:
        count_threads(s)
    elif s.phase == PAY_CORE:
        return count_core(s)
    else:
        count_aspirations(s)
    return 0


def count_moments(s):
    for seat in range(s.players):
        pay_moments(s, seat)
    if s.players == 1:
        pay_automa_moments(s)
    s.phase = PAY_THREADS


def count_threads(s):
    for seat in range(s.players):
        pay_threads(s, seat)
        build(s, seat)
    if not giving(s):
        s.phase = PAY_CORE


def count_core(s):
    """Returns 1 when another round follows; after the last, aspirations are revealed."""
    for seat in range(s.players):
        pay_core(s, seat)
    if s.round_no < ROUNDS - 1:
        s.round_no += 1
        return 1
    s.phase = REVEAL
    if s.players > 1:
        reveal(s)
    return 0


def reveal(s):
    """Everybody shows their aspiration tile."""
    for seat in range(SEATS):
        s.shown[seat] = (1 << takers(s)) - 1
    s.phase = PAY_ASPIRATIONS


def reveal_automa(s, colour):
    """The automa's aspiration is turned over: nobody has seen it before, so it is drawn now."""
    s.aspiration[AUTOMA] = colour
    reveal(s)


def count_aspirations(s):
    for seat in range(s.players):
        pay_aspiration(s, seat)
    if s.players == 1:
        pay_automa_aspiration(s)
    s.phase = OVER


def chosen(s, seat, h):
    """The hex that the seat chose gives a fragment; core memories are next when all are in place."""
    give(s, seat, due(s, seat), h)
    build(s, seat)
    if not giving(s):
        s.phase = PAY_CORE
