"""The exact solver against what is known of games of pairs."""

import json
from fractions import Fraction

import pytest
from typer.testing import CliRunner

import recollect
from recollect.minds.pairs import Count, First, Kind, Knowledge, Move, Pairs, classic, ptibapt, ptibapt_start, solitaire
from recollect.minds.solve_cli import app


def test_the_classic_game_has_the_values_of_zwick_and_paterson():
    assert [classic(n) for n in range(1, 6)] == [Fraction(1), Fraction(-2, 3), Fraction(-1, 5), Fraction(-4, 35), Fraction(-1, 35)]


def zwick_paterson(n, k):
    """Their best move with n pairs left, k cards known: how many unseen cards to turn."""
    if k == 0:
        return 2
    if (n, k) == (6, 1) or (n + k) % 2 == 0:
        return 1
    return 0 if 3 * k >= 2 * (n + 1) else 2


@pytest.mark.parametrize("n", range(2, 13))
def test_the_classic_strategy_is_the_published_one(n):
    game = Pairs((Kind(1, True),), may_pass=True, number=Fraction)
    for k in range(n):
        here = Knowledge((Count(0, k, n - k),))
        turned = zwick_paterson(n, k)
        moves = dict(game.moves(here))
        assert moves[Move("turn") if turned else Move("pass")] == game.value(here), (n, k)
        if turned:
            fresh = here.see(0)
            answers = dict(game.answers(fresh, First(0, False)))
            assert answers[Move("turn") if turned == 2 else Move("waste")] == max(answers.values()), (n, k)


def test_without_passing_declining_a_known_pair_can_pay_from_nine_pairs_on():
    game = Pairs((Kind(1, True),), number=Fraction)

    def declines(n):
        """A card is turned whose partner is known; with the pair as good as taken, wasting the second card is better."""
        after = [Knowledge((Count(1, k, n - 1 - k),)) for k in range(n)]
        return any(game.best(k, First(0, True)) != Move("take", 0) for k in after)

    assert [n for n in range(1, 11) if declines(n)][:1] == [9]


def test_solitaire_has_the_values_of_velleman_and_warrington():
    assert [round(float(solitaire(n)), 4) for n in (2, 4, 8)] == [2.6667, 5.9238, 12.3930]


def test_solitaire_approaches_the_known_line():
    from math import log

    assert float(solitaire(60)) == pytest.approx((3 - 2 * log(2)) * 60 + 7 / 8 - 2 * log(2), abs=0.01)


def test_base_ptibapt_is_a_little_better_for_the_second_player():
    assert ptibapt().value(ptibapt_start()) == pytest.approx(-0.381, abs=5e-4)


def test_base_ptibapt_needs_a_small_table():
    assert len(ptibapt().states(ptibapt_start()).values) <= 2400


def test_the_largest_table_fits_in_a_few_megabytes():
    largest = Knowledge((Count(unseen=12), Count(unseen=2), Count(unseen=3)), 8)
    game = Pairs(ptibapt().kinds, may_pass=True)
    assert game.states(largest).values.nbytes < 8 * 10**6
    assert game.value(largest) == pytest.approx(-0.24730285, abs=1e-8)


def test_a_table_that_grows_keeps_its_values():
    game = Pairs(ptibapt().kinds)
    small = game.value(ptibapt_start(3, 1, 2))
    assert game.value(ptibapt_start()) == ptibapt().value(ptibapt_start())
    assert game.value(ptibapt_start(3, 1, 2)) == small


def test_points_of_an_owner_count():
    start = ptibapt_start(2, 1, 2)
    assert ptibapt(points=(3, 6, -3)).value(start) == pytest.approx(3 * ptibapt().value(start))
    assert ptibapt(points=(1, 2, -5)).value(start) != pytest.approx(ptibapt().value(start))


@pytest.mark.parametrize("n", range(1, 9))
def test_ptibapt_without_gold_and_reds_and_with_replay_is_the_classic_game(n):
    assert ptibapt(True).value(ptibapt_start(n, 0, 0)) == pytest.approx(2 * float(classic(n, may_pass=False)), abs=1e-12)


def test_small_games_worked_by_hand():
    game = ptibapt()
    one_pair = ptibapt_start(1, 0, 0)
    assert game.value(one_pair) == 2
    # One green pair and one red: the red comes first one time in three (-1, then the other takes 2); else the second card is the
    # partner or the red, evenly: half the time +2, half the time -1 and the other takes 2. A waste is impossible: nothing else is known.
    assert game.value(ptibapt_start(1, 0, 1)) == pytest.approx((-3 + (2 - 3) / 2 * 2) / 3)
    # A known golden pair is taken first: four points and the same player takes the last green pair.
    assert game.value(Knowledge((Count(1, 0, 0), Count(1, 0, 0)), 0)) == 6
    assert game.best(Knowledge((Count(1, 0, 0), Count(1, 0, 0)), 0)) == Move("take", 1)


def test_a_turn_is_not_wasted_when_nothing_else_is_known():
    answers = dict(ptibapt().answers(ptibapt_start(2, 0, 0).see(0), First(0, False)))
    assert set(answers) == {Move("turn")}


def test_declining_is_offered_when_the_partner_is_known():
    after = Knowledge((Count(1, 1, 2), Count()), 0)  # the open card and its partner, one other single
    assert set(dict(ptibapt().answers(after, First(0, True)))) == {Move("take", 0), Move("turn"), Move("waste")}


HERE = Knowledge((Count(2, 5, 0), Count(0, 0, 1), Count()), 0)  # waiting would be best here, were it allowed


def test_a_known_first_card_does_not_turn_a_pass_into_a_waste():
    assert set(dict(ptibapt().answers(HERE, First(0, True, fresh=False)))) == {Move("take", 0), Move("turn")}
    assert set(dict(ptibapt().answers(HERE, First(0, True, fresh=True)))) == {Move("take", 0), Move("turn"), Move("waste")}


def test_nothing_that_may_follow_a_known_first_card_is_better_than_the_turn():
    """120 of the 2,374 states once advised to turn a known card and then waste the second."""
    game = ptibapt()
    for green, gold in [
        (Count(k, s, 7 - k - s), Count(*g, 0)) for k in range(1, 8) for s in range(8 - k) for g in ((0, 0), (1, 0), (0, 1))
    ]:
        k = Knowledge((green, gold, Count()), 2)
        assert max(worth for _, worth in game.answers(k, First(0, True, fresh=False))) <= game.value(k) + 1e-12


def test_where_a_turn_can_be_passed_it_is_worth_nothing_or_more():
    game = ptibapt(may_pass=True)
    assert ptibapt().value(HERE) == pytest.approx(-2 / 21)
    assert game.value(HERE) == 0
    # Two singles and two reds: a red comes half the time (-1, then the other has two singles and one red before them, worth 4/3) ...
    risky = Knowledge((Count(0, 2, 0),), 2)
    assert dict(game.moves(risky)) == {Move("turn"): pytest.approx(-1 / 3), Move("pass"): 0}
    assert game.best(risky) == Move("pass")
    assert game.value(ptibapt_start()) == pytest.approx(-0.254921, abs=1e-6)


def test_the_last_idle_turn_ends_the_game():
    game, k = ptibapt(may_pass=True), Knowledge((Count(2, 0, 0), Count(1, 0, 0), Count()), 0)
    assert game.value(k) > 0
    first = First(0, True, fresh=False)
    assert dict(game.answers(k, first))[Move("pass")] == -game.value(k)
    assert dict(game.answers(k, first, last=True))[Move("pass")] == 0


def ask(*args):
    result = CliRunner().invoke(app, [*args, "--json"])
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_solve_answers_in_json():
    assert ask("ptibapt")["value"] == pytest.approx(-0.381, abs=5e-4)
    assert ask("ptibapt", "--greens", "3", "--golds", "0", "--reds", "0", "--replay-on-green")["value"] == pytest.approx(-0.4)
    assert ask("pairs", "4") == {"game": "pairs", "n": 4, "value": pytest.approx(-4 / 35), "exact": "-4/35"}
    assert ask("pairs", "5", "--no-pass")["exact"] == str(classic(5, may_pass=False)) != "-1/35"
    assert ask("solitaire", "2") == {"game": "solitaire", "n": 2, "value": pytest.approx(8 / 3), "exact": "8/3"}


def test_solve_advises_in_any_knowledge_state():
    advice = ask("ptibapt", "--at", "1,0,0/1,0,0/0")["advice"]
    assert advice[0] == {"move": "take", "kind": "gold", "value": 6}
    after = ask("ptibapt", "--at", "1,1,2/0,0,0/2", "--first", "green-pair")["advice"]
    assert {a["move"] for a in after} == {"take", "turn", "waste"}
    assert after == sorted(after, key=lambda a: -a["value"])


def test_solve_tells_a_pass_from_a_waste():
    here = ("ptibapt", "--at", "2,5,0/0,0,1/0")
    assert ask(*here)["advice"][0]["move"] == "take"
    assert ask(*here, "--first", "green-pair", "--seen-before")["advice"][0] == ask(*here)["advice"][0]
    assert ask(*here, "--as-played")["value"] == 0
    assert {a["move"] for a in ask(*here, "--as-played")["advice"]} == {"take", "turn", "pass"}
    assert ask("ptibapt", "--as-played")["value"] == pytest.approx(-0.2549, abs=1e-4)


@pytest.mark.parametrize(("more", "words"), [((), "taken as new"), (("--seen-before",), "taken as seen before")])
def test_solve_says_how_it_takes_the_open_card(more, words):
    here = ["ptibapt", "--at", "2,5,0/0,0,1/0"]
    said = CliRunner().invoke(app, [*here, "--first", "green-pair", *more]).output
    assert words in said and "--seen-before" in said
    assert ask(*here, "--first", "green-pair", *more)["seen_before"] == bool(more)
    assert "open card" not in CliRunner().invoke(app, here).output and "seen_before" not in ask(*here)


def test_solve_counts_an_owners_points(tmp_path):
    text = (recollect.load("ptibapt").folder / "components.toml").read_text(encoding="utf-8")
    (tmp_path / "own.toml").write_text(text.replace("\ngold = 2\n", "\ngold = 5\n"), encoding="utf-8")
    here = ("ptibapt", "--at", "1,0,0/1,0,0/0")
    assert ask(*here)["value"] == 6 and ask(*here, "--components", str(tmp_path / "own.toml"))["value"] == 12


@pytest.mark.parametrize(
    "args",
    [
        ("--at", "1,2/3"),
        ("--at", "9,9,9/0,0,0/0"),
        ("--at", "0,1,0/0,0,0/0", "--first", "gold"),
        ("--first", "blue"),
        ("--at", "0,0,7/0,0,1/9"),
    ],
)
def test_solve_refuses_what_makes_no_sense(args):
    result = CliRunner().invoke(app, ["ptibapt", *args])
    assert result.exit_code == 2


def test_solve_speaks_in_sentences():
    assert "-0.3806 points" in CliRunner().invoke(app, ["ptibapt"]).output
    assert "-2/3" in CliRunner().invoke(app, ["pairs", "2"]).output
