"""What a seat observes: what the record's visibility says, in three classes of memory, and the same plain and compiled."""

from __future__ import annotations

import random

import numpy as np
import pytest
from conftest import random_match

import recollect
from recollect.engine.game import Game
from recollect.engine.observation import words
from recollect.envs.table import Table, mode_of

MODES = ("sight", "knowledge", "capacity-3")


def played(game: Game, observe: str, seed: int, steps: int, compiled: bool = False, **options: object) -> Table:
    """A table after some random actions."""
    table, rng = Table(game, game.settle(options), observe, compiled=compiled), random.Random(seed)
    table.reset(seed)
    while steps and not table.over:
        seat = rng.choice(table.acting)
        table.play(seat, rng.choice(np.flatnonzero(table.mask(seat)).tolist()))
        steps -= 1
    return table


@pytest.mark.parametrize("observe", ["sight", "knowledge"])
def test_rows_say_what_the_masked_record_says(game: Game, observe: str):
    for i, options in enumerate(game.variants()):
        for steps in (2, 25, 90):
            table = played(game, observe, i, steps, **options)
            for seat in range(table.players):
                masked = game.state.masked(table.record.reshape(()), seat, ever=observe == "knowledge")
                for name, value in game.layout.named(table.row(seat)).items():
                    assert np.array_equal(value, expected(game, masked, name, seat, observe)), f"{name} of seat {seat}"


def expected(game: Game, masked: np.ndarray, name: str, seat: int, observe: str) -> np.ndarray:
    """The same from the record, by another way."""
    if name == "seat":
        return np.array([seat])
    part = next(p for p in game.layout.parts if p.name == name)
    f = game.state.fields[name]
    flags = f.flags(masked[name])
    if words(f):
        flags = (flags[..., None] >> 7 * np.arange(words(f))) & 127
    if part.role in ("own", "now"):
        return flags[seat]
    return np.zeros_like(flags) if part.role == "ever" and observe == "sight" else flags


@pytest.mark.parametrize("observe", MODES)
def test_nothing_observed_changes_when_what_a_seat_cannot_know_is_redealt(game: Game, observe: str):
    stream = np.array([7], np.int64)
    for i, options in enumerate(game.variants()):
        table = played(game, observe, i, 40, **options)
        for seat in range(table.players):
            row, mask, record = table.row(seat), table.mask(seat), table.record.copy()
            game.rules.redeal(game.state.open(table.record), seat, stream)
            assert np.array_equal(table.row(seat), row) and np.array_equal(table.mask(seat), mask)
            table.record[...] = record


def test_a_small_memory_holds_the_last_cards_that_were_shown():
    game = recollect.load("ptibapt")
    table = Table(game, game.settle({"reds": 0, "golds": 0, "starts": "first"}), "capacity-3")
    table.reset(5)
    shown = []
    while len(shown) < 6:
        seat = table.acting[0]
        legal = np.flatnonzero(table.mask(seat)).tolist()
        turns = [a for a in legal if game.actions.notation(a).startswith("turn ") and a - game.rules.TURN not in shown]
        if turns and game.actions.notation(turns[0]) != "turn_back":
            shown.append(turns[0] - game.rules.TURN)
            table.play(seat, turns[0])
        else:
            table.play(seat, legal[0])
    while table.mask(table.acting[0])[game.rules.TURN :].sum() == 1:  # turn back, or keep
        table.play(table.acting[0], int(np.flatnonzero(table.mask(table.acting[0]))[0]))
    lying = [p for p in shown if table.record["card"][0][p] >= 0]
    cards = game.layout.named(table.row(0))["card"]
    assert set(np.flatnonzero(cards >= 0).tolist()) == set(shown[-3:]) & set(lying)
    assert all(cards[p] == table.record["card"][0][p] for p in shown[-3:] if p in lying)


@pytest.mark.parametrize("observe", MODES)
def test_memories_hold_more_from_mode_to_mode(observe: str):
    """Sight is within every memory, and every memory within knowledge."""
    for name in ("memoarrr", "ptibapt"):
        game = recollect.load(name)
        for seed in range(6):
            rows = [game.layout.named(played(game, mode, seed, 60).row(0))["card"] >= 0 for mode in ("sight", observe, "knowledge")]
            assert (rows[0] <= rows[1]).all() and (rows[1] <= rows[2]).all()


@pytest.mark.compiled
@pytest.mark.parametrize("observe", [pytest.param(mode, marks=pytest.mark.long if mode == "knowledge" else ()) for mode in MODES])
def test_plain_and_compiled_tables_are_alike(game: Game, observe: str):
    plain, fast = (played(game, observe, 3, 120, compiled=compiled) for compiled in (False, True))
    assert plain.log == fast.log and plain.record.tobytes() == fast.record.tobytes()
    for seat in range(plain.players):
        assert np.array_equal(plain.row(seat), fast.row(seat)) and np.array_equal(plain.mask(seat), fast.mask(seat))
    assert np.array_equal(plain.rewards(), fast.rewards())


def test_results_are_rewarded_as_the_ranking_says(game: Game):
    for seed in range(4):
        table = played(game, "sight", seed, 10**6)
        ranks = game.standing(game.state.open(table.record), table.players).ranking
        rewards = table.rewards()
        assert rewards.sum() == pytest.approx(0)
        assert [rewards[a] > rewards[b] for a in range(len(ranks)) for b in range(a)] == [
            ranks[a] < ranks[b] for a in range(len(ranks)) for b in range(a)
        ]
        assert max(rewards) == 1 or ranks.count(1) > 1


def test_points_are_rewarded_as_they_come_and_add_up(game: Game):
    table, rng = Table(game, game.settle({}), reward="points"), random.Random(2)
    table.reset(2)
    total = np.zeros(table.players)
    while not table.over:
        seat = table.acting[0]
        table.play(seat, rng.choice(np.flatnonzero(table.mask(seat)).tolist()))
        total += table.rewards()
    scores = np.array(game.standing(game.state.open(table.record), table.players).scores)
    assert total == pytest.approx([s - np.delete(scores, i).mean() for i, s in enumerate(scores)])


def test_masks_are_the_legal_actions(game: Game):
    match = random_match(game, 4, stop=30)
    table = Table(game, match.options)
    table.record[0] = match.record
    for seat in range(match.players):
        assert np.flatnonzero(table.mask(seat)).tolist() == (match.legal(seat) if seat in match.acting else [])


def test_modes_are_named():
    assert mode_of("capacity-12") == (2, 12)
    for wrong in ("capacity", "capacity-0", "capacity-x", "memory"):
        with pytest.raises(ValueError, match="'sight', 'knowledge' or 'capacity-k'"):
            mode_of(wrong)


def test_what_is_not_legal_is_refused(game: Game):
    table = played(game, "sight", 1, 3)
    seat = table.acting[0]
    illegal = int(np.flatnonzero(table.mask(seat) == 0)[0])
    before = table.record.tobytes()
    with pytest.raises(ValueError, match="is not legal for seat"):
        table.play(seat, illegal)
    assert table.record.tobytes() == before
