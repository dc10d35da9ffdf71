"""What is seen of a table: who sits there, the log in words, and the page of each seat."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from recollect.engine.look import Look
from recollect.engine.stream import CHANCE
from recollect.table import pages
from recollect.table.companions import art_of

if TYPE_CHECKING:
    from recollect.table.room import Room

LINES = 80  # of the log on a page


class Sights:
    """The pages of one table, made from what each seat may see; what several look at is made once."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._lines: dict[tuple[int, str, bool], tuple[int, list[dict[str, Any]]]] = {}
        self._pages: dict[Any, str] = {}  # made since the last change: many may look at the same

    def forget_pages(self) -> None:
        """Something changed."""
        self._pages.clear()

    def forget_lines(self) -> None:
        """Something was taken back, or all was read anew."""
        self._lines.clear()

    def people(self, language: str) -> list[tuple[str, str | None, bool]]:
        """Name, picture and absence of each seat."""
        room, ui = self.room, pages.ui_texts(language)
        here = room.present()
        out: list[tuple[str, str | None, bool]] = []
        for seat, chair in enumerate(room.row.chairs):
            if chair.kind == "bot":
                key = f"minds.{chair.mind}.name"
                name = ui(key) if key in ui else str(chair.mind).capitalize()
                twins = [s for s, c in enumerate(room.row.chairs) if c.kind == "bot" and c.mind == chair.mind]
                out.append((f"{name} {twins.index(seat) + 1}" if len(twins) > 1 else name, art_of(chair.mind), False))
            else:
                out.append((chair.name, None, seat not in here))
        return out

    def names(self, language: str) -> list[str]:
        return [name for name, _, _ in self.people(language)]

    def private(self, at: int, seat: int) -> bool:
        """The seat sees something now that not everybody sees."""
        room, record = self.room, self.room.states[at]
        return room.game.view(record, seat) != room.game.view(record, -1)

    def lines(self, seat: int, language: str, at: int, shared: bool = False) -> list[dict[str, Any]]:
        """The log in words as this seat reads it, newest first, up to a place in the log."""
        room = self.room
        scene, entries = pages.scene_of(room.game), room.match.log
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
            self.names(language),
            pages.game_texts(room.game, language),
            room.match.options,
            over=not acting,
            shared=shared,
        )

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

    def sight(self, seat: int, language: str, at: int | None = None, shared: bool = False, **more: Any) -> pages.Sight:
        """What a seat sees, now or at a place in the log."""
        room = self.room
        now = len(room.match.log)
        at = now if at is None else at
        return pages.Sight(
            game=room.game, record=room.states[at], seat=seat, options=room.match.options, people=self.people(language), language=language,
            path=f"/t/{room.row.id}", id=room.row.id, n=room.n, lines=self.lines(seat, language, at, shared), hold=room.showing.hold,
            shared=shared, can_undo=at == now and room.can_undo(seat), seal=room.row.seal, extra=self.last(at), **more,
        )  # fmt: skip

    def page(self, seat: int, language: str, at: int | None = None, **more: Any) -> str:
        """The live part of a page; what several look at is made once. (Where time is shown, no two are the same.)"""
        room = self.room
        now = room.states[len(room.match.log) if at is None else at].tobytes()
        seen = seat, language, at, room.n, now, tuple(self.people(language)), tuple(map(str, sorted(more.items())))
        if room.clock or seen not in self._pages:
            self._pages[seen] = pages.fragment(self.sight(seat, language, at, **more))
        return self._pages[seen]
