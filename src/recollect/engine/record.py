"""A state is one flat record; every field of it says who may see it."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from recollect.engine.veil import Veil, veils

SPECTATOR = -1  # a seat that is none: sees what every seat sees


@dataclass(frozen=True)
class Visibility:
    """Who may see a field: `everyone`, `owner` (first axis is the seat), `nobody`, or those who `known` says."""

    kind: str
    ever: str = ""  # known: the field [seat, ...] of what a seat has been shown at some time
    now: str = ""  # known: the field [seat, ...] of what lies in a seat's sight


EVERYONE = Visibility("everyone")
OWNER = Visibility("owner")
NOBODY = Visibility("nobody")


def known(ever: str, now: str) -> Visibility:
    """Seen by those for whom `now` is set, remembered by those for whom `ever` is."""
    return Visibility("known", ever, now)


Axis = int | Sequence[str]
# types of numbers as `struct` writes them
LETTERS = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "?", "f4": "f", "f8": "d"}


@dataclass(frozen=True)
class Field:
    """One field of a record. An axis is a length or a tuple of labels; `values` are labels of the numbers stored.
    With `of`, each number is a set of these labels: label i is in it when bit i is set. With `copies` a label may be in it
    more than once: of n labels, i is there a second time when bit n + i is set too."""

    visibility: Visibility
    axes: tuple[Axis, ...]
    dtype: str
    values: Sequence[str] | None
    hidden: int
    of: Sequence[str] | None
    copies: int

    def __init__(
        self,
        visibility: Visibility,
        *axes: Axis,
        dtype: str = "i2",
        values: Sequence[str] | None = None,
        hidden: int = -1,
        of: Sequence[str] | None = None,
        copies: int = 1,
    ) -> None:
        if not isinstance(visibility, Visibility):
            raise TypeError("a field's first argument says who may see it: EVERYONE, OWNER, NOBODY or known(ever, now)")
        if of is not None:
            most = len(of) * copies
            dtype, hidden = next((kind for kind in ("i1", "i2", "i4") if most < 8 * int(kind[1])), "i8"), 0
            if most > 63:
                raise ValueError(f"a set of {most}: at most 63 fit in a number")
        given = {"visibility": visibility, "axes": axes, "dtype": dtype, "values": values, "hidden": hidden, "of": of, "copies": copies}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(axis if isinstance(axis, int) else len(axis) for axis in self.axes)

    def flags(self, values: np.ndarray) -> np.ndarray:
        """Sets spread out, one flag (of copies: how many) a label; what is no set is as it is."""
        if self.of is None:
            return values
        if np.ndim(values) == 0:
            return flags_of(int(values), len(self.of), self.copies)
        digits = (np.asarray(values)[..., None] >> places(len(self.of) * self.copies)) & 1
        return digits if self.copies == 1 else np.asarray(digits.reshape(*digits.shape[:-1], self.copies, -1).sum(axis=-2))

    def gathered(self, flags: np.ndarray) -> np.ndarray:
        """The sets with these flags: `flags` the other way."""
        there = np.concatenate([flags > copy for copy in range(self.copies)], axis=-1)
        return np.asarray((there.astype(np.int64) << np.arange(there.shape[-1])).sum(axis=-1))

    @property
    def spread(self) -> tuple[int, ...]:
        """The shape of its flags."""
        return self.shape if self.of is None else (*self.shape, len(self.of))


@lru_cache(maxsize=4096)
def flags_of(one: int, n: int, copies: int) -> np.ndarray:
    """One set spread out: most are asked for again and again."""
    flags = np.asarray((one >> places(n * copies) & 1).reshape(copies, n).sum(axis=0))
    flags.setflags(write=False)
    return flags


@lru_cache(maxsize=64)
def places(n: int) -> np.ndarray:
    """The digits of a number, by place."""
    return np.arange(n)


class Views(dict[str, memoryview]):
    """The fields of a record, each opened when it is first read: few are, by one who looks."""

    def __init__(self, record: np.ndarray) -> None:
        self.record = record

    def __missing__(self, name: str) -> memoryview:
        view = self[name] = memoryview(self.record[name])  # type: ignore[arg-type]
        return view


class Opened:
    """A record opened for plain Python: scalars are ints, arrays are memoryviews that check range and index."""

    __slots__ = ("_views", "record")
    layout: State
    record: np.ndarray
    _views: Views

    def __init__(self, record: np.ndarray) -> None:
        self.record = record
        self._views = Views(record)

    def __getattr__(self, name: str) -> Any:  # an array that is read for the first time; scalars are properties
        if name not in self.layout.fields:
            raise AttributeError(f"the record has no field {name!r}")
        setattr(self, name, self._views[name])
        return getattr(self, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opened) and self.record.tobytes() == other.record.tobytes()

    def __hash__(self) -> int:
        return hash(self.record.tobytes())

    def __repr__(self) -> str:
        return "<" + ", ".join(f"{name}={self.record[name].tolist()}" for name in self.layout.fields) + ">"


class Fixed(Opened):
    """A record that nobody changes any more: its scalars are read all at once, and nothing is kept for them but their values."""

    __slots__ = ()

    def __init__(self, record: np.ndarray) -> None:
        self.record = record

    def __getattr__(self, name: str) -> Any:
        if name not in self.layout.fields:
            raise AttributeError(f"the record has no field {name!r}")
        if name in self.layout.arrays:
            setattr(self, name, memoryview(self.record[name]))  # type: ignore[arg-type]
        else:
            names, read = self.layout.scalars
            for scalar, value in zip(names, read(self.record), strict=True):
                setattr(self, scalar, value)
        return getattr(self, name)


def _scalar(name: str) -> property:
    return property(lambda self: self._views[name][()], lambda self, value: self._views[name].__setitem__((), value))


def _packed(fields: Mapping[str, Field]) -> np.dtype:
    """Wide fields first, so that none is out of line; what fills the last word is a field too: no byte is without a meaning."""
    wide_first = sorted(fields.items(), key=lambda item: -np.dtype(item[1].dtype).itemsize)
    parts: list[Any] = [(name, f.dtype, f.shape) if f.axes else (name, f.dtype) for name, f in wide_first]
    spare = np.dtype(parts, align=True).itemsize - np.dtype(parts).itemsize
    return np.dtype([*parts, ("spare_", "i1", (spare,))] if spare else parts, align=True)


@dataclass
class State(Mapping[str, Field]):
    """The layout of a game's record."""

    fields: dict[str, Field]
    dtype: np.dtype = field(init=False)

    def __init__(self, **fields: Field) -> None:
        self.fields = fields
        for name, f in fields.items():
            self._check(name, f)
        self.dtype = _packed(fields)
        self.arrays = frozenset(name for name, f in fields.items() if f.axes)  # these are read as they are; a scalar is read anew each time
        scalars = {name: _scalar(name) for name, f in fields.items() if not f.axes}
        self._opened: type[Opened] = type("Record", (Opened,), {"__slots__": self.arrays, "layout": self, **scalars})
        self._fixed: type[Opened] = type("Fixed", (Fixed,), {"__slots__": tuple(fields), "layout": self})

    def _check(self, name: str, f: Field) -> None:
        if hasattr(np.ndarray, name):
            raise ValueError(f"field {name!r}: the name is an attribute of NumPy arrays; choose another")
        if f.visibility.kind == "owner" and not f.axes:
            raise ValueError(f"field {name!r}: OWNER needs the seat as first axis")
        if f.visibility.kind == "known":
            if f.of is not None:
                raise ValueError(f"field {name!r}: what is shown and hidden again is a number in its place, not a set")
            for mask in (f.visibility.ever, f.visibility.now):
                if mask not in self.fields or self.fields[mask].spread[1:] != f.shape:
                    raise ValueError(f"field {name!r}: {mask!r} must be a field of shape (seats, *{f.shape})")

    def __getitem__(self, name: str) -> Field:
        return self.fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    @cached_property
    def scalars(self) -> tuple[tuple[str, ...], Callable[[Any], tuple[int, ...]]]:
        """The fields that are one number each, and how all of them are read from a record."""
        names = tuple(sorted((name for name in self.fields if name not in self.arrays), key=lambda name: self.place_of(name)[0]))
        said, end = "=", 0
        for at, size, name in ((*self.place_of(name), name) for name in names):
            said, end = f"{said}{at - end}x{LETTERS[np.dtype(self.fields[name].dtype).str[1:]]}", at + size
        return names, struct.Struct(said).unpack_from

    @cached_property
    def layout(self) -> str:
        """Names how the bytes are read: changes with any field, its type, its axes or its labels."""
        said = [(name, f.dtype, list(f.axes), list(f.values or ()), list(f.of or ())) for name, f in self.fields.items()]
        return hashlib.sha256(str(said).encode()).hexdigest()[:16]

    @cached_property
    def secret(self) -> list[tuple[str, Field]]:
        """The fields that not everyone may see."""
        return [(name, f) for name, f in self.fields.items() if f.visibility.kind != "everyone"]

    @cached_property
    def sights(self) -> list[slice]:
        """Where in a record's bytes it stands what lies in each seat's sight."""
        fields = [self.place_of(f.visibility.now) for f in self.fields.values() if f.visibility.kind == "known"]
        return [slice(at, at + size) for at, size in fields]

    def place_of(self, name: str) -> tuple[int, int]:
        """The place and size of a field, in bytes."""
        kind, at = self.dtype.fields[name][:2]  # type: ignore[index]
        return int(at), int(kind.itemsize)

    def new(self) -> np.ndarray:
        """One record, all zero."""
        return np.zeros((), self.dtype)

    def copy(self, record: np.ndarray) -> np.ndarray:
        """The same bytes; NumPy's own copy leaves chance bytes between the fields, and equality is bytes."""
        return np.frombuffer(bytearray(record.tobytes()), self.dtype).reshape(())

    def open(self, record: np.ndarray) -> Opened:
        """The record as rule functions read it in plain Python; it shares the record's memory."""
        return self._opened(record.reshape(()))

    def fixed(self, record: np.ndarray) -> Opened:
        """A record that nobody changes any more: scalars too are read once."""
        return self._fixed(record.reshape(()))

    @cached_property
    def _veils(self) -> list[Veil]:
        return veils(self)

    def masked(self, record: np.ndarray, seat: int, ever: bool) -> np.ndarray:
        """A copy without what `seat` has never been shown (ever) or does not see now."""
        was = record.tobytes()
        out = bytearray(was)
        for cover in self._veils:
            cover(was, out, seat, ever)
        return np.frombuffer(out, self.dtype).reshape(())
