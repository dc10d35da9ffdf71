"""Reads components.toml into tables of numbers. An owner's own file is checked entry by entry."""

import tomllib
from collections.abc import Iterable
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np

from recollect.engine.components import Fault, path, read

COLOUR_NAMES = ("red", "yellow", "green", "blue", "purple")
BANK_NAMES = ("combine", "speculate", "nudge", "swap")
STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # to the six cells around a cell, in axial coordinates
TILES, BOARDS = 20, 4
CAP = 3  # a hex never holds more fragments
ON_TILE = 5  # nor a tile of the line
FEWEST_HEXES = 12  # with fewer, fragments could fill every board, and nobody could ever take again
MOST_HEXES, MOST_PLACES = 24, 31  # what the choices of one question, and a set, have room for
MOST_POINTS = 255  # that the core memories of one board may pay in a round

FILE = path(__package__)
OURS = tomllib.loads(Path(__file__).with_name("components.toml").read_text(encoding="utf-8"))
DATA = {"outline": OURS["outline"], "bank": OURS["bank"], **read(__package__)}  # an owner's file need not tell these two again


def entry(table: str, n: int, key: str, kind: type, what: str) -> Any:
    """A value of entry n (from 1) of a table, of the kind it must be."""
    value = DATA[table][n - 1].get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Fault(FILE, f"{table} {n}", f"{key!r} must be {what}")
    return value


def colour(where: str, name: str) -> int:
    if name not in COLOUR_NAMES:
        raise Fault(FILE, where, f"{name!r} is no colour; the colours are {', '.join(COLOUR_NAMES)}")
    return COLOUR_NAMES.index(name)


def tables(name: str, count: int) -> list[dict[str, Any]]:
    """The entries of a table, which must be so many."""
    found = DATA.get(name)
    if not isinstance(found, list) or len(found) != count or not all(isinstance(item, dict) for item in found):
        raise Fault(FILE, name, f"there must be {count} entries [[{name}]]")
    return found


def whole(value: object, least: int, most: int) -> bool:
    """A whole number within bounds; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def bits(numbers: Iterable[int]) -> int:
    """A set of small numbers as one integer."""
    return sum(1 << n for n in set(numbers))


# ---------------------------------------------------------------- the outline of the boards, and the order of the bank


def part(table: str, key: str) -> list[Any]:
    """A list in a table that there is once."""
    value = DATA.get(table, {}).get(key)
    if not isinstance(value, list) or not value:
        raise Fault(FILE, table, f"{key!r} must be a list")
    return value


def cells(key: str, least: int, most: int) -> list[Any]:
    """Cells of the outline, as axial coordinates."""
    found = [tuple(cell) if isinstance(cell, list) else () for cell in part("outline", key)]
    for n, cell in enumerate(found, 1):
        if len(cell) != 2 or not all(whole(x, -9, 9) for x in cell):
            raise Fault(FILE, f"outline, {key} {n}", "a cell is two whole numbers from -9 to 9")
        if cell in found[: n - 1]:
            raise Fault(FILE, f"outline, {key} {n}", f"cell {list(cell)} is there twice")
    if not least <= len(found) <= most:
        raise Fault(FILE, "outline", f"{len(found)} {key}: there can be {least} to {most}")
    return found


def touches(n: int, hexes: object) -> int:
    """The hexes that place n of the ring touches, as the file says."""
    if not isinstance(hexes, list) or not hexes or not all(whole(h, 1, HEXES) for h in hexes):
        raise Fault(FILE, f"outline, touches {n}", f"must be a list of hexes from 1 to {HEXES}")
    return bits(h - 1 for h in hexes)


def bank() -> tuple[str, ...]:
    """The four actions of the bank in the order of its slots."""
    order = part("bank", "order")
    if sorted(map(str, order)) != sorted(BANK_NAMES):
        raise Fault(FILE, "bank", f"'order' must name each of {', '.join(BANK_NAMES)} once")
    return tuple(order)


CELLS: list[Any] = cells("hexes", FEWEST_HEXES, MOST_HEXES)
RING_CELLS: list[Any] = cells("ring", 1, MOST_PLACES)
for _n, _cell in enumerate(RING_CELLS, 1):
    if _cell in CELLS:
        raise Fault(FILE, f"outline, ring {_n}", f"cell {list(_cell)} is a hex: slots lie around the hexes")
HEXES, RING = len(CELLS), len(RING_CELLS)
ALL = (1 << HEXES) - 1
BANK = bank()

NEAR = np.array([bits(CELLS.index((q + a, r + b)) for a, b in STEPS if (q + a, r + b) in CELLS) for q, r in CELLS])  # hex -> its neighbours
_touches = [touches(n, hexes) for n, hexes in enumerate(part("outline", "touches"), 1)]
if len(_touches) != RING:
    raise Fault(FILE, "outline", f"{RING} places of the ring need {RING} entries in 'touches'")
TOUCH = np.array(_touches)  # place of the ring -> set of hexes it touches

# neighbours of a whole set of hexes at once: hex h touches h + STRIDE[i] where h is in BEFORE[i]
_strides = sorted({b - a for a in range(HEXES) for b in range(a + 1, HEXES) if NEAR[a] >> b & 1})
STRIDE = np.array(_strides)
BEFORE = np.array([bits(h for h in range(HEXES - d) if NEAR[h] >> h + d & 1) for d in _strides])

# ---------------------------------------------------------------- handfuls: fragments that lie together, as one number
#
# Up to three, as in a hex: bits 0 to 4 are the colours that are there; bits 5 and 6 say how many more than one of each: 1 or 2 more of a
# single colour; of two colours, 1: the first is there twice, 2: the second. So the colours of a hex need no table. Four and five, as on a
# tile of the line, have the numbers that are left.


def _of_a_hex(some: tuple[int, ...]) -> int:
    colours = sorted(set(some))
    doubled = 0 if len(colours) == len(some) else len(some) - 1 if len(colours) == 1 else 1 + colours.index(max(colours, key=some.count))
    return bits(colours) | doubled << 5


_all = [some for n in range(ON_TILE + 1) for some in combinations_with_replacement(range(5), n)]
_number = {some: _of_a_hex(some) for some in _all if len(some) <= CAP}
IN_HEX = sorted(_number.values())
_number |= zip((some for some in _all if len(some) > CAP), (n for n in range(256) if n not in IN_HEX), strict=False)
HANDFULS = [next((some for some, n in _number.items() if n == k), ()) for k in range(256)]  # number -> colours, sorted


def handful(colours: Iterable[int]) -> int:
    """The number of a handful."""
    return _number[tuple(sorted(colours))]


def _without(some: tuple[int, ...], c: int) -> tuple[int, ...]:
    at = some.index(c)
    return some[:at] + some[at + 1 :]


SIZE = np.array([len(some) for some in HANDFULS], np.uint8)  # how many fragments
HAS = np.array([bits(some) for some in HANDFULS], np.uint8)  # which colours, as a set
TIMES = np.array([[some.count(c) for c in range(5)] for some in HANDFULS], np.uint8)  # [handful, colour] -> how many of it
WITH = np.array([[_number.get(tuple(sorted((*some, c))), 0) for c in range(5)] for some in HANDFULS], np.uint8)  # one more
LESS = np.array([[_number[_without(some, c)] if c in some else 0 for c in range(5)] for some in HANDFULS], np.uint8)  # one fewer

# ---------------------------------------------------------------- moments and boards


def moment(n: int) -> tuple[int, ...]:
    """Tile n: (splits or adds, colour, first and second colour it splits into, pattern, points)."""
    where, action = f"moment {n}", entry("moment", n, "action", str, '"add" or "split"')
    if action not in ("add", "split"):
        raise Fault(FILE, where, f'action {action!r} is neither "add" nor "split"')
    shown = colour(where, entry("moment", n, "colour", str, "a colour"))
    into = [colour(where, c) for c in entry("moment", n, "into", list, "the two colours of the split")] if action == "split" else [-1, -1]
    if len(into) != 2:
        raise Fault(FILE, where, f"a split gives two colours, not {len(into)}")
    pattern = [colour(where, c) for c in entry("moment", n, "pattern", list, "two or three colours")]
    if len(pattern) not in (2, 3):
        raise Fault(FILE, where, f"a pattern shows two or three fragments, not {len(pattern)}")
    return int(action == "split"), shown, *into, handful(pattern), {2: 4, 3: 6}[len(pattern)]


def cluster(n: int, k: int, raw: dict[str, Any]) -> tuple[list[int], list[int], int]:
    """Cluster k of board n: its places on the ring with their colours, and its points."""
    where = f"board {n}, cluster {k}"
    points: Any
    places, colours, points = raw.get("ring"), raw.get("colours"), raw.get("points")
    if not isinstance(places, list) or not places or not all(whole(p, 0, RING - 1) for p in places):
        raise Fault(FILE, where, f"'ring' must be a list of places 0 to {RING - 1}")
    if not isinstance(colours, list) or len(colours) != len(places):
        raise Fault(FILE, where, f"{len(places)} places need {len(places)} colours")
    if not whole(points, 1, MOST_POINTS):
        raise Fault(FILE, where, f"'points' must be a whole number from 1 to {MOST_POINTS}, not {points!r}")
    return places, [colour(where, c) for c in colours], points


def board(n: int) -> tuple[list[int], list[int], list[int]]:
    """Board n: the colour of each place of the ring (-1 is blank), clusters as sets of places, and their points."""
    clusters = [cluster(n, k, raw) for k, raw in enumerate(entry("board", n, "clusters", list, "a list of clusters"), 1)]
    slots = [-1] * RING
    for k, (places, colours, _) in enumerate(clusters, 1):
        for place, c in zip(places, colours, strict=True):
            if slots[place] != -1:
                raise Fault(FILE, f"board {n}, cluster {k}", f"place {place} is used twice")
            slots[place] = c
    for a, b in combinations(range(RING), 2):
        if slots[a] == slots[b] != -1 and TOUCH[a] & TOUCH[b]:
            same = COLOUR_NAMES[slots[a]]
            raise Fault(FILE, f"board {n}", f"places {a} and {b} are both {same} and touch one hex: that hex alone would be a thread")
    paying = [points for _, _, points in clusters]
    if sum(paying) > MOST_POINTS:
        raise Fault(FILE, f"board {n}", f"its clusters pay {sum(paying)} together; at most {MOST_POINTS} can be counted")
    return slots, [bits(places) for places, _, _ in clusters], paying


_moments = [moment(n) for n, _ in enumerate(tables("moment", TILES), 1)]
SPLITS, SHOWS, INTO_A, INTO_B, PATTERN, PAYS = (np.array(column) for column in zip(*_moments, strict=True))

_boards = [board(n) for n, _ in enumerate(tables("board", BOARDS), 1)]
SLOT = np.array([slots for slots, _, _ in _boards])  # [board, place] -> colour or -1
SLOTS_OF = np.array([[bits(p for p in range(RING) if slots[p] == c) for c in range(5)] for slots, _, _ in _boards])  # [board, colour]
CLUSTERS = max(len(sets) for _, sets, _ in _boards)
CORE = np.array([sets + [0] * (CLUSTERS - len(sets)) for _, sets, _ in _boards])  # [board, cluster] -> set of places; 0 is none
CORE_PAYS = np.array([points + [0] * (CLUSTERS - len(points)) for _, _, points in _boards])
