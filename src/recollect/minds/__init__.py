"""Who plays: minds found by the game they play."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable

from recollect.engine.game import Game
from recollect.minds.levels import LEVELS
from recollect.minds.mind import Mind, Random, Recalling, Seated, play_out
from recollect.minds.thinking import prepare

__all__ = ["LEVELS", "Mind", "Random", "Recalling", "Seated", "companions", "mind", "minds", "play_out", "prepare", "remembers"]


def minds(game: Game) -> dict[str, Callable[[Game], Mind]]:
    """The minds that play a game, weakest first: any legal move, and those that its mind.py names in MINDS."""
    found: dict[str, Callable[[Game], Mind]] = {"random": lambda game: Random()}
    if importlib.util.find_spec(game.package + ".mind"):
        own = importlib.import_module(game.package + ".mind")
        found |= getattr(own, "MINDS", None) or {"sensible": lambda game: own.Sensible()}
    return found


def companions(game: Game) -> list[str]:
    """Those who may sit down at a table, the gentlest first: the four levels, or all there are where a game has none."""
    there_are = minds(game)
    return [level.name for level in LEVELS if level.name in there_are] or list(there_are)


def remembers(game: Game) -> bool:
    """Whether something in the game is shown and then hidden again, so that a companion's level is first of all a memory."""
    return any(f.visibility.ever != f.visibility.now for f in game.state.fields.values())


def mind(game: Game, name: str) -> Mind:
    """A mind by name."""
    there_are = minds(game)
    if name not in there_are:
        raise ValueError(f"nobody called {name!r} plays {game.name}; there are {', '.join(there_are)}")
    return there_are[name](game)
