"""The environment's kernels: their logic with a stand-in for the device, everywhere; on a GPU, the same rows as on the CPU."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

import recollect
from recollect.engine.game import Game
from recollect.engine.observation import KNOWLEDGE, SIGHT
from recollect.engine.options import numbers
from recollect.engine.stream import sow
from recollect.envs import gpu, warp
from recollect.envs.gpu import OnGpu, in_fours, kernel, rows_and_masks, rows_of, seeds, words, writing
from recollect.envs.table import Table
from recollect.envs.warp import BLOCK, SHARED
from recollect.lab.gpu import NoGpu

pytestmark = pytest.mark.filterwarnings("ignore:.*:DeprecationWarning:numba_cuda.*")  # where it meets a NumPy newer than itself


class InWords(np.void):
    """A record that is also in words, as a kernel has it: for a GPU it is a field that lies over the others, which has no place here."""

    def __getitem__(self, name: str) -> np.ndarray:
        assert name == "words_"
        (word, size), (mine, all_of_them) = words(self.dtype), (part.__array_interface__["data"][0] for part in (self, self.base))
        return self.base.view(word)[(mine - all_of_them) // word.itemsize :][:size]


class Thread:
    """What the kernels ask of numba.cuda, for one thread run as plain Python."""

    def __init__(self) -> None:
        self.at = 0
        self.local = self.shared = SimpleNamespace(array=self.litter)

    def grid(self, axes: int) -> int:
        return self.at

    def jit(self, **how: object) -> object:
        return lambda function: function

    def ldcs(self, array: np.ndarray, at: tuple[int, int]) -> int:
        return int(array[at])

    def stcs(self, array: np.ndarray, at: tuple[int, int], value: int) -> None:
        array[at] = value

    def litter(self, shape: int | tuple[int, ...], kind: object, alignment: int | None = None) -> np.ndarray:
        """Memory as a GPU gives it: not zeros."""
        from numba.np.numpy_support import as_dtype

        dtype = as_dtype(kind)
        if "bytes_" in (dtype.names or ()):
            return np.full(dtype.itemsize, 0x55, np.uint8).view(dtype).reshape(shape)
        if "words_" in (dtype.names or ()):
            names = [name for name in dtype.names or () if name != "words_"]
            dtype = np.dtype((InWords, np.dtype([(name, dtype[name]) for name in names], align=True)))
        return np.full(int(np.prod(shape)) * dtype.itemsize, 0x55, np.uint8).view(dtype).reshape(shape)


class Block:
    """The same for all threads of a block at once: what each of them has is an array."""

    libdevice = SimpleNamespace(byte_perm=lambda x, y, which: Block.picked(x, y, which))

    @staticmethod
    def jit(**how: object) -> object:
        return lambda function: function

    @staticmethod
    def picked(x: np.ndarray, y: np.ndarray, which: np.ndarray) -> np.ndarray:
        """Four bytes of the eight of both."""
        both = (np.asarray(x) & 0xFFFFFFFF) | ((np.asarray(y) & 0xFFFFFFFF) << 32)
        found = sum(((both >> (8 * ((which >> (4 * k)) & 7))) & 255) << (8 * k) for k in range(4))
        return np.asarray(found).astype(np.int32).astype(np.int64)

    @staticmethod
    def shfl_xor_sync(threads: int, x: np.ndarray, distance: int) -> np.ndarray:
        return x[np.arange(BLOCK) ^ distance]

    @staticmethod
    def stcs(array: np.ndarray, at: np.ndarray, value: np.ndarray) -> None:
        array[at] = value

    def syncthreads(self) -> None:
        pass


@pytest.fixture
def some_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some threads have something to write, and others have not."""

    def guarded(cuda: object, write: Callable[..., None]) -> Callable[..., None]:
        return lambda there, tile, t, out, at, *more: write(tile, t[there], out, at[there], *more)

    monkeypatch.setattr(warp, "where_there_are_games", guarded)


def written(game: Game, mode: int, packed: list[tuple[np.ndarray, np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Rows and masks of some games, as a block writes them into memory that is litter, but for what is ever empty."""
    games = BLOCK + 8 * -(-len(packed) // 8)  # two blocks: what is written is that of the second, which is not full
    out = np.zeros((rows_and_masks(game), games), np.int8)
    given = [np.stack([part[min(i, len(part) - 1)] for i in range(BLOCK)], axis=-1).astype(np.int64) for part in zip(*packed, strict=True)]
    tile = np.full(2 * SHARED, 0x55, np.int64)
    writing(game, Block(), mode)(*given, BLOCK + np.arange(BLOCK), tile, out.reshape(-1).view(np.int64), games >> 3)
    assert not out[:, :BLOCK].any()
    mine = out[:, BLOCK : BLOCK + len(packed)].T
    return mine[:, : game.layout.width], mine[:, rows_of(game) :][:, : game.actions.count]


@pytest.mark.usefixtures("some_write")
@pytest.mark.parametrize("observe", ["sight", "knowledge"])
def test_a_block_writes_the_rows_and_masks_that_tables_show(game: Game, observe: str):
    mode, rng, tables, packed = (SIGHT, KNOWLEDGE)[observe == "knowledge"], random.Random(3), [], []
    for k, options in enumerate(game.variants()[:4]):
        for steps in (0, 7, 40):
            table = Table(game, game.settle(options), observe, compiled=False)
            table.reset(k)
            while steps and not table.over:
                seat = rng.choice(table.acting)
                table.play(seat, rng.choice(np.flatnonzero(table.mask(seat)).tolist()))
                steps -= 1
            if not table.over:
                tables.append((table, table.acting[0]))
                packed.append(pack(game, mode, *tables[-1]))
    rows, masks = written(game, mode, packed)
    for (table, seat), row, mask in zip(tables, rows, masks, strict=True):
        assert np.array_equal(row, table.row(seat)) and np.array_equal(mask, table.mask(seat))


def pack(game: Game, mode: int, table: Table, seat: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What a thread has of its game before it is written: numbers, four in a word; flags, and those of second copies."""
    t, stretches = game.plain_tables, len(game.layout.stretches(mode))
    numbers, bits, more = (
        np.full(1, 0x55, np.uint8).repeat(in_fours(game).itemsize).view(np.int8),
        np.zeros(99, np.int64),
        np.zeros(99, np.int64),
    )
    t.pack(table._s, seat, mode, numbers, bits, more)
    t.pack_up(table._s, seat, bits, stretches)
    return numbers.view(np.int32), bits.astype(np.int32), more.astype(np.int32)


def test_streams_start_as_sow_starts_them():
    r = np.zeros(1, np.int64)
    for i, x in enumerate(seeds(5, 3)):
        sow(r, 3 * 5 + i)
        assert r[0] == x


@pytest.mark.compiled
@pytest.mark.usefixtures("some_write")
def test_the_kernel_steps_games_as_tables_do(monkeypatch: pytest.MonkeyPatch):
    game, n = recollect.load("memoarrr"), 3
    thread, packed = Thread(), []
    keep = lambda fours, bits, more, *rest: packed.append((fours.copy(), bits.copy(), more.copy()))  # noqa: E731
    monkeypatch.setattr(gpu, "writing", lambda game, cuda, mode: keep)
    step = kernel(game, thread, SIGHT, 0, 2)
    settled = game.settle({})
    word, size = words(game.state.dtype)
    records, options = np.zeros((size, n), word), numbers(game.options, settled)
    streams, worth, rng = seeds(n, 0), np.zeros((2, n), np.float32), random.Random(1)
    asked, actions, rewards, over = np.zeros(n, np.int8), np.zeros(n, np.int16), np.zeros((2, n), np.float32), np.zeros(n, np.int8)

    def launch(fresh: int) -> tuple[np.ndarray, np.ndarray]:
        packed.clear()
        for thread.at in range(n):
            step(records, options, streams, worth, asked, actions, rewards, over, None, 0, fresh)
        return written(game, SIGHT, packed)

    rows, masks = launch(1)
    tables = [Table(game, settled) for _ in range(n)]
    for i, table in enumerate(tables):
        table.reset(i)
    ended = 0
    for _ in range(80):
        for i, table in enumerate(tables):
            assert table.record.tobytes() == records[:, i].tobytes()
            assert np.array_equal(rows[i], table.row(int(asked[i]))) and np.array_equal(masks[i], table.mask(int(asked[i])))
        for i, table in enumerate(tables):
            seat = int(asked[i])
            actions[i] = rng.choice([-1, *np.flatnonzero(masks[i])])
            table.play(seat, int(actions[i]) if actions[i] >= 0 else game.loops.choose(table._s, seat, table._stream))
        rows, masks = launch(0)
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
