"""Sets as the bits of a number, plain and compiled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import recollect
from recollect.engine import EVERYONE, Field, State, known, member, sets, size
from recollect.engine.position import forge, stand

MEMOARRR = recollect.load("memoarrr")
some_sets = st.sets(st.integers(0, 62))


def bits(members: set[int]) -> int:
    return sum(1 << i for i in members)


@given(some_sets)
def test_size_and_members_of_any_set(members: set[int]):
    some = bits(members)
    assert size(some) == len(members)
    assert [member(some, k) for k in range(len(members))] == sorted(members)
    assert list(sets.members(some, 3)) == [3 + i for i in sorted(members)]


@pytest.mark.compiled
def test_compiled_as_plain():
    fast = MEMOARRR.fast
    rng = np.random.default_rng(5)
    for width in (1, 2, 7, 25, 31, 32, 33, 48, 63):
        for some in rng.integers(1, 2**width, 200, dtype=np.int64, endpoint=False) if width > 1 else [1]:
            some = int(some)
            assert fast.size(some) == size(some) == some.bit_count()
            assert [fast.member(some, k) for k in range(size(some))] == [member(some, k) for k in range(size(some))]


def test_a_field_of_a_set_hides_and_shows_as_flags_do():
    places = ("a", "b", "c")
    state = State(card=Field(known("known", "sight"), places), known=Field(EVERYONE, 2, of=places), sight=Field(EVERYONE, 2, of=places))
    record = state.new()
    record["card"], record["known"], record["sight"] = [4, 5, 6], [0b011, 0b110], [0b001, 0b000]
    assert state.masked(record, 0, ever=True)["card"].tolist() == [4, 5, -1]
    assert state.masked(record, 0, ever=False)["card"].tolist() == [4, -1, -1]
    assert state.masked(record, 1, ever=True)["card"].tolist() == [-1, 5, 6]
    assert state.masked(record, -1, ever=True)["card"].tolist() == [-1, 5, -1], "a spectator: what all have seen"


def test_a_set_must_fit_in_a_number_and_its_places_must_match():
    with pytest.raises(ValueError, match="at most 63"):
        Field(EVERYONE, of=tuple(map(str, range(64))))
    with pytest.raises(ValueError, match="known"):
        State(card=Field(known("known", "known"), 4), known=Field(EVERYONE, 2, of=("a", "b")))


@pytest.mark.parametrize(
    ("value", "places"),
    [(["a1", "c2"], {"a1", "c2"}), ([], set()), ({"b1": 1, "a1": 0}, {"b1", "e5"}), ([1, 1] + [0] * 23, {"a1", "b1"}), (0, set())],
)
def test_a_position_says_sets_in_words(value, places):
    match = MEMOARRR.match(first="first_seat")
    labels = MEMOARRR.state.fields["up"].of
    match.state.up = 1 << labels.index("e5") | 1 << labels.index("a1")
    forge(MEMOARRR, match.record, "up", value)
    assert {label for i, label in enumerate(labels) if match.state.up >> i & 1} == places


@pytest.mark.parametrize(
    ("value", "says"), [(["z9"], "no place 'z9'"), ({"a1": 2}, r"up: .*\(1\) or not \(0\)"), ([1, 0], "2 values for 25 places")]
)
def test_a_wrong_set_is_said(value, says):
    with pytest.raises(ValueError, match=says):
        stand(MEMOARRR, {"state": {"up": value}})
