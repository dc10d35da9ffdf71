"""What a mind keeps of what it was shown: traces, and the models by which it recalls them.

A trace is one card at one place and the moments at which it lay in sight; a moment is the number of the turn. Whether a trace is
recalled is asked anew every turn, with luck of the mind's own that depends on nothing but its seed, the place and the moment: the
same log gives the same memory.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol


class Place(NamedTuple):
    """Where something can be hidden: a place of a field of the record."""

    field: str
    at: int


@dataclass
class Trace:
    """A face once seen at a place, and when: one moment for each time it lay in sight (the last moment of it)."""

    face: int
    moments: list[int] = field(default_factory=list)


Traces = Mapping[Place, Trace]
Luck = Callable[..., float]  # luck(*key): a number above 0 and below 1, the same whenever the same key is asked


def luck_of(seed: str) -> Luck:
    """Luck of one's own: the same key gives the same number, in any order of asking."""

    def luck(*key: object) -> float:
        return random.Random(f"{seed} {key}").random() or 0.5

    return luck


class Model(Protocol):
    """A memory: which traces it recalls now, and for each the chance that it would."""

    def recalls(self, traces: Traces, now: int, luck: Luck) -> set[Place]: ...

    def strays(self, trace: Trace, now: int) -> float:
        """The chance that a recalled trace is put beside its place."""

    def chance(self, delay: int, exposures: int = 1) -> float:
        """Of recalling a card that lay in sight so many times, one turn apart, the last time `delay` turns ago."""


@dataclass(frozen=True)
class Perfect:
    """Forgets nothing."""

    def recalls(self, traces: Traces, now: int, luck: Luck) -> set[Place]:
        return set(traces)

    def strays(self, trace: Trace, now: int) -> float:
        return 0.0

    def chance(self, delay: int, exposures: int = 1) -> float:
        return 1.0


@dataclass(frozen=True)
class Slots:
    """Keeps a few cards; the one that was least recently in sight goes first. (Cowan: about four; Corsi's blocks: about five.)"""

    slots: int = 4

    def recalls(self, traces: Traces, now: int, luck: Luck) -> set[Place]:
        latest = sorted(traces, key=lambda place: (traces[place].moments[-1], place))
        return set(latest[-self.slots :] if self.slots else ())

    def strays(self, trace: Trace, now: int) -> float:
        return 0.0

    def chance(self, delay: int, exposures: int = 1) -> float:
        """With one new card a turn."""
        return float(delay < self.slots)


@dataclass(frozen=True)
class Activation:
    """ACT-R: every exposure adds (age in turns)^-decay; the logarithm of the sum, with logistic noise, must pass a threshold.

    A card seen once is recalled with one chance in two after exp(-threshold / decay) - 1 turns. `misplace` is the chance, reached
    slowly as a trace grows old, that a recalled card is put on a neighbour that was seen too and is not recalled itself.
    """

    decay: float = 0.5  # how fast a trace fades: 0.5 fits most of what was ever measured
    threshold: float = -1.0  # how strong it must be
    noise: float = 0.25  # spread of the luck of a moment
    misplace: float = 0.0

    def activation(self, trace: Trace, now: int) -> float:
        return math.log(sum((now - moment + 1) ** -self.decay for moment in trace.moments))

    def recalls(self, traces: Traces, now: int, luck: Luck) -> set[Place]:
        return {place for place, trace in traces.items() if luck("recall", place, now) < self._passes(self.activation(trace, now))}

    def _passes(self, activation: float) -> float:
        return 1 / (1 + math.exp((self.threshold - activation) / self.noise))

    def strays(self, trace: Trace, now: int) -> float:
        return float(self.misplace * (1 - (now - trace.moments[-1] + 1) ** -self.decay))

    def chance(self, delay: int, exposures: int = 1) -> float:
        return self._passes(self.activation(Trace(0, [-n for n in range(exposures)]), delay))


PERFECT = Perfect()
