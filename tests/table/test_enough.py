"""What is shown to all: who has seen enough is answered at once, who wants to look longer holds the table for everybody."""

from __future__ import annotations

import time

from people import TestClient, Wire, links, open_table, take, visitor


def to_an_open_pair(wires: list[Wire]) -> None:
    """Whoever is asked turns cards until two lie open for all."""
    for wire in wires:
        wire.page("place-a1")
    while not any("do-seen" in wire.html for wire in wires):
        for wire in wires:
            if wire.acts:
                wire.act(wire.acts[0])
                wire.hear()
                break
            wire.hear()


def test_who_has_seen_them_is_told_at_once_who_is_waited_for(client: TestClient):
    client.app.state.house.rooms.pace = 20.0  # it would stay for a hundred seconds
    id = open_table(client, "ptibapt", seat1="link", show="5")
    kofi = visitor(client)
    take(kofi, links(client, id)[0], "Kofi")
    with client.websocket_connect(f"/t/{id}/live") as a, kofi.websocket_connect(f"/t/{id}/live") as b:
        mila, other = Wire(a), Wire(b)
        to_an_open_pair([mila, other])
        for wire in (mila, other):
            wire.page("do-seen")
        n, begun = mila.n, time.monotonic()
        mila.send(do="seen", n=n, id=50)
        html = mila.page("<span>Waiting for Kofi</span>")
        assert 'data-face="up"' in html and mila.n == n, "what lies open is still there; nothing has happened yet"
        other.send(do="seen", n=other.n, id=50)
        while mila.n == n:
            mila.hear()
        assert time.monotonic() - begun < 100


def test_a_look_that_is_held_lasts_until_its_holder_goes_on(client: TestClient):
    rooms = client.app.state.house.rooms
    rooms.pace = 20.0  # it would stay for a hundred seconds
    id = open_table(client, "ptibapt", players="1", show="5")
    with client.websocket_connect(f"/t/{id}/live") as socket:
        wire = Wire(socket)
        to_an_open_pair([wire])
        n = wire.n
        wire.send(do="hold", n=n, id=60)
        wire.answer("done")
        room = rooms._rooms[id]
        room.pace = 0.1  # half a second, from now on
        client.portal.call(room.exposure.news.set)
        time.sleep(1)
        assert room.n == n and room.exposure.held == {0}, "twice its time has gone, and the table still stands"
        wire.send(do="seen", n=n, id=61)
        while wire.n == n:
            wire.hear()
        assert not room.exposure.held


def test_a_page_that_comes_back_is_not_shown_again_what_it_has_had(client: TestClient):
    """The process that it told so may have died, or lost its store, before it was kept."""
    rooms = client.app.state.house.rooms
    rooms.pace = 1.0
    id = open_table(client, "ptibapt", seat1="link", show="5")
    kofi = visitor(client)
    take(kofi, links(client, id)[0], "Kofi")
    with client.websocket_connect(f"/t/{id}/live") as a:
        with kofi.websocket_connect(f"/t/{id}/live") as b:
            to_an_open_pair([Wire(a), Wire(b)])
        room = rooms._rooms[id]
        stamp, seat = room.at, next(n for n, chair in enumerate(room.row.chairs) if chair.name == "Kofi")
        for said, shown in (("abc", True), (str(stamp + 1), True), (str(stamp), False)):
            with kofi.websocket_connect(f"/t/{id}/live?had={said}") as b:
                first = Wire(b).hear()
                assert ("stamp" in first, room.row.chairs[seat].shown > stamp) == (shown, not shown), said


def test_what_has_been_in_sight_for_its_time_is_turned_back_though_somebody_is_away(client: TestClient):
    """On pages that stay open, of who plays and of who only watches: an absent second page keeps nothing in sight for them."""
    client.app.state.house.rooms.pace = 1.0
    id = open_table(client, "ptibapt", seat1="link", show="0.8", starts="first")
    kofi, stranger = visitor(client), visitor(client)
    take(kofi, links(client, id)[0], "Kofi")
    at, room = f"/t/{id}/live", client.app.state.house.rooms._rooms[id]
    with client.websocket_connect(at) as a, kofi.websocket_connect(f"{at}?away=1"), stranger.websocket_connect(at) as c:
        mila, onlooker = Wire(a), Wire(c)
        to_an_open_pair([mila])
        onlooker.page('data-face="up"')
        n, stamp = room.n, room.at
        mila.send(do="shown", stamp=stamp)
        for wire in (mila, onlooker):
            while 'data-face="up"' in wire.html:
                wire.hear()
            assert wire.n == n, "the table still waits for Kofi"
