"""The cards, read from components.toml into constants."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from recollect.engine import Fault, components

FILE = components.path(__package__)
COLOURS = ("green", "gold", "red", "blue")
EFFECTS = ("none", "again", "lantern", "gift")
GREENS, GOLDS, REDS, BLUES = 12, 2, 8, 6  # the most kinds of each colour: 12 + 2 + 6 pairs and 8 reds fill 48 places
SIDE = 7  # a table has at most 7 columns and 7 rows


class Card(NamedTuple):
    """One kind of card."""

    name: str
    picture: str
    colour: int
    effect: int


def _cards(data: dict[str, Any], colour: str, least: int, most: int) -> list[Card]:
    table = data.get(colour)
    if not isinstance(table, dict) or not isinstance(table.get("cards"), list):
        raise Fault(FILE, colour, "must be a table with a list `cards`")
    if not least <= len(table["cards"]) <= most:
        raise Fault(FILE, colour, f"has {len(table['cards'])} cards, must have {least if least == most else f'{least} to {most}'}")
    return [_card(entry, colour, f"{colour}, card {n}") for n, entry in enumerate(table["cards"], 1)]


def _card(entry: Any, colour: str, where: str) -> Card:
    if not isinstance(entry, dict):
        raise Fault(FILE, where, "must be a table { name, picture }")
    for key in ("name", "picture"):
        if not isinstance(entry.get(key), str) or entry[key].split() != [entry[key]]:
            raise Fault(FILE, where, f"`{key}` must be a word without spaces")
    effect = entry.get("effect", "none")
    if effect not in EFFECTS or (effect == "none") == (colour == "blue"):
        what = f"`effect` must be one of {', '.join(EFFECTS[1:])}" if colour == "blue" else "only blue cards have an effect"
        raise Fault(FILE, where, what)
    return Card(entry["name"], entry["picture"], COLOURS.index(colour), EFFECTS.index(effect))


def _number(data: dict[str, Any], table: str, key: str, least: int, most: int) -> int:
    value = data.get(table, {}).get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Fault(FILE, f"{table}.{key}", f"must be a whole number from {least} to {most}")
    return value


def _once_each(cards: list[Card]) -> None:
    names = sorted(card.name for card in cards)
    for one, next_one in pairwise(names):
        if one == next_one:
            raise Fault(FILE, one, "two cards have this name")


def _columns(cards: int) -> int:
    """The table is about square, never narrower than high: of two widths the one that leaves fewer gaps."""
    square = next(c for c in range(1, SIDE + 1) if c * c >= cards)
    return min((square, min(square + 1, SIDE)), key=lambda c: (-cards % c, c))


_data = components.read(__package__, also=("effect",))
CARDS = [
    *_cards(_data, "green", GREENS, GREENS),
    *_cards(_data, "gold", GOLDS, GOLDS),
    *_cards(_data, "red", REDS, REDS),
    *_cards(_data, "blue", 0, BLUES),
]
_once_each(CARDS)

FACES = tuple(card.name for card in CARDS)
COLOUR = np.array([card.colour for card in CARDS], np.int16)
EFFECT = np.array([card.effect for card in CARDS], np.int16)
WORTH = np.array([*(_number(_data, "points", c, -9, 9) for c in COLOURS[:3]), 0], np.int16)  # points of a card, by colour
SECONDS_A_RED = _number(_data, "solo", "seconds_a_red", 0, 600)
BONUSES = len(CARDS) - GREENS - GOLDS - REDS  # blue pairs
COLUMNS = np.array([0, *(_columns(n) for n in range(1, SIDE * SIDE + 1))], np.int16)  # columns of a table, by its cards
