"""Actions are named contiguous ranges of small integers, and each has a notation: `reveal b4`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Range:
    """The actions start .. start+count-1, one for each label."""

    name: str
    start: int
    labels: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.labels)


class Actions:
    """The action space of a game: an int makes that many actions, labels one each, None a single one."""

    def __init__(self, **ranges: int | Sequence[str] | None) -> None:
        self.ranges: dict[str, Range] = {}
        self.count = 0
        for name, size in ranges.items():
            labels = ("",) if size is None else tuple(map(str, range(size))) if isinstance(size, int) else tuple(size)
            self.ranges[name] = Range(name, self.count, labels)
            self.count += len(labels)
        self._numbers = {self.notation(action).lower(): action for action in range(self.count)}

    def starts(self, *names: str) -> tuple[int, ...]:
        """The first number of each range: `REVEAL, SWAP = ACTIONS.starts("reveal", "swap")`."""
        return tuple(self.ranges[name].start for name in names)

    def within(self, names: Sequence[str]) -> list[int]:
        """The actions of the ranges so named."""
        for name in names:
            if name not in self.ranges:
                raise ValueError(f"there is no range of actions {name!r}; they are {', '.join(self.ranges)}")
        return [r.start + i for r in map(self.ranges.__getitem__, names) for i in range(r.count)]

    def range_of(self, action: int) -> Range:
        """The range that an action belongs to."""
        for r in self.ranges.values():
            if r.start <= action < r.start + r.count:
                return r
        raise ValueError(f"there is no action {action}: actions are 0 to {self.count - 1}")

    def notation(self, action: int) -> str:
        """`reveal b4`: the name of the range, then the label."""
        r = self.range_of(action)
        return f"{r.name} {r.labels[action - r.start]}".strip()

    def parse(self, words: str) -> int:
        """The action that a notation names."""
        try:
            return self._numbers[" ".join(words.lower().split())]
        except KeyError:
            name = words.split()[0] if words.split() else ""
            if name in self.ranges:
                labels = [label for label in self.ranges[name].labels if label]
                hint = (
                    f"after {name!r} comes one of: {', '.join(labels[:30])}{' ...' if len(labels) > 30 else ''}"
                    if labels
                    else f"it is just {name!r}"
                )
            else:
                hint = f"actions begin with: {', '.join(self.ranges)}"
            raise ValueError(f"no action is written {words!r}; {hint}") from None
