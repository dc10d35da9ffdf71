"""The pages of one table: the page of each seat, made once for all who see the same."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from recollect.table.render.ending import past
from recollect.table.render.page import Page, made, rest, sheet
from recollect.table.render.parts import Sheet, write
from recollect.table.render.players import Person, people

if TYPE_CHECKING:
    from recollect.table.live.room import Room


class Shown(msgspec.Struct, frozen=True):
    """What belongs on a screen: a page, and how long it must be in sight if it is shown for a certain time."""

    sheet: Sheet
    title: str = ""
    hold: float | None = None
    stamp: int | None = None  # the place in the log


class Message(dict[str, Any]):
    """What pages are told. Many may be told the same: it is written once."""

    _written: bytes | None = None

    @property
    def written(self) -> bytes:
        if self._written is None:
            self._written = write(self)
        return self._written


class Pages:
    """The pages of one table, made from what each seat may see; what several look at is made once."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._made: dict[Hashable, Sheet] = {}  # since the last change: many may look at the same
        self._told: dict[Hashable, Message] = {}
        self._people: dict[str, list[Person]] = {}  # by language

    def forget(self) -> None:
        """Something changed."""
        self._made.clear()
        self._told.clear()
        self._people.clear()

    def people(self, language: str) -> list[Person]:
        """Who sits here: whenever that changes, pages are told."""
        if language not in self._people:
            self._people[language] = people(self.room.row.chairs, self.room.present(), language)
        return self._people[language]

    def page(self, seat: int, language: str, at: int | None = None, shared: bool = False, **more: Any) -> Page:
        """What a seat's page is made from, now or at a place in the log."""
        room = self.room
        at = room.at if at is None else at
        told = {"past": past(room.game, room.entries, room.states, seat)} if more.get("ended") else {}
        stands_in = seat >= 0 and room.row.chairs[seat].lent
        added = self._added(at, seat, language, shared)
        moment, earlier = room.moment_at(at), (record for place, record in reversed(room.states.items()) if place < at)
        return Page.of(
            moment, seat, room.people(language), language, {**added, **rest(moment, seat, earlier), **told}, shared,
            path=f"/t/{room.row.id}", id=room.row.id, n=room.n, lines=room.log.lines(seat, language, at, shared), hold=room.exposure.hold,
            can_undo=at == room.at and room.can_undo(seat) and not stands_in, stands_in=stands_in, seal=room.row.seal,
            seen=frozenset(room.exposure.seen),
            held=bool(room.exposure.held), can_hint=at == room.at and seat >= 0 and room.hints.may(seat),
            hint=room.hints.shown(seat, at, language, shared), **more,
        )  # fmt: skip

    def sheet(self, seat: int, language: str, at: int | None = None, **more: Any) -> Sheet:
        """The live part of a page. (Where time is shown, no two are the same.)"""
        seen = seat, language, at, *more.values()
        if self.room.clock or seen not in self._made:
            self._made[seen] = sheet(self.page(seat, language, at, **more))
        return self._made[seen]

    def told(self, before: Sheet | None, shown: Shown) -> Message:
        """What changes one page into another: its parts that differ; all of it for a page that has none, or differs in more."""
        key = before, shown.sheet, shown.title, shown.hold, shown.stamp
        if key not in self._told:
            self._told[key] = self._message(before, shown)
        return self._told[key]

    def _message(self, before: Sheet | None, shown: Shown) -> Message:
        sheet, changed = shown.sheet, None if before is None else shown.sheet.since(before)
        message = Message(k=sheet.k)
        if before is None or changed is None:
            message["html"] = sheet.html
        else:
            message |= {"after": before.k, "live": sheet.tag, "parts": {id: part.written for id, part in changed.items()}}
        if shown.title:
            message["title"] = shown.title
        if shown.stamp is not None:
            message |= {"hold": shown.hold, "stamp": shown.stamp}
        return message

    def _added(self, at: int, seat: int, language: str, shared: bool) -> Mapping[str, object]:
        """The latest entry that a seat made, for the animation and for those who hear it, with those that came with it; and the time,
        where it counts."""
        room = self.room
        place = next((i for i in reversed(room.states) if i < at), None)
        entry = {} if place is None else made(room.game, seat, room.entries[place], lambda: room.states[place])
        if place is not None and at == room.at and place > room.stood:
            entry["earlier"] = room.log.said(room.stood, place, seat, language, shared)
        return {**entry, **self._time(at), **self._best()}

    def _time(self, at: int) -> Mapping[str, object]:
        room = self.room
        if room.clock is None:
            return {}
        then = room.clock.back(room.times[at - 1] if at else 0.0) if at < room.at else room.clock.face(room.now(), room.moment.over)
        return {"clock": then}

    def _best(self) -> Mapping[str, object]:
        """After a game alone: this person's scores in such games, best first."""
        room = self.room
        if room.clock or room.match.players > 1 or not room.moment.over:
            return {}
        played = room.store.results(str(room.row.chairs[0].person), room.row.game)
        alone = [(result["scores"][0], at, id) for id, _, result, at in played if len(result["scores"]) == 1]
        return {"best": [{"score": score, "at": at, "this": id == room.row.id} for score, at, id in sorted(alone, reverse=True)[:10]]}
