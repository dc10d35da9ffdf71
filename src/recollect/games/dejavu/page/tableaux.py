"""What lies before each seat: the bench, memories, chests, points."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from recollect.engine import size
from recollect.engine.drawn import Drawn, once
from recollect.engine.look import Look
from recollect.engine.sets import members
from recollect.engine.texts import Texts

from ..components import ANY, AWAKENING, CARD_COLOUR, CARDS, FLOWERING, NUMBER, NUMBERS, POWER, POWERS, SLOT, SLOTS
from ..rules.awakening import POINTS, points
from ..rules.construction import can_stay, commons, pays
from ..rules.layout import (
    BUILD,
    CHEST,
    CHOOSE,
    FOOTPRINT,
    GROWING,
    HAND,
    KEEP,
    LAYING,
    ORDINARIES,
    REMEMBER,
    SAVING,
    SHAPE_COUNT,
    SHORT_TERM,
    WHITE_PICK,
    WHITES,
    begun,
    icons,
    short_limit,
)
from .ended import paid
from .pieces import (
    already,
    begun_cards,
    bit,
    bit_name,
    candidates,
    card,
    card_name,
    fragment,
    held_cards,
    kinds_in,
    link_hint,
    linked,
    lying_card,
    pile,
    reach_down,
    slots_of,
    tag,
)
from .plans import building, filling, lone_lay, reaching

PIPS = tuple(range(AWAKENING))


def bench_seat(s: Any) -> int:
    return int(s.turn)


def bench_card(s: Any) -> int:
    return int(s.short[bench_seat(s), s.bench])


def bench(look: Look) -> dict[str, Any]:
    """The card being built: what lies on it, what may come next, what it would be worth."""
    s = look.view
    seat, c = bench_seat(s), bench_card(s)
    laid = [k for k in s.laid.tolist()[seat][s.bench] if k >= 0]
    own = kinds_in(s.own[seat])
    rows: list[dict[str, Any]] = [{"mood": "done", "said": bit_name(look, k), "pays": int(pays(c, k)), "bits": []} for k in laid]
    plan = reaching(c, len(laid), own, reach_down(look, c, own)) if look.seat == seat else []
    for slot in range(len(laid), int(SLOTS[c])):
        mine = plan[slot - len(laid)] if slot - len(laid) < len(plan) else None
        rows.append(next_slot(look, c, own, slot) if slot == len(laid) and look.seat == seat else later_slot(look, c, mine))
        if mine is None:
            break
    whole = len(laid) + len(plan) == SLOTS[c]
    fill = filling(look, c, seat) if look.seat == seat and s.stage == LAYING else []
    tokens = sum(int(pays(c, k)) for k in laid + plan)
    worth = gain(look, seat, c)
    limit = short_limit(s, seat)
    return {
        "card": card(look, c, laid, fits=len(plan)),
        "name": card_name(look, c),
        "rows": rows,
        "whole": whole,
        "tokens": tokens,
        "mine": seat == look.seat,
        "worth": {"tokens": tokens, **worth},
        "total": tokens + sum(worth.values()),
        "keep": KEEP if KEEP in look.legal else None,
        "fill": fill if len(fill) > (not whole) and fill[0] in look.legal else [],
        "stays": bool(can_stay(s, seat)),
        "laid": len(laid),
        "laid_now": bool(s.fresh),
        "place": begun(s, seat),
        "limit": limit,
        "power": "" if c >= ORDINARIES else POWERS[POWER[c]],
    }


def next_slot(look: Look, c: int, own: list[int], slot: int) -> dict[str, Any]:
    """The slot that is covered next: the bits to choose from, those that pay first."""
    fit = sorted({k for k in own if SLOT[c, slot] in (ANY, k % SHAPE_COUNT)}, key=lambda k: (not pays(c, k), k))
    plans = [(k, lone_lay(look, c, k)) for k in fit]
    bits = [bit(look, k, act=plan[0], then=plan[1:], lit=plan[0] in look.legal, pays=int(pays(c, k))) for k, plan in plans]
    return {"mood": "now", "said": "", "pays": 0, "bits": bits}


def later_slot(look: Look, c: int, k: int | None) -> dict[str, Any]:
    """A slot further down, and the bit that would cover it."""
    return {"mood": "later", "said": "", "pays": 0 if k is None else int(pays(c, k)), "bits": [] if k is None else [bit(look, k)]}


def gain(look: Look, seat: int, c: int) -> dict[str, int]:
    """Points that a card would add when it is remembered, tokens aside."""
    s = look.view
    before, after = row_of(s, seat), points_of(s.long[seat] | 1 << c, s.tokens[seat], s.found[seat])
    return {key: after[key] - before[key] for key in ("cards", "goals", "links")}


def fits(look: Look) -> list[dict[str, Any]]:
    """Where the bits in the tray fit."""
    s = look.view
    if s.stage not in (BUILD, LAYING):
        return []
    have = kinds_in(s.own[look.seat])
    rows = []
    for c in candidates(look):
        n = reach_down(look, c, have)
        if n:
            rows.append(fitting(look, c, "hand" if s.hand[look.seat] >> c & 1 else "short", already(look, c), n))
    for c in members(commons(s, look.seat, size(s.own[look.seat]))):
        rows.append(fitting(look, c, "common", 0, len(slots_of(c))))
    return sorted(rows, key=lambda r: (not r["whole"], -r["fits"]))


def fitting(look: Look, c: int, where: str, covered: int, n: int) -> dict[str, Any]:
    """A card on which the next n bits fit."""
    slots = slots_of(c)
    plan = building(look, c) if look.view.stage == BUILD else []
    return {
        **tag(c),
        "id": CARDS[c],
        "where": look.t(f"label.{where}"),
        "slots": slots,
        "covered": covered,
        "fits": n,
        "whole": n + covered == len(slots),
        "act": REMEMBER + c,
        "then": plan[1:],
        "lit": REMEMBER + c in look.legal,
        "words": look.t("label.fills", card=card_name(look, c), n=n + covered, m=len(slots)),
    }


def panorama(cards: list[int]) -> list[list[int]]:
    """Long-term cards in groups: those that link stand side by side and make one picture; 7 goes on with 1."""
    groups: list[list[int]] = []
    for c in sorted(cards, key=lambda c: (CARD_COLOUR[c], NUMBER[c])):
        if groups and linked(groups[-1][-1], c):
            groups[-1].append(c)
        else:
            groups.append([c])
    for seven in [g for g in groups if NUMBER[g[-1]] == NUMBERS]:
        one = next((g for g in groups if g is not seven and linked(seven[-1], g[0]) and NUMBER[g[0]] == 1), None)
        if one:
            groups.remove(one)
            seven += one
    return groups


def short_card(look: Look, seat: int, place: int, c: int, have: list[int]) -> Drawn:
    """A card that was begun, with the bits that lie on it."""
    laid = [k for k in look.view.laid.tolist()[seat][place] if k >= 0]
    return card(look, c, laid, fits=reach_down(look, c, have) if have else 0)


@lru_cache(maxsize=4096)
def memories(t: Texts, long: int, blooming: int, looks: int) -> tuple[tuple[Drawn, ...], ...]:
    """Long-term cards as they lie, in groups; so many of those with a flower bloom. `looks` are the memories of the one who looks."""
    blooms = [c for c in members(long) if FLOWERING[c]][:blooming]

    def memory(c: int) -> Drawn:
        more = ("bloom", c in blooms), ("paid", paid(long, c))
        return lying_card(t, c, (), REMEMBER + c, False, False, link_hint(t, c, looks), *more)

    return tuple([tuple([memory(c) for c in group]) for group in panorama(list(members(long)))])


def tableau(look: Look, seat: int) -> Drawn:
    """What lies before a seat. The hand of another is only a number."""
    s = look.view
    mine, long = seat == look.seat, s.long[seat]
    now = mine and seat == s.turn
    have = kinds_in(s.own[seat]) if now and s.stage in (BUILD, LAYING) else []  # what may be laid now
    dealt = mine and s.stage == CHOOSE and seat in look.acting  # then they lie large on the table
    hand = held_cards(look) if mine and not dealt else []
    building = now and s.stage in (WHITES, BUILD, LAYING, GROWING, SAVING)  # then they lie in the tray
    kept = pile(look, s.saved) if building else pile(look, s.own[seat])
    return once(
        seat=seat,
        long=memories(look.t, long, s.bloom[seat], s.long[look.seat] if look.seat >= 0 else 0),
        pips=PIPS,
        short=tuple([short_card(look, seat, place, c, have) for place, c in begun_cards(s, seat)]),
        free=max(0, short_limit(s, seat) - int(begun(s, seat))),
        benched=s.bench >= 0 and seat == s.turn,
        hand=tuple([card(look, c, fits=reach_down(look, c, have)) for c in hand]),
        hand_count=0 if dealt else s.hand_count[seat],
        kept=kept,
        empty=max(0, printed_on(long)["chests"] - len(kept)),
        circle=bool(s.circle[seat]),
        ready=s.circle[seat] + s.bloom[seat],
        fragments=tuple([fragment(look, f) for f in members(s.found[seat])]),
        total=sum(row_of(s, seat).values()),
        awake=s.awake == seat,
        **printed_on(long),
    )


@lru_cache(maxsize=4096)
def printed_on(long: int) -> dict[str, int]:
    """What these memories and the girl's tile let a player do."""
    one: Any = SimpleNamespace(long=(long,))
    return {
        "count": size(long),
        "short_limit": int(short_limit(one, 0)),
        "hand_limit": int(icons(one, 0, HAND)),
        "steps": int(icons(one, 0, FOOTPRINT)),
        "whites": int(icons(one, 0, WHITE_PICK)),
        "shorts": int(icons(one, 0, SHORT_TERM)),
        "chests": int(icons(one, 0, CHEST)),
    }


def row_of(s: Any, seat: int) -> dict[str, int]:
    """Points of a seat: tokens, cards, goals (colours and fragments), links."""
    return points_of(s.long[seat], s.tokens[seat], s.found[seat])


@lru_cache(maxsize=4096)
def points_of(long: int, tokens: int, found: int) -> dict[str, int]:
    """What these memories, tokens and fragments are worth: asked of the rules once for the same."""
    out = np.zeros((1, len(POINTS)), np.int64)
    points(SimpleNamespace(players=1, long=(long,), tokens=(tokens,), found=(found,)), out)
    by = dict(zip(POINTS, out[0].tolist(), strict=True))
    return {"tokens": by["tokens"], "cards": by["cards"], "goals": by["colours"] + by["fragments"], "links": by["links"]}


def scores(look: Look, plus: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Points as they stand, and what the card on the bench would add."""
    s, rows = look.view, list[dict[str, Any]]()
    for seat in range(s.players):
        row = row_of(s, seat)
        more = plus["worth"] if plus and plus["whole"] and seat == bench_seat(s) else {}
        rows.append(
            {
                "seat": seat,
                "name": look.names[seat],
                "me": look.you(seat),
                "parts": row,
                "total": sum(row.values()),
                "plus": more,
                "more": sum(more.values()),
            }
        )
    return rows
