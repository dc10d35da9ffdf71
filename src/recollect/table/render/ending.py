"""The end in words: ranks, points by category, and the tie-break that decided."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from recollect.engine.game import Game, Standing
from recollect.engine.look import Past
from recollect.engine.texts import Texts
from recollect.table.render.players import Player
from recollect.table.render.prose import listed, rich


def past(game: Game, log: Sequence[tuple[int, int]], states: Mapping[int, np.ndarray], seat: int) -> list[Past]:
    """The whole game as this seat saw it: each entry that a seat made, and the view after it."""
    return [Past(*log[place], game.view(states[after], seat)) for place, after in itertools.pairwise(sorted(states))]


def ending(standing: Standing, players: Sequence[Player], t: Texts, ui: Texts, you: int | None = None) -> dict[str, Any]:
    """Ranks with points by category, and the tie-break that decided, in words; `you` is the seat that reads it."""
    best = max(standing.scores)
    level = [p.seat for p in players if standing.scores[p.seat] == best]
    decided = standing.decided
    tie = t(f"ties.{decided}") if decided and decided != "points" else ""
    others = listed([players[seat].name for seat in level if seat not in standing.winners], ui)
    ranks = _ranks(standing, players, t)
    if tie and len(level) > 1 and ranks[0]["tied"]:
        values = ", ".join(f"{row['name']} {row['ties'][str(decided)]}" for row in ranks if row["seat"] in level)
        ranks[0]["tie"] = rich(ui("end.tie", n=best, tie=tie, values=values))
    return {
        "headline": _headline(standing, players, ui, you),
        "how": _how(ranks, ui, best, tie, others, you),
        "ranks": ranks,
        "winners": standing.winners,
        "won": you in standing.winners,
        "decided": decided,
        "tie": tie,
        "others": others,
        "alone": len(players) == 1,
    }


def _headline(standing: Standing, players: Sequence[Player], ui: Texts, you: int | None) -> str:
    winners = standing.winners
    if len(players) == 1 and not standing.house:
        return ui("end.alone", n=standing.scores[0])
    if len(players) == 1:
        return ui("end.you_win" if winners else "end.you_lose")
    if len(winners) == len(players):
        return ui("end.all_share")
    if len(winners) == 1:
        return ui("end.you_win") if you == winners[0] else ui("end.wins", name=players[winners[0]].name)
    return ui("end.share", name=listed([players[seat].name for seat in winners], ui))


def _how(ranks: Sequence[Mapping[str, Any]], ui: Texts, best: int, tie: str, others: str, you: int | None) -> str:
    """How the first came to be first."""
    if len(ranks) == 1:
        return ""
    first, second = ranks[:2]
    if first["rank"] == second["rank"]:
        return ui("end.level", n=best)
    if tie and others:
        return ui("end.tie_with", n=best, others=others, tie=tie)
    return ui("end.ahead_you" if second["seat"] == you else "end.ahead", n=first["score"], name=second["name"], m=second["score"])


def _ranks(standing: Standing, players: Sequence[Player], t: Texts) -> list[dict[str, Any]]:
    """Everybody who is ranked, the first first."""
    best = max(standing.scores)
    level = sum(score == best for score in standing.scores) > 1
    rows: list[dict[str, Any]] = [
        {
            "seat": p.seat,
            "name": p.name,
            "art": p.art,
            "me": p.me,
            "house": False,
            "rank": standing.ranking[p.seat],
            "score": standing.scores[p.seat],
            "tied": level and standing.scores[p.seat] == best,
            "tie": "",
            "points": {name: values[p.seat] for name, values in standing.points.items()},
            "ties": {name: values[p.seat] for name, values in standing.ties.items()},
        }
        for p in players
    ]
    for seat, x in enumerate(standing.house, len(players)):
        row = {"seat": seat, "name": t("house.name"), "art": None, "me": False, "house": True, "rank": x.rank, "score": x.score}
        rows.append({**row, "tied": False, "tie": "", "points": x.points, "ties": x.ties})
    return sorted(rows, key=lambda row: (row["rank"], row["seat"]))
