"""Several processes over one PostgreSQL: people at one table are at different ones, and a process or the database may die."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from people import TestClient, Wire, links, open_table, take, visitor
from postgres import Cluster

from recollect.engine.shelf import load
from recollect.table.app import application
from recollect.table.house import town_of
from recollect.table.live.room import Room
from recollect.table.live.rooms import Rooms
from recollect.table.render.prose import ui_texts
from recollect.table.store import Chair, Overtaken, Row, Statement, Store
from recollect.table.store.beside import DAY, Manners
from recollect.table.store.schema import PARTS
from recollect.table.writer import Writer

sys.path.append(str(Path(__file__).parents[2] / "bench"))

GAME = load("memoarrr")
SIDE, PUT_BACK, REVEAL = GAME.actions.starts("side", "put_back", "reveal")


@pytest.fixture
def houses(postgresql: str) -> Iterator[tuple[TestClient, TestClient]]:
    """Two applications, each with an event loop of its own, over one database."""
    made = [TestClient(application(postgresql, pace=0.02), base_url="http://testserver", follow_redirects=True) for _ in range(2)]
    with made[0] as one, made[1] as two:
        yield one, two


def seated(one: TestClient, two: TestClient, **form: str) -> str:
    """Mila sets a table at one process, Théo takes his seat at the other."""
    id = open_table(one, first="first_seat", seat1="link", **form)
    take(two, links(one, id)[0], "Théo")
    return id


def said(wire: Wire, text: str) -> None:
    """Listen until the panel of the table says this."""
    while text not in wire.answer("company")["company"]["panel"]:
        pass


def test_people_at_one_table_may_be_at_different_processes(houses: tuple[TestClient, TestClient]):
    one, two = houses
    id = seated(one, two)
    with one.websocket_connect(f"/t/{id}/live") as a, two.websocket_connect(f"/t/{id}/live") as b:
        mila, theo = Wire(a), Wire(b)
        mila.page("island")
        theo.page("island")
        assert "why" not in mila.act(SIDE)
        theo.page("looked at the <b>north</b> side")
        assert 'data-face="up"' not in theo.html and mila.page("do-put-back").count('data-face="up"') == 3
        assert "why" not in mila.act(PUT_BACK)
        while not theo.acts:
            theo.hear()
        assert "why" not in theo.act(SIDE + 2)
        mila.page("looked at the <b>south</b> side")
    stored = [entry for entry in two.app.state.house.store.moves(id) if entry[0] in (0, 1)]
    assert stored == [(0, SIDE), (0, PUT_BACK), (1, SIDE + 2)]


def test_who_is_at_another_process_is_not_away(houses: tuple[TestClient, TestClient]):
    one, two = houses
    id = seated(one, two)
    with two.websocket_connect(f"/t/{id}/live") as b:
        theo = Wire(b)
        theo.page("away")
        with one.websocket_connect(f"/t/{id}/live") as a:
            Wire(a).page("island")
            while "away" in theo.html:
                theo.hear()
        theo.page("away")


def test_who_watches_is_counted_once_for_all_processes(houses: tuple[TestClient, TestClient]):
    """Théo with two tabs is no spectator; who watches is one with two, and is gone when the last of them is."""
    one, two = houses
    id = seated(one, two)
    stranger = visitor(two)
    stranger.get("/")
    with one.websocket_connect(f"/t/{id}/live") as a, two.websocket_connect(f"/t/{id}/live"), two.websocket_connect(f"/t/{id}/live"):
        mila = Wire(a)
        with stranger.websocket_connect(f"/t/{id}/live") as c, stranger.websocket_connect(f"/t/{id}/live"):
            said(mila, "1 person is watching")
            stranger_page = Wire(c)
            said(stranger_page, "1 person is watching")
            there = one.app.state.house.rooms.there(id)
            one.portal.call(there.drop)  # who opens the table later knows it, too
            with one.websocket_connect(f"/t/{id}/live") as again:
                said(Wire(again), "1 person is watching")
        with one.websocket_connect(f"/t/{id}/live") as a:
            said(Wire(a), "Nobody is watching")


def test_companions_take_the_time_that_players_like_at_whichever_process_they_are(houses: tuple[TestClient, TestClient]):
    one, two = houses
    id = seated(one, two)
    with one.websocket_connect(f"/t/{id}/live") as a, two.websocket_connect(f"/t/{id}/live") as b:
        mila, theo = Wire(a), Wire(b)
        rooms = [house.app.state.house.rooms for house in houses]

        def leisure() -> list[float]:
            """Asked where the pages are, which come and go meanwhile."""
            there = zip(houses, rooms, strict=True)
            return [house.portal.call(lambda here=here: here.there(id).company.leisure()) for house, here in there]

        for liked, others, most in (("brisk", "brisk", 0.4), ("brisk", "unhurried", 2.0), ("usual", "brisk", 1.0)):
            mila.send(do="leisure", companions=liked)
            theo.send(do="leisure", companions=others)
            while leisure() != [most, most]:
                pass
        one.portal.call(rooms[0].there(id).drop)
        theo.send(do="leisure", companions="unhurried")
        assert one.get(f"/t/{id}").status_code == 200
        while leisure()[0] != 2.0:
            pass
    with two.websocket_connect(f"/t/{id}/live"):
        while leisure() != [1.0, 1.0]:
            pass


def test_a_connection_that_is_in_use_when_the_store_is_closed_is_closed_after_that(postgresql: str):
    from recollect.table.store.postgres import Postgres

    db = Postgres(postgresql)
    with db._link() as link:
        db.close()
        assert not link.closed
    assert link.closed


def test_a_town_of_an_earlier_version_learns_who_watches(postgresql: str):
    before = Store(postgresql)
    before.write([("alter table present drop column watching, drop column leisure", ())])
    before.write([("insert into present values ('t', 'earlier', '[1]', 2)", ())])
    store = Store(postgresql)
    earlier = ("insert into present values ('u', 'earlier', '[1]', 2) on conflict (id, process) do update set seats = '[]'", ())
    before.write([earlier])  # it serves on beside this one
    kept = store.read("select seats, pages, watching, leisure from present")
    assert kept == [{"seats": "[1]", "pages": 2, "watching": 0, "leisure": None}] * 2
    for one in (before, store):
        one.close()


def deaf_for_a_moment(cluster: Cluster) -> None:
    """All who listen lose their connection, and make another."""
    import psycopg

    with psycopg.connect(cluster.address, autocommit=True) as db:
        db.execute("select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'")


@pytest.mark.parametrize("unsaid", ["unheard", "unkept"])
def test_who_left_another_process_unnoticed_is_away_when_it_is_heard_again(
    houses: tuple[TestClient, TestClient], cluster: Cluster, monkeypatch: pytest.MonkeyPatch, unsaid: str
):
    """What that process said was not heard here, or could not be kept."""
    one, two = houses
    id = seated(one, two)
    with one.websocket_connect(f"/t/{id}/live") as a:
        mila = Wire(a)
        with two.websocket_connect(f"/t/{id}/live") as b:
            Wire(b).page("island")
            mila.page("island")
            while "away" in mila.html:
                mila.hear()
            db, town = two.app.state.house.store.db, two.app.state.house.rooms.town
            monkeypatch.setattr(*(db, "news", lambda news: []) if unsaid == "unheard" else (town, "here", lambda room: None))
        while two.app.state.house.rooms.there(id).screens:
            pass
        if unsaid == "unheard":
            while db.read("select 1 from present where process = ? and pages > 0", db.name):
                pass
        monkeypatch.undo()
        if unsaid == "unheard":
            deaf_for_a_moment(cluster)
        else:
            two.portal.call(two.app.state.house.rooms.there(id).drop)
            two.portal.call(town._lives, town.alive, True)
        mila.page("away")


def test_what_nobody_of_ours_has_said_makes_nobody_deaf(houses: tuple[TestClient, TestClient], cluster: Cluster):
    import psycopg

    one, two = houses
    id = seated(one, two)
    with one.websocket_connect(f"/t/{id}/live") as a, two.websocket_connect(f"/t/{id}/live") as b:
        mila, theo = Wire(a), Wire(b)
        mila.page("island")
        theo.page("island")
        with psycopg.connect(cluster.address, autocommit=True) as db:
            db.execute("notify recollect, 'Is anybody there?'")
        assert "why" not in mila.act(SIDE)
        theo.page("looked at the <b>north</b> side")


def test_what_goes_wrong_with_one_news_makes_nobody_deaf(houses: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch):
    one, two = houses
    id = seated(one, two)
    with one.websocket_connect(f"/t/{id}/live") as a:
        mila = Wire(a)
        with two.websocket_connect(f"/t/{id}/live") as b:
            mila.page("island")
            Wire(b).page("island")
            monkeypatch.setattr(two.app.state.house.rooms.there(id).others, "heard", lambda news: 1 / 0)
            assert "why" not in mila.act(SIDE)
            while b.receive()["type"] != "websocket.close":
                pass
        with two.websocket_connect(f"/t/{id}/live") as b:
            theo = Wire(b)
            theo.page("looked at the <b>north</b> side")
            mila.page("do-put-back")
            assert "why" not in mila.act(PUT_BACK)
            while not theo.acts:
                theo.hear()


def test_who_reads_at_one_process_and_plays_at_another_is_not_too_quick(
    houses: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch
):
    """A program asks whichever answers: what it saw there may not have been heard here."""
    one, two = houses
    seats = [{"who": "me", "name": "Ada"}, {"who": "me", "name": "Bo"}]
    set = one.post("/api/new/memoarrr", json={"seats": seats, "options": {"first": "first_seat"}}).json()
    path, ada = f"/api/t/{set['table']}", {"authorization": f"Bearer {set['seats'][0]['token']}"}
    assert two.get(path, headers=ada).json()["n"] == one.get(path, headers=ada).json()["n"]
    monkeypatch.setattr(two.app.state.house.rooms.there(set["table"]).others, "heard", lambda news: None)
    for action in ("side north", "put_back"):
        seen = one.get(path, headers=ada).json()
        played = (one if action == "side north" else two).post(f"{path}/act", json={"action": action, "n": seen["n"]}, headers=ada)
        assert played.status_code == 200, played.text


def test_a_start_page_hears_of_what_happens_at_another_process(houses: tuple[TestClient, TestClient], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.live.hall.ANYWAY", 600.0)
    one, two = houses
    two.get("/")
    with two.websocket_connect("/live", headers={"origin": "http://testserver"}) as hall:

        def told(key: str, text: str) -> None:
            while text not in json.loads(hall.receive_text()).get(key, ""):
                pass

        told("open", "none")
        open_one = open_table(one, seat1="open")
        told("open", f"/t/{open_one}/join")
        take(two, f"/t/{open_one}/join", "Théo")
        told("open", "none")
        id = seated(one, two)
        told("mine", id)
        with one.websocket_connect(f"/t/{id}/live") as a:
            mila = Wire(a)
            mila.page("island")
            mila.act(SIDE)
            mila.page("do-put-back")
            mila.act(PUT_BACK)
            told("mine", f'data-turn="{id}"')
            two.portal.call(two.app.state.house.rooms.there(id).drop)  # nobody has the table open there
            monkeypatch.setattr(one.app.state.house.rooms.there(id).companions, "companion", asyncio.Event().wait)  # nor does it move
            mila.send(do="decide", what="stand_in", seat=1)
            told("mine", "Parrot plays for you")


def whys(wire: Wire, *, until: str) -> list[str]:
    """What a page is told beside its answers, up to this."""
    said = [wire.answer("why")["why"]]
    while said[-1] != until:
        said.append(wire.answer("why")["why"])
    return said


def told(key: str) -> str:
    return ui_texts("en")(f"trouble.{key}.text")


def test_who_was_told_that_the_store_is_away_is_told_when_it_is_back(houses: tuple[TestClient, TestClient], cluster: Cluster):
    one, two = houses
    id = seated(one, two)
    with one.websocket_connect(f"/t/{id}/live") as a, two.websocket_connect(f"/t/{id}/live") as b:
        pages = [Wire(a), Wire(b)]
        for wire in pages:
            wire.page("island")
        for _ in range(2):
            cluster.stop()
            assert [wire.answer("why")["why"] for wire in pages] == [told("away")] * 2
            cluster.start()
            assert [whys(wire, until=told("over")) for wire in pages] == [[told("over")]] * 2, "once"
        assert one.get("/health").status_code == two.get("/health").status_code == 200


def test_a_database_that_takes_nothing_is_said_and_so_is_that_it_does_again(houses: tuple[TestClient, TestClient], cluster: Cluster):
    one, two = houses
    id = seated(one, two)
    with one.websocket_connect(f"/t/{id}/live") as a, two.websocket_connect(f"/t/{id}/live") as b:
        pages = [Wire(a), Wire(b)]
        for wire in pages:
            wire.page("island")
        read_only(cluster, "on")
        try:
            assert [wire.answer("why")["why"] for wire in pages] == [told("strip")] * 2
            assert [house.get(path).status_code for house in houses for path in ("/health", "/ready")] == [503] * 4
            assert "read-only" in one.get("/health").json()["trouble"] and told("strip") in two.get(f"/t/{id}").text
        finally:
            read_only(cluster, "off")
        assert [whys(wire, until=told("over")) for wire in pages] == [[told("over")]] * 2, "once"
        assert one.get("/ready").status_code == two.get("/ready").status_code == 200
        assert not one.app.state.house.store.read("select key from house where key = 'tried'")


def read_only(cluster: Cluster, whether: str) -> None:
    """Nothing may be written there any more, by whoever is there and whoever comes."""
    import psycopg

    with psycopg.connect(cluster.address, autocommit=True, options="-c default_transaction_read_only=off") as db:
        db.execute(f"alter system set default_transaction_read_only = {whether}")
        db.execute("select pg_reload_conf()")


def test_one_process_looks_after_a_table_and_the_other_takes_over(postgresql: str):
    stores = [Store(postgresql) for _ in range(2)]
    first, second = (store.db for store in stores)
    assert first.beat() == ({first.name}, True)
    assert second.beat() == ({first.name, second.name}, True) and second.beat()[1] is False
    assert first.claim(["t", "u"]) == {"t": first.name, "u": first.name}
    assert second.claim(["t", "v"]) == {"t": first.name, "v": second.name}, "who lives keeps it"
    first._beating.close()  # as when the process dies
    while second.beat()[0] != {second.name}:
        pass
    assert second.claim(["t"]) == {"t": second.name}
    assert second.claim(["u"]) == {"u": second.name}
    second.bury()
    assert first.beat() == ({first.name, second.name}, True), "it hears that it was taken for dead"
    assert first.claim(["t"]) == {"t": second.name}, "who comes back too late does not"
    first.write([("update processes set until = 0 where name = ?", (first.name,))])  # as when it was held up for long
    assert first.beat()[1] is True and first.beat()[1] is False


@pytest.mark.parametrize("late", [0, 6])
def test_a_machine_whose_clock_is_wrong_says_so(postgresql: str, monkeypatch: pytest.MonkeyPatch, caplog: Any, late: int):
    from recollect.table.store import postgres

    monkeypatch.setattr(postgres, "NOW", f"{postgres.NOW} - {late}")
    with TestClient(application(postgresql)):
        assert bool(late) == ("+6." in caplog.text)


def test_a_database_is_asked_though_a_thousand_pages_are_open(postgresql: str):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, before[1]), before[1]))
    try:
        with contextlib.ExitStack() as pages:
            for _ in range(1100):
                pages.enter_context(open(os.devnull))
            store = Store(postgresql)
            writer = store.another()
            assert store.db.beat() == ({store.db.name}, True) and store.db.beat() == ({store.db.name}, False)
            for n in range(2):
                writer.write([("insert into house values (?, '')", (f"{n}",))])
            writer.close()
            store.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_process_that_starts_waits_for_nobody_who_writes(postgresql: str):
    """Nor does anybody wait for it: what is there already is not made again, for that would lock whole tables."""
    serving = Store(postgresql)
    with serving.db._link() as link, link.transaction():
        for part in (*PARTS, "leases", "present", "processes"):
            link.execute(f"delete from {part} where false")
        Store(postgresql).close()
    serving.close()


def test_who_starts_waits_for_one_who_has_much_to_bring_up_to_date(cluster: Cluster, postgresql: str, monkeypatch: pytest.MonkeyPatch):
    from recollect.table.store import postgres

    long = {**postgres.MIGRATIONS, postgres.VERSION: f"{postgres.MIGRATIONS[postgres.VERSION]} select pg_sleep(0.3);"}
    monkeypatch.setattr(postgres, "MIGRATIONS", long)
    monkeypatch.setattr(postgres, "SETTINGS", "-c statement_timeout=200 -c lock_timeout=1")
    lock = ("select pg_advisory_xact_lock(?)", (postgres.LOCK,))
    store = after_another(cluster, [lock], lambda: Store(postgresql))
    assert store.db.read("show lock_timeout") == [{"lock_timeout": "1ms"}], "as before"
    store.close()


def test_a_part_that_is_missing_is_made_at_the_next_start(postgresql: str):
    before = Store(postgresql)
    before.write([("drop index leases_of", ()), ("drop table present", ())])
    before.close()
    store = Store(postgresql)
    assert store.read("select to_regclass('leases_of') is not null and to_regclass('present') is not null as there")[0]["there"]
    store.close()


def test_a_table_that_is_put_away_is_free_for_others(postgresql: str):
    async def story() -> None:
        stores = [Store(postgresql) for _ in range(2)]
        rooms = [Rooms(store, writer=Writer(store)) for store in stores]
        chairs = [Chair("here", person, person) for person in ("mila", "theo")]
        stores[0].create(Row.of(GAME, id="t", options=GAME.settle({"players": 2}), seed="s", host="mila", chairs=chairs))
        for here in rooms:
            here.town = town_of(here)
            here.town.start()
        one, two = [await here.get("t") for here in rooms]
        while one.others.tended == two.others.tended:
            await asyncio.sleep(0.01)
        holder, other = (0, two) if one.others.tended else (1, one)
        rooms[holder].there("t").drop()
        while not other.others.tended:
            await asyncio.sleep(0.01)
        for here in rooms:
            here.close()
            here.writer.close()
            here.town.stop()
            here.store.close()

    asyncio.run(story())


def test_what_a_process_could_not_say_that_it_left_is_looked_after_by_another(houses: tuple[TestClient, TestClient]):
    one, two = houses
    id = seated(one, two)
    with one.websocket_connect(f"/t/{id}/live") as a, two.websocket_connect(f"/t/{id}/live") as b:
        for socket in (a, b):
            Wire(socket).page("island")
        here, there = (house.app.state.house.rooms for house in (one, two))
        while here.there(id).others.tended == there.there(id).others.tended:
            pass
        if there.there(id).others.tended:
            here, there, one = there, here, two
        here.there(id).stop()
        here.town._holder.clear()
        here._rooms.clear()  # put away while the database could not be reached: it still says who looks after the table
        one.portal.call(here.town._lives, here.town.alive, True)
        while not there.there(id).others.tended:
            pass


def test_who_has_not_heard_yet_who_looked_after_a_table_hears_that_it_is_free(houses: tuple[TestClient, TestClient]):
    one, two = houses
    id = seated(one, two)
    with one.websocket_connect(f"/t/{id}/live") as a, two.websocket_connect(f"/t/{id}/live") as b:
        for socket in (a, b):
            Wire(socket).page("island")
        here, there = (house.app.state.house.rooms for house in (one, two))
        while here.there(id).others.tended == there.there(id).others.tended:
            pass
        if there.there(id).others.tended:
            here, there, one = there, here, two
        there.town._holder.clear()
        one.portal.call(here.there(id).drop)
        while not there.there(id).others.tended:
            pass


def room_of(store: Store, writer: Writer) -> Room:
    if store.row("t") is None:
        chairs = [Chair("here", person, person) for person in ("mila", "theo")]
        store.create(Row.of(GAME, id="t", options=GAME.settle({"players": 2, "first": "first_seat"}), seed="s", host="mila", chairs=chairs))
    room = Room(store.row("t"), store, writer=writer)
    room.open()
    return room


def test_the_loser_of_a_race_reads_again(where: Path | str):
    async def story() -> None:
        store = Store(where)
        writer = Writer(store)
        one, two = room_of(store, writer), room_of(store, writer)
        one.play(0, SIDE)
        await one.kept()
        two.play(0, SIDE + 1)  # it has not heard of the other yet
        with pytest.raises(Overtaken):
            await two.kept()
        assert two.match.log == one.match.log and two.times == one.times and two.rows == one.rows
        assert two.moment.record.tobytes() == one.moment.record.tobytes() and two.states.keys() == one.states.keys()
        two.play(0, PUT_BACK)
        await two.kept()
        one.follow()
        assert one.match.log == two.match.log and one.exposures == two.exposures
        writer.close()

    asyncio.run(story())


Opening = Callable[[Path | str], Store]


@pytest.fixture
def opened() -> Iterator[Opening]:
    """Opens stores, and closes them after the test."""
    with contextlib.ExitStack() as stores:
        yield lambda where: stores.enter_context(contextlib.closing(Store(where)))


def after_another(cluster: Cluster, first: list[Statement], second: Callable[[], object]) -> object:
    """Begun while another process is in the middle of its change, and waits for the end of that."""
    import psycopg

    from recollect.table.store.postgres import put

    with psycopg.connect(cluster.address) as one, psycopg.connect(cluster.address, autocommit=True) as looking, ThreadPoolExecutor() as two:
        put(one, first)
        late = two.submit(second)
        while not looking.execute("select 1 from pg_stat_activity where wait_event_type = 'Lock'").fetchone():
            assert not late.done(), "it did not wait"
        one.commit()
        return late.result()


def lobby(store: Store, *kinds: str, id: str = "t") -> None:
    """A table of Mila's, with free seats."""
    chairs = [Chair("here", "Mila", "mila"), *(Chair(kind, "?", secret=kind) for kind in kinds)]
    options = GAME.settle({"players": len(chairs)})
    store.create(Row.of(GAME, id=id, options=options, seed="s", host="mila", listed="open" in kinds, chairs=chairs))


def test_of_two_processes_that_offer_a_rematch_at_once_one_does(cluster: Cluster, postgresql: str, opened: Opening):
    store, first = opened(postgresql), list[Statement]()
    for id in ("t", "one", "two"):
        lobby(store, "link", id=id)
    elsewhere = opened(postgresql)
    elsewhere.write = first.extend
    elsewhere.rematch("t", "one")
    assert after_another(cluster, first, lambda: store.rematch("t", "two")) == "one" == store.row("t").rematch


def test_when_the_last_two_seats_are_taken_at_once_the_table_is_listed_no_more(cluster: Cluster, postgresql: str, opened: Opening):
    store, first = opened(postgresql), list[Statement]()
    lobby(store, "open", "open")
    elsewhere = opened(postgresql)
    elsewhere.write = first.extend
    elsewhere.sit("t", 1, "theo", "Théo")
    assert after_another(cluster, first, lambda: store.sit("t", 2, "ana", "Ana"))
    assert store.row("t").ready and store.open_tables() == []


def cleared(store: Store) -> bool:
    """Mila closes her table."""
    return asyncio.run(Rooms(store).clear("t", "mila"))


def test_a_table_is_not_closed_by_who_has_not_heard_that_somebody_sat_down(cluster: Cluster, postgresql: str, opened: Opening):
    store, first = opened(postgresql), list[Statement]()
    lobby(store, "link")
    elsewhere = opened(postgresql)
    elsewhere.write = first.extend
    elsewhere.sit("t", 1, "theo", "Théo")
    assert after_another(cluster, first, lambda: cleared(store)) is False
    assert [chair.person for chair in store.row("t").chairs] == ["mila", "theo"]


def test_nobody_sits_down_at_a_table_that_is_closed_in_the_same_instant(cluster: Cluster, postgresql: str, opened: Opening):
    store, first = opened(postgresql), list[Statement]()
    lobby(store, "link")
    elsewhere = opened(postgresql)
    elsewhere.write = first.extend
    cleared(elsewhere)
    assert after_another(cluster, first, lambda: asyncio.run(Rooms(store).sit("t", 1, "theo", "Théo"))) is False
    assert store.row("t") is None


def test_a_table_that_is_closed_as_its_game_begins_is_gone_and_the_store_is_well(
    postgresql: str, monkeypatch: pytest.MonkeyPatch, opened: Opening
):
    """What was just read is kept no more."""

    async def story() -> None:
        store = opened(postgresql)
        lobby(store, "link")
        rooms = Rooms(store)
        room = await rooms.get("t")
        store.sit("t", 1, "theo", "Théo")
        row = store.row("t")
        store.remove(row)
        with monkeypatch.context() as late:
            late.setattr(store, "row", lambda id: row)
            rooms.read_again(room)
            assert room.dropped and rooms.there("t") is None and await rooms.get("t") is None
        assert not store.db.pulse.refused
        lobby(store, "link")
        store.write([("delete from seats where id = 't'", ())])
        assert store.row("t") is None, "half of it is none of it"

    asyncio.run(story())


def test_two_processes_that_look_at_the_clock_say_it_once(where: Path | str, opened: Opening):
    async def story() -> None:
        store, now = opened(where), [1_800_000_000.0]
        chairs = [Chair("here", person, person) for person in ("mila", "theo")]
        row = Row.of(GAME, id="t", options=GAME.settle({"players": 2, "first": "first_seat"}), seed="s", host="mila", chairs=chairs)
        row.created = row.moved = now[0]
        store.create(row, Manners(turn=DAY))
        one, two = (Room(store.row("t"), store, now=lambda: now[0]) for _ in range(2))
        for room in (one, two):
            room.open()
        for hours, kind in ((20, "reminded"), (5, "up")):
            now[0] += 3600 * hours
            await one.company.pace.look()
            now[0] += 0.1
            await two.company.pace.look()  # it has not heard of the other yet
            assert [(a.kind, a.seat) for a in store.asides("t")][-1] == (kind, 0)
        assert [a.kind for a in store.asides("t")] == ["reminded", "up"] == [a.kind for a in two.company.asides]

    asyncio.run(story())


def test_a_process_that_has_not_heard_of_a_move_stops_no_clock(where: Path | str, opened: Opening):
    async def story() -> None:
        store, now = opened(where), [1_800_000_000.0]
        chairs = [Chair("here", person, person) for person in ("mila", "theo")]
        row = Row.of(GAME, id="t", options=GAME.settle({"players": 2, "first": "first_seat"}), seed="s", host="mila", chairs=chairs)
        row.created = row.moved = now[0]
        store.create(row, Manners(turn=DAY))
        one, two = (Room(store.row("t"), store, now=lambda: now[0]) for _ in range(2))
        for room in (one, two):
            room.open()
        now[0] += 2 * DAY
        await one.company.pace.look()
        two.company.read()
        assert store.due(now[0] + 9 * DAY) == [], "it was said that time is up"
        one.play(0, SIDE)
        one.play(0, PUT_BACK)
        two.company.pace.wind()
        assert store.due(now[0] + DAY) == ["t"]
        assert store.clocks(["t"])["t"][1] == {1: now[0] + DAY}

    asyncio.run(story())


def test_a_clock_is_kept_by_all_processes_and_each_thing_said_once_at_all_of_them(postgresql: str, monkeypatch: pytest.MonkeyPatch):
    """Reminder, time that is up, what follows and who comes back, with the people at different processes; one of these closes."""
    monkeypatch.setattr("recollect.table.live.hall.ANYWAY", 600.0)
    now = [1_800_000_000.0]
    apps = [application(postgresql, 0.02, now=lambda: now[0]) for _ in range(2)]
    made = [TestClient(app, base_url="http://testserver", follow_redirects=True) for app in apps]
    with made[1] as two:
        with made[0] as one:
            id = seated(one, two, turn=str(int(DAY)))
            store = two.app.state.house.store

            def later(hours: float, *houses: TestClient) -> list[tuple[str, int]]:
                before = len(store.asides(id))
                now[0] += 3600 * hours
                for house in houses:
                    house.portal.call(house.app.state.house.watch.look)  # type: ignore[union-attr]
                return [(aside.kind, aside.seat) for aside in store.asides(id)[before:]]

            elsewhere = visitor(two)
            elsewhere.cookies = one.cookies  # Mila's other tab
            with one.websocket_connect(f"/t/{id}/live") as a, two.websocket_connect(f"/t/{id}/live") as b:
                mila, theo = Wire(a), Wire(b)
                said(mila, "1 day")
                with elsewhere.websocket_connect("/live", headers={"origin": "http://testserver"}) as hall:
                    assert later(17.9, one, two) == [] and later(0.2, one, two) == [("reminded", 0)]
                    while json.loads(hall.receive_text()).get("soon") != [id]:
                        pass
                assert later(6, one, two) == [("up", 0)]
                while "tell-stand-0" not in theo.answer("company")["company"]["tells"]:
                    pass
                theo.send(do="decide", what="stand_in", seat=0)
                said(mila, "Parrot plays on for Mila")
                while not theo.acts:
                    theo.hear()
            with elsewhere.websocket_connect(f"/t/{id}/live") as c, two.websocket_connect(f"/t/{id}/live") as b:
                said(Wire(c), "Mila is back")
                theo = Wire(b)
                while not theo.acts:
                    theo.hear()
                assert "why" not in theo.act(min(theo.acts))  # the companion may have taken any side
            assert store.row(id).chairs[0].mind is None
        seat = min(store.row(id).acting)
        assert later(17.9, two) == [] and later(0.2, two) == [("reminded", seat)] and later(6, two) == [("up", seat)]
        assert [aside.kind for aside in store.asides(id)] == ["reminded", "up", "taken", "back", "reminded", "up"]


def test_an_undo_is_followed(where: Path | str, opened: Opening):
    async def story() -> None:
        store, game = opened(where), load("vivid")
        chairs = [Chair("here", person, person) for person in ("mila", "theo")]
        store.create(Row.of(game, id="t", options=game.settle({"players": 2}), seed="s", host="mila", chairs=chairs))
        one, two = Room(store.row("t"), store), Room(store.row("t"), store)
        one.open()
        two.open()
        seat = min(one.match.acting)
        one.play(seat, one.match.legal(seat)[0])
        two.follow()
        assert two.match.log == one.match.log and two.can_undo(seat)
        two.undo(seat)
        one.follow()
        assert one.match.log == two.match.log and one.times == two.times and one.n == two.n
        assert one.match.record.tobytes() == two.match.record.tobytes() and one.states.keys() == two.states.keys()

    asyncio.run(story())


def day(cluster: Cluster, **given: float) -> tuple[object, object]:
    """People play while something dies; what the log says of it."""
    from town import options, story

    plain = vars(options().parse_args([]))
    return asyncio.run(story(cluster, argparse.Namespace(**{**plain, **given})))


@pytest.mark.long  # processes of their own, killed meanwhile
def test_processes_are_killed_and_no_answered_move_is_lost_or_doubled(cluster: Cluster, postgresql: str):
    town, verdict = day(cluster, seconds=0, processes=3, tables=8, kill=2, faults=3, moves=15, every=0.3, pace=0.5)
    assert len(town.faults) == 3 and verdict.answered >= 60
    assert verdict.lost == [] and verdict.unseen == [] and verdict.twice == []


@pytest.mark.long
def test_the_database_is_stopped_and_nothing_is_lost_and_people_are_told(cluster: Cluster, postgresql: str):
    town, verdict = day(cluster, seconds=0, processes=2, tables=6, kill=0, stop=2, faults=1, moves=15, every=0.3, pace=0.5)
    assert len(town.faults) == 1 and town.warned and verdict.answered >= 30
    assert verdict.lost == [] and verdict.unseen == [] and verdict.twice == []
