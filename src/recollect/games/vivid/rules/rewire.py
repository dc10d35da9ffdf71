"""The rewire action: fragments move out of one chosen hex into its neighbours, or into it from them, never both.

The chosen hex need not be named first: all moves of one rewiring must have left one hex, or gone into one hex.
"""

from ..components import CAP, HEXES, NEAR
from .fragments import ANY, around, empty, forget, lift, occupied, point, put, roomy, size_of
from .layout import DONE, MAKE_ROOM, PICK, PLACE


def begin_rewire(s):
    """Any hex may still be the chosen one."""
    s.moved = 0
    s.out_of = -1
    s.into = -1


def sources(s, seat):
    """The hexes from which a fragment may go: anywhere at first, then out of the same hex, or into the same."""
    some, room = occupied(s, seat), roomy(s, seat)
    if s.moved == 0:
        return some & around(room)
    found = 0
    if s.out_of >= 0 and (some >> s.out_of) & 1 and NEAR[s.out_of] & room:
        found = 1 << s.out_of
    if s.into >= 0 and (room >> s.into) & 1:
        found |= int(NEAR[s.into]) & some
    return found


def targets(s, seat, h):
    """Where a fragment of hex h may go: a neighbour with room, so that all left one hex or all went into one."""
    to = int(NEAR[h]) & roomy(s, seat)
    if s.moved and h != s.out_of:
        to &= 1 << s.into if s.into >= 0 else 0
    if s.task[seat] == MAKE_ROOM:
        to = making_room(s, seat, h, to)
    return to


# ---------------------------------------------------------------- with no empty hex at the start of a turn


def making_room(s, seat, h, to):
    """Of these targets, the ones from which an empty hex can still be reached."""
    kept = 0
    for t in range(HEXES):
        if (to >> t) & 1 and (empties_source(s, seat, h) or empties_neighbour(s, seat, h, t)):
            kept |= 1 << t
    return kept


def empties_source(s, seat, h):
    """All fragments of hex h can leave it: its neighbours have room for them."""
    if s.moved and s.out_of != h:
        return 0
    room = 0
    for n in range(HEXES):
        if (NEAR[h] >> n) & 1:
            room += CAP - size_of(s.hexes[seat, n])
    return 1 if size_of(s.hexes[seat, h]) <= room else 0


def empties_neighbour(s, seat, h, t):
    """After a move from h to t, moves into t can empty one of its neighbours (or this one did)."""
    if size_of(s.hexes[seat, h]) == 1:
        return 1
    if s.moved and s.into != t:
        return 0
    room = CAP - size_of(s.hexes[seat, t]) - 1
    for n in range(HEXES):
        if (NEAR[t] >> n) & 1 and size_of(s.hexes[seat, n]) - (1 if n == h else 0) <= room:
            return 1
    return 0


def that_make_room(s, seat, hexes):
    """Of these hexes, the ones whose fragments may go somewhere on the way to an empty hex."""
    kept = 0
    for h in range(HEXES):
        if (hexes >> h) & 1 and targets(s, seat, h):
            kept |= 1 << h
    return kept


# ---------------------------------------------------------------- choices, and what comes of them


def ask_rewire(s, seat):
    """Pick a fragment, then its target; done at any time, but with room to be made only when there is, or can be none."""
    if s.held[seat] >= 0:
        return PLACE, targets(s, seat, s.held[seat]), 0, 0
    hexes = sources(s, seat)
    if s.task[seat] == MAKE_ROOM:
        hexes = that_make_room(s, seat, hexes)
        if hexes and not empty(s, seat):
            return PICK, 0, hexes, ANY
    return DONE, 1, hexes, ANY


def rewire_step(s, seat, action):
    """Point at a fragment, or move it."""
    if action >= PICK:
        point(s, seat, action - PICK)
        return
    h = s.held[seat]
    t = action - PLACE
    lift(s, seat, h, s.what[seat])
    put(s, seat, t, s.what[seat])
    s.out_of = h if s.moved == 0 or s.out_of == h else -1
    s.into = t if s.moved == 0 or s.into == t else -1
    s.moved += 1
    forget(s, seat)
