"""Matches: log, refusal, undo, keeping, the seal."""

from __future__ import annotations

import hmac
import json
import random
import re
from pathlib import Path

import pytest
from conftest import random_match
from hypothesis import example, given
from hypothesis import strategies as st

import recollect
from recollect.engine import CHANCE
from recollect.engine.game import Game
from recollect.engine.look import Look, action_words
from recollect.engine.match import Match, Snapshot, open_match, read_document, verify
from recollect.engine.stream import commitment, draw, sealed
from recollect.engine.texts import Texts

PLACE = re.compile(r"[a-z]?\d*[a-z]?")  # a1, h19, 1b, c: said as they are written


def test_the_log_alone_rebuilds_the_state(game: Game):
    match = random_match(game, 4)
    again = Match(game, match.options, match.seed, auto_chance=False, log=match.log)
    assert again.state == match.state


def test_a_snapshot_and_the_tail_of_the_log_rebuild_the_state(game: Game):
    match = random_match(game, 4, stop=20)
    middle = match.at(len(match.log) // 2)
    again = Match(game, match.options, match.seed, auto_chance=False, log=match.log, snapshot=middle.snapshot())
    assert again.state == match.state and again.log == match.log
    elsewhere = Match(game, match.options, match.seed, auto_chance=False, log=match.log, snapshot=Snapshot(5, "another layout", b"other"))
    assert elsewhere.state == match.state, "the log says all"
    with pytest.raises(ValueError, match="of a longer log"):
        Match(game, match.options, match.seed, auto_chance=False, log=match.log[:2], snapshot=match.snapshot())


def test_every_action_can_be_said_in_both_languages(game: Game):
    match = game.match()
    for action in range(game.actions.count):
        assert match.words(action, "en") and match.words(action, "fr")


def test_words_name_things_in_the_readers_language(game: Game):
    match = game.match()
    for r in game.actions.ranges.values():
        for i, label in enumerate(r.labels):
            if not PLACE.fullmatch(label):
                for language in ("en", "fr"):
                    words = match.words(r.start + i, language)
                    assert label.upper() not in words and ("-" not in label or label not in words.lower()), words


@pytest.mark.parametrize(
    ("name", "notation", "en", "fr"),
    [
        ("memoarrr", "side north", "Choose the north side", "Choisir le côté nord"),
        ("memoarrr", "deal crab-lava", "The card is: crab, lava", "La carte est\u00a0: crabe, lave"),
        ("vivid", "colour yellow", "Take star from the supply", "Prendre dans la réserve\u00a0: étoile"),
        ("dejavu", "save yellow-moon", "Save the yellow moon", "Garder\u00a0: lune jaune"),
        ("dejavu", "place flame-ne", "Place the nebula at Flame, north-east side", "Poser la nébuleuse\u00a0: Flamme, côté nord-est"),
        ("ptibapt", "turn b4", "Turn B4", "Retourner B4"),
        ("_template", "keep b", "Keep card B", "Garder la carte B"),
    ],
)
def test_words_of_an_action(name: str, notation: str, en: str, fr: str):
    match = recollect.load(name).match()
    action = match.game.actions.parse(notation)
    assert (match.words(action, "en"), match.words(action, "fr"), match.say(action)) == (en, fr, notation)


def test_a_game_that_has_drawn_no_page_may_name_its_labels():
    game = Game(Path(__file__).parents[1] / "elsewhere" / "concentration")
    t = Texts("fr", {"actions": {"turn": "Retourner {at}"}, "labels": {"a1": "le coin"}})
    look = Look.of(game.match().moment, 0, ["Ada", "Bo"], t)
    assert [action_words(look, game.actions.parse(turn)) for turn in ("turn a1", "turn b1")] == ["Retourner le coin", "Retourner B1"]


def test_same_seed_and_moves_give_the_same_game(game: Game):
    assert random_match(game, 11).log == random_match(game, 11).log


def test_save_and_load_at_any_moment(game: Game, tmp_path):
    for stop in (0, 1, 7, 25, 10**6):
        match = random_match(game, 2, stop=stop)
        match.save(tmp_path / "match.json")
        again = open_match(tmp_path / "match.json")
        assert again.state == match.state and again.log == match.log and again.commitment == match.commitment


def test_every_refusal_says_why(game: Game):
    match = game.match(seed="refuse")
    seat = min(match.acting)
    before = match.record.tobytes()
    illegal = next(a for a in range(game.actions.count) if a not in match.legal(seat))
    for who, action, words in (
        (seat, illegal, "not legal now"),
        (6, match.legal(seat)[0], "turn"),
        (seat, 10**6, "there is no action"),
        (seat, "dance wildly", "actions begin with"),
    ):
        with pytest.raises(recollect.Refused, match=words):
            match.play(who, action)
    assert match.record.tobytes() == before


def test_a_finished_game_takes_no_more(game: Game):
    match = random_match(game, 3)
    with pytest.raises(recollect.Refused, match="over"):
        match.play(0, 0)


def test_undo_takes_back_exactly_one_own_action_or_says_why_not(game: Game):
    rng, taken = random.Random(5), 0
    match = game.match(seed="undo law")
    for _ in range(80):
        if match.over:
            break
        seat = rng.choice(sorted(match.acting))
        before, log = match.record.tobytes(), list(match.log)
        action = rng.choice(match.legal(seat))
        played = match.play(seat, action)
        if match.can_undo(seat) is not None and len(played) == 1:
            assert match.undo(seat) == (seat, action)
            assert match.record.tobytes() == before and match.log == log
            match.play(seat, action)
            taken += 1
        elif any(s == CHANCE for s, _ in played):
            with pytest.raises(recollect.Refused):
                match.undo(seat)


def test_draws_follow_from_the_seal(game: Game, tmp_path):
    match = random_match(game, 6)
    match.save(tmp_path / "match.json")
    doc = read_document(tmp_path / "match.json")
    assert verify(doc) == sum(seat == CHANCE for seat, _ in match.log) > 0


def test_a_changed_seed_or_draw_is_found(tmp_path):
    match = random_match(recollect.load("memoarrr"), 6, players=2)
    match.save(tmp_path / "match.json")
    doc = read_document(tmp_path / "match.json")
    with pytest.raises(ValueError, match="does not match the hash"):
        verify({**doc, "seed": "another"})
    i = next(i for i, line in enumerate(doc["log"]) if line.startswith("chance first"))
    other = "chance first 1" if doc["log"][i].endswith("0") else "chance first 0"
    with pytest.raises(ValueError, match="log entry"):
        verify({**doc, "log": [*doc["log"][:i], other, *doc["log"][i + 1 :]]})
    with pytest.raises(ValueError, match=r"log entry|stops before"):
        verify({**doc, "log": doc["log"][:-1], "over": False})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"recollect": 99}, "not a match file"),
        ({"game": "chess"}, "there is no game"),
        ({"version": 99}, "version 99"),
        ({"log": ["0 jump a1"]}, "log entry 1"),
        ({"log": ["zero side north"]}, "begins with a seat number"),
        ({"options": {"colour": "red"}}, "there is no option"),
        ({"options": None}, "missing or of the wrong kind"),
    ],
)
def test_a_bad_file_is_refused_with_the_place(tmp_path, change, words):
    file = tmp_path / "match.json"
    random_match(recollect.load("memoarrr"), 6, stop=3).save(file)
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(ValueError, match=words):
        open_match(file)


def test_files_that_are_none_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no such file"):
        open_match(tmp_path / "missing.json")
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not a match file"):
        open_match(tmp_path / "noise")


@given(st.text(min_size=1), st.integers(0, 10**6), st.lists(st.integers(0, 50), min_size=1).filter(any))
def test_a_draw_is_always_one_that_can_be_drawn(seed, move, weights):
    assert weights[draw(seed, move, weights)] > 0


@given(st.text(min_size=1, max_size=90), st.integers(0, 10**6))
@example("k" * 64, 0)
@example("k" * 65, 0)
def test_what_is_sealed_is_the_hmac_that_anybody_can_reckon(seed, move):
    assert sealed(seed, move) == int(hmac.new(seed.encode(), str(move).encode(), "sha256").hexdigest(), 16)


def test_draws_follow_the_odds():
    counts = [0, 0, 0]
    for move in range(6000):
        counts[draw("odds", move, [1, 2, 3])] += 1
    assert 900 < counts[0] < 1100 and 1850 < counts[1] < 2150 and 2800 < counts[2] < 3200


def test_the_hash_says_nothing_until_the_seed_is_told():
    assert commitment("a") != commitment("b") and len(commitment("a")) == 64
