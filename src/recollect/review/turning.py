"""Turning points of a finished game of planning: where what was done was worth clearly less than the best that a companion finds.

A turn is many small answers. From each of its answers on, the end of the turn that was played is compared with the end of the best turn
that the search finds from there, both rated by the same `worth`; what the difference shrinks by from one answer to the next was left
by that answer. Both ends are real: they are reached by answers alone. Where chance draws within a turn, what came before is not judged."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.match import Match
from recollect.engine.record import Opened
from recollect.engine.stream import CHANCE
from recollect.minds import companions, mind, thinking
from recollect.minds.hint import points_after
from recollect.review.watched import tells

LEAST = 2.0  # points: less is no turning point
MOST = 8  # that are told
STEPS = 8_000_000  # rule steps for a whole game; what is beyond is not looked at


@dataclass(frozen=True)
class Turning:
    """A move that left points, and what would have been better."""

    place: int  # of the move in the log
    seat: int
    left: float
    played: tuple[int, ...]  # the answers of the turn from here on
    better: tuple[int, ...]
    points: dict[str, tuple[int, int]]  # by kind: what the turn as played brings at once, and the better one


@dataclass(frozen=True)
class Found:
    """The turning points, in the order of the game; `whole` when all of it was looked at."""

    turnings: list[Turning]
    whole: bool


@dataclass
class Turn:
    """The answers of one seat's turn, as they were played."""

    seat: int
    began: int
    answers: list[tuple[int, np.ndarray, int]] = field(default_factory=list)  # place, the record before, the action
    end: np.ndarray | None = None


def plans(game: Game) -> bool:
    """A game of planning: there are turning points of it."""
    return not tells(game) and (game.folder / "worth.py").is_file() and bool(companions(game))


def turning_points(match: Match, most: int = MOST, steps: int = STEPS) -> Found:
    """Where points were left, the most first found, told in order."""
    if not match.over:
        raise ValueError("the game is not over: nothing is told of it before its end")
    judge, found, whole = Judge(match.game), [], True
    for turn in turns(match):
        if judge.steps > steps:
            whole = False
            break
        found += judge.judge(turn)
    found = sorted(found, key=lambda t: -t.left)[:most]
    return Found(sorted(found, key=lambda t: t.place), whole)


def turns(match: Match) -> Iterator[Turn]:
    """The turns of all seats, each when it ends. A draw within a turn begins it anew: what came before is not judged."""
    game, said = match.game, importlib.import_module(match.game.package + ".worth")
    which = getattr(said, "turn", lambda s: 0)
    record = game.start(match.options)
    s, under = game.state.open(record), dict[int, Turn]()
    for place, (seat, action) in enumerate(match.log):
        if seat == CHANCE:
            game.rules.apply(s, seat, action)
            continue
        turn = under.setdefault(seat, Turn(seat, int(which(s))))
        turn.answers.append((place, record.copy(), action))
        game.rules.apply(s, seat, action)
        drawn = place + 1 < len(match.log) and match.log[place + 1][0] == CHANCE
        if seat not in game.acting(s) or int(which(s)) != turn.began:
            turn.end = record.copy()
            yield under.pop(seat)
        elif drawn:
            del under[seat]


class Judge:
    """The strongest companion, asked what it would have done."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.mind: Any = mind(game, companions(game)[-1])
        self.worth = importlib.import_module(game.package + ".worth").worth
        self.weights = thinking.weights_of(game)
        self.steps = 0

    def rate(self, record: np.ndarray, seat: int) -> float:
        return float(self.worth(self.game.state.open(record), seat, self.weights))

    def judge(self, turn: Turn) -> list[Turning]:
        """The answers of a turn that left points."""
        assert turn.end is not None
        end = self.rate(turn.end, turn.seat)
        plans = [self.best(turn, 0)]
        if plans[0] is None or plans[0][0] - end < LEAST:
            return []
        plans += [self.best(turn, n) for n in range(1, len(turn.answers))]
        gaps = [max(0.0, plan[0] - end) if plan else 0.0 for plan in plans] + [0.0]
        for n in range(len(gaps) - 2, -1, -1):
            gaps[n] = max(gaps[n], gaps[n + 1])  # what is found later could have been found before
        left = [gap - later for gap, later in pairwise(gaps)]
        return [self.tell(turn, n, left[n], plan[1]) for n, plan in enumerate(plans) if plan and left[n] >= LEAST]

    def best(self, turn: Turn, n: int) -> tuple[float, tuple[int, ...]] | None:
        """The best end of the turn from an answer on, and the way to it; None where nothing is searched, or chance would draw."""
        place, record, _ = turn.answers[n]
        s = self.game.state.open(record.copy())
        legal = self.game.legal(s, turn.seat)
        if len(legal) == 1:  # nothing is decided here: as from the next answer on
            return self.best(turn, n + 1) if n + 1 < len(turn.answers) else None
        if not getattr(self.mind, "plans", lambda k: True)(s):
            return None
        found = self.mind.found(self.game.knowledge(s.record, turn.seat), turn.seat, legal, random.Random(place))
        self.steps += found.steps
        after = self.follow(s, turn.seat, found.plan)
        return (self.rate(after, turn.seat), found.plan) if after is not None else None

    def follow(self, s: Opened, seat: int, plan: Sequence[int]) -> np.ndarray | None:
        """Where a plan leads; None where chance would have to draw on the way, or it cannot be gone."""
        for n, action in enumerate(plan):
            if action not in self.game.legal(s, seat):
                return None
            self.game.rules.apply(s, seat, action)
            if n + 1 < len(plan) and CHANCE in self.game.acting(s):
                return None
        return s.record

    def tell(self, turn: Turn, n: int, left: float, better: tuple[int, ...]) -> Turning:
        place, record, _ = turn.answers[n]
        played = tuple(action for _, _, action in turn.answers[n:])
        k = self.game.state.open(record.copy())
        had, other = (points_after(self.game, k, turn.seat, answers) for answers in (played, better))
        now = points_after(self.game, k, turn.seat, ())
        gains = {kind: (had[kind] - now[kind], other[kind] - now[kind]) for kind in now}
        return Turning(place, turn.seat, left, played, better, gains)
