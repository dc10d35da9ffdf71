"""What remembering is for in this game: the account after a game asks here."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .components import CARDS, COLOURS
from .rules import COLOUR, FIRST, PLACE_COUNT, PLACES, RED, SECOND, TURN

ACTIONS = range(TURN, TURN + PLACE_COUNT)  # those that name a place which one may remember


def wanted(k: Any) -> tuple[str, set[int]] | None:
    """The places that whoever remembers all would turn: the twin of the open card, or a pair. None where nothing is asked of memory."""
    if k.step == SECOND:
        return "twin", {p for p in range(PLACE_COUNT) if p != k.one and k.card[p] == k.card[k.one]}
    if k.step == FIRST:
        faces = Counter(face for face in k.card if face >= 0 and COLOUR[face] != RED)
        pairs = {p for p in range(PLACE_COUNT) if faces[k.card[p]] == 2}
        return ("pair", pairs) if pairs else None
    return None


def right(k: Any, face: int) -> bool:
    """Whether this face is the one to turn now."""
    return bool(k.step == SECOND and face == k.card[k.one])


def picture(face: str) -> tuple[str, str]:
    """How a face is drawn: a symbol of art.svg, and its colour."""
    card = next(card for card in CARDS if card.name == face)
    return f"f-{card.picture}", COLOURS[card.colour]


def board(start: Any) -> tuple[int, list[str]]:
    """The table as it is laid out: how many columns, and where cards lie."""
    return int(start.columns), [PLACES[p] for p in range(PLACE_COUNT) if start.lies >> p & 1]
