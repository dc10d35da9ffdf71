"""Figures of random play: counted right, at every speed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import recollect
from recollect.cli import app
from recollect.lab import bench


@pytest.mark.compiled
def test_moves_draws_and_games_are_counted_alike_plain_and_compiled():
    game = recollect.load("memoarrr")
    options = game.settle({"players": 2})
    plain = bench.plain(game, options, 0.05)
    one = bench._play_chunk(game, options, np.arange(plain.games))
    assert (plain.moves + plain.draws, plain.draws) == (one[0], one[1])
    assert plain.moves >= plain.games * 7 * 2, "seven rounds, of at least a turned card and a treasure taken"


@pytest.mark.compiled
def test_the_command_prints_every_speed_as_json():
    answer = CliRunner().invoke(app, ["bench", "memoarrr", "--json", "--seconds", "0.05", "-o", "players=3"])
    assert answer.exit_code == 0, answer.output
    result = json.loads(answer.stdout)
    assert result["options"]["players"] == 3 and result["hardware"]["cores"] >= 1
    for speed in ("plain", "one_core", "all_cores"):
        rates = result[speed]
        assert rates["games"] > 0 and rates["moves_per_s"] > 7 * 3 * rates["games_per_s"]
    assert result["one_core"]["moves_per_s"] > 10 * result["plain"]["moves_per_s"]


def test_a_wrong_device_or_time_is_refused():
    game = recollect.load("memoarrr")
    with pytest.raises(ValueError, match="'gpu': it is one of cpu, cuda"):
        bench.bench(game, device="gpu")
    with pytest.raises(ValueError, match="more than 0"):
        bench.bench(game, seconds=0)


@pytest.mark.compiled
def test_threads_play_the_same_games_as_one():
    game = recollect.load("memoarrr")
    options = game.settle({})
    alone, together = (bench.final_records(game, options, 2500, first=5, threads=n) for n in (1, 3))
    assert alone.tobytes() == together.tobytes()
