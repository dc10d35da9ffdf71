"""What is drawn once is the same thing, and told from everything else by its mark."""

from __future__ import annotations

from recollect.engine.drawn import Drawn, drawn


def test_the_same_is_drawn_once_and_another_has_another_mark():
    asked = []

    @drawn
    def hexagon(n: int, lit: bool) -> dict[str, object]:
        asked.append((n, lit))
        return {"n": n, "lit": lit}

    one, same, other = hexagon(1, True), hexagon(1, True), hexagon(2, True)
    assert asked == [(1, True), (2, True)]
    assert one is same and one.mark == same.mark != other.mark
    assert one == {"n": 1, "lit": True}


def test_two_that_look_alike_are_two_things():
    one, other = Drawn({"n": 1}), Drawn({"n": 1})
    assert one == other and len({one, other}) == 2 and one.mark != other.mark


def test_no_mark_can_be_taken_for_a_text():
    assert Drawn({}).mark.startswith("\x02")
