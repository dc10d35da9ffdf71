"""Batches: rows, results and fresh games, against tables and standings one by one."""

from __future__ import annotations

import numpy as np
import pytest

import recollect
from recollect.engine.batch import Batch
from recollect.envs.table import Table


@pytest.mark.compiled
def test_rows_results_and_resets_of_a_batch():
    game = recollect.load("memoarrr")
    batch = Batch(game, 20, seed=4, players=3)
    rng = np.random.default_rng(1)
    for _ in range(400):
        masks, seats = batch.legal(), batch.seats()
        rows = batch.rows("knowledge")
        for i in np.flatnonzero(seats >= 0)[:2]:
            table = Table(game, batch.options, "knowledge")
            table.record[0] = batch.states[i]
            assert np.array_equal(rows[i], table.row(int(seats[i])))
        if (seats < 0).all():
            break
        batch.step((rng.random(masks.shape) * masks).argmax(axis=1))
    for i, result in enumerate(batch.results()):
        rank = game.standing(game.state.open(batch.states[i : i + 1]), 3).ranking
        assert result.tolist() == [sum((other > mine) - (other < mine) for other in rank) / 2 for mine in rank]
    over, kept = np.arange(20) < 5, batch.states[5:].tobytes()
    batch.reset(over)
    assert ((batch.acting() > 0) == over).all() and batch.states[5:].tobytes() == kept
