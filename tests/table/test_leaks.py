"""No page, id, log line or socket message of a seat changes when what it cannot know is dealt anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import kept_from
from people import TestClient, Wire, links, open_table, take, visitor

from recollect.engine.shelf import games, load
from recollect.engine.stream import sow
from recollect.table.live.room import Room
from recollect.table.live.screen import Screen
from recollect.table.store import Chair, Row, Store


def room_of(tmp_path: Path, name: str, seed: int, **options: object) -> Room:
    """A table where every seat is another person's, with nobody tending it."""
    game = load(name)
    values = game.settle(options)
    chairs = [Chair("here", f"Player {seat}", person=f"person {seat}") for seat in range(game.players(values))]
    store = Store(tmp_path / f"{name}{seed}")
    row = Row.of(game, id="t", options=values, seed=f"seed {seed}", host="person 0", chairs=chairs)
    store.create(row)
    room = Room(row, store)
    room.open()
    return room


def play_on(room: Room, rng: random.Random, moves: int) -> None:
    """Random moves, kept as the table keeps them."""
    for _ in range(moves):
        if room.match.over:
            return
        before = len(room.match.log)
        seat = rng.choice(sorted(room.match.acting))
        action = rng.choice(room.match.legal(seat))
        entries = room.match.play(seat, action)
        room.rows += [who for who, _ in entries]
        room.moment, room.at = room.match.moment, len(room.match.log)
        room.states[room.at] = room.moment.record
        if action in room.game.paced:
            room.exposures.append(before)


def redealt(room: Room, record: np.ndarray, seat: int, key: int) -> np.ndarray:
    """The position as it might as well be, for all that this seat has been shown."""
    out, stream = room.game.state.copy(record), np.zeros(1, np.int64)
    sow(stream, key)
    room.game.rules.redeal(room.game.state.open(out), seat, stream)
    return out


def stand(room: Room, states: dict[int, np.ndarray]) -> None:
    """The table stands, and stood, as these positions say."""
    room.states, room.match.record[...] = states, states[room.at]
    room.moment = room.match.moment
    room.log.forget()
    room.pages.forget()


def frames(room: Room, seat: int) -> list[str]:
    """Everything that is sent to the page of a seat, in both languages."""
    person = f"person {seat}" if seat >= 0 else "stranger"
    room.log.forget()
    room.pages.forget()
    return [str(Screen(room, None, person, language).frame()) for language in ("en", "fr")]


@pytest.mark.parametrize("name", games())
def test_what_a_page_is_sent_says_nothing_of_what_its_seat_cannot_know(tmp_path: Path, name: str):
    nothing_is_told(tmp_path, name, frames, [10**6])


def nothing_is_told(tmp_path: Path, name: str, told: Callable[[Room, int], object], shown: list[int]) -> None:
    """Tables of every variant at random moments: what each seat is `told` stays the same when what it cannot know is dealt anew."""
    changed = secrets = 0
    for i, options in enumerate(load(name).variants()):
        rng, room = random.Random(i), room_of(tmp_path, name, i, **options)
        for step in range(6):
            for chair in room.row.chairs:
                chair.shown = rng.choice(shown)
            play_on(room, rng, rng.randint(1, 12))
            if room.match.over:
                break
            for seat in range(-1, room.match.players):
                before, states = told(room, seat), dict(room.states)
                stand(room, {at: redealt(room, state, seat, 100 * step + at) for at, state in states.items()})
                changed += room.moment.record.tobytes() != states[room.at].tobytes()
                secrets += kept_from(room.game, states[room.at], seat)
                assert told(room, seat) == before, f"seat {seat} is told what it cannot know"
                stand(room, states)
        room.store.close()
    assert changed or not secrets, "nothing was ever dealt anew: this test saw nothing"


def shared(room: Room) -> None:
    """All seats but the last (of more than two) are at one screen."""
    for seat, chair in enumerate(room.row.chairs):
        chair.person = "person 0" if seat < 2 or seat < len(room.row.chairs) - 1 else "somebody else"
        chair.shown = 10**6


@pytest.mark.parametrize("name", games())
def test_a_shared_screen_shows_one_persons_secrets_only_to_who_said_it_is_me(tmp_path: Path, name: str):
    """While nobody said so, the page holds what a spectator may see; then what that seat may see, and not the others here."""
    changed = hid = 0
    for i, options in enumerate(load(name).variants()):
        rng = random.Random(i)
        room = room_of(tmp_path, name, i, **options)
        if room.match.players < 2:
            continue
        shared(room)
        screen = Screen(room, None, "person 0", "en")
        for step in range(40):
            play_on(room, rng, 1)
            if room.match.over:
                break
            screen.frame()
            hid += screen.hidden
            if screen.hidden and rng.random() < 0.7:
                screen.deeds.sit(screen.seat)
            before, sure, states = sent(room, screen), screen.sure, dict(room.states)
            sees = sure if sure is not None and sure in room.match.acting else -1
            stand(room, {at: redealt(room, state, sees, 100 * step + at) for at, state in states.items()})
            changed += room.moment.record.tobytes() != states[room.at].tobytes()
            assert sent(room, screen) == before, f"a screen where {sure} said 'it is me' tells more than {sees} may know"
            stand(room, states)
        room.store.close()
    assert changed or not hid, "nothing was ever dealt anew: this test saw nothing"


def sent(room: Room, screen: Screen) -> str:
    room.log.forget()
    room.pages.forget()
    return str(screen.frame())


def test_over_http_and_the_socket_too(client: TestClient):
    """Mila has looked at three cards; Théo's and a stranger's bytes are the same whatever they were."""
    game = load("memoarrr")
    [side] = game.actions.starts("side")
    id = open_table(client, first="first_seat", seat1="link")
    theo, stranger = visitor(client), visitor(client)
    take(theo, links(client, id)[0], "Théo")
    with client.websocket_connect(f"/t/{id}/live") as socket:
        wire = Wire(socket)
        wire.page("island")
        assert "why" not in wire.act(side)
        room = client.app.state.house.rooms._rooms[id]
        seen = [received(who, id) for who in (theo, stranger)]
        mine = received(client, id)
        now = len(room.match.log)
        for key in range(5):
            stand(room, {**room.states, now: redealt(room, room.states[now], 1, key)})
            assert [received(who, id) for who in (theo, stranger)] == seen
        assert received(client, id) != mine, "Mila's own page shows them"


def received(who: TestClient, id: str) -> tuple[str, str]:
    with who.websocket_connect(f"/t/{id}/live") as socket:
        said = str(Wire(socket).hear())  # from now on they are here, and the page says so
        return who.get(f"/t/{id}").text, said


def test_the_log_of_a_game_of_recall_says_where_and_never_what(tmp_path: Path):
    t = load("memoarrr").texts("en")
    names = [
        t(f"names.{name}") for name in ("crab", "penguin", "octopus", "turtle", "walrus", "lava", "jungle", "ocean", "flowers", "sand")
    ]
    room = room_of(tmp_path, "memoarrr", 1, players=3, mode="expert")
    play_on(room, random.Random(3), 400)
    assert room.match.over
    for at in room.states:
        for line in room.log.lines(-1, "en", at):
            assert not any(name in line["text"].lower() for name in names) or at == room.at, line
    assert any(names[0] in line["text"] for line in room.log.lines(-1, "en", room.at)), "its faces are told at the end"


def test_the_log_begins_anew_with_every_round(tmp_path: Path):
    room = room_of(tmp_path, "memoarrr", 2, players=2)
    play_on(room, random.Random(1), 400)
    assert len(room.exposures) == 7
    for at in room.exposures[:-1]:  # after the last one the game is over, and all is told
        after = min(place for place in room.states if place > at)
        assert [line["n"] for line in room.log.lines(0, "en", after)] == [at], "only that the round was won"
