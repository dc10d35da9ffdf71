"""The end: the game as one walk home, with what was found, by whom, and who had seen it before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, pi
from typing import Any

from recollect.engine.look import Look, Past

from ..rules import BLUE, COLOUR, KEEPING, PLACE_COUNT, RED, TURN, WORTH

WIDE, MIDDLE, SWAY = 1176, 134, 13  # of the drawing of the road
LEFT, RIGHT = 58, 1060  # where the first and the last stop stand


@dataclass
class Walk:
    """What is known while the game is gone through once more."""

    turn: int = 0
    turns: list[tuple[int, int]] = field(default_factory=list)  # the number of each turn, and whose it was
    seen: dict[int, int] = field(default_factory=dict)  # the turn in which the card of a place was first turned for all
    score: list[int] = field(default_factory=list)
    stops: list[dict[str, Any]] = field(default_factory=list)


def walked(look: Look, past: Sequence[Past]) -> Walk:
    """Every card that was kept, in order."""
    walk = Walk(score=[0] * look.view.players)
    for step in past:
        if TURN <= step.action < TURN + PLACE_COUNT:
            turned(walk, step, step.view)
    return walk


def turned(walk: Walk, step: Past, s: Any) -> None:
    """A card was turned: the first of a turn, perhaps one that is kept."""
    if s.two < 0:
        walk.turn += 1
        walk.turns.append((walk.turn, step.seat))
    if s.step == KEEPING:
        kept(walk, step, s)
    walk.seen.setdefault(step.action - TURN, walk.turn)


def kept(walk: Walk, step: Past, s: Any) -> None:
    pair = s.two >= 0 and s.card[s.one] == s.card[s.two]
    places = [s.one, s.two] if pair else [s.two if s.two >= 0 else s.one]
    card = s.card[places[0]]
    walk.score[step.seat] += int(WORTH[COLOUR[card]]) * len(places)
    stop = {"seat": step.seat, "card": int(card), "places": places, "turn": walk.turn, "score": list(walk.score), "pair": pair}
    shown = max((walk.seen.get(p, walk.turn) for p in places), default=walk.turn)
    chances = {seat for turn, seat in walk.turns if shown < turn < walk.turn and seat != step.seat} if pair else set()
    walk.stops.append({**stop, "shown": shown, "missed": chances, "red": COLOUR[card] == RED, "blue": COLOUR[card] == BLUE})


def height(x: float) -> float:
    """The road sways."""
    return round(MIDDLE + SWAY * cos((x - 100) / 266 * pi), 1)


def road() -> str:
    """The path of the road, for the drawing."""
    return "M" + "L".join(f"{x} {height(x)}" for x in range(8, 1112, 12))


def journey(look: Look, face: Any, at: Any) -> dict[str, Any] | None:
    """The stops of the walk home, where they stand and what is told of each; None where the past is not known."""
    past: Any = look.extra.get("past")
    if not look.over or not past:
        return None
    walk = walked(look, past)
    gap = (RIGHT - LEFT) / max(1, len(walk.stops) - 1)
    reader = look.you.seat
    stops = [
        {
            **stop,
            "face": face(look.t, stop["card"]),
            "at": [at(p) for p in stop["places"]],
            "x": round((LEFT + i * gap) / WIDE * 100, 2),
            "y": height(LEFT + i * gap),
            "above": stop["seat"] == max(look.seat, 0) or look.view.players == 1,
            "eye": reader is not None and reader in stop["missed"],
        }
        for i, stop in enumerate(walk.stops)
    ]
    turns = [sum(seat == who for _, seat in walk.turns) for who in range(look.view.players)]
    missed = [sum(who in stop["missed"] for stop in stops) for who in range(look.view.players)]
    lying = {at(p): turn for p, turn in walk.seen.items()}
    return {"stops": stops, "road": road(), "turns": turns, "missed": missed, "lying": lying, "wide": WIDE}
