"""Ends account for what they tell: each is checked against the match it tells of."""

from __future__ import annotations

import random
from typing import Any

import pytest

import recollect
from recollect.engine.look import Look
from recollect.engine.match import Match
from recollect.games.dejavu.rules.awakening import fragment_goals
from recollect.minds import mind
from recollect.table.render.ending import past
from recollect.table.render.prose import game_texts


def ended(name: str, players: int = 2, seed: str = "end", who: str = "sensible") -> tuple[Match, dict[str, Any]]:
    """A whole game, and its end as the first seat sees it."""
    game = recollect.load(name)
    match, rng, player = game.match(seed=seed, players=players), random.Random(1), mind(game, who)
    while not match.over:
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    extra = {"entry": None, "past": past(game, match.log, dict(match.positions()), 0)}
    names = ("Mila", "Ana", "Théo")[:players]
    return match, game.scene.scene(Look.of(match.moment, 0, names, game_texts(game, "en"), extra))


@pytest.mark.parametrize("seed", ["a", "b"])
def test_memoarrr_every_round_has_its_winner_and_all_the_others_fell(seed: str):
    match, page = ended("memoarrr", 3, seed)
    assert [x["winner"] for x in page["voyage"]] == list(match.state.owner)
    assert [x["rubies"] for x in page["voyage"]] == list(match.state.rubies)
    for x in page["voyage"]:
        assert {f["seat"] for f in x["fell"]} == {0, 1, 2} - {x["winner"]}


def test_ptibapt_a_stop_shows_the_table_as_it_was():
    _, page = ended("ptibapt")
    gone = 0
    for stop in page["journey"]["stops"]:
        cells = [c for c in stop["then"] if c]
        found = [c["face"]["name"] for c in cells if c["is"] == "found"]
        assert found == [stop["face"]["name"]] * len(stop["places"])
        assert sum(c["is"] == "gone" for c in cells) == gone, "what was found before is gone, nothing else"
        gone += len(found)
    assert any(c and c["is"] == "shown" for stop in page["journey"]["stops"] for c in stop["then"])


@pytest.mark.parametrize("players", [1, 2])
def test_vivid_an_aspiration_is_the_sum_of_its_parts(players: int):
    match, page = ended("vivid", players)
    for seat, dream in enumerate(page["dreams"]):
        assert sum(n * each for _, n, each in dream["parts"]) == match.state.aspired[seat]


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_dejavu_fragments_that_count_nothing_name_the_card_that_would_have_paid(seed: str):
    match, page = ended("dejavu", 2, seed, "random")
    s = match.state
    for seat in (0, 1):
        long, found = int(s.long[seat]), int(s.found[seat])
        more = max(int(fragment_goals(long | 1 << c, found)) for c in range(42)) - int(fragment_goals(long, found))
        for use in page["tables"][seat]["uses"]:
            assert use["points"] or (use["wanted"]["points"] if use["wanted"] else 0) == more
