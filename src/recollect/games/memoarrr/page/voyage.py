"""The end: the rounds as they went, what was linked and what lost them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.engine.look import Look, Past

from ..rules.layout import REVEAL, ROUNDS, TAKE_VOLCANO


def voyage(look: Look, face: Any, at: Any) -> list[dict[str, Any]]:
    """Each round: who won its treasure, how many cards were linked, and with which card each of the others fell."""
    past: Any = look.extra.get("past", ())
    s = look.view
    steps = [[step for step in past if step.view.rounds == k] for k in range(ROUNDS)]
    return [
        {"n": k + 1, "winner": int(s.owner[k]), "rubies": int(s.rubies[k]), **fate(steps[k], face, at)}
        for k in range(ROUNDS)
        if steps[k] and s.owner[k] >= 0
    ]


def fate(steps: Sequence[Past], face: Any, at: Any) -> dict[str, Any]:
    """What was linked in a round, and who fell."""
    fell: list[dict[str, Any]] = []
    linked = 0
    for step in steps:
        p, out = step.action - REVEAL, step.view.volcano[step.seat] >= 0
        if step.action == TAKE_VOLCANO:
            fell.append({"seat": step.seat, "at": "", "face": None})
        elif 0 <= p < 25 and out:
            fell.append({"seat": step.seat, "at": at(p), "face": face(step.view.card[p]) if step.view.card[p] >= 0 else None})
        elif 0 <= p < 25:
            linked += 1
    return {"linked": linked, "fell": fell}
