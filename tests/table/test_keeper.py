"""For who keeps the house: health, readiness, numbers, the log, and a stop that loses no click."""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import logging
import shutil
import sys
import threading
from pathlib import Path
from unittest import mock

import httpx
import pytest
import uvicorn
from house import ROOT, Server
from people import TestClient, Wire, open_table
from postgres import Cluster
from starlette.testclient import WebSocketDenialResponse
from uvicorn.protocols.utils import ClientDisconnected

from recollect.engine.shelf import games, load
from recollect.table import HABITS
from recollect.table.live.room import Room
from recollect.table.live.rooms import Rooms
from recollect.table.logs import Lines
from recollect.table.store import Chair, Row, Store, Unkept
from recollect.table.web.socket import Packed
from recollect.table.writer import Writer

sys.path.append(str(Path(__file__).parents[2] / "bench"))

GAME = load("memoarrr")
[SIDE] = GAME.actions.starts("side")


def numbers(client: TestClient) -> dict[str, float]:
    """As Prometheus reads them."""
    text = client.get("/metrics").text
    lines = [line.split(" ") for line in text.splitlines() if not line.startswith("#")]
    assert all(f"# TYPE {name} " in text and f"# HELP {name} " in text for name, _ in lines)
    return {name: float(value) for name, value in lines}


def test_the_numbers_follow_what_happens(client: TestClient):
    before = numbers(client)
    id = open_table(client, first="first_seat")
    with client.websocket_connect(f"/t/{id}/live") as socket:
        wire = Wire(socket)
        wire.page("do-")
        wire.send(do="sit", seat=0, n=wire.n, id=1)
        wire.answer("done")
        wire.act(SIDE)
        during = numbers(client)
    assert (before["recollect_pages"], during["recollect_pages"]) == (0, 1)
    assert (before["recollect_tables"], during["recollect_tables"]) == (0, 1)
    assert during["recollect_changes_total"] > before["recollect_changes_total"] and during["recollect_commit_seconds_total"] > 0
    assert during["recollect_processes"] == 1 and during["process_resident_memory_bytes"] > 1e6


def test_the_numbers_are_read_by_prometheus_own_parser(client: TestClient):
    parser = pytest.importorskip("prometheus_client.parser", reason="prometheus-client is not installed")
    found = list(parser.text_string_to_metric_families(client.get("/metrics").text))
    assert "recollect_changes" in {family.name for family in found}


def test_a_socket_that_comes_while_the_store_is_gone_is_told_to_come_again(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    def gone(*_: object) -> None:
        raise Unkept("not there")

    client.get("/")
    monkeypatch.setattr(client.app.state.house.store, "row", gone)
    for path in ("/t/any/live", "/api/t/any/live"):
        with pytest.raises(WebSocketDenialResponse) as closed, client.websocket_connect(path, headers={"origin": str(client.base_url)}):
            pass
        assert closed.value.status_code == 503


def test_who_leaves_while_a_socket_is_opened_leaves_no_error():
    class Leaving(Packed):
        def __init__(self) -> None:
            self.transport, self.handshake_complete = mock.Mock(is_closing=lambda: True), False

    with pytest.raises(ClientDisconnected):  # as the web server itself says it, and passes over
        asyncio.run(Leaving().send({"type": "websocket.accept"}))


def test_what_the_web_server_says_is_a_line_of_our_log(monkeypatch: pytest.MonkeyPatch):
    kept = logging.StreamHandler(io.StringIO())
    kept.setFormatter(Lines())
    monkeypatch.setattr(logging.root, "handlers", [kept])
    for name in ("uvicorn", "uvicorn.error"):  # as in a process that has just begun
        monkeypatch.setattr(logging.getLogger(name), "handlers", [])
        monkeypatch.setattr(logging.getLogger(name), "propagate", True)
    uvicorn.Config("nothing:here", **HABITS)
    logging.getLogger("uvicorn.error").error("a fault of the web server")
    assert json.loads(kept.stream.getvalue())["says"] == "a fault of the web server"


def test_readiness_says_no_when_the_store_is_gone_and_when_the_house_closes(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    house = client.app.state.house
    while (answer := client.get("/ready")).status_code == 503:  # over PostgreSQL until the other processes are heard
        assert "hear" in answer.json()["trouble"]
    with monkeypatch.context() as patch:
        patch.setattr(house.store, "trouble", lambda: "the store has vanished")
        client.portal.call(house.watch.ask)
        assert client.get("/ready").status_code == client.get("/health").status_code == 503
    client.portal.call(house.watch.ask)
    house.resting = True
    assert client.get("/ready").json() == {"ready": False, "trouble": "it closes"} and client.get("/health").status_code == 200


@pytest.mark.parametrize("what", ["the store cannot be read", "the store can keep nothing"])
def test_where_the_store_is_stands_in_the_log_alone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, what: str
):
    watch = client.app.state.house.watch
    why = 'connection failed: connection to server at "10.0.0.1", port 5432 failed: no password for user "recollect"'
    monkeypatch.setattr(watch.store, "trouble", lambda: f"{what}: {why}")
    client.portal.call(watch.ask)
    for path in ("/health", "/ready"):
        answer = client.get(path)
        assert answer.status_code == 503 and answer.json()["trouble"] == what
    assert why in caplog.text


def test_the_store_is_asked_off_the_loop(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    house, asked = client.app.state.house, set[int]()
    monkeypatch.setattr(house.store, "trouble", lambda: asked.add(threading.get_ident()) or "")
    client.portal.call(house.watch.ask)
    assert asked and client.portal.call(threading.get_ident) not in asked


def test_pages_are_those_of_the_version_that_was_started(tmp_path: Path):
    """An upgrade puts newer files in their place while the process still serves; a game that nobody played there before comes to it."""
    copy = tmp_path / "src"
    shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
    server = Server(tmp_path / "data", src=copy)
    try:
        texts = [file for file in copy.rglob("texts.*.toml") if file.parent.name != "lessons"]
        for file in [*copy.rglob("*.jinja"), *copy.rglob("look.toml"), *texts]:
            file.write_text("{{ a newer version's }}")
        for game in games():
            table = {"players": "2", "seat0": "here", "name0": "Mila", "seat1": "bot:parrot"}
            made = httpx.post(f"{server.url}/new/{game}", data=table, headers={"origin": server.url}, timeout=20)
            assert made.status_code == 303, game
            page = httpx.get(server.url + made.headers["location"], cookies=made.cookies, timeout=20)
            assert page.status_code == 200 and "data-n=" in page.text, game
    finally:
        server.kill()


def test_a_line_of_the_log_is_one_object():
    try:
        raise Unkept("full\ndisk")
    except Unkept:
        record = logging.LogRecord("recollect.table", logging.ERROR, "f.py", 1, "table %s", ("t",), sys.exc_info())
    line = Lines().format(record)
    said = json.loads(line)
    assert "\n" not in line and said["says"] == "table t" and said["level"] == "error" and "Unkept: full\ndisk" in said["traceback"]


def test_what_was_begun_is_stored_before_the_house_rests_and_nothing_new_is_begun(where: Path | str):
    async def story() -> None:
        store = Store(where)
        writer = Writer(store)
        chairs = [Chair("here", person, person) for person in ("mila", "theo")]
        store.create(Row.of(GAME, id="t", options=GAME.settle({"players": 2, "first": "first_seat"}), seed="s", host="mila", chairs=chairs))
        rooms = Rooms(store, writer=writer)
        room = await rooms.get("t")
        assert isinstance(room, Room)
        room.play(0, SIDE)
        assert room.writing
        await rooms.rest()
        assert room.writing is None and store.moves("t")[0] == (0, SIDE) and room.resting
        rooms.close()
        writer.close()

    asyncio.run(story())


def test_processes_that_are_asked_to_stop_leave_no_click_without_its_answer(cluster: Cluster, postgresql: str):
    from town import options, story

    given = {"seconds": 0, "tables": 8, "kill": 2, "faults": 2, "moves": 15, "every": 0.3, "pace": 0.5, "gently": True}
    town, verdict = asyncio.run(story(cluster, argparse.Namespace(**{**vars(options().parse_args([])), **given})))
    assert len(town.faults) == 2 and verdict.answered >= 45
    assert verdict.lost == [] and verdict.unseen == [] and verdict.twice == []
