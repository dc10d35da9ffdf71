"""Memoarrr!: what is particular to it, beyond its positions."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from conftest import compiled_games, plain_games, random_match

import recollect
from recollect.engine import CHANCE, Fault
from recollect.engine.match import Match
from recollect.games.memoarrr.rules.layout import CENTRE, FIRST, REVEAL, STAGES
from recollect.minds import Random, mind, play_out

GAME = recollect.load("memoarrr")


def linked(a: int, b: int) -> bool:
    return a // 5 == b // 5 or a % 5 == b % 5


def pairing(cards: list[int]) -> dict[int, int]:
    """A partner for every card, linked to it: a perfect matching of the island, by search."""
    if not cards:
        return {}
    first, rest = cards[0], cards[1:]
    for other in rest:
        if linked(first, other):
            found = pairing([c for c in rest if c != other])
            if found or len(cards) == 2:
                return {first: other, other: first, **found}
    return {}


def known_island(seed: int) -> Match:
    """Two players in a late round, the whole island known to both, seat 0 to open."""
    rng = random.Random(seed)
    match = Match(GAME, GAME.settle({"players": 2, "first": "first_seat"}), seed="theorem", auto_chance=False)
    cards = rng.sample(range(25), 24)
    for p in range(25):
        if p != CENTRE:
            match.state.card[p] = cards.pop()
    s = match.state
    s.side[0], s.side[1], s.rounds, s.stage, s.top, s.pile = 0, 2, 1, STAGES.index("turn"), 0, 1
    s.in_game = 1
    return match


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("opener", ["random", "links"])
def test_who_opens_a_fully_known_round_loses_to_the_pairing(seed, opener):
    """Two players, all known, no powers: answer each card with its partner and the opener runs out first."""
    match, rng = known_island(seed), random.Random(seed)
    s = match.state
    place = {s.card[p]: p for p in range(25) if p != CENTRE}
    partner = pairing(sorted(place))
    while STAGES[s.stage] != "round_won":
        if s.stage == STAGES.index("buried"):
            match.play(min(match.acting), "take_volcano")
            continue
        legal = [a - REVEAL for a in match.legal(min(match.acting))]
        if match.acting == {0}:
            links = [p for p in legal if s.last >= 0 and linked(s.card[p], s.card[s.last])]
            match.play(0, REVEAL + rng.choice(links if opener == "links" and links else legal))
        else:
            match.play(1, REVEAL + place[partner[s.card[s.last]]])
    assert match.acting == {1}, "the one who answered takes the treasure"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tie_breaks_always_give_one_winner(players):
    match = Match(GAME, GAME.settle({"players": players}), seed="ties", auto_chance=False)
    s = match.state
    for k, n in enumerate([1, 1, 2, 2, 2, 3, 4]):
        s.rubies[k] = n
    for owners in itertools.product(range(players), repeat=7):
        for k, seat in enumerate(owners):
            s.owner[k] = seat
        standing = match.standing()
        assert len(standing.winners) == 1 and standing.decided is not None


def test_cards_are_conserved_and_known_ones_are_cards():
    for seed in range(30):
        match = random_match(GAME, seed, stop=random.Random(seed).randrange(200), players=2 + seed % 3, mode=("base", "expert")[seed % 2])
        cards = [c for c in match.state.card if c >= 0]
        assert len(cards) == len(set(cards)) and match.state.card[CENTRE] == -1
        assert match.state.unseen == sum(1 << c for c in range(25) if c not in cards)
        assert all(match.state.card[p] >= 0 for seat in range(4) for p in range(25) if match.state.known[seat] >> p & 1)
        assert [c >= 0 for c in match.state.card] == [any(known >> p & 1 for known in match.state.known) for p in range(25)]


def test_a_whole_game_has_seven_treasures_of_fifteen_rubies():
    for seed in range(10):
        match = random_match(GAME, seed, players=4, mode="expert")
        assert sum(match.scores()) == 15 and sorted(match.state.rubies) == [1, 1, 2, 2, 2, 3, 4]


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("mode", ["base", "expert"])
@pytest.mark.parametrize("treasures", ["shuffled", "sorted"])
def test_a_thousand_games_plain_and_compiled(players, mode, treasures):
    options = GAME.settle({"players": players, "mode": mode, "treasures": treasures})
    keys = list(range(1000))
    compiled, tally = compiled_games(GAME, options, keys)
    assert tally[2] == 0
    assert plain_games(GAME, options, keys).tobytes() == compiled.tobytes()


def test_nobody_has_looked_so_nothing_is_there_to_leak():
    """Before anybody looks the record holds no card at all, and no treasure."""
    match = GAME.match(players=4, first="first_seat")
    assert set(match.state.card) == {-1} and set(match.state.rubies) == {0}


def test_the_first_player_is_drawn_evenly():
    match = GAME.match(players=3, auto_chance=False)
    assert match.acting == {CHANCE}
    assert GAME.odds(match.state)[FIRST : FIRST + 4] == [1, 1, 1, 0]


def test_undo_stops_at_what_was_shown():
    match = GAME.match(players=2, mode="expert", seed="undo")
    seat = min(match.acting)
    match.play(seat, "side north")  # three cards are dealt and shown
    with pytest.raises(recollect.Refused, match="shown or drawn"):
        match.undo(seat)
    match.play(seat, "put_back")  # taken back, it would show them again
    with pytest.raises(recollect.Refused):
        match.undo(seat)


def test_a_guard_can_be_taken_back_until_the_next_player_moves():
    match = known_island(1)
    match.state.expert, match.state.stage, match.state.last = 1, STAGES.index("guard"), 0
    assert match.legal(0)
    match.play(0, "guard b2")
    assert match.can_undo(0) == 0 and match.can_undo(1) is None
    match.play(1, "reveal d4")
    assert match.can_undo(0) is None


def test_the_sensible_mind_beats_random_play():
    won = 0
    for n in range(60):
        match = GAME.match(players=2, seed=f"strength {n}")
        seat = n % 2
        players = [Random(), Random()]
        players[seat] = mind(GAME, "sensible")
        play_out(match, players, seed=f"{n}")
        won += match.standing().winners == [seat]
    assert won >= 45, f"won {won} of 60"


def test_the_sensible_mind_does_not_peek():
    """Redeal what its seat cannot know: the same stream gives the same choice."""
    stream = np.array([7], np.int64)
    for seed in range(25):
        match = random_match(GAME, seed, stop=12 + 3 * seed, players=3, mode="expert")
        if match.over:
            continue
        seat, player = min(match.acting), mind(GAME, "sensible")
        before = player.choose(match.knowledge(seat), seat, match.legal(seat), random.Random(1))
        GAME.rules.redeal(match.state, seat, stream)
        assert player.choose(match.knowledge(seat), seat, match.legal(seat), random.Random(1)) == before


@pytest.mark.parametrize(
    ("old", "new", "entry", "what"),
    [
        ("[1, 3, 7]", "[1, 3]", "[volcanoes] birds", "2 entries"),
        ("[1, 3, 7]", "[1, 3, 3]", "[volcanoes] birds, entry 3", "twice"),
        ("[1, 3, 7]", f"[1, 3, {2**64}]", "[volcanoes] birds, entry 3", "1 to 99"),
        ("[1, 1, 2, 2, 2, 3, 4]", f"[1, 1, 2, 2, 2, 3, {2**64}]", "[treasures] rubies, entry 7", "1 to 9"),
        ("[1, 1, 2, 2, 2, 3, 4]", "[1, 1, 2, 2, 2, 3, 40]", "[treasures] rubies, entry 7", "40 rubies"),
        ("[1, 1, 2, 2, 2, 3, 4]", '[1, 1, 2, 2, 2, 3, "four"]', "[treasures] rubies, entry 7", "not a whole number"),
        ("[1, 1, 2, 2, 2, 3, 4]", "[4, 1, 2, 2, 2, 3, 1]", "[treasures] rubies", "rising order"),
        ('"turtle", ', '"tortoise", ', "[locations] animals", "turtle"),
        ('"ocean", ', '"sea", ', "[locations] landscapes", "ocean"),
        ("[treasures]", "[treasure]", "treasure", "is not known here"),
        ("[treasures]", "[treasures", "file", "TOML"),
    ],
)
def test_a_fault_in_an_owners_file_is_named(tmp_path, old, new, entry, what):
    text = (GAME.folder / "components.toml").read_text()
    file = tmp_path / "mine.toml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(Fault) as fault:
        recollect.load("memoarrr", components=file)
    assert fault.value.file == str(file) and fault.value.entry == entry and what in fault.value.what


def test_an_owners_own_treasures_are_played_with(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text((GAME.folder / "components.toml").read_text().replace("[1, 1, 2, 2, 2, 3, 4]", "[1, 1, 1, 2, 2, 3, 4]"))
    mine = recollect.load("memoarrr", components=file)
    assert sum(random_match(mine, 1, players=2).scores()) == 14
    assert sum(random_match(GAME, 1, players=2).scores()) == 15, "the box of others is untouched"
    kept = tmp_path / "match.json"
    random_match(mine, 1, players=2).save(kept)
    assert sum(recollect.open_match(kept, components=file).scores()) == 14
    with pytest.raises(ValueError, match="played with other components than ours"):
        recollect.open_match(kept)
