"""One game as an environment: seats that are asked, rows that they observe, masks, rewards, and a log for minds to follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.match import Entry
from recollect.engine.observation import CAPACITY, KNOWLEDGE, SIGHT
from recollect.engine.options import Value, numbers
from recollect.engine.stream import CHANCE, sow

REWARDS = ("result", "points")  # the result at the end, from 1 for the first to -1 for the last; or points gained on the others


def mode_of(observe: str) -> tuple[int, int]:
    """`sight`, `knowledge` or `capacity-5`, as the rules read it, and how many exposures it holds."""
    if observe in ("sight", "knowledge"):
        return {"sight": SIGHT, "knowledge": KNOWLEDGE}[observe], 1
    name, _, k = observe.partition("-")
    if name != "capacity" or not k.isdecimal() or int(k) < 1:
        raise ValueError(f"observe={observe!r}: it is 'sight', 'knowledge' or 'capacity-k', such as 'capacity-5'")
    return CAPACITY, int(k)


def kind_of(reward: str) -> int:
    if reward not in REWARDS:
        raise ValueError(f"reward={reward!r}: it is one of {', '.join(REWARDS)}")
    return REWARDS.index(reward)


class Table:
    """One game. `compiled` runs the same functions compiled: quick, after some seconds of compiling."""

    def __init__(self, game: Game, options: Mapping[str, Value], observe: str = "sight", reward: str = "result", compiled: bool = False):
        self.game, self.options, self.players = game, dict(options), game.players(options)
        self.mode, k = mode_of(observe)
        self.kind = kind_of(reward)
        self.functions: Any = game.tables if compiled else game.plain_tables
        self.record = np.zeros(1, game.state.dtype)
        self._s: Any = self.record[0] if compiled else game.state.open(self.record)
        self._stream = np.zeros(1, np.int64)
        self._lit = np.zeros((self.players, max(1, game.layout.places)), np.int8)
        self._recall = np.zeros((self.players, k, 2), np.int16)
        self._sums = np.zeros((game.seats, len(game.rules.POINTS)), np.int64)
        self._breaks = np.zeros((game.seats, max(1, len(game.rules.TIES))), np.int64)
        self._worth = np.zeros(self.players)
        self.log: list[Entry] = []

    def reset(self, seed: int) -> None:
        """A new game; the same seed draws the same."""
        self.record[...] = np.zeros(1, self.game.state.dtype)
        sow(self._stream, seed)
        self._worth[:] = 0
        self.log = []
        self.functions.setup(self._s, numbers(self.game.options, self.options))
        self.functions.forget_all(self._lit, self._recall)
        self._let_chance()

    @property
    def acting(self) -> list[int]:
        """The seats that are asked, lowest first."""
        who = int(self.functions.acting(self._s))
        return [seat for seat in range(self.players) if who >> seat & 1]

    @property
    def over(self) -> bool:
        return bool(self.functions.acting(self._s) == 0)

    def play(self, seat: int, action: int) -> None:
        """One action, and the draws of chance that follow; what is not legal is refused."""
        if not 0 <= action < self.game.actions.count or not self.mask(seat)[action]:
            there_is = 0 <= action < self.game.actions.count
            said = self.game.actions.notation(action) if there_is else action
            raise ValueError(f"{said!r} is not legal for seat {seat} now")
        self._carry_out(seat, int(action))
        self._let_chance()

    def _carry_out(self, seat: int, action: int) -> None:
        self.functions.carry_out(self._s, seat, action, self.mode, self._lit, self._recall)
        self.log.append((seat, action))

    def _let_chance(self) -> None:
        while self.functions.acting(self._s) == 1 << CHANCE:
            self._carry_out(CHANCE, int(self.functions.choose(self._s, CHANCE, self._stream)))

    def row(self, seat: int) -> np.ndarray:
        """What the seat observes."""
        out = np.zeros(self.game.layout.width, self.game.layout.dtype)
        self.functions.observe(self._s, seat, self.mode, self._recall[seat], out, out.view(np.int64))
        return out

    def mask(self, seat: int) -> np.ndarray:
        """What the seat may do; nothing if it is not asked."""
        out = np.zeros(self.game.actions.count, np.int8)
        if int(self.functions.acting(self._s)) >> seat & 1:
            self.functions.lay_out(self._s, seat, out)
        return out

    def rewards(self) -> np.ndarray:
        """What each seat has gained since this was last asked."""
        out = np.zeros(self.players)
        self.functions.count(self._s, self.over, self.kind, self.players, self._worth, out, self._sums, self._breaks)
        return out

    def sketch(self, seat: int) -> str:
        """What the seat sees, as text."""
        from recollect.engine.look import Look
        from recollect.terminal import sketch_of

        view = self.game.view(self.record[0:1].reshape(()), seat)
        legal = frozenset(np.flatnonzero(self.mask(seat)).tolist())
        names = [f"seat {n}" for n in range(self.players)]
        standing = self.game.standing(self.game.state.open(self.record), self.players) if self.over else None
        acting = frozenset(self.acting)
        return sketch_of(Look(self.game, view, seat, acting, legal, names, self.game.texts("en"), self.options, self.over, standing))


def space_of(game: Game, flat: bool) -> Any:
    """The Gymnasium space of a row, or of the same by name."""
    from gymnasium.spaces import Box, Dict

    limits = np.iinfo(game.layout.dtype)

    def box(*shape: int) -> Box:
        return Box(limits.min, limits.max, shape, game.layout.dtype.type)

    return box(game.layout.width) if flat else Dict({part.name: box(*(part.shape or (1,))) for part in game.layout.parts})


def shown(game: Game, row: np.ndarray, flat: bool) -> Any:
    """A row as it is, or by name."""
    return row if flat else {name: np.atleast_1d(value) for name, value in game.layout.named(row).items()}
