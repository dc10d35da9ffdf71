"""What a seat may not see is covered in a copy of the record's bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial, reduce
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from recollect.engine.record import Field, State

Veil = Callable[[bytes, bytearray, int, bool], None]  # the record as it is, as it is seen, whose seat, all that it was ever shown


def veils(state: State) -> list[Veil]:
    """One for each field that not everyone may see."""
    return [veil(state, name, f) for name, f in state.fields.items() if f.visibility.kind != "everyone"]


def veil(state: State, name: str, f: Field) -> Veil:
    at, size = state.place_of(name)
    hidden = np.full(f.shape, f.hidden, f.dtype).tobytes()
    if f.visibility.kind == "nobody":
        return partial(from_all, slice(at, at + size), hidden)
    if f.visibility.kind == "owner":
        return partial(from_others, at, size // f.shape[0], slice(at, at + size), hidden)
    shown = {ever: Shown(state, mask) for ever, mask in ((True, f.visibility.ever), (False, f.visibility.now))}
    return partial(from_who_has_not_seen, slice(at, at + size), int.from_bytes(hidden, "little"), np.dtype(f.dtype).itemsize, shown)


def from_all(where: slice, hidden: bytes, was: bytes, out: bytearray, seat: int, ever: bool) -> None:
    out[where] = hidden


def from_others(at: int, each: int, where: slice, hidden: bytes, was: bytes, out: bytearray, seat: int, ever: bool) -> None:
    """Each seat has its own stretch of the field."""
    out[where] = hidden
    if seat >= 0:
        mine = slice(at + seat * each, at + (seat + 1) * each)
        if mine.stop > where.stop:
            raise IndexError(f"there is no seat {seat}")
        out[mine] = was[mine]


def from_who_has_not_seen(
    where: slice, hidden: int, each: int, shown: dict[bool, Shown], was: bytes, out: bytearray, seat: int, ever: bool
) -> None:
    """Number by number."""
    seen = spread(shown[ever].to(seat, was), each)
    there = int.from_bytes(was[where], "little")
    out[where] = (hidden ^ ((hidden ^ there) & seen)).to_bytes(where.stop - where.start, "little")


class Shown:
    """A field that says what each seat has been shown, or sees: one set a seat, or a flag for each number."""

    def __init__(self, state: State, name: str) -> None:
        self.at, size = state.place_of(name)
        self.field, self.seats = state.fields[name], state.fields[name].shape[0]
        self.each = size // self.seats

    def to(self, seat: int, was: bytes) -> int:
        """The set of numbers that the seat has been shown; a spectator what all have."""
        return self._to(seat, was) if seat >= 0 else reduce(int.__and__, [self._to(other, was) for other in range(self.seats)])

    def _to(self, seat: int, was: bytes) -> int:
        if seat >= self.seats:
            raise IndexError(f"there is no seat {seat}")
        found = was[self.at + seat * self.each : self.at + (seat + 1) * self.each]
        if self.field.of is not None and self.field.copies == 1 and len(self.field.shape) == 1:
            return int.from_bytes(found, "little")
        flags = self.field.flags(np.frombuffer(found, self.field.dtype).reshape(self.field.shape[1:]))
        return sum(1 << i for i, flag in enumerate(flags.ravel().tolist()) if flag)


@lru_cache(maxsize=8192)
def spread(some: int, each: int) -> int:
    """A set of numbers of so many bytes, as all the bits of them."""
    return sum((256**each - 1) << 8 * each * i for i in range(some.bit_length()) if some >> i & 1)
