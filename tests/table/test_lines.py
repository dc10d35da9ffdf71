"""The lines of a log: what a page says of them is said once, and is what it would say of them all at once."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from recollect.engine.drawn import once
from recollect.table.render import log
from recollect.table.render.lines import Lines, told

from .test_parts import room_of


def line(n: int):
    return once(n=n, text=f"line {n}", tone="")


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans()), max_size=12))
def test_a_log_that_grows_is_told_as_one_that_was_there_at_once(steps: list[tuple[int, bool]]):
    said: list[int] = []

    def say(one, nth: int) -> str:
        said.append(one["n"])
        return f"<{nth}: {one['text']}>"

    lines = Lines([])
    for many, asked in steps:
        lines = Lines([line(len(lines) + i) for i in reversed(range(many))], lines) if many else lines
        if asked:
            told(lines, say)
    whole = "".join(f"<{n + 1}: line {n}>" for n in reversed(range(len(lines))))
    assert told(lines, say) == whole
    if steps and all(asked for _, asked in steps):
        assert sorted(said) == list(range(len(lines))), "each line is said once"


def test_lines_that_are_left_out_still_count():
    lines = Lines([line(5), line(4)], left_out=4)
    assert told(Lines([line(6)], lines), lambda one, nth: f"{nth}:{one['n']} ") == "7:6 6:5 5:4 "


def test_a_long_log_keeps_its_newest_lines_and_their_numbers(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(log, "LINES", 10)
    monkeypatch.setattr(log, "MORE", 5)
    room, rng = room_of(tmp_path, "ptibapt"), random.Random(3)
    numbers: dict[int, int] = {}
    longest = cut = 0
    while True:
        seat = min(room.moment.acting)
        room.play(seat, rng.choice(sorted(room.moment.legal(seat))))
        if rng.random() < 0.1:
            room.log.forget()  # as after a restart, or when something was taken back
        if room.moment.over:  # then faces are told too, in lines of their own
            break
        lines = room.log.lines(0, "en", room.at)
        longest, cut = max(longest, len(lines)), max(cut, lines.left_out)
        for n, place in (text.split(":") for text in lines.told(lambda one, nth: f"{nth}:{one['n']} ").split()):
            assert numbers.setdefault(int(place), int(n)) == int(n), "a line keeps its number"
        assert [one["n"] for one in lines] == sorted(numbers, reverse=True)[: len(lines)], "the newest, all of them"
    assert 10 < longest <= 15 and cut > 0
