"""Where things lie on a board, in board units: hexes, slots, crystals, and the yarn between them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import hypot, sqrt
from typing import Any

from recollect.engine.drawn import Drawn

from ..components import CELLS, HANDFULS, HEXES, NEAR, RING, RING_CELLS, SLOT, TOUCH
from ..rules.layout import COLOURS

S = 48  # radius of a hex
STAND = {1: ((0, 0),), 2: ((-0.4, 0), (0.4, 0)), 3: ((0, -0.45), (-0.395, 0.235), (0.395, 0.235))}  # where crystals stand, in units of S

# What part of its hex each crystal answers for, as corners in units of S: all of it, a half, a third.
N, NE, SE, SOUTH, SW, NW, MIDDLE = (0, -1), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5), (0, 0)
SHARE = {
    1: ((N, NE, SE, SOUTH, SW, NW),),
    2: ((N, SOUTH, SW, NW), (N, NE, SE, SOUTH)),
    3: ((MIDDLE, NW, N, NE), (MIDDLE, NW, SW, SOUTH), (MIDDLE, NE, SE, SOUTH)),
}


def centre(cell: tuple[int, int]) -> tuple[float, float]:
    """The middle of a cell; hexes stand on a point."""
    q, r = cell
    return S * sqrt(3) * (q + r / 2), S * 1.5 * r


def middle(some: Iterable[float]) -> float:
    """Halfway between the least and the most."""
    some = list(some)
    return (min(some) + max(some)) / 2


_AT = [centre(cell) for cell in (*CELLS, *RING_CELLS)]
_MIDDLE = tuple(middle(axis) for axis in zip(*_AT, strict=True))  # of the board, wherever an owner's outline lies: it is drawn around it
AT = [(round(x - _MIDDLE[0], 1), round(y - _MIDDLE[1], 1)) for x, y in _AT]
HEX_AT, RING_AT = AT[:HEXES], AT[HEXES:]
WIDER = max(1, max(abs(x) for x, _ in AT) / 249.4, max(abs(y) for _, y in AT) / 216)  # than ours: it is drawn as much smaller
HEART = round(min(hypot(*at) for at in RING_AT) + 15.3, 1)  # how far the bubble is filled


def view(x: int, y: int) -> str:
    """What is in sight of a board of which so much to each side is."""
    return " ".join(f"{n * WIDER:g}" for n in (-x, -y, 2 * x, 2 * y))


VIEW, SMALL = view(318, 285), view(310, 278)


@lru_cache(maxsize=8)
def cloud(seat: int) -> list[Drawn]:
    """The circles of the thought bubble: wider where a slot lies."""
    return [Drawn({"x": x, "y": y, "r": round(S * (1.17 if SLOT[seat, p] >= 0 else 1.02), 1)}) for p, (x, y) in enumerate(RING_AT)]


def outward(x: float, y: float, by: float) -> tuple[float, float]:
    """A point moved away from the middle of the board; the middle itself, up."""
    if not (far := hypot(x, y)):
        return 0.0, -by
    return round(x * (1 + by / far), 1), round(y * (1 + by / far), 1)


def stand(colours: list[int]) -> list[dict[str, Any]]:
    """Where so many fragments stand, from the middle of a hex."""
    return [
        {"colour": COLOURS[c], "x": round(dx * S, 1), "y": round(dy * S, 1)}
        for c, (dx, dy) in zip(colours, STAND[len(colours)], strict=True)
    ]


@lru_cache(maxsize=8192)
def crystals(h: int, colours: tuple[int, ...]) -> list[dict[str, Any]]:
    """Where the fragments of a hex stand."""
    x, y = HEX_AT[h]
    spots = zip(colours, STAND.get(len(colours), ()), SHARE.get(len(colours), ()), strict=False)
    return [
        {"c": c, "colour": COLOURS[c], "x": round(x + dx * S, 1), "y": round(y + dy * S, 1), "area": corners(x, y, share)}
        for c, (dx, dy), share in spots
    ]


def corners(x: float, y: float, share: tuple[tuple[float, float], ...]) -> str:
    """The points of a polygon about the middle of a hex."""
    return " ".join(f"{x + S * dx:.1f},{y + S * dy:.1f}" for dx, dy in share)


@lru_cache(maxsize=1024)
def laid(seat: int, hexes: tuple[int, ...]) -> tuple[list[list[dict[str, Any]]], list[dict[str, Any]]]:
    """The fragments of every hex of a board, and the yarn between them."""
    held = [crystals(h, tuple(HANDFULS[handful])) for h, handful in enumerate(hexes)]
    return held, yarn(seat, held)


def strand(a: tuple[float, float], b: tuple[float, float], rim: float = 0) -> str:
    """A yarn that sags a little to one side; at a slot it stops at the rim."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    k = 1 - rim / hypot(dx, dy)
    dx, dy = dx * k, dy * k
    return f"M{a[0]} {a[1]}q{dx / 2 - dy * 0.13:.1f} {dy / 2 + dx * 0.13:.1f} {dx:.1f} {dy:.1f}"


@lru_cache(maxsize=2048)
def leads(seat: int, h: int, colours: tuple[int, ...]) -> list[Drawn]:
    """Where fragments that were put into an empty hex would touch a slot of their colour."""
    slots = [(k, p) for k in crystals(h, colours) for p in range(RING) if SLOT[seat, p] == k["c"] and TOUCH[p] >> h & 1]
    return [Drawn({"colour": k["colour"], "d": strand((k["x"], k["y"]), RING_AT[p], 0.56 * S)}) for k, p in slots]


def yarn(seat: int, held: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Yarn between equal colours in neighbouring hexes, and from a hex to a slot of its colour."""
    lines: list[dict[str, Any]] = []
    for h in range(HEXES):
        for token in {t["c"]: t for t in reversed(held[h])}.values():
            a = (token["x"], token["y"])
            for o in range(h + 1, HEXES):
                mates = [(m["x"], m["y"]) for m in held[o] if m["c"] == token["c"]] if NEAR[h] >> o & 1 else []
                if mates:
                    b = min(mates, key=lambda m: hypot(m[0] - a[0], m[1] - a[1]))
                    lines.append({"id": f"{h}-{o}-{token['c']}", "c": token["c"], "of": {h, o}, "slot": None, "d": strand(a, b)})
            for p in range(RING):
                if SLOT[seat, p] == token["c"] and TOUCH[p] >> h & 1:
                    d = strand(a, RING_AT[p], 0.56 * S)
                    lines.append({"id": f"{h}-s{p}-{token['c']}", "c": token["c"], "of": {h}, "slot": p, "d": d})
    return [Drawn({**line, "colour": COLOURS[line["c"]]}) for line in lines]
