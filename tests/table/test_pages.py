"""Pages over HTTP: both languages, setting a table, taking a seat, and what goes wrong."""

from __future__ import annotations

import gzip
import random
import re
from typing import Any

import pytest
from people import TestClient, Wire, links, open_table, take, visitor
from starlette.websockets import WebSocketDisconnect

from recollect.engine.shelf import games, load
from recollect.engine.stream import commitment
from recollect.engine.texts import LANGUAGES, flatten, read_texts
from recollect.table.render.prose import HERE, other_language
from recollect.table.web.forms import clean_name
from recollect.table.web.start import tell_apart

PAGES = ["/", "/about", "/credits", *(f"/new/{name}" for name in games())]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PAGES)
def test_every_page_speaks_both_languages(client: TestClient, path: str, language: str):
    answer = client.get(f"/language/{language}?back={path}")
    assert answer.status_code == 200 and answer.url.path == path
    assert f'<html lang="{language}">' in answer.text
    other = client.get(f"/language/{other_language(language)}?back={path}")
    assert other.text != answer.text


def test_the_table_says_the_same_things_in_both_languages():
    en, fr = (flatten(read_texts(HERE, language)._entries) for language in LANGUAGES)
    assert set(en) == set(fr)
    for key in en:
        slots = [set(re.findall(r"\{(\w+)\}", e if isinstance(e, str) else " ".join(e.values()))) for e in (en[key], fr[key])]
        assert slots[0] == slots[1], key


def test_the_browser_chooses_the_language_of_a_newcomer(client: TestClient):
    assert '<html lang="fr">' in client.get("/", headers={"accept-language": "fr-CH, en;q=0.5"}).text
    assert '<html lang="en">' in visitor(client).get("/", headers={"accept-language": "de"}).text


@pytest.mark.parametrize("back", ["//evil.example/", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_switching_the_language_leads_nowhere_else(client: TestClient, back: str):
    answer = client.get("/language/fr", params={"back": back}, follow_redirects=False)
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize("name", games())
def test_setting_a_table_asks_for_every_option(client: TestClient, name: str):
    html = client.get(f"/new/{name}").text
    for option in load(name).options:
        for choice in option.choices:
            assert f'name="{option.name}" id="{option.name}-{choice}" value="{choice}"' in html


@pytest.mark.parametrize("name", games())
def test_a_table_opens_for_every_game_and_shows_its_board(client: TestClient, name: str):
    id = open_table(client, name, seat1="bot:random", seat2="bot:random", seat3="bot:random")
    html = client.get(f"/t/{id}").text
    assert 'id="table"' in html and 'id="say"' in html
    with client.websocket_connect(f"/t/{id}/live") as socket:
        assert 'id="table"' in Wire(socket).hear()["html"]


def test_the_seal_is_published_before_the_first_move_and_the_seed_only_after_the_end(client: TestClient):
    id = open_table(client, seat1="bot:random")
    row = client.app.state.house.store.row(id)
    html = client.get(f"/t/{id}/verify").text
    assert commitment(row.seed) == row.seal and row.seal in html
    assert row.seed not in html and row.seed not in client.get(f"/t/{id}").text
    refused = client.get(f"/t/{id}/match.json")
    assert refused.status_code == 403 and row.seed not in refused.text and "Still sealed" in refused.text


def test_nothing_is_replayed_while_the_game_runs(client: TestClient):
    id = open_table(client, seat1="bot:random")
    answer = client.get(f"/t/{id}/replay/0")
    assert answer.status_code == 403 and "help to remember" in answer.text


def test_an_invitation_takes_nothing_until_the_button_is_pressed(client: TestClient):
    id = open_table(client, seat1="link")
    [link] = links(client, id)
    theo = visitor(client)
    assert "Mila invites you" in theo.get(link).text
    own = client.get(link).text
    assert "<h1>A seat for somebody else</h1>" in own and "your seat" not in own, "nobody invites themselves"
    assert client.app.state.house.store.row(id).chairs[1].person is None
    assert take(theo, link, "Théo").url.path == f"/t/{id}"
    assert [chair.name for chair in client.app.state.house.store.row(id).chairs] == ["Mila", "Théo"]


def test_a_seat_is_taken_once(client: TestClient):
    id = open_table(client, seat1="link")
    [link] = links(client, id)
    take(visitor(client), link, "Théo")
    late = take(visitor(client), link, "Zoé")
    assert "taken already" in late.text
    assert client.app.state.house.store.row(id).chairs[1].name == "Théo"
    assert "On another device" in visitor(client).get(link).text, "who took it elsewhere is told how it comes here"


def test_an_invitation_says_whose_it_is_and_that_a_table_is_full(client: TestClient):
    id = open_table(client, seat1="open")
    [link] = links(client, id)
    assert "for somebody else" in client.get(link).text and "for somebody else" not in visitor(client).get(link).text
    take(visitor(client), f"/t/{id}/join", "Théo")
    late = visitor(client).get(f"/t/{id}/join").text
    assert "Every seat is taken" in late and "This seat" not in late


def test_where_only_seats_by_link_are_left_nobody_is_told_that_all_are_taken(client: TestClient):
    id = open_table(client, players="3", seat1="open", seat2="link")
    take(visitor(client), f"/t/{id}/join", "Théo")
    late = visitor(client).get(f"/t/{id}/join").text
    assert "kept for whoever has the link" in late and "Every seat is taken" not in late


def test_what_was_refused_is_read_in_another_language_where_it_was_asked_for(client: TestClient):
    id = open_table(client, seat1="link")
    for referer, back in (("http://testserver/", "/"), (f"http://testserver/t/{id}", f"/t/{id}"), ("http://[bad", f"/t/{id}/close")):
        refused = visitor(client).post(f"/t/{id}/close", headers={"origin": "http://testserver", "referer": referer})
        assert refused.status_code == 403 and f'/language/fr?back={back}"' in refused.text


def test_a_table_that_cannot_go_on_calls_nobody_and_its_host_takes_it_away(client: TestClient):
    id, open = open_table(client, seat1="link"), open_table(client, seat1="open")
    theo = visitor(client)
    take(theo, links(client, id)[0], "Théo")
    client.app.state.house.store._write(("update tables set version = version - 1", ()))
    client.app.state.house.rooms._rooms = {}
    for who in (client, theo):
        page = who.get("/").text
        assert "It cannot go on" in page and "data-turn" not in page and (f"remove-{id}" in page) is (who is client)
    assert f"open-{open}" not in theo.get("/").text, "nobody is sent to one"
    assert theo.post(f"/t/{id}/close", headers={"origin": "http://testserver"}).status_code == 403
    client.post(f"/t/{id}/close", headers={"origin": "http://testserver"})
    assert f"table-{id}" not in client.get("/").text


def test_an_invitation_to_a_game_that_is_over_says_so(client: TestClient):
    id = open_table(client, seat1="link")
    [link] = links(client, id)
    take(visitor(client), link, "Théo")
    room, rng = client.portal.call(client.app.state.house.rooms.get, id), random.Random(1)

    async def played() -> None:
        while not room.match.over:
            seat = min(room.match.acting)
            room.play(seat, rng.choice(room.match.legal(seat)))
            await room.settled()

    client.portal.call(played)
    late = visitor(client).get(link).text
    assert "This game is over already." in late and "On another device" not in late


def test_only_the_host_sees_the_secret_links(client: TestClient):
    id = open_table(client, seat1="link")
    assert len(links(client, id)) == 1
    assert links(visitor(client), id) == []


def test_open_tables_are_listed_until_they_are_full(client: TestClient):
    id = open_table(client, seat1="open")
    theo = visitor(client)
    assert f"/t/{id}/join" in theo.get("/").text
    take(theo, f"/t/{id}/join", "Théo")
    assert f"/t/{id}/join" not in visitor(client).get("/").text
    assert f'href="/t/{id}"' in theo.get("/").text, "it is among one's own tables now"


def test_names_are_words_not_markup(client: TestClient):
    id = open_table(client, name0='<img src=x onerror="alert(1)">', seat1="bot:random")
    html = client.get(f"/t/{id}").text
    assert ("<img src=x" not in html and "onerror=&#34;" in html) or "onerror" not in html


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/t/nothere", "There is no such table"),
        ("/new/chess", "There is nothing here"),
        ("/nowhere", "There is nothing here"),
        ("/games/memoarrr/rules/__init__.py", "There is nothing here"),
    ],
)
def test_what_is_not_there_is_said_to_people(client: TestClient, path: str, said: str):
    answer = client.get(path)
    assert answer.status_code == 404 and said in answer.text and "Traceback" not in answer.text


def test_files_outside_the_game_folder_are_not_served(client: TestClient):
    for path in (
        "/games/memoarrr/../../table/app.py",
        "/games/memoarrr/%2e%2e/__init__.py",
        "/games/memoarrr/texts.en.toml",
        "/games/_template/rules/__init__.py",
    ):
        assert client.get(path).status_code == 404


def test_a_wrong_option_is_named(client: TestClient):
    answer = client.post("/new/memoarrr", data={"players": "9"}, headers={"origin": "http://testserver"})
    assert answer.status_code == 400 and "players" in answer.text and "2, 3, 4" in answer.text
    answer = client.post("/new/memoarrr", data={"seat1": "bot:nobody"}, headers={"origin": "http://testserver"})
    assert answer.status_code == 400 and "seat 2" in answer.text


def test_forms_of_other_sites_are_refused(client: TestClient):
    for headers in ({"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        answer = client.post("/new/memoarrr", data={"seat1": "bot:random"}, headers=headers)
        assert answer.status_code == 403
    assert client.app.state.house.store.of_person("") == [] and "No table yet" in client.get("/").text


def test_sockets_of_other_sites_are_refused(client: TestClient):
    id = open_table(client, seat1="bot:random")
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/t/{id}/live", headers={"origin": "http://evil.example"}):
        pass
    with client.websocket_connect("/t/nothere/live") as socket:
        assert socket.receive()["code"] == 4404


def test_too_large_a_form_is_refused(client: TestClient):
    answer = client.post("/new/memoarrr", data={"name0": "x" * 100_000}, headers={"origin": "http://testserver"})
    assert answer.status_code == 413 and "too much" in answer.text


def test_a_forged_cookie_is_nobody(client: TestClient):
    id = open_table(client, seat1="bot:random")
    stranger = visitor(client)
    stranger.cookies.set("recollect", client.cookies["recollect"][:-3] + "abc")
    assert 'id="watching"' in stranger.get(f"/t/{id}").text
    assert 'id="watching"' not in client.get(f"/t/{id}").text


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Zoé \n B ", "Zoé B"),
        ("\u202eevil\u202c", "evil"),
        ("A\u200bnna", "Anna"),
        ("\u200b\u2060\ufeff", ""),
        ("\u3164\u2800", ""),
        ("\u0301\ufe0f", ""),
        ("李", "李"),
    ],
)
def test_a_name_is_what_people_can_see(given: str, kept: str):
    assert clean_name(given) == kept


def test_strange_addresses_are_answered_and_break_nothing(client: TestClient):
    id = open_table(client, seat1="link")
    assert client.get(f"/t/{id}/join/é").status_code == 404
    answer = client.post("/name", data={"name": "x"}, headers={"origin": "http://[bad"})
    assert answer.status_code == 403
    page = client.get(f"/t/{id}", headers={"host": "h" * 4000})
    assert page.status_code == 200 and 'class="qr"' not in page.text


def test_the_host_closes_a_table_that_waits_and_nobody_else_does(client: TestClient):
    id = open_table(client, seat1="link")
    own = {"origin": "http://testserver"}
    stranger = visitor(client)
    assert "do-close" in client.get(f"/t/{id}").text and "do-close" not in stranger.get(f"/t/{id}").text
    assert stranger.post(f"/t/{id}/close", headers=own).status_code == 403
    assert client.post(f"/t/{id}/close", headers={"origin": "http://elsewhere"}).status_code == 403
    with stranger.websocket_connect(f"/t/{id}/live") as socket:
        wire = Wire(socket)
        wire.hear()
        assert client.post(f"/t/{id}/close", headers=own).url.path == "/"
        there = wire.answer("go")["go"]
        assert there == "/?closed" and "The host has closed the table" in stranger.get(there).text, "and it is said why one was sent away"
    assert "has closed the table" not in client.get("/").text
    assert client.get(f"/t/{id}").status_code == 404 and id not in client.get("/").text
    shared = open_table(client, seat1="link")
    take(visitor(client), links(client, shared)[0], "Ana")
    assert f"remove-{shared}" not in client.get("/").text
    assert client.post(f"/t/{shared}/close", headers=own).status_code == 403, "somebody else plays there"


def test_a_table_that_is_abandoned_can_be_removed_and_one_that_is_over_cannot(client: TestClient):
    own = {"origin": "http://testserver"}
    left, over = open_table(client, seat1="here"), open_table(client, "ptibapt", seat1="here", name1="Ana")
    with client.websocket_connect(f"/t/{over}/live") as socket:
        wire = Wire(socket)
        wire.hear()
        while 'class="end' not in wire.html:
            if wire.acts:
                wire.act(wire.acts[0])
            wire.hear()
    home = client.get("/").text
    assert f"remove-{left}" in home and f"remove-{over}" not in home
    assert re.search(r"(Mila|Ana) won|A draw", home) and re.search(r"\d+ : −?-?\d+", home), "who won, and by how much"
    assert client.post(f"/t/{left}/close", headers=own).url.path == "/" and left not in client.get("/").text
    assert client.post(f"/t/{over}/close", headers=own).status_code == 403


def test_whom_nobody_has_named_is_called_so_in_the_guests_own_language(client: TestClient):
    id = open_table(client, seat1="link")
    guest = visitor(client)
    invited = guest.get(links(client, id)[0], headers={"accept-language": "fr"}).text
    assert "Player 2" not in invited and re.search(r'id="name" name="name" value=""', invited)
    nameless = visitor(client)
    id = open_table(nameless, name0="", seat1="open")
    french = {"accept-language": "fr"}
    for path in ("/", f"/t/{id}/join"):
        assert "Joueur 1 vous invite" in visitor(client).get(path, headers=french).text, "nor is a host"
    assert '<span aria-hidden="true">2</span>' in visitor(client).get(f"/t/{id}/join").text, "the number that the seat wears, not a letter"


def test_tables_that_look_alike_say_since_when_they_stand(client: TestClient):
    open_table(client, seat1="link", name1="Ana")
    assert "<time" not in client.get("/").text
    open_table(client, seat1="link", name1="Ana")
    assert client.get("/").text.count("<time") == 2
    now = client.app.state.house.now()
    alike: list[dict[str, Any]] = [{"game": "vivid", "names": ["Théo"], "begun": now - ago} for ago in (0, 3 * 86400)]
    tell_apart(alike, "fr", now)
    said = [table["since"] for table in alike]
    assert re.fullmatch(r"depuis \d\d:\d\d", said[0]) and re.fullmatch(r"depuis le \d+ \w+\.? \d\d:\d\d", said[1]), said


def test_who_waits_and_who_is_invited_read_what_was_agreed_who_plays_and_the_rules(client: TestClient):
    id = open_table(client, "memoarrr", players="3", mode="expert", seat1="link", seat2="bot:goldfish")
    lobby, guest = client.get(f"/t/{id}").text, visitor(client)
    invited = guest.get(links(client, id)[0]).text
    t = load("memoarrr").texts("en")
    for page in (lobby, invited):
        agreed = dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", page))
        assert agreed[t("options.mode.label")] == t("options.mode.expert") and t("options.players.label") not in agreed
        assert "Goldfish" in page and 'id="rules"' in page and "Pace" not in agreed


@pytest.mark.parametrize(("follows", "then"), [("ask", "The host decides"), ("give_up", "The seat is lost")])
def test_who_waits_and_who_is_invited_read_how_long_a_turn_may_take_and_what_follows(client: TestClient, follows: str, then: str):
    id = open_table(client, "ptibapt", seat1="link", turn="86400", follows=follows, chat="yes")
    guest = visitor(client)
    for page in (client.get(f"/t/{id}").text, guest.get(links(client, id)[0]).text):
        agreed = re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", page)
        assert agreed[:3] == [("Pace", "1 day a turn"), ("When time is up", then), ("Free chat", "Yes")]


def test_a_link_for_nobody_in_particular_is_sent_to_somebody(client: TestClient):
    id = open_table(client, players="3", seat1="link", seat2="link", name2="Théo")
    page = client.get(f"/t/{id}").text
    assert "Send this link to somebody, or" in page and "Send this link to Théo, or" in page and "Send this link to Player" not in page


@pytest.mark.parametrize("path", ["/", "/new/ptibapt", "/t/{id}", "/static/kit.css", "/static/table.js", "/games/vivid/vignette.svg"])
def test_what_is_sent_is_packed_and_the_same_when_unpacked(client: TestClient, path: str):
    path = path.format(id=open_table(client, "vivid", seat1="here"))
    plain = client.get(path, headers={"accept-encoding": "identity"})
    with client.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
        sent = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert gzip.decompress(sent) == plain.content and len(sent) < len(plain.content) * 0.6
    assert "accept-encoding" in answer.headers["vary"].lower() and answer.headers["x-content-type-options"] == "nosniff"


def test_what_is_packed_already_is_sent_as_it_is(client: TestClient):
    answer = client.get("/static/fraunces-latin-wght-normal.woff2", headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200 and "content-encoding" not in answer.headers


@pytest.mark.parametrize("path", ["/static/table.js", "/games/vivid/table.css", "/games/vivid/vignette.svg"])
def test_a_file_that_a_browser_has_is_not_sent_again(client, path):
    first = client.get(path)
    again = client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert first.status_code == 200 and again.status_code == 304 and not again.content
    assert client.get(path, headers={"if-none-match": '"another"'}).content == first.content


def test_a_file_name_without_end_is_no_file(client):
    assert client.get("/games/memoarrr/" + "a" * 5000 + ".css").status_code == 404


def test_an_option_that_so_few_players_cannot_choose_is_not_offered_and_never_leads_to_an_error(client: TestClient):
    html = client.get("/new/dejavu").text
    assert "form:has(#players-2:checked) #pick-speed { display: none; }" in html
    assert "form:has(#players-3:checked) #pick-speed" not in html
    open_table(client, "dejavu", players="2", speed="True")  # as sent by a page without its script


def test_who_sits_where_begins_with_a_capital_and_the_host_wears_their_own_letter(client: TestClient):
    open_table(client)
    page = client.get("/new/memoarrr").text
    seats, summary = page.split('class="summary"')
    assert "Someone by link</span>" in seats and "someone by link</span>" in summary
    assert re.search(r'class="panel seat-row seat-row-0".*?class="avatar"[^>]*>M</span>', seats, re.S)


def test_who_invites_and_sits_nowhere_is_not_called_by_the_seat_of_somebody_else(client: TestClient):
    id = open_table(client, seat0="link", seat1="open")
    link, theo = links(client, id)[0], visitor(client)
    for where in (link, f"/t/{id}/join", "/"):
        page = theo.get(where).text
        assert "Somebody invites" in page and "Player 1 invites" not in page, where
