"""Search beside the rules: exact where it says exact, the same for the same seed, and ready when it says so."""

from __future__ import annotations

import importlib
import random
import time

import numpy as np
import pytest
from conftest import random_match

import recollect
from recollect.engine.sets import members
from recollect.engine.shelf import games
from recollect.engine.stream import CHANCE
from recollect.minds import LEVELS, Seated, companions, mind, minds, prepare, thinking
from recollect.minds.pairs import ptibapt
from recollect.minds.thinking import Found, Thinker
from recollect.minds.tuning import Contest, Share
from recollect.minds.walker import Player

GAME = recollect.load("memoarrr")
RULES = GAME.rules
WORTH = importlib.import_module(GAME.package + ".worth")
MIND = importlib.import_module(GAME.package + ".mind")
W = np.array(WORTH.WEIGHTS)


@pytest.mark.compiled
@pytest.mark.parametrize("name", [name for name in games() if (recollect.load(name).folder / "worth.py").is_file()])
def test_worth_is_the_same_in_plain_python_and_compiled(name):
    game = recollect.load(name)
    plain = importlib.import_module(game.package + ".worth").worth
    compiled = importlib.import_module(".worth", thinking.search_of(game).__name__.rpartition(".")[0]).worth
    for stop in range(20, 900, 40):
        match = random_match(game, stop, stop=stop, players=2)
        for seat in range(2):
            w = thinking.weights_of(game)
            assert compiled(match.record[()], seat, w) == pytest.approx(plain(match.state, seat, w))


def known_island(n, smoke=24, **options):
    """A round in which everybody knows every card: `smoke` of them face down, one of the others turned last, the next to answer."""
    rng = random.Random(n)
    match = GAME.match(seed=f"known {n}", **options)
    while match.state.stage != RULES.TURN:
        seat = min(match.acting)
        match.play(seat, match.legal(seat)[0])
    s, places = match.state, list(members(RULES.ISLAND))
    for p, card in zip(places, rng.sample(range(25), 24), strict=True):
        s.card[p] = card
    rng.shuffle(places)
    s.up = sum(1 << p for p in places[smoke:])
    s.last = places[smoke] if smoke < 24 else -1
    for seat in range(RULES.SEATS):
        s.known[seat], s.sight[seat] = RULES.ISLAND, s.up
    RULES.derive(s)
    s.rounds = 1  # the first card of the game has rules of its own
    return match


@pytest.mark.parametrize("opponent", ["sensible", "random", "best"])
def test_with_two_players_and_everything_known_whoever_answers_wins(opponent):
    for n in range(12):
        match, rng = known_island(n, players=2), random.Random(n)
        responder, sense = MIND.Searching(GAME), MIND.Sensible()
        opener = min(match.acting)
        while match.state.stage != RULES.ROUND_WON:
            seat = min(match.acting)
            if match.state.stage == RULES.BURIED:  # every card was linked: there is none left to turn
                action = match.legal(seat)[0]
            elif seat == opener:
                links = [a for a in match.legal(seat) if match.state.last < 0 or linked(match, a)] or match.legal(seat)
                action = rng.choice(links) if opponent == "random" else sense.choose(match.knowledge(seat), seat, match.legal(seat), rng)
                action = (responder.matched(match.state) or links)[0] if opponent == "best" else action
            else:
                action = responder.choose(match.knowledge(seat), seat, match.legal(seat), rng)
            match.play(seat, action)
        assert match.state.turn == 1 - opener


def linked(match, action):
    return RULES.linked(match.state.card[action - RULES.REVEAL], match.state.card[match.state.last])


def by_hand(record, players):
    """Max^n over every line, in plain Python: the lead of every seat."""
    s = GAME.state.open(record)
    if not GAME.acting(s) or WORTH.settled(s):
        worth = [WORTH.worth(s, i, W) for i in range(players)]
        return [worth[i] - max(v for j, v in enumerate(worth) if j != i) for i in range(players)]
    seat = min(GAME.acting(s))
    after = [by_hand(following(record, seat, action), players) for action in GAME.legal(s, seat)]
    if seat == CHANCE:
        return [sum(v[i] for v in after) / len(after) for i in range(players)]
    most = max(v[seat] for v in after)
    best = [v for v in after if v[seat] > most - 1e-9]
    return [sum(v[i] for v in best) / len(best) for i in range(players)]


def following(record, seat, action):
    copy = GAME.state.copy(record)
    RULES.apply(GAME.state.open(copy), seat, action)
    return copy


@pytest.mark.compiled
@pytest.mark.parametrize(("players", "mode"), [(2, "base"), (3, "base"), (4, "base"), (2, "expert"), (3, "expert")])
def test_the_exact_solution_is_that_of_every_line(players, mode):
    thinker = Thinker(GAME)
    for n in range(4):
        match = known_island(n, smoke=4, players=players, mode=mode)
        seat = min(match.acting)
        found = thinker.exact(match.state, seat, players, [99.0] * 4)
        assert found.values == pytest.approx(
            {a: by_hand(following(match.record, seat, a), players)[seat] for a in match.legal(seat)}, abs=1e-6
        )
        assert found.values[found.best] == max(found.values.values())


def best_end(record, seat, depth=9):
    """The best worth of all ends of a turn, in plain Python."""
    s = GAME.state.open(record)
    if seat not in GAME.acting(s) or depth == 0:
        return WORTH.worth(s, seat, W)
    return max(best_end(following(record, seat, a), seat, depth - 1) for a in GAME.legal(s, seat))


@pytest.mark.compiled
def test_a_wide_beam_finds_the_best_of_all_turns():
    thinker = Thinker(GAME)
    for n in range(6):
        match = known_island(n, smoke=4, players=2, mode="expert")  # two players: a volcano ends the round, chance draws nothing
        seat = min(match.acting)
        found = thinker.turn(match.state, seat, random.Random(0), width=400, depth=9)
        assert found.values == pytest.approx({a: best_end(following(match.record, seat, a), seat, 8) for a in match.legal(seat)})
        assert found.plan[0] in found.equals


@pytest.mark.compiled
def test_the_same_seed_finds_the_same_and_the_budget_bounds_it():
    match = known_island(3, players=3, mode="expert")
    seat = min(match.acting)
    one, other = (Thinker(GAME).tree(match.state, seat, 3, random.Random(5), 300) for _ in range(2))
    assert one == other
    small = Thinker(GAME, budget=0.001).tree(match.state, seat, 3, random.Random(5), 10**5)
    assert small.steps < 0.001 * thinking.STEPS_A_SECOND + 300


def test_of_equals_the_one_that_is_hoped_more_from_comes_first():
    found = Found({1: 2.0, 2: 2.0, 3: 1.0}, (), 0)
    assert found.equals == [1, 2] and found.ordered({2: 0.5, 1: 0.1}).best == 2


@pytest.mark.compiled
def test_contests_are_the_same_on_any_number_of_threads_and_fair():
    keys, options = np.arange(6), GAME.settle({"players": 3})
    population = np.array([W, W + 1])
    one, two = (Contest(GAME, options, threads).play(population, W, keys) for threads in (1, 2))
    assert (one == two).all() and one.shape == (2, 6, 3)
    assert one[0].sum(axis=1) == pytest.approx(1.5), "with equal weights all seats play one and the same game"


def test_a_share_has_an_interval():
    share = Share.of(np.array([[1, 0], [1, 1], [0, 0], [1, 0.5]]))
    assert share.low < share.share == 0.5625 < share.high and share.games == 8


@pytest.mark.compiled
@pytest.mark.gpu
@pytest.mark.parametrize("name", ["memoarrr", "vivid", "dejavu"])
def test_contests_on_a_gpu_are_those_of_the_processor(name: str):
    pytest.importorskip("numba_cuda", reason="no play on a GPU here")
    from recollect.minds.tuning_gpu import GpuContest

    game = recollect.load(name)
    options, w = game.settle({"players": 2}), np.array(importlib.import_module(game.package + ".worth").WEIGHTS)
    population, keys = np.array([w, w * 1.1]), np.arange(64)
    there, here = GpuContest(game, options).play(population, w, keys), Contest(game, options, 2).play(population, w, keys)
    assert np.argwhere(there != here).tolist() == []


def test_a_companion_plays_by_plain_sense_until_the_search_is_compiled(monkeypatch):
    class Busy:
        def poll(self):
            return None

    monkeypatch.setattr(thinking, "_loaded", {})
    monkeypatch.setattr(thinking, "_compiling", {GAME.package: Busy()})
    prepare(GAME)  # it is at it already
    assert not thinking.ready(GAME)
    match = known_island(1, smoke=9, players=3)
    seat = min(match.acting)
    asked = match.knowledge(seat), seat, match.legal(seat)
    begun = time.monotonic()
    assert mind(GAME, "elephant").choose(*asked, random.Random(1)) == MIND.Sensible().choose(*asked, random.Random(1))
    assert thinking._loaded == {} and time.monotonic() - begun < 60


def test_every_game_has_its_companions_and_its_yardsticks():
    for name in games():
        game = recollect.load(name)
        assert list(minds(game))[:2] == ["random", "sensible"]
        assert companions(game) == [level.name for level in LEVELS]


def test_the_elephant_of_pti_bapt_never_errs():
    game = recollect.load("ptibapt")
    exact, decisions = Player(game), 0
    for n in range(40):
        match = game.match(seed=f"regret {n}")
        seats = [
            Seated(game, match.options, seat, mind(game, ("elephant", "elephant", "goldfish")[n % 3 * seat]), f"{n}") for seat in (0, 1)
        ]
        while not match.over:
            seat = min(match.acting)
            action = seats[seat].choose(match.log)
            if seats[seat].mind.name == "elephant" and len(match.legal(seat)) > 1:
                decisions += 1
                assert regret(exact, match.knowledge(seat), action) < 1e-9
            match.play(seat, action)
    assert decisions > 300


def regret(exact, k, action):
    """What an action loses against the best, in points."""
    options = ptibapt(bool(k.replay), bool(k.stalemate), exact.points).options(
        exact.knowledge(k), exact.first(k), k.idle == exact.patience - 1
    )
    face = k.card[action - exact.turn]
    return max(options.values()) - max(v for move, v in options.items() if exact.means(k, move, face))
