"""What must hold of every game folder: positions, playthroughs, laws on random games, secrets, texts."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator

import numpy as np
import pytest
from conftest import NAMES, asked, compiled_games, kept_from, plain_games, random_match

import recollect
from recollect.engine import CHANCE, playthrough, position
from recollect.engine.game import Game
from recollect.engine.look import Look
from recollect.engine.match import Match
from recollect.engine.texts import LANGUAGES, flatten, read_texts
from recollect.lab import rulebook
from recollect.table.render.page import scene_of

POSITIONS = [(name, file) for name in NAMES for file in sorted((recollect.load(name).folder / "positions").glob("*.toml"))]
PLAYTHROUGHS = [(name, file) for name in NAMES for file in sorted((recollect.load(name).folder / "playthroughs").glob("*.txt"))]


@pytest.mark.parametrize(("name", "file"), POSITIONS, ids=[f"{name}-{file.stem}" for name, file in POSITIONS])
def test_position(name, file):
    doc = position.read(file)
    assert doc.get("title") and doc.get("rule"), "a position says its title and the rule it tests"
    match = position.stand(recollect.load(name), doc, str(file))
    assert doc.get("expect"), "a position expects something"
    assert position.faults(match, doc["expect"]) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_positions_and_a_playthrough(name):
    assert any(n == name for n, _ in POSITIONS)
    assert any(n == name for n, _ in PLAYTHROUGHS)


@pytest.mark.parametrize(("name", "file"), PLAYTHROUGHS, ids=[f"{name}-{file.stem}" for name, file in PLAYTHROUGHS])
def test_playthrough(name, file):
    *_, match = playthrough.walk(recollect.load(name), file)
    assert match.over
    assert playthrough.ends(file) == {"scores": match.scores(), "ranking": match.ranking()}


def test_names_of_actions_are_unique_and_read_back(game: Game):
    for action in range(game.actions.count):
        assert game.actions.parse(game.actions.notation(action)) == action


def test_random_games_end_by_legal_actions_alone(game: Game):
    """At every step who acts has something to do, as a sound set, and each seat knows what it sees."""
    for i, options in enumerate(game.variants()):
        match, rng = Match(game, game.settle(options), seed=f"test {i}", auto_chance=False), random.Random(i)
        while not match.over:
            seat = rng.choice(sorted(match.acting))
            for other in match.acting:
                asked(game, match.state, other)
            match.play(seat, match.drawn() if seat == CHANCE else rng.choice(asked(game, match.state, seat)))
            knows_what_it_sees(match)
        assert match.acting == frozenset()
        ranks = match.ranking()
        house = [h.rank for h in match.standing().house]  # who is ranked without being a player
        assert min([*ranks, *house]) == 1 and len(ranks) == match.players


@pytest.mark.compiled
def test_plain_and_compiled_records_are_identical(game: Game):
    """And no index leaves its field, which compiled code does not look at and plain Python refuses."""
    for options in game.variants():
        keys = list(range(30))
        compiled, tally = compiled_games(game, options, keys)
        assert tally[2] == 0
        assert plain_games(game, options, keys).tobytes() == compiled.tobytes()


def _looks(game: Game, record: np.ndarray, seat: int) -> bytes:
    """Everything the rules hand out to a seat."""
    s = game.state.open(record)
    legal = game.legal(s, seat) if seat in game.acting(s) else []
    return (
        game.view(record, seat).record.tobytes()
        + game.knowledge(record, seat).record.tobytes()
        + bytes(str((sorted(game.acting(s)), legal)), "ascii")
    )


def _stretches(game: Game) -> Iterator[Match]:
    """Matches in the middle: random ones of every variant, and the playthroughs after each move."""
    for i, options in enumerate(game.variants()):
        for stop in (3, 9, 30, 90, 200):
            yield random_match(game, i, stop=stop, **options)
    for file in sorted((game.folder / "playthroughs").glob("*.txt")):
        yield from playthrough.walk(game, file)


def test_nothing_a_seat_gets_changes_when_what_it_cannot_know_is_redealt(game: Game):
    stream, changed, secrets = np.array([12345], np.int64), 0, 0
    for match in _stretches(game):
        for seat in range(-1, match.players):
            record = match.record.copy()
            game.rules.redeal(game.state.open(record), seat, stream)
            assert _looks(game, record, seat) == _looks(game, match.record, seat), f"seat {seat} can tell: {match.options}"
            changed += record.tobytes() != match.record.tobytes()
            secrets += kept_from(game, match.record, seat)
    assert changed or not secrets, "redeal changes nothing, though a seat has seen what another has not"


def test_what_all_players_see_spectators_see(game: Game):
    """What lies open is marked for every seat of the record, not for `players` alone: a spectator sees what all seats see."""
    for match in _stretches(game):
        for f in game.state.fields.values():
            if f.visibility.kind == "known":
                seen = game.state.fields[f.visibility.now].flags(match.record[f.visibility.now])
                open_to_all = match.players > 1 and seen[: match.players].all(axis=0)  # alone, what is seen may still be a secret
                assert (open_to_all <= seen.all(axis=0)).all(), f"{f.visibility.now}: {match.options}"


def test_a_redealt_game_plays_on_to_the_end(game: Game):
    stream, rng = np.array([99], np.int64), random.Random(3)
    for i, options in enumerate(game.variants()):
        match = random_match(game, i, stop=rng.randrange(5, 80), **options)
        game.rules.redeal(match.state, rng.randrange(match.players), stream)
        while not match.over:
            seat = rng.choice(sorted(match.acting))
            match.play(seat, rng.choice(match.legal(seat)))


def knows_what_it_sees(match: Match) -> None:
    """A seat knows at least what lies in its sight."""
    fields = match.game.state.fields
    for name, f in fields.items():
        if f.visibility.kind == "known":
            ever, now = (fields[mask].flags(match.record[mask]) for mask in (f.visibility.ever, f.visibility.now))
            assert (ever >= now).all(), f"{name}: seen, but not known"


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_not_legal_is_refused_in_words(game: Game, language: str):
    """Whatever page a click came from, and whatever a message says."""
    for i, options in enumerate(game.variants()):
        match = random_match(game, i, stop=3 + 11 * i, **options)
        for _ in range(40):
            if match.over:
                break
            for seat in match.acting:
                legal = frozenset(match.legal(seat))
                names = [f"Seat {n}" for n in range(match.players)]
                look = Look(game, match.view(seat), seat, match.acting, legal, names, game.texts(language), match.options)
                for action in set(range(game.actions.count)) - legal:
                    assert scene_of(game).why(look, action).strip(), f"{game.actions.notation(action)} at {match.state}"
            seat = min(match.acting)
            match.play(seat, sorted(match.legal(seat))[i % len(match.legal(seat))])


def test_both_languages_say_the_same_things(game: Game):
    en, fr = (flatten(read_texts(game.folder, language)._entries) for language in LANGUAGES)
    assert set(en) == set(fr)
    for key in en:
        forms = [
            {p for text in (e.values() if isinstance(e, dict) else [e]) for _, p, _, _ in string.Formatter().parse(text) if p}
            for e in (en[key], fr[key])
        ]
        assert forms[0] == forms[1], f"{key}: placeholders differ"
        assert all((e if isinstance(e, str) else e["other"]).strip() for e in (en[key], fr[key])), f"{key} is empty"


def test_texts_name_every_option_category_and_action(game: Game):
    t = game.texts("en")
    for key in ("name", "tagline", "minutes"):
        assert key in t
    for option in game.options:
        assert f"options.{option.name}.label" in t
        for choice in option.choices:
            assert not isinstance(choice, str) or f"options.{option.name}.{choice}" in t
    assert all(f"points.{name}" in t for name in game.rules.POINTS)
    assert all(f"ties.{name}" in t for name in game.rules.TIES)
    assert all(f"actions.{name}" in t for name in game.actions.ranges)
    assert t.section("rules")


def test_readme_names_its_rulings_and_version(game: Game):
    text = (game.folder / "README.md").read_text(encoding="utf-8")
    assert "Ruling" in text and f"version {game.version}" in text.lower()


def test_readme_table_of_rules_is_made_from_the_code(game: Game):
    text = (game.folder / "README.md").read_text(encoding="utf-8")
    assert rulebook.BEGIN in text and rulebook.with_table(game.folder) == text, "run: python -m recollect.lab.rulebook"
