"""Phase 1, planting flowers: the girl walks, and may leave a flower for a fragment."""

from recollect.engine.sets import WORD

from .layout import DONE, FOOTPRINT, MEDITATE, MORNING, PLANT, WALK, WALK_TO, forget_way, icons, set_out, step_to


def wander(s):
    """The girl sets out; her way begins where she stands."""
    s.stage = WALK
    set_out(s, s.girl)


def walks(s, seat):
    """To connected tiles without turning back, as far as the footprints; then a flower; or she stays."""
    some = 0
    if s.steps < icons(s, seat, FOOTPRINT):
        some = s.near[s.girl] & ~s.crossed
    if s.fragment[s.girl] >= 0:
        some |= ((s.circle[seat] > 0) | (s.bloom[seat] > 0) << 1) << (PLANT - WALK_TO)
    return WALK_TO, some, (s.sown | (s.steps > 0)) << (DONE - WALK_TO - WORD)


def walk(s, seat, tile):
    """One step; she stops by herself when nothing is left to do."""
    s.girl = tile
    step_to(s, tile)
    if s.steps >= icons(s, seat, FOOTPRINT) and not can_plant(s, seat):
        end_walk(s)


def can_plant(s, seat):
    """There is a flower, and a fragment where she stands."""
    return s.fragment[s.girl] >= 0 and (s.circle[seat] > 0 or s.bloom[seat] > 0)


def plant(s, seat, source):
    """A flower for the fragment of this tile; she moves no more."""
    if source == 0:
        s.circle[seat] = 0
    else:
        s.bloom[seat] -= 1
    s.found[seat] |= 1 << s.fragment[s.girl]
    s.fragment[s.girl] = -1
    end_walk(s)


def end_walk(s):
    """The planting phase is over, before sowing or after Déjà Vu."""
    s.strolled = 1
    forget_way(s)
    s.stage = MEDITATE if s.sown else MORNING
