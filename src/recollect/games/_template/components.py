"""The cards, read from components.toml into constants; what is wrong in an owner's file is a Fault that names its entry."""

from __future__ import annotations

import numpy as np

from recollect.engine import Fault, components

FILE = components.path(__package__)


def _values() -> list[int]:
    values = components.read(__package__).get("cards", {}).get("values")
    if not isinstance(values, list) or not 7 <= len(values) <= 12:
        raise Fault(FILE, "cards.values", "should be a list of 7 to 12 numbers")
    for n, value in enumerate(values, 1):
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 99:
            raise Fault(FILE, f"cards.values, entry {n}", f"{value!r}: a card counts 1 to 99")
    return values


_read = _values()
CARDS = len(_read)
VALUE = np.array([0, *_read], np.int64)  # what card 1, 2, ... counts
