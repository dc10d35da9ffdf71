"""The pages of one table: the page of each seat, made once for all who see the same."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from recollect.table.render.page import Sight, fragment

if TYPE_CHECKING:
    from recollect.table.live.room import Room


class Pages:
    """The pages of one table, made from what each seat may see; what several look at is made once."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._pages: dict[Any, str] = {}  # made since the last change: many may look at the same

    def forget(self) -> None:
        """Something changed."""
        self._pages.clear()

    def private(self, at: int, seat: int) -> bool:
        """The seat sees something now that not everybody sees."""
        room, record = self.room, self.room.states[at]
        return room.game.view(record, seat) != room.game.view(record, -1)

    def last(self, at: int) -> Mapping[str, object]:
        """The seat and action of the latest entry that a seat made, for the animation; and the time, where it counts."""
        room = self.room
        made = [i for i in room.states if i < at]
        clock = {"clock": room.clock.face(time.time(), room.match.over)} if room.clock else {}
        return {"entry": room.match.log[max(made)] if made else None, **clock, **self._best()}

    def _best(self) -> Mapping[str, object]:
        """After a game alone: this person's scores in such games, best first."""
        room = self.room
        if room.clock or room.match.players > 1 or not room.match.over:
            return {}
        played = room.store.results(str(room.row.chairs[0].person), room.row.game)
        alone = [(result["scores"][0], at, id) for id, _, result, at in played if len(result["scores"]) == 1]
        return {"best": [{"score": score, "at": at, "this": id == room.row.id} for score, at, id in sorted(alone, reverse=True)[:10]]}

    def sight(self, seat: int, language: str, at: int | None = None, shared: bool = False, **more: Any) -> Sight:
        """What a seat sees, now or at a place in the log."""
        room = self.room
        now = len(room.match.log)
        at = now if at is None else at
        return Sight(
            game=room.game, record=room.states[at], seat=seat, options=room.match.options, people=room.people(language), language=language,
            path=f"/t/{room.row.id}", id=room.row.id, n=room.n, lines=room.log.lines(seat, language, at, shared), hold=room.exposure.hold,
            shared=shared, can_undo=at == now and room.can_undo(seat), seal=room.row.seal, extra=self.last(at), **more,
        )  # fmt: skip

    def page(self, seat: int, language: str, at: int | None = None, **more: Any) -> str:
        """The live part of a page; what several look at is made once. (Where time is shown, no two are the same.)"""
        room = self.room
        now = room.states[len(room.match.log) if at is None else at].tobytes()
        seen = seat, language, at, room.n, now, tuple(self.room.people(language)), tuple(map(str, sorted(more.items())))
        if room.clock or seen not in self._pages:
            self._pages[seen] = fragment(self.sight(seat, language, at, **more))
        return self._pages[seen]
