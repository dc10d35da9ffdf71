"""The kernel: its logic with a stand-in for the device, everywhere; the same records as the CPU, where there is a GPU."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import recollect
from recollect.engine.game import Game
from recollect.engine.options import numbers
from recollect.lab import bench
from recollect.lab.gpu import Gpu, NoGpu, cuda, kernel


def one_thread(thread: int, threads: int) -> SimpleNamespace:
    """What a kernel asks of numba.cuda, for one thread of several, run as plain Python."""
    from numba.np.numpy_support import as_dtype

    def add(array: np.ndarray, i: int, value: int) -> int:
        array[i] += value
        return int(array[i]) - value

    def litter(shape: int | tuple[int, ...], kind: object, alignment: int | None = None) -> np.ndarray:
        """Memory as a GPU gives it: not zeros."""
        return np.full(np.prod(shape) * as_dtype(kind).itemsize, 0x55, np.uint8).view(as_dtype(kind)).reshape(shape)

    return SimpleNamespace(
        local=SimpleNamespace(array=litter),
        grid=lambda axes: thread,
        gridsize=lambda axes: threads,
        atomic=SimpleNamespace(add=add),
        jit=lambda device: lambda function: function,
        match_any_sync=lambda warp, value: 1 << thread,
        popc=lambda bits: int(bits).bit_count(),
        shfl_xor_sync=lambda warp, value, distance: value,
    )


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "given"),
    [("memoarrr", {"players": 3, "mode": "expert"}), ("vivid", {"players": 1}), pytest.param("dejavu", {}, marks=pytest.mark.long)],
)
def test_threads_share_the_games_and_leave_the_records_of_the_cpu(name: str, given: dict[str, object]):
    game = recollect.load(name)
    options = game.settle(given)
    states, tally = np.zeros(9, game.state.dtype), np.zeros(4, np.int64)
    for thread in range(4):
        play = kernel(game, one_thread(thread, 4))
        play(np.zeros(1, game.state.dtype), numbers(game.options, options), 70, 11, bench.LIMIT, 9, states, tally)
    assert states.tobytes() == bench.final_records(game, options, 9, first=70).tobytes()
    again = bench._play_chunk(game, options, np.arange(70, 81))
    assert tally.tolist()[:3] == again.tolist()


def gpu_or_skip(game: Game) -> Gpu:
    try:
        return Gpu(game)
    except NoGpu as reason:
        pytest.skip(f"no play on a GPU here: {reason}")


@pytest.mark.gpu
@pytest.mark.compiled
def test_a_gpu_leaves_the_records_of_the_cpu(game: Game):
    gpu = gpu_or_skip(game)
    for options in game.variants():
        played = gpu.play(options, 20_000, keep=20_000)
        assert played.dead_ends == 0
        assert played.states.tobytes() == bench.final_records(game, options, 20_000).tobytes()


def test_without_a_gpu_the_message_says_what_is_missing():
    try:
        cuda()
    except NoGpu as reason:
        assert "recollect[cuda]" in str(reason) or "no NVIDIA GPU was found" in str(reason)
    else:
        pytest.skip("there is a GPU here")
