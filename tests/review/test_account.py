"""The result of a game of Pti Bapt, taken apart exactly."""

import random

import pytest

import recollect
from recollect.engine import CHANCE
from recollect.minds import mind, play_out
from recollect.minds.levels import BY_NAME
from recollect.minds.mind import Recalling
from recollect.minds.pairs import ptibapt, ptibapt_start
from recollect.minds.walker import Player
from recollect.review.account import Scales

GAME = recollect.load("ptibapt")


def played(seed, *names, **options):
    """A match by minds of these names; `careless` forgets little and now and then does anything."""
    match = GAME.match(seed=f"account {seed}", **options)
    play_out(match, [mind(GAME, name) for name in names], f"account {seed}")
    return match


def any_play(seed, **options):
    match, rng = GAME.match(seed=f"any {seed}", **options), random.Random(seed)
    player = Player()
    while not match.over:
        (seat,) = match.acting
        legal = match.legal(seat)
        wild = rng.random() < 0.4
        match.play(seat, rng.choice(legal) if wild else player.choose(match.knowledge(seat), seat, legal, rng))
    return match


def adds_up(account):
    own, other = account.losses(0), account.losses(1)
    return account.start + account.luck - sum(own.values()) + sum(other.values())


OPTIONS = (
    {},
    {"starts": "first"},
    {"starts": "second", "stalemate": False},
    {"replay": True},
    {"greens": 3, "golds": 0, "reds": 2},
    {"greens": 4, "golds": 2, "reds": 8},
    {"bonus": True, "greens": 4},
    {"greens": 2, "golds": 1, "reds": 0, "starts": "first"},
)


@pytest.mark.parametrize("games", [240, pytest.param(1000, marks=pytest.mark.long)])
def test_the_parts_add_up_to_the_margin_in_hundreds_of_games(games):
    for seed in range(games):
        match = any_play(seed, **OPTIONS[seed % len(OPTIONS)])
        account = Scales(match).account()
        first, second = match.scores()
        assert account.margin == first - second
        assert abs(adds_up(account) - account.margin) < 1e-9, (seed, OPTIONS[seed % len(OPTIONS)])
        assert all(loss.points > 0 and loss.memory >= 0 and loss.decision >= 0 for loss in account.lost)
        assert all(abs(loss.memory + loss.decision - loss.points) < 1e-12 for loss in account.lost)


@pytest.mark.parametrize("options", [o for o in OPTIONS if not o.get("bonus")])
def test_every_moment_is_worth_what_follows_it(options):
    """Before chance a moment is worth the mean of what may be drawn, before a choice the best of what may be chosen; by the real rules."""
    for seed in range(2):
        match = any_play(seed, **options)
        scales = Scales(match)
        for n in range(0, len(match.log), 1 + len(match.log) // 12):
            here = match.at(n)
            (seat,) = here.acting
            after = {a: worth_after(scales, here, seat, a) for a in here.legal(seat)}
            if seat == CHANCE:
                odds = GAME.odds(here.state)
                expected = sum(odds[a] * worth for a, worth in after.items()) / sum(odds[a] for a in after)
            else:
                expected = max(after.values()) if seat == 0 else min(after.values())
            assert scales.worth(here.state, here.record) == pytest.approx(expected, abs=1e-9), (seed, n, here.say(match.log[n][1]))


def worth_after(scales, here, seat, action):
    record = GAME.state.copy(here.record)
    s = GAME.state.open(record)
    GAME.rules.apply(s, seat, action)
    return scales.worth(s, record)


def test_the_start_is_the_solved_value():
    assert Scales(any_play(1, starts="first")).account().start == ptibapt(may_pass=True).value(ptibapt_start())
    assert Scales(any_play(1, starts="second")).account().start == -ptibapt(may_pass=True).value(ptibapt_start())
    assert Scales(any_play(1)).account().start == 0  # lots are drawn: nobody is ahead before


def test_who_plays_the_solution_loses_nothing():
    for seed in range(10):
        account = Scales(played(seed, "elephant", "goldfish", stalemate=True)).account()
        assert account.losses(0) == {"memory": 0, "decision": 0}


def test_losses_of_those_who_forget_are_memory_and_of_those_who_do_not_are_decisions():
    """Minds whose memory is known: the solution played by a bad memory, and plain sense with a perfect one."""
    forgetful, sensible = {"memory": 0.0, "decision": 0.0}, {"memory": 0.0, "decision": 0.0}
    for seed in range(40):
        match = played(seed, "goldfish", "sensible")
        account = Scales(match).account()
        for kind in forgetful:
            forgetful[kind] += account.losses(0)[kind]
            sensible[kind] += account.losses(1)[kind]
    assert forgetful["memory"] > 5 * forgetful["decision"]
    assert sensible["decision"] > 3 * sensible["memory"]
    assert sum(forgetful.values()) > 3 * sum(sensible.values())


def line(match, *entries):
    for entry in entries:
        who, _, words = entry.partition(" ")
        match.play(CHANCE if who == "chance" else int(who), words)
    return match


START = ("0 turn a1", "chance deal shoe", "0 turn b1", "chance deal tree", "0 turn_back")


def test_a_forgotten_twin_is_memory_and_is_named():
    match = GAME.match(starts="first", greens=3, golds=0, reds=0, auto_chance=False)
    line(match, *START, "1 turn c1", "chance deal shoe", "1 turn a2", "chance deal dog", "1 turn_back")
    loss = next(x for x in Scales(match).account().lost if x.seat == 1)
    assert loss.best == "take" and loss.forgotten == ["a1"]
    assert loss.memory > 2


def test_turning_a_new_card_where_waiting_is_better_is_a_decision():
    """Everything is remembered, nothing was there to take; a second new card shows the other too much."""
    match = GAME.match(starts="first", greens=6, golds=0, reds=0, auto_chance=False)
    line(match, *START, "1 turn c1", "chance deal dog", "1 turn a2", "chance deal bird", "1 turn_back")
    lost = [x for x in Scales(match).account().lost if x.seat == 1]
    assert [(x.best, x.memory, round(x.decision, 3)) for x in lost] == [("waste", 0.0, 0.218)]


def test_an_owners_points_are_weighed(tmp_path):
    own = tmp_path / "own.toml"
    text = (GAME.folder / "components.toml").read_text(encoding="utf-8")
    own.write_text(text.replace("gold = 2\n", "gold = 7\n"), encoding="utf-8")
    game = recollect.load("ptibapt", own)
    for seed in range(5):
        match, rng = game.match(seed=f"own {seed}"), random.Random(seed)
        while not match.over:
            (seat,) = match.acting
            match.play(seat, rng.choice(match.legal(seat)))
        account = Scales(match).account()
        assert abs(adds_up(account) - (match.scores()[0] - match.scores()[1])) < 1e-9


def test_companions_are_those_of_the_curves():
    assert isinstance(mind(GAME, "goldfish"), Recalling)
    assert mind(GAME, "goldfish").memory == BY_NAME["goldfish"].memory
