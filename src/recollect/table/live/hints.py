"""Hints at a table whose host allowed them: found in a thread, from what the seat was shown and nothing else; the log says who took one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from recollect.engine.look import Look
from recollect.minds import thinking
from recollect.minds.hint import Hint, hint, texts_of
from recollect.table.live.thinkers import think
from recollect.table.render.page import scene_of
from recollect.table.render.prose import game_texts

if TYPE_CHECKING:
    from recollect.table.live.room import Room

BESIDE = 1  # other moves that are shown beside the best
Taken = tuple[int, int]  # a place in the log, and a seat


class Hints:
    """Who took a hint where, and what those of this moment say."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.taken: list[Taken] = []
        self._found: dict[Taken, Hint] = {}

    @property
    def allowed(self) -> bool:
        return bool(self.room.match.options.get("hints"))

    def may(self, seat: int) -> bool:
        """Whether the seat is asked something and may take a hint now."""
        now = self.room.moment
        return self.allowed and not now.paced and seat in now.players and len(now.legal(seat)) > 1

    @property
    def ready(self) -> bool:
        """The strongest companion can think: what it needs is compiled."""
        return thinking.ready(self.room.game)

    async def find(self, seat: int) -> int:
        """Think, without holding anybody up; the place in the log of which the hint is."""
        room, key = self.room, (self.room.at, seat)
        if key not in self._found:
            found = await think(hint, room.game, room.match.options, list(room.match.log), seat)
            self._found = {at: known for at, known in self._found.items() if at[0] == room.at} | {key: found}
        return key[0]

    def shown(self, seat: int, at: int, language: str, shared: bool = False) -> dict[str, Any] | None:
        """What a seat's page says of the hint that it took at this place."""
        found = self._found.get((at, seat))
        if found is None or (at, seat) not in self.taken:
            return None
        room, values = self.room, [value for _, value in found.alternatives]
        look = Look.of(room.moment_at(at), seat, room.names(language), game_texts(room.game, language))
        words = partial(scene_of(room.game).words, look)
        moves = [(found.move, found.expected), *found.alternatives[:BESIDE]]
        usual = sum(values) / len(values) if len(values) > BESIDE else None
        return {
            "act": found.move,
            "words": words(found.move),
            "then": [words(step) for step in found.steps[:6]],
            "rows": bars([(words(move), value) for move, value in moves if value is not None], usual),
            "why": found.words(texts_of(room.game, language), shared),
            "nth": sum(who == seat for _, who in self.taken),
        }


def bars(rows: list[tuple[str, float]], usual: float | None) -> list[dict[str, Any]]:
    """What moves should bring, each beside the best; the last row, without words, is what a move brings as a rule."""
    every = rows + ([("", usual)] if usual is not None else [])
    low, high = min([0.0, *(value for _, value in every)]), max([0.0, *(value for _, value in every)])
    span = max(high - low, 1e-9)
    return [{"words": words, "value": f"{value:+.1f}", "part": round(100 * (value - low) / span)} for words, value in every]
