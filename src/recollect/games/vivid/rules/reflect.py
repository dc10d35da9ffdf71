"""3: Reflect. Everybody at once: lay claimed tiles on bank slots, then perform moment and bank actions, once each, in any order."""

from ..components import HEXES, INTO_A, INTO_B, NEAR, SHOWS, SIZE, SPLITS, TILES
from .fragments import forget, having, holding, lift, offer, offer_fragments, point, put
from .layout import (
    ACTION_SIDE,
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
    SCORING_SIDE,
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


def begin_reflect(s):
    """When the line is empty, everybody lays tiles and reflects."""
    s.phase = REFLECT
    for seat in range(s.players):
        s.task[seat] = LAY if claimed(s, seat) >= 0 else CHOOSE
    s.ample = ample(s)


# ---------------------------------------------------------------- running out of fragments


def gives(s, tile, colour):
    """How many fragments of the colour the tile's action takes from the supply."""
    if SPLITS[tile]:
        return (INTO_A[tile] == colour) + (INTO_B[tile] == colour)
    return 1 if SHOWS[tile] == colour else 0


def wanted(s, seat, colour):
    """The most fragments of the colour that the seat could still take from the supply in this phase."""
    n = 0
    for k in range(SLOTS):
        if s.bank[seat, k] >= 0 and s.face[seat, k] == ACTION_SIDE:
            n += gives(s, s.bank[seat, k], colour)
    if s.task[seat] == LAY:
        for tile in range(TILES):
            if s.home[tile] == CLAIMED + seat:
                n += gives(s, tile, colour)
    return n + bank_open(s, seat, COMBINE)


def bank_open(s, seat, k):
    """The bank action lies open and was not performed this round."""
    return 1 if s.bank[seat, k] < 0 and not s.used[seat, k] else 0


def ample(s):
    """Neither a colour of the supply nor the bag can run out, whatever everybody does."""
    draws = 0
    for seat in range(s.players):
        if s.task[seat] != WAIT:
            draws += bank_open(s, seat, SPECULATE)
    if bag_size(s) < draws:
        return 0
    for c in range(5):
        n = 0
        for seat in range(s.players):
            if s.task[seat] != WAIT:
                n += wanted(s, seat, c)
        if s.supply[c] < n:
            return 0
    return 1


def reflecting(s):
    """Who may act: everybody; when fragments run low, one by one from the start player (tiles can be laid meanwhile)."""
    who = 0
    first = 1
    for i in range(s.takers):
        seat = (s.start + i) % s.takers
        if seat < s.players and s.task[seat] != WAIT:
            if s.ample or first or s.task[seat] == LAY:
                who |= 1 << seat
            first = 0
    return who


def drawing(s):
    """The seat that waits for a fragment from the bag, or -1."""
    for seat in range(s.players):
        if s.task[seat] == DRAWING:
            return seat
    return -1


# ---------------------------------------------------------------- laying tiles


def claimed(s, seat):
    """The next tile that the seat has to lay, or -1."""
    for tile in range(TILES):
        if s.home[tile] == CLAIMED + seat:
            return tile
    return -1


def to_lay(s, seat):
    """How many tiles the seat still has to lay."""
    n = 0
    for tile in range(TILES):
        if s.home[tile] == CLAIMED + seat:
            n += 1
    return n


def legal_lay(s, seat, mask):
    """On a free slot of choice; as many as possible, so only excess tiles may be discarded."""
    free = 0
    for k in range(SLOTS):
        if s.bank[seat, k] < 0:
            mask[LAY_ON + k] = 1
            free += 1
    if to_lay(s, seat) > free:
        mask[DISCARD] = 1


def lay(s, seat, k):
    """The tile covers the slot, action side up."""
    tile = claimed(s, seat)
    s.bank[seat, k] = tile
    s.face[seat, k] = ACTION_SIDE
    s.home[tile] = BANKED + seat
    go_on(s, seat, LAY if claimed(s, seat) >= 0 else CHOOSE)


def discard(s, seat):
    """An excess tile leaves the game."""
    s.home[claimed(s, seat)] = OUT
    go_on(s, seat, LAY if claimed(s, seat) >= 0 else CHOOSE)


def go_on(s, seat, task):
    """The seat's next question; what it can no longer take may free the others."""
    s.task[seat] = task
    if not s.ample:
        s.ample = ample(s)


# ---------------------------------------------------------------- which action


def legal_choose(s, seat, mask):
    """Any action that lies open and can be completed; all are optional."""
    mask[DONE] = 1
    for k in range(SLOTS):
        tile = s.bank[seat, k]
        if tile >= 0:
            if s.face[seat, k] == ACTION_SIDE and moment_possible(s, seat, tile):
                mask[USE + k] = 1
        elif not s.used[seat, k] and bank_possible(s, seat, k):
            mask[USE + k] = 1


def moment_possible(s, seat, tile):
    """Add needs an empty hex and the colour; split a hex where it works."""
    if SPLITS[tile]:
        return 1 if splittable(s, seat, tile) else 0
    return 1 if s.supply[SHOWS[tile]] > 0 and holding(s, seat, 0, 0) else 0


def bank_possible(s, seat, k):
    """Combine needs two fragments in a hex, speculate a bag and an empty hex, nudge and swap a neighbour."""
    if k == COMBINE:
        return 1 if holding(s, seat, 2, CAP) else 0
    if k == SPECULATE:
        return 1 if bag_size(s) > 0 and holding(s, seat, 0, 0) else 0
    if k == NUDGE:
        return 1 if beside(holding(s, seat, 1, CAP), holding(s, seat, 0, CAP - 1)) else 0
    return 1 if beside(holding(s, seat, 1, CAP), holding(s, seat, 1, CAP)) else 0


def beside(hexes, others):
    """Those of the hexes that touch one of the others."""
    found = 0
    for h in range(HEXES):
        if (hexes >> h) & 1 and NEAR[h] & others:
            found |= 1 << h
    return found


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
        s.face[seat, k] = SCORING_SIDE
    else:
        s.used[seat, k] = 1
    s.slot[seat] = -1
    forget(s, seat)
    go_on(s, seat, CHOOSE)


def reflect_done(s, seat):
    """The seat has finished; returns 1 when everybody has."""
    go_on(s, seat, WAIT)
    for other in range(s.players):
        if s.task[other] != WAIT:
            return 0
    return 1


# ---------------------------------------------------------------- moment actions


def add(s, seat, h):
    """A fragment of the colour shown goes from the supply into an empty hex."""
    colour = SHOWS[s.bank[seat, s.slot[seat]]]
    s.supply[colour] -= 1
    put(s, seat, h, colour)
    performed(s, seat)


def splittable(s, seat, tile):
    """Hexes with the colour shown where the new fragments are there to be had: both, or one of them in a hex of three."""
    a = 1 if s.supply[INTO_A[tile]] > 0 else 0
    b = 1 if s.supply[INTO_B[tile]] > 0 else 0
    both = 1 if a and b and (INTO_A[tile] != INTO_B[tile] or s.supply[INTO_A[tile]] > 1) else 0
    fitting = 0
    if both:
        fitting |= holding(s, seat, 1, CAP - 1)
    if a or b:
        fitting |= holding(s, seat, CAP, CAP)
    return fitting & having(s, seat, SHOWS[tile]) if fitting else 0


def offer_colour_in(s, mask, hexes, colour):
    """The fragment of this colour may be picked in each of the hexes."""
    for h in range(HEXES):
        if (hexes >> h) & 1:
            mask[PICK + 5 * h + colour] = 1


def split(s, seat, pick):
    """Both new fragments take the place of the removed one; in a hex of three only one of them can."""
    tile = s.bank[seat, s.slot[seat]]
    h = pick // 5
    if SIZE[s.hexes[seat, h]] == CAP:
        point(s, seat, pick)
        s.task[seat] = SPLIT_INTO
        return
    from_supply(s, seat, h, INTO_A[tile])
    from_supply(s, seat, h, INTO_B[tile])
    to_supply(s, seat, h, pick % 5)  # last: the removed one cannot serve as one of the new
    performed(s, seat)


def split_into(s, seat, colour):
    """The one fragment that the seat chose takes the removed one's place."""
    h = s.held[seat]
    to_supply(s, seat, h, s.what[seat])
    from_supply(s, seat, h, colour)
    performed(s, seat)


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


def combine_into(s, seat, colour):
    """Any one fragment from the supply takes their place."""
    from_supply(s, seat, s.held[seat], colour)
    performed(s, seat)


def drawn(s, colour):
    """Speculate: a fragment at random from the bag, for an empty hex."""
    seat = drawing(s)
    s.bag[colour] -= 1
    s.what[seat] = colour
    s.used[seat, SPECULATE] = 1
    s.task[seat] = SPECULATING


def speculate(s, seat, h):
    """The drawn fragment goes into an empty hex."""
    put(s, seat, h, s.what[seat])
    performed(s, seat)


def nudge(s, seat, h):
    """One fragment moves to a neighbouring hex."""
    lift(s, seat, s.held[seat], s.what[seat])
    put(s, seat, h, s.what[seat])
    performed(s, seat)


def swap(s, seat, pick):
    """Two fragments of neighbouring hexes change places."""
    if s.held[seat] < 0:
        point(s, seat, pick)
        return
    lift(s, seat, s.held[seat], s.what[seat])
    put(s, seat, pick // 5, s.what[seat])
    lift(s, seat, pick // 5, pick % 5)
    put(s, seat, s.held[seat], pick % 5)
    performed(s, seat)


# ---------------------------------------------------------------- legal, apply


def offer_hexes(s, seat, mask, hexes):
    """Every fragment in these hexes may be picked."""
    for h in range(HEXES):
        if (hexes >> h) & 1:
            offer_fragments(s, seat, mask, h)


def legal_pointing(s, seat, mask):
    """Which fragments may be combined, nudged or swapped, and where they may go."""
    task = s.task[seat]
    h = s.held[seat]
    if task == COMBINING:
        offer_hexes(s, seat, mask, holding(s, seat, 2, CAP) if h < 0 else 1 << h)
    elif task == NUDGING:
        roomy = holding(s, seat, 0, CAP - 1)
        if h < 0:
            offer_hexes(s, seat, mask, beside(holding(s, seat, 1, CAP), roomy))
        else:
            offer(mask, PLACE, NEAR[h] & roomy)
    else:
        some = holding(s, seat, 1, CAP)
        offer_hexes(s, seat, mask, beside(some, some) if h < 0 else NEAR[h] & some)


def legal_split_into(s, seat, mask):
    """One of the two colours shown, if the supply has it."""
    tile = s.bank[seat, s.slot[seat]]
    if s.supply[INTO_A[tile]] > 0:
        mask[COLOUR + INTO_A[tile]] = 1
    if s.supply[INTO_B[tile]] > 0:
        mask[COLOUR + INTO_B[tile]] = 1


def legal_reflect(s, seat, mask):
    """The question that the seat has before it."""
    task = s.task[seat]
    if task == LAY:
        legal_lay(s, seat, mask)
    elif task == CHOOSE:
        legal_choose(s, seat, mask)
    elif task in (ADD, SPECULATING):
        offer(mask, PLACE, holding(s, seat, 0, 0))
    elif task == SPLIT:
        tile = s.bank[seat, s.slot[seat]]
        offer_colour_in(s, mask, splittable(s, seat, tile), SHOWS[tile])
    elif task == SPLIT_INTO:
        legal_split_into(s, seat, mask)
    elif task == COMBINE_INTO:
        for c in range(5):
            if s.supply[c] > 0:
                mask[COLOUR + c] = 1
    else:
        legal_pointing(s, seat, mask)


def reflect(s, seat, action):
    """Carry out one step; returns 1 when everybody is done."""
    task = s.task[seat]
    if task == LAY:
        if action == DISCARD:
            discard(s, seat)
        else:
            lay(s, seat, action - LAY_ON)
    elif action == DONE:
        return reflect_done(s, seat)
    elif task == CHOOSE:
        use(s, seat, action - USE)
    elif task in (ADD, SPLIT, SPLIT_INTO):
        moment_action(s, seat, action)
    else:
        bank_action(s, seat, action)
    return 0


def moment_action(s, seat, action):
    """A step of a tile's action."""
    task = s.task[seat]
    if task == ADD:
        add(s, seat, action - PLACE)
    elif task == SPLIT:
        split(s, seat, action - PICK)
    else:
        split_into(s, seat, action - COLOUR)


def bank_action(s, seat, action):
    """A step of a bank action."""
    task = s.task[seat]
    if task == COMBINING:
        combine(s, seat, action - PICK)
    elif task == COMBINE_INTO:
        combine_into(s, seat, action - COLOUR)
    elif task == SPECULATING:
        speculate(s, seat, action - PLACE)
    elif task == SWAPPING:
        swap(s, seat, action - PICK)
    elif action >= PICK:
        point(s, seat, action - PICK)
    else:
        nudge(s, seat, action - PLACE)
