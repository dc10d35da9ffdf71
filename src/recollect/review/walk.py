"""The table to walk through again, turn by turn: what was turned, what lay there, what each seat had been shown by then."""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING, Any

from recollect.review.curve import Fit
from recollect.review.report import Flip
from recollect.review.watched import Decision

if TYPE_CHECKING:
    from recollect.review.scene import Scene

FADED = 40  # turns after which a memory is drawn as faint as it gets


def walk_of(scene: Scene) -> dict[str, Any] | None:
    """What the board of the report needs; None for a game that has no such board."""
    board = getattr(scene.recall, "board", None)
    if board is None or not scene.report.flips:
        return None
    columns, places = board(scene.game.state.open(scene.game.start(scene.report.options)))
    turns = [turn_of(scene, list(flips)) for _, flips in groupby(scene.report.flips, key=lambda flip: flip.turn)]
    faces = {face for turn in turns for _, face in turn["up"]} | {e.face for seat in scene.report.exposures for e in seat}
    return {
        "columns": columns,
        "places": places,
        "turns": turns,
        "faces": {face: [*scene.recall.picture(face), scene.face(face)] for face in sorted(faces)},
        "looks": looks(scene, len(turns)),
        "fresh": [[round(fresh(scene, seat, n), 2) for n in range(FADED + 1)] for seat in range(scene.report.players)],
        "names": scene.names,
        "seat": scene.seat,
        "at": dearest(scene, turns),
    }


def turn_of(scene: Scene, flips: list[Flip]) -> dict[str, Any]:
    """A turn: whose, what was turned, what was taken, what had slipped somebody's mind."""
    places = [flip.place for flip in flips]
    ends = {place: entry for place, (entry, _) in scene.report.left.items() if place in places}
    following = next((f.entry for f in scene.report.flips if f.entry > flips[-1].entry), scene.report.entries + 1)
    taken = [place for place in dict.fromkeys(places) if flips[0].entry <= ends.get(place, -1) < following]
    turn: dict[str, Any] = {"n": flips[0].turn, "seat": flips[0].seat, "up": [(f.place, f.face) for f in flips]}
    if taken:
        turn["taken"] = taken
    lost = [d for d in scene.missed if flips[0].entry <= d.entry <= flips[-1].entry]
    return turn | ({"slip": slip(scene, lost[-1])} if lost else {})


def slip(scene: Scene, d: Decision) -> dict[str, Any]:
    m = min(d.wanted, key=lambda m: m.turns)
    return {"kind": d.kind, "face": m.face, "at": m.place, "ago": m.turns}


def looks(scene: Scene, last: int) -> list[tuple[int, int, str, str]]:
    """What a lantern showed to one seat: after which turn, whose, where and what."""
    entries = [f.entry for f in scene.report.flips]
    turned = {(f.entry, f.place) for f in scene.report.flips} | {(f.entry + 1, f.place) for f in scene.report.flips}
    order = {turn: i for i, turn in enumerate(dict.fromkeys(f.turn for f in scene.report.flips))}
    return [
        (order[scene.report.flips[max(bisect_right(entries, e.entry) - 1, 0)].turn], seat, e.place, e.face)
        for seat, shown in enumerate(scene.report.exposures)
        for e in shown
        if (e.entry, e.place) not in turned
    ]


def fresh(scene: Scene, seat: int, turns: int) -> float:
    """The chance that a seat still knows a card: by its own curve, or a dolphin's."""
    fit: Fit | None = scene.report.curves[seat].fit
    return scene.chance(fit if fit and fit.enough else None, turns)


def dearest(scene: Scene, turns: list[dict[str, Any]]) -> int:
    """Where the walk begins: at what slipped this seat's mind at the highest price, else at its oldest memory, else at the end."""
    dear = scene.moments[0]["turn"] if scene.moments else scene.longest and scene.longest.turn
    return next((i for i, turn in enumerate(turns) if turn["n"] == dear), len(turns) - 1)
