"""What is particular to Pti Bapt: its counts, its secrets, its clock, its data file."""

import random
import tomllib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recollect
from recollect.engine import Fault, size
from recollect.engine.unseen import copies

GAME = recollect.load("ptibapt")
RULES = GAME.rules


def cards_of(match):
    """Cards on the table by colour: those with a face, and those nobody has looked at."""
    s, count = match.state, [0, 0, 0, 0]
    for p in range(RULES.PLACE_COUNT):
        if s.card[p] >= 0:
            count[RULES.COLOUR[s.card[p]]] += 1
    for face in range(RULES.FACE_COUNT):
        count[RULES.COLOUR[face]] += copies(s, face)
    return count


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 12), st.integers(0, 2), st.integers(0, 8), st.booleans(), st.booleans(), st.integers(0, 10**6))
def test_cards_are_conserved(greens, golds, reds, bonus, replay, seed):
    match = GAME.match(seed=str(seed), greens=greens, golds=golds, reds=reds, bonus=bonus, replay=replay)
    rng = random.Random(seed)
    while not match.over:
        s = match.state
        on_table = cards_of(match)
        assert on_table == [2 * s.pairs[0], 2 * s.pairs[1], s.pairs[2], 2 * s.pairs[3]]
        kept = [sum(RULES.cards_kept(s, seat, c) for seat in range(2)) for c in range(4)]
        assert [a + b for a, b in zip(on_table, kept, strict=True)][:3] == [2 * greens, 2 * golds, reds]
        assert size(s.lies) == sum(on_table)
        seat = min(match.acting)
        match.play(seat, rng.choice(match.legal(seat)))
    assert match.state.pairs[0] == 0 or match.state.idle == RULES.PATIENCE


def test_the_base_game_has_twenty_cards_worth_fourteen_points():
    match = GAME.match()
    assert size(match.state.lies) == 20
    assert sum(copies(match.state, f) * RULES.WORTH[RULES.COLOUR[f]] for f in range(RULES.FACE_COUNT)) == 14


def test_p7_three_reds_add_thirty_seconds():
    assert RULES.time_counted(95, 3) == 125


def test_alone_the_reds_are_counted():
    match = GAME.match(players=1, auto_chance=False)
    for place, red in (("a1", "car"), ("b1", "truck")):
        match.play(0, f"turn {place}")
        match.play(recollect.engine.CHANCE, f"deal {red}")
        match.play(0, "keep")
    assert RULES.reds(match.state, 0) == 2


def test_bonus_cards_are_refused_alone():
    with pytest.raises(ValueError, match="solo"):
        GAME.match(players=1, bonus=True)


def play(match, *lines):
    for line in lines:
        who, _, words = line.partition(" ")
        match.play(recollect.engine.CHANCE if who == "chance" else int(who), words)
    return match


LANTERN = ("0 turn a1", "chance deal lantern", "0 turn b1", "chance deal lantern", "0 keep", "0 look c1", "chance deal dog")


def test_what_the_lantern_lights_only_its_finder_sees():
    match = play(GAME.match(bonus=True, starts="first", auto_chance=False), *LANTERN)
    c1 = RULES.PLACES.index("c1")
    dog = RULES.FACES.index("dog")
    assert match.view(0).card[c1] == dog == match.knowledge(0).card[c1]
    assert match.view(1).card[c1] == match.knowledge(1).card[c1] == match.view(-1).card[c1] == -1
    play(match, "0 put_out")
    assert match.view(0).card[c1] == -1
    assert match.knowledge(0).card[c1] == dog


def test_what_the_lantern_showed_is_drawn_anew_for_the_other():
    match = play(GAME.match(bonus=True, starts="first", auto_chance=False), *LANTERN, "0 look d1", "chance deal car")
    before = [match.knowledge(1).record.tobytes(), match.view(-1).record.tobytes()]
    faces = set()
    for key in range(1, 40):
        copy = match.record.copy()
        s = GAME.state.open(copy)
        RULES.redeal(s, 1, memoryview(np.array([key * 7919], np.int64)))
        assert [GAME.knowledge(copy, 1).record.tobytes(), GAME.view(copy, -1).record.tobytes()] == before
        assert size(s.unseen) + 2 == 24
        faces.add((s.card[RULES.PLACES.index("c1")], s.card[RULES.PLACES.index("d1")]))
        assert GAME.state.open(match.record).card[0] == s.card[0]
    assert len(faces) > 20
    copy = match.record.copy()
    RULES.redeal(GAME.state.open(copy), 0, memoryview(np.array([5], np.int64)))
    assert copy.tobytes() == match.record.tobytes()


def test_nothing_that_was_shown_or_hidden_is_taken_back():
    match = play(GAME.match(starts="first", auto_chance=False), "0 turn a1", "chance deal dog", "0 turn b1", "chance deal bird")
    assert match.can_undo(0) is None
    play(match, "0 turn_back")
    assert match.can_undo(0) is None
    match = play(GAME.match(bonus=True, starts="first", auto_chance=False), *LANTERN, "0 put_out")
    assert match.can_undo(0) is None


# An owner's own cards -------------------------------------------------------------------------------------------------


def own(tmp_path, change):
    """The data file with one thing changed."""
    text = (GAME.folder / "components.toml").read_text(encoding="utf-8")
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    tomllib.loads(text)
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_an_owner_writes_another_list_of_effects(tmp_path):
    file = own(tmp_path, {'picture = "wrapped-gift", effect = "gift"': 'picture = "wrapped-gift", effect = "again"'})
    match = recollect.load("ptibapt", components=file).match(bonus=True, starts="first", auto_chance=False)
    play(match, "0 turn a1", "chance deal gift", "0 turn b1", "chance deal gift", "0 keep")
    assert match.acting == {0}


def test_an_owner_plays_with_one_bonus_pair(tmp_path):
    file = own(
        tmp_path,
        {
            '  { name = "footprints", picture = "footprints", effect = "again" },\n': "",
            '  { name = "gift", picture = "wrapped-gift", effect = "gift" },\n': "",
        },
    )
    match = recollect.load("ptibapt", components=file).match(bonus=True)
    assert size(match.state.lies) == 22


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({'effect = "gift"': 'effect = "steal"'}, "blue, card 3.*again, lantern, gift"),
        ({'picture = "wrapped-gift", effect = "gift"': 'picture = "wrapped-gift"'}, "blue, card 3"),
        ({'{ name = "dog", picture = "dog" }': '{ name = "dog", picture = "dog", effect = "again" }'}, "green, card 3.*only blue"),
        ({'name = "bird"': 'name = "dog"'}, "dog.*two cards"),
        ({'name = "bird"': 'name = "a bird"'}, "green, card 4.*name"),
        ({'  { name = "boy", picture = "boy" },\n': ""}, "gold.*1 cards"),
        ({"red = -1": 'red = "much"'}, "points.red"),
        ({"[green] ": "[verdant] "}, "verdant.*is not known here"),
    ],
)
def test_wrong_cards_are_named(tmp_path, change, says):
    with pytest.raises(Fault, match=f"mine.toml: {says}"):
        recollect.load("ptibapt", components=own(tmp_path, change))
