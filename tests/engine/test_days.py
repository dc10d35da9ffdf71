"""Days in words."""

from datetime import date

from recollect.engine.texts import day


def test_in_french_the_first_of_a_month_is_the_1er():
    first, eleventh = date(2026, 8, 1), date(2026, 8, 11)
    assert [day(when, "d MMMM", "fr") for when in (first, eleventh)] == ["1er août", "11 août"] and day(
        first, "medium", "fr"
    ) == "1er août 2026"
    assert day(first, "d MMMM", "en") == "1 August"
