"""Compiled search (engine/twin/search/) for minds: where its records and tables lie, and when it is ready."""

from __future__ import annotations

import importlib
import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from recollect.engine import compile as compiler
from recollect.engine.game import Game
from recollect.engine.record import Opened
from recollect.engine.stream import sow

STEPS_A_SECOND = 200_000  # of the rules, at the least, in the slowest game: a budget in seconds is a number of steps, never a clock
BUDGET = 2.0  # seconds of one core for a whole turn
NEVER = -1e300
AHEAD = 200  # actions after which a playout is rated, settled or not


@dataclass(frozen=True)
class Found:
    """What a search found: what each first action is worth to the seat, the best first, and the answers that should follow."""

    values: dict[int, float]
    plan: tuple[int, ...]
    steps: int

    @property
    def best(self) -> int:
        return next(iter(self.values))

    @property
    def equals(self) -> list[int]:
        """The actions than which none is better."""
        most = max(self.values.values())
        return [action for action, value in self.values.items() if value > most - 1e-6]

    def ordered(self, hopes: Mapping[int, float]) -> Found:
        """The same values; of equals, what one hopes more from comes first."""
        order = sorted(self.values, key=lambda a: (-round(self.values[a], 6), -hopes.get(a, NEVER)))
        return Found({a: self.values[a] for a in order}, self.plan, self.steps)


class Thinker:
    """Search for one mind: arrays that are used again and again, and weights. One thread at a time."""

    def __init__(self, game: Game, budget: float = BUDGET) -> None:
        self.game, self.budget = game, budget
        self.weights = weights_of(game)
        self._r = np.zeros(1, np.int64)

    @property
    def limit(self) -> int:
        return int(self.budget * STEPS_A_SECOND)

    @cached_property
    def search(self) -> Any:
        return search_of(self.game)

    def records(self, n: int, k: Opened) -> tuple[np.ndarray, np.ndarray]:
        """Room for n records, the first being k; and the same as words."""
        states = np.zeros(n, self.game.state.dtype)
        states[0] = k.record[()]
        states.view(np.uint8).reshape(n, -1)[0] = np.frombuffer(k.record.tobytes(), np.uint8)
        return states, states.view(word_of(self.game)).reshape(n, -1)

    def stream(self, rng: random.Random) -> np.ndarray:
        sow(self._r, rng.getrandbits(31))
        return self._r

    def turn(self, k: Opened, seat: int, rng: random.Random, width: int = 24, samples: int = 1, depth: int = 24, limit: int = 0) -> Found:
        """The best whole turn, over redeals of what the seat cannot know. `k` is a whole record (see `imagine`).

        It ends after `limit` rule steps, if less than the whole budget is to be spent."""
        states, raw = self.records(3 + 2 * width, k)
        hashes, scores = np.zeros(2 * width, np.int64), np.zeros(2 * width)
        plans, plan = np.zeros((2 * width, depth), np.int64), np.zeros(depth, np.int64)
        firsts, sums = np.zeros(self.game.actions.count), np.zeros(self.game.actions.count)
        steps = self.search.turns(
            states, raw, seat, self.weights, self.stream(rng), samples, width, depth, limit or self.limit,
            hashes, scores, plans, plan, firsts, sums,
        )  # fmt: skip
        return Found(best_first(sums), until(plan), steps)

    def tree(self, k: Opened, seat: int, players: int, rng: random.Random, descents: int, deep: int = 62, trusting: bool = True) -> Found:
        """Information-set tree search: the mean lead by each first action, in the order of visits. Beyond `deep` moves, or as soon as
        the position is settled, it is played out and rated; `trusting`, the others play by plain sense."""
        states, raw = self.records(2, k)
        size = 1 << (2 * descents).bit_length()
        keys, visits, offers = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64)
        totals, path, value = np.zeros((size, self.game.seats)), np.zeros(deep + 1, np.int64), np.zeros(self.game.seats)
        firsts, counts = np.zeros(self.game.actions.count), np.zeros(self.game.actions.count, np.int64)
        steps = self.search.descend(
            states, raw, seat, players, self.weights, self.stream(rng), descents, self.limit, AHEAD, trusting,
            keys, visits, offers, totals, path, value, firsts, counts,
        )  # fmt: skip
        order = sorted(np.flatnonzero(counts).tolist(), key=lambda a: (-counts[a], -firsts[a]))
        return Found({a: float(firsts[a]) for a in order}, (), steps)

    def exact(self, k: Opened, seat: int, players: int, ceiling: list[float], limit: int | None = None) -> Found | None:
        """The exact lead by each first action, when the seat knows everything and the tree is small enough."""
        depth = 128
        states, raw = self.records(depth, k)
        size = 1 << 17
        keys, known = np.zeros(size, np.int64), np.zeros((size, self.game.seats))
        seats, sets, best = np.zeros(depth, np.int64), np.zeros((depth, 5), np.int64), np.zeros(depth)
        sums, count, firsts = np.zeros((depth, self.game.seats)), np.zeros(depth), np.zeros(self.game.actions.count)
        steps = self.search.solve(
            states, raw, seat, players, self.weights, limit or self.limit, np.array(ceiling, float),
            keys, known, seats, sets, sums, count, best, firsts,
        )  # fmt: skip
        return Found(best_first(firsts), (), steps) if steps >= 0 else None


def best_first(values: np.ndarray) -> dict[int, float]:
    """The actions that have a value, the best first."""
    return {a: float(values[a]) for a in sorted(np.flatnonzero(values > NEVER).tolist(), key=lambda a: -values[a])}


def until(plan: np.ndarray) -> tuple[int, ...]:
    """The answers of a plan."""
    ends = np.flatnonzero(plan < 0)
    return tuple(plan[: ends[0] if len(ends) else len(plan)].tolist())


def word_of(game: Game) -> type:
    """The widest word of which a record is a whole number."""
    return next(word for word in (np.int64, np.int32, np.int16, np.int8) if game.state.dtype.itemsize % np.dtype(word).itemsize == 0)


def weights_of(game: Game) -> np.ndarray:
    """The weights of a game's worth: those found by tuning (weights.json), or else set by hand (WEIGHTS)."""
    kept = game.folder / "weights.json"
    if kept.is_file():
        return np.array(json.loads(kept.read_text("utf-8"))["weights"], float)
    return np.array(importlib.import_module(game.package + ".worth").WEIGHTS, float)


# -- compiled in the background, and kept

_loaded: dict[str, Any] = {}
_compiling: dict[str, subprocess.Popen[bytes] | None] = {}  # None: RECOLLECT_COMPILE says no, and plain sense plays on
_lock = threading.Lock()


def search_of(game: Game) -> Any:
    """The compiled search beside a game's rules; compiling takes its time once, then it comes from the cache."""
    with _lock:
        if game.package not in _loaded:
            _loaded[game.package] = compiler.load_compiled(game.folder, game.package, game.components, what="search")
        return _loaded[game.package]


def prepare(game: Game) -> None:
    """Compile a game's search in a process of its own, so that nobody waits; until that is done `ready` says no."""
    if game.package not in _loaded and game.package not in _compiling and (game.folder / "worth.py").is_file():
        command = [sys.executable, "-m", "recollect.minds.compiling", game.name, *([str(game.components)] if game.components else [])]
        _compiling[game.package] = subprocess.Popen(command) if os.environ.get("RECOLLECT_COMPILE") != "no" else None


def ready(game: Game) -> bool:
    """Whether a mind may think now, or has to play by plain sense for a while. Where nobody prepared, it waits instead."""
    if game.package in _loaded or game.package not in _compiling:
        return True
    process = _compiling[game.package]
    return process is not None and process.poll() is not None


def warm(game: Game) -> None:
    """Use every search that the game can use once, so that it is compiled and kept."""
    match, thinker, rng = game.match(seed="warm"), Thinker(game, budget=0.001), random.Random(0)
    seat = min(match.acting)
    thinker.turn(match.state, seat, rng)
    if hasattr(importlib.import_module(game.package + ".worth"), "sensible"):  # it can be played out, so it has trees
        thinker.tree(match.state, seat, match.players, rng, 2)
        thinker.exact(match.state, seat, match.players, [0.0] * game.seats)
