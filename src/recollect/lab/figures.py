"""What the results of an arena say: shares, points and ranks with 95% intervals, seats, lengths, times."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from recollect.lab.arena import Job

Z = 1.959964  # 95%


def shares(rank: np.ndarray) -> np.ndarray:
    """What each seat's rank is worth: the first 1, the last 0, evenly between; equals share. Two players: win 1, draw 0.5.
    Alone: 1, or 0 where a house player came before."""
    players = rank.shape[1]
    if players == 1:
        return np.asarray(rank == 1, float)
    behind = (rank[:, :, None] < rank[:, None, :]).sum(axis=2)
    level = (rank[:, :, None] == rank[:, None, :]).sum(axis=2) - 1
    return np.asarray((behind + level / 2) / (players - 1))


def t_quantile(freedom: int) -> float:
    """Student's 97.5% quantile, near enough from 3 on (Cornish and Fisher)."""
    f = max(1, freedom)
    return Z + (Z**3 + Z) / (4 * f) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * f * f)


def error_of(values: np.ndarray, groups: np.ndarray) -> float:
    """Standard error of the mean when the values of one group hang together; of one group alone, that of its values."""
    _, where = np.unique(groups, return_inverse=True)
    sums, sizes = np.bincount(where, values), np.bincount(where)
    n = len(sums)
    if n < 2:
        return float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else float("inf")
    off = sums - values.mean() * sizes
    return float(sqrt((off**2).sum() * n / (n - 1)) / len(values))


def interval(values: np.ndarray, groups: np.ndarray) -> tuple[float, float, float]:
    """The mean with its 95% interval."""
    mean, error = float(values.mean()), error_of(values, groups)
    reach = t_quantile(len(np.unique(groups)) - 1) * error if error < float("inf") else float("inf")
    return mean, mean - reach, mean + reach


def share_interval(values: np.ndarray, groups: np.ndarray) -> tuple[float, float, float]:
    """The same for shares: Wilson's interval, with as many games as the error says they are worth, so it stays within 0 and 1."""
    p, error = float(values.mean()), error_of(values, groups)
    spread = p * (1 - p)
    n = spread / error**2 if 0 < error < float("inf") and spread else float(len(values))
    z = t_quantile(len(np.unique(groups)) - 1)
    middle, reach = (p + z * z / (2 * n)) / (1 + z * z / n), z * sqrt(spread / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return p, max(0.0, middle - reach), min(1.0, middle + reach)


def sittings(job: Job, rows: np.ndarray) -> np.ndarray:
    """Which mind sat at each seat, game by game."""
    round_of_games = job.players * len(job.line_ups)
    pattern = np.array([job.sitting(i) for i in range(round_of_games)])
    return np.asarray(pattern[rows["game"] % round_of_games])


def figures(job: Job, rows: np.ndarray) -> dict[str, Any]:
    """Everything that is reported of these games."""
    sat, share, group = sittings(job, rows), shares(rows["rank"]), rows["game"] // job.players
    return {
        "game": job.game,
        "options": job.options,
        "seed": job.seed,
        "games": len(rows),
        "asked": job.games,
        "minds": {name: _mind(rows, sat == i, share, group) for i, name in enumerate(job.names) if (sat == i).any()},
        "seats": [_named(share_interval(share[:, seat], group), "share") for seat in range(job.players)] if len(rows) else [],
        "length": _length(rows) if len(rows) else {},
        "pairing": pairing(job, sat, share, group),
        "thought_s": round(float(rows["thought"].sum()), 3),
        "overhead_s": round(float(rows["took"].sum() - rows["thought"].sum()), 3),
    }


def _mind(rows: np.ndarray, seats: np.ndarray, share: np.ndarray, group: np.ndarray) -> dict[str, Any]:
    """One mind: `seats` says where it sat."""
    games, _ = np.nonzero(seats)
    rank = rows["rank"][seats]
    turns = max(1, int(rows["turns"][seats].sum()))
    return {
        **_named(share_interval(share[seats], group[games]), "share"),
        **_named(interval(rows["points"][seats].astype(float), group[games]), "points", "points_"),
        **_named(interval(rank.astype(float), group[games]), "rank", "rank_"),
        "played": len(games),
        "wins": int(((rank == 1) & ~_shared(rows["rank"], seats)).sum()),
        "draws": int(((rank == 1) & _shared(rows["rank"], seats)).sum()),
        "turn_ms": round(1000 * float(rows["thought"][seats].sum()) / turns, 4),
    }


def _shared(rank: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Whether the first place is shared, where the mind sat."""
    return np.asarray(np.broadcast_to(((rank == 1).sum(axis=1) > 1)[:, None], rank.shape)[seats])


def _named(values: tuple[float, float, float], name: str, prefix: str = "") -> dict[str, float]:
    mean, low, high = (round(v, 5) for v in values)
    return {name: mean, f"{prefix}low": low, f"{prefix}high": high}


def _length(rows: np.ndarray) -> dict[str, float]:
    turns = rows["turns"].sum(axis=1)
    low, middle, high = np.quantile(turns, (0.05, 0.5, 0.95)).tolist()
    return {"mean": round(float(turns.mean()), 2), "p5": low, "median": middle, "p95": high}


def pairing(job: Job, sat: np.ndarray, share: np.ndarray, group: np.ndarray) -> float | None:
    """Variance of the first mind's share with deals shared, over what it would be without: below 1, sharing deals helps."""
    games, seats = np.nonzero(sat == 0)
    values = share[games, seats]
    if job.players < 2 or len(values) < 20 or values.std() == 0:
        return None
    return round(float(error_of(values, group[games]) ** 2 / (values.var(ddof=1) / len(values))), 3)


def groups_with_first(job: Job, n: int) -> list[int]:
    """The first n groups in which the first mind sits."""
    where = [i for i, who in enumerate(job.line_ups) if 0 in who]
    return [k // len(where) * len(job.line_ups) + where[k % len(where)] for k in range(n)]


def scores_of_first(job: Job, rows: np.ndarray) -> list[float]:
    """The first mind's mean share in each group it sits in, in order, up to the first that is not whole."""
    sat, share = sittings(job, rows), shares(rows["rank"])
    games, seats = np.nonzero(sat == 0)
    group = rows["game"][games] // job.players
    sums, counts = np.bincount(group, share[games, seats]), np.bincount(group)
    each = [who.count(0) * job.players for who in job.line_ups]
    scores = []
    for g in groups_with_first(job, len(rows)):
        if g >= len(counts) or counts[g] < each[g % len(job.line_ups)]:
            break
        scores.append(float(sums[g] / counts[g]))
    return scores
