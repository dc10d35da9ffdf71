"""Phase 1, planting flowers: the girl walks, and may leave a flower for a fragment."""

from .layout import DONE, FOOTPRINT, MEDITATE, MORNING, PLANT, TILE_COUNT, WALK, WALK_TO, clear_trail, icons


def wander(s):
    """The girl sets out; her way begins where she stands."""
    s.stage = WALK
    clear_trail(s)
    s.trail[s.girl] = 1


def may_walk(s, seat, mask):
    """To connected tiles without turning back, as far as the footprints; then a flower."""
    if s.steps < icons(s, seat, FOOTPRINT):
        for tile in range(TILE_COUNT):
            if (s.near[s.girl] >> tile) & 1 and s.trail[tile] == 0:
                mask[WALK_TO + tile] = 1
    if s.fragment[s.girl] >= 0:
        mask[PLANT] = s.circle[seat] > 0
        mask[PLANT + 1] = s.bloom[seat] > 0
    mask[DONE] = s.sown or s.steps > 0


def walk(s, seat, tile):
    """One step; she stops by herself when nothing is left to do."""
    s.girl = tile
    s.steps += 1
    s.trail[tile] = s.steps + 1
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
    s.found[seat, s.fragment[s.girl]] = 1
    s.fragment[s.girl] = -1
    end_walk(s)


def end_walk(s):
    """The planting phase is over, before sowing or after Déjà Vu."""
    s.strolled = 1
    clear_trail(s)
    s.stage = MEDITATE if s.sown else MORNING
