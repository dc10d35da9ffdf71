"""The forgetting curve, tried on companions whose memory is known."""

import pytest

import recollect
from recollect.minds.memory import Activation, Place
from recollect.minds.mind import Recalling, Seated, play_out
from recollect.minds.walker import Player
from recollect.review.curve import Chance, Share, activation, chances, fit, shares, tries
from recollect.review.watched import Watched
from recollect.table.own.memory import Memory

GAME = recollect.load("ptibapt")
TRIALS, GAMES = 100, 6


def decisions(memory, seed, games):
    found = []
    for n in range(games):
        match = GAME.match(seed=f"{seed} {n}", stalemate=False)
        play_out(match, [Recalling("tried", Player(), memory)] * 2, f"{seed} {n}")
        found += Watched(match).decisions
    return found


def test_the_interval_holds_the_true_memory_in_nine_of_ten_trials():
    """90% intervals of both parameters, from games of companions with a known memory: 85 of 100 must hold them."""
    true, held = Activation(threshold=-0.549, noise=0.25), 0
    for trial in range(TRIALS):
        found = decisions(true, f"trial {trial}", GAMES)
        fitted = fit(chances(found), tries(found))
        assert fitted is not None
        held += fitted.thresholds[0] <= true.threshold <= fitted.thresholds[1] and fitted.noises[0] <= true.noise <= fitted.noises[1]
    assert held >= 0.85 * TRIALS


def test_a_better_memory_gives_a_higher_curve():
    weak, strong = (Activation(threshold=t) for t in (-0.3, -1.4))
    low, high = (fit(chances(found), tries(found)) for found in (decisions(weak, "weak", 15), decisions(strong, "strong", 15)))
    assert low.recall(4)[2] < high.recall(4)[1]  # not even the intervals meet


def test_ages_are_those_by_which_companions_remember():
    """The activation that the report works out is the one that decided what the companion recalled."""
    memory = Activation(threshold=-0.5)
    match = GAME.match(seed="ages", stalemate=False)
    seats = [Seated(GAME, match.options, seat, Recalling("tried", Player(), memory), "ages") for seat in range(2)]
    true = {}
    while not match.over:
        (seat,) = match.acting
        action = seats[seat].choose(match.log)
        watch = seats[seat].watch
        true[len(match.log) + 1] = {place: memory.activation(trace, watch.turn) for place, trace in watch.traces.items()}
        match.play(seat, action)
    asked = [d for d in Watched(match).decisions if d.wanted]
    assert len(asked) > 5
    for d in asked:
        for m in d.wanted:
            assert activation(m.ages) == pytest.approx(true[d.entry][Place("card", GAME.rules.PLACES.index(m.place))])


def chance(used, turns, seconds=None, times=1):
    return Chance(used, turns, seconds, times, (activation([turns + 1]),), (), 4)


def test_shares_have_wilson_intervals():
    assert Share(1, 2, 0, 10).interval[0] == 0
    low, high = Share(1, 2, 8, 10).interval
    assert low == pytest.approx(0.5405, abs=1e-3) and high == pytest.approx(0.9314, abs=1e-3)


def test_chances_fall_into_their_bins():
    found = [chance(True, 1, 5.0), chance(False, 2, 10.0), chance(True, 3, None, times=2)]
    assert [(s.used, s.all) for s in shares(found, "turns", ((1, 2), (3, 4)))] == [(1, 2), (1, 1)]
    assert [(s.used, s.all) for s in shares(found, "seconds", ((0, 10), (10, 30)))] == [(1, 1), (0, 1)]
    assert [(s.used, s.all) for s in shares(found, "times", ((1, 1), (2, 2), (3, 9)))] == [(1, 2), (1, 1)]


def test_who_never_forgot_is_not_bounded_above():
    fitted = fit([chance(True, t) for t in (1, 2, 4, 8, 16) for _ in range(8)])
    assert fitted.recall(8)[2] == pytest.approx(1, abs=0.01)
    assert fitted.recall(2)[1] > 0.7


def test_without_chances_there_is_no_curve():
    assert fit([]) is None


def test_one_or_two_chances_say_nothing_of_a_memory():
    """One found and one missed would be fitted by a goldfish, whoever it was."""
    few, more = [chance(True, 1), chance(False, 1)], [chance(n % 4 > 0, 1 + n) for n in range(8)]
    assert not fit(few).enough and fit(more).enough
    assert Memory(1, 0, 2, 1, [], fit(few), []).half is None and Memory(1, 0, 8, 6, [], fit(more), []).half is not None
