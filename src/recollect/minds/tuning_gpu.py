"""The same contests on an NVIDIA GPU: the compiled functions, unchanged, called from a kernel, one thread a game.

Threads of a warp run in step, and games part ways at once: what one does, the others wait for. So each warp plays few games, one where
there are warps enough for all."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.options import Value
from recollect.lab.gpu import cuda
from recollect.minds.thinking import word_of
from recollect.minds.tuning import DEPTH, LIMIT, Contest

THREADS, WARP = 64, 32  # in a block; in step
WARPS = 16  # of a multiprocessor, that find room at a time


class GpuContest(Contest):
    """Plays all games of a generation in one launch."""

    def __init__(self, game: Game, options: Mapping[str, Value], threads: int = 1, width: int = 4) -> None:
        super().__init__(game, options, 1, width)
        self.cuda = cuda()

    @cached_property
    def kernel(self) -> Any:
        cuda, contest, width = self.cuda, self.search.contest, self.width

        def play(given: Any, boards: Any, beams: Any, outs: Any, players: int, each: int) -> None:
            options, keys, seats, who, population, theirs = given
            states, raw, weights, r = boards
            hashes, scores, plans, plan, firsts = beams
            i = cuda.grid(1)
            g = i // WARP * each + i % WARP
            if i % WARP < each and g < keys.shape[0]:
                contest(
                    states[g], raw[g], options, keys[g], seats[g], players, population[who[g]], theirs, weights[g], r[g],
                    width, DEPTH, LIMIT, hashes[g], scores[g], plans[g], plan[g], firsts[g], outs[g],
                )  # fmt: skip

        # the linker would fuse products and sums after all (see round_alike); jit(lto=False)(play) would forget what it was told
        return self.cuda.jit(play, lto=False)

    def each(self, games: int) -> int:
        """How many games a warp plays."""
        warps = WARPS * int(self.cuda.get_current_device().MULTIPROCESSOR_COUNT)
        return min(WARP, -(-games // warps))

    def part(self, population: Any, theirs: Any, keys: Any, seats: Any, who: Any) -> np.ndarray:
        n, room_for = len(who), 2 * self.width + 3
        put, room = self.cuda.to_device, self.cuda.device_array
        word = np.dtype(word_of(self.game))
        words = self.game.state.dtype.itemsize // word.itemsize
        raw = room((n, room_for, words), word)
        states = raw.reshape(n * room_for * words).view(self.game.state.dtype).reshape(n, room_for)
        outs = put(np.zeros((n, self.game.seats, len(self.game.rules.POINTS)), np.int64))
        given = tuple(put(np.ascontiguousarray(a)) for a in (self.options, keys, seats, who, population, theirs))
        boards = (states, raw, room((n, self.game.seats, population.shape[1]), np.float64), room((n, 1), np.int64))
        beams = (
            room((n, 2 * self.width), np.int64),
            room((n, 2 * self.width), np.float64),
            room((n, 2 * self.width, DEPTH), np.int64),
            room((n, DEPTH), np.int64),
            room((n, self.game.actions.count), np.float64),
        )
        each = self.each(n)
        self.kernel[-(-n // each) * WARP // THREADS + 1, THREADS](given, boards, beams, outs, self.players, each)
        return np.asarray(outs.copy_to_host())
