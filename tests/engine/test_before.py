"""Matches that an earlier version of Recollect kept open, replay and verify; what it kept of a table goes on."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

import recollect
from recollect.engine.match import Match, open_match, parse_entry, read_document, rebuild, snapshot_of, verify

KEPT = sorted((Path(__file__).parent.parent / "data/before").glob("*.json"))


def test_there_is_one_of_every_game():
    assert [file.stem for file in KEPT] == recollect.game_names()


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_a_match_kept_before_opens_and_verifies(file: Path):
    doc = read_document(file)
    match = open_match(file)
    assert match.over and match.scores() == doc["scores"]
    assert verify(doc) == sum(line.startswith("chance ") for line in doc["log"]) > 10


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_a_match_kept_before_goes_on_from_the_middle(file: Path):
    """Its options, seed and log are all that a table keeps: the draws that follow are those that it would have made."""
    doc = read_document(file)
    game = recollect.load(doc["game"])
    log = [parse_entry(game, line) for line in doc["log"]]
    middle = next(i for i in range(len(log) // 2, len(log)) if log[i][0] != recollect.engine.CHANCE)
    match = Match(game, game.settle(doc["options"]), doc["seed"], log=log[:middle])
    assert match.log == log[:middle]
    while not match.over:
        match.play(*log[len(match.log)])
    assert match.log == log


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_a_position_kept_in_another_layout_is_rebuilt_and_one_in_this_layout_is_checked(file: Path):
    doc = {**read_document(file), "layout": "another", "snapshot": "AAAA"}
    assert verify(doc) > 0
    with pytest.raises(ValueError, match="another layout"):
        snapshot_of(doc, recollect.load(doc["game"]))
    now = rebuild(doc).document()
    assert verify(now) > 0
    with pytest.raises(ValueError, match="not the one that the log leads to"):
        verify({**now, "snapshot": base64.b64encode(bytes(b ^ 1 for b in base64.b64decode(now["snapshot"]))).decode()})
