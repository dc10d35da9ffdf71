"""4: Reward. Moments, then threads and the fragments they bring to their slots, then core memories, at the end aspirations."""

from recollect.engine import size

from ..components import CLUSTERS, CORE, CORE_PAYS, HEXES, NEAR, PATTERN, PAYS, RING, SLOT, TILES, TOUCH
from .fragments import count, having, lift
from .layout import (
    ACTION_SIDE,
    AUTOMA,
    BY_ASPIRATION,
    BY_CORE,
    BY_MOMENTS,
    BY_THREADS,
    CHERISHED,
    CLAIMED,
    GIVE,
    OVER,
    PAY_ASPIRATIONS,
    PAY_CORE,
    PAY_MOMENTS,
    PAY_THREADS,
    PICK,
    REVEAL,
    ROUNDS,
    SCORING_SIDE,
    SEATS,
    SLOTS,
    WAIT,
)  # fmt: skip


def begin_reward(s):
    """Bank actions lie open again; moments are counted first."""
    s.phase = PAY_MOMENTS
    for seat in range(s.players):
        for k in range(SLOTS):
            s.used[seat, k] = 0


# ---------------------------------------------------------------- moments


def matches(s, seat, tile):
    """How many hexes hold exactly the tile's pattern."""
    n = 0
    for h in range(HEXES):
        if s.hexes[seat, h] == PATTERN[tile]:
            n += 1
    return n


def moment_points(s, seat, k):
    """What the tile on slot k pays now: 4 or 6 for each hex, scoring side up only."""
    tile = s.bank[seat, k]
    if tile < 0 or s.face[seat, k] != SCORING_SIDE:
        return 0
    return PAYS[tile] * matches(s, seat, tile)


def pay_moments(s, seat):
    """Every tile that can be scored must be; it then leaves its slot and is cherished."""
    for k in range(SLOTS):
        points = moment_points(s, seat, k)
        if points:
            s.score[seat, s.round_no, BY_MOMENTS] += points
            s.home[s.bank[seat, k]] = CHERISHED + seat
            s.bank[seat, k] = -1
            s.face[seat, k] = ACTION_SIDE


# ---------------------------------------------------------------- threads


def spread(among, start):
    """The hexes connected with `start` inside the set."""
    reached = 0
    edge = start
    while edge:
        reached |= edge
        around = 0
        for h in range(HEXES):
            if (edge >> h) & 1:
                around |= NEAR[h]
        edge = around & among & ~reached
    return reached


def touched(seat, colour, hexes):
    """The slots of the colour that these hexes touch, as a set of places of the ring."""
    found = 0
    for place in range(RING):
        if SLOT[seat, place] == colour and TOUCH[place] & hexes:
            found |= 1 << place
    return found


def filled_slots(s, seat):
    """The filled slots, as a set."""
    found = 0
    for place in range(RING):
        if s.filled[seat, place]:
            found |= 1 << place
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
    filled = filled_slots(s, seat)
    for colour in range(5):
        left = having(s, seat, colour)
        while left:
            part = next_part(left)
            left &= ~part
            slots = connects(seat, colour, part, filled)
            s.score[seat, s.round_no, BY_THREADS] += size(part) * size(slots)
            owe(s, seat, slots)


def owe(s, seat, slots):
    """A fragment is to move into each of these slots."""
    for place in range(RING):
        if (slots >> place) & 1:
            s.owed[seat, place] = 1


def givers(s, seat, place):
    """The hexes that touch the slot and hold its colour."""
    return TOUCH[place] & having(s, seat, SLOT[seat, place])


def build(s, seat):
    """Fragments move into the slots owed; the seat is asked where two hexes could give one and it matters later."""
    for place in range(RING):
        if s.owed[seat, place]:
            hexes = givers(s, seat, place)
            if size(hexes) > 1 and s.round_no < ROUNDS - 1:
                s.due[seat] = place
                s.task[seat] = GIVE
                return
            give(s, seat, place, hexes & -hexes)
    s.due[seat] = -1
    s.task[seat] = WAIT


def give(s, seat, place, giver):
    """One fragment of the hex moves into the slot."""
    for h in range(HEXES):
        if (giver >> h) & 1:
            lift(s, seat, h, SLOT[seat, place])
    s.owed[seat, place] = 0
    s.filled[seat, place] = 1


def legal_give(s, seat, mask):
    """Which of the fragments that touch the slot moves into it."""
    place = s.due[seat]
    hexes = givers(s, seat, place)
    for h in range(HEXES):
        if (hexes >> h) & 1:
            mask[PICK + 5 * h + SLOT[seat, place]] = 1


def giving(s):
    """The seats that still choose."""
    who = 0
    for seat in range(s.players):
        if s.task[seat] == GIVE:
            who |= 1 << seat
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
    s.score[seat, s.round_no, BY_CORE] += core_points(seat, filled_slots(s, seat))


def cherished_with(s, seat, colour):
    """Cherished moments that show the colour in their pattern."""
    n = 0
    for tile in range(TILES):
        if s.home[tile] == CHERISHED + seat and count(PATTERN[tile], colour):
            n += 1
    return n


def aspiration_points(s, seat, colour):
    """1 for each fragment of the colour in hexes, 2 for each in slots, 5 for each cherished moment that shows it."""
    points = 5 * cherished_with(s, seat, colour)
    for h in range(HEXES):
        points += count(s.hexes[seat, h], colour)
    for place in range(RING):
        if s.filled[seat, place] and SLOT[seat, place] == colour:
            points += 2
    return points


def pay_aspiration(s, seat):
    """All reveal their aspiration, and score it."""
    s.score[seat, s.round_no, BY_ASPIRATION] += aspiration_points(s, seat, s.aspiration[seat])


# ---------------------------------------------------------------- the house automa


def automa_pays(s, tile):
    """A claimed tile pays the automa if it has all fragments of the pattern."""
    for c in range(5):
        if count(PATTERN[tile], c) > s.kept[c]:
            return 0
    return PAYS[tile]


def pay_automa_moments(s):
    """The automa scores each claimed tile once and sets it aside."""
    for tile in range(TILES):
        if s.home[tile] == CLAIMED + AUTOMA:
            points = automa_pays(s, tile)
            if points:
                s.score[AUTOMA, s.round_no, BY_MOMENTS] += points
                s.home[tile] = CHERISHED + AUTOMA


def pay_automa_aspiration(s):
    """1 for each fragment of its colour, 5 for each scored tile that shows it."""
    colour = s.aspiration[AUTOMA]
    s.score[AUTOMA, s.round_no, BY_ASPIRATION] += s.kept[colour] + 5 * cherished_with(s, AUTOMA, colour)


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
    if s.takers > s.players:
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
    if s.takers == s.players:
        reveal(s)
    return 0


def reveal(s):
    """Everybody shows their aspiration tile."""
    for seat in range(SEATS):
        for other in range(s.takers):
            s.shown[seat, other] = 1
    s.phase = PAY_ASPIRATIONS


def reveal_automa(s, colour):
    """The automa's aspiration is turned over: nobody has seen it before, so it is drawn now."""
    s.aspiration[AUTOMA] = colour
    reveal(s)


def count_aspirations(s):
    for seat in range(s.players):
        pay_aspiration(s, seat)
    if s.takers > s.players:
        pay_automa_aspiration(s)
    s.phase = OVER


def chosen(s, seat, h):
    """The hex that the seat chose gives a fragment; core memories are next when all are in place."""
    place = s.due[seat]
    give(s, seat, place, 1 << h)
    build(s, seat)
    if not giving(s):
        s.phase = PAY_CORE
