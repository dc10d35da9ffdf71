"""The timeline of a finished game: rounds, and the points of each seat as they grew, over the steps of the replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from recollect.engine.game import Game
from recollect.engine.match import Match
from recollect.engine.stream import CHANCE
from recollect.table.render.page import scene_of

WIDE, TALL = 1000, 100
NAMED = 40  # how wide phases are in the middle, at least, where they are drawn with their names


def remembers(game: Game) -> bool:
    """A game of recall: there is a memory report of it."""
    return (game.folder / "recall.py").is_file()


@dataclass(frozen=True)
class Timeline:
    """Drawn on a field of 1000 by 100."""

    last: int  # the last step
    rounds: list[tuple[int, float, float]]  # which, where it begins, how wide it is
    lines: list[str]  # the points of each seat, as a path
    scores: list[list[int]]  # of each step
    ticks: list[tuple[int, float]]  # points that are written beside the field, and how high they lie, from 0 to 1
    turns: list[int]  # the steps at which another seat begins
    begins: list[int]  # the steps at which a round does
    phases: list[tuple[str, int]] = field(default_factory=list)  # the text that names each, and the step at which it begins

    @classmethod
    def of(cls, match: Match, records: Sequence[np.ndarray]) -> Timeline:
        game, last = match.game, len(records) - 1
        views = [game.state.open(record) for record in records]
        sure = getattr(scene_of(game), "sure", None)  # in a game that counts its points only at the end
        scores = [sure(view) if sure else game.standing(view, match.players).scores for view in views]
        most = max(1, *(score for row in scores for score in row))
        least = min(0, *(score for row in scores for score in row))
        marked = ticks(least, most)
        lines = [path(heights(scores, seat, marked)) for seat in range(match.players)]
        found = rounds(game, views)
        begins = [round(x * last / WIDE) for _, x, _ in found]
        high = [(points, (points - marked[0]) / (marked[-1] - marked[0])) for points in marked]
        return cls(last, found, lines, scores, high, turns(match), begins, phases(game, views, begins))

    @property
    def strip(self) -> list[tuple[str, int, int]]:
        """The phases as they lie under the chart: name, first step, how many steps; none where they would be too narrow for words."""
        if not self.phases or WIDE / len(self.phases) < NAMED:
            return []
        ends = [*(begin for _, begin in self.phases[1:]), self.last]
        return [(name, begin, end - begin) for (name, begin), end in zip(self.phases, ends, strict=True)]

    def better(self, seat: int, step: int, left: int) -> str:
        """The way that a better move would have gone, from its step on: as the game went on, with what was left added from the next time
        on that this seat's points were counted."""
        marked, before = [points for points, _ in self.ticks], self.scores[step][seat]
        later = [row[seat] for row in self.scores[step:]]
        counted = next((n for n, points in enumerate(later) if points != before), len(later) - 1)
        more = [[points + left * (n >= counted)] for n, points in enumerate(later)]
        return path([min(1.0, height) for height in heights(more, 0, marked)], WIDE * step / max(1, self.last))


def turns(match: Match) -> list[int]:
    """The steps at which another seat acts than before."""
    seats = [seat for seat, _ in match.log if seat != CHANCE]
    return [0, *(step for step, (before, now) in enumerate(pairwise(seats), 1) if now != before)]


def ticks(least: int, most: int) -> list[int]:
    """Round numbers from the least points to above the most, three to six of them: there is room for what might have been."""
    step = next(step for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 10**6) if (most - least) / step <= 4)
    return list(range(least // step * step, most + step, step)) + ([] if most % step else [most + step])


def heights(scores: Sequence[Sequence[int]], seat: int, marked: Sequence[int]) -> list[float]:
    """The points of a seat from step to step, between the first and the last number that is marked."""
    return [(row[seat] - marked[0]) / (marked[-1] - marked[0]) for row in scores]


def path(heights: Sequence[float], begins: float = 0) -> str:
    """Steps from left to right; heights go from 0 to 1."""
    across = (WIDE - begins) / max(1, len(heights) - 1)
    out = [f"M{begins:g} {TALL * (1 - heights[0]):.1f}"]
    for n, (before, now) in enumerate(pairwise(heights), 1):
        if now != before:
            out.append(f"H{begins + n * across:.1f}V{TALL * (1 - now):.1f}")
    return "".join([*out, f"H{WIDE}"])


def rounds(game: Game, views: Sequence[object]) -> list[tuple[int, float, float]]:
    """Where each round begins, in a game whose scene says which it is."""
    which = getattr(scene_of(game), "round_of", None)
    if which is None:
        return []
    numbers, across = [which(view) for view in views], WIDE / max(1, len(views) - 1)
    begins = [0, *(n for n, (before, now) in enumerate(pairwise(numbers), 1) if now > before and n < len(views) - 1)]
    ends = [*begins[1:], len(views) - 1]
    return [(numbers[a], a * across, (b - a) * across) for a, b in zip(begins, ends, strict=True)]


def phases(game: Game, views: Sequence[object], begins: Sequence[int]) -> list[tuple[str, int]]:
    """Where each phase begins, in a game whose scene names them; a round begins its phases anew."""
    which = getattr(scene_of(game), "phase_of", None)
    if which is None:
        return []
    names = [which(view) for view in views]
    return [(name, n) for n, name in enumerate(names) if n == 0 or (n < len(names) - 1 and (name != names[n - 1] or n in begins))]
