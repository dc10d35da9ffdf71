"""Ends account for what they tell: each is checked against the match it tells of."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

import recollect
from recollect.engine import CHANCE
from recollect.engine.look import Look
from recollect.engine.match import Match
from recollect.engine.sets import members
from recollect.games.dejavu.components import RUN_GOALS, SET_GOALS, VALUES
from recollect.games.dejavu.page.ended import uses
from recollect.games.dejavu.rules.awakening import fragment_goals
from recollect.games.ptibapt.page.journey import walked
from recollect.games.ptibapt.rules import COLOUR, RED
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


def test_ptibapt_who_took_one_pair_did_not_miss_the_other():
    """Two pairs lie there for all to see; each takes one."""
    game = recollect.load("ptibapt")
    match = game.match(starts="first", greens=2, golds=0, reds=1, auto_chance=False)
    shown = ("0 turn a1", "chance deal shoe", "0 turn b1", "chance deal tree", "0 turn_back")
    more = ("1 turn c1", "chance deal tree", "1 turn a2", "chance deal shoe", "1 turn_back")
    for said in (*shown, *more, "0 turn a1", "0 turn a2", "0 keep", "1 turn b1", "1 turn c1", "1 keep"):
        who, _, words = said.partition(" ")
        match.play(CHANCE if who == "chance" else int(who), words)
    extra = {"entry": None, "past": past(game, match.log, dict(match.positions()), 0)}
    page = game.scene.scene(Look.of(match.moment, 0, ("Mila", "Ana"), game_texts(game, "en"), extra))
    assert page["journey"]["missed"] == [0, 0]


@pytest.mark.parametrize("bonus", [False, True])
def test_ptibapt_the_walk_comes_home_with_the_points_that_count(bonus: bool):
    """Also where a gift has passed a red card on."""
    game, rng, player, given = recollect.load("ptibapt"), random.Random(1), mind(recollect.load("ptibapt"), "sensible"), 0
    for seed in range(12):
        match = game.match(seed=f"home {seed}", bonus=bonus, stalemate=False)
        while not match.over:
            seat = min(match.acting)
            match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
        stops = walked(past(game, match.log, dict(match.positions()), 0)).stops
        assert stops[-1]["score"] == list(match.standing().scores)
        for before, stop in pairwise(stops):
            changed = {seat for seat in (0, 1) if before["score"][seat] != stop["score"][seat]}
            assert stop["blue"] or changed == {stop["seat"]}, "a gift counts where it was found, not at the next stop"
        reds = [sum(stop["red"] for stop in stops if stop["seat"] == seat) for seat in (0, 1)]
        given += reds != [sum(COLOUR[card] == RED for card in members(match.state.pile[seat])) for seat in (0, 1)]
    assert bool(given) == bonus


@pytest.mark.parametrize("players", [1, 2])
def test_vivid_an_aspiration_is_the_sum_of_its_parts(players: int):
    match, page = ended("vivid", players)
    for seat, dream in enumerate(page["dreams"]):
        assert sum(n * each for _, n, each in dream["parts"]) == match.state.aspired[seat]


def test_vivid_beside_the_board_a_round_pays_what_the_table_says_the_aspiration_too():
    match, page = ended("vivid", 2)
    s = match.state
    for mind_ in page["minds"]:
        n = mind_["n"] - 1
        kinds = [part["kind"] for part in mind_["parts"]]
        assert kinds == ["moments", "threads", "core", "aspiration"][: 3 + (n == 2)]
        assert [part["sum"] for part in mind_["parts"]] == page["rounds_of"][0][n][: len(kinds)]
    part = page["minds"][-1]["parts"][-1]
    assert sum(line["points"] for line in part["lines"]) == part["sum"] == s.aspired[0]
    for line in part["lines"][:2]:
        assert len(line["light"].split()) == line["n"], "just what was counted lights up"


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_dejavu_fragments_that_count_nothing_name_the_card_that_would_have_paid(seed: str):
    match, page = ended("dejavu", 2, seed, "random")
    s = match.state
    for seat in (0, 1):
        long, found = int(s.long[seat]), int(s.found[seat])
        more = max(int(fragment_goals(long | 1 << c, found)) for c in range(42)) - int(fragment_goals(long, found))
        uses = page["tables"][seat]["uses"]
        for use in [use for use in uses if not use["points"]][-1:]:
            assert (use["wanted"]["points"] if use["wanted"] else 0) == more
        assert sum(use["points"] for use in uses) == int(fragment_goals(long, found))
        assert sum(len(use["fragments"]) for use in uses) == found.bit_count(), "each fragment has its one row"


def test_dejavu_each_reason_why_fragments_count_nothing_has_its_row():
    game = recollect.load("dejavu")
    run, whole = (int(goals) & -int(goals) for goals in (RUN_GOALS[0], SET_GOALS))
    pinks, blues, golds = (lambda *values, kind=kind: sum(1 << kind * VALUES + v for v in values) for kind in range(3))
    told = {
        "none": (0, pinks(0) | blues(3)),
        "short": (run, pinks(0, 1, 4)),
        "kind": (run, blues(2)),
        "pair": (whole, pinks(3) | golds(3)),
        "alone": (whole, blues(1)),
    }
    match = game.match(players=2, seed="reasons")
    look = Look.of(match.moment, 0, ("Mila", "Ana"), game_texts(game, "en"), {})
    for why, (long, found) in told.items():
        look.view.record["long"][0], look.view.record["found"][0] = long, found
        rows = uses(replace(look, view=game.state.fixed(look.view.record)), 0)
        assert [row["how"] for row in rows if not row["points"]] == [why]


@pytest.mark.parametrize(("hers", "had"), [(1, "*Ana* had the third."), (0, "the third stayed on the map.")])
def test_dejavu_a_set_that_lacks_a_kind_says_who_had_it(hers: int, had: str):
    game = recollect.load("dejavu")
    look = Look.of(game.match(players=2, seed="third").moment, 0, ("Mila", "Ana"), game_texts(game, "en"), {})
    mine, third = (1 << 3) | (1 << 2 * VALUES + 3) | (1 << 1) | (1 << VALUES + 1), 1 << VALUES + 3
    look.view.record["long"][0], look.view.record["found"][0] = int(SET_GOALS) & -int(SET_GOALS), mine
    look.view.record["found"][1] = hers * third
    rows = uses(replace(look, view=game.state.fixed(look.view.record)), 0)
    assert [len(row["fragments"]) for row in rows] == [2, 2], "a row for each set that is not whole"
    assert [row["lacks"]["value"] for row in rows] == ["2", "4"]
    assert [row["had"] for row in rows] == ["the third stayed on the map.", had]
