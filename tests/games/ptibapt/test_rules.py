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


class Onlooker:
    """What may be done, told from the log alone, by one who keeps no set: whose cards lie where, which are open, which are lit."""

    def __init__(self, cards):
        width = next(w for w in range(1, 8) if w == RULES.COLUMNS[cards])
        self.lying = [RULES.PLACES[n // width * 7 + n % width] for n in range(cards)]
        self.faces, self.open, self.lit, self.lantern, self.chosen = {}, [], [], False, None

    def hear(self, words):
        what, _, label = words.partition(" ")
        if what in ("turn", "look"):
            self.chosen = (what, label)
        if what == "deal":
            self.faces[self.chosen[1]] = label
        if self.chosen and self.chosen[1] in self.faces:
            (self.open if self.chosen[0] == "turn" else self.lit).append(self.chosen[1])
            self.chosen = None
        if what in ("turn_back", "put_out"):
            self.open, self.lit, self.lantern = [], [], False
        if what == "keep":
            self.keep()

    def colour(self, place):
        return RULES.COLOURS[RULES.COLOUR[RULES.FACES.index(self.faces[place])]]

    def keep(self):
        gone = [self.open[-1]] if self.colour(self.open[-1]) == "red" else list(self.open)
        self.lantern = len(gone) == 2 and self.faces[gone[0]] == "lantern"
        for place in gone:
            self.lying.remove(place)
            del self.faces[place]
        self.open = []

    def allowed(self):
        """What the player may do, in words."""
        if self.lantern:
            return {"put_out"} | ({f"look {p}" for p in self.lying if p not in self.lit} if len(self.lit) < 2 else set())
        if self.open and self.colour(self.open[-1]) == "red":
            return {"keep"}
        if len(self.open) == 2:
            return {"keep"} if self.faces[self.open[0]] == self.faces[self.open[1]] else {"turn_back"}
        return {f"turn {p}" for p in self.lying if p not in self.open}


def test_what_may_be_done_is_what_an_onlooker_would_say():
    """Said a second time and in another way, so that a set with a member too few is found: the lantern's above all."""
    lit = 0
    for seed in range(12):
        cards = {"greens": (3, 6, 12)[seed % 3], "reds": (0, 3, 8)[seed % 3], "golds": 2}
        match, rng = GAME.match(seed=str(seed), bonus=True, auto_chance=False, stalemate=False, **cards), random.Random(seed)
        onlooker = Onlooker(size(match.state.lies))
        while not match.over:
            (seat,) = match.acting
            if seat != recollect.engine.CHANCE:
                assert {match.say(a) for a in match.legal(seat)} == onlooker.allowed()
                lit += onlooker.lantern
            action = match.drawn() if seat == recollect.engine.CHANCE else rng.choice(match.legal(seat))
            onlooker.hear(match.say(action))
            match.play(seat, action)
    assert lit > 10, "some lanterns were lit"


def test_what_chance_may_deal_is_what_is_left_of_each_face():
    match, rng = GAME.match(seed="left", bonus=True, auto_chance=False), random.Random(1)
    left = {face: (1 if RULES.COLOUR[f] == RULES.RED else 2) for f, face in enumerate(RULES.FACES) if copies(match.state, f)}
    assert sum(left.values()) == 26
    while not match.over:
        (seat,) = match.acting
        action = match.drawn() if seat == recollect.engine.CHANCE else rng.choice(match.legal(seat))
        if action >= RULES.DEAL:
            odds = GAME.odds(match.state)
            assert {face: odds[RULES.DEAL + f] for f, face in enumerate(RULES.FACES) if odds[RULES.DEAL + f]} == left
            face = match.say(action).split()[1]
            left = {name: n - (name == face) for name, n in left.items() if n > (name == face)}
        match.play(seat, action)


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
        ({'name = "bird"': 'name = "a\\nbird"'}, "green, card 4.*name"),
        ({'  { name = "boy", picture = "boy" },\n': ""}, "gold.*1 cards"),
        ({"red = -1": 'red = "much"'}, "points.red"),
        ({"[green] ": "[verdant] "}, "verdant.*is not known here"),
    ],
)
def test_wrong_cards_are_named(tmp_path, change, says):
    with pytest.raises(Fault, match=f"mine.toml: {says}"):
        recollect.load("ptibapt", components=own(tmp_path, change))
