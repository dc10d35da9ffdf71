"""The same job on a Ray cluster. A chunk of games is a task; one whose worker dies is played again, and counted once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np

from recollect.lab.arena import AHEAD, Job, chunk_size, chunks, play_games


def ray_at(address: str, workers: int) -> Any:
    """Ray, joined to a cluster; `local` starts one here."""
    try:
        import ray
    except ImportError:
        raise ValueError("--cluster needs Ray: pip install 'recollect[ray]'") from None
    if not ray.is_initialized():
        place: dict[str, Any] = {"num_cpus": workers} if address == "local" else {"address": address}
        ray.init(**place, include_dashboard=False, log_to_driver=False, configure_logging=False)
    return ray


def on_cluster(job: Job, left: Iterable[int], address: str, workers: int) -> Iterator[np.ndarray]:
    """Play on the cluster; results come as they are ready, each game's once."""
    ray = ray_at(address, workers)
    task = ray.remote(play_games).options(max_retries=-1, num_cpus=1)
    cut = chunks(job, left, chunk_size(job))
    at_once = AHEAD * max(1, int(ray.cluster_resources().get("CPU", workers)))
    going = {task.remote(job, chunk): chunk for chunk in islice(cut, at_once)}
    while going:
        ready, _ = ray.wait(list(going), num_returns=1)
        for reference in ready:
            chunk = going.pop(reference)
            try:
                rows = ray.get(reference)
            except (ray.exceptions.WorkerCrashedError, ray.exceptions.ObjectLostError):
                going[task.remote(job, chunk)] = chunk
                continue
            going |= {task.remote(job, more): more for more in islice(cut, 1)}
            yield rows
