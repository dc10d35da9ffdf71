"""The environment's kernels: their logic with a stand-in for the device, everywhere; on a GPU, the same rows as on the CPU."""

from __future__ import annotations

import random
from types import SimpleNamespace

import numpy as np
import pytest

import recollect
from recollect.engine.game import Game
from recollect.engine.observation import SIGHT
from recollect.engine.options import numbers
from recollect.engine.stream import sow
from recollect.envs.gpu import OnGpu, kernel, seeds, words
from recollect.envs.table import Table
from recollect.lab.gpu import NoGpu

pytestmark = pytest.mark.filterwarnings("ignore:.*:DeprecationWarning:numba_cuda.*")  # where it meets a NumPy newer than itself


class InWords(np.void):
    """A record that is also in words, as a kernel has it: for a GPU it is a field that lies over the others, which has no place here."""

    def __getitem__(self, name: str) -> np.ndarray:
        assert name == "words_"
        return self.base.view(words(self.dtype)[0])


class Thread:
    """What the kernels ask of numba.cuda, for one thread run as plain Python."""

    def __init__(self) -> None:
        self.at = 0
        self.local = SimpleNamespace(array=self.litter)

    def grid(self, axes: int) -> int:
        return self.at

    def litter(self, shape: int | tuple[int, ...], kind: object) -> np.ndarray:
        """Memory as a GPU gives it: not zeros."""
        from numba.np.numpy_support import as_dtype

        dtype = as_dtype(kind)
        if "words_" in (dtype.names or ()):
            names = [name for name in dtype.names or () if name != "words_"]
            dtype = np.dtype((InWords, np.dtype([(name, dtype[name]) for name in names], align=True)))
        return np.full(int(np.prod(shape)) * dtype.itemsize, 0x55, np.uint8).view(dtype).reshape(shape)


def test_streams_start_as_sow_starts_them():
    r = np.zeros(1, np.int64)
    for i, x in enumerate(seeds(5, 3)):
        sow(r, 3 * 5 + i)
        assert r[0] == x


@pytest.mark.compiled
def test_the_kernel_steps_games_as_tables_do():
    game, n = recollect.load("memoarrr"), 3
    thread = Thread()
    step = kernel(game, thread, SIGHT, 0, 2)
    settled = game.settle({})
    word, size = words(game.state.dtype)
    records, options = np.zeros((size, n), word), numbers(game.options, settled)
    streams, worth, rng = seeds(n, 0), np.zeros((2, n), np.float32), random.Random(1)
    asked, actions, rewards, over = np.zeros(n, np.int8), np.zeros(n, np.int16), np.zeros((2, n), np.float32), np.zeros(n, np.int8)
    out, mask = np.zeros((game.layout.width, n), np.int8), np.zeros((game.actions.count, n), np.int8)

    def launch(fresh: int) -> None:
        for thread.at in range(n + 1):  # one thread more than games
            step(records, options, streams, worth, asked, actions, rewards, over, out, mask, fresh)

    launch(1)
    tables = [Table(game, settled) for _ in range(n)]
    for i, table in enumerate(tables):
        table.reset(i)
    ended = 0
    for _ in range(80):
        for i, table in enumerate(tables):
            assert table.record.tobytes() == records[:, i].tobytes()
            assert np.array_equal(out[:, i], table.row(int(asked[i]))) and np.array_equal(mask[:, i], table.mask(int(asked[i])))
        for i, table in enumerate(tables):
            seat = int(asked[i])
            actions[i] = rng.choice([-1, *np.flatnonzero(mask[:, i])])
            table.play(seat, int(actions[i]) if actions[i] >= 0 else game.loops.choose(table._s, seat, table._stream))
        launch(0)
        for i, table in enumerate(tables):
            assert over[i] == table.over
            if table.over:  # it begins anew from where its stream stands
                ended += 1
                assert np.array_equal(rewards[:, i], table.rewards().astype(np.float32))
                table.record[0], table._stream[0] = records[:, i].copy().view(game.state.dtype)[0], streams[i]
    assert ended >= 3


@pytest.mark.gpu
@pytest.mark.compiled
def test_a_gpu_observes_what_the_cpu_observes(game: Game):
    try:
        env = OnGpu(game, 64)
    except NoGpu as reason:
        pytest.skip(f"no play on a GPU here: {reason}")
    for _ in range(60):
        env.step(env.anything)
    states, (asked, rows, masks) = env.records(), (array.copy_to_host() for array in (env.asked, env.rows, env.masks))
    for i in range(64):
        table = Table(game, game.settle({}))
        table.record[0] = states[i]
        assert np.array_equal(rows[i], table.row(int(asked[i]))) and np.array_equal(masks[i], table.mask(int(asked[i])))


@pytest.mark.gpu
@pytest.mark.compiled
@pytest.mark.parametrize("library", ["torch", "cupy", "jax.dlpack"])
def test_what_lies_on_the_gpu_is_handed_over_without_a_copy(library: str):
    taken = pytest.importorskip(library)
    try:
        env = OnGpu(recollect.load("ptibapt"), 64)
    except NoGpu as reason:
        pytest.skip(f"no play on a GPU here: {reason}")
    rows, masks = env.rows, env.masks
    for _ in range(3):
        env.step(env.anything)  # what was asked for before is what the step wrote
    for there, again in ((rows, env.rows), (masks, env.masks)):
        at, here = again.__cuda_array_interface__["data"][0], again.copy_to_host()
        if library == "torch":
            tensor = taken.as_tensor(there, device="cuda")
            assert tensor.data_ptr() == at and np.array_equal(tensor.cpu().numpy(), here)
        elif library == "cupy":
            array = taken.asarray(there)
            assert array.data.ptr == at and np.array_equal(array.get(), here)
        else:  # which asks by DLPack, and numba-cuda's arrays have none: through PyTorch
            array = taken.from_dlpack(pytest.importorskip("torch").as_tensor(there, device="cuda"))
            assert array.unsafe_buffer_pointer() == at and np.array_equal(np.asarray(array), here)
