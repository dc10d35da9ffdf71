"""Ratings of minds that met in an arena, by openskill (Plackett and Luce's model; any number of players)."""

from __future__ import annotations

import importlib.util

import numpy as np

from recollect.lab.arena import Job
from recollect.lab.figures import Z, shares, sittings

MOST = 2000  # games that are rated, spread over all: by then the order of the games hardly matters


def can_rate() -> bool:
    return importlib.util.find_spec("openskill") is not None


def ratings(job: Job, rows: np.ndarray) -> dict[str, dict[str, float]]:
    """A rating for each mind, with its 95% interval; 25 is where everybody begins."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skill = [model.rating(name=name) for name in job.names]
    rows = rows[:: -(-len(rows) // MOST)] if len(rows) else rows
    for sat, share in zip(sittings(job, rows), shares(rows["rank"]), strict=True):
        who = sorted(set(sat.tolist()))
        if len(who) > 1:
            rated = model.rate([[skill[i]] for i in who], scores=[float(share[sat == i].mean()) for i in who])
            for i, (new,) in zip(who, rated, strict=True):
                skill[i] = new
    return {
        name: {"rating": round(r.mu, 3), "rating_low": round(r.mu - Z * r.sigma, 3), "rating_high": round(r.mu + Z * r.sigma, 3)}
        for name, r in zip(job.names, skill, strict=True)
    }
