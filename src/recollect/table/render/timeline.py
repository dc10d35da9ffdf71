"""The timeline of a finished game: rounds, and the points of each seat as they grew, over the steps of the replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from recollect.engine.game import Game
from recollect.engine.match import Match
from recollect.engine.stream import CHANCE
from recollect.table.render.page import scene_of

WIDE, TALL = 1000, 100


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
    most: int
    turns: list[int]  # the steps at which another seat begins
    begins: list[int]  # the steps at which a round does

    @classmethod
    def of(cls, match: Match, records: Sequence[np.ndarray]) -> Timeline:
        game, last = match.game, len(records) - 1
        views = [game.state.open(record) for record in records]
        scores = [game.standing(view, match.players).scores for view in views]
        most = max(1, *(score for row in scores for score in row))
        least = min(0, *(score for row in scores for score in row))
        lines = [path([(row[seat] - least) / (most - least) for row in scores]) for seat in range(match.players)]
        found = rounds(game, views)
        begins = [round(x * last / WIDE) for _, x, _ in found]
        return cls(last, found, lines, scores, most, turns(match), begins)


def turns(match: Match) -> list[int]:
    """The steps at which another seat acts than before."""
    seats = [seat for seat, _ in match.log if seat != CHANCE]
    return [0, *(step for step, (before, now) in enumerate(pairwise(seats), 1) if now != before)]


def path(heights: Sequence[float]) -> str:
    """Steps from left to right; heights go from 0 to 1."""
    across = WIDE / max(1, len(heights) - 1)
    out = [f"M0 {TALL * (1 - heights[0]):.1f}"]
    for n, (before, now) in enumerate(pairwise(heights), 1):
        if now != before:
            out.append(f"H{n * across:.1f}V{TALL * (1 - now):.1f}")
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
