"""Hints, and that neither they nor any mind's choice depends on what its seat cannot know."""

from __future__ import annotations

import importlib
import json
import random
from functools import cache

import numpy as np
import pytest
from conftest import NAMES
from typer.testing import CliRunner

import recollect
from recollect.cli import app
from recollect.engine.stream import CHANCE
from recollect.engine.texts import LANGUAGES
from recollect.minds import Random, Seated, companions, mind, minds
from recollect.minds.hint import hint, planned, texts_of
from recollect.minds.thinking import Found

EVERYBODY = [(name, who) for name in NAMES if name[0] != "_" for who in minds(recollect.load(name))]
RECALL = ("memoarrr", "ptibapt")
SECRETS = {"ptibapt": {"bonus": True, "greens": 2, "golds": 0, "reds": 0}}  # a lantern shows a card to one alone


def middle(name, n, stop=None, **options):
    """A match in the middle, played at random."""
    game = recollect.load(name)
    match = game.match(seed=f"middle {n}", **options)
    seats = [Seated(game, match.options, seat, Random(), f"{n}") for seat in range(match.players)]
    stop = stop or random.Random(n).randint(6, 60)
    while not match.over and len(match.log) < stop:
        seat = min(match.acting - {CHANCE})
        match.play(seat, seats[seat].choose(match.log))
    return match


def dealt_anew(record, game, seat):
    """A record with all that the seat cannot know dealt anew."""
    copy = game.state.copy(record)
    game.rules.redeal(game.state.open(copy), seat, np.array([123457], np.int64))
    return copy


@cache
def secretive(name):
    """Matches in the middle, each with a seat that is asked and to which something is unknown."""
    found = []
    for n in range(400):
        match = middle(name, n, **SECRETS.get(name, {}))
        for seat in sorted(match.acting - {CHANCE}):
            if dealt_anew(match.record, match.game, seat).tobytes() != match.record.tobytes():
                found.append((match, seat))
        if len(found) >= 6:
            return found
    return found


@pytest.mark.parametrize(("name", "who"), EVERYBODY, ids=[f"{name}-{who}" for name, who in EVERYBODY])
def test_no_choice_changes_when_what_the_seat_cannot_know_is_dealt_anew(name, who):
    assert secretive(name), "nothing is unknown to anybody: the test tests nothing"
    for match, seat in secretive(name):
        one, other = (Seated(match.game, match.options, seat, mind(match.game, who), "peek") for _ in range(2))
        one.watch.follow(match.log)
        other.watch.follow(match.log)
        other.watch.record[...] = dealt_anew(match.record, match.game, seat)
        asked, again = one.asked(), other.asked()
        assert asked[0] == again[0] and asked[1:3] == again[1:3]
        assert one.mind.choose(*asked) == other.mind.choose(*again)


def test_no_hint_changes_when_the_past_that_the_seat_did_not_see_is_rewritten():
    """Draws that the seat was not shown are drawn anew in the log itself; its knowledge and its hint stay the same."""
    rewritten = 0
    for n in range(6):
        match = middle("memoarrr", n, stop=16 + n, mode="expert")
        for seat in sorted(match.acting - {CHANCE}):
            log = another_past(match, seat, random.Random(n))
            if log:
                rewritten += 1
                assert hint(match.game, match.options, log, seat) == hint(match.game, match.options, match.log, seat)
    assert rewritten


def another_past(match, seat, rng):
    """A log with other draws that shows the seat the same, if one is found."""
    game = match.game
    for _ in range(40):
        other = game.match(seed="another", auto_chance=False, **match.options)
        true = game.match(seed="true", auto_chance=False, **match.options)
        log = []
        for i, (who, action) in enumerate(match.log):
            draws = [a for a in other.legal(CHANCE) if (CHANCE, a) not in match.log[i:]] if who == CHANCE and rng.random() < 0.3 else []
            rng.shuffle(draws)
            true.play(who, action)
            chosen = next((a for a in [*draws, action] if a in other.legal(who) and same(other, who, a, true, seat)), None)
            if chosen is None:
                break
            other.play(who, chosen)
            log.append((who, chosen))
        else:
            if log != match.log:
                return log
    return None


def same(other, who, action, true, seat):
    trial = other.at(len(other.log))
    trial.play(who, action)
    return trial.knowledge(seat) == true.knowledge(seat) and trial.acting == true.acting


@pytest.mark.parametrize("name", RECALL)
def test_a_hint_is_legal_speaks_both_languages_and_expects_no_less_than_its_alternatives(name):
    seen = set()
    for n in range(12):
        match = middle(name, n, **({"mode": "expert"} if n % 2 and name == "memoarrr" else {}))
        for seat in sorted(match.acting - {CHANCE}):
            found = hint(match.game, match.options, match.log, seat)
            assert found.move in match.legal(seat) and all(a in match.legal(seat) for a, _ in found.alternatives)
            seen |= {reason.key for reason in found.reasons}
            for language in LANGUAGES:
                assert all(words.strip() for words in found.words(texts_of(match.game, language)))
            if found.alternatives and found.expected is not None:
                assert found.expected >= max(v for _, v in found.alternatives) - 1e-9
    assert len(seen) >= 3


def test_the_command_says_move_and_reason(tmp_path):
    match = middle("ptibapt", 1, stop=5)
    match.save(tmp_path / "m.json")
    seat = min(match.acting)
    said = CliRunner().invoke(app, ["hint", "ptibapt", str(tmp_path / "m.json"), "--seat", str(seat), "--json"])
    doc = json.loads(said.output)
    assert match.game.actions.parse(doc["move"]) in match.legal(seat) and set(doc["why"]) == set(LANGUAGES)
    assert "turn" in CliRunner().invoke(app, ["hint", "ptibapt", str(tmp_path / "m.json"), "--seat", str(seat)]).output.lower()


def test_the_command_reads_a_match_with_an_owners_cards(tmp_path):
    own, text = tmp_path / "own.toml", (recollect.load("ptibapt").folder / "components.toml").read_text("utf-8")
    own.write_text(text.replace("green = 1\n", "green = 3\n"), "utf-8")
    match = recollect.load("ptibapt", own).match(seed="own", starts="first")
    match.play(0, "turn a1")
    match.save(tmp_path / "m.json")
    asked = ["hint", "ptibapt", str(tmp_path / "m.json"), "--seat", str(min(match.acting)), "--json"]
    assert CliRunner().invoke(app, asked).exit_code != 0
    assert json.loads(CliRunner().invoke(app, [*asked, "--components", str(own)]).output)["move"]


def test_the_strongest_companion_of_a_game_of_recall_forgets_nothing_it_was_shown():
    for name in RECALL:
        game = recollect.load(name)
        assert companions(game)[-1] == "elephant"


def test_a_planned_turn_says_what_it_brings_in_both_languages():
    """A hint of a mind that plans turns: gains of points by kind, or that it prepares something."""
    match = middle("vivid", 2, stop=30)
    seat = min(match.acting)
    best = match.legal(seat)[0]
    found = planned(match.game, match.knowledge(seat), seat, best, Found({best: 9.0, best + 1: 6.0}, (best,), 1))
    assert [reason.key for reason in found.reasons] == ["ahead", "prepares"] and found.alternatives[0][0] == best + 1
    assert [len(found.words(texts_of(match.game, language))) for language in LANGUAGES] == [2, 2]


@pytest.mark.parametrize("name", ["vivid", "dejavu"])
def test_reasons_of_a_turn_are_what_it_did_in_both_languages(name):
    """Plain turns, each set beside the position before it: a tile claimed, a card finished, is said exactly when it was."""
    game = recollect.load(name)
    own, seen = importlib.import_module(game.package + ".mind"), set()
    for n in range(4):
        match = game.match(seed=f"why {n}")
        seats = [Seated(game, match.options, seat, mind(game, "sensible"), f"{n}") for seat in range(match.players)]
        before = {seat: game.state.open(game.state.copy(match.record)) for seat in range(match.players)}
        while not match.over and len(match.log) < 700:
            seat = min(match.acting - {CHANCE})
            if before[seat] is None:
                before[seat] = game.state.open(game.state.copy(match.record))
            match.play(seat, seats[seat].choose(match.log))
            if seat in match.acting:
                continue
            reasons = own.why(before[seat], match.state, seat)
            keys = {reason.key for reason in reasons}
            seen |= keys
            if name == "dejavu":
                assert ("finishes" in keys) == (match.state.long[seat] != before[seat].long[seat])
            for language in LANGUAGES:
                assert all("{" not in reason.words(texts_of(game, language)) for reason in reasons)
            before[seat] = None
    assert seen >= ({"claims", "moments", "thread"} if name == "vivid" else {"finishes", "covers"})
