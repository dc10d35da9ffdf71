"""Vivid Memories: what is particular to it, beyond its positions."""

from __future__ import annotations

import importlib
import itertools
import json
import math
import random
import re
import shutil
import tomllib
from collections import Counter

import numpy as np
import pytest
from conftest import random_match
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import recollect
from recollect import terminal
from recollect.cli import app
from recollect.engine import CHANCE, Fault, Opened, position
from recollect.engine.match import Match, Refused, check_draws
from recollect.games.vivid.components import CELLS, CORE, CORE_PAYS, HANDFULS, IN_HEX, PATTERN, PAYS, RING_CELLS, SIZE, SLOT, handful
from recollect.games.vivid.rules import enough, layout, reward
from recollect.games.vivid.rules.layout import FRAGMENTS_OF
from recollect.minds import Random, mind, play_out
from recollect.table.render.page import Page, fragment

GAME = recollect.load("vivid")
TOUCHING = [[max(abs(a - q), abs(b - r), abs(a + b - q - r)) == 1 for q, r in CELLS] for a, b in CELLS]
BAGS = IN_HEX


def table(players: int = 2, **options: object) -> tuple[Match, Opened]:
    """A table just set up, for forging."""
    match = Match(GAME, GAME.settle({"players": players, **options}), seed="vivid", auto_chance=False)
    return match, match.state


def colours_of(bag: int) -> list[int]:
    return list(HANDFULS[bag])


# ---------------------------------------------------------------- set-up


@pytest.mark.parametrize(("players", "tiles", "each", "bag"), [(1, 4, 4, 11), (2, 4, 4, 11), (3, 5, 5, 17), (4, 6, 5, 20)])
def test_v1_the_line_of_the_first_round(players, tiles, each, bag):
    match = GAME.match(players=players, seed="first", start="first")
    s = match.state
    assert [s.line[i] >= 0 for i in range(6)] == [i < tiles for i in range(6)]
    assert [SIZE[s.tokens[i]] for i in range(tiles)] == [each] * tiles
    assert [s.bag[c] + sum(colours_of(s.tokens[i]).count(c) for i in range(tiles)) for c in range(5)] == [bag] * 5
    assert match.acting == {0}


def test_v9_a_cluster_of_three_finished_in_round_one_pays_in_all_three():
    match, s = table()
    s.filled[0] = 0b111
    for n in range(3):
        s.round_no, s.phase = n, layout.PAY_CORE
        match.game.rules.apply(s, 0, layout.COUNT)
    assert match.points()["core"] == [54, 0]


def test_the_start_player_is_drawn_or_chosen():
    assert {GAME.match(players=3, seed=str(i)).state.start for i in range(40)} == {0, 1, 2}
    assert GAME.match(players=4, start="third").state.start == 2
    assert GAME.match(players=2, start="third").state.start == 0  # counted on round the table
    assert GAME.match(players=1, start="second").state.start == 1  # the automa begins


# ---------------------------------------------------------------- laws


def everything(s: Opened) -> Counter[int]:
    """All fragments, wherever they are."""
    found = Counter({c: s.bag[c] + s.supply[c] + s.kept[c] for c in range(5)})
    for i in range(6):
        found.update(colours_of(s.tokens[i]))
    found.update(colours_of(s.hand))
    for seat in range(s.players):
        for h in range(19):
            found.update(colours_of(s.hexes[seat, h]))
        found.update(int(SLOT[seat, place]) for place in range(18) if s.filled[seat] >> place & 1)
        if s.task[seat] == layout.SPECULATING:
            found[s.what[seat]] += 1
    return found


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.sampled_from([1, 2, 3, 4]))
def test_125_fragments_and_20_tiles_are_never_lost_and_no_hex_holds_four(seed, players):
    rng = random.Random(seed)
    match = GAME.match(seed=str(seed), players=players)
    while not match.over:
        seat = rng.choice(sorted(match.acting))
        match.play(seat, rng.choice(match.legal(seat)))
        s = match.state
        assert everything(s) == Counter(dict.fromkeys(range(5), 25))
        assert all(SIZE[s.hexes[seat, h]] <= 3 for seat in range(4) for h in range(19))
        assert all(s.bag[c] >= 0 and s.supply[c] >= 0 for c in range(5))
        banked = [s.bank[seat, k] for seat in range(4) for k in range(4) if s.bank[seat, k] >= 0]
        assert sorted(banked) == [t for t in range(20) if layout.BANKED <= s.home[t] < layout.CHERISHED]
    assert len(match.log) < 1500


def running_low(rng: random.Random, players: int) -> Opened:
    """Somewhere in Reflect, with next to nothing in the supply or in the bag."""
    match = GAME.match(seed=str(rng.random()), players=players, start="first")
    rounds = rng.randrange(3)
    while match.state.phase != layout.REFLECT or match.state.round_no < rounds:
        seat = rng.choice(sorted(match.acting))
        match.play(seat, rng.choice(match.legal(seat)))
    s, supply, bag = match.state, *rng.choice((((0, 1, 1, 2, 3, 6), (9,)), ((20,), (0, 0, 0, 1)), ((0, 1, 3, 6), (0, 0, 1))))
    for c in range(5):
        s.supply[c], s.bag[c] = rng.choice(supply), rng.choice(bag)
    s.ample = enough.ample(s)
    for _ in range(rng.randrange(25)):  # some have begun
        seat = rng.choice([seat for seat in range(players) if GAME.rules.acting(s) >> seat & 1])
        carry_out(s, seat, rng.choice([a for a in GAME.may(s, seat) if a != layout.DONE] or [-1]), rng)
    return s


def carry_out(s: Opened, seat: int, action: int, rng: random.Random) -> None:
    """The action, and the draw that it asks for; there must be something to draw."""
    if action >= 0:
        GAME.rules.apply(s, seat, action)
    if GAME.rules.acting(s) == 1 << CHANCE:
        GAME.rules.apply(s, CHANCE, rng.choice(GAME.may(s, CHANCE)))


def alone(s: Opened, seat: int, rng: random.Random) -> tuple[list[int], list[int]]:
    """What a seat does while nobody else moves, until it has to wait, has drawn, or has no more to do; and its hexes then."""
    s, orders = GAME.state.open(GAME.state.copy(s.record)), list[int]()
    while GAME.rules.acting(s) >> seat & 1 and (s.task[seat] == layout.SPECULATING or layout.USE + layout.SPECULATE not in orders):
        more = [a for a in GAME.may(s, seat) if a != layout.DONE]
        if not more:
            break
        draw = layout.USE + layout.SPECULATE
        orders.append(draw if draw in more and rng.random() < 0.5 else rng.choice(more))
        carry_out(s, seat, orders[-1], rng)
    return orders, [s.hexes[seat, h] for h in range(19)]


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.sampled_from([2, 3, 4, 4]))
def test_nobody_is_denied_a_fragment_by_a_faster_click(seed, players):
    """Whoever may act can do, whatever the others do meanwhile and in whatever order they click, all that it could have done alone."""
    rng = random.Random(seed)
    s = running_low(rng, players)
    for _ in range(4):
        plans = {seat: alone(s, seat, rng) for seat in range(players) if GAME.rules.acting(s) >> seat & 1}
        together, left = GAME.state.open(GAME.state.copy(s.record)), {seat: list(orders) for seat, (orders, _) in plans.items()}
        while clicking := [seat for seat in left if left[seat]]:
            seat = rng.choice(clicking)
            action = left[seat].pop(0)
            assert GAME.rules.acting(together) >> seat & 1, "nobody who could act has to wait for who was quicker"
            assert action in GAME.may(together, seat), "what lay open still does"
            carry_out(together, seat, action, rng)
        for seat, (orders, hexes) in plans.items():
            got = [together.hexes[seat, h] for h in range(19)]
            if layout.USE + layout.SPECULATE in orders:  # what was drawn may be another
                got, hexes = [SIZE[h] for h in got], [SIZE[h] for h in hexes]
            assert got == hexes


def scarce(*supply: int, bag: tuple[int, ...] = (9, 9, 9, 9, 9)) -> Match:
    """Four players who have laid their tiles; seat 2 holds the marker, and nobody may combine but seats 2 and 3."""
    match, s = table(4)
    s.phase, s.start = layout.REFLECT, 2
    for c in range(5):
        s.supply[c], s.bag[c] = supply[c], bag[c]
    for seat in range(4):
        s.task[seat], s.used[seat] = layout.CHOOSE, (0b1111 if seat < 2 else 0b1110)
    return match


def test_who_takes_nothing_that_is_short_does_not_wait():
    assert scarce(5, 5, 1, 5, 5).acting == {0, 1, 2}  # 2 is first; 3 could combine into the last green; 0 and 1 take nothing
    assert scarce(5, 5, 2, 5, 5).acting == {0, 1, 2, 3}
    match = scarce(5, 5, 1, 5, 5)
    match.state.bank[0, layout.NUDGE] = 2  # it adds a red: of red there is enough
    assert match.acting == {0, 1, 2}
    match.state.bank[0, layout.NUDGE] = 4  # it adds a green
    assert match.acting == {1, 2}


def test_as_soon_as_one_has_taken_what_it_may_the_next_need_not_wait():
    match = scarce(5, 5, 1, 5, 5)
    s = match.state
    s.hexes[2, 9] = FRAGMENTS_OF.index("ry")
    GAME.rules.derive(s)
    for line in ("use combine", "pick h10-red", "pick h10-yellow"):
        match.play(2, line)
        assert 3 not in match.acting
    match.play(2, "colour blue")
    assert match.acting == {0, 1, 2, 3}


def test_the_bag_too_is_kept_for_who_comes_first():
    match = scarce(9, 9, 9, 9, 9, bag=(1, 0, 0, 0, 0))
    match.state.used[2] = match.state.used[3] = match.state.used[0] = 0b1101  # they may speculate
    assert match.acting == {1, 2}
    match.state.bag[3] = 1
    assert match.acting == {1, 2, 3}


def test_tiles_that_have_to_be_laid_cover_the_bank():
    match = scarce(5, 5, 1, 5, 5)
    s = match.state
    s.task[3] = s.task[0] = layout.LAY
    for tile in (2, 7, 12, 17):
        s.home[tile] = layout.CLAIMED + 3
    assert 0b1000 & GAME.rules.acting(s)  # laying takes nothing
    s.task[2] = layout.WAIT
    s.home[2] = s.home[7] = s.home[12] = s.home[17] = layout.DECK
    assert enough.wanted(s, 3) == enough.EACH_COLOUR
    for tile in (0, 3, 10, 13):  # they add blue, yellow, yellow, purple
        s.home[tile] = layout.CLAIMED + 3
    assert enough.wanted(s, 3) == 2 << 8 | 1 << 24 | 1 << 32


def test_alone_who_has_fewer_points_than_the_automa_has_lost():
    match, s = table(1)
    s.phase, s.round_no, s.start = layout.OVER, 2, 0
    s.moments[0, 0], s.moments[1, 0] = 3, 99
    standing = match.standing()
    assert standing.ranking == [2] and standing.winners == [] and standing.decided == "points"
    assert [(h.score, h.rank) for h in standing.house] == [(99, 1)]
    s.moments[0, 0] = 100
    assert match.standing().winners == [0] and match.standing().house[0].rank == 2
    s.moments[0, 0], s.aspired[0] = 97, 2
    assert match.standing().winners == [0] and match.standing().decided == "aspiration"
    assert GAME.match(players=2, seed="two").standing().house == ()


def test_the_automa_has_its_place_in_the_sketch_and_in_recollect_score(tmp_path):
    file = tmp_path / "lost.toml"
    file.write_text(
        'options = { players = 1 }\n[state]\nphase = "over"\nround_no = 2\nmoments = { "1" = { "0" = 99 } }\nkept = [3, 0, 1, 0, 0]\n'
    )
    match = position.stand(GAME, position.read(file))
    sketch = importlib.import_module("recollect.games.vivid.page.sketch").sketch
    said = sketch(terminal.look_of(match, 0, ["Mila"]))
    assert "House automa, 99 points; fragments: r3 y0 g1 b0 p0" in said
    result = CliRunner().invoke(app, ["score", "vivid", str(file), "--json"])
    assert json.loads(result.output)["winners"] == [] and json.loads(result.output)["house"][0]["score"] == 99
    assert "automa" in CliRunner().invoke(app, ["score", "vivid", str(file)]).output


# ---------------------------------------------------------------- take and rewire, against plain definitions


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=5), min_size=1, max_size=4), st.booleans())
def test_hands_that_can_be_taken_are_exactly_those_of_the_rulebook(tiles, from_left):
    """All orders of taking from one end, tile after tile; a hand is one, two alike, or three different."""

    def ways(line: list[list[int]], hand: tuple[int, ...]) -> set[tuple[int, ...]]:
        kinds, n = len(set(hand)), len(hand)
        found = {tuple(sorted(hand))} if n == 1 or (n == 2 and kinds == 1) or (n == 3 and kinds == 3) else set()
        line = [tile for tile in line if tile] if from_left else line
        end = next((tile for tile in (line if from_left else reversed(line)) if tile), None)
        if n < 3 and end:
            for c in set(end):
                rest = [list(tile) for tile in line]
                rest[next(i for i, tile in enumerate(line) if tile is end)].remove(c)
                found |= ways(rest, (*hand, c))
        return found

    match, s = table()
    s.phase, s.task[0], s.last = layout.REMEMBER, layout.TAKE, len(tiles) - 1
    for i, tile in enumerate(tiles):
        s.line[i] = i
        s.tokens[i] = handful(tile)
    start = match.record.copy()
    first = layout.LEFT if from_left or len(tiles) == 1 else layout.RIGHT
    taken: set[tuple[int, ...]] = set()

    def walk() -> None:
        kept = match.record.copy()
        legal = match.legal(0)
        if any(layout.PLACE <= a < layout.PICK for a in legal):
            taken.add(tuple(colours_of(s.hand)))
        takes = [a for a in legal if first <= a < first + 5]
        assert takes or any(a >= layout.PLACE for a in legal)  # never a dead end
        for action in takes:
            GAME.rules.apply(s, 0, action)
            walk()
            match.record[...] = kept

    walk()
    match.record[...] = start
    assert taken == ways(tiles, ())


def moved(hexes: list[int], moves: list[tuple[int, int, int]]) -> tuple[int, ...] | None:
    """The hexes after moves (from, to, colour); None if one then holds more than three."""
    held = [colours_of(bag) for bag in hexes]
    for a, b, c in moves:
        held[a].remove(c)
        held[b].append(c)
    return tuple(handful(bag) for bag in held) if max(map(len, held)) <= 3 else None


def rewirings(hexes: list[int]) -> set[tuple[int, ...]]:
    """Every board that one rewiring can make: choose a hex; fragments go out of it, or into it; at most three in a hex."""
    found = {moved(hexes, [])}
    for chosen in range(19):
        around = [h for h in range(19) if TOUCHING[chosen][h]]
        own = colours_of(hexes[chosen])
        for where in itertools.product([chosen, *around], repeat=len(own)):
            found.add(moved(hexes, [(chosen, h, c) for h, c in zip(where, own, strict=True)]))
        movable = [(h, chosen, c) for h in around for c in colours_of(hexes[h])]
        for n in range(1, 4 - len(own)):
            found |= {moved(hexes, list(some)) for some in itertools.combinations(movable, n)}
    return {board for board in found if board is not None}


def reachable(hexes: list[int], task: int) -> set[tuple[int, ...]]:
    """Every board that the questions of the rewire action lead to, by `done`; each of them can be answered."""
    match, s = table()
    s.phase, s.task[0], s.last, s.line[0], s.tokens[0] = layout.REMEMBER, task, 0, 0, 1
    for h in range(19):
        s.hexes[0, h] = hexes[h]
    GAME.rules.derive(s)
    found, seen = set(), set()
    todo = [match.record.copy()]
    while todo:
        record = todo.pop()
        match.record[...] = record
        legal = match.legal(0)
        assert legal, "a dead end"
        for action in legal:
            match.record[...] = record
            if action == layout.DONE:
                found.add(tuple(record["hexes"][0].tolist()))
                continue
            GAME.rules.apply(s, 0, action)
            if match.record.tobytes() not in seen:
                seen.add(match.record.tobytes())
                todo.append(match.record.copy())
    return found


@pytest.mark.parametrize("seed", range(6))
def test_rewiring_reaches_exactly_what_the_rulebook_allows(seed):
    rng = random.Random(seed)
    hexes = [rng.choice(BAGS) if rng.random() < 0.3 else 0 for _ in range(19)]
    assert reachable(hexes, layout.REWIRE) == rewirings(hexes)


@pytest.mark.parametrize("seed", range(8))
def test_making_room_reaches_exactly_the_rewirings_that_leave_an_empty_hex(seed):
    rng = random.Random(seed)
    light = [bag for bag in BAGS if 1 <= SIZE[bag] <= 2]
    full = [bag for bag in BAGS if SIZE[bag] == 3]
    hexes = [rng.choice(light) if rng.random() < 0.1 + 0.03 * seed else rng.choice(full) for _ in range(19)]
    expected = {new for new in rewirings(hexes) if 0 in new}
    assert reachable(hexes, layout.MAKE_ROOM) == (expected or {tuple(hexes)})


# ---------------------------------------------------------------- scoring, against another algorithm


def by_union_find(hexes: list[int], filled: set[int], tiles: list[int], board: int) -> tuple[int, int, int]:
    """Moments, threads and core memories of a board: joins hexes pair by pair instead of flooding."""
    moments = sum(int(PAYS[t]) for t in tiles for bag in hexes if sorted(colours_of(bag)) == sorted(colours_of(int(PATTERN[t]))))
    threads, now = 0, set(filled)
    for colour in range(5):
        here = [h for h in range(19) if colour in colours_of(hexes[h])]
        parent = {h: h for h in here}

        def root(h: int, parent: dict[int, int] = parent) -> int:
            while parent[h] != h:
                h = parent[h]
            return h

        for a, b in itertools.combinations(here, 2):
            if TOUCHING[a][b]:
                parent[root(a)] = root(b)
        for top in {root(h) for h in here}:
            part = [CELLS[h] for h in here if root(h) == top]
            slots = {p for p in range(18) if SLOT[board, p] == colour and any(_touch(RING_CELLS[p], cell) for cell in part)}
            if len(slots) > 1:
                threads += len(part) * len(slots - filled)
                now |= slots
    clusters = [({p for p in range(18) if cells >> p & 1}, int(pays)) for cells, pays in zip(CORE[board], CORE_PAYS[board], strict=True)]
    core = sum(pays for places, pays in clusters if places and places <= now)
    return moments, threads, core


def _touch(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Two cells are neighbours: their distance is one."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r)) == 1


def test_scoring_of_10000_random_boards_equals_an_independent_scorer():
    rng = random.Random(20211)
    _, s = table(4)
    s.round_no = 2  # slots are filled without asking
    sums = np.zeros(3, int)
    for _ in range(10_000):
        seat, density, favourite = rng.randrange(4), rng.random(), rng.randrange(5)
        hexes = [rng.choice(BAGS) if rng.random() < density else 0 for _ in range(19)]
        hexes = [handful([*colours_of(bag)[:2], favourite]) if bag and rng.random() < 0.5 else bag for bag in hexes]
        filled = {p for p in range(18) if SLOT[seat, p] >= 0 and rng.random() < 0.3}
        tiles = rng.sample(range(20), 4)
        for h in range(19):
            s.hexes[seat, h] = hexes[h]
        GAME.rules.derive(s)
        s.filled[seat] = sum(1 << p for p in filled)
        s.flipped[seat] = 0b1111
        for k in range(4):
            s.bank[seat, k] = tiles[k]
        s.moments[seat, 2] = s.threads[seat, 2] = s.core[seat, 2] = 0
        reward.pay_moments(s, seat)
        reward.pay_threads(s, seat)
        reward.build(s, seat)
        reward.pay_core(s, seat)
        got = tuple(reward.paid(s, seat, 2, kind) for kind in range(3))
        assert got == by_union_find(hexes, filled, tiles, seat), (hexes, filled, tiles, seat)
        sums += got
    assert (sums > 3000).all()  # the boards did score


# ---------------------------------------------------------------- census


def census(match: Match, depth: int) -> list[int]:
    """How many sequences of actions there are of each length (what chance may draw counts each)."""
    if depth == 0:
        return []
    counts = [0] * depth
    record = match.record.copy()
    for seat in sorted(match.acting):
        for action in GAME.legal(match.state, seat):
            GAME.rules.apply(match.state, seat, action)
            counts[0] += 1
            for i, n in enumerate(census(match, depth - 1)):
                counts[i + 1] += n
            match.record[...] = record
    return counts


def test_census_of_a_first_turn():
    match = GAME.match(players=2, start="first", seed="census")
    assert census(match, 5) == [8, 176, 352, 2648, 28184]


def test_census_of_a_reflection():
    match, s = table(2)
    s.phase, s.ample = layout.REFLECT, 1
    s.task[0], s.task[1] = layout.LAY, layout.CHOOSE
    s.home[0], s.home[5] = layout.CLAIMED, layout.CLAIMED
    for h, bag in ((4, "ry"), (5, "gb"), (9, "p"), (10, "rrp")):
        s.hexes[0, h] = FRAGMENTS_OF.index(bag)
    s.hexes[1, 0] = FRAGMENTS_OF.index("y")
    GAME.rules.derive(s)
    assert census(match, 4) == [7, 38, 289, 2457]


# ---------------------------------------------------------------- undo, secrets, minds


def reflecting_match() -> Match:
    """Two players who have laid their tiles in the first round and may both act."""
    rng = random.Random(5)
    match = GAME.match(players=2, seed="plan", start="first")
    while not all(match.state.task[seat] == layout.CHOOSE for seat in (0, 1)):
        seat = min(seat for seat in match.acting if match.state.task[seat] != layout.CHOOSE)
        match.play(seat, rng.choice(match.legal(seat)))
    assert match.state.ample
    return match


def test_a_plan_can_be_taken_back_while_others_move_beside_it():
    match = reflecting_match()
    before = match.record.copy()
    match.play(0, "use nudge")
    match.play(0, next(a for a in match.legal(0) if a >= layout.PICK))
    match.play(1, "done")  # beside: it changes nothing of seat 0's
    match.play(0, match.legal(0)[0])
    for _ in range(3):
        match.undo(0)
    after = match.state
    assert after.task[0] == layout.CHOOSE and after.task[1] == layout.WAIT
    assert after.hexes.tolist() == GAME.state.open(before).hexes.tolist()


def test_a_plan_can_be_taken_back_after_another_has_drawn_and_the_draws_still_verify():
    match = reflecting_match()
    match.play(0, "use nudge")
    match.play(1, "use speculate")
    match.play(1, next(a for a in match.legal(1) if layout.PLACE <= a < layout.PICK))
    board = match.state.hexes.tolist()[1]
    match.undo(0)
    assert match.state.task[0] == layout.CHOOSE and match.state.hexes.tolist()[1] == board
    assert check_draws(match) > 20


def test_a_drawn_fragment_cannot_be_taken_back():
    match = reflecting_match()
    match.play(0, "use speculate")
    with pytest.raises(Refused):
        match.undo(0)


def test_an_aspiration_is_seen_by_its_owner_alone_until_the_end():
    match = GAME.match(players=3, seed="secret")
    for seat in (-1, 0, 1, 2):
        seen = match.view(seat).aspiration
        assert [seen[other] >= 0 for other in range(3)] == [other == seat for other in range(3)]
    over = random_match(GAME, 4, players=3)
    assert all(over.view(seat).aspiration[other] >= 0 for seat in (-1, 0, 1, 2) for other in range(3))


def test_the_sensible_player_beats_random_play_clearly():
    won = 0
    for i in range(8):
        match = GAME.match(players=2, seed=f"arena {i}")
        players = [mind(GAME, "sensible"), Random()] if i % 2 else [Random(), mind(GAME, "sensible")]
        play_out(match, players, seed=f"{i}")
        won += match.ranking()[1 - i % 2] == 1
    assert won >= 7


def test_the_sensible_player_answers_every_question_there_is():
    for players in (1, 2, 4):
        match = GAME.match(players=players, seed="questions")
        play_out(match, [mind(GAME, "sensible")] * players, seed="questions")
        assert match.over and min(match.scores()) > 20


def test_the_sensible_player_does_not_peek_at_aspirations():
    stream = np.array([77], np.int64)
    for stop in (5, 40, 90):
        match = random_match(GAME, 1, stop=stop, players=3)
        for seat in match.acting - {CHANCE}:
            record = match.record.copy()
            GAME.rules.redeal(GAME.state.open(record), seat, stream)
            known = [GAME.knowledge(r, seat) for r in (match.record, record)]
            one, other = (mind(GAME, "sensible").choose(k, seat, match.legal(seat), random.Random(1)) for k in known)
            assert one == other


# ---------------------------------------------------------------- components


@pytest.mark.parametrize(
    ("old", "new", "entry", "fault"),
    [
        ('action = "add"\ncolour = "blue"', 'action = "add"\ncolour = "pink"', "moment 1", "'pink' is no colour"),
        ('action = "add"\ncolour = "blue"', 'action = "subtract"\ncolour = "blue"', "moment 1", "neither"),
        ('into = ["red", "green"]\n', "", "moment 6", "'into' must be"),
        ('into = ["red", "green"]\n', 'into = ["red"]\n', "moment 6", "two colours"),
        ('pattern = ["red", "yellow"]', 'pattern = ["red"]', "moment 1", "two or three"),
        ("[[moment]]", "[[memory]]", "memory", "is not known here"),
        ("ring = [0, 1, 2]", "ring = [0, 1, 22]", "board 1, cluster 1", "places 0 to 17"),
        ("ring = [0, 1, 2]", "ring = [0, 1]", "board 1, cluster 1", "need 2 colours"),
        ("ring = [3, 4]", "ring = [2, 4]", "board 1, cluster 2", "place 2 is used twice"),
        ("points = 18, ring", "points = 0, ring", "board 1, cluster 1", "'points'"),
        ("points = 18, ring", "points = 40000, ring", "board 1, cluster 1", "from 1 to 255, not 40000"),
        ("points = 18, ring", "points = true, ring", "board 1, cluster 1", "from 1 to 255, not True"),
        ("points = 18, ring", "points = 240, ring", "board 1", "pay 273 together"),
        ("ring = [0, 1, 2]", "ring = [0, true, 2]", "board 1, cluster 1", "places 0 to 17"),
        ("  [0, -2], [1, -2], [2, -2],", "  [0, -2], [0, -2], [2, -2],", "outline, hexes 2", "there twice"),
        ("  [0, -2], [1, -2], [2, -2],", "  [0, -2], [1, 40], [2, -2],", "outline, hexes 2", "from -9 to 9"),
        ("  [-3, 3], [-2, 3],", "  [-3, 3], [-2, 2],", "outline, ring 2", "is a hex"),
        ("  [17], [17, 18],", "  [17], [17, 20],", "outline, touches 2", "from 1 to 19"),
        ("  [17], [17, 18],", "  [17],", "outline", "18 places of the ring need 18"),
        ('order = ["combine", "speculate"', 'order = ["combine", "combine"', "bank", "each of"),
        ('colours = ["red", "yellow", "green"] }', 'colours = ["yellow", "yellow", "green"] }', "board 1", "touch one hex"),
    ],
)
def test_wrong_components_are_named_with_entry_and_fault(tmp_path, old, new, entry, fault):
    text = (GAME.folder / "components.toml").read_text()
    assert old in text
    file = tmp_path / "mine.toml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(Fault, match=fault) as caught:
        recollect.load("vivid", components=file)
    assert caught.value.entry == entry and str(file) in str(caught.value)


def test_an_owners_boards_are_played(tmp_path):
    file = tmp_path / "mine.toml"
    shutil.copy(GAME.folder / "components.toml", file)
    file.write_text(file.read_text().replace("points = 18, ring = [0, 1, 2]", "points = 20, ring = [0, 1, 2]", 1))
    mine = recollect.load("vivid", components=file)
    match = Match(mine, mine.settle({"players": 2}), seed="mine", auto_chance=False)
    match.state.filled[0] = 0b111
    match.state.phase = layout.PAY_CORE
    mine.rules.apply(match.state, 0, layout.COUNT)
    assert match.points()["core"] == [20, 0]


SLANTING = [(q, r) for r in range(3) for q in range(4)]
AROUND = [(q, r) for r in range(-1, 4) for q in range(-1, 5) if (q, r) not in SLANTING and any(_touch((q, r), cell) for cell in SLANTING)]


@pytest.fixture(scope="module")
def slanting(tmp_path_factory):
    """A slanting board of 12 hexes, and another bank; the last place of the ring touches h2, wherever it is drawn."""
    file, text = tmp_path_factory.mktemp("own") / "small.toml", (GAME.folder / "components.toml").read_text()
    touches = [[n for n, cell in enumerate(SLANTING, 1) if _touch(place, cell)] for place in AROUND]
    touches[0], touches[-1] = [1], [2]
    outline = f"[outline]\nhexes = {[list(c) for c in SLANTING]}\nring = {[list(c) for c in AROUND]}\ntouches = {touches}\n"
    last = len(AROUND) - 1
    board = (
        f'[[board]]\nclusters = [{{ points = 4, ring = [0, 4], colours = ["red", "blue"] }}, '
        f'{{ points = 1, ring = [{last}], colours = ["red"] }}]\n'
    )
    start, end = text.index("[outline]"), text.index("# The slots of the memory bank")
    text = text[:start] + outline + text[end : text.index("[[board]]")] + 4 * board
    file.write_text(text.replace('"combine", "speculate", "nudge", "swap"', '"swap", "nudge", "combine", "speculate"'))
    return recollect.load("vivid", components=file)


def reflecting(game, **hexes: str) -> Match:
    """Seat 0 reflects before a board with these fragments."""
    match = Match(game, game.settle({"players": 2}), seed="own", auto_chance=False)
    match.state.phase, match.state.task[0], match.state.task[1] = layout.REFLECT, layout.CHOOSE, layout.WAIT
    for name, fragments in hexes.items():
        match.state.hexes[0, int(name[1:]) - 1] = FRAGMENTS_OF.index(fragments)
    for c in range(5):
        match.state.supply[c] = 9
    game.rules.derive(match.state)
    return match


def test_an_owners_outline_and_order_of_the_bank_are_played(slanting):
    """Every question fits."""
    assert slanting.actions.ranges["place"].count == 12 and slanting.actions.parse("use swap") < slanting.actions.parse("use combine")
    for seed in range(3):
        assert random_match(slanting, seed, players=2).over


@pytest.mark.parametrize("h", range(12))
def test_an_owners_hexes_touch_as_their_cells_do(slanting, h):
    match = reflecting(slanting, **{f"h{h + 1}": "r"})
    match.play(0, "use nudge")
    match.play(0, f"pick h{h + 1}-red")
    beside = {f"place h{n + 1}" for n, cell in enumerate(SLANTING) if _touch(SLANTING[h], cell)}
    assert {match.say(a) for a in match.legal(0)} == beside


def test_an_owners_bank_does_in_each_slot_what_stands_there(slanting):
    match = reflecting(slanting, h1="r", h2="b")
    for line in ("use swap", "pick h1-red", "pick h2-blue"):
        match.play(0, line)
    assert [FRAGMENTS_OF[match.state.hexes[0, h]] for h in (0, 1)] == ["b", "r"]
    assert [layout.BANK[k] for k in range(4)] == ["combine", "speculate", "nudge", "swap"], "ours is as it was"
    assert match.state.used[0] == 0b0001, "it is the first slot that was used"


def test_an_owners_slots_touch_the_hexes_that_the_file_says(slanting):
    match = reflecting(slanting, h1="r", h2="r")
    rules = slanting.rules
    rules.reward.pay_threads(match.state, 0)
    assert match.state.threads[0, 0] == 4, "two hexes times two slots"
    apart = reflecting(slanting, h1="r", h12="r")
    rules.reward.pay_threads(apart.state, 0)
    assert apart.state.threads[0, 0] == 0


def test_an_owners_outline_is_drawn(slanting):
    board = slanting.scene.scene(terminal.look_of(reflecting(slanting, h12="r"), 0, ["Mila", "Ana"]))["boards"][0]
    assert [h["n"] for h in board["hexes"]] == list(range(1, 13))
    drawn = {(h["x"], h["y"]): cell for h, cell in zip(board["hexes"], SLANTING, strict=True)}
    drawn |= {(c["x"], c["y"]): place for c, place in zip(board["cloud"], AROUND, strict=True)}
    reach = min(math.dist(a, b) for a, b in itertools.combinations(drawn, 2))
    for (a, at), (b, by) in itertools.combinations(drawn.items(), 2):
        assert (math.dist(a, b) < 1.2 * reach) == _touch(at, by), "what touches is drawn side by side, and nothing else"
    html = fragment(Page.of(reflecting(slanting).moment, 0, [("Mila", None, False), ("Ana", None, False)], "en", extra={"entry": None}))
    assert "Your mind: 12 hexes" in html
    for seat in (0, 1):
        left, top, wide, high = map(float, re.search(rf'id="b{seat}-board" viewBox="([^"]+)"', html)[1].split())
        assert all(left + 48 <= x <= left + wide - 48 and top + 48 <= y <= top + high - 48 for x, y in drawn), "all of it is in sight"


def test_an_owners_points_of_a_core_memory_stand_outside_it_wherever_the_outline_lies(tmp_path):
    """Away from the middle of the board; where the slots lie on two sides of it, above."""
    data = tomllib.loads((GAME.folder / "components.toml").read_text())
    cells = {key: [[q + 2, r + 1] for q, r in data["outline"][key]] for key in ("hexes", "ring")}
    text = (GAME.folder / "components.toml").read_text()
    start, touches = text.index("hexes = ["), text.index("touches = [")
    text = text[:start] + "".join(f"{key} = {found}\n" for key, found in cells.items()) + text[touches:]
    opposite = text.replace('ring = [12, 13], colours = ["red", "yellow"]', 'ring = [14, 5], colours = ["red", "green"]')
    (tmp_path / "moved.toml").write_text(opposite.replace("ring = [14], colours", "ring = [17], colours", 1))
    moved = recollect.load("vivid", components=tmp_path / "moved.toml")
    board = moved.scene.scene(terminal.look_of(reflecting(moved), 0, ["Mila", "Ana"]))["boards"][0]
    middle = [sum(h[axis] for h in board["hexes"]) / 19 for axis in "xy"]
    for cluster in board["groups"]:
        at = [sum(slot[axis] for slot in cluster["slots"]) / len(cluster["slots"]) for axis in "xy"]
        assert math.dist(cluster["badge"], middle) == pytest.approx(math.dist(at, middle) + 0.78 * 48, abs=0.2)
    assert any(abs(cluster["badge"][0] - middle[0]) < 0.1 for cluster in board["groups"]), "one is on both sides"


def test_an_owners_file_of_before_the_outline_was_told_is_still_read(tmp_path):
    file, text = tmp_path / "before.toml", (GAME.folder / "components.toml").read_text()
    start, end = text.index("[outline]"), text.index("# The twenty moment tiles")
    file.write_text(text[:start] + text[end:])
    assert recollect.load("vivid", components=file).box == GAME.box == "0152166cfb9c99cd"


def test_each_level_of_the_automa_makes_more_points_than_the_one_below():
    def points(level: str) -> int:
        made = 0
        for deal in range(8):
            match = GAME.match(seed=f"automa {deal}", players=1, automa=level)
            play_out(match, [Random()], seed="anybody")
            made += match.standing().house[0].score
        return made

    levels = [points(level) for level in ("goldfish", "parrot", "dolphin", "elephant")]
    assert levels == sorted(levels) and len(set(levels)) == 4


@pytest.mark.parametrize("level", ["goldfish", "parrot", "dolphin", "elephant"])
def test_the_automa_takes_the_same_whatever_aspiration_the_player_has(level):
    match = random_match(GAME, 5, stop=8, players=1, automa=level)
    while match.state.phase != layout.REMEMBER or match.state.hand:
        match.play(0, match.legal(0)[0])
    taken = set()
    for aspiration in range(5):
        s = GAME.state.open(GAME.state.copy(match.record))
        s.turn, s.aspiration[0] = 1, aspiration  # as if it were the automa's turn
        for i in range(layout.WISHES):
            s.wish[i] = -1
        for wish in (3, 1, 0, 4, 2):
            GAME.rules.apply(s, CHANCE, layout.WISH + wish)
        taken.add((int(s.took), int(s.took_end), *map(int, s.kept)))
    assert len(taken) == 1
