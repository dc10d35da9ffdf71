"""The games as Gymnasium environments: one seat against minds, and many games at once inside compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from recollect.engine.game import Game
from recollect.engine.options import numbers
from recollect.engine.shelf import load
from recollect.engine.stream import sow
from recollect.envs.table import Table, kind_of, mode_of, shown, space_of
from recollect.minds import Seated, mind

RENDERS: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 1}


class OneSeat(gymnasium.Env[Any, Any]):
    """One seat of a game; minds play the others. `info["action_mask"]` says what is legal; what is not loses the game."""

    metadata = RENDERS

    def __init__(
        self,
        game: str | Game,
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
        observe: str = "sight",
        flat: bool = True,
        reward: str = "result",
        compiled: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.table = Table(self.game, self.game.settle(options), observe, reward, compiled)
        if not 0 <= seat < self.table.players:
            raise ValueError(f"seat={seat}: there are seats 0 to {self.table.players - 1}")
        self.seat, self.flat, self.render_mode = seat, flat, render_mode
        names = [opponents] * (self.table.players - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != self.table.players - 1:
            raise ValueError(f"opponents={names}: {self.table.players - 1} others sit at the table")
        self.minds = {other: mind(self.game, name) for other, name in zip(self._others(), names, strict=True)}
        self.observation_space = space_of(self.game, flat)
        self.action_space = Discrete(self.game.actions.count)

    def _others(self) -> list[int]:
        return [other for other in range(self.table.players) if other != self.seat]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        key = int(self.np_random.integers(2**31))
        self.table.reset(key)
        self.seated = {other: Seated(self.game, self.table.options, other, who, str(key)) for other, who in self.minds.items()}
        self._others_play()
        return self._look()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self.table.mask(self.seat)[action]:
            row, info = self._look()
            return row, -1.0, True, False, {**info, "illegal": True}
        self.table.play(self.seat, int(action))
        self._others_play()
        reward = float(self.table.rewards()[self.seat])
        row, info = self._look()
        return row, reward, self.table.over, False, info

    def _others_play(self) -> None:
        while not self.table.over and self.seat not in self.table.acting:
            other = self.table.acting[0]
            self.table.play(other, self.seated[other].choose(self.table.log))

    def _look(self) -> tuple[Any, dict[str, Any]]:
        return shown(self.game, self.table.row(self.seat), self.flat), {"action_mask": self.table.mask(self.seat)}

    def render(self) -> Any:
        text = self.table.sketch(self.seat)
        if self.render_mode == "human":
            print(text)
            return None
        return text


class Many(VectorEnv[Any, Any, Any]):
    """Many games at once, stepped inside compiled code. With `seat` the others play at random; without, whoever is asked acts
    (`info["seat"]`), and the reward is that of the seat that acted; `info["rewards"]` has everybody's.

    A game that is over begins anew at the next step, whose action is not heard. Rows, masks and rewards are the environment's own
    memory, written over by the next step, unless `copy` is set: they pass to PyTorch, JAX and CuPy by DLPack as they are."""

    metadata = {**RENDERS, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        seat: int | None = None,
        observe: str = "sight",
        flat: bool = True,
        reward: str = "result",
        copy: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.num_envs, self.flat, self.copy, self.render_mode = num_envs, flat, copy, render_mode
        settled = self.game.settle(options)
        self.players, self._options = self.game.players(settled), numbers(self.game.options, settled)
        if seat is not None and not 0 <= seat < self.players:
            raise ValueError(f"seat={seat}: there are seats 0 to {self.players - 1}")
        self.single_observation_space = space_of(self.game, flat)
        self.single_action_space = Discrete(self.game.actions.count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mine, self._kind = -1 if seat is None else seat, kind_of(reward)
        self._make_room(*mode_of(observe))

    def _make_room(self, mode: int, k: int) -> None:
        n, game, players = self.num_envs, self.game, self.players
        self._mode = mode
        self.states, self._blank = np.zeros(n, game.state.dtype), np.zeros(1, game.state.dtype)
        self._streams = np.zeros((n, 1), np.int64)
        self._lit, self._recall = np.zeros((n, players, max(1, game.layout.places)), np.int8), np.zeros((n, players, k, 2), np.int16)
        self._worth, self.asked, self._over = np.zeros((n, players)), np.zeros(n, np.int64), np.zeros(n, np.bool_)
        self._sums = np.zeros((game.seats, len(game.rules.POINTS)), np.int64)
        self._breaks = np.zeros((game.seats, max(1, len(game.rules.TIES))), np.int64)
        self.rows, self.masks = in_line(n, game.layout.width), in_line(n, game.actions.count)
        self._eights, self.rewards = self.rows.view(np.int64), np.zeros((n, players), np.float32)
        self._truncated, self._gained = np.zeros(n, np.bool_), np.zeros(n, np.float32)

    def reset(self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed if not isinstance(seed, list) else None)
        keys = seed if isinstance(seed, list) else self.np_random.integers(2**31, size=self.num_envs).tolist()
        for i, key in enumerate(keys):
            sow(self._streams[i], key)
        self._over[:] = True  # what is over begins anew
        self._step(np.zeros(self.num_envs, np.int64))
        return self._shown(self.rows), self._info()

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        wrong = self._step(np.asarray(actions, np.int64))
        if wrong >= 0:
            raise ValueError(f"game {wrong}: action {actions[wrong]} is not legal for seat {self.asked[wrong]}; nothing was played")
        return self._shown(self.rows), self._gained, self._over.copy(), self._truncated, self._info()

    def _step(self, actions: np.ndarray) -> int:
        return int(self.game.tables.step_all(
            self.states, self._blank, self._options, self._mine, self._mode, self._kind, self.players, self._streams, self._lit,
            self._recall, self._worth, self.asked, self._over, actions, self.rewards, self._gained, self._sums, self._breaks,
            self.rows, self._eights, self.masks,
        ))  # fmt: skip

    def _shown(self, rows: np.ndarray) -> Any:
        return shown(self.game, rows.copy() if self.copy else rows, self.flat) if self.flat else self.game.layout.named(rows)

    def _info(self) -> dict[str, Any]:
        masks = self.masks.copy() if self.copy else self.masks
        return {"action_mask": masks, "seat": self.asked.copy() if self.copy else self.asked, "rewards": self.rewards}

    def random_actions(self, stream: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """Any legal action for each game, drawn inside compiled code from a stream (one int64)."""
        self.game.tables.choose_all(self.states, self.asked, stream, actions)
        return actions


def in_line(n: int, width: int) -> np.ndarray:
    """Zeros, a byte each, that begin at a multiple of 64 bytes: JAX takes no others without a copy."""
    memory = np.zeros(n * width + 64, np.int8)
    first = -memory.ctypes.data % 64
    return memory[first : first + n * width].reshape(n, width)
