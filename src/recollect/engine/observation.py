"""What a seat observes, as one row of numbers: written as rule code from the visibility that every field declares.

A row holds the seat, every field that everyone sees, the fields of which the seat sees its own, and those that are shown and hidden
again, as far as the mode allows: first what is a number, then what is a set. A row is of bytes: numbers that may be larger are cut into
words of 7 bits, the lowest first; sets are spread into flags, and each begins at a multiple of eight, so that eight flags are written
at once. What nobody sees is not there. The layout is the same in all modes:

    SIGHT      what lies open now, and nothing of what was shown before;
    KNOWLEDGE  all that the seat has ever been shown, and what each seat has been shown (perfect recall is given);
    CAPACITY   what lies open now and the last k exposures, if the card still lies where it was seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from recollect.engine.record import Field, State

SIGHT, KNOWLEDGE, CAPACITY = range(3)
WORD = 7  # bits


@dataclass(frozen=True)
class Part:
    """A stretch of the row: one field, of which the seat axis may be left out (`own`). Sets have a little room after their flags."""

    name: str
    role: str  # seat, plain, own, known, now, ever
    shape: tuple[int, ...]
    start: int
    flags: bool = False

    @property
    def room(self) -> tuple[int, ...]:
        """The shape that it takes up."""
        return (*self.shape[:-1], -(-self.shape[-1] // EIGHT) * EIGHT) if self.flags else self.shape

    @property
    def width(self) -> int:
        return prod(self.room)

    def of(self, rows: np.ndarray) -> np.ndarray:
        """Its numbers in rows, in its shape; nothing is copied."""
        found = rows[..., self.start : self.start + self.width].reshape((*rows.shape[:-1], *self.room))
        return found[..., : self.shape[-1]] if self.flags else found


class Layout:
    """Where each field stands in the row of a game, and the source of the functions that write it."""

    def __init__(self, state: State, seats: int) -> None:
        self.state, self.seats = state, seats
        self.parts, self.width = _laid_out(state)
        self.dtype = np.dtype("i1")
        self.shown = [part for part in self.parts if part.role == "known"]
        self.places = sum(self._size(part) for part in self.shown)  # where something is shown and hidden again

    def _size(self, part: Part) -> int:
        """How many places a field has."""
        return prod(self.state.fields[part.name].shape)

    def named(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """The same numbers by name; nothing is copied."""
        return {part.name: part.of(rows) for part in self.parts}

    def source(self) -> str:
        """`observe`, `pack` and `expose` in the language of the rules; each mode has functions of its own, without questions in loops."""
        lines = ["from recollect.engine.observation import FLAGS", "", f"WIDTH, PLACES = {self.width}, {self.places}", "", "", OBSERVE]
        for mode, name in enumerate(MODES):
            lines += ["", "", f"def observe_{name}(s, seat, recall, out, eights):", *self._numbers(mode, self.parts)]
        lines += ["", "", PACK]
        for mode, name in enumerate(MODES[:CAPACITY]):
            lines += ["", "", f"def pack_{name}(s, seat, out, bits, more):"]
            plain = [part for part in self.parts if not part.flags]
            room = range(sum(part.width for part in plain), self.first_flag)
            lines += [*self._numbers(mode, plain), *(f"    out[{k}] = 0" for k in room), *self._packed(mode)]
        lines += ["", "", "def expose(s, seat, lit, recall):"]
        lines += [line for part in self.shown for line in self._expose(part)] or ["    pass"]
        return "\n".join(lines) + "\n\n\n" + PUSH

    def _numbers(self, mode: int, parts: list[Part]) -> list[str]:
        """All that these parts hold, number by number."""
        ordered = sorted(parts, key=lambda part: ORDER[mode].index(part.role))
        return [line for part in ordered for line in getattr(self, f"_{part.role}")(part, mode)]

    def _seat(self, part: Part, mode: int) -> list[str]:
        return ["    out[0] = seat"]

    def _plain(self, part: Part, mode: int, first: tuple[str, ...] = ()) -> list[str]:
        index, f = _indices(part.shape), self.state.fields[part.name]
        if f.of is not None:
            return self._eight_at_a_time(part, f, first)
        return _loops(part.shape, 1, f"out[{_at(part, index)}] = {_value(part.name, f, (*first, *index))}")

    def _eight_at_a_time(self, part: Part, f: Field, first: tuple[str, ...]) -> list[str]:
        """Flags of a set from a table, a byte of it at once; of copies, their sum."""
        assert f.of is not None
        outer, n = _indices(part.shape)[:-1], len(f.of)
        word = f"s.{part.name}[{', '.join((*first, *outer))}]" if (*first, *outer) else f"s.{part.name}"
        body = [f"word = {word}", f"at = ({_at(part, (*outer, '0'))}) >> 3"]
        for j in range(0, n, EIGHT):
            mask = (1 << min(EIGHT, n - j)) - 1
            flags = " + ".join(f"FLAGS[(word >> {j + copy * n}) & {mask}]" for copy in range(f.copies))
            body.append(f"eights[at + {j // EIGHT}] = {flags}")
        return _loops(part.shape[:-1], 1, *body)

    def _own(self, part: Part, mode: int) -> list[str]:
        return self._plain(part, mode, ("seat",))

    _now = _own

    def _known(self, part: Part, mode: int) -> list[str]:
        """What lies open, or was ever shown; beside what lies open, what a small memory holds."""
        f = self.state.fields[part.name]
        index = _indices(part.shape)
        mask = f.visibility.ever if mode == KNOWLEDGE else f.visibility.now
        place, shown = index[: len(f.shape)], self.state.fields[mask]
        flag, lines = _value(mask, shown, ("seat", *place)), list[str]()
        if shown.of is not None and len(place) == 1:  # read once: the compiler cannot tell that the row does not lie in the record
            flag, lines = f"(word >> {place[0]}) & 1", [f"    word = int(s.{mask}[seat])"]
        value, hidden = _value(part.name, f, index), _word(str(f.hidden), f, index[-1])
        lines += _loops(part.shape, 1, f"out[{_at(part, index)}] = (({value} ^ {hidden}) & -({flag})) ^ {hidden}")
        return lines + self._recalled(part) if mode == CAPACITY else lines

    def _recalled(self, part: Part) -> list[str]:
        """What a small memory holds, if the card still lies where it was seen."""
        f, n = self.state.fields[part.name], max(1, words(self.state.fields[part.name]))
        split, first = _split("p", f.shape), self._first(part)
        was_shown = _value(f.visibility.ever, self.state.fields[f.visibility.ever], ("seat", *split))
        return [
            "    for j in range(recall.shape[0]):",
            f"        p = int(recall[j, 0]) - {first}",
            f"        if 0 <= p < {self._size(part)}:",
            f"            if s.{part.name}[{', '.join(split)}] == recall[j, 1] and {was_shown} != 0:",
            *(f"                out[{part.start} + {n} * p + {k}] = {_word('recall[j, 1]', f, k)}" for k in range(n)),
        ]

    def _ever(self, part: Part, mode: int) -> list[str]:
        """Who has been shown what: of what is recalled; nothing of it in plain sight."""
        of = next(p for p in self.shown if self.state.fields[p.name].visibility.ever == part.name)
        index, f = _indices(part.shape), self.state.fields[of.name]
        if mode == KNOWLEDGE:
            return self._plain(part, mode)
        if mode == SIGHT and part.flags:
            return [f"    for i in range({part.width // EIGHT}):", f"        eights[{part.start // EIGHT} + i] = 0"]
        value = "0" if mode == SIGHT else _value(part.name, self.state.fields[part.name], index)
        if mode == CAPACITY:
            places = [(*index[1:], str(k)) for k in range(words(f))] or [index[1:]]
            hidden = [_word(str(f.hidden), f, k) for k in range(len(places))]
            value += " if " + " or ".join(f"out[{_at(of, at)}] != {h}" for at, h in zip(places, hidden, strict=True)) + " else 0"
        return _loops(part.shape, 1, f"out[{_at(part, index)}] = {value}")

    @property
    def first_flag(self) -> int:
        """Where the sets begin."""
        return min((part.start for part in self.parts if part.flags), default=self.width)

    def stretches(self, mode: int, copy: int = 0) -> dict[int, list[str]]:
        """What each stretch of 32 flags is, as one number: sets side by side. Those that are ever empty are not there."""
        found: dict[int, list[str]] = {}
        for part in self.parts:
            if part.flags and self.state.fields[part.name].copies > copy and not (part.role == "ever" and mode == SIGHT):
                for at, word in self._words(part, copy):
                    for k in range(at // STRETCH, (at + part.shape[-1] - 1) // STRETCH + 1):
                        up = at - STRETCH * k
                        found.setdefault(k, []).append(f"({word} << {up})" if up >= 0 else f"({word} >> {-up})")
        return dict(sorted(found.items()))

    def _words(self, part: Part, copy: int) -> Iterator[tuple[int, str]]:
        """Every set of a part: its place after the first flag, and its number."""
        f, n = self.state.fields[part.name], part.shape[-1]
        first = ("seat",) if part.role in ("own", "now") else ()
        for index in np.ndindex(*part.shape[:-1]):
            at = part.start - self.first_flag + sum(i * prod(part.room[k + 1 :]) for k, i in enumerate(index))
            of = ", ".join((*first, *map(str, index)))
            word = f"int(s.{part.name}[{of}])" if of else f"int(s.{part.name})"
            yield at, word if f.copies == 1 else f"(({word} >> {copy * n}) & {(1 << n) - 1})"

    def _packed(self, mode: int) -> list[str]:
        """Stretches of flags, one after the other; those of second copies apart."""
        return [
            f"    {name}[{j}] = {' | '.join(said)}"
            for copy, name in enumerate(("bits", "more"))
            for j, said in enumerate(self.stretches(mode, copy).values())
        ]

    def _first(self, part: Part) -> int:
        """The number of the first place of a field among all places where something is shown and hidden again."""
        return sum(self._size(other) for other in self.shown if other.start < part.start)

    def _expose(self, part: Part) -> list[str]:
        """What comes into the seat's sight is remembered; what lies there still is the same exposure."""
        f = self.state.fields[part.name]
        index = _indices(f.shape)
        now = _value(f.visibility.now, self.state.fields[f.visibility.now], ("seat", *index))
        place = " + ".join([str(self._first(part)), *(f"{prod(f.shape[k + 1 :])} * {i}" for k, i in enumerate(index))])
        face = f"s.{part.name}[{', '.join(index)}]"
        inner = [f"seen = {now}", f"if seen != 0 and lit[{place}] == 0:", f"    push(recall, {place}, {face})"]
        return _loops(f.shape, 1, *inner, f"lit[{place}] = seen")


EIGHT = 8  # flags are written at once
STRETCH = 32  # flags are one number, on a GPU
MODES = ("sight", "knowledge", "capacity")
SPREAD = np.array([[byte >> k & 1 for k in range(EIGHT)] for byte in range(256)], np.int8)  # a byte's flags
FLAGS = SPREAD.view(np.int64)[:, 0].copy()  # the same, as one number
PLAIN = ("seat", "plain", "own")
ORDER = {  # what lies open and what was ever shown say what is known; in a small memory what is known says what was ever shown
    SIGHT: (*PLAIN, "now", "known", "ever"),
    KNOWLEDGE: (*PLAIN, "now", "ever", "known"),
    CAPACITY: (*PLAIN, "now", "known", "ever"),
}
OBSERVE = f"""def observe(s, seat, mode, recall, out, eights):
    if mode == {SIGHT}:
        observe_sight(s, seat, recall, out, eights)
    elif mode == {KNOWLEDGE}:
        observe_knowledge(s, seat, recall, out, eights)
    else:
        observe_capacity(s, seat, recall, out, eights)"""
PACK = f"""def pack(s, seat, mode, out, bits, more):
    if mode == {SIGHT}:
        pack_sight(s, seat, out, bits, more)
    else:
        pack_knowledge(s, seat, out, bits, more)"""
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


def _laid_out(state: State) -> tuple[list[Part], int]:
    """Numbers first, then sets; and how long the row is: a multiple of eight, so that every row begins at one."""
    parts, at = list[Part](), 0
    for name, role, shape in sorted(_roles(state), key=lambda given: _is_set(state, given[0])):
        flags = _is_set(state, name)
        at = -(-at // EIGHT) * EIGHT if flags else at
        parts.append(Part(name, role, shape, at, flags))
        at += parts[-1].width
    return parts, -(-at // EIGHT) * EIGHT


def _is_set(state: State, name: str) -> bool:
    return name in state.fields and state.fields[name].of is not None


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
    fits = f.of is not None or f.dtype == "i1" or (f.values is not None and len(f.values) <= 127)
    return 0 if fits else -(-8 * np.dtype(f.dtype).itemsize // WORD)


def spread(f: Field) -> tuple[int, ...]:
    """The shape of a field in the row."""
    return (*f.shape, words(f)) if words(f) else f.spread


def _indices(shape: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"i{k}" for k in range(len(shape)))


def _at(part: Part, index: tuple[str, ...]) -> str:
    """The place of an element in the row."""
    steps = [prod(part.room[k + 1 :]) for k in range(len(part.room))]
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
        return _word(word, f, bit)
    return "(" + " + ".join(f"(({word} >> {bit if not copy else f'({bit} + {copy * len(f.of)})'}) & 1)" for copy in range(f.copies)) + ")"


def _word(number: str, f: Field, k: object) -> str:
    """The k-th word of a number; all of it where it fits."""
    return f"(({number} >> ({WORD} * {k})) & {(1 << WORD) - 1})" if words(f) else number


def _loops(shape: tuple[int, ...], depth: int, *body: str) -> list[str]:
    """The body inside a loop for each axis."""
    lines = []
    for k, size in enumerate(shape):
        lines.append(f"{'    ' * (depth + k)}for i{k} in range({size}):")
    return [*lines, *(f"{'    ' * (depth + len(shape))}{line}" for line in body)]
