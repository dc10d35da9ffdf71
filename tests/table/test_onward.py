"""After the end: turning points on the replay, and playing on from a moment of it."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from people import TestClient

from recollect import load
from recollect.engine.look import Look
from recollect.engine.match import verify
from recollect.minds import thinking
from recollect.table.app import application
from recollect.table.own.persons import Persons
from recollect.table.render.page import mini
from recollect.table.render.prose import game_texts
from recollect.table.store import Chair, Row, Statement, Store, Unkept

from .test_own import ORIGIN, cookie, lay

PEOPLE = [Chair("here", "Mila", "mila"), Chair("link", "Théo", "theo")]


@pytest.fixture(scope="module")
def client(place: Path | str) -> Iterator[TestClient]:
    store = Store(place)
    for game in ("vivid", "memoarrr", "ptibapt"):
        lay(store, f"{game}-over", game, PEOPLE)
        lay(store, f"{game}-runs", game, PEOPLE, moves=8)
    lay(store, "alone", "ptibapt", PEOPLE[:1])
    lay(store, "goldfish-over", "memoarrr", [PEOPLE[0], Chair("bot", "Goldfish", mind="goldfish")])
    key = cookie(store)
    store.close()
    thinking.warm(load("vivid"))  # compiled here and now, whatever was asked of companions before
    with TestClient(application(place, pace=1000), base_url="http://testserver", cookies={"recollect": key}) as client:
        yield client


def turnings(client: TestClient, id: str) -> dict:
    for _ in range(600):
        answer = client.get(f"/t/{id}/turning")
        if answer.status_code != 202:
            return answer.json()
        time.sleep(0.1)
    raise AssertionError("still looking")


def test_the_replay_has_turning_points_of_a_game_of_planning_alone(client: TestClient) -> None:
    assert ['id="turning"' in client.get(f"/t/{game}-over/replay/0").text for game in ("vivid", "memoarrr")] == [True, False]
    found = turnings(client, "vivid-over")
    assert found["turnings"] and client.get("/t/memoarrr-over/turning").status_code == 404
    first = found["turnings"][0]
    assert first["left"] >= 2 and first["played"] != first["better"] and str(first["left"]) in first["says"]
    assert any(re.search(r"Place in row\s\d, hex\s\d", line) for line in first["better"])  # as the board and the log name it
    board = client.get(f"/t/vivid-over/better/{first['step']}")
    assert board.status_code == 200 and "data-act" not in board.text
    assert board.text != client.get(f"/t/vivid-over/replay/{first['step'] + 1}?seat={first['seat']}&live").text
    both = client.get(f"/t/vivid-over/better/{first['step']}?small").text
    small = both.split("</figure>")[:2]
    assert both.count("<svg") == 2 and small[0] != small[1] and " id=" not in both and "data-" not in both
    nothing = next(n for n in range(99) if n not in [t["step"] for t in found["turnings"]])
    assert client.get(f"/t/vivid-over/better/{nothing}").status_code == 404


@pytest.mark.parametrize("game", ["vivid", "memoarrr", "ptibapt"])
@pytest.mark.parametrize("where", ["turning", "better/0", "onward/0"])
def test_nothing_can_be_had_before_the_end(client: TestClient, game: str, where: str) -> None:
    answer = client.get(f"/t/{game}-runs/{where}")
    assert answer.status_code == 403 and "still running" in answer.text


@pytest.mark.parametrize("game", ["vivid", "memoarrr", "ptibapt"])
def test_playing_on_begins_where_the_other_game_stood(client: TestClient, game: str) -> None:
    house = client.app.state.house  # type: ignore[attr-defined]
    origin = client.portal.call(house.rooms.get, f"{game}-over")  # type: ignore[union-attr]
    step = len(origin.states) // 2
    place = sorted(origin.states)[step]
    page = client.get(f"/t/{game}-over/onward/{step}").text
    assert page.count('name="mind"') == 4 and "that nobody had seen by then are drawn anew" in page
    answer = client.post(f"/t/{game}-over/onward/{step}", data={"seat": "1", "mind": "parrot"}, headers=ORIGIN)
    id = str(answer.url).rsplit("/", 1)[1]
    row = house.store.row(id)
    assert [c.kind for c in row.chairs] == ["bot", "here"] and row.chairs[1].person == "mila" and row.seed != origin.row.seed
    room = client.portal.call(house.rooms.get, id)  # type: ignore[union-attr]
    assert room.match.log[:place] == origin.match.log[:place]
    assert all(chair.shown == place for chair in row.chairs), "what was shown there is not shown again"


def test_a_table_that_goes_on_is_kept_with_what_was_played_or_not_at_all(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    store = client.app.state.house.store  # type: ignore[attr-defined]
    before, write = store.waiting("mila"), store.write

    def full(statements: Sequence[Statement]) -> None:
        if any(sql.startswith("insert into onward") for sql, _ in statements):
            raise Unkept("the disk is full")
        write(statements)

    monkeypatch.setattr(store, "write", full)
    answer = client.post("/t/memoarrr-over/onward/5", data={"seat": "1", "mind": "parrot"}, headers=ORIGIN)
    assert answer.status_code == 503 and store.waiting("mila") == before, "nobody finds a game that begins at its beginning"


def test_of_two_who_ask_for_a_rematch_at_once_one_sets_the_table(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    house = client.app.state.house  # type: ignore[attr-defined]
    room, kept, create = client.portal.call(house.rooms.get, "ptibapt-over"), list[Row](), house.store.create  # type: ignore[union-attr]
    monkeypatch.setattr(house.store, "create", lambda row, *given: (kept.append(row), create(row, *given)))

    async def both() -> list[str]:
        return await asyncio.gather(*(house.again(room, str(chair.person)) for chair in PEOPLE))

    assert client.portal.call(both) == [kept[0].id] * 2 and len(kept) == 1  # type: ignore[union-attr]
    assert house.store.row(kept[0].id).ready


def test_where_the_table_of_a_rematch_was_taken_away_there_can_be_another(client: TestClient) -> None:
    house = client.app.state.house  # type: ignore[attr-defined]
    call, room = client.portal.call, client.portal.call(house.rooms.get, "vivid-over")  # type: ignore[union-attr]
    first = call(house.again, room, "mila")
    assert call(house.rooms.clear, first, "mila")
    again = call(house.again, room, "theo")
    assert house.store.row(again).host == "theo" and again == room.row.rematch == house.store.row("vivid-over").rematch


def test_what_was_played_on_is_sealed_anew_and_counts_nowhere(client: TestClient) -> None:
    house = client.app.state.house  # type: ignore[attr-defined]
    origin = client.portal.call(house.rooms.get, "memoarrr-over")  # type: ignore[union-attr]
    before = len(Persons(house.store).games("mila"))
    chairs = [Chair("here", "Mila", "mila"), Chair("here", "Ana", "mila")]
    id = client.portal.call(house.play_on, origin, sorted(origin.states)[5], "mila", chairs)  # type: ignore[union-attr]
    room = client.portal.call(house.rooms.get, id)  # type: ignore[union-attr]

    async def on() -> None:
        while not room.match.over:
            await room.settled()
            seat = min(room.match.acting)
            room.play(seat, room.match.legal(seat)[-1])
        await room.settled()

    client.portal.call(on)  # type: ignore[union-attr]
    file = client.get(f"/t/{id}/match.json").json()
    assert file["given"] == sorted(origin.states)[5] and verify(file) > 0
    with pytest.raises(ValueError, match="the sealed seed draws"):
        verify({**file, "given": 0})
    assert "from which this one goes on" in client.get(f"/t/{id}/verify").text
    assert len(Persons(house.store).games("mila")) == before
    assert house.own.ratings.bring_up() >= 0 and not house.store.read("select 1 from rated where id = ?", id)
    assert all(kept != id for kept, *_ in house.store.results("mila", "memoarrr"))


def test_a_walk_against_time_and_the_end_are_no_moments_to_go_on_from(client: TestClient) -> None:
    assert client.get("/t/alone/onward/3").status_code == 404 and 'id="tl-onward"' not in client.get("/t/alone/replay/3").text
    last = int(re.search(r'data-last="(\d+)"', client.get("/t/vivid-over/replay/0").text)[1])  # type: ignore[index]
    assert client.get(f"/t/vivid-over/onward/{last}").status_code == 404
    assert client.post("/t/vivid-over/onward/3", data={"seat": "7", "mind": "parrot"}, headers=ORIGIN).status_code == 400
    assert client.post("/t/vivid-over/onward/3", data={"seat": "0", "mind": "wolf"}, headers=ORIGIN).status_code == 400


@pytest.mark.parametrize("name", ["vivid", "dejavu"])
def test_a_move_is_drawn_small_with_what_it_changed(name: str) -> None:
    game, rng = load(name), random.Random(name)
    match, names, t = game.match(seed="small"), ["Mila", "Théo"], game_texts(game, "en")
    changed = 0
    for _ in range(60):
        seat = min(match.acting)
        before = Look.of(match.moment, seat, names, t)
        match.play(seat, rng.choice(match.legal(seat)))
        drawn = mini(Look.of(match.moment, seat, names, t), before)
        assert drawn.count("<svg") >= 1 and " id=" not in drawn and "data-" not in drawn
        changed += "shine" in drawn
    assert 0 < changed < 60


def test_the_companion_that_sat_there_is_proposed(client: TestClient) -> None:
    chosen = [
        re.findall(r'name="mind" value="(\w+)" checked', client.get(f"/t/{id}/onward/5").text) for id in ("goldfish-over", "memoarrr-over")
    ]
    assert chosen == [["goldfish"], ["parrot"]]
