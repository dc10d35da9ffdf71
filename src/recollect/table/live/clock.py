"""Time at a table that is played against the clock: the server's, from the first move to the last. Nothing stops it in between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recollect.engine.game import Game
from recollect.engine.record import Opened
from recollect.table.render.page import scene_of


class Clock:
    """A game keeps time if its scene says so: `timed(options)`, `counted(view, seconds)` (the time as it counts), `milestone(view)`
    (how far one has come, to compare two games) and `course(options)` (games with the same course are compared)."""

    def __init__(self, game: Game, options: Mapping[str, Any]) -> None:
        self.scene = game.scene
        self.course = self.scene.course(options)
        self.begun: float | None = None
        self.last = 0.0
        self.splits: list[float] = []  # seconds at each milestone
        self.best: list[dict[str, Any]] = []  # this person's finished games, best first

    def move(self, at: float, by_hand: bool, view: Opened) -> None:
        """Something was played: by hand, or by the table itself, which costs no time at the end."""
        if by_hand:
            self.begun = at if self.begun is None else self.begun
            self.last = at
        while self.begun is not None and len(self.splits) < self.scene.milestone(view):
            self.splits.append(round(self.last - self.begun, 2))

    def elapsed(self, now: float) -> float:
        return 0.0 if self.begun is None else now - self.begun

    def result(self, view: Opened) -> dict[str, Any]:
        """What is kept of a finished game."""
        seconds = round(self.elapsed(self.last), 2)
        return {"elapsed": seconds, "counted": self.scene.counted(view, seconds), "splits": self.splits}

    def rank(self, results: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any], float]], this: str) -> None:
        """Finished games of this person: id, options, result, when."""
        self.best = sorted(
            (
                {**result["time"], "at": at, "this": id == this}
                for id, options, result, at in results
                if "time" in result and self.scene.course(options) == self.course
            ),
            key=lambda walk: walk["counted"],
        )

    def face(self, now: float, over: bool) -> dict[str, Any]:
        """What a page shows of it."""
        return {
            "elapsed": self.elapsed(self.last if over else now),
            "running": self.begun is not None and not over,
            "splits": self.splits,
            "best": self.best,
        }

    def back(self, at: float) -> dict[str, Any]:
        """What a page shows of it when a game that is over is looked back at: it stands where it stood."""
        return {**self.face(at, over=True), "elapsed": max(0.0, self.elapsed(min(at, self.last)))}


def clock_of(game: Game, options: Mapping[str, Any]) -> Clock | None:
    """A clock, if the game is played against one."""
    timed = getattr(scene_of(game), "timed", None)
    return Clock(game, options) if timed and timed(options) else None
