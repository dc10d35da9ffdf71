"""A lesson by HTTP: the address says where it stands, a cookie remembers it, and no table is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from recollect.engine.match import Match
from recollect.engine.shelf import games, load
from recollect.table.app import application
from recollect.table.render.page import scene_of
from recollect.table.render.shot import page_of

SIDE = {side: load("memoarrr").actions.parse(f"side {side}") for side in ("north", "south")}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(application(tmp_path)) as client:
        yield client


def test_the_right_action_turns_the_page_and_a_wrong_one_is_answered(client: TestClient) -> None:
    wrong = client.post("/learn/memoarrr/first/2", data={"action": SIDE["south"]}).json()
    assert wrong == {"why": "In a game you might. Here, try what the guide asks for."}
    right = client.post("/learn/memoarrr/first/2", data={"action": SIDE["north"]}).json()
    assert right["go"] == "/learn/memoarrr/first/3"
    assert "do-put-back" in right["html"] and "why" not in right


def test_a_lesson_is_resumed_where_it_was_left_and_begins_anew_when_it_was_done(client: TestClient) -> None:
    assert client.get("/learn/memoarrr/first").url.path == "/learn/memoarrr/first/1"
    client.get("/learn/memoarrr/first/6?did=2")
    assert client.get("/learn/memoarrr").url.path == "/learn/memoarrr/first/6"
    client.get("/learn/memoarrr/first/14?did=2")
    assert client.get("/learn/memoarrr/first").url.path == "/learn/memoarrr/first/1"


def test_what_was_chosen_among_several_right_actions_stays_chosen(client: TestClient) -> None:
    right = client.post("/learn/memoarrr/first/5", data={"action": load("memoarrr").actions.parse("reveal a3")}).json()
    assert right["go"] == "/learn/memoarrr/first/6?did=2"
    assert 'id="place-a3" data-face="up"' in client.get(right["go"]).text
    assert 'href="/learn/memoarrr/first/5"' in right["html"], "back is before the choice"


@pytest.mark.parametrize(
    "path",
    ["/learn/memoarrr/none", "/learn/none/first", "/learn/memoarrr/first/0", "/learn/memoarrr/first/15", "/learn/memoarrr/first/6?did=x"],
)
def test_there_is_no_such_lesson(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("did", ["9", "1.1.1.1", ""])
def test_an_address_that_says_too_much_or_too_little_still_has_a_page(client: TestClient, did: str) -> None:
    assert client.get(f"/learn/memoarrr/first/8?did={did}").status_code == 200


def test_a_lesson_stores_nothing(client: TestClient) -> None:
    client.get("/learn/memoarrr/first/7")
    client.post("/learn/memoarrr/first/7", data={"action": "3"})
    assert "/t/" not in client.get("/").text


@pytest.mark.parametrize("name", games())
def test_a_match_is_gone_through_again_only_where_pieces_have_a_place_of_rest(
    client: TestClient, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    positions = Match.positions
    monkeypatch.setattr(Match, "positions", lambda match: asked.append(match) or positions(match))
    client.get(f"/learn/{name}/first")
    page_of(load(name).match(seed="rest", players=2), 0, "en")
    assert hasattr(scene_of(load(name)), "at_rest") or not asked
