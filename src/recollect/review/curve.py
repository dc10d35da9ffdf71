"""The forgetting curve: how often a place was found again, by how long ago and how often it had been shown.

The curve that is fitted is the one by which companions remember (minds/memory.py, ACT-R): a card is recalled with chance
1 / (1 + exp((threshold - A) / noise)), A the logarithm of the sum of (age)^-0.5 over all times it was shown. Threshold and noise are
fitted; the decay of 0.5 is the one that most of what was ever measured agrees with. Who does not recall the card may still hit it among
those not recalled; how often somebody tries a card at random is taken from the decisions in which nobody could know.

Only chances that came by themselves are fitted: a card that was new lay open and its twin had been shown. (Who opens a card because the
other is remembered proves nothing about chance.) The interval is that of the likelihood: all pairs of parameters that are not worse than
the best by more than BEYOND. It holds both parameters at once in nine of ten cases, and the band is drawn by the same pairs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from recollect.review.watched import Decision

DECAY = 0.5
BEYOND = 4.605 / 2  # 90% of chi-square with two degrees of freedom, halved: a difference of log-likelihoods
THRESHOLDS = np.linspace(-3.0, 1.0, 81)
NOISES = np.geomspace(0.05, 1.0, 25)
NOISE, SPREAD = 0.25, 0.6  # what noise is like when the chances do not say: for the line that is drawn, not for the interval
LAPSE = 0.02  # how often somebody who remembers does something else: a slip, or a plan
Z = 1.645  # 90%, both sides
ENOUGH = 6  # chances that came by themselves before anything is said of somebody's memory: one or two say anything


@dataclass(frozen=True)
class Chance:
    """A chance to use what was shown, and what became of it."""

    used: bool
    turns: int
    seconds: float | None
    times: int
    wanted: tuple[float, ...]  # activation of each card that would have done
    others: tuple[float, ...]  # and of the other hidden ones that had been shown
    unseen: int  # hidden cards never shown
    fitted: bool = True


def activation(ages: Sequence[int]) -> float:
    return math.log(sum(age**-DECAY for age in ages))


def chances(decisions: Iterable[Decision]) -> list[Chance]:
    """The chances among some decisions. Which of two cards to begin with is none: only the card that completes something counts."""
    return [chance(d) for d in decisions if d.wanted and d.kind != "pair"]


def chance(d: Decision) -> Chance:
    latest = min(d.wanted, key=lambda m: m.turns)
    seen = tuple(activation(ages) for ages in d.others if ages)
    hit = d.outcome == "used"
    wanted = tuple(activation(m.ages) for m in d.wanted)
    return Chance(hit, latest.turns, latest.seconds, latest.times, wanted, seen, len(d.others) - len(seen), d.fresh)


def tries(decisions: Iterable[Decision]) -> float:
    """How often somebody who cannot know turns a card that was never shown, rather than a known one to show nothing."""
    blind = [d for d in decisions if not d.wanted and d.kind != "pair"]
    return (sum(not d.known for d in blind) + 1) / (len(blind) + 2)


@dataclass(frozen=True)
class Fit:
    """The parameters that fit best, their 90% interval, and all pairs within it. One that ends at the edge of what was tried is open."""

    threshold: float
    noise: float
    thresholds: tuple[float, float]
    noises: tuple[float, float]
    chances: int
    within: np.ndarray  # (threshold, noise) of every pair that is not ruled out

    @property
    def enough(self) -> bool:
        """Whether there is something to go by."""
        return self.chances >= ENOUGH

    def recall(self, turns: float) -> tuple[float, float, float]:
        """The chance to find a place that was shown once, so many turns ago; and its 90% interval."""
        a = -DECAY * math.log(turns + 1)  # this turn counts too, as it does in a companion's memory
        all_of_them = passes(a, self.within[:, 0], self.within[:, 1])
        return float(passes(a, self.threshold, self.noise)), float(all_of_them.min()), float(all_of_them.max())


def passes(a: Any, threshold: Any, noise: Any) -> Any:
    return 1 / (1 + np.exp(np.clip((threshold - a) / noise, -60, 60)))


def fit(found: Sequence[Chance], guessing: float = 1.0) -> Fit | None:
    """The forgetting curve that the chances speak for; None without any."""
    own = [c for c in found if c.fitted]
    if not own:
        return None
    threshold, noise = (x.reshape(-1) for x in np.meshgrid(THRESHOLDS, NOISES, indexing="ij"))
    lost = {a: 1 - passes(a, threshold, noise) for a in {a for c in own for a in (*c.wanted, *c.others)}}  # many were shown alike
    score = np.zeros_like(threshold)
    for c in own:
        score += _likelihood(c, lost, guessing)
    best = _peak(score - (np.log(noise / NOISE) / SPREAD) ** 2 / 2, threshold)
    inside = score >= score.max() - BEYOND
    ts, ns = threshold[inside], noise[inside]
    step, factor = (THRESHOLDS[1] - THRESHOLDS[0]) / 2, (NOISES[1] / NOISES[0]) ** 0.5  # half of what lies between two that were tried
    span = (float(ts.min() - step), float(ts.max() + step)), (float(ns.min() / factor), float(ns.max() * factor))
    return Fit(float(threshold[best]), float(noise[best]), *span, len(own), np.stack([ts, ns], axis=1))


def _peak(score: np.ndarray, threshold: np.ndarray) -> int:
    """The most likely pair; of equals (who never forgot, or never remembered) the one in the middle."""
    best = np.flatnonzero(score >= score.max() - 1e-6)
    return int(best[np.argsort(threshold[best], kind="stable")[len(best) // 2]])


def _likelihood(c: Chance, lost: Mapping[float, np.ndarray], guessing: float) -> np.ndarray:
    """Of what happened, for every pair of parameters; `lost` is the chance to have forgotten, by activation."""
    none = math.prod((lost[a] for a in c.wanted[1:]), start=lost[c.wanted[0]])
    blank = np.full_like(none, c.unseen + len(c.wanted))
    for a in c.others:
        blank += lost[a]
    used = (1 - LAPSE) * (1 - none + none * guessing * len(c.wanted) / blank)
    return np.asarray(np.log(used if c.used else 1 - used))


# -- shares


@dataclass(frozen=True)
class Share:
    """How many of some chances were used, and the 90% interval of the share (Wilson)."""

    low: float  # what they have in common: from ... to
    high: float
    used: int
    all: int

    @property
    def share(self) -> float:
        return self.used / self.all

    @property
    def interval(self) -> tuple[float, float]:
        n, p, z2 = self.all, self.share, Z * Z
        middle, half = (p + z2 / (2 * n)) / (1 + z2 / n), Z / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)

    def json(self) -> dict[str, Any]:
        low, high = self.interval
        return {"from": self.low, "to": self.high, "used": self.used, "of": self.all, "share": self.share, "interval": [low, high]}


TURNS = ((1, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 10**6))
SECONDS = ((0, 10), (10, 30), (30, 60), (60, 180), (180, 10**6))
TIMES = ((1, 1), (2, 2), (3, 10**6))


def shares(found: Sequence[Chance], by: str, bins: Sequence[tuple[int, int]]) -> list[Share]:
    """Chances by what they have in common; empty ones are left out. Seconds end where the next bin begins."""
    out = []
    for low, high in bins:
        inside = [c for c in found if getattr(c, by) is not None and low <= getattr(c, by) and _below(getattr(c, by), high, by)]
        if inside:
            out.append(Share(low, high, sum(c.used for c in inside), len(inside)))
    return out


def _below(value: float, high: float, by: str) -> bool:
    return value < high if by == "seconds" else value <= high
