"""The solved player of Pti Bapt, by the real rules."""

import math
import random
import re
import statistics

import numpy as np
import pytest

import recollect
from recollect.engine import CHANCE
from recollect.engine.options import numbers
from recollect.minds import Random, companions, mind, play_out
from recollect.minds.pairs import Count, First, Knowledge, Pairs, ptibapt, ptibapt_start
from recollect.minds.walker import Player, few

GAME = recollect.load("ptibapt")
RULES = GAME.rules
LEVELS = companions(GAME)


def play(match, *lines):
    for line in lines:
        who, _, words = line.partition(" ")
        match.play(CHANCE if who == "chance" else int(who), words)
    return match


# The solver against the real rules ------------------------------------------------------------------------------------


class Exhaustive:
    """Expectimax over the real rules, with or without turns that show nothing new and take nothing. Places at which nobody has looked
    are alike, so only the first of them is tried."""

    def __init__(self, may_pass):
        self.may_pass = may_pass
        self.values = {}

    def value(self, record):
        """Points that seat 0 gains on seat 1 from here."""
        key = self.key(record)
        if key not in self.values:
            self.values[key] = self.work_out(record)
        return self.values[key]

    def key(self, record):
        copy = record.copy()
        copy["pile"] = 0
        return copy.tobytes()

    def work_out(self, record):
        s = GAME.state.open(record)
        (seat,) = GAME.acting(s) or (None,)
        if seat is None:
            return 0.0
        if seat == CHANCE:
            odds = GAME.odds(s)
            return sum(w * self.after(record, CHANCE, a) for a, w in enumerate(odds) if w) / sum(odds)
        values = [self.after(record, seat, a) for a in self.worthwhile(s, GAME.legal(s, seat))]
        return max(values) if seat == 0 else min(values)

    def worthwhile(self, s, legal):
        unseen = [a for a in legal if RULES.TURN <= a < RULES.KEEP and s.card[a - RULES.TURN] < 0]
        seen = [a for a in legal if a not in unseen]
        if s.one >= 0 and s.two < 0 and not s.news and not self.may_pass:
            seen = [a for a in seen if s.card[a - RULES.TURN] == s.card[s.one]]
        return unseen[:1] + seen

    def after(self, record, seat, action):
        copy = record.copy()
        s = GAME.state.open(copy)
        RULES.apply(s, seat, action)
        return lead(s) - lead(GAME.state.open(record)) + self.value(copy)


def lead(s):
    points = np.zeros((2, 3), np.int64)
    RULES.points(s, points)
    return int(points[0].sum() - points[1].sum())


@pytest.mark.parametrize(
    ("greens", "golds", "reds", "replay", "may_pass"),
    [
        (2, 0, 0, False, False),
        (2, 0, 1, False, False),
        (2, 1, 0, False, False),
        (2, 0, 2, True, False),
        (3, 0, 0, True, False),
        (2, 0, 0, False, True),  # with passes the real rules take their time; test_account.py looks at whole games
        (2, 0, 1, False, True),
        (2, 0, 1, True, True),
    ],
)
def test_the_solved_value_is_that_of_the_real_rules(greens, golds, reds, replay, may_pass):
    """Also with passes, as the stalemate rule plays them: six idle turns end the game."""
    options = GAME.settle(dict(greens=greens, golds=golds, reds=reds, replay=replay, starts="first", stalemate=may_pass))
    real = Exhaustive(may_pass).value(GAME.start(options))
    assert ptibapt(replay, may_pass).value(ptibapt_start(greens, golds, reds)) == pytest.approx(real, abs=1e-9)


def played(minds, options, rng):
    """The lead of the first seat after a game. In the base game the record holds nothing that a seat does not know but counts of the
    unseen, which no mind reads; so it is given as it is."""
    s = GAME.state.open(GAME.state.new())
    RULES.setup(s, options)
    while acting := GAME.acting(s):
        (seat,) = acting
        if seat == CHANCE:
            odds = GAME.odds(s)
            action = rng.choices(range(len(odds)), odds)[0]
        else:
            action = minds[seat].choose(s, seat, GAME.legal(s, seat), rng)
        RULES.apply(s, seat, action)
    return lead(s)


def test_optimal_play_by_the_real_rules_earns_the_solved_value():
    options = numbers(GAME.options, GAME.settle({"starts": "first"}))
    rng, mind = random.Random(1993), Player()
    leads = [played((mind, mind), options, rng) for _ in range(1500)]
    error = statistics.stdev(leads) / len(leads) ** 0.5
    assert abs(statistics.mean(leads) - ptibapt(may_pass=True).value(ptibapt_start())) < 2.58 * error  # 99%
    assert error < 0.2


class BestAnswer(Exhaustive):
    """The best that seat 0 can do, by the real rules, against this player at seat 1."""

    def __init__(self, player, may_pass):
        super().__init__(may_pass)
        self.player = player

    def work_out(self, record):
        s = GAME.state.open(record)
        if GAME.acting(s) != {1}:
            return super().work_out(record)
        return self.after(record, 1, self.player.choose(s, 1, GAME.legal(s, 1), random.Random(0)))


@pytest.mark.parametrize(("reds", "replay", "stalemate"), [(1, True, True), (2, False, True), (1, True, False), (2, False, False)])
def test_nobody_does_better_against_the_elephant_than_the_solved_value(reds, replay, stalemate):
    """What it claims to be exact against: with the stalemate rule anybody, without it those who do not pass."""
    options = GAME.settle(dict(greens=2, golds=0, reds=reds, replay=replay, starts="first", stalemate=stalemate))
    best = BestAnswer(mind(GAME, "elephant"), may_pass=stalemate).value(GAME.start(options))
    assert best == pytest.approx(ptibapt(replay, stalemate).value(ptibapt_start(2, 0, reds)), abs=1e-9)


def test_the_solved_player_beats_the_sensible_one():
    import importlib

    sensible, solved = importlib.import_module(GAME.package + ".mind").Sensible(), Player()
    options = numbers(GAME.options, GAME.settle({"starts": "first"}))
    rng = random.Random(7)
    leads = [played((solved, sensible), options, rng) - played((sensible, solved), options, rng) for _ in range(400)]
    assert statistics.mean(leads) > 2 * statistics.stdev(leads) / len(leads) ** 0.5


def idle_turns(minds, seed, **options):
    """The turns of a game: whose, and whether they brought nothing."""
    match, rng, idle = GAME.match(seed=f"idle {seed}", **options), random.Random(seed), []
    lying = bytes(match.state.lies)
    while not match.over:
        (seat,) = match.acting
        action = minds[seat].choose(match.knowledge(seat), seat, match.legal(seat), rng)
        ending, news = match.say(action) in ("turn_back", "keep"), match.state.news
        match.play(seat, action)
        if ending:
            idle.append((seat, not news and bytes(match.state.lies) == lying))
            lying = bytes(match.state.lies)
        assert len(match.log) < 600
    return idle


@pytest.mark.parametrize(
    "options", [{"stalemate": False}, {"stalemate": False, "bonus": True}, {"players": 1, "replay": True}, {"players": 1}]
)
def test_where_waiting_ends_nothing_no_turn_is_thrown_away(options):
    """Once one solo game in a hundred did not end, and turns were wasted against any other player."""
    for seed in range(6):
        assert not any(idle for _, idle in idle_turns((Player(), Player()), seed, **options))
        if options.get("players") != 1:
            assert (0, True) not in idle_turns((Player(), Random()), seed, **options)


def test_two_solved_players_wait_for_each_other_only_where_waiting_is_best():
    games = [idle_turns((Player(), Player()), seed, starts="first") for seed in range(6)]
    assert any(idle for game in games for _, idle in game)  # the stalemate rule is there for them
    for game in games:
        waiting = [idle for _, idle in game].index(True) if any(idle for _, idle in game) else len(game)
        assert all(idle for _, idle in game[waiting:]) and len(game) - waiting in (0, RULES.PATIENCE)  # both wait, from then on


def owned(tmp_path, old, new):
    """The game with an owner's file, in which one line is another."""
    text = (GAME.folder / "components.toml").read_text(encoding="utf-8")
    (tmp_path / "own.toml").write_text(re.sub(old, new, text, flags=re.M), encoding="utf-8")
    return recollect.load("ptibapt", tmp_path / "own.toml")


@pytest.mark.parametrize("level", LEVELS)
def test_an_owners_points_are_played_for(tmp_path, level):
    """Where reds bring points, a second card is never wasted; where they cost much, it is."""
    chosen = []
    for red in (-9, 9):
        game = owned(tmp_path, r"^red = -1\b", f"red = {red}")
        match = play(
            game.match(starts="first", greens=6, golds=0, reds=4, auto_chance=False),
            *("0 turn a1", "chance deal shoe", "0 turn b1", "chance deal tree", "0 turn_back", "1 turn c1", "chance deal dog"),
        )
        chosen.append(match.say(mind(game, level).choose(match.knowledge(1), 1, match.legal(1), random.Random(1))))
    waste, new = chosen
    assert waste in ("turn a1", "turn b1") and new not in ("turn a1", "turn b1")


def test_what_a_hint_expects_counts_an_owners_points(tmp_path):
    match = play(
        owned(tmp_path, r"^green = 1\b", "green = 7").match(starts="first", greens=2, golds=0, reds=0, auto_chance=False),
        *("0 turn a1", "chance deal shoe", "0 turn b1", "chance deal shoe", "0 keep"),
    )
    hint = mind(match.game, "elephant").explain(match.knowledge(1), 1, match.legal(1), random.Random(1))
    assert hint.expected == 14


# What it costs --------------------------------------------------------------------------------------------------------

MOST = {"greens": 12, "golds": 2, "reds": 8, "bonus": True}
BLUE_PAIR = '  { name = "gift", picture = "wrapped-gift", effect = "gift" },'


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("stalemate", [False, True])
@pytest.mark.parametrize("blue", [3, 6])
def test_a_companion_solves_one_small_table_a_game_whatever_is_agreed(tmp_path, monkeypatch, level, stalemate, blue):
    """All that the solved player works out is in one table: with the most cards there are, an owner's too, it has a bounded size."""
    more = "\n".join([BLUE_PAIR, *(BLUE_PAIR.replace('"gift", picture', f'"gift-{n}", picture') for n in range(blue - 3))])
    game = owned(tmp_path, re.escape(BLUE_PAIR), more)
    solved, sizes = Pairs._solved, []
    monkeypatch.setattr(Pairs, "_solved", lambda self, most: sizes.append(math.prod(most)) or solved(self, most))
    ptibapt.cache_clear()
    play_out(game.match(seed="most", stalemate=stalemate, **MOST), [mind(game, level), Random()])
    assert sizes == [12 * 2 * 3 * 8]


def test_more_blue_pairs_do_not_make_the_table_larger():
    assert few(Count(0, 0, 6)) == Count(0, 0, 3)
    assert few(Count(1, 1, 4)) == Count(1, 1, 1)
    assert few(Count(2, 3, 1)) == Count(2, 1, 0)
    assert few(Count(0, 1, 1)) == Count(0, 1, 1)
    assert few(Count(3, 1, 2), alone=True) == Count(2, 1, 0)


def test_of_many_blue_pairs_that_of_the_open_card_is_counted(tmp_path):
    """Three pairs are known, and a single that was seen before lies open: its partner may be turned."""
    game = owned(tmp_path, re.escape(BLUE_PAIR), "\n".join([BLUE_PAIR, BLUE_PAIR.replace('"gift", picture', '"more", picture')]))
    match = game.match(starts="first", greens=2, golds=0, reds=0, bonus=True, stalemate=False, auto_chance=False)
    s, faces = match.state, ["shoe", "tree", "footprints", "lantern", "gift"] * 2 + ["more"]
    for n, face in enumerate(faces):
        match.play(s.turn, f"turn {'abcd'[n % 4]}{n // 4 + 1}")
        match.play(CHANCE, f"deal {face}")
        if s.two >= 0:
            match.play(s.turn, "turn_back")
    for line in ("turn a1", "turn_back", "turn c3"):
        match.play(s.turn, line)
    hint = mind(game, "elephant").explain(match.knowledge(s.turn), s.turn, match.legal(s.turn), random.Random(1))
    assert match.say(hint.move) == "turn d3" and [reason.key for reason in hint.reasons] == ["turn"]


# What the solved player reads -----------------------------------------------------------------------------------------


def test_knowledge_is_counted_as_the_solver_counts_it():
    match = play(
        GAME.match(starts="first", auto_chance=False),
        "0 turn a1",
        "chance deal dog",
        "0 turn b1",
        "chance deal walker",
        "0 turn_back",
        "1 turn c1",
        "chance deal car",
        "1 keep",
        "0 turn d1",
        "chance deal dog",
    )
    mind, k = Player(), match.knowledge(0)
    assert mind.knowledge(k) == Knowledge((Count(1, 0, 6), Count(0, 1, 0), Count()), 3)
    assert mind.first(k) == First(0, True)


def test_a_known_pair_is_taken_and_gold_first():
    match = play(
        GAME.match(starts="first", greens=2, reds=0, auto_chance=False),
        "0 turn a1",
        "chance deal walker",
        "0 turn b1",
        "chance deal shoe",
        "0 turn_back",
        "1 turn c1",
        "chance deal shoe",
        "1 turn a1",
        "1 turn_back",
        "0 turn a2",
        "chance deal walker",
        "0 turn b1",
        "0 turn_back",
    )
    mind, rng = Player(), random.Random(1)
    first = match.say(mind.choose(match.knowledge(1), 1, match.legal(1), rng))
    assert first in ("turn a1", "turn a2")
    play(match, f"1 {first}")
    assert match.say(mind.choose(match.knowledge(1), 1, match.legal(1), rng)) == ({"turn a1", "turn a2"} - {first}).pop()


def test_the_solved_player_does_not_peek():
    """Redeal what its seat cannot know: with the same stream it chooses the same."""
    for seed in range(12):
        match, rng = GAME.match(seed=f"peek {seed}", bonus=True, greens=4), random.Random(seed)
        mind = Player()
        while not match.over:
            (seat,) = match.acting
            legal = match.legal(seat)
            choice = mind.choose(match.knowledge(seat), seat, legal, random.Random(99))
            copy = match.record.copy()
            RULES.redeal(GAME.state.open(copy), seat, memoryview(np.array([seed + 1], np.int64)))
            assert mind.choose(GAME.knowledge(copy, seat), seat, legal, random.Random(99)) == choice
            match.play(seat, choice if rng.random() < 0.8 else rng.choice(legal))
