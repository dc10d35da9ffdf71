"""The four companions, weakest first, and what each keeps in mind in the games of recall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from recollect.engine.game import Game
from recollect.minds.memory import PERFECT, Activation, Model
from recollect.minds.mind import Mind, Recalling


@dataclass(frozen=True)
class Level:
    """A companion that a person can choose by feel."""

    name: str
    memory: Model

    def curve(self, turns: int = 24) -> list[float]:
        """The chance that a card seen once is still there, 0 to `turns` turns later."""
        return [self.memory.chance(delay) for delay in range(turns + 1)]

    @property
    def half(self) -> int | None:
        """Turns after which half is gone; None when next to nothing goes."""
        return next((delay for delay in range(1, 100) if self.memory.chance(delay) <= 0.5), None)


LEVELS = (
    Level("goldfish", Activation(threshold=-0.549, noise=0.25)),
    Level("parrot", Activation(threshold=-0.805, noise=0.25, misplace=0.2)),
    Level("dolphin", Activation(threshold=-1.099, noise=0.25)),
    Level("elephant", PERFECT),
)
BY_NAME = {level.name: level for level in LEVELS}


def recalling(player: Callable[[Game], Mind]) -> dict[str, Callable[[Game], Mind]]:
    """The four levels of a game of recall in which one player thinks for all and each remembers as it can."""
    return {level.name: _recaller(level, player) for level in LEVELS}


def _recaller(level: Level, player: Callable[[Game], Mind]) -> Callable[[Game], Mind]:
    return lambda game: Recalling(level.name, player(game), level.memory)
