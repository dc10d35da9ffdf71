"""Hints at a table whose host allowed them: found in a thread, from what the seat was shown and nothing else; the log says who took one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from babel.numbers import format_decimal

from recollect.engine.look import Look
from recollect.minds import thinking
from recollect.minds.hint import Hint, hint, texts_of
from recollect.table.live.thinkers import think
from recollect.table.render.page import scene_of
from recollect.table.render.prose import game_texts

if TYPE_CHECKING:
    from recollect.table.live.room import Room

BESIDE = 1  # other moves that are shown beside the best
STEPS = 6  # that are told of what should follow
SIGNED = "+0.0;\N{MINUS SIGN}0.0"  # as a language writes numbers, with a sign
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
            "then": [words(step) for step in found.steps[:STEPS]],
            "spots": spots(look, (found.move, *found.steps[:STEPS])),
            "rows": bars([(words(move), value) for move, value in moves if value is not None], usual, found.sure, language),
            "pale": found.sure is not None,
            "why": found.words(texts_of(room.game, language), shared),
            "next": {"act": found.alternatives[0][0], "words": words(found.alternatives[0][0])} if found.alternatives else None,
            "nth": sum(who == seat for _, who in self.taken),
        }


def spots(look: Look, actions: Sequence[int]) -> list[dict[str, Any] | None]:
    """Where each answer lies on the page, in a game whose scene says so, and its number there: one for each place, if there are several."""
    where = getattr(scene_of(look.game), "spot", lambda look, action: "")
    places = [where(look, action) for action in actions]
    order = [place for place in dict.fromkeys(places) if place]
    return [{"at": place, "no": order.index(place) + 1} if place and len(order) > 1 else None for place in places]


def bars(rows: list[tuple[str, float]], usual: float | None, sure: float | None = None, language: str = "en") -> list[dict[str, Any]]:
    """What moves should bring, each beside the best; the last row, without words, is what a move brings as a rule. How much of the best is
    sure may be known: the rest of it, and all that is said of others, is an estimate."""
    every = [(words, round(value, 1) + 0.0) for words, value in rows + ([("", usual)] if usual is not None else [])]
    if len(every) > 1 and len({value for _, value in every}) == 1:
        return []  # between them there is nothing to choose
    low, high = min([0.0, *(value for _, value in every)]), max([0.0, *(value for _, value in every)])
    span = max(high - low, 1e-9)
    parts = [round(100 * (value - low) / span) for _, value in every]
    share = min(1.0, max(0.0, sure / rows[0][1])) if sure is not None and rows and rows[0][1] > 0 else 0.0
    firm = parts if sure is None else [round(part * share) if n == 0 else 0 for n, part in enumerate(parts)]
    return [
        {"words": words, "value": format_decimal(value, SIGNED, language), "part": part, "firm": solid}
        for (words, value), part, solid in zip(every, parts, firm, strict=True)
    ]
