"""One click may stand for several actions: each is played by the rules and stored for itself, and one click takes them back."""

from __future__ import annotations

import re

import pytest
from people import TestClient, Wire, links, open_table, take, visitor

from recollect.engine.shelf import load

GAME = load("dejavu")
DISCARD, SOW, DROP = GAME.actions.starts("discard", "sow", "drop")


def stored(client: TestClient, id: str) -> list[tuple[int, int]]:
    return client.app.state.house.store.moves(id)


def click(wire: Wire, pattern: str) -> dict:
    """Click on the first thing whose markup is like this, with all that it stands for."""
    found = re.search(rf'<[^>]*{pattern}[^>]*data-act="(\d+)"(?: data-then="([\d ]+)")?', wire.html)
    assert found, f"{pattern} is not on the page"
    wire.ids += 1
    wire.send(do="act", action=int(found[1]), then=[int(a) for a in (found[2] or "").split()], n=wire.n, id=wire.ids)
    return wire.answer("done")


@pytest.fixture
def turn(client: TestClient):
    """Mila's first turn."""
    id = open_table(client, "dejavu", first="first_seat", seat1="link")
    ana = visitor(client)
    take(ana, links(client, id)[0], "Ana")
    with client.websocket_connect(f"/t/{id}/live") as a, ana.websocket_connect(f"/t/{id}/live") as b:
        wires = Wire(a), Wire(b)
        for wire in wires:
            for left in (5, 4):
                wire.page('id="dealt"')
                assert "why" not in wire.act(min(a for a in wire.acts if a >= DISCARD)), left
                wire.hear()
        wires[0].page("at-morning asked")
        yield client, id, *wires


def test_a_sowing_by_two_clicks_and_back_by_two(turn):
    client, id, mila, _ = turn
    before = stored(client, id)
    click(mila, 'class="tile[^"]*is-next')
    mila.page("If you end at")
    assert len(stored(client, id)) == len(before) + 1
    assert "why" not in click(mila, 'class="end-row lit"')
    mila.page("at-build asked")
    sown = stored(client, id)[len(before) :]
    assert len(sown) >= 5 and sown[-1][1] >= DROP and {seat for seat, _ in sown} == {0}, "each bit dropped is an entry of its own"
    for text in ("at-sow asked", "at-morning asked"):
        mila.ids += 1
        mila.send(do="undo", n=mila.n, id=mila.ids)
        assert "why" not in mila.answer("done")
        mila.page(text)
        assert mila.n == len(stored(client, id)), "and told once, when all of it was taken back"
    taken_back = len(stored(client, id)) - len(before) - len(sown)
    assert taken_back == len(sown), "each was taken back for itself"


def test_what_is_not_legal_in_its_turn_stops_the_click(turn):
    client, id, mila, _ = turn
    before = stored(client, id)
    starts = [a for a in mila.acts if SOW <= a < SOW + 15]
    mila.send(do="act", action=starts[0], then=[starts[0], DROP], n=mila.n, id=99)
    assert mila.answer("done")["why"]
    assert stored(client, id)[len(before) :] == [(0, starts[0])]


def test_a_click_stands_for_a_bounded_number_of_actions(turn):
    client, id, mila, _ = turn
    before = stored(client, id)
    mila.send(do="act", action=mila.acts[0], then=[0] * 61, n=mila.n, id=99)
    assert "then" in mila.answer("why")["why"]
    assert stored(client, id) == before


def test_what_ends_building_stands_out_only_when_nothing_can_be_built(turn):
    """And what a walk or a flower is for is said beside it: a newcomer has not met them yet."""
    _, _, mila, _ = turn
    assert re.search(r'id="do-stroll" title="The girl walks[^"]+"', mila.html)
    click(mila, 'class="tile[^"]*is-next')
    mila.page('class="end-row')
    click(mila, 'class="end-row[^"]*')
    built = mila.page('id="do-built"')
    assert "fit-row lit" in built and re.search(r'class="btn" id="do-built"', built)
    for _ in range(12):
        if "fit-row lit" not in mila.html and 'id="to-short"' not in mila.html:
            break
        click(mila, 'class="fit-row lit[^"]*' if "fit-row lit" in mila.html else 'id="to-short"')
        mila.hear()
    assert re.search(r'class="btn main" id="do-built"', mila.html)


def test_what_one_click_did_is_taken_back_as_one_by_who_has_not_seen_it_made(turn):
    """After a restart, or at another process: what was kept tells which actions one click stood for."""
    client, id, mila, _ana = turn
    click(mila, 'class="tile[^"]*is-next')
    mila.page("If you end at")
    before = stored(client, id)
    click(mila, 'class="end-row lit"')
    mila.page("at-build asked")
    sown = len(stored(client, id)) - len(before)
    room = client.app.state.house.rooms.there(id)
    client.portal.call(room.drop)
    with client.websocket_connect(f"/t/{id}/live") as socket:
        again = Wire(socket)
        again.page("at-build asked")
        again.send(do="undo", n=again.n, id=1)
        assert "why" not in again.answer("done")
        again.page("at-sow asked")
    assert sown > 1 and len(stored(client, id)) == len(before) + 2 * sown


def test_what_a_table_began_with_is_taken_back_one_by_one(turn):
    """Where a game is played on from a moment all that came before was kept at one time, whatever was clicked for it."""
    client, id, mila, _ = turn
    click(mila, 'class="tile[^"]*is-next')
    mila.page("If you end at")
    room = client.app.state.house.rooms.there(id)
    room.times[:] = [room.times[0]] * len(room.times)
    assert room.clicked(0) == 1
