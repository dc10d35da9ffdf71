"""Who plays: minds found by the game they play."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import random
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from recollect.engine.game import Game
from recollect.engine.match import Match
from recollect.engine.record import Opened


class Mind(Protocol):
    """A player: it gets the knowledge of its seat, its legal actions and a stream of its own, and nothing else."""

    name: str

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int: ...


class Random:
    """Any legal action, each as likely."""

    name = "random"

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        return rng.choice(legal)


def minds(game: Game) -> dict[str, Callable[[], Mind]]:
    """The minds that play a game, weakest first: random, the game's own (its mind.py), and those here whose PLAYS names it."""
    found: dict[str, Callable[[], Mind]] = {"random": Random}
    if importlib.util.find_spec(game.package + ".mind"):
        own = importlib.import_module(game.package + ".mind")
        found[own.Sensible.name] = own.Sensible
    for module in pkgutil.iter_modules(__path__, __name__ + "."):
        source = importlib.util.find_spec(module.name)
        text = Path(source.origin).read_text(encoding="utf-8") if source and source.origin else ""
        if f'PLAYS = "{game.name}"' in text:  # read, not imported: a page must not wait for solvers of other games
            player = importlib.import_module(module.name).Player
            found[player.name] = player
    return found


def mind(game: Game, name: str) -> Mind:
    """A mind by name."""
    there_are = minds(game)
    if name not in there_are:
        raise ValueError(f"nobody called {name!r} plays {game.name}; there are {', '.join(there_are)}")
    return there_are[name]()


def play_out(match: Match, players: list[Mind], rngs: list[random.Random]) -> None:
    """Minds play a match to its end."""
    while not match.over:
        seat = min(match.acting)
        match.play(seat, players[seat].choose(match.knowledge(seat), seat, match.legal(seat), rngs[seat]))
