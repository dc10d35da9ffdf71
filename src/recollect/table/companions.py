"""The companions that may take a seat: the minds that play a game, each with its picture."""

from __future__ import annotations

from recollect.engine.game import Game
from recollect.minds import minds

ART = {
    "random": "a-dodo",
    "sensible": "a-elephant",
    "goldfish": "a-goldfish",
    "parrot": "a-parrot",
    "dolphin": "a-dolphin",
    "elephant": "a-elephant",
}


def companions(game: Game) -> list[str]:
    """Their names, the gentlest first."""
    return list(minds(game))


def art_of(mind: str | None) -> str | None:
    return ART.get(mind, "a-owl") if mind else None
