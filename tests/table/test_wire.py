"""The socket of a page: acting, and everything that must not work."""

from __future__ import annotations

import json

import pytest
from people import TestClient, Wire, links, open_table, take, visitor

from recollect.engine.shelf import load

GAME = load("memoarrr")
SIDE, PUT_BACK, REVEAL, TAKE_TREASURE = GAME.actions.starts("side", "put_back", "reveal", "take_treasure")


def stored(client: TestClient, id: str) -> list[tuple[int, int]]:
    return client.app.state.house.store.moves(id)


@pytest.fixture
def two(client: TestClient):
    """Mila and Théo at one table, Mila first; and a stranger who watches."""
    id = open_table(client, first="first_seat", seat1="link")
    theo = visitor(client)
    take(theo, links(client, id)[0], "Théo")
    with (
        client.websocket_connect(f"/t/{id}/live") as a,
        theo.websocket_connect(f"/t/{id}/live") as b,
        visitor(client).websocket_connect(f"/t/{id}/live") as c,
    ):
        wires = Wire(a), Wire(b), Wire(c)
        for wire in wires:
            wire.page("island")
        yield client, id, *wires


def test_a_move_reaches_every_page(two):
    client, id, mila, theo, stranger = two
    assert "why" not in mila.act(SIDE)
    assert stored(client, id)[0] == (0, SIDE), "it is stored when it is answered"
    theo.page("looked at the <b>north</b> side")
    stranger.page("looked at the <b>north</b> side")
    mila.page("do-put-back")
    assert mila.html.count('data-face="up"') == 3
    assert 'data-face="up"' not in theo.html and 'data-face="up"' not in stranger.html


def test_nobody_moves_for_another(two):
    client, id, mila, theo, stranger = two
    before = stored(client, id)
    assert "Not your turn yet: Mila" in theo.act(SIDE)["why"]
    assert "only players" in stranger.act(SIDE)["why"]
    assert stored(client, id) == before
    mila.act(SIDE)


def test_an_illegal_click_is_explained_in_the_words_of_the_game(two):
    client, id, mila, *_ = two
    before = stored(client, id)
    mila.send(do="try", action=REVEAL)
    assert mila.answer("why")["why"] == "Choose one of the three middle cards of a free side."
    assert "why" in mila.act(REVEAL + 3)
    assert stored(client, id) == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[]",
        "{}",
        '{"do":"win"}',
        '{"do":"act"}',
        '{"do":"act","action":"0","n":0,"id":1}',
        '{"do":"act","action":0,"n":0,"id":1,"chair":1}',
        '{"do":"act","action":1e99,"n":0,"id":1}',
        pytest.param('{"x":' + "[" * 1900, id="deep"),
    ],
)
def test_a_malformed_message_changes_nothing_and_is_answered(two, text: str):
    client, id, mila, *_ = two
    before = stored(client, id)
    mila.socket.send_text(text)
    assert "nothing happened" in mila.answer("why")["why"]
    assert stored(client, id) == before
    assert "why" not in mila.act(SIDE), "and the game goes on"


def test_a_binary_message_is_answered_like_nonsense(two):
    _, _, mila, *_ = two
    mila.socket.send_bytes(bytes(range(256)))
    assert "nothing happened" in mila.answer("why")["why"]
    assert "why" not in mila.act(SIDE)


def test_an_oversized_message_changes_nothing_and_is_answered(two):
    _, _, mila, *_ = two
    mila.socket.send_text(json.dumps({"do": "act", "action": 0, "n": 0, "id": 1, "x": "y" * 50_000}))
    assert "too long" in mila.answer("why")["why"]
    assert "why" not in mila.act(SIDE)


@pytest.mark.parametrize("action", [-1, 10_000, 2**62])
def test_an_action_that_does_not_exist(two, action: int):
    client, id, mila, *_ = two
    before = stored(client, id)
    assert f"no action {action}".replace("-", "−") in mila.act(action)["why"]
    assert stored(client, id) == before


def test_a_double_click_plays_once(two):
    client, id, mila, *_ = two
    n = mila.n
    for ident in (1, 2):
        mila.send(do="act", action=SIDE, n=n, id=ident)
    first, second = mila.answer("done"), mila.answer("done")
    assert "why" not in first and "why" not in second, "it is done, and nobody is scolded for a trembling finger"
    assert [seat for seat, _ in stored(client, id)].count(0) == 1


def test_another_click_on_a_page_that_has_moved_is_not_done(two):
    client, id, mila, *_ = two
    n = mila.n
    for ident in (1, 2):
        mila.send(do="act", action=SIDE if ident == 1 else SIDE + 1, n=n, id=ident)
    first, second = mila.answer("done"), mila.answer("done")
    assert "why" not in first and "moved on" in second["why"]
    assert [seat for seat, _ in stored(client, id)].count(0) == 1


def test_a_click_that_is_sent_again_is_answered_as_the_first_was(two):
    """A page that lost its connection before it heard the answer: its move stands, and nobody is told to look again."""
    client, id, mila, *_ = two
    n = mila.n
    mila.send(do="act", action=SIDE, n=n, id=7)
    mila.answer("done")
    with client.websocket_connect(f"/t/{id}/live") as socket:
        again = Wire(socket)
        again.send(do="act", action=SIDE, n=n, id=7)
        assert again.answer("done") == {"done": 7}
    assert [seat for seat, _ in stored(client, id)].count(0) == 1


def test_clicks_that_are_refused_leave_nothing_behind(two):
    client, id, mila, *_ = two
    before = stored(client, id)
    for _ in range(5):
        assert "why" in mila.act(PUT_BACK)
    assert stored(client, id) == before


def test_a_companion_that_moves_while_its_person_comes_back_is_waited_for(two, monkeypatch):
    client, id, mila, *_ = two
    room = client.app.state.house.rooms.there(id)

    async def back(seats):
        room.play(0, SIDE + 1)  # the companion was quicker; it is being stored

    monkeypatch.setattr(room.company, "back", back)
    assert "moved on" in mila.act(SIDE)["why"]
    assert [entry for entry in stored(client, id) if entry[0] == 0] == [(0, SIDE + 1)]


def test_a_page_from_the_future_is_refused(two):
    client, id, mila, *_ = two
    before = stored(client, id)
    mila.send(do="act", action=SIDE, n=999, id=1)
    assert "moved on" in mila.answer("done")["why"]
    assert stored(client, id) == before


def test_nobody_plays_what_the_table_plays_itself(two):
    _, _, mila, *_ = two
    assert "why" in mila.act(TAKE_TREASURE)


def test_nobody_sits_down_on_another_seat(two):
    _, _, mila, *_ = two
    mila.send(do="sit", seat=1, n=0, id=1)
    assert "not at this screen" in mila.answer("done")["why"]


def test_no_rematch_before_the_end(two):
    _, _, mila, *_ = two
    mila.send(do="rematch", n=0, id=1)
    assert "not over" in mila.answer("done")["why"]


def test_companions_play_a_whole_game_against_a_person(client: TestClient):
    """One person with two companions, every lit action taken as it comes, to the end and the rematch."""
    id = open_table(client, players="3", mode="expert", seat1="bot:random", seat2="bot:sensible")
    with client.websocket_connect(f"/t/{id}/live") as socket:
        wire = Wire(socket)
        for _ in range(4000):
            message = wire.hear()
            if "hold" in message:
                wire.send(do="shown", stamp=message["stamp"])
            elif "html" in message and wire.acts:
                wire.send(do="act", action=wire.acts[0], n=wire.n, id=1)
            if "do-rematch" in wire.html:
                break
        assert "do-rematch" in wire.html
        row = client.app.state.house.store.row(id)
        assert row.result and sorted(row.result["ranking"])[0] == 1
        assert row.seed in client.get(f"/t/{id}/verify").text and "Checked" in client.get(f"/t/{id}/verify").text
        assert client.get(f"/t/{id}/match.json").json()["log"]
        assert "still running" not in client.get(f"/t/{id}/replay/0").text
        assert 'id="step-on"' in client.get(f"/t/{id}/replay/5").text and client.get(f"/t/{id}/replay/99999").status_code == 404
        remembered(client, id)
        wire.send(do="rematch", n=0, id=2)
        again = wire.answer("go")["go"]
        assert client.get(again).status_code == 200 and client.app.state.house.store.row(again[3:]).seed != row.seed


def remembered(client: TestClient, id: str) -> None:
    """After a change of the rules a finished game still shows how it ended; an unfinished one says that it is of older rules."""
    house = client.app.state.house
    other = open_table(client, seat1="bot:random")
    house.store._write(("update tables set version = version + 1", ()))
    kept, house.rooms._rooms = house.rooms._rooms, {}
    assert "older version of the rules" in client.get(f"/t/{id}").text and "Mila" in client.get(f"/t/{id}").text
    french = visitor(client).get(f"/t/{id}", headers={"accept-language": "fr"}).text
    assert "Chouette" in french, "companions have their names in each language"
    assert client.get(f"/t/{id}/match.json").json()["log"] and house.store.row(id).seed in client.get(f"/t/{id}/verify").text
    assert client.get(f"/t/{other}/match.json").status_code == client.get(f"/t/{other}/verify").status_code == 410
    gone = client.get(f"/t/{other}")
    assert gone.status_code == 410 and "older version" in gone.text
    house.store._write(("update tables set version = version - 1", ()))
    house.rooms._rooms = kept
