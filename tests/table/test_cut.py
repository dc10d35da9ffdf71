"""A machine is cut off: no connection ends, nothing answers, nobody says so. That is another thing than a process that dies."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from house import Server
from people import TestClient, Wire, links, open_table, take, visitor
from postgres import Cable
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from recollect.engine.match import Match
from recollect.engine.shelf import load
from recollect.table.app import application
from recollect.table.live.pace import Watch
from recollect.table.store import Store, Unkept

SIDE, PUT_BACK, REVEAL = load("memoarrr").actions.starts("side", "put_back", "reveal")
FOR_EVER = 60.0  # seconds, as far as a test is concerned


def address(cable: Cable) -> str:
    return f"postgresql://recollect@/postgres?host={cable.folder}"


def ends(ask: Callable[[], Any]) -> Exception | None:
    """It comes to an end, and with what."""
    came: list[Exception | None] = []

    def asked() -> None:
        try:
            ask()
            came.append(None)
        except Unkept as error:
            came.append(error)

    thread = threading.Thread(target=asked, daemon=True)
    thread.start()
    thread.join(FOR_EVER)
    assert came, "it waits for ever"
    return came[0]


def test_who_asks_a_database_that_was_cut_off_is_told_so(cable: Cable):
    store = Store(address(cable))
    writer, db = store.another(), store.db
    change = [("insert into house values (?, ?)", ("cut", "once"))]
    db.beat()
    store.secret()  # some connections are there
    cable.cut()
    beating = threading.Thread(target=lambda: ends(db.beat), daemon=True)
    beating.start()
    assert ends(lambda: store.row("t")) and ends(lambda: writer.write(change)), "both say that there is no answer"
    beating.join()
    came = cable.came
    assert ends(lambda: store.row("t")) and ends(lambda: writer.write(change)), "without trying: they would wait in vain"
    assert cable.came == came
    cable.mend()
    assert ends(db.beat) is None and ends(lambda: store.row("t")) is None
    ends(lambda: writer.write(change))
    assert [row["value"] for row in store.read("select value from house where key = 'cut'")] == ["once"]
    store.close()
    writer.close()


def test_a_table_goes_on_elsewhere_and_its_people_are_told_and_one_looks_after_it(cable: Cable, postgresql: str):
    houses = [application(where, pace=0.02) for where in (address(cable), postgresql)]
    cut_off, elsewhere = (TestClient(house, base_url="http://testserver", follow_redirects=True) for house in houses)
    with cut_off as one, elsewhere as two:
        id = open_table(one, first="first_seat", seat1="link")
        came = visitor(one)
        take(came, links(one, id)[0], "Théo")  # here, so that this house looks after the table
        two.cookies.update(came.cookies)
        with one.websocket_connect(f"/t/{id}/live") as a, two.websocket_connect(f"/t/{id}/live") as b:
            mila, theo = Wire(a), Wire(b)
            mila.page("island")
            mila.act(SIDE)
            mila.page("do-put-back")
            mila.act(PUT_BACK)
            rooms = [house.app.state.house.rooms for house in (one, two)]
            until(lambda: rooms[0].there(id).others.tended)
            cable.cut()
            assert "cannot reach its store" in mila.answer("why")["why"]
            until(lambda: rooms[1].there(id).others.tended)
            while not theo.acts:
                theo.hear()
            assert "why" not in theo.act(SIDE + 2), "he plays on"
            assert one.get("/ready").status_code == 503 and two.get("/ready").status_code == 200
            cable.mend()
            until(lambda: one.get("/ready").status_code == 200)
            until(lambda: (room := rooms[0].there(id)) is None or not room.others.tended)
        with one.websocket_connect(f"/t/{id}/live") as a:
            Wire(a).page("looked at the <b>south</b> side")
        assert [entry for entry in rooms[1].store.moves(id) if entry[0] in (0, 1)] == [(0, SIDE), (0, PUT_BACK), (1, SIDE + 2)]


def test_a_page_that_cannot_be_opened_now_may_be_opened_by_another_process(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    id = open_table(client)

    async def away(id: str) -> None:
        raise Unkept("the database does not answer")

    monkeypatch.setattr(client.app.state.house.rooms, "get", away)
    for path in (f"/t/{id}/live", f"/api/t/{id}/live"):
        with pytest.raises(WebSocketDenialResponse) as refused, client.websocket_connect(path):
            pass
        assert refused.value.status_code == 503


def test_it_is_told_so_once(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    async def away(id: str) -> None:
        raise Unkept("the database does not answer")

    async def come() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def hear(message: Any) -> None:
        heard.append(message["type"])

    id, heard = open_table(client), list[str]()
    monkeypatch.setattr(client.app.state.house.rooms, "get", away)
    scope = {
        "type": "websocket", "scheme": "ws", "path": f"/t/{id}/live", "root_path": "", "query_string": b"", "subprotocols": [],
        "headers": [(b"host", b"testserver")], "client": ("127.0.0.1", 5), "server": ("testserver", 80),
        "extensions": {"websocket.http.response": {}},
    }  # fmt: skip
    asyncio.run(client.app(scope, come, hear))  # a server would make a fault of the second
    assert heard == ["websocket.http.response.start", "websocket.http.response.body"]


def test_a_clock_runs_on_when_the_store_was_away_as_it_was_looked_at(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    id = open_table(client, seat1="here", turn="60")
    house, long_after = client.app.state.house, time.time() + 3600
    assert house.store.due(long_after) == [id]

    async def away(id: str) -> None:
        raise Unkept("the database does not answer")

    monkeypatch.setattr(house.rooms, "get", away)
    with pytest.raises(Unkept):
        asyncio.run(Watch(house.rooms, house.store, lambda: long_after).look())
    assert house.store.due(long_after) == [id]


def test_a_table_that_cannot_be_read_again_leaves_no_traceback(client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: Any):
    id = open_table(client, first="first_seat", seat1="link")
    take(visitor(client), links(client, id)[0], "Théo")
    with client.websocket_connect(f"/t/{id}/live") as socket:
        wire = Wire(socket)
        wire.page("data-act")
        wire.act(SIDE)
        wire.page("do-put-back")
        room = client.app.state.house.rooms.there(id)

        def away(*given: Any) -> None:
            room.match = Match(room.game, room.match.options, room.row.seed, auto_chance=False)  # as far as it came
            raise Unkept("the database does not answer")

        monkeypatch.setattr(room, "open", away)
        client.portal.call(room._as_stored)
        while True:
            try:
                wire.hear()
            except WebSocketDisconnect:
                break
    assert room.dropped and "Traceback" not in caplog.text


@pytest.mark.browser
def test_a_page_whose_connection_died_without_a_word_sends_the_click_by_another(chromium: Any, server: Server):
    cable = Cable(("127.0.0.1", server.port))
    page = chromium.new_context(locale="en-GB", base_url=f"http://127.0.0.1:{cable.port}").new_page()
    page.set_default_timeout(1000 * FOR_EVER)  # it is ten seconds before the page knows, on a machine that has nothing else to do
    page.goto("/new/ptibapt")
    for id in ("players-2", "starts-first", "seat1-parrot"):
        page.evaluate("id => document.getElementById(id).click()", id)
    page.click("#open-table")
    page.wait_for_selector("#table [data-act]")
    before = page.get_attribute("#live", "data-n")
    cable.cut(new=False)
    page.click("#table [data-act]")
    page.wait_for_function("n => document.getElementById('live').dataset.n !== n", arg=before)  # nobody else is to move
    page.wait_for_selector("#notice:empty", state="attached")
    page.context.close()
    cable.remove()


def until(true: Callable[[], Any]) -> None:
    """Soon, or the test fails."""
    late = threading.Event()
    timer = threading.Timer(FOR_EVER, late.set)
    timer.start()
    while not true():
        assert not late.wait(0.02), "it never comes to that"
    timer.cancel()
