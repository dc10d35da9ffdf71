"""The box, read and checked."""

from typing import Any

import numpy as np

from recollect.engine.components import Fault, path, read

_FILE = path(__package__)
_BOX = read(__package__)


def _fault(entry: str, what: str) -> Fault:
    return Fault(_FILE, entry, what)


def _list(table: str, name: str, kind: type, length: int) -> list[Any]:
    entry = f"[{table}] {name}"
    value = _BOX.get(table, {}).get(name) if isinstance(_BOX.get(table, {}), dict) else None
    if not isinstance(value, list):
        raise _fault(entry, "this list is missing")
    if len(value) != length:
        raise _fault(entry, f"{len(value)} entries, but the game needs {length}")
    for i, item in enumerate(value, 1):
        if not isinstance(item, kind) or isinstance(item, bool):
            raise _fault(f"{entry}, entry {i}", f"{item!r} is not {'a word' if kind is str else 'a whole number'}")
    return value


def _different(table: str, name: str, items: list[Any]) -> list[Any]:
    for i, item in enumerate(items, 1):
        if item in items[: i - 1]:
            raise _fault(f"[{table}] {name}, entry {i}", f"{item!r} is there twice")
    return items


ANIMALS = tuple(_different("locations", "animals", _list("locations", "animals", str, 5)))
LANDSCAPES = tuple(_different("locations", "landscapes", _list("locations", "landscapes", str, 5)))
_birds = _different("volcanoes", "birds", _list("volcanoes", "birds", int, 3))
_rubies = _list("treasures", "rubies", int, 7)

if set(ANIMALS) != {"crab", "penguin", "octopus", "turtle", "walrus"}:
    raise _fault("[locations] animals", "the animals must be crab, penguin, octopus, turtle and walrus (any order): the powers are theirs")
if set(LANDSCAPES) != {"lava", "jungle", "ocean", "flowers", "sand"}:
    raise _fault("[locations] landscapes", "the landscapes must be lava, jungle, ocean, flowers and sand (any order): they are drawn")
for _i, _n in enumerate(_rubies, 1):
    if not 1 <= _n <= 9:
        raise _fault(f"[treasures] rubies, entry {_i}", f"{_n} rubies; a treasure holds 1 to 9")
if _rubies != sorted(_rubies):
    raise _fault("[treasures] rubies", "the list must be in rising order: it is the sorted pile, top to bottom")
for _i, _n in enumerate(_birds, 1):
    if not 1 <= _n <= 99:
        raise _fault(f"[volcanoes] birds, entry {_i}", f"{_n} birds; a volcano has 1 to 99")

BIRDS = np.array(_birds, np.int64)  # checked before: a number may be longer than those here
RUBIES = np.array(_rubies, np.int64)
TREASURES = tuple(f"{n}{'abcdefg'[_rubies[:i].count(n)]}" for i, n in enumerate(_rubies))  # 1a, 1b, 2a ...: each by its rubies
