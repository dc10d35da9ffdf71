"""What a seat sees: the cosmic map, the tableaux, the bench, and the one sentence that says what to do. No rule is decided here."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from recollect.engine.look import Look

from .awakening import POINTS, points
from .components import (
    ANY,
    AWAKENING,
    BITS,
    CARD_COLOUR,
    CARD_POINTS,
    CARDS,
    COLOURS,
    COMMON_COUNT,
    EACH,
    EAST,
    FLOWER_PRICE,
    FLOWERING,
    FRAGMENTS,
    GOAL,
    GOAL_KIND,
    GOALS,
    GRID,
    ICONS,
    KINDS,
    NO_GOAL,
    NUMBER,
    NUMBERS,
    PLACES,
    POWER,
    POWERS,
    RUN,
    SAME_COLOUR,
    SET,
    SHAPES,
    SLOT,
    SLOTS,
    SOUTH,
    TILES,
    WHITE_CARDS,
)
from .construction import can_stay, covered, covers, pays, shapes
from .layout import (
    BUILD,
    CHEST,
    CHOOSE,
    DISCARD,
    DISCARDING,
    DONE,
    DROP,
    FOOTPRINT,
    GROW,
    GROWING,
    HAND,
    HOLD,
    KEEP,
    LAY,
    LAYING,
    MAP,
    MORNING,
    ORDINARIES,
    PICK,
    PLACE,
    PLANT,
    REFILL,
    REFILLING,
    REMEMBER,
    SAVE,
    SAVING,
    SEATS,
    SHAPE_COUNT,
    SHORT_TERM,
    SOW,
    SOW_FROM,
    STAGES,
    TILE_COUNT,
    WALK,
    WALK_TO,
    WANDER,
    WHITE_PICK,
    WHITES,
    begun,
    icons,
    remembered,
    short_limit,
)
from .mapping import ALL_SIDES, way_on
from .meditation import bits_on, hand_limit, in_grid
from .sowing import WHITE_BITS, colourful, crossed_tiles, in_hand

STEP, ROW, TALL = 173.2, 150, 200  # a tile's width, the way from row to row, a tile's height, in units of the drawing
ICON = {"hand": "hand", "footprint": "foot", "short_term": "short", "white_pick": "pick", "chest": "chest", "flower": "flower"}
PHASE = {MORNING: 2, SOW: 2, WHITES: 2, BUILD: 3, LAYING: 3, GROWING: 3, SAVING: 3, WALK: 1, REFILLING: 4, DISCARDING: 4}
COLUMNS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}  # bits side by side on a tile


def scene(look: Look) -> dict[str, Any]:
    s = look.view
    you = tableau(look, look.seat) if look.seat >= 0 else None
    asked = look.seat in look.acting
    return {
        "stage": STAGES[s.stage],
        "phase": PHASE.get(s.stage, 0),
        "phases": [(i, look.t(f"phase.{i}.name"), look.t(f"phase.{i}.note")) for i in (1, 2, 3, 4)],
        "round": min(s.rounds, s.last_round),
        "asked": asked,
        "say": sentence(look),
        "map": cosmic_map(look),
        "queue": queue(look) if asked else [],
        "tray": tray(look) if asked else [],
        "buttons": buttons(look),
        "ends": ends(look) if asked else [],
        "fits": fits(look) if asked else [],
        "bench": bench(look) if s.bench >= 0 else None,
        "dealt": [card(look, c) for c in held_cards(look)] if s.stage == CHOOSE and asked else [],
        "you": you,
        "rivals": {seat: tableau(look, seat) for seat in range(s.players) if seat != look.seat},
        "commons": [common(look, c) for c in range(ORDINARIES, ORDINARIES + COMMON_COUNT)],
        "grid": {"bits": pile(look, s.grid), "cells": GRID, "soon": sum(s.aside.tolist())},
        "deck": s.deck_count,
        "discard": sum(s.discard.tolist()),
        "flowers": s.flowers,
        "scores": scores(look),
        "goal": AWAKENING,
        "awake": s.awake >= 0,
        "tables": [tableau(look, seat) for seat in range(s.players)] if look.over else [],
        "last_turns": s.awake >= 0 and not look.over,
    }


# --- words ------------------------------------------------------------------------------------------------------------
def named(look: Look, group: str, key: str) -> str:
    """The word for a thing; an owner's own name for it if there is no word."""
    return look.t(f"{group}.{key}") if f"{group}.{key}" in look.t else key.replace("-", " ")


def tile_name(look: Look, tile: int) -> str:
    return named(look, "tiles", TILES[tile])


def bit_name(look: Look, bit: int) -> str:
    return named(look, "bits", BITS[bit])


def card_name(look: Look, c: int) -> str:
    return f"{named(look, 'colours', COLOURS[CARD_COLOUR[c]])} {NUMBER[c]}"


def sentence(look: Look) -> str:
    """The one sentence that says what to do, or what is awaited."""
    s = look.view
    stage = STAGES[s.stage]
    if look.over:
        return look.t("say.over")
    if look.seat not in look.acting:
        names = " · ".join(look.names[seat] for seat in sorted(look.acting))
        return look.t(f"wait.{stage}" if f"wait.{stage}" in look.t else "wait.someone", name=names)
    if s.stage == MORNING:
        key = "none" if DONE in look.legal else "walked" if s.strolled else "morning"
        return look.t(f"say.morning_{key}")
    if s.stage == SOW:
        last = lined_up(look)[-1]
        args = {"next": bit_name(look, s.upcoming), "last": bit_name(look, last), "colour": named(look, "gathered", COLOURS[last // SHAPE_COUNT])}
        return look.t("say.sow_last" if in_hand(s) == 1 else "say.sow", **args)
    if s.stage == WALK:
        steps = icons(s, look.seat, FOOTPRINT) - s.steps
        plant = any(PLANT <= a < PICK for a in look.legal)
        return look.t("say.walk_plant" if plant else "say.walk", n=steps)
    if s.stage == LAYING:
        c, slot = bench_card(s), covered(s, bench_seat(s), s.bench)
        shape = "any" if SLOT[c, slot] == ANY else SHAPES[SLOT[c, slot]]
        return look.t("say.lay" if any(LAY <= a < DROP for a in look.legal) else "say.lay_none", card=card_name(look, c), shape=named(look, "slots", shape))
    if s.stage == BUILD:
        builds = any(REMEMBER <= a < KEEP for a in look.legal)
        return look.t("say.build" if builds else "say.build_grow" if GROW in look.legal else "say.build_none")
    if s.stage == CHOOSE:
        many = s.hand_count[look.seat] - int(ICONS[HAND])
        if any(REMEMBER <= a < KEEP for a in look.legal):
            return look.t("say.choose_remember", n=many - 2)
        return look.t("say.choose", n=many)
    if s.stage == REFILLING:
        return look.t("say.refill", n=in_grid(s))
    if s.stage == WHITES:
        return look.t("say.white", n=s.picks, at=tile_name(look, s.at))
    if s.stage == GROWING:
        return look.t("say.grow", n=FLOWER_PRICE - s.paid)
    if s.stage == SAVING:
        return look.t("say.save", n=s.room)
    if s.stage == DISCARDING:
        return look.t("say.discard", n=hand_limit(s, look.seat))
    return look.t(f"say.{stage}")


def buttons(look: Look) -> list[dict[str, Any]]:
    """Answers that are no piece on the table."""
    s, out = look.view, []

    def offer(id: str, action: int, main: bool = False, icon: str = "") -> None:
        if action in look.legal:
            out.append({"id": id, "act": action, "words": look.t(f"do.{id}"), "main": main, "icon": icon})

    offer("wander", WANDER, icon="foot")
    offer("plant-circle", PLANT, True, "flower")
    offer("plant-card", PLANT + 1, not out, "flower")
    offer("grow", GROW, icon="flower")
    done = {MORNING: "skip", WALK: "stay", WHITES: "enough", BUILD: "built", SAVING: "saved", DISCARDING: "draw"}
    if s.stage in done:
        offer(done[s.stage], DONE, s.stage in (DISCARDING, BUILD) or not out)
    return out


# --- bits -------------------------------------------------------------------------------------------------------------
def bit(look: Look, kind: int, mood: str = "", **more: Any) -> dict[str, Any]:
    return {"colour": COLOURS[kind // SHAPE_COUNT], "shape": SHAPES[kind % SHAPE_COUNT], "words": bit_name(look, kind), "mood": mood, "step": 0, **more}


def pile(look: Look, counts: Any) -> list[dict[str, Any]]:
    return [bit(look, k) for k in kinds_in(counts)]


def kinds_in(counts: Any) -> list[int]:
    return [k for k, n in enumerate(counts.tolist() if hasattr(counts, "tolist") else counts) for _ in range(max(0, n))]


def lined_up(look: Look) -> list[int]:
    """Bits still to drop in the order in which they come up: the upcoming one, white ones, the others."""
    s = look.view
    rest = kinds_in(s.held)
    rest.remove(s.upcoming)
    return [s.upcoming, *[k for k in rest if k >= WHITE_BITS], *[k for k in rest if k < WHITE_BITS]]


def queue(look: Look) -> list[dict[str, Any]]:
    """The bits in hand while sowing; each may be called up next if that is legal."""
    if look.view.stage != SOW:
        return []
    line = lined_up(look)
    out = []
    for i, k in enumerate(line):
        role = "next" if i == 0 else "last" if i == len(line) - 1 else ""
        out.append(bit(look, k, role=role, act=HOLD + k, lit=HOLD + k in look.legal))
    return out


def tray(look: Look) -> list[dict[str, Any]]:
    """The bits one has for building, each with what a click on it means now."""
    s, seat = look.view, look.seat
    if s.stage == WHITES:
        return [bit(look, WHITE_BITS + a - PICK, act=a, lit=True, pays=None) for a in sorted(look.legal) if PICK <= a < SAVE]
    if s.stage not in (BUILD, LAYING, GROWING, SAVING):
        return []
    start = SAVE if s.stage == SAVING else LAY
    c = bench_card(s) if s.bench >= 0 else -1
    out = []
    for k in kinds_in(s.own.tolist()[seat]):
        lit = start + k in look.legal
        out.append(bit(look, k, act=start + k, lit=lit, pays=int(pays(c, k)) if lit and s.stage == LAYING else None))
    return out


# --- the map ----------------------------------------------------------------------------------------------------------
def spot(east: int, south: int) -> tuple[float, float]:
    return STEP * (east + south / 2), ROW * south


def cosmic_map(look: Look) -> dict[str, Any]:
    """Tiles with what lies on them, where the next one may go, and the way of a sowing or a walk."""
    s = look.view
    centres = [spot(s.east[t], s.south[t]) for t in range(s.placed)]
    ghosts = [(a, spot(*side_of(s, a))) for a in sorted(look.legal) if PLACE <= a < PLACE + (TILE_COUNT - 1) * ALL_SIDES] if s.stage == MAP else []
    xs, ys = [x for x, _ in centres] + [g[0] for _, g in ghosts], [y for _, y in centres] + [g[1] for _, g in ghosts]
    left, top = min(xs) - STEP / 2, min(ys) - TALL / 2
    wide, tall = max(xs) - left + STEP / 2, max(ys) - top + TALL / 2
    at = lambda x, y: {"x": round(x - left, 1), "y": round(y - top, 1)}  # noqa: E731
    way = sorted((s.trail[t], t) for t in range(s.placed) if s.trail[t])
    after = [a - start for start in (DROP, WALK_TO) for a in look.legal if start <= a < start + TILE_COUNT]
    here = way[-1][1] if way else -1
    gains = may_end(look)
    return {
        "wide": round(wide, 1),
        "tall": round(tall, 1),
        "across": wide > tall,
        "tiles": [{**tile(look, t, gains.get(t, [])), **at(*centres[t])} for t in range(s.placed)],
        "ghosts": [{"act": a, **at(*g)} for a, g in ghosts],
        "way": [at(*centres[t]) for _, t in way],
        "steps": [(at(*centres[here]), at(*centres[t])) for t in after] if here >= 0 else [],
        "start": at(*centres[way[0][1]]) if way and s.stage in (SOW, WHITES) else None,
    }


def side_of(s: Any, action: int) -> tuple[int, int]:
    t, side = divmod(action - PLACE, ALL_SIDES)
    return s.east[t] + int(EAST[side]), s.south[t] + int(SOUTH[side])


def tile(look: Look, t: int, end: list[int]) -> dict[str, Any]:
    """One tile; `end` is what a sowing that ends here would gather."""
    s = look.view
    action, lit = tile_action(look, t)
    if len(end) == 1 and in_hand(s) > 2:
        end = []  # of many possible ends only the richer ones are marked
    colour = end[0] // SHAPE_COUNT if end else -1
    bits = [bit(look, k, "gather" if k // SHAPE_COUNT == colour else "", id=f"{TILES[t]}-{i}") for i, k in enumerate(kinds_in(s.bits.tolist()[t]))]
    if lit and s.stage == SOW:
        bits.append(bit(look, s.upcoming, "chance"))
    flower = s.rounds > 0 and s.fragment[t] < 0
    many = len(bits) + (s.girl == t)
    return {
        "id": TILES[t],
        "name": tile_name(look, t),
        "bits": bits,
        "girl": s.girl == t,
        "flower": flower,
        "fragment": fragment(look, s.fragment[t]) if s.fragment[t] >= 0 else None,
        "act": action,
        "lit": lit,
        "mode": {SOW_FROM: "sow", WALK_TO: "walk", DROP: "drop", REFILL: "refill"}.get(action - t, "") if lit else "",
        "start": s.trail[t] == 1 and s.stage in (SOW, WHITES),
        "step": s.trail[t] - 1 if s.trail[t] > 1 else 0,
        "gain": len(end),
        "gain_colour": COLOURS[colour] if end else "",
        "cols": COLUMNS.get(many, 4),
        "many": many > 8,
        "words": tile_words(look, t, bits, flower),
    }


def tile_words(look: Look, t: int, bits: list[dict[str, Any]], flower: bool) -> str:
    """A tile for those who hear it."""
    s = look.view
    lie = Counter(b["words"] for b in bits if b["mood"] != "chance")
    parts = [f"{tile_name(look, t)}: " + (", ".join(f"{n} × {w}" if n > 1 else w for w, n in lie.items()) or look.t("label.no_bits"))]
    if flower:
        parts.append(look.t("label.flower"))
    elif s.fragment[t] >= 0:
        parts.append(fragment(look, s.fragment[t])["words"])
    if s.girl == t:
        parts.append(look.t("label.girl"))
    return "; ".join(parts)


def tile_action(look: Look, t: int) -> tuple[int, bool]:
    """What a click on a tile means now, and whether it is legal."""
    start = {MORNING: SOW_FROM, WALK: WALK_TO, SOW: DROP, REFILLING: REFILL}.get(look.view.stage, SOW_FROM)
    return start + t, start + t in look.legal


def fragment(look: Look, f: int) -> dict[str, Any]:
    kind, value = FRAGMENTS[f].rsplit("-", 1)
    return {"kind": kind, "value": value, "words": look.t("label.fragment", kind=named(look, "kinds", kind), value=value)}


def may_end(look: Look) -> dict[int, list[int]]:
    """Tiles where this sowing can end, with the bits that would be gathered there if the order stays as it is."""
    s = look.view
    if s.stage != SOW or look.seat not in look.acting:
        return {}
    last = lined_up(look)[-1]
    colour = range(last // SHAPE_COUNT * SHAPE_COUNT, (last // SHAPE_COUNT + 1) * SHAPE_COUNT)
    return {t: [last] + [k for k in colour for _ in range(s.bits[t, k])] for t in sorted(reachable(s, s.at, crossed_tiles(s), in_hand(s)))}


def reachable(s: Any, at: int, crossed: int, left: int) -> set[int]:
    """Tiles on which a way over `left` more tiles can end."""
    near = [[t for t in range(TILE_COUNT) if s.near[tile] >> t & 1] for tile in range(TILE_COUNT)]
    ways = {(at, crossed)}
    for _ in range(left):
        ways = {(t, seen | 1 << t) for tile, seen in ways for t in near[tile] if not seen >> t & 1}
        if len(ways) > 4000:  # far too many bits to look so far ahead
            return set()
    return {t for t, _ in ways}


def ends(look: Look) -> list[dict[str, Any]]:
    """Each end of the sowing: what it brings, and the card that it would help most."""
    s = look.view
    rows = []
    for t, got in may_end(look).items():
        have = kinds_in(s.own.tolist()[look.seat]) + got
        best = max(candidates(look), key=lambda c: (reach_down(look, c, have) / open_slots(look, c), CARD_POINTS[c]), default=None)
        done = already(look, best) + reach_down(look, best, have) if best is not None else 0
        near = DROP + t in look.legal
        rows.append({
            "id": TILES[t], "name": tile_name(look, t), "bits": [bit(look, k) for k in got], "act": DROP + t if near else None,
            "card": tag(best) if best is not None and done else None, "done": done, "of": int(SLOTS[best]) if best is not None else 0,
        })  # fmt: skip
    return sorted(rows, key=lambda r: (-len(r["bits"]), r["name"]))


# --- cards ------------------------------------------------------------------------------------------------------------
def held_cards(look: Look) -> list[int]:
    if look.seat < 0:
        return []
    return [c for c in range(ORDINARIES) if look.view.hand[look.seat, c] > 0]


def begun_cards(s: Any, seat: int) -> list[tuple[int, int]]:
    """Cards in short-term memory with their places, without the one on the bench."""
    return [(p, s.short[seat, p]) for p in range(PLACES) if s.short[seat, p] >= 0 and not (p == s.bench and seat == s.turn)]


def candidates(look: Look) -> list[int]:
    return held_cards(look) + [c for _, c in begun_cards(look.view, look.seat)]


def already(look: Look, c: int) -> int:
    s, seat = look.view, look.seat
    return next((int(covered(s, seat, p)) for p in range(PLACES) if s.short[seat, p] == c), 0)


def open_slots(look: Look, c: int) -> int:
    return int(SLOTS[c]) - already(look, c)


def reach_down(look: Look, c: int, bits: list[int]) -> int:
    """How many more slots of a card, from the first open one, these bits can cover."""
    have, n = Counter(k % SHAPE_COUNT for k in bits), 0
    for slot in range(already(look, c), int(SLOTS[c])):
        shape = int(SLOT[c, slot])
        if shape == ANY:
            shape = max(have, key=lambda x: have[x], default=-1)
        if have[shape] <= 0:
            break
        have[shape] -= 1
        n += 1
    return n


def tag(c: int) -> dict[str, Any]:
    return {"colour": COLOURS[CARD_COLOUR[c]], "number": int(NUMBER[c])}


def goal_words(look: Look, c: int) -> str:
    goal = GOALS[GOAL[c]]
    if goal in ("same_colour", "white"):
        steps = SAME_COLOUR if goal == "same_colour" else WHITE_CARDS
        return look.t(f"goal.{goal}", points="/".join(map(str, steps.tolist()[1:])))
    return look.t(f"goal.{goal}", n={"run": RUN, "set": SET, "each": EACH}[goal], kind=named(look, "kinds_of", KINDS[GOAL_KIND[c]]))


def card(look: Look, c: int, filled: list[int] | None = None, **more: Any) -> dict[str, Any]:
    """A card as the templates want it: the same wherever it lies."""
    s = look.view
    goal = GOALS[GOAL[c]] if GOAL[c] != NO_GOAL else ""
    words = goal_words(look, c) if goal else look.t(f"power.{POWERS[POWER[c]]}")
    colour = COLOURS[CARD_COLOUR[c]]
    action = (REMEMBER if REMEMBER + c in look.legal or s.stage != CHOOSE else DISCARD) + c
    if s.stage in (DISCARDING, CHOOSE) and c < ORDINARIES and REMEMBER + c not in look.legal:
        action = DISCARD + c
    lit = action in look.legal
    slots = ["any" if SLOT[c, i] == ANY else SHAPES[SLOT[c, i]] for i in range(SLOTS[c])]
    points_ = int(CARD_POINTS[c])
    label = [card_name(look, c), look.t("label.slots", slots=", ".join(named(look, "slots", x) for x in slots))]
    label += [look.t("label.points", n=points_)] if points_ else []
    return {
        "id": CARDS[c], "colour": colour, "number": int(NUMBER[c]), "world": named(look, "worlds", colour), "slots": slots,
        "filled": [bit(look, k) for k in filled or ()], "fits": 0, "vp": points_, "words": words, "goal": goal,
        "kind": KINDS[GOAL_KIND[c]] if goal == "run" else "", "pay": {"run": RUN, "set": SET, "each": EACH}.get(goal, 0),
        "stairs": {"same_colour": f"{SAME_COLOUR[1]}–{SAME_COLOUR[5]}", "white": f"{WHITE_CARDS[1]}–{WHITE_CARDS[5]}"}.get(goal, ""),
        "icon": "goal" if goal else ICON[POWERS[POWER[c]]], "act": action, "lit": lit, "drop": action < DONE, "hint": link_hint(look, c),
        "label": "; ".join([*label, words]), "stored": None, "bloom": False, **more,
    }  # fmt: skip


def linked(a: int, b: int) -> bool:
    return CARD_COLOUR[a] == CARD_COLOUR[b] and abs(NUMBER[a] - NUMBER[b]) in (1, NUMBERS - 1)


def link_hint(look: Look, c: int) -> str:
    """Which of my memories the card would link with."""
    if look.seat < 0 or look.view.long[look.seat, c]:
        return ""
    mine = [m for m in range(len(CARDS)) if look.view.long[look.seat, m] and linked(m, c)]
    return look.t("label.links", cards=", ".join(card_name(look, m) for m in mine), n=2 * len(mine)) if mine else ""


def common(look: Look, c: int) -> dict[str, Any]:
    """A card that lies for all, or who has it."""
    s = look.view
    left = s.common[c - ORDINARIES]
    owners = [look.t("label.yours") if seat == look.seat else look.names[seat] for seat in range(s.players) if s.long[seat, c]]
    return card(look, c, left=left, owners=", ".join(owners), gone=left == 0)


def fits(look: Look) -> list[dict[str, Any]]:
    """Where the bits in the tray fit."""
    s = look.view
    if s.stage not in (BUILD, LAYING):
        return []
    have = kinds_in(s.own.tolist()[look.seat])
    rows = []
    for c in candidates(look):
        n, done = reach_down(look, c, have), already(look, c)
        if n:
            slots = ["any" if SLOT[c, i] == ANY else SHAPES[SLOT[c, i]] for i in range(SLOTS[c])]
            where = "hand" if s.hand[look.seat, c] > 0 else "short"
            rows.append({**tag(c), "id": CARDS[c], "where": look.t(f"label.{where}"), "slots": slots, "covered": done, "fits": n, "whole": n + done == len(slots), "act": REMEMBER + c, "lit": REMEMBER + c in look.legal})
    counts = shapes(s, look.seat)
    for c in range(ORDINARIES, len(CARDS)):
        if s.common[c - ORDINARIES] and not s.long[look.seat, c] and covers(counts, c, 0):
            slots = ["any" if SLOT[c, i] == ANY else SHAPES[SLOT[c, i]] for i in range(SLOTS[c])]
            rows.append({**tag(c), "id": CARDS[c], "where": look.t("label.common"), "slots": slots, "covered": 0, "fits": len(slots), "whole": True, "act": REMEMBER + c, "lit": REMEMBER + c in look.legal})
    return sorted(rows, key=lambda r: (not r["whole"], -r["fits"]))


# --- the bench --------------------------------------------------------------------------------------------------------
def bench_seat(s: Any) -> int:
    return int(s.turn)


def bench_card(s: Any) -> int:
    return int(s.short[bench_seat(s), s.bench])


def bench(look: Look) -> dict[str, Any]:
    """The card being built: what lies on it, what may come next, what it would be worth."""
    s = look.view
    seat, c = bench_seat(s), bench_card(s)
    laid = [k for k in s.laid.tolist()[seat][s.bench] if k >= 0]
    own = kinds_in(s.own.tolist()[seat])
    rows: list[dict[str, Any]] = [{"mood": "done", "said": bit_name(look, k), "pays": int(pays(c, k)), "bits": []} for k in laid]
    plan, now = [], True
    for slot in range(len(laid), int(SLOTS[c])):
        fit = sorted((k for k in own if SLOT[c, slot] == ANY or k % SHAPE_COUNT == SLOT[c, slot]), key=lambda k: not pays(c, k))
        if now and look.seat == seat:
            choice = sorted(set(fit), key=fit.index)
            rows.append({"mood": "now", "said": "", "pays": 0, "bits": [bit(look, k, act=LAY + k, lit=LAY + k in look.legal, pays=int(pays(c, k))) for k in choice]})
        else:
            rows.append({"mood": "later", "said": "", "pays": int(pays(c, fit[0])) if fit else 0, "bits": [bit(look, fit[0])] if fit else []})
        now = False
        if not fit:
            break
        plan.append(fit[0])
        own.remove(fit[0])
    whole = len(laid) + len(plan) == SLOTS[c]
    tokens = sum(int(pays(c, k)) for k in laid + plan)
    worth = gain(look, seat, c)
    limit = short_limit(s, seat)
    return {
        "card": card(look, c, laid, fits=len(plan)), "name": card_name(look, c), "rows": rows, "whole": whole, "tokens": tokens, "mine": seat == look.seat,
        "worth": {"tokens": tokens, **worth}, "total": tokens + sum(worth.values()), "keep": KEEP if KEEP in look.legal else None,
        "stays": bool(can_stay(s, seat)), "laid": len(laid), "place": begun(s, seat), "limit": limit, "power": "" if c >= ORDINARIES else POWERS[POWER[c]],
    }  # fmt: skip


def gain(look: Look, seat: int, c: int) -> dict[str, int]:
    """Points that a card would add when it is remembered, tokens aside."""
    record = look.view.record.copy()
    before = row_of(look.game.state.open(record), seat)
    record["long"][seat, c] = 1
    after = row_of(look.game.state.open(record), seat)
    return {key: after[key] - before[key] for key in ("cards", "goals", "links")}


# --- tableaux, points -------------------------------------------------------------------------------------------------
def panorama(cards: list[int]) -> list[list[int]]:
    """Long-term cards in groups: those that link stand side by side and make one picture."""
    groups: list[list[int]] = []
    for c in sorted(cards, key=lambda c: (CARD_COLOUR[c], NUMBER[c])):
        if groups and linked(groups[-1][-1], c):
            groups[-1].append(c)
        else:
            groups.append([c])
    return groups


def tableau(look: Look, seat: int) -> dict[str, Any]:
    """What lies before a seat. The hand of another is only a number."""
    s = look.view
    mine = seat == look.seat
    long = [c for c in range(len(CARDS)) if s.long[seat, c]]
    blooms = [c for c in long if FLOWERING[c]][: s.bloom[seat]]
    groups = [[card(look, c, bloom=c in blooms, lit=False) for c in group] for group in panorama(long)]
    short = []
    for place, c in begun_cards(s, seat):
        laid = [k for k in s.laid.tolist()[seat][place] if k >= 0]
        n = reach_down(look, c, kinds_in(s.own.tolist()[seat])) if mine and s.stage in (BUILD, LAYING) and seat == s.turn else 0
        short.append(card(look, c, laid, fits=n))
    hand = []
    if mine and s.stage != CHOOSE:
        build = s.stage in (BUILD, LAYING) and seat == s.turn
        have = kinds_in(s.own.tolist()[seat]) if build else []
        hand = [card(look, c, fits=reach_down(look, c, have) if have else 0) for c in held_cards(look)]
    chests = icons(s, seat, CHEST)
    building = mine and seat == s.turn and s.stage in (WHITES, BUILD, LAYING, GROWING, SAVING)  # then they lie in the tray
    kept = pile(look, s.saved) if building else pile(look, s.own.tolist()[seat])
    return {
        "seat": seat, "long": groups, "count": len(long), "pips": list(range(AWAKENING)), "short": short, "short_limit": short_limit(s, seat),
        "free": max(0, short_limit(s, seat) - begun(s, seat)), "benched": s.bench >= 0 and seat == s.turn,
        "hand": hand, "hand_count": s.hand_count[seat] if s.stage != CHOOSE or not mine else 0, "hand_limit": icons(s, seat, HAND), "steps": icons(s, seat, FOOTPRINT), "whites": icons(s, seat, WHITE_PICK),
        "shorts": icons(s, seat, SHORT_TERM), "chests": chests, "kept": kept, "empty": max(0, chests - len(kept)), "circle": bool(s.circle[seat]),
        "ready": s.circle[seat] + s.bloom[seat], "fragments": [fragment(look, f) for f in range(len(FRAGMENTS)) if s.found[seat, f]],
        "total": sum(row_of(s, seat).values()), "awake": s.awake == seat,
    }  # fmt: skip


def row_of(s: Any, seat: int) -> dict[str, int]:
    """Points of a seat: tokens, cards, goals (colours and fragments), links."""
    out = np.zeros((SEATS, len(POINTS)), np.int64)
    points(s, out)
    by = dict(zip(POINTS, out[seat].tolist(), strict=True))
    return {"tokens": by["tokens"], "cards": by["cards"], "goals": by["colours"] + by["fragments"], "links": by["links"]}


def scores(look: Look) -> list[dict[str, Any]]:
    """Points as they stand, and what the card on the bench would add."""
    s, rows = look.view, []
    plus = bench(look) if s.bench >= 0 else None
    for seat in range(s.players):
        row = row_of(s, seat)
        more = plus["worth"] if plus and plus["whole"] and seat == bench_seat(s) else {}
        rows.append({"seat": seat, "name": look.names[seat], "me": seat == look.seat, "parts": row, "total": sum(row.values()), "plus": more, "more": sum(more.values())})
    return rows


# --- answers ----------------------------------------------------------------------------------------------------------
def words(look: Look, action: int) -> str:
    """An action as a person says it."""
    r = look.game.actions.range_of(action)
    label = r.labels[action - r.start]
    groups = {"sow": "tiles", "walk": "tiles", "drop": "tiles", "refill": "tiles", "pick": "slots", "save": "bits", "lay": "bits", "hold": "bits", "draw_bit": "bits"}
    if r.name in groups:
        label = named(look, groups[r.name], label)
    elif r.name in ("remember", "discard", "draw_card"):
        label = card_name(look, action - r.start)
    elif r.name == "plant":
        label = look.t(f"plant.{label}")
    return look.t(f"actions.{r.name}", at=label)


def why(look: Look, action: int) -> str:
    """Why something cannot be done now."""
    s, t = look.view, action
    if SOW_FROM <= action < SOW_FROM + TILE_COUNT and s.stage == MORNING:
        return why_not_sow(look, action - SOW_FROM)
    if WALK_TO <= action < WALK_TO + TILE_COUNT and s.stage == WALK:
        t = action - WALK_TO
        key = "steps" if s.steps >= icons(s, look.seat, FOOTPRINT) else "here" if t == s.girl else "crossed" if s.trail[t] else "far"
        return look.t(f"why.{key}", at=tile_name(look, t))
    if DROP <= action < DROP + TILE_COUNT and s.stage == SOW:
        t = action - DROP
        key = "crossed" if s.trail[t] else "far" if not s.near[s.at] >> t & 1 else "dead_end"
        return look.t(f"why.{key}", at=tile_name(look, t))
    if REFILL <= action < REFILL + TILE_COUNT and s.stage == REFILLING:
        return look.t("why.emptiest", n=min(bits_on(s, tile) for tile in range(TILE_COUNT)))
    if REMEMBER <= action < KEEP and s.stage == BUILD:
        return why_not_build(look, action - REMEMBER)
    if LAY <= action < DROP and s.stage == LAYING:
        c, slot = bench_card(s), covered(s, look.seat, s.bench)
        return look.t("why.shape", shape=named(look, "slots", "any" if SLOT[c, slot] == ANY else SHAPES[SLOT[c, slot]]))
    if HOLD <= action < REFILL and s.stage == SOW:
        return look.t("why.chosen" if s.chosen else "why.white_last")
    key = f"why.{STAGES[s.stage]}"
    return look.t(key if key in look.t else "why.now")


def why_not_sow(look: Look, t: int) -> str:
    s = look.view
    n = bits_on(s, t)
    key = "empty" if n == 0 else "all_white" if colourful(s, t) == 0 else "too_long"
    return look.t(f"why.{key}", at=tile_name(look, t), n=n)


def why_not_build(look: Look, c: int) -> str:
    s, name = look.view, card_name(look, c)
    if s.long[look.seat, c]:
        return look.t("why.second", card=name)
    if c >= ORDINARIES:
        return look.t("why.at_once", card=name)
    slot = already(look, c)
    top = SLOT[c, slot] if slot < SLOTS[c] else ANY
    if reach_down(look, c, kinds_in(s.own.tolist()[look.seat])) == 0:
        return look.t("why.no_bit", card=name, shape=named(look, "slots", "any" if top == ANY else SHAPES[top]))
    return look.t("why.no_place", card=name)


def line(look: Look, seat: int, action: int) -> str | tuple[str, str] | None:
    """What happened, for the log; only what everybody saw."""
    s, r = look.view, look.game.actions.range_of(action)
    if not 0 <= seat < len(look.names):
        return None
    at = action - r.start

    def say(key: str, tone: str = "", **args: object) -> tuple[str, str]:
        return look.t(f"log.{'you' if seat == look.seat else 'they'}.{key}", name=look.names[seat], **args), tone

    if r.name == "place":
        return say("place", at=tile_name(look, s.placed - 1))
    if r.name in ("walk", "sow"):
        return say(r.name, at=tile_name(look, at), n=in_hand(s)) if r.name == "sow" else say("walk", at=tile_name(look, at))
    if r.name == "plant":
        return say("plant", "good", at=tile_name(look, s.girl))
    if r.name == "drop" and s.stage != SOW:
        return say("gather", at=tile_name(look, s.at), colour=named(look, "gathered", COLOURS[s.upcoming // SHAPE_COUNT]))
    if r.name == "lay" and s.stage == BUILD:
        return say("built", "good", card=card_name(look, s.latest)) if s.latest >= 0 else say("grew")
    if r.name == "remember" and s.bench < 0:
        return say("first", "good", card=card_name(look, at))
    if r.name == "keep":
        return say("keep", card=card_name(look, s.latest))
    if r.name == "discard":
        return say("discard", card=card_name(look, at))
    if r.name == "done" and s.awake >= 0 and s.awake == seat and s.stage == MORNING and remembered(s, seat) >= AWAKENING:
        return say("awake", "good")
    return None


__all__ = ["line", "scene", "way_on", "why", "words"]
