"""The same jobs on a Ray cluster. A chunk of games is a task; one whose worker dies is played again, and counted once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.options import Value
from recollect.lab.arena import AHEAD, Job, chunk_size, chunks, play_games, rules_of
from recollect.minds.tuning import Contest


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


Chunk = tuple[Any, ...]


def as_ready(ray: Any, work: Any, cut: Iterator[Chunk], at_once: int) -> Iterator[tuple[Chunk, Any]]:
    """What `work` makes of each chunk, as it is ready; a chunk whose worker dies is done again, and handed over once."""
    task = ray.remote(work).options(max_retries=-1, num_cpus=1)
    going = {task.remote(*chunk): chunk for chunk in islice(cut, at_once)}
    while going:
        ready, _ = ray.wait(list(going), num_returns=1)
        for reference in ready:
            chunk = going.pop(reference)
            try:
                made = ray.get(reference)
            except (ray.exceptions.WorkerCrashedError, ray.exceptions.ObjectLostError):
                going[task.remote(*chunk)] = chunk
                continue
            going |= {task.remote(*more): more for more in islice(cut, 1)}
            yield chunk, made


def seats_of(ray: Any, workers: int) -> int:
    """How many play at once."""
    return max(1, int(ray.cluster_resources().get("CPU", workers)))


def on_cluster(job: Job, left: Iterable[int], address: str, workers: int) -> Iterator[np.ndarray]:
    """Play on the cluster; results come as they are ready, each game's once."""
    ray = ray_at(address, workers)
    cut = ((job, chunk) for chunk in chunks(job, left, chunk_size(job)))
    yield from (rows for _, rows in as_ready(ray, play_games, cut, AHEAD * seats_of(ray, workers)))


# -- tuning


class ClusterContest(Contest):
    """Games of candidates, played on a cluster: the same games as here, whoever plays them."""

    def __init__(self, game: Game, options: Mapping[str, Value], threads: int = 1, width: int = 4, address: str = "local") -> None:
        super().__init__(game, options, threads, width)
        self.given, self.ray = dict(options), ray_at(address, threads)

    def points(self, population: np.ndarray, theirs: np.ndarray, keys: np.ndarray, seats: np.ndarray, who: np.ndarray) -> np.ndarray:
        n = PIECES * seats_of(self.ray, self.threads)
        rules = (self.game.name, str(self.game.components or ""), self.given, self.width)
        cut = ((rules, k, population, theirs, keys[p], seats[p], who[p]) for k, p in enumerate(np.array_split(np.arange(len(who)), n)))
        made = {chunk[1]: points for chunk, points in as_ready(self.ray, play_part, cut, n)}
        return np.concatenate([made[k] for k in range(n)])


PIECES = 4  # of a generation for each who plays: a quick one does more of them


def play_part(rules: tuple[str, str, dict[str, Value], int], k: int, *games: np.ndarray) -> np.ndarray:
    """A piece of a generation, in a worker."""
    name, components, options, width = rules
    return Contest(rules_of(name, components or None), options, 1, width).part(*games)
