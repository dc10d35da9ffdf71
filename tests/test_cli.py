"""The command line, run as a person would."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from conftest import random_match

import recollect
from recollect.engine.shelf import GAMES

TIE = str(GAMES / "memoarrr/positions/m7-tie-more-treasures-wins.toml")
CRAB = str(GAMES / "memoarrr/positions/expert-m9-crab-must-play-again.toml")


def run(*words: str, typed: str = "", code: int = 0) -> str:
    done = subprocess.run([sys.executable, "-m", "recollect", *words], input=typed, capture_output=True, text=True, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def test_games():
    listed = json.loads(run("games", "--json"))
    assert [g["name"] for g in listed] == recollect.game_names() and listed[0]["options"]["players"]
    assert "players = 2 | 3 | 4" in run("games")


def test_score():
    said = json.loads(run("score", "memoarrr", TIE, "--json"))
    assert said["scores"] == [4, 4, 4, 3] and said["ranking"] == [3, 2, 1, 4]
    assert said["decided"] == "treasures" and said["points"] == {"rubies": [4, 4, 4, 3]}
    assert "decided by: treasures" in run("score", "memoarrr", TIE)


def test_legal():
    said = json.loads(run("legal", "memoarrr", CRAB, "--seat", "0", "--json"))
    assert said["acting"] == [0] and {"action": 6, "notation": "reveal b1"} in said["legal"]
    assert "nothing: seat 0 to act" in run("legal", "memoarrr", CRAB, "--seat", "1")


def test_replay_and_verify(tmp_path):
    file = tmp_path / "match.json"
    match = random_match(recollect.load("memoarrr"), 1, players=3)
    match.save(file)
    assert json.loads(run("replay", str(file), "--json"))["scores"] == match.scores()
    assert "chance" in run("replay", str(file))
    assert json.loads(run("verify", str(file), "--json"))["verified"] is True
    file.write_text(file.read_text().replace(match.seed, "0" * 32))
    assert "does not match the hash" in run("verify", str(file), code=2)


def test_play_in_the_terminal_against_minds(tmp_path):
    file = tmp_path / "kept.json"
    run("play", "memoarrr", "--bots", "2", "--seed", "x", "--save", str(file))
    assert recollect.open_match(file).over


def test_a_person_in_the_terminal_is_told_what_is_not_legal():
    """Two people at one screen; what a person types wrong costs nothing, and capitals, last words and numbers will do."""
    typed = ["", "dance", "?", "LOOK B", "", "keep b", "", "look c", "", "3", "", "a", "", "keep a", "", "look c", "", "2"]
    said = run("play", "_template", "--bots", "0", "--seed", "y", typed="\n".join(typed) + "\n")
    assert "'dance' is not one of these: 1 look a, 2 look b" in said and "only you can see the screen" in said
    assert "1. Player" in said and "2. Player" in said


def test_leaving_in_the_terminal_keeps_the_game(tmp_path):
    said = run("play", "_template", "--bots", "0", "--save", str(tmp_path / "m.json"), typed="\nlook b\n\nquit\n")
    assert "left after" in said and not recollect.open_match(tmp_path / "m.json").over
    assert "left after 0 steps; --save FILE would keep" in run("play", "_template", "--bots", "0", typed="\n")
    assert "left after 1 step;" in run("play", "memoarrr", "--bots", "0", typed="\n"), "who begins was drawn"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["score", "chess", TIE], "there is no game 'chess'"),
        (["score", "memoarrr", "missing.toml"], "no such file"),
        (["legal", "memoarrr", CRAB, "--seat", "9"], "there is no seat 9"),
        (["play", "memoarrr", "--save", "no/such/folder/m.json"], "there is no folder"),
        (["play", "memoarrr", "--save", "."], "this is a folder"),
        (["play", "memoarrr", "-o", "players=9"], "option 'players': '9' is not one of 2, 3, 4"),
        (["play", "memoarrr", "-o", "players"], "write NAME=VALUE"),
        (["play", "memoarrr", "--bots", "9"], "--bots 9: this game has 2 seats"),
        (["play", "memoarrr", "--bots", "2", "--mind", "genius"], "nobody called 'genius' plays memoarrr"),
        (["play", "memoarrr", "--components", "missing.toml"], "missing.toml: file: there is no such file"),
        (["verify", "missing.json"], "no such file"),
        (["serve", "--components", "memoarrr=missing.toml"], "missing.toml: file: there is no such file"),
    ],
)
def test_a_fault_is_said_in_one_line(words, said):
    assert said in run(*words, code=2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("state = [1]", "state: should be a table"),
        ("options = 3", "options: should be a table"),
        ("play = [1]", "play: should be a list of lines"),
        ("[state]\nturn = 99999", "turn: 99999 does not fit"),
        ("[state]\ncard = { z9 = 1 }", "there is no place 'z9'"),
        ("[state]\ncard = { 99 = 1 }", "there is no place '99'"),
        ("[state]\nowner = 9", "does not make sense to the rules"),
        ("[state]\nstage = 1\nplayers = 5", "does not make sense to the rules"),
        ("[state]\nnothing = 1", "there is no field 'nothing'"),
        ("[stat]\nturn = 1", "stat: a position has no such entry"),
        ("title = ", "not readable as TOML"),
    ],
)
def test_a_bad_position_is_said_in_one_line(tmp_path, text, said):
    file = tmp_path / "bad.toml"
    file.write_text(text)
    assert said in run("score", "memoarrr", str(file), code=2)


def test_a_match_that_was_tampered_with_is_not_verified(tmp_path):
    file = tmp_path / "match.json"
    random_match(recollect.load("memoarrr"), 1, players=2).save(file)
    doc = json.loads(file.read_text())
    for change, said in (
        ({"snapshot": doc["snapshot"][:-8] + "AAAAAAA="}, "position kept"),
        ({"snapshot": 5}, "missing, or has another layout"),
        ({"over": False}, "not finished"),
        ({"log": doc["log"][:-3]}, "log stops before"),
        ({"version": 99}, "version 99"),
    ):
        file.write_text(json.dumps({**doc, **change}))
        assert said in run("verify", str(file), code=2)
    file.write_text("[" * 100_000)
    assert "not a match file" in run("replay", str(file), code=2)
