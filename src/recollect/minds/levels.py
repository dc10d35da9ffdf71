"""The four companions, weakest first, and what each keeps in mind in the games of recall."""

from __future__ import annotations

from dataclasses import dataclass

from recollect.minds.memory import PERFECT, Activation, Model


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
    Level("parrot", Activation(threshold=-0.805, noise=0.25, misplace=0.1)),
    Level("dolphin", Activation(threshold=-1.099, noise=0.25)),
    Level("elephant", PERFECT),
)
BY_NAME = {level.name: level for level in LEVELS}
