"""What a seat observes, as one row of numbers: written as rule code from the visibility that every field declares.

A row holds, in this order: the seat; every field that everyone sees; the fields of which the seat sees its own; and those that are shown
and hidden again, as far as the mode allows. Sets are spread into flags, numbers of more than 16 bits into words of 15.
What nobody sees is not there. The layout is the same in all modes:

    SIGHT      what lies open now, and nothing of what was shown before;
    KNOWLEDGE  all that the seat has ever been shown, and what each seat has been shown (perfect recall is given);
    CAPACITY   what lies open now and the last k exposures, if the card still lies where it was seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import prod

import numpy as np

from recollect.engine.record import Field, State

SIGHT, KNOWLEDGE, CAPACITY = range(3)
WORD = 15  # bits


@dataclass(frozen=True)
class Part:
    """A stretch of the row: one field, of which the seat axis may be left out (`own`)."""

    name: str
    role: str  # seat, plain, own, known, now, ever
    shape: tuple[int, ...]
    start: int

    @property
    def width(self) -> int:
        return prod(self.shape)


class Layout:
    """Where each field stands in the row of a game, and the source of the functions that write it."""

    def __init__(self, state: State, seats: int) -> None:
        self.state, self.seats = state, seats
        roles = list(_roles(state))
        widths = [prod(shape) for _, _, shape in roles]
        starts = [0, *accumulate(widths)]
        self.parts = [Part(name, role, shape, at) for (name, role, shape), at in zip(roles, starts, strict=False)]
        self.width = starts[-1]
        self.dtype = np.dtype("i2")
        self.shown = [part for part in self.parts if part.role == "known"]
        self.places = sum(part.width for part in self.shown)  # where something is shown and hidden again

    def named(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """The same numbers by name; nothing is copied."""
        return {p.name: rows[..., p.start : p.start + p.width].reshape((*rows.shape[:-1], *p.shape)) for p in self.parts}

    def source(self) -> str:
        """`observe` and `expose` in the language of the rules; each mode has a function of its own, without questions in its loops."""
        lines = ["from recollect.engine.observation import SPREAD", "", f"WIDTH, PLACES = {self.width}, {self.places}", ""]
        for self._tabled, end in ((True, ""), (False, "_bitwise")):
            lines += ["", *OBSERVE.format(end=end).splitlines()]
            for mode, name in enumerate(("sight", "knowledge", "capacity")):
                lines += ["", "", f"def observe_{name}{end}(s, seat, recall, out):", "    out[0] = seat"]
                order = ORDER[mode]
                for part in sorted(self.parts, key=lambda part: order.index(part.role)):
                    lines += getattr(self, f"_{part.role}")(part, mode)
        lines += ["", "", "def expose(s, seat, lit, recall):"]
        lines += [line for part in self.shown for line in self._expose(part)] or ["    pass"]
        return "\n".join(lines) + "\n\n\n" + PUSH

    def _seat(self, part: Part, mode: int) -> list[str]:
        return []

    def _plain(self, part: Part, mode: int, first: tuple[str, ...] = ()) -> list[str]:
        index, f = _indices(part.shape), self.state.fields[part.name]
        if self._tabled and f.of is not None:
            return self._eight_at_a_time(part, f, first)
        return _loops(part.shape, 1, f"out[{_at(part, index)}] = {_value(part.name, f, (*first, *index))}")

    def _eight_at_a_time(self, part: Part, f: Field, first: tuple[str, ...]) -> list[str]:
        """Flags of a set from a table, a byte of it at once; of copies, their sum."""
        assert f.of is not None
        table = " + ".join(f"SPREAD[byte{n}, k]" for n in range(f.copies))
        copies = [f" + {copy * len(f.of)}" if copy else "" for copy in range(f.copies)]
        outer, last = _indices(part.shape)[:-1], len(f.of) // 8
        word = f"s.{part.name}[{', '.join((*first, *outer))}]" if (*first, *outer) else f"s.{part.name}"
        return _loops(
            part.shape[:-1],
            1,
            f"for j in range({last}):",
            *(f"    byte{n} = ({word} >> (8 * j{copy})) & 255" for n, copy in enumerate(copies)),
            "    for k in range(8):",
            f"        out[{_at(part, (*outer, '8 * j'))} + k] = {table}",
            *(f"byte{n} = ({word} >> ({8 * last}{copy})) & 255" for n, copy in enumerate(copies)),
            f"for k in range({len(f.of) % 8}):",
            f"    out[{_at(part, (*outer, str(8 * last)))} + k] = {table}",
        )

    def _own(self, part: Part, mode: int) -> list[str]:
        return self._plain(part, mode, ("seat",))

    _now = _own

    def _known(self, part: Part, mode: int) -> list[str]:
        """What lies open, or was ever shown; beside what lies open, what a small memory holds."""
        f = self.state.fields[part.name]
        index = _indices(part.shape)
        mask = next(p for p in self.parts if p.name == (f.visibility.ever if mode == KNOWLEDGE else f.visibility.now))
        flag = _at(mask, index if mask.role == "now" else ("seat", *index))  # it was written before
        value = _value(part.name, f, index)
        lines = _loops(part.shape, 1, f"out[{_at(part, index)}] = ({value} - ({f.hidden})) * out[{flag}] + ({f.hidden})")
        return lines + self._recalled(part) if mode == CAPACITY else lines

    def _recalled(self, part: Part) -> list[str]:
        """What a small memory holds, if the card still lies where it was seen."""
        f = self.state.fields[part.name]
        split, first = _split("p", part.shape), self._first(part)
        was_shown = _value(f.visibility.ever, self.state.fields[f.visibility.ever], ("seat", *split))
        return [
            "    for j in range(recall.shape[0]):",
            f"        p = int(recall[j, 0]) - {first}",
            f"        if 0 <= p < {part.width}:",
            f"            if {_value(part.name, f, split)} == recall[j, 1] and {was_shown} != 0:",
            f"                out[{part.start} + p] = recall[j, 1]",
        ]

    def _ever(self, part: Part, mode: int) -> list[str]:
        """Who has been shown what: of what is recalled; nothing of it in plain sight."""
        of = next(p for p in self.shown if self.state.fields[p.name].visibility.ever == part.name)
        index = _indices(part.shape)
        value = "0" if mode == SIGHT else _value(part.name, self.state.fields[part.name], index)
        if mode == CAPACITY:
            value += f" if out[{_at(of, index[1:])}] != {self.state.fields[of.name].hidden} else 0"
        return _loops(part.shape, 1, f"out[{_at(part, index)}] = {value}")

    def _first(self, part: Part) -> int:
        """The number of the first place of a field among all places where something is shown and hidden again."""
        return sum(other.width for other in self.shown if other.start < part.start)

    def _expose(self, part: Part) -> list[str]:
        """What comes into the seat's sight is remembered; what lies there still is the same exposure."""
        f, index = self.state.fields[part.name], _indices(part.shape)
        now = _value(f.visibility.now, self.state.fields[f.visibility.now], ("seat", *index))
        place = f"{self._first(part) - part.start} + {_at(part, index)}"
        inner = [f"seen = {now}", f"if seen != 0 and lit[{place}] == 0:", f"    push(recall, {place}, {_value(part.name, f, index)})"]
        return _loops(part.shape, 1, *inner, f"lit[{place}] = seen")


SPREAD = np.array([[byte >> k & 1 for k in range(8)] for byte in range(256)], np.int16)  # a byte's flags
PLAIN = ("seat", "plain", "own")
ORDER = {  # what lies open and what was ever shown say what is known; in a small memory what is known says what was ever shown
    SIGHT: (*PLAIN, "now", "known", "ever"),
    KNOWLEDGE: (*PLAIN, "now", "ever", "known"),
    CAPACITY: (*PLAIN, "now", "known", "ever"),
}
OBSERVE = f"""def observe{{end}}(s, seat, mode, recall, out):
    if mode == {SIGHT}:
        observe_sight{{end}}(s, seat, recall, out)
    elif mode == {KNOWLEDGE}:
        observe_knowledge{{end}}(s, seat, recall, out)
    else:
        observe_capacity{{end}}(s, seat, recall, out)
"""
PUSH = '''def push(recall, place, face):
    """The latest exposure stands first; an older one of the same place is forgotten, or else the oldest."""
    j = recall.shape[0] - 1
    for i in range(recall.shape[0]):
        if recall[i, 0] == place:
            j = i
            break
    while j > 0:
        recall[j, 0] = recall[j - 1, 0]
        recall[j, 1] = recall[j - 1, 1]
        j -= 1
    recall[0, 0] = place
    recall[0, 1] = face
'''


def _roles(state: State) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Each field that is observed, with its part in it and the shape of its stretch."""
    known = [f.visibility for f in state.fields.values() if f.visibility.kind == "known" and f.visibility.ever != f.visibility.now]
    ever, now = {v.ever for v in known}, {v.now for v in known}
    yield "seat", "seat", (1,)
    for name, f in state.fields.items():
        if name in ever:
            yield name, "ever", spread(f)
        elif name in now:
            yield name, "now", spread(f)[1:]
        elif f.visibility.kind == "everyone":
            yield name, "plain", spread(f)
        elif f.visibility.kind == "owner":
            yield name, "own", spread(f)[1:]
        elif f.visibility.kind == "known":
            yield name, "known", spread(f)


def words(f: Field) -> int:
    """Into how many words a number of a wide field is cut; 0 where it fits."""
    return -(-8 * np.dtype(f.dtype).itemsize // WORD) if f.of is None and np.dtype(f.dtype).itemsize > 2 else 0


def spread(f: Field) -> tuple[int, ...]:
    """The shape of a field in the row."""
    return (*f.shape, words(f)) if words(f) else f.spread


def _indices(shape: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"i{k}" for k in range(len(shape)))


def _at(part: Part, index: tuple[str, ...]) -> str:
    """The place of an element in the row."""
    steps = [prod(part.shape[k + 1 :]) for k in range(len(part.shape))]
    return " + ".join([str(part.start), *(f"{step} * {i}" if step > 1 else i for i, step in zip(index, steps, strict=True))])


def _split(p: str, shape: tuple[int, ...]) -> tuple[str, ...]:
    """The indices of the p-th element."""
    steps = [prod(shape[k + 1 :]) for k in range(len(shape))]
    return tuple(f"{p} // {step} % {size}" if step > 1 else f"{p} % {size}" for size, step in zip(shape, steps, strict=True))


def _value(name: str, f: Field, index: tuple[str, ...]) -> str:
    """An element of a field, or a flag of a set."""
    if f.of is None and not words(f):
        return f"s.{name}[{', '.join(index)}]" if index else f"s.{name}"
    *rest, bit = index
    word = f"s.{name}[{', '.join(rest)}]" if rest else f"s.{name}"
    if f.of is None:
        return f"(({word} >> ({WORD} * {bit})) & {(1 << WORD) - 1})"
    return "(" + " + ".join(f"(({word} >> {bit if not copy else f'({bit} + {copy * len(f.of)})'}) & 1)" for copy in range(f.copies)) + ")"


def _loops(shape: tuple[int, ...], depth: int, *body: str) -> list[str]:
    """The body inside a loop for each axis."""
    lines = []
    for k, size in enumerate(shape):
        lines.append(f"{'    ' * (depth + k)}for i{k} in range({size}):")
    return [*lines, *(f"{'    ' * (depth + len(shape))}{line}" for line in body)]
