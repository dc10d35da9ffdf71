"""The same job on a Ray cluster of two workers, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
import warnings

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
