"""Records: layout, opening, and who sees what."""

import random

import numpy as np
import pytest

from recollect.engine import EVERYONE, NOBODY, OWNER, Field, State, known
from recollect.engine.shelf import games, load

LAYOUT = State(
    turn=Field(EVERYONE),
    hand=Field(OWNER, 2, 3),
    bag=Field(NOBODY),
    card=Field(known("ever", "now"), ("a", "b")),
    ever=Field(EVERYONE, 2, 2, dtype="i1"),
    now=Field(EVERYONE, 2, 2, dtype="i1"),
)


def filled():
    record = LAYOUT.new()
    s = LAYOUT.open(record)
    s.turn, s.bag = 1, 9
    for seat in range(2):
        for i in range(3):
            s.hand[seat, i] = 10 * seat + i
    s.card[0], s.card[1] = 5, 6
    s.ever[0, 0] = s.ever[0, 1] = s.now[0, 1] = 1
    s.ever[1, 1] = s.now[1, 1] = 1
    return record


def test_a_field_must_say_who_sees_it():
    with pytest.raises(TypeError, match="who may see it"):
        Field(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["round", "take", "size", "sort"])
def test_names_of_numpy_are_refused(name):
    with pytest.raises(ValueError, match="attribute of NumPy"):
        State(**{name: Field(EVERYONE)})


def test_known_needs_its_masks():
    with pytest.raises(ValueError, match="'ever' must be a field of shape"):
        State(card=Field(known("ever", "now"), 2), ever=Field(EVERYONE, 2), now=Field(EVERYONE, 2, 2))


def test_opened_record_gives_ints_and_refuses_what_does_not_fit():
    s = LAYOUT.open(LAYOUT.new())
    s.turn = 7
    assert type(s.turn) is int and s.turn == 7
    with pytest.raises(ValueError):
        s.ever[0, 0] = 300
    with pytest.raises(IndexError):
        s.card[2] = 1
    with pytest.raises(AttributeError):
        s.nothing = 1


def test_opened_record_shares_the_memory_of_an_array():
    many = np.zeros(3, LAYOUT.dtype)
    LAYOUT.open(many[1:2]).card[1] = 4
    assert many["card"].tolist() == [[0, 0], [0, 4], [0, 0]]


@pytest.mark.parametrize(
    ("seat", "ever", "hand", "card"),
    [
        (0, False, [[0, 1, 2], [-1, -1, -1]], [-1, 6]),
        (0, True, [[0, 1, 2], [-1, -1, -1]], [5, 6]),
        (1, True, [[-1, -1, -1], [10, 11, 12]], [-1, 6]),
        (-1, False, [[-1, -1, -1], [-1, -1, -1]], [-1, 6]),
    ],
)
def test_masks(seat, ever, hand, card):
    out = LAYOUT.masked(filled(), seat, ever)
    assert out["hand"].tolist() == hand and out["card"].tolist() == card
    assert out["bag"] == -1 and out["turn"] == 1


def test_what_lies_in_rows_is_masked_row_by_row():
    """Each row of a mask begins at a byte of its own, however few it holds."""
    grid = State(card=Field(known("ever", "ever"), 4, 5), ever=Field(EVERYONE, 2, 4, of="abcde"))
    record = grid.new()
    record["card"] = np.arange(1, 21).reshape(4, 5)
    record["ever"][0] = [0, 0b11111, 0, 0b10000]
    assert grid.masked(record, 0, True)["card"].tolist() == [[-1] * 5, [6, 7, 8, 9, 10], [-1] * 5, [-1, -1, -1, -1, 20]]


def test_nobody_looks_from_a_seat_that_is_not_there():
    for seat in (2, 7):
        with pytest.raises(IndexError, match=f"no seat {seat}"):
            LAYOUT.masked(filled(), seat, False)


def test_what_is_shown_and_hidden_again_is_no_set():
    with pytest.raises(ValueError, match="not a set"):
        State(pile=Field(known("ever", "ever"), 3, of="abcd"), ever=Field(EVERYONE, 2, 3, 4))


def test_masking_leaves_the_record_alone():
    record = filled()
    LAYOUT.masked(record, 0, False)
    assert record.tobytes() == filled().tobytes()


def test_no_byte_of_a_record_is_padding():
    """Padding is not copied, so two equal records could differ in it."""
    layout = State(small=Field(EVERYONE, dtype="i1"), wide=Field(EVERYONE, dtype="i4"), odd=Field(EVERYONE, 3, dtype="i1"))
    assert layout.dtype.itemsize == sum(layout.dtype[name].itemsize for name in layout.dtype.names)
    assert all(layout.dtype.fields[name][1] % layout.dtype[name].base.itemsize == 0 for name in layout.dtype.names)


def covered(state: State, record: np.ndarray, seat: int, ever: bool) -> dict[str, list]:
    """What a seat sees of a record, number by number, as the fields say who may see them."""
    out = {}
    for name, f in state.fields.items():
        values, kind = record[name], f.visibility.kind
        if kind == "nobody":
            values = np.full_like(values, f.hidden)
        elif kind == "owner":
            values = np.array([own if k == seat else np.full_like(own, f.hidden) for k, own in enumerate(values)])
        elif kind == "known":
            shown = f.visibility.ever if ever else f.visibility.now
            flags = np.asarray(state.fields[shown].flags(record[shown])).astype(bool)
            values = np.where(flags[seat] if seat >= 0 else flags.all(axis=0), values, f.hidden)
        out[name] = values.tolist()
    return out


@pytest.mark.parametrize("name", games())
def test_what_a_seat_sees_is_what_the_fields_say(name: str):
    """Along random games of every variant: each seat, a spectator, in sight and ever; and read at once as one by one."""
    game, rng = load(name), random.Random(name)
    for options in game.variants()[:6]:
        match = game.match(seed="veil", **options)
        for _ in range(40):
            if match.over:
                break
            seat = rng.choice(sorted(match.moment.players))
            match.play(seat, rng.choice(match.legal(seat)))
            for viewer in range(-1, game.seats):
                for ever in (False, True):
                    seen = game.state.masked(match.record, viewer, ever)
                    expected = covered(game.state, match.record, viewer, ever)
                    assert {field: seen[field].tolist() for field in game.state.fields} == expected
                    fixed = game.state.fixed(seen)
                    read = {f: getattr(fixed, f) for f in game.state.fields}
                    assert {f: v.tolist() if isinstance(v, memoryview) else v for f, v in read.items()} == expected


def test_scalars_of_every_kind_are_read_at_once():
    kinds = ["i1", "i2", "i4", "i8", "u1", "u2"]
    layout = State(**{f"of_{kind}": Field(EVERYONE, dtype=kind) for kind in kinds}, row=Field(EVERYONE, 3))
    record = layout.new()
    for n, kind in enumerate(kinds):
        record[f"of_{kind}"] = 100 + n if kind[0] == "u" else -n - 1
    fixed = layout.fixed(record)
    assert [getattr(fixed, f"of_{kind}") for kind in kinds] == [-1, -2, -3, -4, 104, 105] and fixed.row.tolist() == [0, 0, 0]
    with pytest.raises(AttributeError, match="no field"):
        _ = fixed.nothing
