"""The pieces of the box, read from components.toml (or an owner's own file) into the constants that the rules use."""

from collections.abc import Callable
from typing import Any

import numpy as np

from recollect.engine import components
from recollect.engine.components import Fault

POWERS = ("hand", "footprint", "short_term", "white_pick", "chest", "flower")
NO_POWER = len(POWERS)
GOALS = ("same_colour", "white", "run", "set", "each")
NO_GOAL = len(GOALS)
NUMBERS, TILE_COUNT, BITS_IN_ALL, MOST_SLOTS = 7, 15, 60, 6
ORDINARY_COUNT, COMMON_COUNT = 30, 12

_FILE = components.path(__package__)
_DATA = components.read(__package__, also=("flower",))


def _fault(entry: str, what: str) -> Fault:
    return Fault(_FILE, entry, what)


def _table(name: str) -> dict[str, Any]:
    """A table of the file; it must say where its data comes from."""
    table = _DATA.get(name)
    if not isinstance(table, dict):
        raise _fault(f"[{name}]", "the table is missing")
    if table.get("provenance") not in components.PROVENANCES:
        raise _fault(f"[{name}] provenance", f"must be one of {', '.join(components.PROVENANCES)}")
    return table


def _number(name: str, key: str, least: int, most: int) -> int:
    value = _table(name).get(key)
    if type(value) is not int or not least <= value <= most:
        raise _fault(f"[{name}] {key}", f"must be a whole number from {least} to {most}, not {value!r}")
    return value


def _words(name: str, key: str, count: int) -> tuple[str, ...]:
    """That many different words."""
    value = _table(name).get(key)
    if not isinstance(value, list) or not all(isinstance(w, str) and w.split() == [w] for w in value):
        raise _fault(f"[{name}] {key}", "must be a list of words")
    if len(set(value)) != count or len(value) != count:
        raise _fault(f"[{name}] {key}", f"needs {count} different words, not {len(set(value))}")
    return tuple(value)


def _stairs(key: str) -> list[int]:
    """Points for 1, 2, 3, 4, 5 and more cards."""
    value = _table("goals").get(key)
    if not isinstance(value, list) or len(value) != 5 or not all(type(v) is int and 0 <= v <= 99 for v in value):
        raise _fault(f"[goals] {key}", "needs five whole numbers, for 1, 2, 3, 4 and 5 or more cards")
    return [0, *value]


# --- bits, fragments, tiles -------------------------------------------------------------------------------------------
COLOURS = _words("bits", "colours", 6)
SHAPES = _words("bits", "shapes", 5)
WHITE, ANY = len(COLOURS) - 1, len(SHAPES)
BITS = tuple(f"{colour}-{shape}" for colour in COLOURS for shape in SHAPES)  # a kind of bit = colour * 5 + shape
BIT_COPIES = _number("bits", "copies", 1, 9)
TILES = _words("tiles", "names", TILE_COUNT)
KINDS = _words("fragments", "kinds", 3)
VALUES = _number("fragments", "values", 5, 5)
FRAGMENTS = tuple(f"{kind}-{value}" for kind in KINDS for value in range(1, VALUES + 1))
if len(BITS) * BIT_COPIES != BITS_IN_ALL:
    raise _fault("[bits] copies", f"{len(BITS)} kinds of {BIT_COPIES} are not the {BITS_IN_ALL} bits of the box")

# --- numbers of the rules ---------------------------------------------------------------------------------------------
ICONS = np.array([_number("girl", power, 0, 9) for power in POWERS[:5]] + [0, 0], np.int64)  # on the girl's own tile, by power
LINK = _number("girl", "link", 0, 99)
FLOWER_TOKENS = _number("flowers", "tokens", 0, 99)
FLOWER_PRICE = _number("flowers", "price", 1, 9)
DRAWN = _number("setup", "drawn", 1, 9)
FAST_DRAWN = _number("setup", "fast_drawn", 1, 9)
FAST_REMEMBERED = _number("setup", "fast_remembered", 1, 5)
FAST_TOKENS = _number("setup", "fast_tokens", 0, 99)
AWAKENING = _number("awakening", "cards", 1, 42)
GRID = _number("grid", "cells", 1, 45)
SAME_COLOUR = np.array(_stairs("same_colour"), np.int64)
WHITE_CARDS = np.array(_stairs("white"), np.int64)
RUN, SET, EACH = (_number("goals", key, 0, 99) for key in ("run", "set", "each"))
HAND = int(ICONS[0])
if HAND > DRAWN or HAND + FAST_REMEMBERED > FAST_DRAWN:
    raise _fault("[setup] drawn", f"fewer cards are dealt than the {HAND} that a hand keeps")
if EACH > RUN:
    raise _fault("[goals] each", "must not pay more for a fragment than run does")


# --- cards ------------------------------------------------------------------------------------------------------------
def _card(name: str, entry: Any) -> dict[str, Any]:
    """One card of the file, checked."""
    wrong: Callable[[str], Fault] = lambda what: _fault(f"[cards] {name}", what)  # noqa: E731
    colour, _, number = name.rpartition("-")
    if colour not in COLOURS or number not in map(str, range(1, NUMBERS + 1)):
        raise wrong(f"a card is named colour-number, with one of {', '.join(COLOURS)} and a number from 1 to {NUMBERS}")
    if not isinstance(entry, dict) or not isinstance(entry.get("slots"), list):
        raise wrong("needs slots, from top to bottom")
    slots = entry["slots"]
    if not 1 <= len(slots) <= MOST_SLOTS:
        raise wrong(f"has {len(slots)} slots; a card has 1 to {MOST_SLOTS}")
    for shape in slots:
        if shape not in (*SHAPES, "any"):
            raise wrong(f"slot {shape!r} is not one of {', '.join(SHAPES)}, any")
    if ("power" in entry) == ("goal" in entry):
        raise wrong("needs a power (ordinary cards) or a goal (common cards), and not both")
    return {
        "colour": COLOURS.index(colour),
        "number": int(number),
        "slots": slots,
        **(_ordinary(entry, wrong) if "power" in entry else _common(entry, wrong)),
    }


def _ordinary(entry: dict[str, Any], wrong: Callable[[str], Fault]) -> dict[str, Any]:
    """A card of the deck: points and a power."""
    if entry["power"] not in POWERS:
        raise wrong(f"power {entry['power']!r} is not one of {', '.join(POWERS)}")
    points, most = entry.get("points"), FAST_TOKENS // FAST_REMEMBERED
    if type(points) is not int or not 0 <= points <= most:
        raise wrong(f"points {points!r} must be a whole number from 0 to {most} (the speed game pays {FAST_TOKENS} less two cards' points)")
    return {"points": points, "power": POWERS.index(entry["power"]), "goal": NO_GOAL, "kind": 0, "flower": int(entry["power"] == "flower")}


def _common(entry: dict[str, Any], wrong: Callable[[str], Fault]) -> dict[str, Any]:
    """A card that lies on the table for all: a goal."""
    goal, _, kind = str(entry["goal"]).partition(":")
    if goal not in GOALS or (goal == "run") != bool(kind) or (kind and kind not in KINDS):
        raise wrong(f"goal {entry['goal']!r} is not one of same_colour, white, {', '.join('run:' + k for k in KINDS)}, set, each")
    points = entry.get("points", 0)
    if type(points) is not int or not 0 <= points <= 20:
        raise wrong(f"points {points!r} must be a whole number from 0 to 20")
    flower = entry.get("flower", False)
    if type(flower) is not bool:
        raise wrong(f"flower {flower!r} must be true or false")
    return {"points": points, "power": NO_POWER, "goal": GOALS.index(goal), "kind": KINDS.index(kind) if kind else 0, "flower": int(flower)}


def _cards() -> dict[str, dict[str, Any]]:
    """Ordinary cards first, then the common ones, by colour and number."""
    table = {name: entry for name, entry in _table("cards").items() if name not in ("provenance", "copies")}
    cards = {name: _card(name, entry) for name, entry in table.items()}
    for count, what, common in ((ORDINARY_COUNT, "ordinary", False), (COMMON_COUNT, "common", True)):
        have = sum((card["goal"] != NO_GOAL) == common for card in cards.values())
        if have != count:
            raise _fault("[cards]", f"{have} {what} cards; the box has {count} different ones")
    return dict(sorted(cards.items(), key=lambda item: (item[1]["goal"] != NO_GOAL, item[1]["colour"], item[1]["number"])))


_CARDS = _cards()
_column = lambda key: np.array([card[key] for card in _CARDS.values()], np.int64)  # noqa: E731
CARDS = tuple(_CARDS)
ORDINARY, COMMON = CARDS[:ORDINARY_COUNT], CARDS[ORDINARY_COUNT:]
CARD_COPIES = _number("cards", "copies", 2, 2)  # gold and silver are one copy each
CARD_COLOUR, NUMBER, CARD_POINTS, POWER = _column("colour"), _column("number"), _column("points"), _column("power")
GOAL, GOAL_KIND, FLOWERING = _column("goal"), _column("kind"), _column("flower")
SLOTS = np.array([len(card["slots"]) for card in _CARDS.values()], np.int64)
SLOT = np.full((len(CARDS), MOST_SLOTS), -1, np.int64)  # the shape that a slot wants, ANY for every shape
for _i, _entry in enumerate(_CARDS.values()):
    SLOT[_i, : SLOTS[_i]] = [(*SHAPES, "any").index(shape) for shape in _entry["slots"]]
NEED = np.zeros((len(CARDS), MOST_SLOTS + 1), np.int64)  # bits of each shape that a card wants from a slot down, eight binary digits each
for _i in range(len(CARDS)):
    for _n in range(MOST_SLOTS - 1, -1, -1):
        NEED[_i, _n] = NEED[_i, _n + 1] + (1 << 8 * int(SLOT[_i, _n]) if 0 <= SLOT[_i, _n] < ANY else 0)
MOST_SHORT = int(ICONS[2] + (POWER == 2).sum())  # places of short-term memory at the very most
PLACES = MOST_SHORT + 1  # and one to hold a card that is being built at once

# --- sets of cards, a binary digit for each -----------------------------------------------------------------------------
_digits = 1 << np.arange(len(CARDS), dtype=np.int64)
POWERFUL = np.array([_digits[power == POWER].sum() for power in range(len(POWERS))])  # the cards with a power
OF_COLOUR = np.array([_digits[colour == CARD_COLOUR].sum() for colour in range(len(COLOURS))])
GOALS_OF_COLOUR = np.array([_digits[(GOAL == 0) & (colour == CARD_COLOUR)].sum() for colour in range(len(COLOURS))])
WHITE_GOALS, SET_GOALS, EACH_GOALS = (int(_digits[goal == GOAL].sum()) for goal in (1, 3, 4))
RUN_GOALS = np.array([_digits[(GOAL == 2) & (kind == GOAL_KIND)].sum() for kind in range(len(KINDS))])
FLOWERY = int(_digits[FLOWERING == 1].sum())
_place = {(int(CARD_COLOUR[_i]), int(NUMBER[_i])): _i for _i in range(len(CARDS))}
NEXT = np.array([_place[int(CARD_COLOUR[_i]), int(NUMBER[_i]) % NUMBERS + 1] for _i in range(len(CARDS))])  # the next number of the colour

# --- fragments: the longest and the second run of a set of values (5 and 1 are neighbours) -----------------------------


def _runs(mask: int) -> list[int]:
    """Lengths of the runs of values in a circle of five, longest first."""
    if mask == (1 << VALUES) - 1:
        return [VALUES, 0]
    starts = [v for v in range(VALUES) if mask >> v & 1 and not mask >> (v - 1) % VALUES & 1]
    lengths = [next(n for n in range(1, VALUES + 1) if not mask >> (v + n) % VALUES & 1) for v in starts]
    return sorted([*lengths, 0, 0], reverse=True)[:2]


RUNS = np.array([_runs(mask) for mask in range(1 << VALUES)], np.int64)
EAST, SOUTH = np.array([1, 0, -1, -1, 0, 1], np.int64), np.array([0, 1, 1, 0, -1, -1], np.int64)  # the six sides of a tile, in axial steps
SIDES = ("e", "se", "sw", "w", "nw", "ne")
