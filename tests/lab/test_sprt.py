"""The sequential test: known values, the errors it promises, and the same end whoever plays."""

from __future__ import annotations

from collections import Counter
from math import log

import numpy as np
import pytest

import recollect
from recollect.lab.arena import make_job, play
from recollect.lab.arena_cli import Run
from recollect.lab.sprt import BOUND, Sprt, log_ratio


def test_the_bound_is_that_of_five_per_cent():
    assert pytest.approx(2.944, abs=1e-3) == BOUND


def test_wins_and_losses_alone_are_weighed_as_two_coins():
    """With scores of 0 and 1 only, the distributions with a given mean are coins, and the ratio is the plain one."""
    scores = Counter({0.0: 40, 1.0: 60})
    coins = 60 * log(0.55 / 0.5) + 40 * log(0.45 / 0.5)
    assert log_ratio(scores, 0.5, 0.55) == pytest.approx(coins, abs=0.01)


def test_draws_make_the_same_lead_clearer():
    drawn, wild = Counter({0.5: 80, 1.0: 20}), Counter({0.0: 40, 1.0: 60})
    assert log_ratio(drawn, 0.5, 0.55) > 3 * log_ratio(wild, 0.5, 0.55)


@pytest.mark.parametrize(("truth", "wrong"), [(0.5, "better"), (0.6, "not better")])
def test_it_errs_at_most_about_one_time_in_twenty(truth: float, wrong: str):
    rng = np.random.default_rng(5)
    erred = 0
    for _ in range(150):
        test = Sprt(margin=0.1)
        while not test.weigh(rng.binomial(2, truth) / 2):
            pass
        erred += test.verdict == wrong
    assert erred / 150 < 0.10


def test_it_stops_at_the_same_game_in_whatever_order_results_come():
    job = make_job(recollect.load("memoarrr"), ["sensible", "random"], {}, 80, 2)
    rows = play(job)
    ends = []
    for chunks in (np.split(rows, 8), np.split(rows, 8)[::-1], np.split(rows, 2)):
        run = Run(job, rows[:0], Sprt())
        run.go(chunks, None)
        ends.append((run.test.verdict, run.test.groups, run.counted["game"].tolist()))
    assert ends[0] == ends[1] == ends[2]
    assert ends[0][0] == "better" and len(ends[0][2]) == 2 * ends[0][1] < 80
