"""What a seat sees: the cosmic map, the tableaux, the bench, and the one sentence that says what to do. No rule is decided here."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from recollect.engine import size
from recollect.engine.look import Look, heard
from recollect.engine.texts import Texts

from ..components import AWAKENING, CARDS, GRID, POWERS, TILES
from ..rules.layout import (
    BUILD,
    CARD_KINDS,
    CHOOSE,
    DISCARDING,
    GROWING,
    LAYING,
    MORNING,
    ORDINARIES,
    REFILLING,
    SAVING,
    SOW,
    STAGES,
    WALK,
    WHITES,
)
from .answers import buttons, line, queue, sentence, tray, why, words
from .cosmos import cosmic_map, ends
from .ended import finished, uses
from .pieces import ICON, card, commons, held_cards, pile
from .plans import forced
from .tableaux import bench, fits, scores, tableau

NEAR = 5  # rounds before the limit from which the page says so
BRISK = 0.45  # seconds between the answers of a companion within its turn
PHASE = {MORNING: 2, SOW: 2, WHITES: 2, BUILD: 3, LAYING: 3, GROWING: 3, SAVING: 3, WALK: 1, REFILLING: 4, DISCARDING: 4}


def round_words(look: Look) -> str:
    """Which round it is, if one is; and, when the limit comes near and nobody has woken the girl, how many there are."""
    s = look.view
    if s.rounds == 0 or look.over:
        return ""
    n = min(s.rounds, s.last_round) if s.last_round else s.rounds
    return look.t("ui.round_of", n=n, m=s.last_round) if near(s) else str(n)


def near(s: Any) -> bool:
    """The limit of rounds comes near, and nobody has woken the girl."""
    return bool(s.last_round - NEAR < s.rounds and s.awake < 0 and s.last_round > 0)


def warning(look: Look) -> str:
    """What stands above the question towards the end: on small screens nothing else says it."""
    s = look.view
    if look.over or s.rounds == 0:
        return ""
    return look.t("ui.last_turn") if s.awake >= 0 else look.t("ui.limit", n=s.rounds, m=s.last_round) if near(s) else ""


@lru_cache(maxsize=8)
def phases(t: Texts) -> list[tuple[int, str, str]]:
    """The phases of a turn, with their names."""
    return [(i, t(f"phase.{i}.name"), t(f"phase.{i}.note")) for i in (1, 2, 3, 4)]


def scene(look: Look) -> dict[str, Any]:
    s = look.view
    you = tableau(look, look.seat) if look.seat >= 0 else None
    asked = look.seat in look.acting
    ways = ends(look) if asked else []
    built = bench(look) if s.bench >= 0 else None
    return {
        "stage": STAGES[s.stage],
        "phase": PHASE.get(s.stage, 0),
        "phases": phases(look.t),
        "round": round_words(look),
        "asked": asked,
        "heard": heard(look, line, words),
        "say": sentence(look),
        "map": cosmic_map(look, ways),
        "queue": queue(look) if asked else [],
        "tray": tray(look) if asked else [],
        "buttons": buttons(look),
        "ends": ways,
        "fits": fits(look) if asked else [],
        "bench": built,
        "dealt": [card(look, c) for c in held_cards(look)] if s.stage == CHOOSE and asked else [],
        "you": you,
        "rivals": {seat: tableau(look, seat) for seat in range(s.players) if seat != look.seat},
        "commons": commons(look),
        "grid": {"bits": pile(look, s.grid), "cells": GRID, "soon": size(s.aside)},
        "deck": s.deck_count,
        "discard": size(s.discard),
        "flowers": s.flowers,
        "scores": scores(look, built),
        "goal": AWAKENING,
        "awake": s.awake >= 0,
        "tables": [ended_table(look, seat) for seat in range(s.players)] if look.over else [],
        "last_turns": s.awake >= 0 and not look.over,
        "warning": warning(look),
    }


def mini(look: Look, before: Look) -> dict[str, Any]:
    """The map and one's cards after a move; the nebulas whose bits the move changed shine."""
    s, map, was = look.view, cosmic_map(look, []), before.view
    changed = [TILES[t] for t in range(s.placed) if s.bits[t] != was.bits[t]]
    return {"map": map, "changed": changed, "you": tableau(look, look.seat), "bits": pile(look, s.own[look.seat])}


def ended_table(look: Look, seat: int) -> dict[str, Any]:
    """What lies before a seat at the end, and where its points came from."""
    made = {CARDS[c]: row for c, row in finished(look, seat).items()}
    return {**tableau(look, seat), "uses": uses(look, seat), "made": made}


def almanac(look: Look) -> dict[str, Any]:
    """Every card by colour, the common ones too, and every power."""
    cards = [card(look, c) for c in range(CARD_KINDS)]
    own, commons = cards[:ORDINARIES], cards[ORDINARIES:]
    worlds = [(world, [c for c in own if c["world"] == world]) for world in dict.fromkeys(c["world"] for c in own)]
    return {"worlds": worlds, "commons": commons, "powers": [(power, ICON[power]) for power in POWERS]}


def round_of(s: Any) -> int:
    """The round on the timeline of a replay."""
    return int(max(1, s.rounds))


def phase_of(s: Any) -> str:
    """The text that names the phase on that timeline; none before the first turn."""
    return f"phase.{PHASE[s.stage]}.name" if s.stage in PHASE else ""


def spot(look: Look, action: int) -> str:
    """The nebula in which an answer lies."""
    r = look.game.actions.range_of(action)
    return f"tile-{r.labels[action - r.start]}" if r.name in ("sow", "drop", "walk") else ""


__all__ = ["almanac", "forced", "line", "scene", "why", "words"]
