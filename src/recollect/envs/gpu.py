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
from recollect.engine.observation import CAPACITY, STRETCH
from recollect.engine.options import numbers
from recollect.envs.table import kind_of, mode_of
from recollect.envs.warp import BLOCK, SHARED, writing_flags, writing_numbers
from recollect.lab.gpu import count_at_once
from recollect.lab.gpu import cuda as find_cuda

REGISTERS = 64  # of a thread, at the most
WORD = 8  # bytes that are written at once, of as many games; a record lies in whole words, wherever a GPU puts it
SMALL = 336  # bytes of a record; one so small lies in the memory that a block shares, where its threads find it at once


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
        self._make_room(up_to(n, BLOCK), seeds(n, seed))
        self.anything = self.cuda.to_device(np.full(n, -1, np.int16))
        self._launch(self.anything, 1)

    def _make_room(self, n: int, streams: np.ndarray) -> None:
        """Memory for whole blocks of games, and for whole stretches of flags."""
        game, empty, (word, size) = self.game, self.cuda.device_array, words(self.game.state.dtype)
        self._records, self._streams = empty((size, n), word), self.cuda.to_device(np.resize(streams, n))
        self._worth, self._rewards = (self.cuda.to_device(np.zeros((self.players, n), np.float32)) for _ in range(2))
        side_by_side = rows_and_masks(game), up_to(self.n, WORD)  # not of whole blocks: others ask that rows lie close
        if np.prod(side_by_side) // WORD >= 1 << 32:  # a kernel counts its cells in numbers of 32 bits
            raise ValueError(f"{self.n:,} games of {game.name} are too many for one environment; make two")
        self._out = self.cuda.to_device(np.zeros(side_by_side, game.layout.dtype))  # what is ever empty is not written
        self._cells = self._out.view(np.int64).reshape(-1)
        self._asked, self._over = empty(n, np.int8), empty(n, np.int8)

    def records(self) -> np.ndarray:
        """A copy of all records, here."""
        return np.ascontiguousarray(self._records.copy_to_host().T[: self.n]).view(self.game.state.dtype)[:, 0]

    @property
    def rows(self) -> Any:
        """What the seats that are asked observe: games x numbers."""
        return game_first(self._out, self.n, self.game.layout.width)

    @property
    def masks(self) -> Any:
        """What they may do: games x actions."""
        return game_first(self._out[rows_of(self.game) :], self.n, self.game.actions.count)

    @property
    def rewards(self) -> Any:
        """What the last step brought: games x seats."""
        return game_first(self._rewards, self.n, self.players)

    @property
    def asked(self) -> Any:
        """Who is asked in each game."""
        return self._asked[: self.n]

    @property
    def over(self) -> Any:
        """Which games ended in the last step, and began anew."""
        return self._over[: self.n]

    def step(self, actions: Any) -> None:
        """One legal action in every game (int16, on the GPU; -1, as in `anything`: any that is legal); trusts its caller."""
        self._launch(actions, 0)

    @property
    def blocks(self) -> int:
        return len(self._streams) // BLOCK

    def _launch(self, actions: Any, fresh: int) -> None:
        self._step[self.blocks, BLOCK](
            self._records, self._options, self._streams, self._worth, self._asked, actions, self._rewards, self._over,
            self._cells, self._out.shape[1] // WORD, fresh,
        )  # fmt: skip


def game_first(array: Any, games: int, count: int) -> Any:
    """The same memory, its axes the other way round (numba-cuda's own `.T` is a copy), as far as there are games and numbers."""
    return type(array)((games, count), array.strides[::-1], array.dtype, gpu_data=array.gpu_data)


def up_to(n: int, step: int) -> int:
    """The next multiple."""
    return -(-n // step) * step


def rows_of(game: Game) -> int:
    """How many numbers are written of a game."""
    first = game.layout.first_flag
    return first + up_to(game.layout.width - first, STRETCH)


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
    laid_out: Any = {"names": [*fields], "formats": formats, "offsets": offsets, "itemsize": apart(dtype), "aligned": True}
    overlaid: np.dtype = np.dtype(laid_out)
    return overlaid


def apart(dtype: np.dtype) -> int:
    """How far apart records lie that threads read at once: an odd number of words of eight bytes, so that few lie in the same bank."""
    return dtype.itemsize + 8 * (dtype.itemsize // 8 % 2 == 0)


def in_fours(game: Game) -> np.dtype:
    """The numbers of a row, which are bytes, and four of them at once."""
    n = game.layout.first_flag
    fields: Any = {"names": ["bytes_", "words_"], "formats": [("i1", n), ("i4", n // 4)], "offsets": [0, 0], "itemsize": n, "aligned": True}
    overlaid: np.dtype = np.dtype(fields)
    return overlaid


def rows_and_masks(game: Game) -> int:
    """And with what may be done in it."""
    return rows_of(game) + up_to(game.actions.count, STRETCH)


@cache
def compiled(game: Game, mode: int, kind: int, players: int) -> Any:
    """The kernel, compiled at its first launch, once for all environments of the kind."""
    cuda = find_cuda()
    count_at_once(cuda, game.tables.choose)
    return cuda.jit(max_registers=REGISTERS)(kernel(game, cuda, mode, kind, players))


def kernel(game: Game, cuda: Any, mode: int, kind: int, players: int) -> Any:
    """The kernel that steps every game, as a Python function; their number is a multiple of a block's threads."""
    import numba

    record, (_, size) = numba.from_dtype(in_words(game.state.dtype)), words(game.state.dtype)
    row, stretches, copies = numba.from_dtype(in_fours(game)), len(game.layout.stretches(mode)), len(game.layout.stretches(mode, 1))
    packed, seconds, shared = stretches + up_to(game.actions.count, STRETCH) // STRETCH, max(1, copies), SHARED * (1 + bool(copies))
    pack, pack_up, small = game.tables.pack, game.tables.pack_up, game.state.dtype.itemsize <= SMALL
    many, play, write_row = BLOCK if small else 1, playing(game, cuda, mode, kind, players), writing(game, cuda, mode)

    def step(records, options, streams, worth, asked, actions, rewards, over, out, columns, fresh):
        i = cuda.grid(1)
        tile, r = cuda.shared.array(shared, numba.int32), cuda.local.array(1, numba.int64)
        numbers, bits, more = cuda.local.array(1, row, WORD), cuda.local.array(packed, numba.int32), cuda.local.array(seconds, numba.int32)
        if small:  # noqa: SIM108  # the compiler leaves out what is not taken
            mine = cuda.shared.array(BLOCK, record, WORD)
        else:
            mine = cuda.local.array(1, record, WORD)
        s, words, r[0] = mine[i % many], mine[i % many]["words_"], streams[i]
        for k in range(size):
            words[k] = cuda.ldcs(records, (k, i))
        action = int(actions[i]) if i < actions.shape[0] else -1
        seat, begun = play(s, words, options, int(asked[i]), action, fresh, worth[:, i], rewards[:, i], r)
        over[i], asked[i], streams[i] = begun, seat, r[0]
        pack(s, seat, mode, numbers[0]["bytes_"], bits, more)
        pack_up(s, seat, bits, stretches)
        for k in range(size):
            cuda.stcs(records, (k, i), words[k])
        write_row(numbers[0]["words_"], bits, more, i, tile, out, columns)

    return step


def playing(game: Game, cuda: Any, mode: int, kind: int, players: int) -> Any:
    """An action, and all that follows until somebody is asked; a game that ends begins anew. Who is asked, and whether it began."""
    import numba

    go_on, start_over, count = game.tables.go_on, game.tables.start_over, game.tables.count
    seats, points, ties, nobody = game.seats, len(game.rules.POINTS), max(1, len(game.rules.TIES)), -1

    def play(s, words, options, seat, action, begun, worth, rewards, r):
        lit, recall = cuda.local.array((1, 1), numba.int8), cuda.local.array((seats, 1, 2), numba.int16)
        sums, breaks = cuda.local.array((seats, points), numba.int64), cuda.local.array((seats, ties), numba.int64)
        while True:
            if begun == 1:
                start_over(s, words, options, mode, lit, recall, worth)
                seat = nobody
            seat = go_on(s, seat, action, nobody, mode, r, lit, recall)
            if begun == 0:
                count(s, seat < 0, kind, players, worth, rewards, sums, breaks)
            if seat >= 0:
                return seat, begun
            begun = 1

    return cuda.jit(device=True, forceinline=True)(play)


def writing(game: Game, cuda: Any, mode: int) -> Any:
    """What the threads of a block do together after a step: write the rows and masks of their games."""
    numbers, flags = writing_numbers(cuda, game.layout.first_flag // 4), writing_flags(cuda, *flag_rows(game, mode))

    def write(fours, bits, more, i, tile, out, games):
        t = i & (BLOCK - 1)
        at = ((i - t) >> 3) + (t & 15)
        numbers(fours, t, tile, out, at, games)
        flags(bits, more, t, tile, out, at, games)

    return cuda.jit(device=True, forceinline=True)(write)


def flag_rows(game: Game, mode: int) -> tuple[list[int], list[int]]:
    """Where each stretch of flags begins, those of a row, then those of the mask; and which of the second copies go with it, or -1."""
    first, twice = game.layout.first_flag, list(game.layout.stretches(mode, 1))
    row, mask = list(game.layout.stretches(mode)), range(rows_of(game), rows_and_masks(game), STRETCH)
    return [*(first + STRETCH * k for k in row), *mask], [*(twice.index(k) if k in twice else -1 for k in row), *(-1 for _ in mask)]
