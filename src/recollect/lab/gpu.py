"""Random play on an NVIDIA GPU: the compiled rule functions, unchanged, called from a kernel, one thread a game."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.options import Value, numbers

LIMIT = 10**6  # actions; no game comes near it
SHAPES = ((128, 4), (128, 2), (128, 8), (128, 16), (64, 8))  # threads a block, blocks a multiprocessor: the quickest depends on the game

REGISTERS = 72  # a thread, at the most: in a large game more threads at a time are worth more than what is spilt


class NoGpu(OSError):
    """There is no GPU to play on, and this says why."""


def cuda() -> Any:
    """Numba's CUDA, or NoGpu."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # gone in NumPy 2.5, and numba-cuda still asks for it
    try:
        import numba_cuda  # noqa: F401
        from numba import cuda
    except ImportError as error:
        raise NoGpu(f"playing on a GPU needs the extra packages: pip install 'recollect[cuda]' ({error})") from None
    if not cuda.is_available():
        why = " ".join(str(cuda.cuda_error() or "it sees no device").split())
        raise NoGpu(f"no NVIDIA GPU was found here (numba-cuda is installed; {why})")
    return cuda


def device_name() -> str:
    """What the first GPU calls itself."""
    name = cuda().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


@dataclass(frozen=True)
class Played:
    """What a launch played: counts, time, and the final records that were asked for."""

    actions: int  # of players and of chance
    draws: int  # of chance alone
    dead_ends: int
    seconds: float
    states: np.ndarray


class Gpu:
    """Plays a game on the first GPU."""

    def __init__(self, game: Game) -> None:
        self.cuda = cuda()
        self.game = game
        self.name = device_name()
        self.multiprocessors = int(self.cuda.get_current_device().MULTIPROCESSOR_COUNT)
        self.shape, self.tuned = SHAPES[0], False

    @cached_property
    def kernel(self) -> Any:
        return self.cuda.jit(fastmath=False, max_registers=REGISTERS)(kernel(self.game, self.cuda))

    def play(self, options: dict[str, Value], games: int, first: int = 0, keep: int = 0) -> Played:
        """Play whole games, by the streams of the keys from `first` on; bring back the final records of the first `keep`."""
        threads, blocks = self.shape
        blank = self.cuda.to_device(np.zeros(1, self.game.state.dtype))
        states = self.cuda.device_array(max(1, keep), self.game.state.dtype)
        tally = self.cuda.to_device(np.zeros(3, np.int64))
        given = self.cuda.to_device(numbers(self.game.options, options))
        launch = self.kernel[min(blocks * self.multiprocessors, -(-games // threads)), threads]
        self.cuda.synchronize()
        start = time.perf_counter()
        launch(blank, given, first, games, LIMIT, keep, states, tally)
        self.cuda.synchronize()
        seconds = time.perf_counter() - start
        actions, draws, dead_ends = tally.copy_to_host().tolist()
        return Played(actions, draws, dead_ends, seconds, states.copy_to_host()[:keep])

    def tune(self, options: dict[str, Value]) -> dict[tuple[int, int], float]:
        """Find the quickest shape of a launch; actions per second of each."""
        self.play(options, 1 << 15)  # compiles
        games = self.games_for(options, 0.2)
        rates = {}
        for self.shape in SHAPES:
            played = self.play(options, games)
            rates[self.shape] = played.actions / played.seconds
        self.shape, self.tuned = max(rates, key=lambda shape: rates[shape]), True
        return rates

    def games_for(self, options: dict[str, Value], seconds: float) -> int:
        """About how many games are played in that time; at least a few for every thread."""
        trial = self.play(options, 1 << 17)
        return max(1 << 18, min(1 << 31, int((1 << 17) * seconds / trial.seconds)))

    def measure(self, options: dict[str, Value], seconds: float = 2.0) -> tuple[Played, int]:
        """Play for about `seconds` in one launch; what was played, and how many games."""
        if not self.tuned:
            self.tune(options)
        games = self.games_for(options, seconds)
        return self.play(options, games), games


def kernel(game: Game, cuda: Any) -> Any:
    """The kernel of a game as a Python function: every thread plays game after game in a record of its own, close at hand."""
    import numba

    setup, sow, random_game = game.fast.setup, game.fast.sow, game.fast.random_game
    record = numba.from_dtype(game.state.dtype)

    def play(blank: Any, options: Any, first: int, games: int, limit: int, keep: int, states: Any, tally: Any) -> None:
        mine = cuda.local.array(1, record)
        r = cuda.local.array(1, numba.int64)
        actions = draws = dead = 0
        for i in range(cuda.grid(1), games, cuda.gridsize(1)):
            mine[0] = blank[0]
            setup(mine[0], options)
            sow(r, first + i)
            n = random_game(mine[0], r, limit)
            if n < 0:
                dead += 1
            else:
                actions += n >> 32
                draws += n & 0xFFFFFFFF
            if i < keep:
                states[i] = mine[0]
        cuda.atomic.add(tally, 0, actions)
        cuda.atomic.add(tally, 1, draws)
        cuda.atomic.add(tally, 2, dead)

    return play
