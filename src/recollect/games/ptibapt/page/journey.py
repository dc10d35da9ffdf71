"""The end: the game as one walk home, with what was found, by whom, and who had seen it before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import atan2, cos, degrees, pi
from typing import Any

from recollect.engine.look import Look, Past
from recollect.engine.sets import members
from recollect.engine.texts import Texts

from ..rules import BLUE, COLOUR, KEEP, KEEPING, PLACE_COUNT, RED, TURN, WORTH

WIDE, MIDDLE, SWAY = 1176, 134, 13  # of the drawing of the road
LEFT, RIGHT = 58, 1060  # where the first and the last stop stand


@dataclass
class Walk:
    """What is known while the game is gone through once more."""

    turn: int = 0
    turns: list[tuple[int, int]] = field(default_factory=list)  # the number of each turn, and whose it was
    seen: dict[int, int] = field(default_factory=dict)  # the turn in which the card of a place was first turned for all
    faces: dict[int, int] = field(default_factory=dict)  # what it showed
    stops: list[dict[str, Any]] = field(default_factory=list)


def walked(past: Sequence[Past]) -> Walk:
    """Every card that was kept, in order."""
    walk = Walk()
    for step in past:
        if TURN <= step.action < TURN + PLACE_COUNT:
            turned(walk, step, step.view)
        elif step.action == KEEP:
            walk.stops[-1]["score"] = [points(step.view, seat) for seat in range(step.view.players)]
    return walk


def turned(walk: Walk, step: Past, s: Any) -> None:
    """A card was turned: the first of a turn, perhaps one that is kept."""
    if s.two < 0:
        walk.turn += 1
        walk.turns.append((walk.turn, step.seat))
    if s.step == KEEPING:
        kept(walk, step, s)
    walk.seen.setdefault(step.action - TURN, walk.turn)
    walk.faces[step.action - TURN] = int(s.card[step.action - TURN])


def kept(walk: Walk, step: Past, s: Any) -> None:
    pair = s.two >= 0 and s.card[s.one] == s.card[s.two]
    places = [s.one, s.two] if pair else [s.two if s.two >= 0 else s.one]
    card = s.card[places[0]]
    stop = {"seat": step.seat, "card": int(card), "places": places, "turn": walk.turn, "pair": pair}
    stop |= {"lie": int(s.lies), "faces": dict(walk.faces)}
    shown = max((walk.seen.get(p, walk.turn) for p in places), default=walk.turn)
    busy = {stop["turn"] for stop in walk.stops if stop["pair"]}  # who takes one pair cannot take another in the same turn
    chances = {seat for turn, seat in walk.turns if shown < turn < walk.turn and turn not in busy and seat != step.seat} if pair else set()
    walk.stops.append({**stop, "shown": shown, "missed": chances, "red": COLOUR[card] == RED, "blue": COLOUR[card] == BLUE})


def points(s: Any, seat: int) -> int:
    """Of what lies before a seat, with the red cards that it was given and without those it gave away."""
    return sum(int(WORTH[COLOUR[card]]) * (1 if COLOUR[card] == RED else 2) for card in members(s.pile[seat]))


def height(x: float) -> float:
    """The road sways."""
    return round(MIDDLE + SWAY * cos((x - 100) / 266 * pi), 1)


def road() -> str:
    """The path of the road, for the drawing."""
    return "M" + "L".join(f"{x} {height(x)}" for x in range(8, 1112, 12))


def soles() -> list[tuple[float, float, float]]:
    """Footprints on the road, left and right in turn: where, and which way they point."""
    out: list[tuple[float, float, float]] = []
    for i, x in enumerate(range(26, 1100, 13)):
        slope = degrees(atan2(height(x + 2) - height(x - 2), 4))
        out.append((x, round(height(x) + (5 if i % 2 else -5), 1), round(90 + slope, 1)))
    return out


def table_then(t: Texts, stop: dict[str, Any], laid: Sequence[int | None], face: Any) -> list[dict[str, Any] | None]:
    """The table at a stop, row by row: what was found there, what had been shown by then, what nobody had seen; None where none lay."""
    return [None if p is None else place_then(t, stop, p, face) for p in laid]


def place_then(t: Texts, stop: dict[str, Any], p: int, face: Any) -> dict[str, Any]:
    if p in stop["places"]:
        return {"is": "found", "face": face(t, stop["card"])}
    if not stop["lie"] >> p & 1:
        return {"is": "gone", "face": None}
    return {"is": "shown", "face": face(t, stop["faces"][p])} if p in stop["faces"] else {"is": "unseen", "face": None}


def journey(look: Look, laid: Sequence[int | None], face: Any, at: Any) -> dict[str, Any] | None:
    """The stops of the walk home, where they stand and what is told of each; None where the past is not known."""
    past: Any = look.extra.get("past")
    if not look.over or not past:
        return None
    walk = walked(past)
    gap = (RIGHT - LEFT) / max(1, len(walk.stops) - 1)
    reader = look.you.seat
    stops = [
        {
            **stop,
            "face": face(look.t, stop["card"]),
            "at": [at(p) for p in stop["places"]],
            "then": table_then(look.t, stop, laid, face),
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
    return {"stops": stops, "road": road(), "soles": soles(), "turns": turns, "missed": missed, "lying": lying, "wide": WIDE}
