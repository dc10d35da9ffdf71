"""What the tests share: the games there are, random play, and where compiled code is kept."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest

import recollect
from recollect.engine import CHANCE
from recollect.engine.game import Game
from recollect.engine.match import Match
from recollect.engine.options import numbers
from recollect.engine.record import Opened
from recollect.engine.sets import WORD, members
from recollect.engine.stream import sow

os.environ.setdefault("RECOLLECT_COMPILE", "no")  # companions of a table play by plain sense: nothing is compiled beside the tests
pytest_plugins = ["house", "postgres"]  # the table: an application, a server process, a browser

NAMES = [*recollect.game_names(), "_template"]


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return recollect.load(request.param)


def random_match(game: Game, seed: int, stop: int = 10**9, **options: object) -> Match:
    """A match played at random until the end, or for `stop` actions of players."""
    rng = random.Random(seed)
    match = game.match(seed=f"test {seed}", **options)
    while not match.over and stop > 0:
        seat = rng.choice(sorted(match.acting))
        match.play(seat, rng.choice(match.legal(seat)))
        stop -= 1
    return match


def asked(game: Game, s: Opened, seat: int) -> list[int]:
    """What a seat may do, or chance draw, after the statement of it was found sound: something, in words that fit, all of it actions."""
    first, some, more = map(int, game.rules.choices(s, seat))
    what = f"seat {seat} is offered {first}, {some:#x}, {more:#x} at {s}"
    assert 0 <= some < 1 << WORD and 0 <= more < 1 << WORD and some | more, what
    actions = [*members(some, first), *members(more, first + WORD)]
    assert first >= 0 and actions[-1] < game.actions.count, what
    if seat == CHANCE and game.uneven & {first, *actions}:
        assert {first, *actions} <= game.uneven, f"draws that are alike and draws that are not: {what}"
        assert all(game.rules.odds(s, action) > 0 for action in actions), what
    assert game.legal(s, seat) == actions
    return actions


def kept_from(game: Game, record: np.ndarray, seat: int) -> bool:
    """Something is in the record that others have been shown and this seat has not. Where all is shown to all, nothing is."""
    ours = game.knowledge(record, seat).record
    shown = [name for name, f in game.state.fields.items() if f.visibility.kind in ("known", "owner")]
    return any(bool((ours[name] != record[name]).any()) for name in shown)


def plain_games(game: Game, options: dict, keys: list[int], limit: int = 10**6) -> np.ndarray:
    """Whole random games in plain Python, by the same streams as the compiled loops."""
    states = np.zeros(len(keys), game.state.dtype)
    o, r = numbers(game.options, options), np.zeros(1, np.int64)
    for i, key in enumerate(keys):
        s = game.state.open(states[i : i + 1])
        game.rules.setup(s, o)
        sow(r, key)
        assert game.loops.random_game(s, r, limit) >= 0, "a dead end: nobody has a legal action"
    return states


def compiled_games(game: Game, options: dict, keys: list[int], limit: int = 10**6) -> tuple[np.ndarray, np.ndarray]:
    """The same, compiled; returns the records and the tally of actions, draws and dead ends."""
    states, tally = np.zeros(len(keys), game.state.dtype), np.zeros(3, np.int64)
    game.fast.random_games(states, numbers(game.options, options), np.array(keys), np.zeros(1, np.int64), limit, tally)
    return states, tally


def together(item: pytest.Item) -> tuple[int, str]:
    """What a test shares with others, and when its turn is: compiling first, which takes longest and leaves something for the rest;
    then browsers; and at the end what is short, so that both workers end at once."""
    if item.get_closest_marker("browser"):
        return 1, f"browser-{item.path.parent.name}-{item.path.stem}"
    if compiled := item.get_closest_marker("compiled"):
        params = item.callspec.params.values() if hasattr(item, "callspec") else ()
        about = [*compiled.args, *map(str, params), item.path.parent.name]
        return 0, next((name for name in about if name in NAMES), item.path.stem)
    return 2, ""


SOON = ("test_town", "test_writer")  # the store's own tests and two processes at one table: seconds over PostgreSQL


def over_postgresql(item: pytest.Item) -> bool:
    """The test needs a PostgreSQL."""
    params = item.callspec.params.values() if hasattr(item, "callspec") else ()
    return "cluster" in getattr(item, "fixturenames", ()) or "postgresql" in params


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups, and before marks choose
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that compile a game run on one worker each, so that it is compiled once; those of a file that open a browser likewise.
    What is tried over both stores takes `make test` minutes more over PostgreSQL: but for those in SOON that is left to make test-all."""
    for item in items:
        if over_postgresql(item) and item.path.stem not in SOON:
            item.add_marker(pytest.mark.long)
        if group := together(item)[1]:
            item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: (together(item)[0], item.path.parent.name != "twice"))  # of the short ones the longest first
