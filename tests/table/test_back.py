"""Looking back at a finished game, and not before: the replay from every seat, its timeline, and the memory report."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from recollect.engine.look import Look
from recollect.engine.shelf import games, load
from recollect.engine.texts import LANGUAGES
from recollect.minds import mind
from recollect.table.app import application
from recollect.table.live.room import Room
from recollect.table.render.page import scene_of
from recollect.table.render.timeline import Timeline, path, ticks
from recollect.table.store import Chair, Row, Store
from recollect.table.web.back import moment_html
from recollect.table.web.turning import worded

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
def client(place: Path | str) -> Iterator[TestClient]:
    store = Store(place)
    for name in games():
        lay(store, name)
        lay(store, name, 12)
    store.close()
    with TestClient(application(place, pace=1000)) as client:
        yield client


def board(html: str) -> str:
    return html[html.index('<main class="table"') : html.index("</main>")]


def opened(client: TestClient, id: str) -> Room:
    room = client.portal.call(client.app.state.house.rooms.get, id)  # type: ignore[union-attr, attr-defined]
    assert room
    return room


def test_an_address_without_its_last_number_leads_to_the_beginning_after_the_end(client: TestClient) -> None:
    assert client.get("/t/memoarrr1000000/replay").url.path == "/t/memoarrr1000000/replay/0"
    assert client.get("/t/memoarrr12/replay").status_code == 403


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
    assert 'class="table"' not in answer.text and f'href="/t/{name}12"' in answer.text, "a way back to the table, and nothing of it"


@pytest.mark.parametrize("name", games())
def test_nothing_is_to_be_taken_over_in_a_replay(tmp_path: Path, name: str) -> None:
    """Neither a companion's own seat nor that of somebody for whom one played to the end."""
    store = Store(tmp_path)
    room = Room(store.row(lay(store, name, 12)), store)
    room.open()
    room.row.chairs[0] = Chair("bot", "Goldfish", mind="goldfish")
    room.row.chairs[1].mind = "parrot"
    assert [room.pages.page(seat, "en").stands_in for seat in (0, 1)] == [False, True], "nobody else sits on a companion's own seat"
    for step in range(len(room.states)):
        assert not any("click to take over" in moment_html(room, step, seat, "en") for seat in (0, 1)), step


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


def test_points_below_nothing_wear_the_sign_that_the_table_gives_them(client: TestClient) -> None:
    scores = Timeline.of((room := opened(client, "ptibapt1000000")).match, [room.states[place] for place in sorted(room.states)]).scores
    step, seat, points = min(((n, s, p) for n, row in enumerate(scores) for s, p in enumerate(row)), key=lambda one: one[2])
    page = client.get(f"/t/ptibapt1000000/replay/{step}").text
    assert points < 0 and f'<b id="tl-points-{seat}">−{-points}</b>' in page
    assert not re.search(r">-\d+</(li|b)>", page[page.index("tl-axis") :])


def test_a_closed_treasure_is_drawn_as_the_one_ruby_that_is_sure(client: TestClient) -> None:
    """The chart of Memoarrr! grows with every round, and says nothing of what a treasure holds before it is opened."""
    room = opened(client, "memoarrr1000000")
    views = [room.game.state.open(room.states[place]) for place in sorted(room.states)]
    timeline = Timeline.of(room.match, [room.states[place] for place in sorted(room.states)])
    assert timeline.scores[:-1] == [[view.owner.tolist().count(seat) for seat in (0, 1)] for view in views[:-1]]
    assert sum(timeline.scores[-2]) == 6 and sum(timeline.scores[-1]) == 15


@pytest.mark.parametrize("name", games())
def test_turns_and_rounds_begin_where_another_seat_or_round_does(client: TestClient, name: str) -> None:
    room = opened(client, f"{name}1000000")
    timeline = Timeline.of(room.match, [room.states[place] for place in sorted(room.states)])
    seats = [room.match.log[place][0] for place in sorted(room.states)[:-1]]
    assert timeline.turns == [step for step, seat in enumerate(seats) if step == 0 or seats[step - 1] != seat]
    assert timeline.begins == sorted(set(timeline.begins)) and len(timeline.begins) == len(timeline.rounds)
    page = client.get(f"/t/{name}1000000/replay/0").text
    assert page.count("data-to=") == len(timeline.strip) + (len(timeline.begins) if len(timeline.begins) > 1 else 0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", games())
def test_phases_are_named_where_they_begin(client: TestClient, name: str, language: str) -> None:
    """A game that names its phases names them on the timeline, in its language; wide ones are drawn with their names."""
    room = opened(client, f"{name}1000000")
    views = [room.game.state.open(room.states[place]) for place in sorted(room.states)]
    timeline = Timeline.of(room.match, [room.states[place] for place in sorted(room.states)])
    assert bool(timeline.phases) == (name in ("vivid", "dejavu")) and bool(timeline.strip) == (name == "vivid")
    client.get(f"/language/{language}")
    page = client.get(f"/t/{name}1000000/replay/0").text
    said = json.loads(html.unescape(re.search(r'data-phases="([^"]*)"', page)[1]))  # type: ignore[index]
    t = room.game.texts(language)
    for step, view in enumerate(views[:-1]):
        key = scene_of(room.game).phase_of(view) if timeline.phases else ""
        assert not said or [words for at, words in said if at <= step][-1] == (t(key) if key else "")
    drawn = re.findall(r'<li style="flex: (\d+)"><button type="button" data-to="(\d+)" aria-label="([^"]+)"', page)
    assert [(int(begin), int(steps), words) for steps, begin, words in drawn] == [(at, n, t(key)) for key, at, n in timeline.strip]
    assert sum(n for _, _, n in timeline.strip) == (timeline.last if timeline.strip else 0)


def test_points_go_up_in_steps() -> None:
    assert path([0, 0, 1, 1, 0.5]) == "M0 100.0H500.0V0.0H1000.0V50.0H1000"


def test_the_way_of_a_better_move_is_the_game_as_it_went_with_what_was_left_added_at_the_next_count() -> None:
    timeline = Timeline(4, [], [], [[0, 0], [2, 0], [2, 5], [6, 5], [8, 5]], [(0, 0.0), (10, 1.0)], [], [])
    assert timeline.better(0, 1, 2) == "M250 80.0H750.0V20.0H1000.0V0.0H1000", "points came at step 3: eight then, ten at the end"
    assert timeline.better(1, 2, 3) == "M500 50.0H1000.0V20.0H1000", "nothing was counted any more: added at the end"
    assert timeline.better(0, 1, 90) == "M250 80.0H750.0V0.0H1000", "it goes no higher than the chart"


@pytest.mark.parametrize(("least", "most"), [(0, 1), (0, 8), (0, 54), (-3, 12), (0, 100), (0, 101), (-1, 999)])
def test_the_chart_has_a_few_round_numbers_and_room_above(least: int, most: int) -> None:
    marked = ticks(least, most)
    assert 2 <= len(marked) <= 7 and marked[0] <= least and marked[-1] > most


@pytest.mark.parametrize("name", games())
def test_each_moment_says_what_was_done(client: TestClient, name: str) -> None:
    told = [re.search(r'data-told="([^"]*)"', client.get(f"/t/{name}1000000/replay/{step}?seat=0&live").text) for step in (0, 5)]
    assert told[0] and told[0][1] == "" and told[1] and told[1][1]


@pytest.mark.parametrize("name", games())
def test_the_end_leads_to_the_memory_report_of_a_game_of_recall(client: TestClient, name: str) -> None:
    answer = client.get(f"/t/{name}1000000/report?seat=1")
    assert ('id="do-report"' in client.get(f"/t/{name}1000000").text) == (name in RECALL) == (answer.status_code == 200)
    if name in RECALL:
        assert f'href="/t/{name}1000000/replay/0?seat=1"' in answer.text and len(answer.content) < 300_000


@pytest.mark.parametrize("name", RECALL)
def test_the_report_of_another_seat_names_who_it_speaks_to(client: TestClient, name: str) -> None:
    """Nobody who reads here sits at the table: no headline says that they won."""
    client.get("/language/en")
    for seat, whose in enumerate(("Mila", "Théo")):
        page = client.get(f"/t/{name}1000000/report?seat={seat}").text
        assert f"This report is {whose}’s" in page
        headlines = re.findall(r"<h1>(.*?)</h1>|<h2 id=\"split-title\">(.*?)</h2>", page)
        assert headlines and not any("ou won" in said for pair in headlines for said in pair)


@pytest.mark.parametrize("name", [name for name in games() if name not in RECALL])
def test_that_somebody_had_done_enough_is_told_as_the_button_said_it(client: TestClient, name: str) -> None:
    room = opened(client, f"{name}1000000")
    game, told = room.game, set()
    done = game.actions.starts("done")[0]
    for place in sorted(room.states):
        moment = room.moment_at(place)
        for seat in moment.players:
            look = Look.of(moment, seat, room.names("en"), game.texts("en"))
            if done in look.legal:
                words = worded(look, done)
                assert words in [button["words"] for button in scene_of(game).buttons(look)]
                told.add(words)
    assert len(told) > 1, "it is not called the same in every phase"


def test_what_slipped_leads_to_its_moment_in_the_replay(client: TestClient) -> None:
    page = client.get("/t/memoarrr1000000/report?seat=1").text
    led = re.findall(r'href="(/t/memoarrr1000000/replay/\d+\?seat=1)">[^<]*\d\.</a> [^<]*<b class="pn">(\w\d)</b>', page)
    assert led
    for address, place in led:
        (there,) = re.findall(rf'<[^<>]*id="place-{place.lower()}"[^<>]*>', client.get(f"{address}&live").text)
        assert 'data-face="up"' in there
