"""The sequential test that chess engines use: play until it is clear whether the first mind is better, and no longer.

Two claims are weighed over whole groups of games (all rotations of a deal, which hang together): that the first mind's share is 0.5,
and that it is 0.5 + margin. The log of their likelihoods' ratio is the generalised one: each claim is given the distribution that fits
what was seen best and has that mean. At +-2.94 either error is made at most one time in twenty.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import log

BOUND = log(0.95 / 0.05)  # 2.94
EVEN = 0.5
TRACE = 1e-3  # of every score that was possible and not seen, so that no claim is ruled out by a few games


def tilt(seen: dict[float, float], mean: float) -> float:
    """x with sum p (a - mean) / (1 + x (a - mean)) = 0: the likeliest distribution with that mean is p / (1 + x (a - mean))."""
    low, high = -1 / (max(seen) - mean), -1 / (min(seen) - mean)
    for _ in range(60):
        x = (low + high) / 2
        if sum(p * (a - mean) / (1 + x * (a - mean)) for a, p in seen.items()) > 0:
            low = x
        else:
            high = x
    return (low + high) / 2


def log_ratio(scores: Counter[float], null: float, claim: float) -> float:
    """How much likelier the claim is than the null, by the scores seen so far."""
    seen = {0.0: TRACE, EVEN: TRACE, 1.0: TRACE}
    for score, n in scores.items():
        seen[score] = seen.get(score, 0.0) + n
    x0, x1 = tilt(seen, null), tilt(seen, claim)
    return sum(n * log((1 + x0 * (a - null)) / (1 + x1 * (a - claim))) for a, n in seen.items())


@dataclass
class Sprt:
    """The test as it goes; groups are weighed in their order, so that it stops at the same one whoever plays them."""

    margin: float = 0.05
    groups: int = 0
    ratio: float = 0.0
    path: list[float] = field(default_factory=list)
    scores: Counter[float] = field(default_factory=Counter)

    def weigh(self, score: float) -> bool:
        """One more group; whether the matter is decided."""
        self.scores[round(score, 6)] += 1
        self.groups += 1
        self.ratio = log_ratio(self.scores, EVEN, EVEN + self.margin)
        self.path.append(self.ratio)
        return self.decided

    @property
    def decided(self) -> bool:
        return abs(self.ratio) >= BOUND

    @property
    def verdict(self) -> str:
        return "open" if not self.decided else "better" if self.ratio > 0 else "not better"

    def document(self) -> dict[str, object]:
        told = {"verdict": self.verdict, "log_ratio": round(self.ratio, 3), "bound": round(BOUND, 3)}
        return {**told, "groups": self.groups, "null": EVEN, "claim": EVEN + self.margin}
