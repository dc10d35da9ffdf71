"""The same job on a Ray cluster of two workers, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import recollect
from recollect.lab.arena import in_order, make_job, play, table

ray = pytest.importorskip("ray", reason="a cluster needs Ray: pip install 'recollect[ray]'")
SAME = ["game", "rank", "points", "turns"]


def workers() -> set[int]:
    """The processes in which games are played."""

    @ray.remote(num_cpus=1)
    def who() -> int:
        import time

        time.sleep(1)  # so that each worker takes one
        return os.getpid()

    return set(ray.get([who.remote() for _ in range(2)]))


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_costs_no_game_and_counts_none_twice():
    from recollect.lab.cluster import on_cluster

    job = make_job(recollect.load("memoarrr"), ["sensible", "random"], {}, 400, 9)
    expected = play(job)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            parts, killed = [table(job, 0)], False
            for rows in on_cluster(job, iter(range(job.games)), "local", 2):
                parts.append(rows)
                if not killed and len(parts) == 3:
                    os.kill(workers().pop(), signal.SIGKILL)
                    killed = True
        finally:
            ray.shutdown()
    assert killed
    rows = np.concatenate(parts)
    assert len(rows) == 400 and (in_order(rows)[SAME] == expected[SAME]).all()


@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore")
def test_tuning_on_a_cluster_plays_the_games_that_are_played_here():
    """A generation of candidates; a worker is killed while it plays, and every game is there once, as it is here."""
    from recollect.lab.cluster import ClusterContest
    from recollect.minds.tuning import Contest, weights_by_hand

    game = recollect.load("memoarrr")
    options, hand = game.settle({"players": 2}), np.array(weights_by_hand(game), float)
    population, keys = hand * (1 + 0.2 * np.random.default_rng(1).normal(size=(4, len(hand)))), np.arange(60)
    expected = Contest(game, options).play(population, hand, keys)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            contest = ClusterContest(game, options, threads=2)
            victim = workers().pop()
            with ThreadPoolExecutor(1) as pool:
                played = pool.submit(contest.play, population, hand, keys)
                time.sleep(0.5)
                assert not played.done(), "the worker is killed in the middle"
                os.kill(victim, signal.SIGKILL)
                found = played.result()
        finally:
            ray.shutdown()
    assert np.array_equal(found, expected)
