"""The log in words, as each seat reads it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from recollect.engine.look import Look
from recollect.engine.stream import CHANCE
from recollect.table.render.page import scene_of
from recollect.table.render.prose import game_texts

if TYPE_CHECKING:
    from recollect.table.live.room import Room

LINES = 80  # of the log on a page


class Log:
    """The log of one table in words; each line is said once for each way to read it."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._lines: dict[tuple[int, str, bool], tuple[int, list[dict[str, Any]]]] = {}

    def forget(self) -> None:
        """Something was taken back, or all was read anew."""
        self._lines.clear()

    def lines(self, seat: int, language: str, at: int, shared: bool = False) -> list[dict[str, Any]]:
        """The log in words as this seat reads it, newest first, up to a place in the log."""
        room = self.room
        scene, entries = scene_of(room.game), room.match.log
        clears = {
            a for name in getattr(scene, "CLEARS", ()) for r in (room.game.actions.ranges[name],) for a in range(r.start, r.start + r.count)
        }
        upto, lines = self._lines.get((seat, language, shared), (0, []))
        places = sorted(room.states)
        for i, after in itertools.pairwise(places):
            if i < upto:
                continue
            said = scene.line(self._past(after, seat, language, shared), *entries[i])
            if entries[i][1] in clears:
                lines.append({"n": i, "clear": True})
            if said:
                text, tone = said if isinstance(said, tuple) else (said, "")
                lines.append({"n": i, "text": text, "tone": tone})
        self._lines[seat, language, shared] = (places[-1], lines)
        past = (line for line in reversed(lines) if line["n"] < at)
        return list(itertools.islice(itertools.takewhile(lambda line: "text" in line, past), LINES))

    def _past(self, at: int, seat: int, language: str, shared: bool) -> Look:
        room, record = self.room, self.room.states[at]
        acting = room.game.acting(room.game.state.open(record)) - {CHANCE}
        return Look(
            room.game,
            room.game.view(record, seat),
            seat,
            acting,
            frozenset(),
            room.names(language),
            game_texts(room.game, language),
            room.match.options,
            over=not acting,
            shared=shared,
        )
