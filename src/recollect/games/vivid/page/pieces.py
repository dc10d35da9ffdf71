"""Tiles, the moment line, banks and boards, as the template draws them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from recollect.engine.look import Look
from recollect.engine.texts import Texts

from ..components import CLUSTERS, CORE, CORE_PAYS, HANDFULS, HEXES, INTO_A, INTO_B, PATTERN, PAYS, RING, SHOWS, SIZE, SLOT, SPLITS
from ..rules.layout import (
    ADD,
    BANK,
    CHOOSE,
    COLOURS,
    LAY,
    LAY_ON,
    LEFT,
    MOMENT_NAMES,
    PICK,
    PLACE,
    REFLECT,
    REMEMBER,
    RIGHT,
    TAKE,
    USE,
    WAIT,
)
from ..rules.reward import due
from . import drawing

# the pictures of each moment: the real event (action side) and the imagined one (scoring side)
ART = (
    ("bicycle", "rocket"),
    ("tent", "castle"),
    ("kite", "dragon"),
    ("fishing-pole", "whale"),
    ("playground-slide", "roller-coaster"),
    ("beach-with-umbrella", "pirate-flag"),
    ("balloon", "flying-saucer"),
    ("birthday-cake", "fireworks"),
    ("dog-face", "lion"),
    ("sled", "snowman"),
    ("drum", "circus-tent"),
    ("sunflower", "person-fairy"),
    ("locomotive", "ringed-planet"),
    ("hut", "ghost"),
    ("telescope", "astronaut"),
    ("package", "robot"),
    ("kick-scooter", "racing-car"),
    ("umbrella", "octopus"),
    ("open-book", "magic-wand"),
    ("carousel-horse", "crown"),
)


def colours_of(handful: int) -> list[int]:
    return list(HANDFULS[handful])


def alike(handful: int) -> bool:
    """Two of one colour."""
    return SIZE[handful] == 2 and len(set(HANDFULS[handful])) == 1


@lru_cache(maxsize=1024)
def names_of(t: Texts, handful: int) -> str:
    return ", ".join(t(f"colours.{COLOURS[c]}") for c in colours_of(handful))


def hexes_of(places: int) -> list[int]:
    return [i for i in range(HEXES) if places >> i & 1]


# -- tiles, line, bank


def tile(look: Look, n: int) -> dict[str, Any]:
    """A moment tile in words and pictures."""
    return printed(look.t, n)


@lru_cache(maxsize=256)
def printed(t: Texts, n: int) -> dict[str, Any]:
    """What stands on a tile: the same wherever it lies."""
    name = MOMENT_NAMES[n]
    into = [COLOURS[INTO_A[n]], COLOURS[INTO_B[n]]] if SPLITS[n] else []
    shown = {
        "n": n,
        "verb": "split" if SPLITS[n] else "add",
        "colour": COLOURS[SHOWS[n]],
        "into": into,
        "pattern": [COLOURS[c] for c in colours_of(int(PATTERN[n]))],
        "each": int(PAYS[n]),
        "real": t(f"tiles.{name}"),
        "dream": t(f"dreams.{name}"),
        "art": ART[n][0],
        "dream_art": ART[n][1],
    }
    words = {"colour": t(f"colours.{shown['colour']}"), "pattern": names_of(t, int(PATTERN[n])), "n": shown["each"]}
    if into:
        words |= {"one": t(f"colours.{into[0]}"), "two": t(f"colours.{into[1]}")}
    return {**shown, "says": t(f"tile.{shown['verb']}", **words)}


def line_tile(look: Look, i: int) -> dict[str, Any]:
    """A tile of the moment line with its fragments, and which of them may be taken."""
    s = look.view
    ends = [end for end, at in ((LEFT, s.first), (RIGHT, s.last)) if i == at and s.first <= s.last]
    tokens = []
    for c in range(5):
        acts = [end + c for end in ends if end + c in look.legal]
        try_ = ends[0] + c if ends and look.seat in look.acting and s.task[look.seat] == TAKE else None
        tokens += [{"colour": COLOURS[c], "act": acts[0] if acts else try_, "lit": bool(acts)}] * colours_of(s.tokens[i]).count(c)
    gone = not s.first <= i <= s.last and s.phase == REMEMBER
    return {**tile(look, s.line[i]), "i": i, "tokens": tokens, "end": bool(ends), "lit": any(t["lit"] for t in tokens), "gone": gone}


def ways(hand: int) -> str:
    """What the hand is so far: one, two alike, or on the way to three different."""
    n = SIZE[hand]
    return "one" if n == 1 else "two" if n == 2 and alike(hand) else "three" if n > 1 else ""


def bank(look: Look, seat: int) -> list[dict[str, Any]]:
    """The four slots of a memory bank."""
    s = look.view
    slots = []
    for k in range(4):
        n = s.bank[seat, k]
        mine = seat == look.seat and seat in look.acting
        act = LAY_ON + k if mine and s.task[seat] == LAY else USE + k
        lit = mine and act in look.legal
        slots.append(
            {
                "k": k,
                "name": BANK[k],
                "tile": tile(look, n) if n >= 0 else None,
                "scoring": n >= 0 and bool(s.flipped[seat] >> k & 1),
                "used": bool(s.used[seat] >> k & 1),
                "busy": s.slot[seat] == k,
                "back": mine and s.slot[seat] == k and look.extra.get("entry") == (seat, USE + k),  # just chosen: a click unchooses it
                "lit": lit,
                "act": act if mine and s.phase == REFLECT and s.task[seat] in (LAY, CHOOSE) else None,
            }
        )
    return slots


# -- boards


def board(look: Look, seat: int) -> dict[str, Any]:
    """A board: hexes with crystals, slots, yarn, and what a click means on one's own."""
    s, mine = look.view, seat == look.seat
    hexes = tuple(s.hexes[seat, h] for h in range(HEXES))
    picks = frozenset(a for a in look.legal if PLACE <= a < PICK + 5 * HEXES) if mine else frozenset()
    held = (s.held[seat], s.what[seat]) if mine else (-1, -1)
    entry: Any = look.extra.get("entry")
    new = entry[1] - PLACE if entry and entry[0] == seat and PLACE <= entry[1] < PICK else -1  # where they have just come out of the hand
    ghost = tuple(ghosts(look)) if mine else ()
    return drawn(look.t, seat, hexes, s.filled[seat], due(s, seat), picks, held, new, ghost, mine and tries(look))


def cell(
    t: Texts,
    h: int,
    lie: list[dict[str, Any]],
    held: int,
    picks: frozenset[int],
    taken: tuple[int, int],
    new: int,
    ghost: tuple[int, ...],
    asked: bool,
) -> dict[str, Any]:
    """A hex as it lies."""
    (x, y), lit = drawing.HEX_AT[h], PLACE + h in picks
    acts = [PICK + 5 * h + token["c"] for token in lie]
    one = next((i for i, token in enumerate(lie) if taken == (h, token["c"])), -1)  # of two alike, only one is held
    tokens = [{**token, "act": act, "lit": act in picks, "held": i == one} for i, (token, act) in enumerate(zip(lie, acts, strict=True))]
    return {
        "n": h + 1,
        "x": x,
        "y": y,
        "tokens": tokens,
        "new": h == new,
        "lit": lit,
        "act": PLACE + h,
        "try": asked,
        "ghosts": drawing.crystals(h, list(ghost)) if lit and not tokens else [],
        "label": t("hex", n=h + 1, held=names_of(t, held) or t("empty")),
    }


@lru_cache(maxsize=1024)
def drawn(
    t: Texts,
    seat: int,
    hexes: tuple[int, ...],
    filled: int,
    owed: int,
    picks: frozenset[int],
    taken: tuple[int, int],
    new: int,
    ghost: tuple[int, ...],
    asked: bool,
) -> dict[str, Any]:
    """A board as it lies: drawn once for all who see it so."""
    held, yarn = drawing.laid(seat, hexes)
    cells = [cell(t, h, lie, hexes[h], picks, taken, new, ghost, asked) for h, lie in enumerate(held)]
    return {
        "id": f"b{seat}",
        "seat": seat,
        "hexes": cells,
        "groups": groups(t, seat, filled, owed),
        "yarn": yarn,
        "cloud": drawing.cloud(seat),
        "says": "; ".join(h["label"] for h in cells if h["tokens"]),
        "picks": any(k["lit"] for h in cells for k in h["tokens"]),
    }


def ghosts(look: Look) -> list[int]:
    """What would stand in an empty hex if it were chosen."""
    s, seat = look.view, look.seat
    task = s.task[seat] if seat in look.acting else WAIT
    if task == TAKE:
        return colours_of(s.hand)
    if task == ADD:
        return [int(SHOWS[s.bank[seat, s.slot[seat]]])]
    return [s.what[seat]] if s.what[seat] >= 0 else []


def tries(look: Look) -> bool:
    """A hex is being chosen: one that may not be gets an answer why."""
    return look.seat in look.acting and any(PLACE <= a < PICK for a in look.legal)


def groups(t: Texts, seat: int, filled: int, owed: int) -> list[dict[str, Any]]:
    """The clusters of core-memory slots."""
    out = []
    for k in range(CLUSTERS):
        places = [p for p in range(RING) if CORE[seat, k] >> p & 1]
        if not places:
            continue
        slots: list[dict[str, Any]] = [
            {
                "p": p,
                "x": drawing.RING_AT[p][0],
                "y": drawing.RING_AT[p][1],
                "colour": COLOURS[SLOT[seat, p]],
                "filled": bool(filled >> p & 1),
                "due": owed == p,
                "label": t("slot_filled" if filled >> p & 1 else "slot_empty", colour=t(f"colours.{COLOURS[SLOT[seat, p]]}")),
            }
            for p in places
        ]
        mx, my = (sum(slot[axis] for slot in slots) / len(slots) for axis in "xy")
        out.append(
            {
                "k": k,
                "points": int(CORE_PAYS[seat, k]),
                "slots": slots,
                "badge": drawing.outward(mx, my, drawing.S * 0.78),
                "done": all(slot["filled"] for slot in slots),
            }
        )
    return out
