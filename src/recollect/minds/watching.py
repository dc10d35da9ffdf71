"""What a seat is shown, and when: the log followed through one seat's eyes, and the knowledge of it that is recalled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from recollect.engine.game import Game
from recollect.engine.match import Entry
from recollect.engine.options import Value
from recollect.engine.record import Field, Opened
from recollect.engine.stream import CHANCE
from recollect.minds.memory import PERFECT, Luck, Model, Place, Trace


class Watch:
    """Follows a match from one seat. The record in it is the rules' business; what it hands out is what the seat was shown."""

    def __init__(self, game: Game, options: Mapping[str, Value], seat: int, memory: Model = PERFECT) -> None:
        self.game, self.options, self.seat, self.memory = game, options, seat, memory
        shown = {name: f for name, f in game.state.fields.items() if f.visibility.kind == "known"}
        self._fields: dict[str, Field] = {} if memory == PERFECT else shown  # who forgets nothing needs no traces
        self._begin()

    def _begin(self) -> None:
        self.log: list[Entry] = []
        self.record = self.game.start(self.options)
        self.state = self.game.state.open(self.record)
        self.turn = 0  # the moment: turns so far
        self.traces: dict[Place, Trace] = {}
        self._last = CHANCE  # who moved last

    # -- being shown

    def follow(self, log: Sequence[Entry]) -> None:
        """Catch up with a log; from the beginning if it is not the one followed so far."""
        if list(log[: len(self.log)]) != self.log:
            self._begin()
        for seat, action in log[len(self.log) :]:
            self._step(seat, action)

    def _step(self, seat: int, action: int) -> None:
        before = {name: (self._faces(name), self._sight(name)) for name in self._fields}
        self.game.rules.apply(self.state, seat, action)
        self.log.append((seat, action))
        if seat != CHANCE:
            self.turn += seat != self._last
            self._last = seat
        for name, (faces, sight) in before.items():
            self._follow_moves(name, faces)
            self._look(name, sight)

    def _faces(self, name: str) -> np.ndarray:
        """The faces this seat has been shown, by place; hidden where it has not."""
        f = self._fields[name]
        return np.where(self._flags(f.visibility.ever), self.record[name], f.hidden)

    def _sight(self, name: str) -> np.ndarray:
        return self._flags(self._fields[name].visibility.now)

    def _flags(self, name: str) -> np.ndarray:
        return np.array(self.game.state.fields[name].flags(self.record[name])[self.seat])  # a copy: the record goes on

    def _follow_moves(self, name: str, before: np.ndarray) -> None:
        """Traces go with cards that change places before one's eyes, and end with cards that leave."""
        after = self._faces(name)
        changed = np.flatnonzero(after != before).tolist()
        were = {int(before[at]): self.traces.pop(Place(name, at), None) for at in changed}
        for at in changed:
            trace = were.get(int(after[at]))
            if trace and after[at] != self._fields[name].hidden:
                self.traces[Place(name, at)] = trace

    def _look(self, name: str, before: np.ndarray) -> None:
        """What comes in sight is an exposure; what stays in sight is the same one, going on."""
        faces = self.record[name]
        for at in np.flatnonzero(self._sight(name)).tolist():
            trace = self.traces.setdefault(Place(name, at), Trace(int(faces[at])))
            if trace.moments and before[at]:
                trace.moments[-1] = self.turn
            else:
                trace.moments.append(self.turn)

    # -- recalling

    def recalled(self, luck: Luck) -> Opened:
        """The knowledge that the seat would have, had it been shown only what it recalls now."""
        record = self.game.state.masked(self.record, self.seat, ever=True)
        for name in self._fields:
            self._forge(record, name, luck)
        return self.game.state.open(record)

    def _forge(self, record: np.ndarray, name: str, luck: Luck) -> None:
        f, sight = self._fields[name], self._sight(name)
        traces = {place: trace for place, trace in self.traces.items() if place.field == name and not sight[place.at]}
        found = self._placed(f, traces, luck)
        for place in traces:
            face = found.get(place.at)
            record[name][place.at] = f.hidden if face is None else face
            self._know(record, f.visibility.ever, place.at, face is not None)

    def _placed(self, f: Field, traces: Mapping[Place, Trace], luck: Luck) -> dict[int, int]:
        """Recalled faces by place; one that strays lies on a neighbour that was seen and is not recalled itself."""
        recalled = self.memory.recalls(traces, self.turn, luck)
        placed = {place.at: traces[place].face for place in recalled}
        for place in sorted(recalled):
            trace = traces[place]
            if luck("stray", place, trace.moments[-1]) < self.memory.strays(trace, self.turn):
                beside = [at for at in neighbours(f, place.at) if Place(place.field, at) in traces and at not in placed]
                if beside:
                    del placed[place.at]
                    placed[beside[int(luck("beside", place, trace.moments[-1]) * len(beside))]] = trace.face
        return placed

    def _know(self, record: np.ndarray, name: str, at: int, known: bool) -> None:
        """Set whether the seat has been shown a place."""
        if self.game.state.fields[name].of is None:
            record[name][self.seat][at] = known
        else:
            bit = 1 << at
            record[name][self.seat] = int(record[name][self.seat]) & ~bit | (bit if known else 0)


def neighbours(f: Field, at: int) -> list[int]:
    """The places beside one, where places are named like b4; else the one before and the one after."""
    labels = f.axes[0]
    if isinstance(labels, int):
        return [n for n in (at - 1, at + 1) if 0 <= n < labels]
    column, row = ord(labels[at][0]), int(labels[at][1:])
    beside = {f"{chr(c)}{r}" for c, r in ((column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1))}
    return [n for n, label in enumerate(labels) if label in beside]
