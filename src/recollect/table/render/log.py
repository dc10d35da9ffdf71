"""The log in words, as each seat reads it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from recollect.engine.drawn import once
from recollect.engine.game import Game
from recollect.engine.look import Look, Moment
from recollect.engine.match import Entry
from recollect.table.render.lines import Line, Lines
from recollect.table.render.page import scene_of
from recollect.table.render.prose import game_texts, ui_texts

LINES = 80  # of the log on a page
MORE = 40  # beyond which the oldest are left out together, so that most of the time a log only grows

Way = tuple[int, str, bool, bool]  # to read it: seat, language, shared, told


class Told(Protocol):
    """What has a log: a table in use, or a finished match."""

    game: Game
    moment: Moment  # how it stands
    states: dict[int, np.ndarray]

    @property
    def entries(self) -> Sequence[Entry]:
        """The log, as far as it is told."""

    @property
    def over(self) -> bool:
        """The game is over, and everybody has been told so."""

    @property
    def hinted(self) -> Sequence[tuple[int, int]]:
        """Who took a hint: place in the log and seat."""

    def moment_at(self, place: int) -> Moment: ...

    def named(self, language: str, place: int) -> list[str]:
        """What everybody was called when an entry was made."""


class Log:
    """The log of one table in words; each line is said once for each way to read it."""

    def __init__(self, room: Told) -> None:
        self.room = room
        self._said: dict[Way, dict[int, Line | None]] = {}
        self._listed: dict[Way, tuple[int, Lines]] = {}  # with the place up to which they were asked for last

    def forget(self) -> None:
        """Something was taken back, or all was read anew."""
        self._said.clear()
        self._listed.clear()

    @cached_property
    def _clears(self) -> frozenset[int]:
        """Actions at which the log begins anew."""
        return frozenset(self.room.game.actions.within(getattr(scene_of(self.room.game), "CLEARS", ())))

    def lines(self, seat: int, language: str, at: int, shared: bool = False) -> Lines:
        """The log in words as this seat reads it, newest first, up to a place in the log; most of it is as it was."""
        room, over = self.room, self.room.over and at == next(reversed(self.room.states))  # at the very end the faces are told, too
        way, hinted = (seat, language, shared, over), bool(room.hinted)
        upto, known = (-1, Lines([])) if hinted else self._listed.get(way, (-1, Lines([])))
        lines, entries = list[Line](), self._entries(at, over)
        for place, after in entries:
            if after <= upto <= at:
                return self._list(way, at, lines, known)
            if hinted:
                lines += self._hints(after, seat, language, shared)
            if line := self._line(place, after, way):
                lines.append(line)
            if len(lines) >= LINES:
                break
        else:  # who took one before the first move of all
            lines += self._hints(next(iter(room.states)), seat, language, shared) if hinted else []
        earlier = sum(self._line(place, after, way) is not None for place, after in entries)
        return self._list(way, at, lines, Lines([], left_out=earlier))

    def said(self, since: int, until: int, seat: int, language: str, shared: bool) -> list[str]:
        """What is said of the entries between two places, in their order."""
        places = itertools.takewhile(
            lambda place: place >= since, itertools.dropwhile(lambda place: place > until, reversed(self.room.states))
        )
        lines = [self._line(place, after, (seat, language, shared, False)) for after, place in itertools.pairwise(places)]
        return [line["text"] for line in reversed(lines) if line]

    def _entries(self, at: int, over: bool) -> Iterator[tuple[int, int]]:
        """What seats did up to a place in the log, latest first, back to where the log began anew: where each stands, and the next."""
        places = itertools.dropwhile(lambda place: place > at, reversed(self.room.states))
        for after, place in itertools.pairwise(places):
            yield place, after
            if not over and self.room.entries[place][1] in self._clears:
                return

    def _list(self, way: Way, at: int, new: list[Line], known: Lines) -> Lines:
        """New lines before those that were known."""
        if len(new) + len(known) > LINES + MORE:
            listed = Lines([*new, *known][:LINES], left_out=known.left_out + len(new) + len(known) - LINES)
        else:
            listed = Lines(new, known) if new else known
        self._listed[way] = at, listed
        return listed

    def _line(self, place: int, after: int, way: Way) -> Line | None:
        said = self._said.setdefault(way, {})
        if place not in said:
            said[place] = self._say(place, after, *way)
        return said[place]

    def _hints(self, place: int, seat: int, language: str, shared: bool) -> list[Line]:
        """Who took a hint at this place of the log; not which."""
        ui, names = ui_texts(language), self.room.named(language, place - 1)  # companions take none: whoever sat there after the last move
        taken = [who for at, who in self.room.hinted if at == place]
        words = [ui("hint.you") if who == seat and not shared else ui("hint.they", name=names[who]) for who in taken]
        return [once(n=f"{place}-hint-{who}", text=text, tone="took") for who, text in zip(taken, words, strict=True)]

    def _say(self, place: int, after: int, seat: int, language: str, shared: bool, told: bool) -> Line | None:
        """An entry in words, from how it stood after it."""
        room = self.room
        texts, was = game_texts(room.game, language), room.states[place]
        look = Look.back(room.moment_at(after), seat, room.named(language, place), texts, shared, told, was)
        said = scene_of(room.game).line(look, *room.entries[place])
        text, tone = said if isinstance(said, tuple) else (said, "")
        return once(n=place, text=text, tone=tone) if text else None
