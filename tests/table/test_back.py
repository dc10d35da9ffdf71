"""Looking back at a finished game, and not before: the replay from every seat, its timeline, and the memory report."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from recollect.engine.shelf import games, load
from recollect.minds import mind
from recollect.table.app import application
from recollect.table.live.room import Room
from recollect.table.render.timeline import Timeline, path
from recollect.table.store import Chair, Row, Store

RECALL = ("memoarrr", "ptibapt")


def lay(store: Store, name: str, moves: int = 10**6) -> str:
    """A table of a game, played so far."""
    game = load(name)
    chairs = [Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo")]
    row = Row.of(game, id=f"{name}{moves}", options=game.settle({"players": 2}), seed="seed", host="mila", chairs=chairs)
    store.create(row)
    room, rng, player = Room(row, store), random.Random(7), mind(game, "random")
    room.open()
    while not room.match.over and moves:
        seat, moves = min(room.match.acting), moves - 1
        room.play(seat, player.choose(room.match.knowledge(seat), seat, room.match.legal(seat), rng))
    return row.id


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    data: Path = tmp_path_factory.mktemp("back")
    store = Store(data)
    for name in games():
        lay(store, name)
        lay(store, name, 12)
    store.close()
    with TestClient(application(data, pace=1000)) as client:
        yield client


def board(html: str) -> str:
    return html[html.index('<main class="table"') : html.index("</main>")]


def opened(client: TestClient, id: str) -> Room:
    room = client.portal.call(client.app.state.house.rooms.get, id)  # type: ignore[union-attr, attr-defined]
    assert room
    return room


@pytest.mark.parametrize("name", games())
def test_a_replay_can_be_seen_from_every_seat_and_from_above(client: TestClient, name: str) -> None:
    for seat in ("0", "1", "-1"):
        for step in (0, 9):
            page = client.get(f"/t/{name}1000000/replay/{step}?seat={seat}")
            assert page.status_code == 200 and "data-act" not in page.text, "nothing is to be done in a replay"
            assert len(page.content) < 600_000
    last = int(re.search(r'data-last="(\d+)"', client.get(f"/t/{name}1000000/replay/0").text)[1])  # type: ignore[index]
    assert client.get(f"/t/{name}1000000/replay/{last}").status_code == 200
    assert (
        client.get(f"/t/{name}1000000/replay/{last + 1}").status_code == client.get(f"/t/{name}1000000/replay/0?seat=2").status_code == 404
    )


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("where", ["replay/0", "replay/3?seat=0", "replay/3?seat=1&live", "report", "report?seat=1"])
def test_nothing_can_be_had_before_the_end(client: TestClient, name: str, where: str) -> None:
    answer = client.get(f"/t/{name}12/{where}")
    assert answer.status_code == 403 and "still running" in answer.text
    assert 'class="table"' not in answer.text


def test_a_seat_sees_in_the_replay_what_it_saw_and_the_others_did_not(client: TestClient) -> None:
    first = opened(client, "memoarrr1000000").match.log[0][1]  # type: ignore[attr-defined]
    seat = 0 if opened(client, "memoarrr1000000").match.log[1][0] == 0 else 1  # type: ignore[attr-defined]
    own, other, above = (board(client.get(f"/t/memoarrr1000000/replay/1?seat={n}&live").text) for n in (seat, 1 - seat, -1))
    assert first >= 0 and own.count('data-face="up"') == 3
    assert other.count('data-face="up"') == above.count('data-face="up"') == 0


@pytest.mark.parametrize("name", games())
def test_the_timeline_ends_with_the_final_points(client: TestClient, name: str) -> None:
    room = opened(client, f"{name}1000000")  # type: ignore[attr-defined]
    timeline = Timeline.of(room.match, [room.states[place] for place in sorted(room.states)])
    assert timeline.scores[-1] == room.match.scores() and len(timeline.scores) == timeline.last + 1
    assert sum(wide for _, _, wide in timeline.rounds) == pytest.approx(1000 if timeline.rounds else 0)


@pytest.mark.parametrize("name", games())
def test_turns_and_rounds_begin_where_another_seat_or_round_does(client: TestClient, name: str) -> None:
    room = opened(client, f"{name}1000000")
    timeline = Timeline.of(room.match, [room.states[place] for place in sorted(room.states)])
    seats = [room.match.log[place][0] for place in sorted(room.states)[:-1]]
    assert timeline.turns == [step for step, seat in enumerate(seats) if step == 0 or seats[step - 1] != seat]
    assert timeline.begins == sorted(set(timeline.begins)) and len(timeline.begins) == len(timeline.rounds)
    page = client.get(f"/t/{name}1000000/replay/0").text
    assert page.count("data-to=") == (len(timeline.begins) if len(timeline.begins) > 1 else 0)


def test_points_go_up_in_steps() -> None:
    assert path([0, 0, 1, 1, 0.5]) == "M0 100.0H500.0V0.0H1000.0V50.0H1000"


@pytest.mark.parametrize("name", games())
def test_the_end_leads_to_the_memory_report_of_a_game_of_recall(client: TestClient, name: str) -> None:
    answer = client.get(f"/t/{name}1000000/report?seat=1")
    assert ('id="do-report"' in client.get(f"/t/{name}1000000").text) == (name in RECALL) == (answer.status_code == 200)
    if name in RECALL:
        assert f'href="/t/{name}1000000/replay/0?seat=1"' in answer.text and len(answer.content) < 300_000
