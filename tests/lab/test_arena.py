"""The arena: every game follows from the job, whoever plays it; what is said of the games is right."""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import random_match
from typer.testing import CliRunner

import recollect
from recollect.cli import app
from recollect.engine.match import Match, Refused
from recollect.engine.stream import CHANCE
from recollect.lab.arena import Job, make_job, play, play_games, play_through, standings
from recollect.lab.figures import figures, share_interval, shares, sittings
from recollect.minds import Random, Seated, mind, play_out

SAME = ["game", "rank", "points", "turns"]  # what must not depend on who plays; times do


def job(*minds: str, game: str = "memoarrr", games: int = 8, seed: int = 3, **options: object) -> Job:
    return make_job(recollect.load(game), minds, options, games, seed)


def played(job: Job, workers: int = 1) -> np.ndarray:
    return play(job, workers)[SAME]


def test_every_mind_sits_everywhere_over_the_same_deal():
    three = job("sensible", "random", "sensible", game="memoarrr", games=6)
    assert [three.sitting(i) for i in range(3)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert len({three.deal(i) for i in range(3)}) == 1 and three.deal(3) != three.deal(0)
    assert three.names == ["sensible", "random", "sensible-2"]


def test_more_minds_than_seats_meet_each_other_equally_often_over_the_same_deals():
    pairs = job("sensible", "random", "elephant", game="ptibapt", players=2)
    assert [pairs.sitting(i) for i in range(6)] == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert len({pairs.deal(i) for i in range(6)}) == 1


def test_fewer_minds_than_seats_play_several():
    four = job("sensible", "random", players=4)
    assert [four.sitting(i) for i in range(2)] == [(0, 1, 0, 1), (1, 0, 1, 0)]


def test_the_same_seed_gives_the_same_games_whoever_plays_them():
    once = played(job("sensible", "random"))
    assert (once == played(job("sensible", "random"), workers=2)).all()
    assert (once[2:4] == play_games(job("sensible", "random"), [2, 3])[SAME]).all(), "a game does not hang on those before it"
    assert (once != played(job("sensible", "random", seed=4))).any()


@pytest.mark.parametrize("game", ["memoarrr", "ptibapt"])
def test_a_game_of_the_arena_is_the_match_of_its_deal(game: str):
    two = job("sensible" if game == "memoarrr" else "elephant", "random", game=game, games=6)
    rows = play(two)
    for i in range(6):
        match = Match(two.rules, two.options, seed=two.deal(i))
        play_out(match, [mind(two.rules, two.minds[who]) for who in two.sitting(i)], f"{two.seed} {i}")
        assert (rows["points"][i].tolist(), rows["rank"][i].tolist()) == (match.scores(), match.ranking())
        assert rows["turns"][i].sum() == sum(seat != CHANCE for seat, _ in match.log)


def test_who_plays_what_is_not_legal_is_named():
    class Cheat(Random):
        name = "cheat"

        def choose(self, *asked: object) -> int:
            return 0 if asked[2] != [0] else 1  # type: ignore[comparison-overlap]

    one = job("random", "random", first="first_seat")
    with pytest.raises(Refused, match=r"cheat chose .* not legal"):
        play_through(one.rules, "deal", [Seated(one.rules, one.options, seat, Cheat()) for seat in range(2)])


@pytest.mark.compiled
def test_random_play_is_the_same_in_any_pieces_and_ranked_as_a_match_is():
    whole = job("random", "random", "random", games=300, mode="expert")
    rows = played(whole)
    assert (rows[120:180] == play_games(whole, range(120, 180))[SAME]).all()
    assert len(np.unique(rows[["points", "turns"]])) > 200, "every game is another"
    game = recollect.load("memoarrr")
    states = np.concatenate([game.match(seed=str(i), players=4).record.reshape(1) for i in range(3)])
    states["owner"][:, :3] = [[0, 1, 3], [1, 1, 2], [3, 2, 1]]
    states["rubies"][:, :3] = [[2, 2, 1], [1, 1, 2], [4, 4, 1]]
    rank, points = standings(game, states, 4)
    for i in range(3):
        standing = game.standing(game.state.open(states[i : i + 1]), 4)
        assert (rank[i].tolist(), points[i].tolist()) == (standing.ranking, standing.scores)


@pytest.mark.compiled("vivid")
def test_random_play_alone_is_ranked_beside_the_automa():
    ended = [random_match(recollect.load("vivid"), seed, players=1) for seed in range(12)]
    rank, points = standings(ended[0].game, np.concatenate([match.record.reshape(1) for match in ended]), 1)
    assert rank.tolist() == [match.ranking() for match in ended] and 2 in rank
    assert points.tolist() == [match.scores() for match in ended]


def test_shares_of_ranks():
    assert shares(np.array([[1, 2], [1, 1]])).tolist() == [[1, 0], [0.5, 0.5]]
    assert shares(np.array([[1, 2, 2, 4], [1, 1, 1, 1]])).tolist() == [[1, 0.5, 0.5, 0], [0.5] * 4]
    assert shares(np.array([[1], [2]])).tolist() == [[1], [0]], "alone, the automa came first in the second game"


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        luck = rng.normal(0, 0.6, 60).repeat(2)  # both games of a deal lean the same way
        values = (rng.normal(0, 1, 120) + luck > 0.3).astype(float)
        _, low, high = share_interval(values, np.arange(60).repeat(2))
        held += low < 0.3985 < high  # P(N(0, 1.36) > 0.3)
    assert 0.92 < held / 400 < 0.98


def test_a_mind_that_never_loses_has_an_interval_all_the_same():
    mean, low, high = share_interval(np.ones(20), np.arange(10).repeat(2))
    assert mean == high == 1 and 0.7 < low < 0.9


def test_figures_count_each_mind_at_whichever_seat_it_sat():
    two = job("sensible", "random", games=10)
    rows = play(two)
    said, sat = figures(two, rows), sittings(two, rows)
    sensible = rows["points"][sat == 0]
    assert said["minds"]["sensible"]["points"] == pytest.approx(sensible.mean())
    assert said["minds"]["sensible"]["share"] + said["minds"]["random"]["share"] == pytest.approx(1)
    assert said["minds"]["sensible"]["share"] > 0.9, "who remembers beats who does not"
    assert said["games"] == 10 and sum(m["wins"] for m in said["minds"].values()) == 10


def test_the_command_prints_json():
    answer = CliRunner().invoke(app, ["arena", "memoarrr", "sensible", "random", "--games", "4", "--seed", "1", "--json"])
    assert answer.exit_code == 0, answer.output
    said = json.loads(answer.stdout)
    assert said["game"] == "memoarrr" and said["games"] == 4
    assert {"share", "low", "high", "points"} <= said["minds"]["random"].keys()


def test_a_mind_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="nobody called 'clever' plays memoarrr; there are random, sensible"):
        job("clever", "random")
