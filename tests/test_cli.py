"""The command line, run as a person would."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from conftest import random_match

import recollect
from recollect.engine.game import GAMES

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
    """Two people at one screen; what a person types wrong costs nothing."""
    typed = ["", "dance", "look 1", "", "1", "", "look 2", "", "keep 3", "", "look 0", "", "keep 0", "", "look 2", "", "2"]
    said = run("play", "_template", "--bots", "0", "--seed", "y", typed="\n".join(typed) + "\n")
    assert "actions begin with: look, keep" in said and "only you can see the screen" in said
    assert "1. Player" in said and "2. Player" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["score", "chess", TIE], "there is no game 'chess'"),
        (["score", "memoarrr", "missing.toml"], "no such file"),
        (["legal", "memoarrr", CRAB, "--seat", "9"], "there is no seat 9"),
        (["play", "memoarrr", "-o", "players=9"], "option 'players': '9' is not one of 2, 3, 4"),
        (["play", "memoarrr", "-o", "players"], "write NAME=VALUE"),
        (["play", "memoarrr", "--bots", "2", "--mind", "genius"], "nobody called 'genius' plays memoarrr"),
        (["play", "memoarrr", "--components", "missing.toml"], "missing.toml: file: there is no such file"),
        (["verify", "missing.json"], "no such file"),
        (["serve", "--components", "memoarrr=missing.toml"], "missing.toml: file: there is no such file"),
    ],
)
def test_a_fault_is_said_in_one_line(words, said):
    assert said in run(*words, code=2)
