"""What one click may stand for: a whole sowing, a card filled, a flower grown. Each plan is a list of ordinary actions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from recollect.engine import size
from recollect.engine.look import Look

from ..components import ANY, FLOWER_PRICE, SLOT, SLOTS
from ..rules.construction import covered, pays
from ..rules.layout import (
    BUILD,
    CHEST,
    DONE,
    DROP,
    FOOTPRINT,
    GROW,
    HOLD,
    KEEP,
    LAY,
    LAYING,
    PICK,
    REFILL,
    REMEMBER,
    SAVE,
    SHAPE_COUNT,
    TILE_COUNT,
    WALK_TO,
    icons,
)
from ..rules.meditation import emptiest
from ..rules.sowing import ALL_WHITE, WHITE_BITS
from .pieces import already, kinds_in, reach_down

TOO_MANY = 4000  # ways to look along; with so many bits one goes step by step

Way = tuple[int, ...]
Plan = list[int]


def neighbours(s: Any) -> list[list[int]]:
    return beside(tuple(s.near))


@lru_cache(maxsize=8192)
def beside(near: tuple[int, ...]) -> list[list[int]]:
    """The tiles next to each tile."""
    return [[t for t in range(TILE_COUNT) if near[tile] >> t & 1] for tile in range(TILE_COUNT)]


def ways(s: Any, at: int, crossed: int, left: int) -> dict[int, Way]:
    """The tiles on which a way over `left` more tiles can end, each with one such way."""
    return ways_over(tuple(s.near), at, crossed, left)


@lru_cache(maxsize=8192)
def ways_over(map: tuple[int, ...], at: int, crossed: int, left: int) -> dict[int, Way]:
    near, open_ways = beside(map), dict[tuple[int, int], Way]({(at, crossed): ()})
    for _ in range(left):
        open_ways = {(t, seen | 1 << t): (*way, t) for (tile, seen), way in open_ways.items() for t in near[tile] if not seen >> t & 1}
        if len(open_ways) > TOO_MANY:
            return {}
    return {t: way for (t, _), way in open_ways.items()}


def coloured(s: Any) -> list[int]:
    """Bits that may come last: those taken up that have a colour; one that was called up comes last only if there are two."""
    held = kinds_in(s.held)
    if s.chosen and len(held) > 1:
        held.remove(s.upcoming)
    return sorted({k for k in held if k < WHITE_BITS})


def sowing(s: Any, way: Sequence[int], last: int) -> Plan:
    """Drop the bits along the way so that this one comes last: white ones first, as they line up by themselves."""
    rest, plan, upcoming = kinds_in(s.held), Plan(), s.upcoming
    for tile in way:
        if upcoming == last and rest.count(last) == 1 < len(rest):
            upcoming = next(k for k in rest if k != last)
            plan.append(HOLD + upcoming)
        plan.append(DROP + tile)
        rest.remove(upcoming)
        upcoming = min((k for k in rest if k >= WHITE_BITS), default=min(rest, default=-1))
    return plan


def walks(look: Look) -> dict[int, Plan]:
    """Where the girl can go, with her steps."""
    s = look.view
    near, plans, edge = neighbours(s), dict[int, Plan](), {(s.girl, s.crossed): Plan()}
    for _ in range(icons(s, look.seat, FOOTPRINT) - s.steps):
        edge = {(t, seen | 1 << t): [*plan, WALK_TO + t] for (tile, seen), plan in edge.items() for t in near[tile] if not seen >> t & 1}
        for (t, _), plan in edge.items():
            plans.setdefault(t, plan)
    return {t: plan for t, plan in plans.items() if plan[0] in look.legal}


def reaching(c: int, slot: int, own: list[int], n: int) -> list[int]:
    """Bits for the next n slots: what pays first, white ones spared; "any" takes what no other slot wants."""
    shapes = SLOT[c, slot : slot + n]
    taken, rest = dict[int, int](), sorted(own, key=lambda k: (not pays(c, k), k >= WHITE_BITS, k))
    for i in sorted(range(n), key=lambda i: shapes[i] == ANY):
        k = next(k for k in rest if shapes[i] in (ANY, k % SHAPE_COUNT))
        rest.remove(k)
        taken[i] = k
    return [taken[i] for i in range(n)]


def filling(look: Look, c: int, seat: int) -> Plan:
    """Lay on the card all that fits; what is not complete is kept."""
    s = look.view
    slot, own = already(look, c), kinds_in(s.own[seat])
    n = reach_down(look, c, own)
    lays = [LAY + k for k in reaching(c, slot, own, n)]
    return lays if slot + n == SLOTS[c] else [*lays, KEEP] if lays else []


def building(look: Look, c: int) -> Plan:
    """Take the card up and fill it."""
    return [REMEMBER + c, *filling(look, c, look.seat)] if REMEMBER + c in look.legal else []


def lone_lay(look: Look, c: int, bit: int) -> Plan:
    """Lay this bit; when nothing fits the slot after it, the card can only be kept."""
    s = look.view
    slot = int(covered(s, look.seat, s.bench)) + 1
    rest = kinds_in(s.own[look.seat])
    rest.remove(bit)
    stuck = slot < SLOTS[c] and not any(SLOT[c, slot] in (ANY, k % SHAPE_COUNT) for k in rest)
    return [LAY + bit, KEEP] if stuck else [LAY + bit]


def growing(look: Look) -> Plan:
    """With exactly as many bits as a flower costs there is nothing to choose."""
    own = kinds_in(look.view.own[look.seat])
    return [GROW, *(LAY + k for k in own)] if len(own) == FLOWER_PRICE else [GROW]


def saving(look: Look) -> Plan:
    """All bits into chests, when there are chests enough."""
    s = look.view
    own = kinds_in(s.own[look.seat])
    return [*(SAVE + k for k in own), *staying(look)] if 1 < len(own) <= s.room else []


def putting_by(look: Look, bit: int) -> Plan:
    """This bit into a chest; with the last one, or in the last chest, saving is over."""
    s = look.view
    over = s.room == 1 or size(s.own[look.seat]) == 1
    return [SAVE + bit, *(staying(look) if over else [])]


def picking(look: Look) -> Plan:
    """All white bits of the last tile, when all may be taken."""
    s = look.view
    lie = kinds_in(s.bits[s.at] & ALL_WHITE)
    return [PICK + k - WHITE_BITS for k in lie] if 1 < len(lie) <= s.picks else []


def refilling(look: Look) -> Plan:
    """One bit on each of as many of the emptiest tiles as there are bits."""
    s = look.view
    lie, bits = [t for t in range(TILE_COUNT) if emptiest(s) >> t & 1], size(s.grid)
    return [REFILL + t for t in lie[:bits]] if bits > 1 else []


def idle_walk(look: Look) -> bool:
    """The girl has still to walk, and no flower is there to plant: a walk would bring nothing."""
    s = look.view
    return not s.strolled and s.circle[look.seat] + s.bloom[look.seat] == 0


def staying(look: Look) -> Plan:
    """The girl stays where she is, if a walk would bring nothing: she could have walked at the beginning."""
    return [DONE] if idle_walk(look) else []


def ending(look: Look) -> Plan:
    """Done building; and where neither chests nor flowers ask for anything, on to meditation."""
    s = look.view
    chests_ask = kinds_in(s.own[look.seat]) and icons(s, look.seat, CHEST)
    return [DONE] if chests_ask else [DONE, *staying(look)]


def forced(look: Look) -> int | None:
    """An answer that leaves no choice is not asked for."""
    s = look.view
    if len(look.legal) != 1:
        return None
    (only,) = look.legal
    if s.stage == LAYING or (s.stage == BUILD and s.strolled):
        return only
    return None
