"""Every lesson of every game is played to its end, by every right way, in both languages."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from recollect.engine.lesson import FIRST, PUPIL, Lesson, faults, lesson_of, lessons
from recollect.engine.shelf import games, load
from recollect.engine.stream import CHANCE
from recollect.engine.texts import LANGUAGES, flatten
from recollect.table.render.guide import Place, answer, compared, lesson_html, page_at, tried_html

ALL = [pytest.param(found, id=f"{game}-{name}") for game in games() for name, found in lessons(load(game)).items()]


@pytest.mark.parametrize("game", ["memoarrr", "ptibapt", "vivid", "dejavu"])
def test_every_game_teaches_itself(game: str) -> None:
    assert next(iter(lessons(load(game)))) == FIRST


@pytest.mark.parametrize("game", [game for game in games() if lessons(load(game))])
def test_lessons_say_the_same_in_both_languages(game: str) -> None:
    folder = load(game).folder / "lessons"
    en, fr = (flatten(tomllib.loads((folder / f"texts.{language}.toml").read_text(encoding="utf-8"))) for language in LANGUAGES)
    assert list(en) == list(fr)


@pytest.mark.parametrize("game", [game for game in games() if lessons(load(game))])
def test_every_lesson_is_told_of(game: str) -> None:
    files = {file.stem for file in (load(game).folder / "lessons").glob("*.toml") if not file.name.startswith("texts.")}
    assert set(lessons(load(game))) == files


@pytest.mark.parametrize("lesson", ALL)
def test_a_lesson_can_be_followed_to_its_end(lesson: Lesson) -> None:
    assert faults(lesson) == []
    assert 1 <= lesson.minutes <= 10
    assert not lesson.steps[-1].right, "the last step only says goodbye"


@pytest.mark.parametrize("lesson", ALL)
def test_every_draw_is_used(lesson: Lesson) -> None:
    drawn = [action for seat, action in lesson.at(len(lesson.steps)).log if seat == CHANCE]
    assert tuple(drawn[: len(lesson.draws)]) == lesson.draws


@pytest.mark.parametrize("lesson", ALL)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_a_page_and_every_wrong_action_an_answer(lesson: Lesson, language: str) -> None:
    for step in range(len(lesson.steps)):
        place = Place(lesson, step, (0,) * sum(len(done.right) > 1 for done in lesson.steps[:step]))
        html = lesson_html(place, "Mila", language)
        for action in place.now.offered:
            assert f'data-act="{action}"' in html, f"step {step + 1}: {lesson.game.actions.notation(action)} cannot be clicked"
        for id in place.now.lit:
            worn = id[1:-1].replace("=", '="') + '"' if id[0] == "[" else f'id="{id}"'
            assert worn in html, f"step {step + 1}: there is nothing called {id} on the page"
        others = [a for a in (*place.now.wrong, *place.match().legal(PUPIL), 0) if a not in place.now.right]
        assert all(answer(place, action, "Mila", language) for action in others[:8])


WRONG = [
    pytest.param(
        Place(lesson, n, (0,) * sum(len(done.right) > 1 for done in lesson.steps[:n])),
        action,
        id=f"{lesson.game.name}-{lesson.name}-{n + 1}-{action}",
    )
    for lesson in (param.values[0] for param in ALL)
    for n, step in enumerate(lesson.steps)
    for action in step.wrong
]


@pytest.mark.parametrize(("place", "action"), WRONG)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_asked_for_stands_beside_what_was_tried_and_differs(place: Place, action: int, language: str) -> None:
    looks = [
        page_at(place, match, "Mila", language).look for match in (place.match(), place.after(place.now.right[0]), place.after(action))
    ]
    both = compared(*looks)
    assert both and any(row.asked.words != row.tried.words for row in both.rows), "by the game's own facts it is no worse"
    html = tried_html(place, action, "Mila", language)
    for row in both.rows:
        assert row.what in html and row.asked.words in html and row.tried.words in html
    assert all(f'id="{id}"' in html for id in both.between)
    assert 'id="lesson-again"' in html and f'data-act="{action}"' not in html


@pytest.mark.parametrize("game", ["memoarrr", "ptibapt", "vivid", "dejavu"])
def test_every_game_answers_a_wrong_click_by_comparing(game: str) -> None:
    assert any(step.wrong for lesson in lessons(load(game)).values() for step in lesson.steps)


def test_a_lesson_that_the_rules_do_not_allow_is_found_out(tmp_path: Path) -> None:
    file = tmp_path / "first.toml"
    file.write_text(
        'minutes = 1\noptions = { first = "first_seat" }\n[[steps]]\nsay = "title"\nright = ["reveal a1"]\n[[steps]]\nsay = "about"\n'
    )
    with pytest.raises(ValueError, match="step 1"):
        faults(lesson_of(load("memoarrr"), file))
