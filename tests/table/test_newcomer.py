"""What somebody new to the house meets: a name already filled in, a gentle companion, French set as in print."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from people import TestClient, links, open_table, visitor

import recollect
from recollect.engine.lesson import lessons
from recollect.engine.shelf import games, load
from recollect.engine.texts import flatten
from recollect.table.render.prose import ui_texts

SRC = Path(recollect.__file__).parent


def test_an_invitation_knows_the_name_that_the_host_gave(client: TestClient):
    named = links(client, open_table(client, players="2", seat1="link", name1="Théo"))[0]
    assert 'value="Théo"' in visitor(client).get(named).text
    nameless = links(client, open_table(client, players="2", seat1="link"))[0]
    assert re.search(r'id="name"[^>]* value=""', visitor(client).get(nameless).text), "nobody is called Player 2"


def test_who_gives_no_name_is_asked_again(client: TestClient):
    open_table(client, "vivid", players="2", seat1="bot:goldfish", name0="")
    assert re.search(r'id="name"[^>]* value=""', client.get("/").text), "nobody is called Player 1 ever after"
    open_table(client, "vivid", players="2", seat1="bot:goldfish", name0="Noor")
    open_table(client, "vivid", players="2", seat1="bot:goldfish", name0="")
    assert 'value="Noor"' in client.get("/").text


@pytest.mark.parametrize("game", games())
def test_the_companion_proposed_is_not_the_strongest(client: TestClient, game: str):
    html = client.get(f"/new/{game}").text
    chosen = re.findall(r'name="seat1"[^>]* value="([^"]+)" checked', html)
    assert chosen in ([], ["bot:parrot"], ["bot:sensible"])


def test_who_comes_from_a_lesson_is_offered_the_goldfish_and_no_lesson_again(client: TestClient):
    last = client.get("/learn/ptibapt/first/14").text
    html = client.get(re.search(r'id="lesson-play" href="([^"]+)"', last)[1]).text
    assert re.findall(r'name="seat1"[^>]* value="([^"]+)" checked', html) == ["bot:goldfish"]
    assert "/learn/ptibapt/bonus" in html and "Learn it first (" not in html and "Well learnt" in html


@pytest.mark.parametrize(
    ("lesson", "chosen"), [("ptibapt/alone", "players-1"), ("ptibapt/bonus", "bonus-True"), ("memoarrr/expert", "mode-expert")]
)
def test_after_a_further_lesson_the_table_is_set_for_what_was_learnt(client: TestClient, lesson: str, chosen: str):
    game, name = lesson.split("/")
    last = client.get(f"/learn/{lesson}/{len(lessons(load(game))[name].steps)}").text
    html = client.get(re.search(r'id="lesson-play" href="([^"]+)"', last)[1]).text
    assert re.search(rf'id="{chosen}"[^>]* checked', html) and f'href="/learn/{lesson}"' not in html
    usual = client.get(f"/new/{game}").text
    assert not re.search(rf'id="{chosen}"[^>]* checked', usual)
    folded = [re.findall(r'name="(?:greens|reds|golds)"[^>]* value="(\d+)" checked', page) for page in (html, usual)]
    assert folded[0] == folded[1], "a lesson's small table is for the lesson"


def test_no_step_of_a_lesson_says_that_memory_is_full_when_it_is_empty(client: TestClient):
    for lesson, step in (("first", 8), ("first", 12), ("awakening", 4)):
        html = client.get(f"/learn/dejavu/{lesson}/{step}").text
        assert "Short-term memory is full" not in html and "short-term" in html.lower()


def test_no_step_of_a_lesson_asks_for_a_button_that_is_not_there(client: TestClient):
    for step in range(1, len(lessons(load("vivid"))["first"].steps) + 1):
        html = client.get(f"/learn/vivid/first/{step}").text
        assert "press <b>" not in html[html.index('id="say"') : html.index('id="buttons"')] or 'id="do-done"' in html, step


@pytest.mark.parametrize(("mine", "automa", "rank", "says"), [(3, 99, 2, "House automa won"), (99, 3, 1, "You won")])
def test_alone_the_list_says_who_won_and_the_automa_has_its_place_among_old_games(client, mine, automa, rank, says):
    house, id = client.app.state.house, open_table(client, "vivid", players="1")
    result = {"scores": [mine], "ranking": [rank], "points": {}, "decided": "points", "house": [{"score": automa, "rank": 3 - rank}]}
    house.store._write(("update tables set result = ?, version = version + 1", (json.dumps(result),)))
    house.rooms._rooms = {}
    row = client.get("/").text.split(f'id="table-{id}"')[1].split("</li>")[0]
    assert says in row and "99 : 3" in row
    ranks = re.findall(r'<b class="no">(\d)</b><strong>([^<]+)</strong><span class="sum">(\d+)', client.get(f"/t/{id}").text)
    assert ranks == sorted([(str(rank), "Mila", str(mine)), (str(3 - rank), "House automa", str(automa))])


def test_a_walk_alone_is_finished_and_nobody_won(client: TestClient):
    id = open_table(client, "ptibapt", players="1")
    result = json.dumps({"scores": [3], "ranking": [1], "points": {}, "decided": "points"})
    client.app.state.house.store._write(("update tables set result = ?", (result,)))
    row = client.get("/").text.split(f'id="table-{id}"')[1].split("</li>")[0]
    assert "Finished" in row and "won" not in row


def test_a_shared_table_is_not_called_alone(client: TestClient):
    open_table(client, players="2", seat1="here", name1="Théo")
    html = client.get("/").text
    assert "2 players at this screen" in html and ">alone<" not in html


@pytest.mark.parametrize("where", ["table", *games()])
def test_french_is_set_as_in_print(where: str):
    texts = ui_texts("fr") if where == "table" else load(where).texts("fr")
    for key, entry in flatten(texts._entries).items():
        for text in [entry] if isinstance(entry, str) else entry.values():
            assert "'" not in text, key
            assert not re.search(r" [:;!?»]", text), key
            assert not re.search(r"\b(de|que|ne|se) \*?\{(name|at|game)\}", text), f"{key}: of somebody called Ana, of Orion"


@pytest.mark.parametrize("file", sorted(str(file.relative_to(SRC)) for file in SRC.rglob("texts.*.toml")))
def test_apostrophes_are_curly(file: str):
    for key, entry in flatten(tomllib.loads((SRC / file).read_text("utf-8"))).items():
        for text in [entry] if isinstance(entry, str) else entry.values():
            assert "'" not in str(text), key
