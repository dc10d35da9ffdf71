"""Where the points of the awakening came from: what each common memory paid, and what each fragment was used for."""

from __future__ import annotations

from typing import Any

from recollect.engine import size
from recollect.engine.look import Look
from recollect.engine.sets import members

from ..components import (
    CARD_COLOUR,
    EACH,
    EACH_GOALS,
    OF_COLOUR,
    RUN,
    RUN_GOALS,
    SAME_COLOUR,
    SET,
    SET_GOALS,
    VALUES,
    WHITE,
    WHITE_CARDS,
)
from ..rules.awakening import ALL_VALUES, fragment_goals, kind_worth
from .pieces import card_name, fragment

KIND_COUNT = 3
WHY_NOT = ("short", "pair", "alone", "kind", "none")  # why fragments count nothing, in the order of the rows
FRAGMENT_GOALS = EACH_GOALS | SET_GOALS | int(RUN_GOALS.sum())  # the cards that count fragments


def paid(long: int, c: int) -> int:
    """What a card with a colour goal paid among these memories."""
    steps = WHITE_CARDS if CARD_COLOUR[c] == WHITE else SAME_COLOUR
    return int(steps[min(5, size(long & OF_COLOUR[CARD_COLOUR[c]]))])


def runs(values: int) -> list[list[int]]:
    """Values that follow one another, the longest run first."""
    found: list[list[int]] = []
    for v in range(VALUES):
        if values >> v & 1:
            if found and found[-1][-1] == v - 1:
                found[-1].append(v)
            else:
                found.append([v])
    return sorted(found, key=len, reverse=True)


def best_sets(long: int, found: int) -> int:
    """The values of which a set is made when the fragments are used best."""
    each = EACH if long & EACH_GOALS else 0
    triples = found & found >> VALUES & found >> 2 * VALUES & ALL_VALUES if long & SET_GOALS else 0
    choices = [sets for sets in range(ALL_VALUES + 1) if sets & ~triples == 0]

    def worth(sets: int) -> int:
        rest = [found >> kind * VALUES & ALL_VALUES & ~sets for kind in range(KIND_COUNT)]
        return int(SET * size(sets)) + sum(int(kind_worth(left, size(long & RUN_GOALS[kind]), each)) for kind, left in enumerate(rest))

    return max(choices, key=worth)


def finished(look: Look, seat: int) -> dict[int, dict[str, int]]:
    """For each memory of a seat: as which it was finished, and the tokens that its bits brought."""
    out: dict[int, dict[str, int]] = {}
    long = tokens = 0
    past: Any = look.extra.get("past", ())
    for step in past:
        now = int(step.view.long[seat])
        for c in members(now & ~long):
            dealt = step.view.rounds == 0  # the speed game begins with two; their tokens are nobody's bits
            out[c] = {"nth": len(out) + 1, "tokens": 0 if dealt else int(step.view.tokens[seat]) - tokens}
        long, tokens = now, int(step.view.tokens[seat])
    return out


def uses(look: Look, seat: int) -> list[dict[str, Any]]:
    """The fragments of a seat by what they were used for, with the points."""
    long, found = int(look.view.long[seat]), int(look.view.found[seat])
    sets = best_sets(long, found)
    rows = [("set", [kind * VALUES + v for kind in range(KIND_COUNT)], SET) for v in members(sets)]
    rest: list[int] = []
    for kind in range(KIND_COUNT):
        lines = runs(found >> kind * VALUES & ALL_VALUES & ~sets)
        many = size(long & RUN_GOALS[kind])
        rows += [("run", [kind * VALUES + v for v in line], RUN * len(line)) for line in lines[:many]]
        rest += [kind * VALUES + v for line in lines[many:] for v in line]
    if rest and long & EACH_GOALS:
        rows.append(("each", rest, EACH * len(rest)))
    elif rest:
        rows += [(why, pieces, 0) for why, pieces in idle(long, found, rest)]
    why = wanted(look, long, found) if rows and not rows[-1][2] else None  # told once, in the last row
    last = len(rows) - 1
    return [
        {"how": how, "fragments": [fragment(look, f) for f in pieces], "points": points, "wanted": why if i == last else None}
        | (third(look, found, pieces[0] % VALUES) if how == "pair" else {"lacks": None, "had": ""})
        for i, (how, pieces, points) in enumerate(rows)
    ]


def idle(long: int, found: int, rest: list[int]) -> list[tuple[str, list[int]]]:
    """Fragments that count nothing, by why; where a set lacks its third, by their value: each has another."""
    reasons = {f: unpaid(long, found, f) for f in rest}
    groups = {(WHY_NOT.index(why), f % VALUES if why == "pair" else -1): why for f, why in reasons.items()}
    return [(why, [f for f in rest if reasons[f] == why and v in (-1, f % VALUES)]) for (_, v), why in sorted(groups.items())]


def third(look: Look, found: int, v: int) -> dict[str, Any]:
    """The fragment that a set lacks, and who had it; it stayed on the map if nobody had."""
    lacks = next(kind * VALUES + v for kind in range(KIND_COUNT) if not found >> kind * VALUES + v & 1)
    had = next((seat for seat in range(look.view.players) if look.view.found[seat] >> lacks & 1), None)
    key = "nobody" if had is None else "you" if look.you(had) else "they"
    return {"lacks": fragment(look, lacks), "had": look.t(f"end.use.third_{key}", name="" if had is None else look.names[had])}


def unpaid(long: int, found: int, f: int) -> str:
    """Why a fragment counts nothing: no memory counts any, its run is not the longest, its set lacks a kind, or nothing counts its kind."""
    kind, v = divmod(f, VALUES)
    if not long & FRAGMENT_GOALS:
        return "none"
    if long & RUN_GOALS[kind]:
        return "short"
    if not long & SET_GOALS:
        return "kind"
    return "pair" if sum(found >> other * VALUES + v & 1 for other in range(KIND_COUNT)) == 2 else "alone"


def wanted(look: Look, long: int, found: int) -> dict[str, Any] | None:
    """The common memory that would have paid most for the fragments, and how much more."""
    have, others = int(fragment_goals(long, found)), FRAGMENT_GOALS & ~long
    more = {c: int(fragment_goals(long | 1 << c, found)) - have for c in members(others)}
    best = max(more, key=lambda c: more[c], default=None)
    return {"card": card_name(look, best), "points": more[best]} if best is not None and more[best] else None
