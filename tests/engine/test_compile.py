"""Compiled twins: keyed by what they are made of, checked for bounds, equal to plain play; batches."""

from __future__ import annotations

import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import compiled_games

import recollect
from recollect.engine import compile as compiler
from recollect.engine.batch import Batch
from recollect.engine.game import Game
from recollect.engine.options import numbers


@pytest.mark.compiled
def test_no_index_leaves_its_field(game: Game):
    """The same games with bounds checked: an index out of range would be silent otherwise."""
    checked = compiler.load_compiled(game.folder, game.package, boundscheck=True)
    for options in game.variants():
        states, tally, keys = np.zeros(50, game.state.dtype), np.zeros(3, np.int64), np.arange(50)
        checked.random_games(states, numbers(game.options, options), keys, np.zeros(1, np.int64), 10**6, tally)
        assert tally[2] == 0
        assert states.tobytes() == compiled_games(game, options, keys.tolist())[0].tobytes()


def test_a_change_of_rules_or_data_changes_the_key(tmp_path):
    folder = tmp_path / "memoarrr"
    shutil.copytree(recollect.load("memoarrr").folder, folder)
    data = folder / "components.toml"
    first = compiler.digest(folder, data)
    data.write_text(data.read_text().replace("[1, 3, 7]", "[1, 3, 8]"))
    second = compiler.digest(folder, data)
    (folder / "rules/layout.py").write_text((folder / "rules/layout.py").read_text() + "\n# changed\n")
    assert len({first, second, compiler.digest(folder, data)}) == 3


def test_serving_and_listing_do_not_wait_for_the_compiler():
    """Start-up stays quick: nothing on that path imports Numba."""
    code = "import sys, recollect, recollect.cli; recollect.load('memoarrr').match(); print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "False"


@pytest.mark.compiled
def test_a_batch_plays_like_single_games():
    game = recollect.load("_template")
    batch = Batch(game, 200, seed=3, players=3)
    rng = np.random.default_rng(1)
    while batch.acting().any():
        masks, seats = batch.legal(), batch.seats()
        for i in np.flatnonzero(seats >= 0)[:5]:
            s = game.state.open(batch.states[i : i + 1])
            assert np.flatnonzero(masks[i]).tolist() == game.legal(s, int(seats[i]))
        batch.step((masks * rng.random(masks.shape)).argmax(axis=1))
    assert (batch.scores().sum(axis=1) > 0).all() and (batch.scores() <= 13).all()


@pytest.mark.compiled
def test_a_batch_refuses_an_illegal_action_and_plays_nothing():
    batch = Batch(recollect.load("_template"), 4)
    before = batch.states.tobytes()
    with pytest.raises(ValueError, match="game 2: 'put_back' is not legal for seat 0"):
        batch.step(np.array([0, 0, batch.game.actions.parse("put_back"), 0]))
    assert batch.states.tobytes() == before
