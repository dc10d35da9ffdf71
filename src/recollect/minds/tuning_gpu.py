"""The same contests on an NVIDIA GPU: the compiled functions, unchanged, called from a kernel, one thread a game."""

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

THREADS = 64  # a block


class GpuContest(Contest):
    """Plays all games of a generation in one launch."""

    def __init__(self, game: Game, options: Mapping[str, Value], threads: int = 1, width: int = 4) -> None:
        super().__init__(game, options, 1, width)
        self.cuda = cuda()

    @cached_property
    def kernel(self) -> Any:
        cuda, contest, width = self.cuda, self.search.contest, self.width

        def play(given: Any, boards: Any, beams: Any, outs: Any, players: int) -> None:
            options, keys, seats, who, population, theirs = given
            states, raw, weights, r = boards
            hashes, scores, plans, plan, firsts = beams
            g = cuda.grid(1)
            if g < keys.shape[0]:
                contest(
                    states[g], raw[g], options, keys[g], seats[g], players, population[who[g]], theirs, weights[g], r[g],
                    width, DEPTH, LIMIT, hashes[g], scores[g], plans[g], plan[g], firsts[g], outs[g],
                )  # fmt: skip

        return self.cuda.jit(lto=False)(play)  # the linker would fuse products and sums after all (see round_alike)

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
        self.kernel[-(-n // THREADS), THREADS](given, boards, beams, outs, self.players)
        return np.asarray(outs.copy_to_host())
