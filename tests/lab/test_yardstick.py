"""The C program that speed is measured against plays the very games that the rules play."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.compiled
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
@pytest.mark.parametrize("name", ["memoarrr", "vivid"])
def test_c_plays_the_same_games(name: str, tmp_path: Path):
    spec = importlib.util.spec_from_file_location("yardstick", BENCH / "yardstick.py")
    yardstick = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(yardstick)
    program = yardstick.build(name, tmp_path)
    for players in (2, 3, 4):
        theirs, ours = yardstick.run_c(program, players, 500), yardstick.run_ours(name, players, 500)
        assert (theirs[0], theirs[1], theirs[3]) == (ours[0], ours[1], ours[3])
    assert yardstick.run_ours(name, 2, 500)[3] != yardstick.run_ours(name, 2, 499)[3], "every game counts in the checksum"
