"""Many games as an environment on an NVIDIA GPU: records, observations, masks and rewards never leave it.

One thread steps one game, by the compiled rule functions, unchanged. Everything lies with the game as the last axis, records as well, cut
into words, so that neighbouring threads read and write neighbouring numbers; `rows` and `masks` are views with the game first.
"""

from __future__ import annotations

from functools import cache
from math import gcd
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.observation import CAPACITY
from recollect.engine.options import numbers
from recollect.envs.table import kind_of, mode_of
from recollect.lab.gpu import cuda as find_cuda

THREADS = 512  # in a block: neighbours write whole lines together
REGISTERS = 64  # of a thread, at the most


class OnGpu:
    """N games, stepped on the GPU; one that ends begins anew in the same step. `observe` is `sight` or `knowledge`."""

    def __init__(self, game: Game, n: int, observe: str = "sight", reward: str = "result", seed: int = 0, **options: Any) -> None:
        self.cuda, self.game, self.n = find_cuda(), game, n
        settled = game.settle(options)
        self.players = game.players(settled)
        mode, _ = mode_of(observe)
        if mode == CAPACITY:
            raise ValueError("on a GPU observe='sight' or 'knowledge'")
        self._step = compiled(game, mode, kind_of(reward), self.players)
        self._options = self.cuda.to_device(numbers(game.options, settled))
        word, size = words(game.state.dtype)
        self._records = self.cuda.device_array((size, n), word)
        self._streams = self.cuda.to_device(seeds(n, seed))
        self._worth = self.cuda.device_array((self.players, n), np.float32)
        self._out = self.cuda.to_device(np.zeros((game.layout.width, n), game.layout.dtype))  # between its sets a row has room, of zeros
        self._mask = self.cuda.device_array((game.actions.count, n), np.int8)
        self.asked, self.anything = self.cuda.device_array(n, np.int8), self.cuda.to_device(np.full(n, -1, np.int16))
        self._rewards, self.over = self.cuda.device_array((self.players, n), np.float32), self.cuda.device_array(n, np.int8)
        self._launch(self.anything, 1)

    def records(self) -> np.ndarray:
        """A copy of all records, here."""
        return np.ascontiguousarray(self._records.copy_to_host().T).view(self.game.state.dtype)[:, 0]

    @property
    def rows(self) -> Any:
        """What the seats that are asked observe: games x numbers."""
        return game_first(self._out)

    @property
    def masks(self) -> Any:
        """What they may do: games x actions."""
        return game_first(self._mask)

    @property
    def rewards(self) -> Any:
        """What the last step brought: games x seats."""
        return game_first(self._rewards)

    def step(self, actions: Any) -> None:
        """One legal action in every game (int16, on the GPU; -1, as in `anything`: any that is legal); trusts its caller."""
        self._launch(actions, 0)

    @property
    def blocks(self) -> int:
        return -(-self.n // THREADS)

    def _launch(self, actions: Any, fresh: int) -> None:
        self._step[self.blocks, THREADS](
            self._records, self._options, self._streams, self._worth, self.asked, actions, self._rewards, self.over,
            self._out, self._mask, fresh,
        )  # fmt: skip


def game_first(array: Any) -> Any:
    """The same memory, its axes the other way round (numba-cuda's own `.T` is a copy)."""
    return type(array)(array.shape[::-1], array.strides[::-1], array.dtype, gpu_data=array.gpu_data)


def seeds(n: int, seed: int) -> np.ndarray:
    """A stream for each game, as `sow` starts them."""
    x = (np.arange(n, dtype=np.uint64) + np.uint64(seed * n + 1)) & np.uint64(0xFFFFFFFF)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x ^= x >> np.uint64(shift)
        x = (x * np.uint64(factor)) & np.uint64(0xFFFFFFFF)
    return ((x ^ (x >> np.uint64(16))) | np.uint64(1)).astype(np.int64)


def words(dtype: np.dtype) -> tuple[np.dtype, int]:
    """The widest words that a record can be cut into, and how many they are."""
    width = gcd(dtype.itemsize, 8)
    return np.dtype(f"i{width}"), dtype.itemsize // width


def in_words(dtype: np.dtype) -> np.dtype:
    """The record with one field more, which is all of it in words."""
    fields = {name: (kind, at) for name, (kind, at, *_) in (dtype.fields or {}).items()} | {"words_": (words(dtype), 0)}
    formats, offsets = zip(*fields.values(), strict=True)
    laid_out: Any = {"names": [*fields], "formats": formats, "offsets": offsets, "itemsize": dtype.itemsize, "aligned": True}
    overlaid: np.dtype = np.dtype(laid_out)
    return overlaid


@cache
def compiled(game: Game, mode: int, kind: int, players: int) -> Any:
    """The kernel, compiled at its first launch, once for all environments of the kind."""
    cuda = find_cuda()
    return cuda.jit(max_registers=REGISTERS)(kernel(game, cuda, mode, kind, players))


def kernel(game: Game, cuda: Any, mode: int, kind: int, players: int) -> Any:
    """The kernel that steps every game, as a Python function."""
    import numba

    t = game.tables  # of observing, that which asks no table: it would be read from everywhere at once
    go_on, start_over, count, choose, observe, lay_out = t.go_on, t.start_over, t.count, t.choose, t.observe_bitwise, t.lay_out
    record, (_, size) = numba.from_dtype(in_words(game.state.dtype)), words(game.state.dtype)
    seats, points, ties, nobody = game.seats, len(game.rules.POINTS), max(1, len(game.rules.TIES)), -1

    def step(records, options, streams, worth, asked, actions, rewards, over, out, mask, fresh):
        i = cuda.grid(1)
        if i >= records.shape[1]:
            return
        mine, r = cuda.local.array(1, record), cuda.local.array(1, numba.int64)
        lit, recall = cuda.local.array((1, 1), numba.int8), cuda.local.array((seats, 1, 2), numba.int16)
        sums, breaks = cuda.local.array((seats, points), numba.int64), cuda.local.array((seats, ties), numba.int64)
        s, words, r[0] = mine[0], mine[0]["words_"], streams[i]
        seat, action, begun = int(asked[i]), int(actions[i]), fresh
        for k in range(size):
            words[k] = records[k, i]
        if action < 0 and fresh == 0:
            action = choose(s, seat, r)
        while True:
            if begun == 1:
                start_over(s, words, options, mode, lit, recall, worth[:, i])
                seat = nobody
            seat = go_on(s, seat, action, nobody, mode, r, lit, recall)
            if begun == 0:
                count(s, seat < 0, kind, players, worth[:, i], rewards[:, i], sums, breaks)
            if seat >= 0:
                break
            begun = 1
        over[i] = begun
        observe(s, seat, mode, recall[seat], out[:, i])
        lay_out(s, seat, mask[:, i])
        asked[i], streams[i] = seat, r[0]
        for k in range(size):
            records[k, i] = words[k]

    return step
