"""Random play on an NVIDIA GPU: the compiled rule functions, unchanged, called from a kernel, one thread a game."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.options import Value, numbers
from recollect.engine.stream import CHANCE

LIMIT = 10**6  # actions; no game comes near it
SHAPES = ((128, 4), (128, 2), (128, 8), (128, 16), (64, 8))  # threads a block, blocks a multiprocessor: the quickest depends on the game

REGISTERS = 64  # a thread, at the most: in a large game more threads at a time are worth more than what is spilt
WORD = 8  # bytes: a record lies in whole words
WARP = 0xFFFFFFFF  # all 32 threads that a GPU runs in step
AT_HAND = 2  # games of a thread, where games are played by question: more threads find one that is before it
NEXT, NONE = 62, 63  # beside the questions of a game: the next one is to be set up; there is no next one


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
    round_alike()
    cuda.core.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # type: ignore[attr-defined]  # numba-cuda's own; a small launch is meant
    if not cuda.is_available():
        why = " ".join(str(cuda.cuda_error() or "it sees no device").split())
        raise NoGpu(f"no NVIDIA GPU was found here (numba-cuda is installed; {why})")
    return cuda


def round_alike() -> None:
    """Sums and products are rounded as the processor rounds them: by itself the compiler fuses a product with the sum it goes into, and
    the better of two moves is then not always the same; numba-cuda has no option for it."""
    from numba.cuda.cudadrv import nvvm

    if not isinstance(nvvm.compile_ir, partial):
        nvvm.compile_ir = partial(nvvm.compile_ir, fma=False)


def count_at_once(cuda: Any, choose: Any) -> None:
    """On a GPU the size of a set is one instruction, and its k-th member a few; the compiler sees that in few of their loops. `choose`
    is any compiled function of the game that uses both."""
    for name, meant in (("size", sizing(cuda)), ("member", finding(cuda))):
        there = cuda.jit(device=True, forceinline=True)(meant)
        vars(choose.py_func.__globals__[name])["_CUDATypingContext__dispatcher"] = there  # where numba-cuda keeps what it makes of ours


def sizing(cuda: Any) -> Any:
    """`engine.sets.size`."""

    def size(some: Any) -> int:
        return int(cuda.popc(some))

    return size


def finding(cuda: Any) -> Any:
    """`engine.sets.member`."""
    from numba import int32, uint32

    def member(some: Any, k: int) -> int:
        half, i, left = uint32(some), int32(0), int32(k)
        n = int32(cuda.popc(half))
        if n <= left:
            half, i, left = uint32(some >> 32), int32(32), int32(left - n)
        for step in (16, 8, 4, 2, 1):
            n = int32(cuda.popc(uint32(half & uint32((1 << step) - 1))))
            if n <= left:
                half, i, left = uint32(half >> uint32(step)), int32(i + step), int32(left - n)
        return int(i)

    return member


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
        tally = self.cuda.to_device(np.zeros(4, np.int64))  # actions, draws, dead ends, games begun
        given = self.cuda.to_device(numbers(self.game.options, options))
        launch = self.kernel[min(blocks * self.multiprocessors, -(-games // threads)), threads]
        self.cuda.synchronize()
        start = time.perf_counter()
        launch(blank, given, first, games, LIMIT, keep, states, tally)
        self.cuda.synchronize()
        seconds = time.perf_counter() - start
        actions, draws, dead_ends, _ = tally.copy_to_host().tolist()
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
    return by_question(game, cuda) if hasattr(game.rules, "question") else one_by_one(game, cuda)


def one_by_one(game: Game, cuda: Any) -> Any:
    """Each game from its beginning to its end."""
    import numba

    setup, sow, random_game = game.fast.setup, game.fast.sow, game.fast.random_game
    record = numba.from_dtype(game.state.dtype)

    def play(blank: Any, options: Any, first: int, games: int, limit: int, keep: int, states: Any, tally: Any) -> None:
        mine = cuda.local.array(1, record, WORD)
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


def by_question(game: Game, cuda: Any) -> Any:
    """Games before the same question are played on together: threads run in step, and wait for those before another (see `voting`)."""
    import numba

    begin, carry_on, question = game.fast.begin, game.fast.carry_on, game.fast.question
    record, (most, find) = numba.from_dtype(game.state.dtype), voting(cuda)

    def play(blank: Any, options: Any, first: int, games: int, limit: int, keep: int, states: Any, tally: Any) -> None:
        mine, r = cuda.local.array(AT_HAND, record, WORD), cuda.local.array((AT_HAND, 1), numba.int64)
        which, left = cuda.local.array(AT_HAND, numba.int64), cuda.local.array(AT_HAND, numba.int64)
        seat, key = cuda.local.array(AT_HAND, numba.int32), cuda.local.array(AT_HAND, numba.int32)
        actions = draws = dead = 0
        for g in range(AT_HAND):
            which[g], key[g] = -1, NEXT
        chosen = most(key)
        while chosen != NONE:
            g = find(key, chosen)
            if g >= 0:
                if chosen == NEXT:
                    if 0 <= which[g] < keep:
                        states[which[g]] = mine[g]
                    which[g] = cuda.atomic.add(tally, 3, 1)
                    left[g] = limit
                    mine[g] = blank[0]
                    seat[g] = begin(mine[g], options, r[g], first + which[g])
                else:
                    was = seat[g]
                    now, n = carry_on(mine[g], was, r[g])
                    seat[g] = now
                    left[g] -= n
                    actions += n
                    draws += n if was == CHANCE else 0
                    dead += 1 if now == -2 else 0
                key[g] = NONE if which[g] >= games else NEXT if seat[g] < 0 or left[g] <= 0 else question(mine[g], seat[g])
            chosen = most(key)
        cuda.atomic.add(tally, 0, actions)
        cuda.atomic.add(tally, 1, draws)
        cuda.atomic.add(tally, 2, dead)

    return play


def voting(cuda: Any) -> tuple[Any, Any]:
    """Which question most games of the warp stand before (NONE: all are played), and which game of a thread's stands before it.
    A thread has a few games at hand, so that many find one; what few games stand before waits until they are many."""
    import numba

    def most(key: Any) -> int:
        best = numba.int32(NONE)
        for g in range(AT_HAND):
            alike = cuda.popc(numba.int32(cuda.match_any_sync(WARP, numba.int32(key[g]))))
            best = max(best, numba.int32(NONE if key[g] == NONE else (alike << 6) | key[g]))
        for distance in (16, 8, 4, 2, 1):
            best = max(best, cuda.shfl_xor_sync(WARP, best, distance))
        return int(best & NONE)

    def find(key: Any, chosen: int) -> int:
        for g in range(AT_HAND):
            if key[g] == chosen:
                return g
        return -1

    return cuda.jit(device=True)(most), cuda.jit(device=True)(find)
