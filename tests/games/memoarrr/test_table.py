"""Memoarrr! at the table: what is written on the card that was turned last, and to whom the page speaks."""

from __future__ import annotations

import pytest

from recollect.engine import position
from recollect.engine.shelf import load
from recollect.table.render.page import Page, fragment
from recollect.terminal import look_of, sketch_of

GAME = load("memoarrr")
STATE = {"stage": "turn", "side": ["north", "east", "south", "west"], "rounds": 1, "pile": 3, "top": 0, "in_game": [1, 1, 1]}
OPENED = ("0 reveal a1", "chance deal penguin-ocean")
LINKED = (*OPENED, "1 reveal b1", "chance deal penguin-jungle")
MISSED = (*OPENED, "1 reveal b1", "chance deal octopus-jungle", "chance volcano 1")
NAMES = ("Tom", "Élise", "Zoé", "Noor")


def page(match, seat, **more):
    people = [(name, None, False) for name in NAMES[: match.players]]
    entry = [made for made in match.log if made[0] < 6][-1]
    return fragment(Page.of(match.moment, seat, people, extra={"entry": entry}, **more))


def at(play, players=4, **state):
    return position.stand(GAME, {"options": {"players": players, "first": "first_seat"}, "state": {**STATE, **state}, "play": list(play)})


@pytest.mark.parametrize(("play", "badge"), [(OPENED, "</svg>link</em>"), (LINKED, "</svg>link</em>"), (MISSED, '">no link</em>')])
@pytest.mark.parametrize("seat", [-1, 0, 1, 2])
def test_the_card_to_link_with_says_so_and_a_miss_says_that(play, badge, seat):
    html = page(at(play), seat)
    assert html.count("<em") == 1 and badge in html
    assert ("missed" in html.split('id="place-b1"')[0].rsplit("<button", 1)[1]) == (play is MISSED)


def test_a_miss_is_told_to_each_in_their_words():
    match = at(MISSED)
    assert "No link: you are out of this round</small>" in page(match, 1)
    assert "Élise’s card did not link · Your turn" in page(match, 2)
    assert "Élise’s card did not link</small>" in page(match, 0)
    assert "did not link" not in page(at(LINKED), 2) and "No link" not in page(at(LINKED), 1)


def test_the_card_that_ended_the_round_says_why_and_no_card_is_left_to_link_with():
    match = at(MISSED[:-1], players=2, side=["north", "east", -1, -1], pile=1, in_game=[1, 0, 0])
    html = page(match, 0)
    assert html.count("<em") == 1 and "no link" in html and "Élise’s card did not link" in html
    assert "</svg>link</em>" not in html and " last" not in html.split('class="grid"')[1].split('class="dock')[0]
    assert "Last one standing: you take a treasure. Look well!" in html
    assert 'It did not link"' in html, "no next card has to link with it"
    assert "Last one standing: Tom takes" in page(match, 0, shared=True)


def test_after_the_last_round_nobody_is_told_to_look_well():
    match = at(MISSED[:-1], players=2, side=["north", "east", -1, -1], pile=1, in_game=[1, 0, 0], rounds=6)
    assert "you take the last treasure." in page(match, 0) and "Look well" not in page(match, 0)


def test_a_shared_screen_calls_the_player_by_name():
    match = at(LINKED)
    assert "<small>Your turn</small>" in page(match, 2)
    shared = page(match, 2, shared=True)
    assert "Your turn" not in shared and "<small>Zoé</small>" in shared


def test_birds_are_on_the_volcanoes_and_named():
    match = at(MISSED, top=2)  # the one with seven
    lost = page(match, 2).split('id="volcano-1"')[1].split("</i>")[0]
    assert lost.count('class="bird"') == 7 and 'aria-label="out this round, 7 birds"' in lost
    assert "a volcano of 7 birds" in sketch_of(look_of(match, 2, list(NAMES)))


@pytest.mark.parametrize("seat", [-1, 0, 2])
@pytest.mark.parametrize(
    ("language", "top"),
    [("en", "The top one has 7 birds: who holds the most"), ("fr", "Celui du dessus a 7 oiseaux\u00a0: qui en tient le plus")],
)
def test_birds_are_on_the_pile_and_named(seat, language, top):
    piles = page(at(OPENED, top=2), seat, language=language).split('id="place-c3"')[1].split("</div>")[0]
    title = piles.split('id="fire"')[1].split(">")[0]
    assert piles.count('class="bird"') == 7 and top in title and top in piles.split('id="hoard"')[0]


def test_no_birds_are_named_where_no_volcano_is_left():
    match = at(MISSED[:-1], players=2, side=["north", "east", -1, -1], pile=1, in_game=[1, 0, 0])
    assert "The top one has" not in page(match, 0) and match.view(0).top < 0
