"""The end in words: ranks, points by category, and the tie-break that decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.engine.game import Standing
from recollect.engine.texts import Texts
from recollect.table.render.players import Player
from recollect.table.render.prose import rich


def ending(standing: Standing, players: Sequence[Player], t: Texts, ui: Texts) -> dict[str, Any]:
    """Ranks with points by category, and the tie-break that decided, in words."""
    winners = standing.winners
    best = max(standing.scores)
    level = [p.seat for p in players if standing.scores[p.seat] == best]
    decided = standing.decided
    tie = t(f"ties.{decided}") if decided and decided != "points" else ""
    names = _listed([players[seat].name for seat in winners], ui)
    others = _listed([players[seat].name for seat in level if seat not in winners], ui)
    if len(players) == 1:
        headline, how = ui("end.alone", n=best), ""
    elif len(winners) == len(players):
        headline, how = ui("end.all_share"), ui("end.level", n=best)
    else:
        headline = ui("end.wins" if len(winners) == 1 else "end.share", name=names)
        how = (
            ui("end.tie_with", n=best, others=others, tie=tie)
            if tie and others
            else ui("end.with", n=best)
            if len(winners) == 1
            else ui("end.level", n=best)
        )
    order = sorted(players, key=lambda p: (standing.ranking[p.seat], p.seat))
    ranks = []
    for i, p in enumerate(order):
        tied = len(level) > 1 and p.seat in level
        row = {
            "seat": p.seat,
            "name": p.name,
            "art": p.art,
            "me": p.me,
            "rank": standing.ranking[p.seat],
            "score": standing.scores[p.seat],
            "tied": tied,
            "tie": "",
            "points": {name: values[p.seat] for name, values in standing.points.items()},
            "ties": {name: values[p.seat] for name, values in standing.ties.items()},
        }
        if i == 0 and tie and tied:
            values = ", ".join(f"{q.name} {standing.ties[str(decided)][q.seat]}" for q in order if q.seat in level)
            row["tie"] = rich(ui("end.tie", n=best, tie=tie, values=values))
        ranks.append(row)
    return {
        "headline": headline,
        "how": how,
        "ranks": ranks,
        "winners": winners,
        "decided": decided,
        "tie": tie,
        "others": others,
        "alone": len(players) == 1,
    }


def _listed(names: Sequence[str], ui: Texts) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {ui('and')} {names[-1]}" if names else ""
