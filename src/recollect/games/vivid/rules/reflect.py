"""3: Reflect. Everybody at once: lay claimed tiles on bank slots, then perform moment and bank actions, once each, in any order."""

from recollect.engine import size

from ..components import INTO_A, INTO_B, NEAR, SHOWS, SPLITS, TILES
from .enough import ample, reflecting
from .fragments import ANY, around, colours_on, empty, forget, full, having, lift, occupied, point, put, roomy, size_of
from .layout import (
    ADD,
    BANKED,
    CAP,
    CHOOSE,
    CLAIMED,
    COLOUR,
    COMBINE,
    COMBINE_INTO,
    COMBINING,
    DISCARD,
    DONE,
    DRAWING,
    LAY,
    LAY_ON,
    NUDGE,
    NUDGING,
    OUT,
    PICK,
    PLACE,
    REFLECT,
    SLOTS,
    SPECULATE,
    SPECULATING,
    SPLIT,
    SPLIT_INTO,
    SWAPPING,
    USE,
    WAIT,
)  # fmt: skip
from .prepare import bag_size

__all__ = ["reflecting"]


def begin_reflect(s):
    """When the line is empty, everybody lays tiles and reflects."""
    s.phase = REFLECT
    for seat in range(s.players):
        s.task[seat] = LAY if claims(s, seat) else CHOOSE
    s.ample = ample(s)


def drawing(s):
    """The seat that waits for a fragment from the bag, or -1."""
    for seat in range(s.players):
        if s.task[seat] == DRAWING:
            return seat
    return -1


# ---------------------------------------------------------------- laying tiles


def claims(s, seat):
    """The tiles that the seat still has to lay, as a set."""
    found = 0
    for tile in range(TILES):
        found |= (1 if s.home[tile] == CLAIMED + seat else 0) << tile
    return found


def claimed(s, seat):
    """The next tile that the seat has to lay, or -1."""
    tiles = claims(s, seat)
    return size((tiles & -tiles) - 1) if tiles else -1


def free_slots(s, seat):
    """The bank slots without a tile."""
    found = 0
    for k in range(SLOTS):
        found |= (1 if s.bank[seat, k] < 0 else 0) << k
    return found


def ask_lay(s, seat):
    """On a free slot of choice; as many as possible, so only excess tiles may be discarded."""
    free = free_slots(s, seat)
    excess = 1 if size(claims(s, seat)) > size(free) else 0
    return LAY_ON, free | excess << (DISCARD - LAY_ON), 0, 0


def lay(s, seat, action):
    """The tile covers the slot, action side up; an excess tile leaves the game."""
    tiles = claims(s, seat)
    tile = size((tiles & -tiles) - 1)
    if action == DISCARD:
        s.home[tile] = OUT
    else:
        s.bank[seat, action - LAY_ON] = tile
        s.flipped[seat] &= ~(1 << (action - LAY_ON))
        s.home[tile] = BANKED + seat
    if tiles & (tiles - 1) == 0:
        s.task[seat] = CHOOSE


# ---------------------------------------------------------------- which action


def open_actions(s, seat):
    """Any slot whose action lies open and can be completed."""
    there = colours_on(s, seat)
    found = 0
    for k in range(SLOTS):
        tile = s.bank[seat, k]
        if tile >= 0:
            can = 0 if (s.flipped[seat] >> k) & 1 else moment_possible(s, seat, tile, there)
        else:
            can = 0 if (s.used[seat] >> k) & 1 else bank_possible(s, seat, k)
        found |= can << k
    return found


def moment_possible(s, seat, tile, there):
    """Add needs an empty hex and the colour; split a hex where it works."""
    if not SPLITS[tile]:
        return 1 if s.supply[SHOWS[tile]] > 0 and empty(s, seat) else 0
    if not (there >> SHOWS[tile]) & 1:
        return 0
    return 1 if splittable(s, seat, tile) else 0


def bank_possible(s, seat, k):
    """Combine needs two fragments in a hex, speculate a bag and an empty hex, nudge and swap a neighbour."""
    if k == COMBINE:
        return 1 if s.twos[seat] else 0
    if k == SPECULATE:
        return 1 if empty(s, seat) and bag_size(s) > 0 else 0
    return 1 if occupied(s, seat) & around(roomy(s, seat) if k == NUDGE else occupied(s, seat)) else 0


def question(s, seat, k):
    """The first question of the action on slot k."""
    tile = s.bank[seat, k]
    if tile >= 0:
        return SPLIT if SPLITS[tile] else ADD
    return COMBINING if k == COMBINE else DRAWING if k == SPECULATE else NUDGING if k == NUDGE else SWAPPING


def use(s, seat, k):
    """Begin the action of slot k."""
    s.slot[seat] = k
    s.task[seat] = question(s, seat, k)


def performed(s, seat):
    """The action is done: a tile is flipped to its scoring side, a bank action used up for this round."""
    k = s.slot[seat]
    if s.bank[seat, k] >= 0:
        s.flipped[seat] |= 1 << k
    else:
        s.used[seat] |= 1 << k
    s.slot[seat] = -1
    forget(s, seat)
    s.task[seat] = CHOOSE


def finished(s, seat):
    """The seat has finished; returns 1 when everybody has."""
    s.task[seat] = WAIT
    for other in range(s.players):
        if s.task[other] != WAIT:
            return 0
    return 1


# ---------------------------------------------------------------- moment actions


def acted(s, seat):
    """The tile whose action the seat performs."""
    return s.bank[seat, s.slot[seat]]


def add(s, seat, h):
    """A fragment of the colour shown goes from the supply into an empty hex."""
    from_supply(s, seat, h, SHOWS[acted(s, seat)])


def splittable(s, seat, tile):
    """Hexes where the new fragments are there to be had, should they hold the colour: both, or one of them in a hex of three."""
    a = 1 if s.supply[INTO_A[tile]] > 0 else 0
    b = 1 if s.supply[INTO_B[tile]] > 0 else 0
    both = 1 if a and b and (INTO_A[tile] != INTO_B[tile] or s.supply[INTO_A[tile]] > 1) else 0
    if both:
        return occupied(s, seat)
    return full(s, seat) & having(s, seat, SHOWS[tile]) if a or b else 0


def ask_split(s, seat):
    """Any fragment of the colour shown, where it can be split."""
    tile = acted(s, seat)
    return PICK, 0, splittable(s, seat, tile), 1 << int(SHOWS[tile])


def split(s, seat, pick):
    """Both new fragments take the place of the removed one; in a hex of three only one of them can."""
    tile = acted(s, seat)
    h = pick // 5
    if size_of(s.hexes[seat, h]) == CAP:
        point(s, seat, pick)
        s.task[seat] = SPLIT_INTO
        return 0
    from_supply(s, seat, h, INTO_A[tile])
    to_supply(s, seat, h, pick % 5)
    from_supply(s, seat, h, INTO_B[tile])
    return 1


def ask_split_into(s, seat):
    """One of the two colours shown, if the supply has it."""
    tile = acted(s, seat)
    a = (1 if s.supply[INTO_A[tile]] > 0 else 0) << INTO_A[tile]
    b = (1 if s.supply[INTO_B[tile]] > 0 else 0) << INTO_B[tile]
    return COLOUR, int(a | b), 0, 0


def split_into(s, seat, colour):
    """The one fragment that the seat chose takes the removed one's place."""
    h = s.held[seat]
    to_supply(s, seat, h, s.what[seat])
    from_supply(s, seat, h, colour)


def from_supply(s, seat, h, colour):
    s.supply[colour] -= 1
    put(s, seat, h, colour)


def to_supply(s, seat, h, colour):
    s.supply[colour] += 1
    lift(s, seat, h, colour)


# ---------------------------------------------------------------- bank actions


def combine(s, seat, pick):
    """Two fragments of one hex return to the supply."""
    to_supply(s, seat, pick // 5, pick % 5)
    if s.held[seat] < 0:
        point(s, seat, pick)
    else:
        s.task[seat] = COMBINE_INTO
    return 0


def ask_combine_into(s):
    """Any colour that the supply has."""
    found = 0
    for c in range(5):
        found |= (1 if s.supply[c] > 0 else 0) << c
    return COLOUR, found, 0, 0


def combine_into(s, seat, colour):
    """Any one fragment from the supply takes their place."""
    from_supply(s, seat, s.held[seat], colour)


def drawn(s, colour):
    """Speculate: a fragment at random from the bag, for an empty hex."""
    seat = drawing(s)
    s.bag[colour] -= 1
    s.what[seat] = colour
    s.used[seat] |= 1 << SPECULATE
    s.task[seat] = SPECULATING


def speculate(s, seat, h):
    """The drawn fragment goes into an empty hex."""
    put(s, seat, h, s.what[seat])


def nudge(s, seat, h):
    """One fragment moves to a neighbouring hex."""
    lift(s, seat, s.held[seat], s.what[seat])
    put(s, seat, h, s.what[seat])


def swap(s, seat, pick):
    """Two fragments of neighbouring hexes change places."""
    if s.held[seat] < 0:
        point(s, seat, pick)
        return 0
    lift(s, seat, s.held[seat], s.what[seat])
    lift(s, seat, pick // 5, pick % 5)
    put(s, seat, pick // 5, s.what[seat])
    put(s, seat, s.held[seat], pick % 5)
    return 1


def ask_which(s, seat):
    """Which fragments may be combined, nudged or swapped, and where they may go."""
    task = s.task[seat]
    h = s.held[seat]
    there = occupied(s, seat)
    if task == NUDGING and h >= 0:
        return PLACE, int(NEAR[h]) & roomy(s, seat), 0, 0
    if task == COMBINING:
        hexes = int(s.twos[seat]) if h < 0 else 1 << h
    elif task == NUDGING:
        hexes = there & around(roomy(s, seat))
    else:
        hexes = there & (around(there) if h < 0 else int(NEAR[h]))
    return PICK, 0, hexes, ANY


# ---------------------------------------------------------------- choices, and what comes of them


def ask_reflect(s, seat):
    """The question that the seat has before it; every action is optional."""
    task = s.task[seat]
    if task == CHOOSE:
        return DONE, 1 | open_actions(s, seat) << (USE - DONE), 0, 0
    if task == LAY:
        return ask_lay(s, seat)
    if task == ADD or task == SPECULATING:
        return PLACE, empty(s, seat), 0, 0
    if task == SPLIT:
        return ask_split(s, seat)
    if task == SPLIT_INTO:
        return ask_split_into(s, seat)
    if task == COMBINE_INTO:
        return ask_combine_into(s)
    return ask_which(s, seat)


def reflect_step(s, seat, action):
    """Carry out one step; returns 1 when everybody is done."""
    task = s.task[seat]
    if task == LAY:
        lay(s, seat, action)
    elif action == DONE:
        return finished(s, seat)
    elif task == CHOOSE:
        use(s, seat, action - USE)
    elif moment_step(s, seat, action) if task == ADD or task == SPLIT or task == SPLIT_INTO else bank_step(s, seat, action):
        performed(s, seat)
    return 0


def moment_step(s, seat, action):
    """A step of a tile's action; returns 1 when it is done."""
    task = s.task[seat]
    if task == ADD:
        add(s, seat, action - PLACE)
    elif task == SPLIT:
        return split(s, seat, action - PICK)
    else:
        split_into(s, seat, action - COLOUR)
    return 1


def bank_step(s, seat, action):
    """A step of a bank action; returns 1 when it is done."""
    task = s.task[seat]
    if task == COMBINING:
        return combine(s, seat, action - PICK)
    if task == SWAPPING:
        return swap(s, seat, action - PICK)
    if action >= PICK and action < DONE:
        point(s, seat, action - PICK)
        return 0
    if task == COMBINE_INTO:
        combine_into(s, seat, action - COLOUR)
    elif task == SPECULATING:
        speculate(s, seat, action - PLACE)
    else:
        nudge(s, seat, action - PLACE)
    return 1
