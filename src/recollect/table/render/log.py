"""The log in words, as each seat reads it."""

from __future__ import annotations

import bisect
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from recollect.engine.game import Game
from recollect.engine.look import Look, Moment
from recollect.engine.match import Match
from recollect.table.render.page import scene_of
from recollect.table.render.prose import game_texts

LINES = 80  # of the log on a page

Line = dict[str, Any]


class Told(Protocol):
    """What has a log: a table in use, or a finished match."""

    game: Game
    match: Match
    moment: Moment  # how it stands
    states: dict[int, np.ndarray]

    def moment_at(self, place: int) -> Moment: ...

    def names(self, language: str) -> list[str]: ...


class Log:
    """The log of one table in words; each line is said once for each way to read it."""

    def __init__(self, room: Told) -> None:
        self.room = room
        self._said: dict[tuple[int, str, bool, bool], dict[int, Line | None]] = {}

    def forget(self) -> None:
        """Something was taken back, or all was read anew."""
        self._said.clear()

    @cached_property
    def _clears(self) -> frozenset[int]:
        """Actions at which the log begins anew."""
        return frozenset(self.room.game.actions.within(getattr(scene_of(self.room.game), "CLEARS", ())))

    def lines(self, seat: int, language: str, at: int, shared: bool = False) -> list[Line]:
        """The log in words as this seat reads it, newest first, up to a place in the log."""
        room, over = self.room, self.room.moment.over
        said = self._said.setdefault((seat, language, shared, over), {})
        places, lines = list(room.states), list[Line]()
        for k in range(bisect.bisect_left(places, at, hi=len(places) - 1) - 1, -1, -1):
            place = places[k]
            if place not in said:
                said[place] = self._say(place, places[k + 1], seat, language, shared)
            if line := said[place]:
                lines.append(line)
            if len(lines) == LINES or (room.match.log[place][1] in self._clears and not over):
                break
        return lines

    def _say(self, place: int, after: int, seat: int, language: str, shared: bool) -> Line | None:
        """An entry in words, from how it stood after it."""
        room = self.room
        look = Look.back(room.moment_at(after), seat, room.names(language), game_texts(room.game, language), shared, room.moment.over)
        said = scene_of(room.game).line(look, *room.match.log[place])
        text, tone = said if isinstance(said, tuple) else (said, "")
        return {"n": place, "text": text, "tone": tone} if text else None
