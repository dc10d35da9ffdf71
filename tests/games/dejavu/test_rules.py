"""Déjà Vu: what is particular to it, beyond its positions."""

from __future__ import annotations

import functools
import itertools
import random
import re
import tomllib

import numba
import numpy as np
import pytest
from conftest import compiled_games, random_match
from people import TestClient, open_table

import recollect
from recollect.engine import CHANCE, Fault, position
from recollect.engine.match import Match
from recollect.engine.sets import members
from recollect.games.dejavu.components import CARDS, FRAGMENTS, GRID, SAME_COLOUR, TILES, WHITE_CARDS
from recollect.games.dejavu.page.tableaux import panorama
from recollect.games.dejavu.rules import awakening
from recollect.games.dejavu.rules.layout import CHEST, HAND, SHORT_TERM, STAGES, TILE_COUNT, icons
from recollect.minds import Random, mind, play_out
from recollect.table.app import application
from recollect.table.render.page import Page, fragment

GAME = recollect.load("dejavu")
DATA = GAME.folder / "components.toml"
DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def count(record: np.ndarray, name: str) -> np.ndarray:
    """What lies in a field, counted: seats, tiles or one row, by kind."""
    return GAME.state.fields[name].flags(record[name])


# --- laws -------------------------------------------------------------------------------------------------------------
def check_pieces(record: np.ndarray) -> None:
    """Nothing is lost and nothing is made: 60 bits, 84 cards (72 for two), 15 fragments, 20 flowers."""
    stage, players = STAGES[record["stage"]], int(record["players"])
    laid = record["laid"][record["laid"] >= 0]
    bits = sum(count(record, name).reshape(-1, 30).sum(axis=0) for name in ("bits", "held", "own", "saved", "aside", "grid")) + np.bincount(
        laid, minlength=30
    )
    assert (bits == (0 if stage in ("first_player", "map") else 2)).all()

    begun = record["short"][record["short"] >= 0]
    cards = count(record, "long").sum(axis=0) + np.bincount(begun, minlength=42)
    cards[:30] += count(record, "hand").sum(axis=0) + sum(count(record, name) for name in ("deck", "discard", "twin"))
    cards[30:] += count(record, "common")
    assert (cards[:30] == 2).all() and (cards[30:] == (1 if players == 2 else 2)).all()
    assert (count(record, "hand").sum(axis=1) == record["hand_count"]).all() and count(record, "deck").sum() == record["deck_count"]

    if record["rounds"]:
        lying = record["fragment"][record["fragment"] >= 0]
        assert (np.bincount(lying, minlength=15) + count(record, "found").sum(axis=0) == 1).all()
        planted = int((record["fragment"] < 0).sum())
        assert planted + record["circle"].sum() + record["bloom"].sum() + record["flowers"] == 20
        assert record["fragment"].size - planted + count(record, "found").sum() == 15


def check_tableaux(record: np.ndarray) -> None:
    """No card twice with one player; cards in short-term memory are begun and unfinished; limits hold between turns."""
    s = GAME.state.open(record)
    for seat in range(s.players):
        mine = [*members(s.long[seat])] + [c for c in s.short.tolist()[seat] if c >= 0]
        mine += members(s.hand[seat])
        assert len(set(mine)) == len(mine)
        for place, card in enumerate(s.short.tolist()[seat]):
            covered = [b >= 0 for b in s.laid.tolist()[seat][place]]
            assert covered == sorted(covered, reverse=True), "slots are covered from the top"
            if STAGES[s.stage] == "morning":
                assert (card >= 0) == covered[0]
                assert card < 30
        if STAGES[s.stage] == "morning":
            assert sum(c >= 0 for c in s.short.tolist()[seat]) <= icons(s, seat, SHORT_TERM)
            assert s.own[seat].bit_count() <= icons(s, seat, CHEST)
            assert s.hand_count[seat] <= icons(s, seat, HAND)
    if STAGES[s.stage] in ("morning", "discard"):
        assert s.grid.bit_count() < GRID


@pytest.mark.parametrize("options", GAME.variants(), ids=str)
def test_pieces_are_conserved_at_every_step(options):
    rng = random.Random(str(options))
    match = Match(GAME, GAME.settle(options), seed="laws", auto_chance=False)
    while not match.over:
        check_pieces(match.record)
        check_tableaux(match.record)
        seat = rng.choice(sorted(match.acting))
        legal = match.legal(seat)
        if seat == CHANCE:
            odds = GAME.odds(match.state)
            match.play(seat, rng.choices(legal, [odds[a] for a in legal])[0])
        else:
            match.play(seat, rng.choice(legal))
    check_pieces(match.record)


@pytest.mark.compiled
def test_pieces_are_conserved_in_many_compiled_games():
    for players, limit in itertools.product((2, 3, 4), (95, 200, 411, 777, 10**6)):
        states, tally = compiled_games(GAME, GAME.settle({"players": players}), list(range(60)), limit)
        assert tally[2] == 0
        for record in states:
            check_pieces(record)


def test_a_game_is_bounded_by_its_rounds():
    """Ours: the rulebook has no end for players who never build. Within a turn every question uses something up."""
    rng = random.Random(7)
    match = random_match(GAME, 7, stop=4, players=2)
    while not match.over:  # never build, never discard: only `done` where it can be said
        seat = min(match.acting)
        legal = match.legal(seat)
        done = GAME.actions.parse("done")
        before = match.state.rounds
        match.play(seat, done if done in legal else rng.choice(legal))
        assert match.state.rounds - before in (0, 1)
    assert match.state.rounds == 31 and match.state.awake == -1
    assert len(match.log) < 30 * 2 * 40


def test_without_a_limit_the_round_is_counted_on():
    rng, done = random.Random(7), GAME.actions.parse("done")
    match = random_match(GAME, 7, stop=4, players=2, rounds=0)
    while match.state.rounds < 32:  # nobody builds
        seat = min(match.acting)
        match.play(seat, done if done in match.legal(seat) else rng.choice(match.legal(seat)))
    assert match.state.awake == -1 and not match.over


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("rounds", "limit", "awake", "english", "french"),
    [
        (3, 30, -1, "round 3", "manche 3"),
        (25, 30, -1, "round 25", "manche 25"),
        (26, 30, -1, "round 26 of 30, then the girl falls asleep", "manche 26 sur 30, puis la jeune fille s’endort"),
        (56, 60, -1, "round 56 of 60, then the girl falls asleep", "manche 56 sur 60, puis la jeune fille s’endort"),
        (31, 30, 1, "round 30", "manche 30"),
        (99, 0, -1, "round 99", "manche 99"),
    ],
)
def test_the_page_says_when_the_limit_comes_near(rounds, limit, awake, english, french, language):
    match = random_match(GAME, 7, stop=40, players=2, rounds=limit)
    match.state.rounds, match.state.awake = rounds, awake
    for seat in (-1, 0, 1):
        html = fragment(Page.of(match.moment, seat, [("Ana", None, False), ("Mila", None, False)], language, extra={"entry": None}))
        when = re.search(r'<p class="when" id="when">(.*?)(?: · <b>.*)?</p>', html)
        assert when and when[1].replace("\u00a0", " ") == (english if language == "en" else french)


@pytest.mark.parametrize(("language", "said"), [("en", "no limit"), ("fr", "sans limite")])
def test_no_limit_of_rounds_can_be_chosen_when_a_table_is_set(tmp_path, language, said):
    with TestClient(application(tmp_path, pace=1000), headers={"accept-language": language}) as client:
        assert re.search(rf'name="rounds"[^>]* value="0"><span>{said}</span>', client.get("/new/dejavu").text)
        id = open_table(client, "dejavu", rounds="0")
        assert client.app.state.house.store.row(id).options["rounds"] == 0


# --- the map ----------------------------------------------------------------------------------------------------------
def random_maps(count: int) -> np.ndarray:
    """Maps as chance draws them."""
    states, _ = compiled_games(GAME, GAME.settle({"players": 2, "first": "first_seat"}), list(range(count)), 14)
    assert (states["placed"] == 15).all()
    return states


@pytest.mark.compiled
def test_every_map_is_connected_as_the_rules_want():
    for record in random_maps(200):
        spots = [(int(e), int(s)) for e, s in zip(record["east"], record["south"], strict=True)]
        assert len(set(spots)) == TILE_COUNT
        for tile, (e, s) in enumerate(spots):
            near = {t for t, spot in enumerate(spots) if (spot[0] - e, spot[1] - s) in DIRECTIONS}
            assert int(record["near"][tile]) == sum(1 << t for t in near)
            assert len(near) >= 2, "each tile is connected to at least two others"
            assert tile < 2 or sum(t < tile for t in near) >= 2, "from the third on at the moment it is placed"


# --- scoring ----------------------------------------------------------------------------------------------------------
FRAGMENT_CARDS = [("run", 0), ("run", 1), ("run", 2), ("set", 0), ("each", 0), ("each", 0)]  # white 1, 2, 3, 4, 5 and 7
WHITE = [CARDS.index(f"white-{number}") for number in (1, 2, 3, 4, 5, 7)]


@functools.cache
def longest_run(values: int) -> int:
    """Of some of the values 1 to 5, in a circle: 5 and 1 are neighbours."""
    runs = [n for n in range(1, 6) for first in range(5) if all(values >> (first + i) % 5 & 1 for i in range(n))]
    return max(runs, default=0)


def worth_of(goal: str, kind: int, given: int) -> int:
    """What one common card pays for the fragments given to it, a binary digit for each of the fifteen."""
    of_kind = given & 31, given >> 5 & 31, given >> 10
    if goal == "set":
        return 18 * (of_kind[0] & of_kind[1] & of_kind[2]).bit_count()
    return 5 * longest_run(of_kind[kind]) if goal == "run" else 2 * given.bit_count()


@numba.njit
def brute_force(worth):
    """The most that every set of cards pays for every set of fragments: one card after the other gets every share of what is left."""
    cards, hands = 1 << worth.shape[0], worth.shape[1]
    best = np.zeros((cards, hands), np.int16)
    for have in range(1, cards):
        card = 0
        while not have >> card & 1:
            card += 1
        before = best[have ^ 1 << card]
        for hand in range(hands):
            most, given = before[hand], hand
            while given:
                most = max(most, before[hand ^ given] + worth[card, given])
                given = (given - 1) & hand
            best[have, hand] = most
    return best


@pytest.fixture(scope="module")
def best_worth() -> np.ndarray:
    return brute_force(np.array([[worth_of(goal, kind, given) for given in range(1 << 15)] for goal, kind in FRAGMENT_CARDS], np.int16))


@pytest.mark.compiled
def test_fragments_are_given_to_the_cards_where_they_pay_most_on_5000_hands(best_worth):
    """Hands of none to all fifteen fragments, as often each; with any of the cards that want some."""
    rng, paid = random.Random(3), 0
    for n in range(5000):
        found, cards = sum(1 << f for f in rng.sample(range(15), n % 16)), rng.randrange(64)
        long = sum(1 << card for i, card in enumerate(WHITE) if cards >> i & 1)
        should = best_worth[cards, found]
        assert awakening.fragment_goals(long, found) == should, (cards, [FRAGMENTS[f] for f in members(found)])
        paid += should > 0
    assert paid > 4000


@pytest.mark.compiled
def test_fragments_are_given_to_the_cards_where_they_pay_most_on_every_hand(best_worth):
    """All 2,097,152 of them, compiled, four players at a time."""
    states = np.repeat(GAME.start(GAME.settle({"players": 4})).reshape(1), 1 << 13)
    states["found"] = np.arange(1 << 15).reshape(-1, 4)
    paid, ties = np.zeros((len(states), 4, len(awakening.POINTS)), np.int64), np.zeros((len(states), 4, 1), np.int64)
    for cards in range(64):
        states["long"] = sum(1 << card for i, card in enumerate(WHITE) if cards >> i & 1)
        GAME.fast.standings(states, paid, ties)
        assert (paid[:, :, awakening.FRAGMENT_GOALS].ravel() == best_worth[cards]).all()
    assert best_worth.max() == 90, "five sets of three"


def test_the_scoring_example_part_by_part():
    """67 points: 12 tokens, 22 fixed, 6 for the colour, 15 for the run, 4 for two others, 0 for sets, 8 for links."""
    match = position.stand(GAME, position.read(GAME.folder / "positions" / "d1-scoring-example-67.toml"))
    long, found, worth = match.state.long[0], match.state.found[0], {}
    assert awakening.colour_goals(long) == 6 and awakening.fixed_points(long) == 22 and awakening.links(long) == 4
    for card in ("white-1", "white-4", "white-5"):  # what the fragments lose without the card
        worth[card] = awakening.fragment_goals(long, found) - awakening.fragment_goals(long & ~(1 << CARDS.index(card)), found)
    assert worth == {"white-1": 15 - 3 * 2, "white-4": 0, "white-5": 4}
    assert match.scores() == [67, 0]
    assert awakening.fragment_goals(long & ~(1 << CARDS.index("white-5")), found) == 15


def test_tables_of_the_rulebook():
    assert SAME_COLOUR.tolist() == [0, 1, 3, 6, 10, 15] and WHITE_CARDS.tolist() == [0, 3, 6, 10, 15, 21]


# --- census: sequences of answers from fixed positions ----------------------------------------------------------------
def census(match: Match, depth: int) -> int:
    if depth == 0 or match.over:
        return 1
    total = 0
    for seat in sorted(match.acting):
        for action in match.game.legal(match.state, seat):
            record = match.record.copy()
            match.game.rules.apply(match.state, seat, action)
            total += census(match, depth - 1)
            match.record[...] = record
    return total


def test_census_of_map_building_counted_by_hand():
    """6 spots, then 2, then 3 (the triangle's sides), then 4 or so: counted here with sets of spots, without the rules."""
    match = Match(GAME, GAME.settle({"map": "built", "first": "first_seat"}), seed="census", auto_chance=False)

    def count(spots: frozenset, depth: int) -> int:
        if depth == 0:
            return 1
        around = {(e + de, s + ds) for e, s in spots for de, ds in DIRECTIONS} - spots
        legal = [x for x in around if sum((x[0] + de, x[1] + ds) in spots for de, ds in DIRECTIONS) >= min(2, len(spots))]
        return sum(count(spots | {x}, depth - 1) for x in legal)

    counts = [census(match, depth) for depth in range(1, 6)]
    assert counts == [count(frozenset({(0, 0)}), depth) for depth in range(1, 6)]
    assert counts[:3] == [6, 12, 36]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("walk-without-turning-back", [4, 11, 11]),
        ("sow-never-twice-on-a-tile", [4, 8, 10]),
        ("short-term-holds-one-at-first", [4, 9, 20]),
        ("refill-the-active-player-chooses", [12, 24, 264]),
        ("discard-any-number", [2, 31, 930]),
    ],
)
def test_census(name, counts):
    """Each of these was also counted with pencil and paper."""
    doc = position.read(GAME.folder / "positions" / f"{name}.toml")
    match = position.stand(GAME, doc)
    assert [census(match, depth) for depth in (1, 2, 3)] == counts


# --- secrets ----------------------------------------------------------------------------------------------------------
def test_hands_and_the_deck_are_seen_by_nobody_else():
    match = random_match(GAME, 2, stop=120, players=3)
    for seat in (-1, 0, 1, 2):
        for look in (match.view(seat), match.knowledge(seat)):
            assert look.deck == 0 and match.state.deck
            for other in range(3):
                assert match.state.hand[other] and look.hand[other] == (match.state.hand[other] if other == seat else 0)


def test_redeal_reaches_every_card_that_another_may_hold():
    """From one seat's view any card that is not accounted for can be in the other's hand."""
    match = random_match(GAME, 4, stop=60, players=2)
    s, stream = match.state, np.array([5], np.int64)
    unseen = set(members((s.deck | s.deck >> 30 | s.hand[1]) & (1 << 30) - 1))
    allowed = unseen - set(members(s.long[1])) - set(s.short.tolist()[1])
    held = set()
    for _ in range(300):
        record = match.record.copy()
        GAME.rules.redeal(GAME.state.open(record), 0, stream)
        check_pieces(record)
        check_tableaux(record)
        held |= set(members(int(record["hand"][1])))
    assert held == allowed


def test_the_deck_has_no_order():
    """What is drawn is drawn when it is drawn: odds are the copies left."""
    match = Match(GAME, GAME.settle({}), seed="odds", auto_chance=False)
    rng = random.Random(1)
    while STAGES[match.state.stage] != "draw":
        match.play(CHANCE, rng.choice(match.legal(CHANCE)))
    odds = GAME.odds(match.state)
    first = GAME.actions.ranges["draw_card"].start
    assert odds[first : first + 30] == [2] * 30 and sum(odds) == 60
    match.play(CHANCE, first)
    assert GAME.odds(match.state)[first] == 1


# --- components -------------------------------------------------------------------------------------------------------
def with_data(tmp_path, *changes: tuple[str, str]):
    text = DATA.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("old", "new", "entry", "what"),
    [
        ('blue-1 = { slots = ["sun"', 'blue-1 = { slots = ["comet"', "[cards] blue-1", "comet"),
        ("blue-2 =", "pink-2 =", "[cards] pink-2", "colour-number"),
        ('points = 3, power = "footprint"', 'points = 3, power = "wings"', "[cards] blue-2", "wings"),
        ('points = 5, power = "flower"', 'points = 6, power = "flower"', "[cards] blue-6", "speed game"),
        ('goal = "run:up"', 'goal = "run:left"', "[cards] white-2", "run:left"),
        ('goal = "same_colour"', 'points = 3, power = "hand"', "[cards]", "31 ordinary"),
        ("cells = 15", "cells = 0", "[grid] cells", "1 to 45"),
        ('provenance = "rulebook"\ntokens', "tokens", "[flowers] provenance", "one of"),
        ("copies = 2\n\n[fragments]", "copies = 3\n\n[fragments]", "[bits] copies", "60 bits"),
        ('"fox-fur"]', "]", "[tiles] names", "15"),
        ('"moon", ', '"mo\\non", ', "[bits] shapes", "list of words"),
        ("each = 2", "each = 9", "[goals] each", "run"),
        ("points = 2, power", "points = 40000, power", "[cards] blue-1", "0 to 5"),
        ("points = 2, power", "points = true, power", "[cards] blue-1", "whole number"),
        ("points = 2, power", "points = 2.5, power", "[cards] blue-1", "whole number"),
        ("hand = 3", "hand = 300", "[girl] hand", "0 to 9"),
        ("chest = 1", "chest = -1", "[girl] chest", "0 to 9"),
        ("tokens = 20", "tokens = 1000", "[flowers] tokens", "0 to 99"),
        ("drawn = 5", "drawn = 50", "[setup] drawn", "1 to 9"),
        ("cards = 10 ", "cards = 43 ", "[awakening] cards", "1 to 42"),
        ("run = 5", "run = 40000", "[goals] run", "0 to 99"),
        ("same_colour = [1, 3", "same_colour = [1, 40000", "[goals] same_colour", "five whole numbers"),
        ('goal = "white" }', 'goal = "white", flower = 7 }', "[cards] white-6", "true or false"),
        ('goal = "white" }', 'goal = "white", points = 21 }', "[cards] white-6", "0 to 20"),
        ("[goals]", "[gaols]", "gaols", "is not known here"),
        ("[cards]", "[cards", "file", "TOML"),
    ],
)
def test_wrong_components_are_named(tmp_path, old, new, entry, what):
    with pytest.raises(Fault) as fault:
        recollect.load("dejavu", components=with_data(tmp_path, (old, new)))
    assert fault.value.entry == entry and what in str(fault.value) and "mine.toml" in str(fault.value)


def test_an_owners_file_changes_the_game(tmp_path):
    file = with_data(tmp_path, ("cells = 15", "cells = 20"), ('goal = "run:down" }', 'goal = "run:down", flower = true }'))
    mine = recollect.load("dejavu", components=file)
    assert mine.rules.ACTIONS.count == GAME.actions.count
    match = random_match(mine, 1, players=2)
    assert match.over
    assert recollect.load("dejavu").rules is GAME.rules


def test_every_table_says_where_it_comes_from():
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    assert {name: table["provenance"] for name, table in data.items()} == {
        "bits": "deduced", "fragments": "deduced", "tiles": "rulebook", "girl": "deduced", "flowers": "rulebook", "setup": "rulebook",
        "awakening": "rulebook", "grid": "reconstructed", "goals": "rulebook", "cards": "reconstructed",
    }  # fmt: skip
    assert len(TILES) == 15


def test_the_speed_game_is_for_three_or_four():
    with pytest.raises(ValueError, match="3 or 4"):
        GAME.settle({"players": 2, "speed": True})


# --- minds ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(3))
def test_the_sensible_player_wakes_the_girl_and_beats_random(seed):
    match = GAME.match(seed=f"minds {seed}", players=2)
    players = [mind(GAME, "sensible"), Random()] if seed % 2 else [Random(), mind(GAME, "sensible")]
    play_out(match, players, seed=f"{seed}")
    good = seed % 2 == 0
    assert match.ranking()[good] == 1 and match.scores()[good] > 2 * match.scores()[not good] + 20
    assert match.state.awake == good and match.state.rounds < 25


def test_the_panorama_joins_exactly_the_linked_cards():
    """Every +2 between two pictures is a link; only a full circle of seven has one link more than it has seams."""
    rng = random.Random(8)
    for _ in range(400):
        cards = rng.sample(range(42), rng.randrange(1, 20)) if rng.random() < 0.8 else [c for c in range(42) if CARDS[c].startswith("red")]
        groups = panorama(cards)
        assert sorted(c for group in groups for c in group) == sorted(cards)
        seams = sum(len(group) - 1 for group in groups)
        circles = sum(len(group) == 7 for group in groups)
        assert awakening.links(sum(1 << card for card in cards)) == seams + circles
