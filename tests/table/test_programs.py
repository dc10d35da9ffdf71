"""Programs play through the gates that people do: the same secrets, the same refusals, the same limits, in JSON."""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from house import ROOT, Server
from people import TestClient, Wire, links, open_table, take, visitor
from starlette.websockets import WebSocketDisconnect

from recollect.engine.shelf import games, load
from recollect.table import limits
from recollect.table.live.program import Program
from recollect.table.live.room import Room
from recollect.table.render import numbers
from table.test_leaks import nothing_is_told, play_on, redealt, room_of, stand

SIDE, REVEAL = load("memoarrr").actions.starts("side", "reveal")
BOT = ROOT / "examples" / "bot.py"


def ask(client: TestClient, path: str, token: str = "", **body: Any) -> Any:
    return client.post(f"/api{path}", json=body, headers=bearer(token))


def see(client: TestClient, path: str, token: str = "") -> Any:
    return client.get(f"/api{path}", headers=bearer(token))


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}


def two(client: TestClient, game: str = "memoarrr", **options: Any) -> tuple[str, str, str]:
    """A table of two programs: its id, their tokens."""
    set = ask(client, f"/new/{game}", options=options, seats=[{"who": "me", "name": "Ada"}, {"who": "me", "name": "Bo"}])
    assert set.status_code == 201, set.text
    return set.json()["table"], *(seat["token"] for seat in set.json()["seats"])


# -- a whole game


@pytest.mark.parametrize("name", games())
def test_the_example_plays_a_whole_game_against_a_companion(tmp_path: Path, name: str):
    server = Server(tmp_path, pace=0.001)
    try:
        said = subprocess.run([sys.executable, BOT, server.url, name, "goldfish"], capture_output=True, text=True, timeout=300)
    finally:
        server.kill()
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("Bot: ") and "Goldfish" in said.stdout


def test_the_example_takes_a_seat_by_link(server: Server):
    import httpx

    with httpx.Client(base_url=server.url, follow_redirects=True) as mila:
        id = open_table(mila, "ptibapt", seat0="bot:random", seat1="link")
        [link] = links(mila, id)
        said = subprocess.run([sys.executable, BOT, server.url + link], capture_output=True, text=True, timeout=120)
    assert said.returncode == 0 and "Bot: " in said.stdout, said.stderr


def test_the_example_goes_on_when_the_process_is_back(tmp_path: Path):
    server = Server(tmp_path, pace=0.05)
    asked = [sys.executable, str(BOT), server.url, "memoarrr", "goldfish"]
    bot = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        with sqlite3.connect(tmp_path / "recollect.sqlite") as store:
            until = time.monotonic() + 30
            while store.execute("select count(*) from moves").fetchone()[0] < 8 and time.monotonic() < until:
                time.sleep(0.02)
        server.kill()
        server.start()
        said, wrong = bot.communicate(timeout=300)
    finally:
        bot.kill()
        server.kill()
    assert bot.returncode == 0 and said.startswith("Bot: ") and "Goldfish" in said, wrong


def test_the_example_is_short():
    body = BOT.read_text().split('"""', 2)[2]
    assert len([line for line in body.splitlines() if line.strip()]) <= 30


# -- by HTTP


def test_a_program_sees_what_it_may_do_and_does_it(client: TestClient):
    id, ada, bo = two(client, first="first_seat")
    sight = see(client, f"/t/{id}", ada).json()
    assert (sight["seat"], sight["names"], sight["acting"], sight["over"]) == (0, ["Ada", "Bo"], [0], False)
    assert sight["legal"][0] == {"action": SIDE, "notation": "side north", "words": "Choose the north side"}
    after = ask(client, f"/t/{id}/act", ada, action="side north", n=sight["n"]).json()
    assert [place for place, card in enumerate(after["view"]["card"]) if card >= 0] == [1, 2, 3]
    assert see(client, f"/t/{id}", ada).json() == after
    assert max(see(client, f"/t/{id}", bo).json()["view"]["card"]) == -1 == see(client, f"/t/{id}").json()["seat"]
    [line] = see(client, f"/t/{id}/log", bo).json()["lines"]
    assert (line["seat"], line["notation"]) == (0, "side north") and "Ada" in line["words"]


def test_numbers_are_read_as_the_game_says(client: TestClient):
    for name in games():
        game, rules = load(name), see(client, f"/games/{name}").json()
        for r in rules["actions"]:
            for i, label in enumerate(r["labels"]):
                assert game.actions.notation(r["start"] + i) == f"{r['name']} {label}".strip()
        id, ada, _ = two(client, name, players=2)
        sight = see(client, f"/t/{id}", ada).json()
        assert sight["view"].keys() == rules["view"].keys()
        for field, part in rules["view"].items():
            shape, inside = [], sight["view"][field]
            while isinstance(inside, list):
                shape.append(len(inside))
                inside = inside[0]
            assert shape == [len(axis) for axis in part["axes"]], field


def test_what_is_refused_is_said_in_words(client: TestClient):
    id, ada, bo = two(client, first="first_seat")
    n = see(client, f"/t/{id}", ada).json()["n"]
    refusals = [
        (ask(client, f"/t/{id}/act", bo, action=SIDE, n=n), 409, "Not your turn yet: Ada to play."),
        (ask(client, f"/t/{id}/act", ada, action=REVEAL, n=n), 409, "Choose one of the three middle cards of a free side."),
        (ask(client, f"/t/{id}/act", ada, action="reveal z9", n=n), 409, "no action is written 'reveal z9'"),
        (ask(client, f"/t/{id}/act", ada, action=9999, n=n), 409, "There is no action 9999"),
        (ask(client, f"/t/{id}/act", ada, action=SIDE, n=99), 409, "The table had moved on"),
        (ask(client, f"/t/{id}/undo", ada, n=n), 409, "cannot be taken back"),
        (ask(client, f"/t/{id}/act", action=SIDE, n=n), 401, "This token opens nothing"),
        (ask(client, f"/t/{id}/act", "nonsense", action=SIDE, n=n), 401, "This token opens nothing"),
        (ask(client, f"/t/{id}/act", ada, action=SIDE), 400, "missing required field `n`"),
        (ask(client, f"/t/{id}/act", ada, action=SIDE, n=n, seat=1), 400, "unknown field `seat`"),
        (ask(client, f"/t/{id}/act", ada, action="x" * 70_000, n=n), 413, "too much at once"),
        (ask(client, f"/t/{id}/join", name="Eve"), 409, "taken"),
        (ask(client, f"/t/{id}/join/0123", name="Eve"), 404, "leads nowhere"),
        (ask(client, f"/t/{id}/close", ada), 409, "only while it waits"),
        (see(client, f"/t/{id}/match"), 409, "Still sealed"),
        (see(client, "/t/nowhere"), 404, "There is no such table"),
        (see(client, "/games/chess"), 404, "nothing here"),
        (see(client, "/nowhere"), 404, "nothing here"),
        (see(client, f"/t/{id}/act", ada), 405, "“allow” says how"),
        (ask(client, "/new/memoarrr", options={"players": 17}), 409, "'players'"),
        (ask(client, "/new/memoarrr", seats=[{"who": "companion", "name": "shark"}]), 409, "nobody called 'shark'"),
        (ask(client, "/new/memoarrr", seats=[{}] * 3), 409, "3 seats for 2 players"),
    ]
    for answer, status, why in refusals:
        assert answer.status_code == status == answer.json()["status"] and why in answer.json()["why"], answer.text
    assert len(client.app.state.house.store.moves(id)) == n
    french = client.get("/api/t/nowhere", headers={"accept-language": "fr"}).json()["why"]
    assert "table" in french and french != see(client, "/t/nowhere").json()["why"]


def test_a_stranger_watches_and_cannot_act(client: TestClient):
    id, *_ = two(client)
    other, stranger, _ = two(client)
    assert "only players may act" in ask(client, f"/t/{id}/act", stranger, action=SIDE, n=1).json()["why"]
    assert see(client, f"/t/{id}", stranger).json()["seat"] == -1 and see(client, f"/t/{other}", stranger).json()["seat"] == 0


def test_a_cookie_is_no_token_and_a_token_no_cookie(client: TestClient):
    id, ada, _ = two(client)
    client.post("/name", data={"name": "Mila"}, headers={"origin": "http://testserver"})
    assert see(client, f"/t/{id}", client.cookies["recollect"]).status_code == 401
    client.cookies.set("recollect", ada)
    assert client.get(f"/t/{id}").headers["set-cookie"], "somebody new"


def test_other_sites_are_not_heard(client: TestClient):
    answer = client.post("/api/new/memoarrr", json={}, headers={"origin": "http://elsewhere"})
    assert answer.status_code == 403 and "why" in answer.json()
    id, *_ = two(client)
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/api/t/{id}/live", headers={"origin": "http://elsewhere"}):
        pass


def test_the_limits_of_pages_are_those_of_programs(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    id, ada, _ = two(client)
    monkeypatch.setattr(limits.Allowance, "_refill", lambda allowance: None)  # no time passes, however long each answer takes
    answers = [ask(client, f"/t/{id}/act", ada, action=9999, n=1).status_code for _ in range(int(limits.BURST) + 60)]
    assert set(answers) == {409, 429}
    too_much = ask(client, f"/t/{id}/act", ada, action=9999, n=1).json()["why"]
    assert "nothing was done" in too_much and "waits its turn" not in too_much
    monkeypatch.setattr("recollect.table.house.TABLES", 1)
    assert ask(client, "/new/memoarrr", ada).status_code == 429
    monkeypatch.setattr(limits, "PAGES", 0)
    assert "So many connections are open" in turned_away(client, id, 429)


def turned_away(client: TestClient, id: str, status: int, **headers: str) -> str:
    """Why a socket was refused: told before it is closed, with a code that says the same."""
    with client.websocket_connect(f"/api/t/{id}/live", headers=headers) as socket:
        told = json.loads(socket.receive_text())
        assert told["status"] == status and socket.receive()["code"] == 4000 + status
    return told["why"]


@pytest.mark.parametrize(
    ("language", "token", "table"),
    [("en", "This token opens nothing.", "There is no such table."), ("fr", "Ce jeton n’ouvre rien.", "Cette table n’existe pas.")],
)
def test_a_socket_that_is_refused_is_told_why(client: TestClient, language: str, token: str, table: str):
    id, *_ = two(client)
    asked = {"accept-language": language}
    assert turned_away(client, id, 401, authorization="Bearer nothing", **asked).startswith(token)
    assert turned_away(client, "nowhere", 404, **asked).startswith(table)


def test_people_and_programs_meet_at_one_table(client: TestClient):
    """A person's link is taken by a program, a program's link by a person; nobody takes a seat twice."""
    id = open_table(client, first="first_seat", seat1="link")
    [link] = links(client, id)
    taken = ask(client, link, name="Ada").json()
    assert taken["seat"] == 1 and see(client, f"/t/{id}", taken["token"]).json()["names"] == ["Mila", "Ada"]
    assert ask(client, link, name="Eve").status_code == 409
    assert ask(client, link, taken["token"]).json() == taken, "who sits is told where"
    set = ask(client, "/new/memoarrr").json()
    waiting = see(client, f"/t/{set['table']}", set["token"]).json()
    assert waiting["waiting"] and waiting["links"] == set["links"] and not see(client, f"/t/{set['table']}").json()["links"]
    theo = visitor(client)
    take(theo, set["links"]["1"].removeprefix("http://testserver"), "Théo")
    assert see(client, f"/t/{set['table']}", set["token"]).json()["names"][1] == "Théo"


def test_an_open_table_is_joined_and_a_waiting_one_closed(client: TestClient):
    set = ask(client, "/new/memoarrr", options={"players": 3}, seats=[{"who": "me"}, {"who": "open"}]).json()
    assert ask(client, f"/t/{set['table']}/join", name="Ada").json()["seat"] == 1
    assert ask(client, f"/t/{set['table']}/close", set["token"]).json() == {"table": set["table"]}
    assert see(client, f"/t/{set['table']}").status_code == 404


# -- by the socket


def test_the_socket_tells_each_seat_what_changed(client: TestClient):
    id, ada, bo = two(client, first="first_seat")
    with (
        client.websocket_connect(f"/api/t/{id}/live", headers=bearer(ada)) as a,
        client.websocket_connect(f"/api/t/{id}/live", headers=bearer(bo)) as b,
    ):
        first, second = Wire(a), Wire(b)
        n = first.answer("legal")["n"]
        second.answer("legal")
        first.send(do="act", action=SIDE, n=n, id=7)
        assert first.answer("done") == {"done": 7}
        while (sight := second.answer("n"))["n"] == n:
            pass
        assert sight["acting"] == [0] and not sight["legal"] and max(sight["view"]["card"]) == -1
        second.send(do="act", action=SIDE, n=sight["n"], id=8)
        assert "Not your turn yet: Ada" in second.answer("done")["why"]


def test_what_is_shown_to_all_is_seen_once_and_live_alone(client: TestClient):
    """Two cards of Pti Bapt lie open: the socket shows them until one says so; by HTTP they are not to be had, nor afterwards."""
    id, ada, bo = two(client, "ptibapt", reds=0)
    tokens = [ada, bo]
    turn = see(client, f"/t/{id}", ada).json()["acting"][0]
    client.app.state.house.rooms._rooms[id].pace = 10**6
    for _ in range(2):
        sight = see(client, f"/t/{id}", tokens[turn]).json()
        after = ask(client, f"/t/{id}/act", tokens[turn], action=sight["legal"][0]["action"], n=sight["n"]).json()
    assert after["showing"] and after["view"] is None
    with client.websocket_connect(f"/api/t/{id}/live", headers=bearer(tokens[turn])) as socket:
        wire = Wire(socket)
        sight = wire.answer("legal")
        assert sum(card >= 0 for card in sight["view"]["card"]) == 2 and sight["showing"]["seconds"] > 0
        wire.send(do="shown", stamp=sight["showing"]["stamp"])
        wire.send(do="try", action=0)
        wire.answer("why")
    assert see(client, f"/t/{id}", tokens[turn]).json()["showing"] is None
    assert see(client, f"/t/{id}", tokens[turn]).json()["view"] is None


# -- secrets


def told(room: Room, seat: int) -> list[bytes]:
    """Everything that a program of this seat can be told, in both languages."""
    person = f"person {seat}" if seat >= 0 else "stranger"
    room.log.forget()
    asked = [(Program(room, None, person, language), language) for language in ("en", "fr")]
    answers = [(p.sight(), p.sight(live=False), numbers.log(room, seat, language)) for p, language in asked]
    return [msgspec.json.encode(answer) for answer in answers]


@pytest.mark.parametrize("name", games())
def test_what_a_program_is_told_says_nothing_of_what_its_seat_cannot_know(tmp_path: Path, name: str):
    nothing_is_told(tmp_path, name, told, [0, 10**6])


def test_over_http_and_the_socket_too(client: TestClient):
    """Ada has looked at three cards; Bo's and a stranger's bytes are the same whatever they were."""
    id, ada, bo = two(client, first="first_seat")
    n = see(client, f"/t/{id}", ada).json()["n"]
    ask(client, f"/t/{id}/act", ada, action=SIDE, n=n)
    room = client.app.state.house.rooms._rooms[id]
    seen, mine, now = [received(client, id, token) for token in (bo, "")], received(client, id, ada), len(room.match.log)
    for key in range(5):
        stand(room, {**room.states, now: redealt(room, room.states[now], 1, key)})
        assert [received(client, id, token) for token in (bo, "")] == seen
    assert received(client, id, ada) != mine, "Ada's own answers show them"


def received(client: TestClient, id: str, token: str) -> tuple[str, str, str]:
    with client.websocket_connect(f"/api/t/{id}/live", headers=bearer(token)) as socket:
        return see(client, f"/t/{id}", token).text, see(client, f"/t/{id}/log", token).text, str(Wire(socket).answer("legal"))


def test_the_log_tells_what_the_page_tells(tmp_path: Path):
    """No entry that the page keeps to itself: in Memoarrr! neither a draw nor a power that would tell which animal was turned."""
    room = room_of(tmp_path, "memoarrr", 1, players=3, mode="expert")
    rng, said = random.Random(3), set()
    while not room.match.over:
        play_on(room, rng, 1)
        said |= {line.notation.split()[0] for line in numbers.log(room, 0, "en").lines}
    assert said <= {"side", "reveal", "take_volcano", "take_treasure"} and "reveal" in said
    assert all("<" not in line.words and "*" not in line.words for line in numbers.log(room, 0, "en").lines)


def test_after_the_end_the_match_can_be_had(client: TestClient):
    id, ada, bo = two(client, "ptibapt")
    for _ in range(2000):
        sight = json.loads(see(client, f"/t/{id}", ada).text)
        if sight["over"]:
            break
        for token in (ada, bo):
            with client.websocket_connect(f"/api/t/{id}/live", headers=bearer(token)) as socket:
                look = Wire(socket).answer("acting")
                if look["legal"]:
                    socket.send_text(json.dumps({"do": "act", "action": look["legal"][0]["action"], "n": look["n"], "id": 1}))
                    Wire(socket).answer("done")
    assert sight["over"] and sight["standing"]["ranking"] and sight["view"]
    match = see(client, f"/t/{id}/match").json()
    assert match["seed"] and match["names"] == ["Ada", "Bo"]


def test_a_program_hears_of_its_company(client: TestClient):
    id = open_table(client, seat1="link", turn="600", first="first_seat")
    token = ask(client, links(client, id)[0], name="Ada").json()["token"]
    with client.websocket_connect(f"/api/t/{id}/live", headers=bearer(token)) as socket, client.websocket_connect(f"/t/{id}/live") as page:
        program, mila = Wire(socket), Wire(page)
        company = program.answer("company")["company"]
        assert 0 < company["left"] <= 600 and company["watching"] == 0 and company["said"] == []
        mila.send(do="say", what="hello")
        while not company["said"]:
            company = program.answer("company")["company"]
        assert [(word["seat"], word["what"]) for word in company["said"]] == [(0, "hello")]


def test_each_program_that_only_watches_is_somebody(client: TestClient):
    id, ada, _ = two(client)
    with contextlib.ExitStack() as there:
        for _ in range(2):
            Wire(there.enter_context(client.websocket_connect(f"/api/t/{id}/live"))).answer("legal")
        wire = Wire(there.enter_context(client.websocket_connect(f"/api/t/{id}/live", headers=bearer(ada))))
        assert wire.answer("company")["company"]["watching"] == 2
