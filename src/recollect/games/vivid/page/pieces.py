"""Tiles, the moment line, banks and boards, as the template draws them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from recollect.engine.drawn import Drawn, drawn
from recollect.engine.look import Look
from recollect.engine.texts import Texts

from ..components import (
    CELLS,
    CLUSTERS,
    CORE,
    CORE_PAYS,
    HANDFULS,
    HEXES,
    INTO_A,
    INTO_B,
    PATTERN,
    PAYS,
    RING,
    SHOWS,
    SIZE,
    SLOT,
    SPLITS,
    WITH,
)
from ..rules.layout import (
    ADD,
    BANK,
    CHOOSE,
    COLOURS,
    COMBINING,
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


@lru_cache(maxsize=64)
def where(t: Texts, h: int) -> str:
    """A hex as a person finds it on the board: rows from above, each from the left."""
    q, r = CELLS[h]
    return t("hex_n", row=1 + sorted({b for _, b in CELLS}).index(r), n=1 + sum(b == r and a < q for a, b in CELLS))


def hexes_of(places: int) -> list[int]:
    return [i for i in range(HEXES) if places >> i & 1]


# -- tiles, line, bank


def tile(look: Look, n: int) -> Drawn:
    """A moment tile in words and pictures."""
    return printed(look.t, n)


@drawn
def printed(t: Texts, n: int) -> dict[str, Any]:
    """What stands on a tile: the same wherever it lies."""
    name = MOMENT_NAMES[n]
    into = [COLOURS[INTO_A[n]], COLOURS[INTO_B[n]]] if SPLITS[n] else []
    shown = {
        "n": n,
        "verb": "split" if SPLITS[n] else "add",
        "colour": COLOURS[SHOWS[n]],
        "into": into,
        "pattern": drawing.stand(colours_of(int(PATTERN[n]))),
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


def line_tile(look: Look, i: int) -> Drawn:
    """A tile of the moment line with its fragments, and which of them may be taken."""
    s = look.view
    ends = [end for end, at in ((LEFT, s.first), (RIGHT, s.last)) if i == at and s.first <= s.last]
    acts = tuple([next((end + c for end in ends if end + c in look.legal), -1) for c in range(5)]) if ends else ()
    tries = ends[0] if ends and look.seat in look.acting and s.task[look.seat] == TAKE else -1
    gone = not s.first <= i <= s.last and s.phase == REMEMBER
    rest: Any = look.extra.get("rest") or s
    return lined(look.t, s.line[i], i, s.tokens[i], rest.tokens[i], acts, tries, gone)


@drawn
def lined(t: Texts, n: int, i: int, handful: int, lay: int, acts: tuple[int, ...], tries: int, gone: bool) -> dict[str, Any]:
    """A tile as it lies in the line: for each colour what takes it; what only answers why it cannot be taken; and where one `lay`."""
    tokens: list[dict[str, Any]] = []
    for c in places(handful, lay):
        lit = bool(acts) and c >= 0 and acts[c] >= 0
        act = acts[c] if lit else tries + c if tries >= 0 else None
        tokens.append({"colour": COLOURS[c], "act": act, "lit": lit} if c >= 0 else {"colour": ""})
    lit = any(k.get("lit") for k in tokens)
    return {"tile": printed(t, n), "i": i, "tokens": tokens, "end": bool(acts), "lit": lit, "gone": gone}


def places(handful: int, lay: int) -> list[int]:
    """The colours on a tile from the left, -1 where one lay that was taken: no other slips under the finger there. None on an empty one.
    Of alike ones the left is taken first: who clicks them one after the other finds the second where it was."""
    taken = Counter(colours_of(lay)) - Counter(colours_of(handful))
    found = []
    for c in sorted(colours_of(lay)):
        found.append(-1 if taken[c] else c)
        taken[c] -= taken[c] > 0
    return found if handful else []


def ways(hand: int) -> str:
    """What the hand is so far: one, two alike, or on the way to three different."""
    n = SIZE[hand]
    return "one" if n == 1 else "two" if n == 2 and alike(hand) else "three" if n > 1 else ""


def bank(look: Look, seat: int) -> list[Drawn]:
    """The four slots of a memory bank."""
    s = look.view
    mine, task = seat == look.seat and seat in look.acting, s.task[seat]
    first = LAY_ON if mine and task == LAY else USE
    asked = mine and s.phase == REFLECT and task in (LAY, CHOOSE)
    chosen = look.extra.get("entry") if mine else None  # just chosen: a click unchooses it
    flipped, used, slot = s.flipped[seat], s.used[seat], s.slot[seat]
    return [
        banked(
            look.t, k, s.bank[seat, k], bool(flipped >> k & 1), bool(used >> k & 1), slot == k, slot == k and chosen == (seat, USE + k),
            mine and first + k in look.legal, first + k if asked else None,
        )
        for k in range(4)
    ]  # fmt: skip


@drawn
def banked(t: Texts, k: int, n: int, flipped: bool, used: bool, busy: bool, back: bool, lit: bool, act: int | None) -> dict[str, Any]:
    """A slot of a bank as it lies."""
    return {
        "k": k,
        "name": BANK[k],
        "tile": printed(t, n) if n >= 0 else None,
        "scoring": n >= 0 and flipped,
        "used": used,
        "busy": busy,
        "back": back,
        "lit": lit,
        "act": act,
    }


# -- boards


def board(look: Look, seat: int, pays: tuple[int, ...] = ()) -> Drawn:
    """A board: hexes with crystals, slots, yarn, and what a click means on one's own: what it would pay too, if that is given."""
    s, mine = look.view, seat == look.seat
    hexes = lying(s, seat) if mine else tuple(s.hexes.tolist()[seat])
    picks = frozenset(a for a in look.legal if PLACE <= a < PICK + 5 * HEXES) if mine else frozenset()
    held = (s.held[seat], s.what[seat]) if mine else (-1, -1)
    entry: Any = look.extra.get("entry")
    new = entry[1] - PLACE if entry and entry[0] == seat and PLACE <= entry[1] < PICK else -1  # where they have just come out of the hand
    ghost, asked, pays = (tuple(ghosts(look)), tries(look), pays) if mine else ((), "", ())
    return laid(look.t, seat, hexes, s.filled[seat], due(s, seat), picks, held, new, ghost, asked, pays)


def lying(s: Any, seat: int) -> tuple[int, ...]:
    """What lies in each hex; the first of two that are combined stays until the second is chosen, so that none moves under the finger."""
    hexes, h = s.hexes.tolist()[seat], s.held[seat]
    if s.task[seat] == COMBINING and h >= 0:
        hexes[h] = int(WITH[hexes[h], s.what[seat]])
    return tuple(hexes)


@drawn
def cell(
    t: Texts, h: int, handful: int, picks: tuple[int, ...], taken: int, new: bool, asked: str, aim: tuple[int, tuple[int, ...], int] | None
) -> dict[str, Any]:
    """A hex as it lies; `picks` are the colours that may be picked from it, `taken` the one that was. One that may be chosen has an `aim`:
    whose board it is, what would stand there, and what that would pay."""
    (x, y), lie = drawing.HEX_AT[h], drawing.crystals(h, tuple(colours_of(handful)))
    seat, ghost, pays = aim or (-1, (), 0)
    one = next((i for i, k in enumerate(lie) if k["c"] == taken), -1)  # of two alike, only one is held
    tokens = [{**k, "act": PICK + 5 * h + k["c"], "lit": k["c"] in picks and i != one, "held": i == one} for i, k in enumerate(lie)]
    return {
        "n": h + 1,
        "x": x,
        "y": y,
        "tokens": [{**k, "try": asked == "fragment" and not k["lit"] and not k["held"]} for k in tokens],
        "offers": any(k["held"] or asked == "fragment" for k in tokens),  # something in it can be clicked
        "new": new,
        "lit": aim is not None,
        "act": PLACE + h,
        "try": asked == "hex",
        "ghosts": drawing.crystals(h, ghost) if not lie else [],
        "leads": drawing.leads(seat, h, ghost) if not lie else [],
        "pays": pays,
        "at": where(t, h),
        "label": t("hex", at=where(t, h), held=names_of(t, handful) or t("empty")),
    }


@drawn
def laid(
    t: Texts,
    seat: int,
    hexes: tuple[int, ...],
    filled: int,
    owed: int,
    picks: frozenset[int],
    taken: tuple[int, int],
    new: int,
    ghost: tuple[int, ...],
    asked: str,
    pays: tuple[int, ...],
) -> dict[str, Any]:
    """A board as it lies: drawn once for all who see it so."""
    cells = []
    for h, handful in enumerate(hexes):
        picked = tuple([c for c in range(5) if PICK + 5 * h + c in picks]) if picks else ()
        held = taken[1] if taken[0] == h else -1
        aim = (seat, ghost, pays[h] if pays else 0) if PLACE + h in picks else None
        cells.append(cell(t, h, handful, picked, held, h == new, asked, aim))
    return {
        "id": f"b{seat}",
        "seat": seat,
        "hexes": cells,
        "groups": groups(t, seat, filled, owed),
        "yarn": drawing.laid(seat, hexes)[1],
        "cloud": drawing.cloud(seat),
        "heart": drawing.HEART,
        "view": drawing.VIEW,
        "small": drawing.SMALL,
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


def tries(look: Look) -> str:
    """What is being chosen, a hex or a fragment: one that may not be gets an answer why."""
    if look.seat not in look.acting:
        return ""
    if look.view.task[look.seat] == TAKE or any(PLACE <= a < PICK for a in look.legal):
        return "hex"
    return "fragment" if any(PICK <= a < PICK + 5 * HEXES for a in look.legal) else ""


def groups(t: Texts, seat: int, filled: int, owed: int) -> list[Drawn]:
    """The clusters of core-memory slots."""
    of = [(k, int(CORE[seat, k])) for k in range(CLUSTERS)]
    return [group(t, seat, k, filled & core, owed if owed >= 0 and core >> owed & 1 else -1) for k, core in of if core]


@drawn
def group(t: Texts, seat: int, k: int, filled: int, owed: int) -> dict[str, Any]:
    """A cluster as it lies."""
    slots = [slot(t, seat, p, bool(filled >> p & 1), owed == p) for p in range(RING) if CORE[seat, k] >> p & 1]
    mx, my = (sum(slot[axis] for slot in slots) / len(slots) for axis in "xy")
    return {
        "k": k,
        "points": int(CORE_PAYS[seat, k]),
        "slots": slots,
        "badge": drawing.outward(mx, my, drawing.S * 0.78),
        "done": all(slot["filled"] for slot in slots),
    }


@drawn
def slot(t: Texts, seat: int, p: int, filled: bool, due: bool) -> dict[str, Any]:
    """A core-memory slot."""
    (x, y), colour = drawing.RING_AT[p], COLOURS[SLOT[seat, p]]
    label = t("slot_filled" if filled else "slot_empty", colour=t(f"colours.{colour}"))
    return {"p": p, "x": x, "y": y, "colour": colour, "filled": filled, "due": due, "label": label}
