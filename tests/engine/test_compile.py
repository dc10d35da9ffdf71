"""Compiled twins: keyed by what they are made of, checked for bounds, equal to plain play; batches."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import NAMES, compiled_games

import recollect
from recollect.engine import compile as compiler
from recollect.engine.batch import Batch
from recollect.engine.game import Game
from recollect.engine.options import numbers


@pytest.mark.compiled
@pytest.mark.parametrize("name", [name if name == "_template" else pytest.param(name, marks=pytest.mark.long) for name in NAMES])
def test_no_index_leaves_its_field(name: str):
    """The same games with bounds checked: an index out of range would be silent otherwise. (Plain Python says it of the same games in
    tests/test_games.py; to compile all rules once more takes longest of all.)"""
    game = recollect.load(name)
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


def changed(tmp_path: Path, old: str, new: str) -> Path:
    """The template with one thing changed in its rules."""
    folder = tmp_path / "mine"
    shutil.copytree(recollect.load("_template").folder, folder)
    rules = folder / "rules/__init__.py"
    assert old in rules.read_text()
    rules.write_text(rules.read_text().replace(old, new))
    return folder


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    s.seen = 1\n", '    s.seen = len(f"{s.seen}")\n', "No implementation"),
        ("    s.seen = 1\n", "    s.seen = [1, s.seen][1:].pop()\n", "allocate nothing"),
    ],
)
def test_what_cannot_be_compiled_is_said_in_one_line(tmp_path, old, new, said):
    folder = changed(tmp_path, old, new)
    line = next(n for n, text in enumerate((folder / "rules/__init__.py").read_text().splitlines(), 1) if new.strip() in text)
    with pytest.raises(ValueError, match=rf"mine/rules/__init__.py:{line}: does not compile: .*{said}") as fault:
        Batch(Game(folder), 2).step(np.array([0, 0]))
    assert "\n" not in str(fault.value) and len(str(fault.value)) < 200


@pytest.mark.compiled
def test_a_field_that_is_not_there_is_said_in_one_line(tmp_path):
    with pytest.raises(ValueError, match=r"^mine: does not compile: the record has no field 'sene'$"):
        Batch(Game(changed(tmp_path, "    s.seen = 1\n", "    s.sene = 1\n")), 2).step(np.array([0, 0]))


@pytest.mark.parametrize("what", ["PACED", "UNEVEN"])
def test_a_range_of_actions_misspelt_is_said_in_one_line(tmp_path, what):
    folder = changed(tmp_path, "\n\ndef setup", f'\n{what} = ("put_bakc",)\n\n\ndef setup')
    with pytest.raises(ValueError, match=rf"{what}: there is no range of actions 'put_bakc'; they are look, keep, put_back, deal$"):
        Game(folder)


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
