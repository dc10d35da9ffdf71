"""Bits, fragments and cards as the templates want them, and their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from recollect.engine.drawn import Drawn, drawn
from recollect.engine.look import Look
from recollect.engine.sets import members
from recollect.engine.texts import Texts

from ..components import (
    ANY,
    BITS,
    CARD_COLOUR,
    CARD_POINTS,
    CARDS,
    COLOURS,
    COMMON_COUNT,
    EACH,
    FRAGMENTS,
    GOAL,
    GOAL_KIND,
    GOALS,
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
    TILES,
    WHITE_CARDS,
)
from ..rules.construction import covered
from ..rules.layout import BIT_KINDS, CHOOSE, DISCARD, DISCARDING, ORDINARIES, REMEMBER, SHAPE_COUNT
from ..rules.piles import copies

TO_REMEMBER = frozenset(range(REMEMBER + ORDINARIES, REMEMBER + ORDINARIES + COMMON_COUNT))  # a common card
ICON = {"hand": "hand", "footprint": "foot", "short_term": "short", "white_pick": "pick", "chest": "chest", "flower": "flower"}


def named(look: Look, group: str, key: str) -> str:
    """The word for a thing; an owner's own name for it if there is no word."""
    return word(look.t, group, key)


@lru_cache(maxsize=4096)
def word(t: Texts, group: str, key: str) -> str:
    return t(f"{group}.{key}") if f"{group}.{key}" in t else key.replace("-", " ")


def tile_name(look: Look, tile: int) -> str:
    return named(look, "tiles", TILES[tile])


def bit_name(look: Look, bit: int) -> str:
    return named(look, "bits", BITS[bit])


def card_name(look: Look, c: int) -> str:
    return name_of(look.t, c)


@lru_cache(maxsize=1024)
def name_of(t: Texts, c: int) -> str:
    """A card's name, which no line breaks."""
    return f"{word(t, 'colours', COLOURS[CARD_COLOUR[c]])}\u00a0{NUMBER[c]}"


def bit(look: Look, kind: int, mood: str = "", **more: Any) -> dict[str, Any]:
    same = drawn_bit(look.t, kind, mood)
    return {**same, **more} if more else same


@drawn
def drawn_bit(t: Texts, kind: int, mood: str) -> dict[str, Any]:
    """A bit: the same wherever it lies."""
    words = word(t, "bits", BITS[kind])
    return {"colour": COLOURS[kind // SHAPE_COUNT], "shape": SHAPES[kind % SHAPE_COUNT], "words": words, "mood": mood, "step": 0}


def pile(look: Look, bits: int) -> tuple[Drawn, ...]:
    return drawn_pile(look.t, bits)


@lru_cache(maxsize=4096)
def drawn_pile(t: Texts, bits: int) -> tuple[Drawn, ...]:
    return tuple([drawn_bit(t, k, "") for k in each_in(bits)])


def kinds_in(bits: int) -> list[int]:
    """The bits of a pile, a kind for each."""
    return list(each_in(bits))


@lru_cache(maxsize=32_768)
def each_in(bits: int) -> tuple[int, ...]:
    return tuple(k for k in range(BIT_KINDS) for _ in range(copies(bits, k)))


def fragment(look: Look, f: int) -> Drawn:
    return drawn_fragment(look.t, f)


@drawn
def drawn_fragment(t: Texts, f: int) -> dict[str, Any]:
    kind, value = FRAGMENTS[f].rsplit("-", 1)
    return {"kind": kind, "value": value, "words": t("label.fragment", kind=word(t, "kinds", kind), value=value)}


def held_cards(look: Look) -> list[int]:
    if look.seat < 0:
        return []
    return list(members(look.view.hand[look.seat]))


def begun_cards(s: Any, seat: int) -> list[tuple[int, int]]:
    """Cards in short-term memory with their places, without the one on the bench."""
    return [(p, s.short[seat, p]) for p in range(PLACES) if s.short[seat, p] >= 0 and not (p == s.bench and seat == s.turn)]


def candidates(look: Look) -> list[int]:
    return held_cards(look) + [c for _, c in begun_cards(look.view, look.seat)]


def already(look: Look, c: int) -> int:
    s, seat = look.view, look.seat
    return next((int(covered(s, seat, p)) for p in range(PLACES) if s.short[seat, p] == c), 0)


def reach_down(look: Look, c: int, bits: list[int]) -> int:
    """How many more slots of a card, from the first open one, these bits can cover."""
    return covers(c, already(look, c), tuple(sorted([k % SHAPE_COUNT for k in bits])))


@lru_cache(maxsize=32_768)
def covers(c: int, laid: int, shapes: tuple[int, ...]) -> int:
    """How many slots of a card on which so many bits lie these shapes cover, in order."""
    have, n = Counter(shapes), 0
    for shape in SLOT[c, laid : SLOTS[c]].tolist()[: len(shapes)]:
        if shape != ANY and have[shape] <= 0:
            break
        have[shape] -= shape != ANY
        n += 1
    return n


def wants(c: int, slot: int) -> str:
    """The shape that a slot of a card wants."""
    return "any" if SLOT[c, slot] == ANY else SHAPES[SLOT[c, slot]]


def slots_of(c: int) -> list[str]:
    return [wants(c, slot) for slot in range(int(SLOTS[c]))]


def tag(c: int) -> dict[str, Any]:
    return {"colour": COLOURS[CARD_COLOUR[c]], "number": int(NUMBER[c])}


def goal_words(t: Texts, c: int) -> str:
    goal = GOALS[GOAL[c]]
    if goal in ("same_colour", "white"):
        steps = SAME_COLOUR if goal == "same_colour" else WHITE_CARDS
        return t(f"goal.{goal}", points="/".join(map(str, steps.tolist()[1:])))
    return t(f"goal.{goal}", n={"run": RUN, "set": SET, "each": EACH}[goal], kind=word(t, "kinds_of", KINDS[GOAL_KIND[c]]))


@drawn
def printed(t: Texts, c: int) -> dict[str, Any]:
    """What stands on a card: the same wherever it lies."""
    goal = GOALS[GOAL[c]] if GOAL[c] != NO_GOAL else ""
    words = goal_words(t, c) if goal else t(f"power.{POWERS[POWER[c]]}")
    colour, slots, points_ = COLOURS[CARD_COLOUR[c]], slots_of(c), int(CARD_POINTS[c])
    label = [f"{word(t, 'colours', colour)} {NUMBER[c]}", t("label.slots", slots=", ".join(word(t, "slots", x) for x in slots))]
    label += [t("label.points", n=points_)] if points_ else []
    return {
        "id": CARDS[c],
        "colour": colour,
        "number": int(NUMBER[c]),
        "world": word(t, "worlds", colour),
        "slots": slots,
        "vp": points_,
        "words": words,
        "goal": goal,
        "kind": KINDS[GOAL_KIND[c]] if goal == "run" else "",
        "pay": {"run": RUN, "set": SET, "each": EACH}.get(goal, 0),
        "stairs": {"same_colour": f"{SAME_COLOUR[1]}–{SAME_COLOUR[5]}", "white": f"{WHITE_CARDS[1]}–{WHITE_CARDS[5]}"}.get(goal, ""),
        "icon": "goal" if goal else ICON[POWERS[POWER[c]]],
        "label": "; ".join([*label, words]),
    }


def card(look: Look, c: int, filled: Sequence[int] = (), **more: Any) -> Drawn:
    """A card as the templates want it."""
    away = c < ORDINARIES and look.view.stage in (DISCARDING, CHOOSE) and REMEMBER + c not in look.legal
    action = (DISCARD if away else REMEMBER) + c
    long = look.view.long[look.seat] if look.seat >= 0 else 0
    return lying_card(look.t, c, tuple(filled), action, action in look.legal, away, link_hint(look.t, c, long), *more.items())


@drawn
def lying_card(
    t: Texts, c: int, filled: tuple[int, ...], act: int, lit: bool, drop: bool, hint: str, *more: tuple[str, Any]
) -> dict[str, Any]:
    """A card as it lies."""
    return {
        **printed(t, c),
        "filled": [drawn_bit(t, k, "") for k in filled],
        "fits": 0,
        "act": act,
        "lit": lit,
        "drop": drop,
        "hint": hint,
        "stored": None,
        "bloom": False,
        **dict(more),
    }


def linked(a: int, b: int) -> bool:
    return CARD_COLOUR[a] == CARD_COLOUR[b] and abs(NUMBER[a] - NUMBER[b]) in (1, NUMBERS - 1)


@lru_cache(maxsize=8192)
def link_hint(t: Texts, c: int, long: int) -> str:
    """Which of these memories the card would link with."""
    mine = [] if long >> c & 1 else [m for m in range(len(CARDS)) if linked(m, c) and long >> m & 1]
    return t("label.links", cards=", ".join(name_of(t, m) for m in mine), n=2 * len(mine)) if mine else ""


def commons(look: Look) -> list[Drawn]:
    """The cards that lie for all, or who has them."""
    s = look.view
    names = tuple([look.t("label.yours") if look.you(seat) else look.names[seat] for seat in range(s.players)])
    return common_cards(look.t, s.common, tuple(s.long.tolist()), names, look.seat, look.legal & TO_REMEMBER)


@lru_cache(maxsize=4096)
def common_cards(t: Texts, common: int, long: tuple[int, ...], names: tuple[str, ...], me: int, legal: frozenset[int]) -> list[Drawn]:
    """The common cards as they lie."""
    out = []
    for c in range(ORDINARIES, ORDINARIES + COMMON_COUNT):
        left = (common >> c - ORDINARIES & 1) + (common >> c - ORDINARIES + COMMON_COUNT & 1)  # copies on the table
        owners = ", ".join(name for seat, name in enumerate(names) if long[seat] >> c & 1)
        more = ("left", left), ("owners", owners), ("gone", left == 0)
        hint = link_hint(t, c, long[me] if me >= 0 else 0)
        out.append(lying_card(t, c, (), REMEMBER + c, REMEMBER + c in legal, False, hint, *more))
    return out
