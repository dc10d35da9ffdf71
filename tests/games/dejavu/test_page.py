"""What a seat sees of its own cards."""

from __future__ import annotations

import recollect
from recollect.engine.look import Look
from recollect.games.dejavu.page import scene
from recollect.table.render.page import Page, fragment
from recollect.table.render.prose import game_texts

GAME = recollect.load("dejavu")


def test_who_has_chosen_sees_the_hand_while_the_others_still_choose() -> None:
    match = GAME.match(players=3, seed="hand", first="first_seat")
    while 0 in match.acting:
        match.play(0, min(match.legal(0)))
    assert match.acting == {1, 2}
    for seat, cards in ((0, 3), (1, 0)):  # five lie large on the table of who chooses, and in no hand yet
        page = scene.scene(Look.of(match.moment, seat, ["Mila", "Ana", "Zoe"], game_texts(GAME, "en")))
        assert len(page["you"]["hand"]) == page["you"]["hand_count"] == cards
        assert bool(page["dealt"]) == (cards == 0)


def test_the_second_nebula_is_laid_beside_the_first_for_there_are_no_two_yet() -> None:
    match = GAME.match(players=2, seed="built", map="built")
    said = lambda: scene.scene(Look.of(match.moment, min(match.acting), ["Mila", "Ana"], game_texts(GAME, "en")))["say"]  # noqa: E731
    assert "beside the first" in said()
    match.play(min(match.acting), min(match.legal(min(match.acting))))
    assert "touch two others" in said()


def test_that_the_limit_comes_near_stands_above_the_question_too_for_small_screens_show_no_round() -> None:
    match = GAME.match(players=2, seed="late", rounds=30)
    while match.state.rounds < 1:
        seat = min(match.acting)
        match.play(seat, match.legal(seat)[0])

    def above() -> str:
        html = fragment(Page.of(match.moment, 0, [("Mila", None, False), ("Ana", None, False)], "en", extra={"entry": None}))
        return html.partition('id="say-text">')[2].partition("<span>")[0]

    said = {}
    for rounds in (25, 26, 30):
        match.state.rounds = rounds
        said[rounds] = above()
    assert said == {25: "", 26: "<small>round 26 of 30</small>", 30: "<small>round 30 of 30</small>"}
