"""Who plays when nobody sits there: minds of recollect.minds, which play any game, and the game's own mind.py."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import random
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Protocol

import recollect.minds
from recollect.engine.game import Game
from recollect.engine.record import Opened


class Mind(Protocol):
    """It is given what its seat knows, and nothing else."""

    name: str

    def choose(self, k: Opened, seat: int, legal: Sequence[int], rng: random.Random) -> int: ...


class Anything:
    """Plays anything that is allowed."""

    name = "random"

    def choose(self, k: Opened, seat: int, legal: Sequence[int], rng: random.Random) -> int:
        return rng.choice(list(legal))


ART = {"random": "a-dodo", "sensible": "a-elephant", "goldfish": "a-goldfish", "parrot": "a-parrot", "dolphin": "a-dolphin", "elephant": "a-elephant"}


def companions(game: Game) -> dict[str, type[Any]]:
    """The minds that can play this game, by name; the gentlest first."""
    found: dict[str, type[Any]] = {"random": Anything}
    for module in pkgutil.iter_modules(recollect.minds.__path__):
        if getattr(importlib.import_module(f"recollect.minds.{module.name}"), "TABLE", False):  # says that its minds may sit at a table
            found.update(_minds_in(importlib.import_module(f"recollect.minds.{module.name}")))
    if (game.folder / "mind.py").is_file():
        found.update(_minds_in(importlib.import_module(f"{game.package}.mind")))
    return found


def _minds_in(module: ModuleType) -> dict[str, type[Any]]:
    classes = [c for _, c in inspect.getmembers(module, inspect.isclass) if c.__module__ == module.__name__]
    return {c.name: c for c in classes if isinstance(getattr(c, "name", None), str) and hasattr(c, "choose")}


def art_of(mind: str | None) -> str | None:
    return ART.get(mind, "a-owl") if mind else None
