"""Memory models, what a seat is shown, and what is forged of what is recalled."""

from __future__ import annotations

import json
import math

import pytest
from typer.testing import CliRunner

import recollect
from recollect.cli import app
from recollect.engine.stream import CHANCE
from recollect.minds import LEVELS, Random, Seated, companions, mind, play_out
from recollect.minds.memory import PERFECT, Activation, Perfect, Place, Slots, Trace, luck_of
from recollect.minds.recall_cli import model_of
from recollect.minds.watching import Watch, neighbours


def test_activation_is_the_published_formula():
    model = Activation(decay=0.5, threshold=-1.0, noise=0.25)
    trace = Trace(3, [1, 4])
    assert model.activation(trace, 9) == pytest.approx(math.log(9**-0.5 + 6**-0.5))
    assert model.chance(0) > 0.95 and model.chance(round(math.exp(2)) - 1) == pytest.approx(0.5, abs=0.03)
    assert [model.chance(d) for d in range(30)] == sorted((model.chance(d) for d in range(30)), reverse=True)
    assert model.chance(12, exposures=3) > model.chance(12, exposures=2) > model.chance(12)


def test_recall_comes_as_often_as_its_chance_says():
    model, luck = Activation(threshold=-1.0), luck_of("often")
    traces = {Place("card", at): Trace(at, [0]) for at in range(25)}
    got = sum(len(model.recalls(traces, 6 + n * 0, luck_of(f"{n}"))) for n in range(80)) / (80 * 25)
    assert got == pytest.approx(model.chance(6), abs=0.04)
    assert model.recalls(traces, 6, luck) == model.recalls(dict(reversed(traces.items())), 6, luck)


def test_slots_keep_the_latest():
    traces = {Place("card", at): Trace(at, [m]) for at, m in enumerate((5, 1, 9, 7))}
    assert Slots(2).recalls(traces, 10, luck_of("")) == {Place("card", 2), Place("card", 3)}
    assert Slots(0).recalls(traces, 10, luck_of("")) == set() and Perfect().recalls(traces, 10, luck_of("")) == set(traces)


def test_levels_forget_less_and_less():
    halves = [level.half or 100 for level in LEVELS]
    assert [level.name for level in LEVELS] == ["goldfish", "parrot", "dolphin", "elephant"]
    assert halves == sorted(set(halves)) and LEVELS[-1].memory == PERFECT


def test_places_beside_one_another():
    card = recollect.load("memoarrr").state.fields["card"]
    labels = card.axes[0]
    assert {labels[n] for n in neighbours(card, labels.index("a1"))} == {"b1", "a2"}
    assert {labels[n] for n in neighbours(card, labels.index("c4"))} == {"b4", "d4", "c3", "c5"}


class Everything(Activation):
    """Traces are kept and nothing is forgotten: recall must equal knowledge."""

    def recalls(self, traces, now, luck):
        return set(traces)


@pytest.mark.parametrize("options", [{"players": 3, "mode": "expert"}, {"players": 2}])
@pytest.mark.parametrize("name", ["memoarrr", "ptibapt"])
def test_traces_tell_all_that_was_shown(name, options):
    """The traces of a memory that keeps all are the seat's knowledge, whatever moves or leaves."""
    game = recollect.load(name)
    options = options if name == "memoarrr" else {"bonus": options["players"] == 3}
    for n in range(6):
        match = game.match(seed=f"traces {n}", **options)
        watches = [Watch(game, match.options, seat, Everything()) for seat in range(match.players)]
        seats = [Seated(game, match.options, seat, Random(), f"{n}") for seat in range(match.players)]
        while not match.over:
            seat = min(match.acting - {CHANCE})
            match.play(seat, seats[seat].choose(match.log))
            for watch in watches:
                watch.follow(match.log)
                assert watch.recalled(luck_of("")) == match.knowledge(watch.seat)


def test_what_is_not_recalled_was_never_shown():
    game = recollect.load("memoarrr")
    match = game.match(seed="forgotten", players=2)
    play_out(match, [Random(), Random()], "forgotten")
    half = match.log[: len(match.log) // 2]
    watch = Watch(game, match.options, 0, Slots(3))
    watch.follow(half)
    k = watch.recalled(luck_of(""))
    known = {p for p in range(25) if k.known[0] >> p & 1}
    sight = {p for p in range(25) if k.sight[0] >> p & 1}
    assert len(known - sight) == 3 and known == {p for p in range(25) if k.card[p] >= 0}


def test_a_stray_card_lies_beside_its_place():
    game = recollect.load("memoarrr")
    watch = Watch(game, game.settle({}), 0, Activation(threshold=-9, misplace=1e9))
    watch.traces = {Place("card", 0): Trace(7, [-5]), Place("card", 1): Trace(8, [-5])}
    watch.memory = Straying()
    assert watch._placed(game.state.fields["card"], watch.traces, luck_of("s")) == {1: 7}


class Straying(Perfect):
    """Recalls the first place only, and puts it beside."""

    def recalls(self, traces, now, luck):
        return {min(traces)}

    def strays(self, trace, now):
        return 1.0


@pytest.mark.parametrize("name", ["memoarrr", "ptibapt"])
@pytest.mark.parametrize("level", [level.name for level in LEVELS])
def test_a_memory_rebuilt_from_the_log_is_the_same(name, level):
    game = recollect.load(name)
    assert companions(game) == [level.name for level in LEVELS]
    match = game.match(seed="restart")
    player, other = (Seated(game, match.options, seat, mind(game, level), "own") for seat in range(2))
    while not match.over:
        seat = min(match.acting - {CHANCE})
        chosen = (player, other)[seat].choose(match.log)
        if seat == 0:
            again = Seated(game, match.options, 0, mind(game, level), "own")
            assert again.choose(match.log) == chosen
            assert again.watch.traces == player.watch.traces
        match.play(seat, chosen)


def test_the_command_prints_and_draws_how_a_memory_forgets(tmp_path):
    pytest.importorskip("vl_convert", reason="drawing needs the extra packages: recollect[plots]")
    said = CliRunner().invoke(app, ["recall", "parrot", "--json", "--plot", str(tmp_path / "parrot.svg")])
    rows = json.loads(said.output)["recall"]
    assert {(row["delay"], row["exposures"]): row["recall"] for row in rows}[4, 1] == pytest.approx(0.5, abs=0.01)
    assert "<svg" in (tmp_path / "parrot.svg").read_text()
    assert "100%" in CliRunner().invoke(app, ["recall", "slots:slots=2"]).output


@pytest.mark.parametrize(
    ("words", "fault"), [("owl", "no memory is called"), ("activation:decoy=1", "has no 'decoy'"), ("slots:slots=few", "not a number")]
)
def test_a_memory_that_makes_no_sense_is_refused_in_words(words, fault):
    with pytest.raises(ValueError, match=fault):
        model_of(words)
