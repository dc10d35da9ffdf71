"""Reads components.toml into tables of numbers. An owner's own file is checked entry by entry."""

from itertools import combinations

import numpy as np

from recollect.engine.components import Fault, path, read

COLOUR_NAMES = ("red", "yellow", "green", "blue", "purple")
STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
HEXES, RING, TILES, BOARDS = 19, 18, 20, 4

# axial coordinates: a hexagon of radius 2, and the ring of radius 3 around it
CELLS = [(q, r) for r in range(-2, 3) for q in range(-2, 3) if abs(q + r) <= 2]
RING_CELLS = [(-3, 3)]
for _q, _r in STEPS:
    for _ in range(3):
        RING_CELLS.append((RING_CELLS[-1][0] + _q, RING_CELLS[-1][1] + _r))
RING_CELLS.pop()  # back where it began


def bits(numbers):
    """A set of small numbers as one integer."""
    return sum(1 << n for n in set(numbers))


def near(cell):
    """The hexes that touch a cell."""
    return [CELLS.index((cell[0] + q, cell[1] + r)) for q, r in STEPS if (cell[0] + q, cell[1] + r) in CELLS]


NEAR = np.array([bits(near(cell)) for cell in CELLS])  # hex -> set of its neighbours
TOUCH = np.array([bits(near(cell)) for cell in RING_CELLS])  # place of the ring -> set of hexes it touches
FULL = (1 << HEXES) - 1

FILE = path(__package__)
DATA = read(__package__)


def entry(table, n, key, kind, what):
    """A value of entry n (from 1) of a table, of the kind it must be."""
    value = DATA[table][n - 1].get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Fault(FILE, f"{table} {n}", f"{key!r} must be {what}")
    return value


def colour(where, name):
    if name not in COLOUR_NAMES:
        raise Fault(FILE, where, f"{name!r} is no colour; the colours are {', '.join(COLOUR_NAMES)}")
    return COLOUR_NAMES.index(name)


def tables(name, count):
    """The entries of a table, which must be so many."""
    found = DATA.get(name)
    if not isinstance(found, list) or len(found) != count or not all(isinstance(item, dict) for item in found):
        raise Fault(FILE, name, f"there must be {count} entries [[{name}]]")
    return found


def pack(colours):
    """Fragments as one number, two bits a colour."""
    return sum(1 << 2 * c for c in colours)


def moment(n):
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
    return int(action == "split"), shown, *into, pack(pattern), {2: 4, 3: 6}[len(pattern)]


def cluster(n, k, raw):
    """Cluster k of board n: its places on the ring with their colours, and its points."""
    where = f"board {n}, cluster {k}"
    places, colours, points = raw.get("ring"), raw.get("colours"), raw.get("points")
    if not isinstance(places, list) or not places or not all(isinstance(p, int) and 0 <= p < RING for p in places):
        raise Fault(FILE, where, f"'ring' must be a list of places 0 to {RING - 1}")
    if not isinstance(colours, list) or len(colours) != len(places):
        raise Fault(FILE, where, f"{len(places)} places need {len(places)} colours")
    if not isinstance(points, int) or points < 1:
        raise Fault(FILE, where, "'points' must be a number from 1")
    return places, [colour(where, c) for c in colours], points


def board(n):
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
    return slots, [bits(places) for places, _, _ in clusters], [points for _, _, points in clusters]


_moments = [moment(n) for n, _ in enumerate(tables("moment", TILES), 1)]
SPLITS, SHOWS, INTO_A, INTO_B, PATTERN, PAYS = (np.array(column) for column in zip(*_moments, strict=True))

_boards = [board(n) for n, _ in enumerate(tables("board", BOARDS), 1)]
SLOT = np.array([slots for slots, _, _ in _boards])  # [board, place] -> colour or -1
CLUSTERS = max(len(sets) for _, sets, _ in _boards)
CORE = np.array([sets + [0] * (CLUSTERS - len(sets)) for _, sets, _ in _boards])  # [board, cluster] -> set of places; 0 is none
CORE_PAYS = np.array([points + [0] * (CLUSTERS - len(points)) for _, _, points in _boards])
SIZE = np.array([sum(n >> 2 * c & 3 for c in range(5)) for n in range(4**5)], np.int8)  # how many fragments a number packs
