"""Déjà Vu: sowings are offered exactly when the rulebook allows them."""

from __future__ import annotations

import random

import numpy as np
import pytest

import recollect
from recollect.engine.batch import Batch
from recollect.games.dejavu.components import CARDS
from recollect.games.dejavu.rules.layout import MORNING
from recollect.games.dejavu.rules.piles import added

GAME = recollect.load("dejavu")
TILES, KINDS = 15, 30
WHITE_PICKS = [CARDS.index(f"{colour}-4") for colour in ("blue", "green", "purple", "red", "yellow")]
LONG = {5: 300, 6: 80, 7: 20, 8: 6, 9: 2, 10: 2, 11: 2, 12: 2, 13: 2, 14: 2, 15: 9, 20: 9}  # bits of a longer pile: on how many maps


def random_maps(maps: int, rng: np.random.Generator) -> np.ndarray:
    """A third grown anywhere, a third rather out of the newest tile, long and thin, a third rather around the first."""
    batch = Batch(GAME, maps, players=4, map="built", first="first_seat")
    for _ in range(TILES - 1):
        masks = batch.legal()
        anywhere = (masks * rng.random(masks.shape)).argmax(axis=1)
        newest, oldest = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1), masks.argmax(axis=1)
        kind = np.where(rng.random(maps) < 0.75, np.arange(maps) % 3, 0)
        batch.step(np.choose(kind, (anywhere, newest, oldest)))
    assert (batch.states["placed"] == TILES).all()
    return batch.states


def lay_bits(record: np.ndarray, rng: random.Random, long_pile: int) -> None:
    """The box's bits on the tiles, as they come in games: piles of up to four, a longer one; the others in a chest and in the grid."""
    kinds = rng.sample(range(KINDS), KINDS)
    box = [kind for kind in kinds for _ in range(2)] if long_pile > 10 else [*kinds, *rng.sample(range(KINDS), KINDS)]
    sizes = (0, 0, 0, 0, 1) if rng.random() < 0.1 else (0, 1, 2, 3, 3, 4, 4, 4)
    for tile in rng.sample(range(TILES), TILES):
        size = long_pile or rng.choice(sizes)
        for kind in box[:size]:
            record["bits"][tile] = added(int(record["bits"][tile]), kind)
        box, long_pile = rng.sample(box[size:], len(box[size:])), 0
    for n, kind in enumerate(box):
        if n:
            record["grid"] = added(int(record["grid"]), kind)
        else:
            record["own"][record["turn"]] = added(0, kind)


def prepare(record: np.ndarray, rng: random.Random, long_pile: int) -> int:
    """The beginning of somebody's turn in the middle of a game. The icons for white bits of that seat."""
    for name in ("bits", "own", "long", "grid"):
        record[name] = 0
    record["turn"], record["girl"], record["strolled"] = rng.randrange(4), rng.randrange(TILES), rng.randrange(2)
    record["stage"], record["rounds"], record["sown"] = MORNING, 1, 0
    record["fragment"][rng.sample(range(TILES), rng.randrange(9))] = -1  # flowers grow there
    lay_bits(record, rng, long_pile)
    icons = [rng.choice((0, 0, 0, 0, 1, 1, 2, 5)) for _ in range(4)]
    for seat in range(4):
        record["long"][seat] = sum(1 << card for card in rng.sample(WHITE_PICKS, icons[seat]))
    return icons[record["turn"]]


@pytest.mark.compiled
@pytest.mark.parametrize("maps", [400, pytest.param(2000, marks=pytest.mark.long)])
def test_offered_sowings_are_those_of_an_exhaustive_search(maps: int):
    from games.dejavu import sowings

    rng, tools, none = random.Random(11), sowings.tools(), 0
    long_piles = [size for size, count in LONG.items() for _ in range(-(-count * maps // 2000))]
    for n, record in enumerate(random_maps(maps, np.random.default_rng(11))):
        icons = prepare(record, rng, long_piles[n] if n < len(long_piles) else 0)
        tools.games[0], before = record, int(tools.tally[sowings.STARTS])
        assert sowings.walk(tools, icons) == sowings.ALL_RIGHT, f"map {n}"
        none += tools.tally[sowings.STARTS] == before
    tally = dict(zip(sowings.COUNTED, tools.tally.tolist(), strict=True))
    # that there was something to tell apart
    assert tally["starts"] > 10 * maps and tally["one_by_one"] > 500 * maps and tally["positions"] > 1500 * maps
    assert tally["shut"] > 250 * maps, "positions where a connected tile, not crossed, leads to no complete sowing"
    assert tally["picked"] > 500 * maps and none > maps // 500, "white bits taken by power; maps on which nothing can be sown"
