"""Nobody can stop the house: whatever one visitor does, others are answered, and every limit is said in words."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import random
import re
import resource
import shutil
import socket as sockets
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import h11
import httpx
import pytest
from house import ROOT, Server
from people import TestClient, Wire, links, open_table, take, until, visitor
from starlette.websockets import WebSocketState
from websockets.sync.client import connect

from recollect.engine.match import verify
from recollect.engine.shelf import games, load
from recollect.table import limits
from recollect.table.app import application
from recollect.table.house import House
from recollect.table.live.room import Dropped, Room
from recollect.table.live.rooms import Rooms
from recollect.table.live.screen import Screen
from recollect.table.live.wire import Rematch, Say
from recollect.table.render.prose import ui_texts
from recollect.table.store import UNDO, VERSION, Chair, Row, Store, Unkept, sqlite
from recollect.table.store.sqlite import SQLite, SQLiteConnection
from recollect.table.web import back
from recollect.table.web import table as web_table
from recollect.table.web.connection import Door, Patient, Taking
from recollect.table.web.upload import sent
from recollect.table.web.visitor import place
from recollect.table.writer import Writer

ORIGIN = {"origin": "http://testserver"}


def set_table(store: Store, game: str, *chairs: Chair, id: str = "t", **options: object) -> Row:
    rules = load(game)
    row = Row.of(rules, id=id, options=rules.settle(options), seed="a seed", host="mila", chairs=list(chairs))
    store.create(row)
    return row


class Flood:
    """A socket with everything it will ever say already there: receiving never has to wait."""

    application_state = WebSocketState.CONNECTED

    def __init__(self, messages: list[str]) -> None:
        self.messages, self.said = messages, list[dict]()

    async def receive(self) -> dict:
        return {"type": "websocket.receive", "text": self.messages.pop()} if self.messages else {"type": "websocket.disconnect"}

    async def send_text(self, text: str) -> None:
        self.said.append(json.loads(text))


async def ticking(task: asyncio.Task) -> int:
    """How often somebody else had a turn until the task was done."""
    ticks = 0
    while not task.done():
        await asyncio.sleep(0)
        ticks += 1
    await task
    return ticks


# -- what one page sends


def test_after_each_message_of_one_page_others_have_their_turn(tmp_path: Path):
    async def story() -> None:
        store = Store(tmp_path)
        set_table(store, "dejavu", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"))
        room = await Rooms(store).get("t")
        flood = Flood([json.dumps({"do": "try", "action": 9})] * 60)
        serving = asyncio.create_task(Screen(room, flood, "mila", "en").serve())
        assert await ticking(serving) > 60, "the loop was held"

    asyncio.run(story())


def test_who_sends_too_much_is_told_so_and_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    clock = [0.0]

    async def sleep(seconds: float) -> None:
        clock[0] += seconds

    async def story() -> None:
        store = Store(tmp_path)
        set_table(store, "memoarrr", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"))
        room = await Rooms(store).get("t")
        for seconds, flood in (7, Flood([json.dumps({"do": "try", "action": 0})] * 300)), (0, Flood(["{}"] * int(limits.BURST))):
            clock[0] = 0.0
            screen = Screen(room, flood, "mila", "en")
            screen._allowance = limits.Allowance(limits.MESSAGES, limits.BURST, lambda: clock[0])
            monkeypatch.setattr("recollect.table.live.screen.asyncio.sleep", sleep)
            await screen.serve()
            assert sum("Slowly" in said.get("why", "") for said in flood.said) == bool(seconds), "said, and only once"
            assert clock[0] == pytest.approx(seconds), "the rest waits its turn: 210 more than at once, 30 a second"

    asyncio.run(story())


def test_an_answer_costs_no_replay_of_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        store = Store(tmp_path)
        set_table(store, "dejavu", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"))
        room = await Rooms(store).get("t")
        for seat in (0, 1):
            room.play(seat, room.match.legal(seat)[0])
        applied = count(room, monkeypatch)
        room.pages.forget()
        assert Screen(room, None, "mila", "en").frame()["html"]
        assert len(applied) <= 2, "asking whether a move may be taken back goes back to that move, not to the beginning"

    asyncio.run(story())


def count(room: Room, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    applied, apply = [], room.game.rules.apply

    def counted(s, seat, action):
        applied.append(action)
        return apply(s, seat, action)

    monkeypatch.setattr(room.game.rules, "apply", counted)
    return applied


# -- who is told


def test_a_crowd_is_told_after_the_players_and_some_at_a_time(tmp_path: Path):
    async def story() -> None:
        store = Store(tmp_path)
        set_table(store, "memoarrr", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"))
        room = await Rooms(store).get("t")
        players = [Screen(room, None, person, "en") for person in ("mila", "theo")]
        crowd = [Screen(room, None, f"stranger {k}", "en") for k in range(200)]
        room.screens.update(crowd, players)
        for screen in room.screens:
            screen.dirty.clear()
        room.tell()
        assert all(screen.dirty.is_set() for screen in players)
        told = [sum(screen.dirty.is_set() for screen in crowd)]
        while told[-1] < len(crowd):
            await asyncio.sleep(0)
            told.append(sum(screen.dirty.is_set() for screen in crowd))
        assert len(told) >= 10 and told[0] <= 20, "between some and the next, others have their turn"

    asyncio.run(story())


class Deaf:
    """A socket that takes nothing and says nothing."""

    application_state = WebSocketState.CONNECTED

    async def receive(self) -> dict:
        await asyncio.Event().wait()
        raise AssertionError

    async def send_text(self, text: str) -> None:
        await asyncio.Event().wait()


def test_a_page_that_takes_nothing_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.live.screen.BREATH", 0.05)
    monkeypatch.setattr("recollect.table.live.screen.DEAF", 0.1)

    async def story() -> None:
        store = Store(tmp_path)
        set_table(store, "memoarrr", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"))
        room = await Rooms(store).get("t")
        async with asyncio.timeout(20) as limit:
            await Screen(room, Deaf(), "mila", "en").serve()
        assert not room.screens and not limit.expired()

    asyncio.run(story())


def test_a_rematch_is_answered_beside_pages_that_take_nothing(tmp_path: Path):
    async def story() -> None:
        house = House(tmp_path, 0.001)
        set_table(house.store, "memoarrr", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"))
        room = await house.rooms.get("t")
        rng = random.Random(1)
        while not room.moment.over:
            seat = min(room.match.acting)
            room.play(seat, rng.choice(room.match.legal(seat)))
            await room.settled()
        for person in ("mila", "theo", "a stranger", "another"):
            room.arrive(Screen(room, Deaf(), person, "en", house=house))
        asking = Screen(room, Flood([]), "mila", "en", house=house)
        async with asyncio.timeout(20):
            assert await asking.deeds.do(Rematch(n=room.n, id=1)) == "" and room.row.rematch
        house.rooms.close()
        house.writer.close()

    asyncio.run(story())


@pytest.mark.parametrize("path", ["/name", "/api/new/memoarrr"])
def test_who_leaves_in_the_middle_of_a_question_leaves_no_traceback(client: TestClient, caplog: pytest.LogCaptureFixture, path: str):
    heard = iter([{"type": "http.request", "body": b"na", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> dict:
        return next(heard)

    async def send(message: dict) -> None:
        pass

    asked = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
    }
    headers = [(b"host", b"testserver"), (b"origin", b"http://testserver")]
    client.portal.call(client.app, {**asked, "http_version": "1.1", "headers": headers, "client": ("here", 1)}, receive, send)
    assert not caplog.records


def test_a_page_that_hears_nothing_else_is_sent_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.live.screen.BREATH", 0.05)

    class Quiet(Flood):
        async def receive(self) -> dict:
            while {"ping": 1} not in self.said:
                await asyncio.sleep(0.01)
            return {"type": "websocket.disconnect"}

    async def story() -> None:
        store = Store(tmp_path)
        set_table(store, "memoarrr", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"))
        room = await Rooms(store).get("t")
        async with asyncio.timeout(20) as limit:
            await Screen(room, Quiet([]), "mila", "en").serve()
        assert not limit.expired()

    asyncio.run(story())


def test_a_table_whose_game_is_gone_says_so(tmp_path: Path):
    with TestClient(application(tmp_path, pace=0.001), base_url="http://testserver", follow_redirects=True) as client:
        tables = [open_table(client, seat1="here"), open_table(client, seat1="bot:random")]
    with sqlite3.connect(tmp_path / "recollect.sqlite") as store:
        store.execute("update tables set game = 'gone'")
        store.execute('update tables set result = \'{"scores": [1, 2], "ranking": [2, 1]}\' where id = ?', (tables[1],))
    with TestClient(application(tmp_path, pace=0.001), base_url="http://testserver") as again:
        for id in tables:
            answer = again.get(f"/t/{id}")
            assert answer.status_code == 410 and "not here" in answer.text
        assert again.get("/").status_code == 200 and again.get("/health").json()["ok"]


def test_a_game_alone_is_for_a_person(client: TestClient):
    answer = client.post("/new/ptibapt", data={"players": "1", "seat0": "bot:random"}, headers=ORIGIN)
    assert answer.status_code == 400 and "for a person" in answer.text


def test_times_alone_are_compared_where_open_cards_stay_as_long():
    game = load("ptibapt")
    slow, quick = (game.scene.course(game.settle({"players": 1, "show": show})) for show in (5, 2))
    assert slow != quick and slow == game.scene.course(game.settle({"players": 1, "show": 5}))


# -- tables that are dear to open


def test_opening_a_table_costs_one_replay_however_often_moves_were_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = Store(tmp_path)
    row = set_table(store, "vivid", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"), players=2)
    room = Room(row, store)
    room.open()
    for _ in range(40):
        seat = min(room.match.acting)
        room.play(seat, room.match.legal(seat)[0])
        room.undo(seat)
    applied = count(room, monkeypatch)
    again = Room(store.row("t"), store)
    again.open()
    assert again.match.record.tobytes() == room.match.record.tobytes() and again.times == room.times
    assert len(applied) <= room.n, f"{len(applied)} actions for {room.n} entries"


def test_others_are_answered_while_a_long_table_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        store = Store(tmp_path)
        set_table(store, "memoarrr", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"))
        opened, read, turns = [], Room.open, threading.Event()

        def slowly(self: Room) -> None:
            opened.append(turns.wait(20))  # until others have had their turns, which they could not, were this on the loop
            read(self)

        monkeypatch.setattr(Room, "open", slowly)
        rooms = Rooms(store)
        both = asyncio.gather(rooms.get("t"), rooms.get("t"))
        for _ in range(20):
            await asyncio.sleep(0.001)
        turns.set()
        first, second = await both
        assert first is second and opened == [True]
        rooms.close()

    asyncio.run(story())


# -- many of everything


def test_one_person_sets_so_many_tables_and_no_more(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.house.TABLES", 3)
    for _ in range(3):
        open_table(client, seat1="link")
    answer = client.post("/new/memoarrr", data={"name0": "Mila", "seat1": "link"}, headers=ORIGIN)
    assert answer.status_code == 429 and "enough tables" in answer.text
    assert visitor(client).get("/").status_code == 200


def test_one_place_sets_so_many_tables_in_a_while(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "TABLES_FROM_ONE_PLACE", 3)
    statuses = [visitor(client).post("/new/memoarrr", data={"seat1": "link"}, headers=ORIGIN).status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]


def test_one_place_sends_so_many_match_files_in_a_while(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(limits, "FILES_FROM_ONE_PLACE", 2)
    statuses = [client.post("/replay", content=b"{}", headers=ORIGIN).status_code for _ in range(4)]
    assert statuses == [400, 400, 429, 429], "each may cost half a minute of a core"
    assert client.post("/new/memoarrr", data={"seat1": "link"}, headers=ORIGIN).status_code == 200, "tables are counted for themselves"


def test_nobody_fills_the_list_of_open_tables(client: TestClient):
    for _ in range(6):
        open_table(client, seat1="open")
    other = visitor(client)
    open_table(other, seat1="open", name0="Théo")
    page = visitor(client).get("/").text
    assert page.count("/join") == 4, "three of Mila's, one of Théo's"


def test_who_is_refused_owes_nothing():
    now = [0.0]
    allowance = limits.Allowance(0.5, 2, now=lambda: now[0])
    assert [allowance.may() for _ in range(1000)] == [True, True] + [False] * 998
    now[0] = 2.0
    assert allowance.may() and not allowance.may(), "however often it was asked for: others may share an address"


def test_pages_open_from_one_person_are_counted():
    visits = limits.Visits()
    assert all(visits.arrive("mila", "here") for _ in range(limits.PAGES)) and not visits.arrive("mila", "here")
    assert visits.arrive("theo", "here"), "others are let in"
    visits.leave("mila", "here")
    assert visits.arrive("mila", "here")


@pytest.mark.parametrize("question", ["open_tables", "unfinished", "waiting"])
def test_lists_have_their_index(tmp_path: Path, question: str):
    store, asked = Store(tmp_path), []
    store.db.connection.set_trace_callback(asked.append)
    getattr(store, question)(*{"open_tables": (), "unfinished": (50,), "waiting": ("mila",)}[question])
    store.db.connection.set_trace_callback(None)
    plan = " ".join(str(row[3]) for row in store.db.connection.execute(f"explain query plan {asked[0]}"))
    assert "USING" in plan and "INDEX tables_" in plan and "TEMP B-TREE" not in plan, plan


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_nothing_that_people_do_looks_through_all_that_is_kept(client: TestClient):
    """With 100,000 tables it costs the same: but for lists that are cut off, everything is found by an index."""
    house, theo, ana, asked = client.app.state.house, visitor(client), visitor(client), dict[str, str]()
    for db in (house.store.db.connection, house.store.db.changes._db, house.writer._connection._db):
        db.set_trace_callback(lambda sql: asked.setdefault(re.sub(r"'[^']*'", "?", sql), sql))
    id = open_table(client, seat1="link", turn="60", art="fox")
    take(theo, links(client, id)[0], "Théo")
    carried = re.search(r'/t/[^"]+/carry/[^"<]+', theo.get(f"/t/{id}/carry").text)[0]
    ana.post(carried, data={"": ""}, headers=ORIGIN)
    client.portal.call(house.rooms.there(id).company.give_up, 1, "lost")
    ana.post(f"/t/{id}/told", data={"": ""}, headers=ORIGIN)
    client.post(f"/t/{open_table(client, seat1='open')}/close", data={"": ""}, headers=ORIGIN)
    for page in ("/", "/me", "/me/everything.json", f"/t/{id}", "/about"):
        assert client.get(page).status_code == 200
    kept = {"handle": "mila", "passphrase": "one two three four five six", "bring": "yes", "sure": "yes"}
    for who, way in ((client, "keep"), (theo, "back"), (theo, "erase")):
        assert who.post(f"/me/{way}", data=kept, headers=ORIGIN).status_code == 200
    client.portal.call(house.watch.look)
    house.store.unfinished(50)
    said = [sql for sql in [*asked.values()] if re.match("select|insert|update|delete", sql)]  # the table goes on meanwhile
    plans = {sql: house.store.read(f"explain query plan {sql}") for sql in said}
    through = {sql: step["detail"] for sql, plan in plans.items() for step in plan if re.match(r"SCAN (?!\d+ CONSTANT)", step["detail"])}
    latest = {sql for sql, step in through.items() if " limit " in sql and step.startswith("SCAN tables USING INDEX tables_")}
    assert len(plans) > 50 and len(latest) == 2 and through.keys() == latest, through


def test_companions_among_themselves_play_only_while_somebody_looks(tmp_path: Path):
    async def story() -> None:
        store = Store(tmp_path)
        set_table(store, "memoarrr", Chair("bot", "One", mind="random"), Chair("bot", "Two", mind="random"))
        rooms = Rooms(store, pace=0.001)
        room = await rooms.get("t")
        await asyncio.sleep(0.1)
        assert not [seat for seat, _ in room.match.log if seat < 2], "nobody looks"
        room.arrive(Screen(room, None, "stranger", "en"))
        await until(lambda: len([seat for seat, _ in room.match.log if seat < 2]) >= 2)
        rooms.close()

    asyncio.run(story())


def test_what_is_shown_is_gone_for_who_only_watches_when_its_time_is_over(tmp_path: Path):
    async def story() -> None:
        store = Store(tmp_path)
        set_table(store, "ptibapt", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"), starts="first")
        room = await Rooms(store, pace=1).get("t")
        while not room.moment.paced:
            seat = min(room.match.acting)
            room.play(seat, room.match.legal(seat)[0])
        stranger = Screen(room, None, "stranger", "en")
        assert 'data-face="up"' in stranger.frame()["html"]
        room.times[-1] -= room.exposure.hold + 4  # the table waits for somebody who is away
        assert 'data-face="up"' not in Screen(room, None, "another", "en").frame()["html"] + stranger.frame()["html"]

    asyncio.run(story())


# -- the store


@pytest.fixture
def kept_before(tmp_path: Path) -> Store:
    """A store as the first version kept it, brought up to this one: tables in the middle of each game, two with moves taken back."""
    db = sqlite3.connect(tmp_path / "recollect.sqlite")
    db.executescript((ROOT / "tests/data/before/store.sql").read_text("utf-8"))
    db.close()
    return Store(tmp_path)


def test_a_store_of_the_first_version_is_brought_up_to_this_one(kept_before: Store):
    assert kept_before._read("pragma user_version")[0][0] == VERSION
    assert kept_before._read("select 1 from sqlite_master where name = 'tables_listed'")
    over = kept_before.row("ptibapt-over")
    assert over.chairs[1].name == "Théo" and over.result and verify(over.document) > 10


@pytest.mark.parametrize("game", games())
def test_a_table_of_the_first_version_goes_on_to_its_end(kept_before: Store, game: str):
    entries = kept_before.moves(f"{game}-runs")
    room = Room(kept_before.row(f"{game}-runs"), kept_before)
    room.open()
    assert len(room.match.log) == len(entries) - 2 * sum(action == UNDO for _, action in entries), (
        "what was taken back, and the word for it"
    )
    rng = random.Random(1)
    while not room.match.over:
        seat = min(room.match.acting)
        room.play(seat, rng.choice(room.match.legal(seat)))
    assert kept_before.row(f"{game}-runs").result


def test_a_store_of_a_newer_version_is_refused_in_one_line(tmp_path: Path):
    Store(tmp_path).db.connection.execute("pragma user_version = 99")
    with pytest.raises(ValueError, match=r"newer Recollect \(version 99") as said:
        Store(tmp_path)
    assert "\n" not in str(said.value) and "--data" in str(said.value)


def test_a_store_with_other_columns_is_refused(tmp_path: Path):
    Store(tmp_path).db.connection.execute("alter table seats add column more text")
    with pytest.raises(ValueError, match="seats has 9 columns"):
        Store(tmp_path)


def test_what_is_kept_is_for_its_owner_alone(tmp_path: Path):
    data = tmp_path / "data"
    set_table(Store(data), "memoarrr", Chair("here", "Mila", "mila"))
    for file in data.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


def test_what_an_earlier_version_left_for_others_to_read_is_for_its_owner_from_the_start(tmp_path: Path):
    first, second = Store(tmp_path), Store(tmp_path)  # the first one keeps what lies beside it
    files = list(tmp_path.iterdir())
    for file in files:
        file.chmod(0o644)
    third = Store(tmp_path)
    assert len(files) == 3 and {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    for store in (first, second, third):
        store.close()


def test_a_server_leaves_nothing_for_others_to_read(tmp_path: Path):
    server = Server(tmp_path / "data")
    try:
        assert stat.S_IMODE(server.data.stat().st_mode) == 0o700
        assert (server.data / "lock").exists()
        assert [file.name for file in server.data.iterdir() if stat.S_IMODE(file.stat().st_mode) != 0o600] == []
    finally:
        server.kill()


def test_nothing_is_answered_that_is_not_kept(tmp_path: Path):
    with TestClient(application(tmp_path / "data", pace=0.001), base_url="http://testserver", follow_redirects=True) as client:
        id = open_table(client, seat1="here", first="first_seat")
        assert client.get("/health").json()["ok"]
        shutil.rmtree(tmp_path / "data")
        client.portal.call(client.app.state.house.watch.ask)
        answer = client.get("/health")
        assert answer.status_code == 503 and answer.json()["trouble"] == "the store has vanished"
        asked = client.post("/new/memoarrr", data={"name0": "Mila"}, headers=ORIGIN)
        assert asked.status_code == 503 and "cannot be kept" in asked.text
        with client.websocket_connect(f"/t/{id}/live") as socket:
            socket.send_text(json.dumps({"do": "sit", "seat": 0, "n": 0, "id": 1}))
            socket.send_text(json.dumps({"do": "act", "action": load("memoarrr").actions.parse("side north"), "n": 0, "id": 2}))
            said = next(m for m in iter(lambda: json.loads(socket.receive_text()), None) if m.get("done") == 2)
            assert "was not stored" in said["why"]


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_a_locked_store_is_said_in_words(client: TestClient, tmp_path: Path):
    other = sqlite3.connect(tmp_path / "recollect.sqlite")
    other.execute("begin immediate")
    answer = client.post("/new/memoarrr", data={"name0": "Mila"}, headers=ORIGIN)
    assert answer.status_code == 503 and "cannot be kept" in answer.text
    other.execute("rollback")
    assert client.post("/new/memoarrr", data={"name0": "Mila"}, headers=ORIGIN).status_code == 200


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_a_table_that_could_not_be_taken_away_is_still_there(client: TestClient, tmp_path: Path):
    id = open_table(client, seat1="here", first="first_seat")
    other = sqlite3.connect(tmp_path / "recollect.sqlite")
    other.execute("begin immediate")
    assert client.post(f"/t/{id}/close", data={}, headers=ORIGIN).status_code == 503
    other.execute("rollback")
    with client.websocket_connect(f"/t/{id}/live") as socket:
        wire = Wire(socket)
        wire.page("data-n")
        wire.send(do="sit", seat=0, n=0, id=90)
        assert wire.answer("done") == {"done": 90} and wire.act(load("memoarrr").actions.parse("side north")) == {"done": 1}
    assert client.post(f"/t/{id}/close", data={}, headers=ORIGIN).status_code == 200
    assert client.app.state.house.store.row(id) is None and not client.app.state.house.store.moves(id)


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_a_damaged_store_is_said_and_not_answered_with_a_fault(client: TestClient, tmp_path: Path):
    open_table(client, seat1="open")
    db = client.app.state.house.store.db.connection
    db.execute("pragma wal_checkpoint(truncate)")
    file = tmp_path / "recollect.sqlite"
    file.write_bytes(file.read_bytes()[:4096].ljust(file.stat().st_size, b"\xff"))  # its first page is whole
    db.execute("pragma shrink_memory")  # it reads from the disk again
    answer = client.get("/")
    assert answer.status_code == 503 and "cannot be kept" in answer.text
    assert client.get("/health").status_code == 503


@pytest.mark.parametrize("path", ["/t/%00", "/t/a%00b/join", "/api/t/%00"])
def test_an_address_that_no_database_looks_for_is_no_table_and_the_store_is_well(client: TestClient, path: str):
    answer = client.get(path)
    assert answer.status_code == 404 and "no such table" in answer.text


@pytest.mark.parametrize(("field", "of", "long"), [("players", "9", 5000), ("players", "x", 60_000), ("seat1", "x", 60_000)])
def test_what_is_wrong_with_a_long_answer_is_said_shortly(client: TestClient, field: str, of: str, long: int):
    answer = client.post("/new/memoarrr", data={field: of * long}, headers=ORIGIN)
    assert answer.status_code == 400 and "is not one of" in answer.text and "int_max" not in answer.text
    assert of * 100 not in answer.text


def lock(client: TestClient, file: Path) -> Callable[[], object]:
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("begin immediate")
    return other.close


def vanish(client: TestClient, file: Path) -> Callable[[], object]:
    elsewhere = file.rename(file.with_suffix(".elsewhere"))
    return lambda: elsewhere.rename(file)


def swap(client: TestClient, file: Path) -> Callable[[], object]:
    """Somebody puts a backup in its place while the house is open: what is played on would be kept in a file that nobody reads again."""
    mend = vanish(client, file)
    shutil.copy(file.with_suffix(".elsewhere"), file)
    assert client.post("/new/memoarrr", data={"name0": "Mila"}, headers=ORIGIN).status_code == 503
    return mend


def cut(client: TestClient, file: Path) -> Callable[[], object]:
    """What was written last lies beside the store until it goes into it."""
    return vanish(client, file.with_name(f"{file.name}-wal"))


def damage(client: TestClient, file: Path) -> Callable[[], object]:
    client.app.state.house.store.db.connection.execute("pragma wal_checkpoint(truncate)")
    whole = file.read_bytes()
    file.write_bytes(whole[:4096].ljust(len(whole), b"\xff"))  # its first page is whole
    return lambda: file.write_bytes(whole)


def full(client: TestClient, file: Path) -> Callable[[], object]:
    """As where no byte is left: what lies beyond the end of a file cannot be written. The first change that is refused tells of it."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.with_name(f"{file.name}-wal").stat().st_size, limits[1]))
    assert client.post("/new/memoarrr", data={"name0": "Mila"}, headers=ORIGIN).status_code == 503
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture
def disk() -> Iterator[None]:
    """Whatever a test does to it, others can write."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.usefixtures("disk")
@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
@pytest.mark.parametrize("spoil", [lock, vanish, swap, cut, damage, full])
def test_a_store_in_trouble_is_said_everywhere_while_it_lasts(client: TestClient, tmp_path: Path, spoil: Callable):
    watch, id, theo = client.app.state.house.watch, open_table(client, seat1="here"), visitor(client)
    said = {language: ui_texts(language)("trouble.strip.text") for language in ("en", "fr")}
    with client.websocket_connect(f"/t/{id}/live") as socket:
        wire, pages = Wire(socket), ("/", f"/t/{id}", "/me")
        assert not any(said["en"] in client.get(page).text for page in pages)
        mend = spoil(client, tmp_path / "recollect.sqlite")
        client.portal.call(watch.ask)
        assert client.get("/health").status_code == client.get("/ready").status_code == 503
        assert wire.answer("why") == {"why": said["en"], "house": True}, "no matter of the game's rules"
        assert said["en"] in client.get(f"/t/{id}").text
        assert said["fr"] in theo.get(f"/t/{id}", headers={"accept-language": "fr"}).text
        assert all(said["en"] in answer.text or answer.status_code == 503 for answer in map(client.get, pages))
        mend()
        client.portal.call(watch.ask)
        assert wire.answer("why")["why"] == ui_texts("en")("trouble.over.text"), "and it was said once"
        assert client.get("/health").status_code == 200 and not any(said["en"] in client.get(page).text for page in pages)


@contextlib.contextmanager
def slow_commit(db: SQLite, by: SQLiteConnection | None = None) -> Iterator[None]:
    """A change of our own whose commit takes as long as this does."""
    begun, done = threading.Event(), threading.Event()

    def hold(sql: str) -> None:
        if sql == "commit":
            begun.set()
            done.wait(20)

    by = by or db.changes
    by._db.set_trace_callback(hold)
    thread = threading.Thread(target=lambda: by.write([("insert into house values ('slow', '')", ())]))
    thread.start()
    assert begun.wait(20)
    yield
    done.set()
    thread.join()


def test_a_store_that_is_busy_with_our_own_moves_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = Store(tmp_path)
    with slow_commit(store.db):
        assert store.trouble() == "", "the disk is slow, and all is kept"
        monkeypatch.setattr(sqlite, "TOO_LONG", 0.1)
        assert "locked" in store.trouble(), "so slow that nobody would wait"
    assert store.trouble() == "" and store.read("select key from house where key = 'slow'")


def test_who_opens_a_table_waits_for_our_own_slow_commit_and_is_not_refused(tmp_path: Path):
    game, store = load("memoarrr"), Store(tmp_path)
    chairs = [Chair("here", person, person) for person in ("mila", "theo")]
    store.create(Row.of(game, id="t", options=game.settle({"players": 2}), seed="s", host="mila", chairs=chairs))

    async def story() -> None:
        rooms, loop = Rooms(store), asyncio.get_running_loop()
        held, taken = loop.create_future(), []
        with slow_commit(store.db, store.another()):
            coming = asyncio.create_task(rooms.get("t"))
            loop.call_later(2 * sqlite.PATIENCE, held.set_result, None)
            await held
            taken.append(coming.done())
        room = await coming
        assert taken == [False] and room and room.opened
        rooms.close()

    asyncio.run(story())


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_who_sets_a_table_sits_down_or_takes_one_away_waits_for_our_own_slow_commit_and_holds_up_nobody(client: TestClient):
    db, id, gone = client.app.state.house.store.db, open_table(client, seat1="link"), open_table(client, seat1="open")
    theo, answers = visitor(client), list[httpx.Response]()
    [link] = links(client, id)
    asks = [lambda: client.post("/new/vivid", data={}, headers=ORIGIN), lambda: take(theo, link, "Théo")]
    asks += [lambda: client.post(f"/t/{gone}/close", data={}, headers=ORIGIN)]
    with slow_commit(db, db.another()):
        asking = [threading.Thread(target=lambda ask=ask: answers.append(ask())) for ask in asks]
        for thread in asking:
            thread.start()
        time.sleep(2 * sqlite.PATIENCE)
        begun = time.monotonic()
        assert visitor(client).get("/about").status_code == 200 and time.monotonic() - begun < sqlite.PATIENCE
        assert not answers
    for thread in asking:
        thread.join()
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert client.app.state.house.store.row(id).ready and client.app.state.house.store.row(gone) is None


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_who_reads_does_not_wait_until_a_table_is_on_a_slow_disk(client: TestClient):
    id = open_table(client, seat1="link")
    with slow_commit(client.app.state.house.store.db):
        begun = time.monotonic()
        assert "Mila" in visitor(client).get(f"/t/{id}").text and visitor(client).get("/").status_code == 200
        assert time.monotonic() - begun < 5


def at_once(db: SQLite, *asks: Callable[[], httpx.Response]) -> list[httpx.Response]:
    """What is answered when all of them ask before anything of it is kept."""
    answers = list[httpx.Response]()
    asking = [threading.Thread(target=lambda ask=ask: answers.append(ask())) for ask in asks]
    with slow_commit(db, db.another()):
        for thread in asking:
            thread.start()
        time.sleep(1)
    for thread in asking:
        thread.join()
    return answers


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_who_sets_many_tables_at_once_sets_no_more_of_them(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.house.TABLES", 3)
    open_table(client, seat1="link")
    asks = [lambda: client.post("/new/memoarrr", data={"seat1": "link"}, headers=ORIGIN)] * 4
    answers = at_once(client.app.state.house.store.db, *asks)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 429, 429]


@pytest.mark.parametrize("way", ["", "/api"])
@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_of_two_who_sit_down_at_an_open_table_at_once_each_has_a_seat(client: TestClient, way: str):
    house, id = client.app.state.house, open_table(client, players="3", seat1="open", seat2="open")
    asks = [lambda: visitor(client).post(f"{way}/t/{id}/join", content=b"{}", headers=ORIGIN)] * 2
    assert [answer.status_code for answer in at_once(house.store.db, *asks)] == [200, 200]
    assert house.store.row(id).ready, "and neither was told that all seats are taken"


def test_a_move_is_not_refused_because_another_change_of_ours_takes_long(tmp_path: Path):
    async def story() -> None:
        store = Store(tmp_path)
        writer = Writer(store)
        with slow_commit(store.db, store.another()):
            kept = writer.put([("insert into house values ('move', '')", ())])
            done, _ = await asyncio.wait([kept], timeout=2 * sqlite.PATIENCE)
            assert not done
        await kept
        writer.close()

    asyncio.run(story())


def test_a_change_that_waits_for_the_lock_of_somebody_else_hides_it_from_nobody(tmp_path: Path):
    store, other = Store(tmp_path), sqlite3.connect(tmp_path / "recollect.sqlite", isolation_level=None)
    other.execute("begin immediate")
    refused = list[Unkept]()

    def clicks() -> None:
        while len(refused) < 3:
            try:
                store.write([("insert into house values ('click', '')", ())])
            except Unkept as error:
                refused.append(error)

    thread = threading.Thread(target=clicks)
    thread.start()
    assert "locked" in store.trouble()
    thread.join()
    other.close()
    assert store.trouble() == ""


@pytest.mark.usefixtures("disk")
def test_a_full_disk_is_not_well_because_something_small_still_fits(tmp_path: Path):
    store, wal = Store(tmp_path), tmp_path / "recollect.sqlite-wal"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + 3 * 4120, limits[1]))
    with pytest.raises(Unkept):
        store.write([("insert into house values ('much', ?)", ("x" * 100_000,))])
    assert "nothing" in store.trouble()
    store.write([("insert into house values ('little', '')", ())])
    assert "nothing" in store.trouble()
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert store.trouble() == "" and not store.read("select key from house where key in ('much', 'tried')")


@pytest.mark.parametrize("where", ["sqlite"], indirect=True)
def test_however_many_ask_how_the_store_is_it_is_asked_once_at_a_time(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    house, now, most = client.app.state.house, list[int](), list[int]()

    def trouble() -> str:
        now.append(1)
        most.append(len(now))
        time.sleep(0.3)  # as it takes while somebody else has the lock
        now.pop()
        return "locked"

    async def many() -> list[int]:
        house.rooms.pace, house.watch.look = 1.0, mock.AsyncMock()
        async with httpx.AsyncClient(transport=httpx.ASGITransport(client.app), base_url="http://testserver") as asks:
            answers = [*await asyncio.gather(*(asks.get(path) for path in ["/health", "/ready"] * 20)), await asks.get("/health")]
        return [answer.status_code for answer in answers]

    monkeypatch.setattr(house.store, "trouble", trouble)
    assert client.portal.call(many) == [503] * 41
    assert max(most) == 1 and len(most) <= 3, "a second later it may be another answer"


# -- at the door


def test_only_who_asks_for_the_house_by_its_name_is_answered(tmp_path: Path):
    with TestClient(application(tmp_path, names=["localhost", "::1"]), base_url="http://localhost:8000") as client:
        assert client.get("/").status_code == 200
        assert client.get("/", headers={"host": "[::1]:8000"}).status_code == 200
        assert client.get("/", headers={"host": "[::1"}).status_code == 421, "half a name is none"
        answer = client.get("/", headers={"host": "evil.example"})
        assert answer.status_code == 421 and "evil.example" in answer.text and "--name" in answer.text
        assert "viewport" in answer.text, "it can be read on a phone"
        assert "<b>&lt;i&gt;.</b>" in client.get("/", headers={"host": "<i>"}).text, "and the sentence ends on the name's line"


def test_without_a_word_about_names_a_server_answers_to_those_of_this_machine(server: Server):
    for name in ("localhost", "127.0.0.1", f"[::1]:{server.port}", sockets.gethostname()):
        assert httpx.get(f"{server.url}/health", headers={"host": name}).status_code == 200
    for path in ("/", "/health", "/api/games", "/static/table.js"):
        assert httpx.get(server.url + path, headers={"host": "evil.example"}).status_code == 421
    evil = {"Host": f"evil.example:{server.port}", "Origin": f"http://evil.example:{server.port}"}
    with sockets.create_connection(("127.0.0.1", server.port)) as line:
        asked = "".join(f"{name}: {what}\r\n" for name, what in {**evil, **WEBSOCKET}.items())
        line.sendall(f"GET /live HTTP/1.1\r\n{asked}\r\n".encode())
        assert b" 403 " in line.recv(100), "nor is a page of elsewhere let in that has our address for its own"


def test_further_names_are_given_by_an_option(tmp_path: Path):
    with sockets.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    words = ["serve", "--port", str(port), "--data", str(tmp_path / "data"), "--name", "house.example", "--name", "other.example"]
    env = {"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen([sys.executable, "-m", "recollect.cli", *words], env=env, stdout=subprocess.PIPE, text=True) as house:
        try:
            assert house.stdout and "open" in house.stdout.readline()
            for name, status in (("house.example", 200), ("other.example:80", 200), ("localhost", 200), ("evil.example", 421)):
                assert httpx.get(f"http://127.0.0.1:{port}/health", headers={"host": name}, timeout=30).status_code == status, name
        finally:
            house.kill()


WEBSOCKET = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": f"{'A' * 22}=="}


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path):
    with sockets.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        run = subprocess.run(
            [sys.executable, "-m", "recollect.cli", "serve", "--port", port, "--data", str(tmp_path)],
            capture_output=True,
            text=True,
            env={"PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin"},
        )
    said = (run.stdout + run.stderr).strip()
    assert run.returncode != 0 and f"port {port}" in said and "--port" in said and "Traceback" not in said, said


def test_idle_and_half_sent_connections_are_closed_and_others_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RECOLLECT_FIRST_WORD", "0.5")
    server = Server(tmp_path)
    try:
        idle = [sockets.create_connection(("127.0.0.1", server.port)) for _ in range(50)]
        for half in idle[25:]:
            half.sendall(b"POST /name HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nab")
        busy = http.client.HTTPConnection("127.0.0.1", server.port)
        for _ in range(30):  # on one line, for longer than an idle one may last
            busy.request("GET", "/health")
            assert json.load(busy.getresponse())["ok"]
            time.sleep(0.04)
        busy.close()
        for one in idle:
            one.settimeout(20)
            with contextlib.suppress(ConnectionResetError):  # as it ends where the rest came when nobody listened any more
                while one.recv(4096):
                    pass  # whatever is said, the connection ends
            one.close()
    finally:
        server.kill()


def test_the_socket_of_an_open_page_is_not_taken_for_an_idle_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("RECOLLECT_FIRST_WORD", "0.6")
    server = Server(tmp_path)
    try:
        with httpx.Client(base_url=server.url, follow_redirects=True) as mila:
            id = open_table(mila, seat1="here", name1="Ana")
            cookie = "; ".join(f"{name}={value}" for name, value in mila.cookies.items())
        with connect(
            f"{server.url.replace('http', 'ws')}/t/{id}/live", additional_headers={"Cookie": cookie, "Origin": server.url}
        ) as page:
            assert "html" in json.loads(page.recv(10)) and "company" in json.loads(page.recv(10))
            with pytest.raises(TimeoutError):  # nothing more is said, and nobody hangs up
                page.recv(1.5)
    finally:
        server.kill()


def open_files(server: Server) -> int:
    assert server.process
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


QUESTION = b"GET /static/fraunces-latin-wght-normal.woff2 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LIVE = b"GET /t/%s/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
PING = b"\x89\xfd\0\0\0\0" + b"x" * 125


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="this system does not tell what a process has open")
@pytest.mark.parametrize("page", [False, True])
def test_who_takes_nothing_of_what_they_ask_for_is_gone_for_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: bool):
    monkeypatch.setenv("RECOLLECT_FIRST_WORD", "0.3")
    server, given = Server(tmp_path), contextlib.ExitStack()
    try:
        with httpx.Client(base_url=server.url, follow_redirects=True) as mila:
            id = open_table(mila, seat1="here", name1="Ana")
        door = LIVE % id.encode() + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        said, more = (door, PING * 100) if page else (b"", QUESTION * 10)
        time.sleep(1)
        before, deaf, most = open_files(server), [given.enter_context(sockets.socket()) for _ in range(5)], 0
        for one in deaf:
            one.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 2048)
            one.connect(("127.0.0.1", server.port))
            one.sendall(said)
            one.setblocking(False)
        until = time.monotonic() + 60
        while time.monotonic() < until and not (most >= before + 5 and open_files(server) <= before):
            for one in deaf:
                with contextlib.suppress(OSError):
                    one.send(more)
            most = max(most, open_files(server))
            time.sleep(0.02)
        assert most >= before + 5 and open_files(server) <= before, "nothing is kept for them"
    finally:
        given.close()
        server.kill()


def test_who_takes_slowly_what_they_asked_for_is_waited_for():
    loop, left = mock.Mock(), iter([900, 500, 200, 200])
    one = Taking()
    one.loop, one.transport = loop, mock.Mock(get_write_buffer_size=lambda: next(left))
    one._wait_for(one.transport.get_write_buffer_size())
    for gone in (False, False, True):
        _, again, before = loop.call_later.call_args.args
        again(before)
        assert one.transport.abort.called == gone


def test_who_talks_nonsense_after_the_answer_is_told_no_more():
    ended = h11.Connection(h11.SERVER)
    ended.receive_data(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    ended.next_event()
    ended.send(h11.Response(status_code=303, headers=[("content-length", "0")]))
    ended.send(h11.EndOfMessage())
    one = mock.Mock(conn=ended)
    one.__class__ = Patient
    Patient.send_400_response(one, "Invalid HTTP request received.")  # it was a fault of ours, with a page of our log for each
    assert one.transport.close.called and not one.transport.write.called


def test_who_asks_for_a_hundred_pages_at_once_has_them_one_by_one(tmp_path: Path):
    async def story() -> None:
        app, done, at_once = application(tmp_path), list[str](), list[int]()

        async def nothing() -> dict:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def heard(message: dict) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body"):
                done.append("answered")

        async def ask(who: str) -> None:
            asked = {"type": "http", "method": "GET", "path": "/credits", "raw_path": b"/credits", "query_string": b"", "root_path": ""}
            known = {"headers": [(b"host", b"testserver")], "scheme": "http", "http_version": "1.1", "server": ("testserver", 80)}
            await app({**asked, **known, "client": (who, 1)}, nothing, heard)
            done.append(who)

        await ask("10.0.0.1")
        done.clear()
        tasks = [asyncio.create_task(ask("10.0.0.1")) for _ in range(100)] + [asyncio.create_task(ask("10.0.0.2"))]
        while not all(task.done() for task in tasks):
            before = done.count("answered")
            await asyncio.sleep(0)
            at_once.append(done.count("answered") - before)
        assert max(at_once) <= 2, "between two of them is a turn for others"
        assert "10.0.0.2" in done[:6], "and who asks from elsewhere does not wait for all of them"
        app.state.house.store.close()

    asyncio.run(story())


def test_a_network_of_the_sixth_version_is_one_place():
    assert place("2001:db8:1:2::17") == place("2001:db8:1:2:ffff::1") != place("2001:db8:1:3::17")
    assert place("::ffff:192.0.2.7") == place("192.0.2.7") == "192.0.2.7" != place("192.0.2.8")
    assert place("testclient") == "testclient"


def test_who_comes_takes_the_place_of_a_connection_that_asks_for_nothing(tmp_path: Path):
    server = Server(tmp_path, connections=20)
    try:
        with httpx.Client(base_url=server.url, follow_redirects=True) as mila, contextlib.ExitStack() as idle:
            id = open_table(mila, seat1="here", name1="Ana")
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in mila.cookies.items()), "Origin": server.url}
            with connect(f"{server.url.replace('http', 'ws')}/t/{id}/live", additional_headers=headers) as page:
                for n in range(60):
                    one = idle.enter_context(sockets.create_connection(("127.0.0.1", server.port)))
                    if n % 2:
                        one.sendall(b"POST /name HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nab")
                assert httpx.get(f"{server.url}/health", timeout=30).status_code == 200
                page.send(json.dumps({"do": "sit", "seat": 0, "n": 0, "id": 1}))
                assert any(json.loads(page.recv(30)).get("done") == 1 for _ in range(5)), "an open page stays open"
    finally:
        server.kill()


def test_that_there_was_no_room_is_said_once_a_minute(caplog: pytest.LogCaptureFixture):
    door, connections = Door(), {mock.Mock(name=str(n)) for n in range(3)}
    for one in connections:
        one.connections = connections
        door.idle[one] = None
    oldest = next(iter(door.idle))
    door.make_room(1)
    assert len(connections) == 3 and not caplog.records, "there is room"
    door.make_room(0)
    door.make_room(0)
    assert oldest not in connections and len(connections) == 1 == len(door.idle) == len(caplog.records)


# -- strange addresses and files


@pytest.mark.parametrize("path", ["/t/x/press/{}", "/t/x/replay/{}", "/t/x/better/{}", "/t/x/onward/{}", "/learn/memoarrr/first/{}"])
@pytest.mark.parametrize("number", ["9" * 5000, "1" * 10, "-1", "٣"])
def test_a_number_that_nobody_could_mean_is_no_address(client: TestClient, path: str, number: str):
    assert client.get(path.format(number)).status_code == 404


def test_a_file_name_longer_than_a_disk_takes_is_no_file(client: TestClient):
    assert client.get(f"/games/memoarrr/{chr(0x20000) * 80}.css").status_code == 404


NESTED = b"--b0\r\n" + b"".join(f"Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n".encode() for n in range(1, 5000))
HEAD = b"--b0\r\nContent-Disposition: "


@pytest.mark.parametrize(
    "body",
    [
        NESTED,
        HEAD + b'\r\n \\"\r\n %); name="file"; filename*=utf-8\'\'x; filename*0=a\r\n\r\nabc\r\n--b0--\r\n',
        HEAD + b"(; filename*1*=%41form-data; filename*=utf-8''x;\r\nContent-Type: %\r\n\r\nabc\r\n--b0--\r\n",
        HEAD + b'form-data; filename="x"',
        b"\r\n--b0" * 100_000,
    ],
)
def test_a_form_that_no_browser_sends_is_no_match_file(client: TestClient, body: bytes):
    kind = {"content-type": "multipart/form-data; boundary=b0"}
    assert client.post("/replay", content=body, headers={**ORIGIN, **kind}).status_code == 400


def test_a_part_of_a_form_is_not_opened_further():
    file = b"Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nabc\r\n--c--"
    line = b"--b\r\nContent-Disposition: form-data; name="
    body = line + b'"a"\r\n\r\n1\r\n' + line + b'"file"; filename="m"\r\n\r\n'
    for boundary in ("b", '"b"', "b; charset=utf-8"):
        assert sent(f"multipart/form-data; boundary={boundary}", body + file + b"\r\n--b--\r\n") == file
    assert sent("multipart/form-data", body) == b"" and sent("application/json", body) == body


@pytest.mark.parametrize("page", ["report", "verify", "replay/3"])
def test_finished_games_are_gone_through_one_at_a_time_and_off_the_loop(client: TestClient, monkeypatch: pytest.MonkeyPatch, page: str):
    """However many ask for it, others have the rest of the machine."""
    house = client.app.state.house  # type: ignore[attr-defined]
    row = set_table(house.store, "memoarrr", Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo"), id="done")
    room, rng = Room(row, house.store), random.Random(3)
    room.open()
    while not room.moment.over:
        seat = min(room.moment.players)
        room.play(seat, rng.choice(room.moment.legal(seat)))
    at_once, most = list[int](), list[int]()

    def counted(work: Callable[..., object]) -> Callable[..., object]:
        def done(*given: object) -> object:
            assert threading.current_thread() is not loop, "the loop was held"
            at_once.append(1)
            most.append(len(at_once))
            time.sleep(0.02)
            at_once.pop()
            return work(*given)

        return done

    loop = client.portal.call(threading.current_thread)
    monkeypatch.setattr(back, "review", counted(back.review))
    monkeypatch.setattr(web_table, "verified", counted(web_table.verified))
    monkeypatch.setattr(back.Timeline, "of", counted(back.Timeline.of))
    askers = [threading.Thread(target=visitor(client).get, args=(f"/t/done/{page}",)) for _ in range(5)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert most and max(most) == 1


def test_nobody_plays_on_at_a_table_that_was_taken_away(tmp_path: Path):
    """Its companion stops, and a click that comes too late is stored nowhere."""

    async def story() -> None:
        store = Store(tmp_path)
        set_table(store, "ptibapt", Chair("here", "Mila", "mila"), Chair("bot", "Parrot", mind="parrot"), starts="second")
        rooms = Rooms(store, pace=0.001)
        room = await rooms.get("t")
        assert await rooms.clear("t", "mila") and not await rooms.clear("t", "mila")
        for _ in range(50):
            await asyncio.sleep(0.005)
        assert store.read("select count(*) as n from moves")[0]["n"] == 0
        with pytest.raises(Dropped):
            room.play(1, room.moment.legal(1)[0])
        with pytest.raises(Dropped):
            await Screen(room, None, "mila", "en").deeds.do(Say("hello"))
        assert not store.asides("t"), "nor is a word kept of what is no table"
        assert room.companions._task and room.companions._task.done()
        rooms.close()

    asyncio.run(story())
