"""What a seat sees of its own cards."""

from __future__ import annotations

import recollect
from recollect.engine.look import Look
from recollect.games.dejavu.page import scene
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
