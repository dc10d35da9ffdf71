"""What remembering is for in this game: the account after a game asks here."""

from __future__ import annotations

from typing import Any

from .rules.layout import LINKS, PLACES, REVEAL, ROUNDS, TURN

ACTIONS = range(REVEAL, REVEAL + len(PLACES))  # those that name a place which one may remember


def wanted(k: Any) -> tuple[str, set[int]] | None:
    """The places of cards in smoke that are linked with the last one turned. None at the opening, where any card does."""
    if k.stage != TURN or k.last < 0:
        return None
    hidden = (p for p in range(len(PLACES)) if not k.up >> p & 1 and p != k.guarded and k.card[p] >= 0)
    return "link", {p for p in hidden if right(k, k.card[p])}


def right(k: Any, face: int) -> bool:
    """Whether this face is one to turn now."""
    return bool(k.last >= 0 and LINKS[k.card[k.last]] >> face & 1)


def round_of(s: Any) -> int:
    """The round, by which people tell the time here."""
    return int(min(s.rounds + 1, ROUNDS))


def picture(face: str) -> tuple[str, str]:
    """How a face is drawn: a symbol of art.svg, and its colour."""
    animal, land = face.split("-")
    return animal, land
