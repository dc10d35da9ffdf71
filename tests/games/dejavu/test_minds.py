"""Who plays Déjà Vu: what a position is worth, and companions that plan their turn."""

from __future__ import annotations

import random

import numpy as np
import pytest
from conftest import random_match

import recollect
from recollect.engine import position
from recollect.games.dejavu import worth
from recollect.games.dejavu.components import CARDS, FRAGMENTS
from recollect.games.dejavu.mind import LEVELS, imagined
from recollect.games.dejavu.rules.layout import STAGES
from recollect.minds import companions, mind

GAME = recollect.load("dejavu")
W = np.array(worth.WEIGHTS)


def standing(**state):
    """A position in the middle of a game, seat 0 building."""
    given = {"rounds": 3, "stage": "build", "sown": 1, "strolled": 1, **state}
    return position.stand(GAME, {"options": {"players": 2}, "state": given}).state


def test_the_four_companions_sit_down():
    assert companions(GAME) == ["goldfish", "parrot", "dolphin", "elephant"] == list(LEVELS)


def test_points_are_worth_themselves():
    few, many = standing(tokens=[3, 0, 0, 0]), standing(tokens=[10, 0, 0, 0])
    assert worth.worth(many, 0, W) - worth.worth(few, 0, W) == pytest.approx(7)


def test_bits_that_complete_a_white_common_are_worth_more_than_others():
    shapes = ("sun", "moon", "star", "lightning", "raindrop")
    each = standing(own={0: {f"red-{shape}": 1 for shape in shapes} | {"blue-sun": 1}}, found={0: ["down-1", "down-2", "down-3"]})
    without = standing(own={0: {f"red-{shape}": 1 for shape in shapes[:4]} | {"blue-sun": 1, "blue-moon": 1}})
    covered = [worth.covers(worth.shapes_of(s.own[0]), s.own[0].bit_count(), CARDS.index("white-1"), 0) for s in (each, without)]
    assert covered == [True, False]
    assert worth.built(each, 0, each.own[0], 1.0, 0.0, W) > 15 > worth.built(without, 0, without.own[0], 1.0, 0.0, W)


def test_a_common_card_that_is_being_built_promises_no_less_with_every_bit_that_is_laid():
    """It cannot stay unfinished, but half of it lies there already: what is left has to cover the rest alone."""
    bits = [f"red-{shape}" for shape in ("sun", "moon", "star", "lightning", "raindrop")] + ["blue-sun"]
    found = {0: ["down-1", "down-2", "down-3"]}
    begun = [
        standing(own={0: dict.fromkeys(bits[n:], 1)}, found=found, short={0: {0: "white-1"}}, laid={0: {0: dict(enumerate(bits[:n]))}})
        for n in range(6)
    ]
    assert [worth.built(s, 0, s.own[0], 1.0, 0.0, W) for s in begun] == pytest.approx(
        [worth.built(begun[0], 0, begun[0].own[0], 1.0, 0.0, W)] * 6
    )


def test_a_run_to_come_makes_the_next_fragment_worth_more():
    one, two = standing(found={0: ["up-1"]}), standing(found={0: ["up-1", "up-2"]})
    other = standing(found={0: ["up-1", "up-3"]})
    assert worth.worth(two, 0, W) > worth.worth(other, 0, W) > worth.worth(one, 0, W)


@pytest.mark.parametrize("long", [[], ["white-2"]])
def test_a_flower_is_worth_less_than_the_fragment_that_it_brings(long):
    """Else companions would keep their flowers and never plant them."""
    lie = {"fragment": {tile: FRAGMENTS[tile] for tile in range(15)}, "long": {0: long}}
    before = standing(circle=[1, 0, 0, 0], found={0: ["up-1"]}, **lie)
    after = standing(circle=[0, 0, 0, 0], found={0: ["up-1", "up-2"]}, **lie)
    assert 0 < worth.flower_worth(before, 0, 1.0, W) < worth.worth(after, 0, W) - worth.worth(standing(found={0: ["up-1"]}, **lie), 0, W)
    assert worth.worth(after, 0, W) > worth.worth(before, 0, W)


def test_bits_left_over_are_a_flower_or_lie_in_chests_whichever_is_better():
    left = standing(own={0: {"red-sun": 2, "blue-sun": 1}}, stage="build")
    chest = W[worth.BIT]
    assert worth.laid_out(left, 0, left.own[0], 1.0, 0.0, W) == pytest.approx(chest)
    assert worth.laid_out(left, 0, left.own[0], 1.0, 2.0, W) == pytest.approx(2.0)


def test_in_the_last_turn_only_points_count():
    """What cannot be finished any more is worth nothing."""
    begun = {"short": {0: {0: "blue-2"}}, "laid": {0: {0: {0: "blue-moon", 1: "blue-star"}}}}
    early, last = standing(**begun), standing(**begun, awake=1, long={1: [c for c in CARDS[:10]]})
    plain = standing(awake=1, long={1: [c for c in CARDS[:10]]})
    assert worth.worth(early, 0, W) > worth.worth(standing(), 0, W) + 1
    assert worth.worth(last, 0, W) == pytest.approx(worth.worth(plain, 0, W))


def test_an_imagined_record_is_a_whole_one_and_shows_the_seat_the_same():
    """Sixty ordinary cards, no second copy with one player, and nothing of what the seat sees has changed."""
    for stop, players in ((60, 3), (200, 3), (400, 3), (700, 4), (900, 4), (1100, 4)):  # late, when the deck is nearly empty, too
        match = random_match(GAME, stop, stop=stop, players=players)
        for seat in range(players):
            k = match.knowledge(seat)
            whole = imagined(GAME, k)
            assert GAME.knowledge(whole.record, seat) == k
            assert whole.deck.bit_count() == match.state.deck_count
            assert [hand.bit_count() for hand in whole.hand] == list(match.state.hand_count)


def asked(level: str, at: str, stop: int) -> None:
    """The companion answers legally, and alike whatever the others hold."""
    match = random_match(GAME, stop, stop=stop, players=2)
    while STAGES[match.state.stage] != at and not match.over:
        seat = min(match.acting)
        match.play(seat, random.Random(len(match.log)).choice(match.legal(seat)))
    seat = min(match.acting)
    again = GAME.state.copy(match.record)
    GAME.rules.redeal(GAME.state.open(again), seat, np.array([9], np.int64))
    legal = match.legal(seat)
    one, other = (mind(GAME, level).choose(GAME.knowledge(r, seat), seat, legal, random.Random(3)) for r in (match.record, again))
    assert one == other and one in legal


@pytest.mark.compiled
@pytest.mark.parametrize("level", LEVELS)
def test_a_companion_knows_no_more_than_its_seat(level):
    for n, at in enumerate(("morning", "sow", "build", "discard")):
        asked(level, at, 70 + 40 * n)
