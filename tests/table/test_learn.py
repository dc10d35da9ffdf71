"""A lesson by HTTP: the address says where it stands, a cookie remembers it, and no table is stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from recollect.engine import shelf
from recollect.engine.lesson import lessons
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


def test_a_wrong_card_is_turned_beside_what_was_asked_for_and_goes_back(client: TestClient) -> None:
    wrong = client.post("/learn/memoarrr/first/7", data={"action": load("memoarrr").actions.parse("reveal c1")}).json()
    assert wrong["go"] == "/learn/memoarrr/first/7?did=0", "the address stays: it can be taken back"
    assert 'id="place-c1" data-face="up"' in wrong["html"] and "guide-both" in wrong["html"]
    again = client.get(wrong["go"]).text
    assert 'id="place-c1" data-face="down"' in again and "guide-both" not in again


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


def test_a_hex_that_the_lesson_does_not_foresee_is_compared_and_a_fragment_is_answered_in_a_sentence(client: TestClient) -> None:
    parse = load("vivid").actions.parse
    tried = client.post("/learn/vivid/first/5", data={"action": parse("place h1")}).json()
    assert tried["go"] == "/learn/vivid/first/5" and "Allowed in a game" in tried["html"]
    html = tried["html"].replace("\xa0", " ")
    assert "1 × star, 1 × drop" in html and "1 × heart, 1 × star" in html, "every kind that touches a slot is named"
    same = client.post("/learn/vivid/first/2", data={"action": parse("left yellow")}).json()
    assert same == {"why": "In a game you might. Here, try what the guide asks for."}


def test_nothing_is_drawn_for_an_answer_that_the_lesson_would_draw_otherwise(client: TestClient) -> None:
    unseen = client.post("/learn/ptibapt/first/2", data={"action": load("ptibapt").actions.parse("turn d3")}).json()
    assert set(unseen) == {"why"}


def test_the_last_step_has_nothing_where_next_was(client: TestClient) -> None:
    last = client.get("/learn/vivid/first/21").text
    footer = last[last.index("guide-way") : last.index("</footer>")]
    assert "<a " not in footer, "a second press of Next would lead somewhere"
    assert 'id="do-leave"' in last and 'id="lesson-play"' in last


OWN = {  # what an owner's box may have otherwise
    "memoarrr": ("[1, 1, 2, 2, 2, 3, 4]", "[1, 1, 1, 2, 2, 3, 9]"),
    "ptibapt": ('name = "shoe"', 'name = "boot"'),
    "vivid": ('"combine", "speculate", "nudge", "swap"', '"swap", "nudge", "combine", "speculate"'),
    "dejavu": ('"cats-eye"', '"dogs-eye"'),
}


@pytest.mark.parametrize("game", games())
def test_with_an_owners_box_lessons_are_those_of_ours_and_the_house_is_open(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    steps = [f"/learn/{game}/{name}/{n + 1}" for name, lesson in lessons(load(game)).items() for n in range(len(lesson.steps))]
    before, text = client.get(steps[1]).text, (load(game).folder / "components.toml").read_text("utf-8")
    (tmp_path / "own.toml").write_text(text.replace(*OWN[game], 1), "utf-8")
    monkeypatch.setitem(shelf._own, game, load(game, tmp_path / "own.toml"))
    assert load(game).box != shelf.ours(load(game)).box and shelf.ours(load(game)).components is None
    for path in ("/", f"/new/{game}", f"/games/{game}/almanac", *steps):
        assert client.get(path).status_code == 200, path
    assert f"/new/{game}" in client.get("/").text and client.get(steps[1]).text == before
