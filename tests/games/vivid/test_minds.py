"""Who plays Vivid Memories: what a position is worth."""

from __future__ import annotations

import numpy as np
import pytest

import recollect
from recollect.games.vivid import worth
from recollect.games.vivid.components import CORE_PAYS, RING
from recollect.games.vivid.mind import why
from recollect.minds.thinking import weights_of

GAME = recollect.load("vivid")
W = np.array(worth.WEIGHTS)


def test_found_weights_are_as_many_as_those_set_by_hand():
    assert len(weights_of(GAME)) == len(worth.WEIGHTS)


def test_core_memories_whose_slots_are_all_linked_count_in_every_round_that_is_left():
    s = GAME.match(seed="core").state
    for rounds in (1, 2, 3):
        assert worth.together(s, 0, 0, rounds, W) == pytest.approx(W[worth.TOGETHER] * rounds * CORE_PAYS[0].sum())


def test_a_core_memory_counts_more_with_every_hex_that_comes_nearer():
    """From no hope to all linked, one slot after the other, one hex after the other."""
    s, gaps = GAME.match(seed="core").state, worth.ALL_GAPS
    before = worth.together(s, 0, gaps, 3, W)
    for place in range(RING):
        for gap in range(worth.NO_GAP - 1, -1, -1):
            gaps = worth.nearer(gaps, place, gap)
            now = worth.together(s, 0, gaps, 3, W)
            assert now >= before
            before = now
        assert worth.nearer(gaps, place, 2) == gaps, "what is near stays near"
    assert before == worth.together(s, 0, 0, 3, W)


def test_what_a_reason_tells_of_the_aspiration_is_a_secret():
    """A fragment of its colour comes into an empty hex: that is said, and to nobody else."""
    match = GAME.match(seed="dream", players=2)
    after = GAME.state.open(match.record.copy())
    before = GAME.state.open(match.record.copy())
    before.aspiration[0] = after.aspiration[0] = 2
    after.hexes[0, 3] = 1 << 2
    told = {reason.key: reason.secret for reason in why(before, after, 0)}
    assert told.pop("dream") is True and not any(told.values())
