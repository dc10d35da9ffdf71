"""The pages of one table: the page of each seat, made once for all who see the same."""

from __future__ import annotations

import time
from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from recollect.table.render.page import Page, fragment

if TYPE_CHECKING:
    from recollect.table.live.room import Room


class Pages:
    """The pages of one table, made from what each seat may see; what several look at is made once."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._made: dict[Hashable, str] = {}  # since the last change: many may look at the same

    def forget(self) -> None:
        """Something changed."""
        self._made.clear()

    def page(self, seat: int, language: str, at: int | None = None, shared: bool = False, **more: Any) -> Page:
        """What a seat's page is made from, now or at a place in the log."""
        room = self.room
        at = room.at if at is None else at
        return Page.of(
            room.moment_at(at), seat, room.people(language), language, self._added(at), shared,
            path=f"/t/{room.row.id}", id=room.row.id, n=room.n, lines=room.log.lines(seat, language, at, shared), hold=room.exposure.hold,
            can_undo=at == room.at and room.can_undo(seat), seal=room.row.seal, **more,
        )  # fmt: skip

    def html(self, seat: int, language: str, at: int | None = None, **more: Any) -> str:
        """The live part of a page. (Where time is shown, no two are the same.)"""
        seen = seat, language, at, tuple(map(str, sorted(more.items())))
        if self.room.clock or seen not in self._made:
            self._made[seen] = fragment(self.page(seat, language, at, **more))
        return self._made[seen]

    def _added(self, at: int) -> Mapping[str, object]:
        """The seat and action of the latest entry that a seat made, for the animation; and the time, where it counts."""
        room = self.room
        made = [i for i in room.states if i < at]
        clock = {"clock": room.clock.face(time.time(), room.moment.over)} if room.clock else {}
        return {"entry": room.match.log[max(made)] if made else None, **clock, **self._best()}

    def _best(self) -> Mapping[str, object]:
        """After a game alone: this person's scores in such games, best first."""
        room = self.room
        if room.clock or room.match.players > 1 or not room.moment.over:
            return {}
        played = room.store.results(str(room.row.chairs[0].person), room.row.game)
        alone = [(result["scores"][0], at, id) for id, _, result, at in played if len(result["scores"]) == 1]
        return {"best": [{"score": score, "at": at, "this": id == room.row.id} for score, at, id in sorted(alone, reverse=True)[:10]]}
