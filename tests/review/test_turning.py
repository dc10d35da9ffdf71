"""Turning points: where points were left, what was better, and nothing of it before the end."""

from __future__ import annotations

import random

import pytest

import recollect
from recollect.engine.match import Match
from recollect.minds import companions, mind
from recollect.review.turning import LEAST, Found, Judge, plans, turning_points, turns

pytestmark = pytest.mark.compiled  # the search
GAMES = ("vivid", "dejavu")


def played(name: str, who: str, seed: str = "turning") -> Match:
    game = recollect.load(name)
    match, rng = game.match(seed=seed, players=2), random.Random(seed)
    minds = [mind(game, who) for _ in range(2)]
    while not match.over:
        seat = min(match.acting)
        match.play(seat, minds[seat].choose(match.knowledge(seat), seat, match.legal(seat), rng))
    return match


@pytest.fixture(scope="module", params=GAMES)
def match(request: pytest.FixtureRequest) -> Match:
    return played(request.param, "random")


@pytest.fixture(scope="module")
def judged(match: Match) -> Found:
    return turning_points(match)


def test_only_games_of_planning_have_them() -> None:
    assert [name for name in recollect.game_names() if plans(recollect.load(name))] == ["dejavu", "vivid"]


def test_a_better_move_is_legal_and_worth_what_is_said(match: Match, judged: Found) -> None:
    found = judged.turnings
    judge = Judge(match.game)
    assert found and [t.place for t in found] == sorted(t.place for t in found)
    for t in found:
        record = match.at(t.place).record
        assert t.left >= LEAST and t.better[0] != t.played[0] and (t.seat, t.played[0]) == match.log[t.place]
        better = judge.follow(match.game.state.open(record.copy()), t.seat, t.better)
        assert better is not None, "each answer was legal, and chance drew nothing on the way"
        own = judge.follow(match.game.state.open(record.copy()), t.seat, t.played)
        assert own is not None and judge.rate(better, t.seat) - judge.rate(own, t.seat) >= t.left - 1e-9


def test_every_turn_is_one_seats_and_without_chance(match: Match) -> None:
    seen = list(turns(match))
    assert len(seen) > 20
    for turn in seen:
        places = [place for place, _, _ in turn.answers]
        assert all(match.log[place] == (turn.seat, action) for place, _, action in turn.answers) and places == sorted(places)


@pytest.mark.compiled("vivid")
def test_who_plays_as_the_judge_leaves_nothing() -> None:
    game = recollect.load("vivid")
    assert turning_points(played("vivid", companions(game)[-1])).turnings == []


def test_the_work_is_bounded(match: Match, judged: Found) -> None:
    few = turning_points(match, steps=1)
    assert not few.whole and len(few.turnings) <= len(judged.turnings)


def test_nothing_is_told_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        turning_points(recollect.load("vivid").match(seed="x", players=2))
