"""Words at a table, the live list of the start page, how an invitation looks, and a seat that moves to another device."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import segno
from people import TestClient, Wire, links, open_table, take, visitor
from starlette.websockets import WebSocketDisconnect

from recollect.engine.match import Match
from recollect.engine.shelf import load
from recollect.table.limits import PAGES, PAGES_FROM_ONE_PLACE
from recollect.table.live.words import AT_ONCE, EMOTES, LONGEST, PHRASES, written
from recollect.table.render.page import STATIC
from recollect.table.render.prose import ui_texts
from recollect.table.store.beside import Aside
from recollect.table.web.forms import clean_name


def two(client: TestClient, **form: str) -> tuple[str, TestClient]:
    """Mila's table with Théo, who speaks French; Mila is first."""
    id = open_table(client, **{"first": "first_seat", "seat1": "link", **form})
    theo = visitor(client)
    theo.get("/language/fr")
    take(theo, links(client, id)[0], "Théo")
    return id, theo


def hears(wire: Wire, text: str, where: str = "panel") -> str:
    for _ in range(60):
        said = json.dumps(wire.answer("company")["company"][where], ensure_ascii=False)
        if text in said:
            return said
    raise AssertionError(text)


# -- words


def test_everybody_reads_a_phrase_in_their_own_language(client: TestClient):
    id, theo = two(client)
    with client.websocket_connect(f"/t/{id}/live") as a, theo.websocket_connect(f"/t/{id}/live") as b:
        mila, other = Wire(a), Wire(b)
        mila.send(do="say", what="well")
        hears(mila, "Well played!", "said")
        hears(other, "Bien joué\u00a0!", "said")
        mila.send(do="say", what="heart")
        hears(other, "#e-heart", "said")
    with theo.websocket_connect(f"/t/{id}/live") as b:
        assert "Bien joué\u00a0!" in hears(Wire(b), "Mila"), "who was away reads it on coming back"


def test_every_word_is_in_both_languages_and_drawn():
    sprite = (STATIC / "kit.svg").read_text()
    for language in ("en", "fr"):
        ui = ui_texts(language)
        assert all(ui(f"words.phrase.{word}") for word in PHRASES) and all(ui(f"words.emote.{emote}") for emote in EMOTES)
    assert all(f'id="e-{emote}"' in sprite for emote in EMOTES)


def test_in_french_what_one_is_asked_to_do_is_not_torn_at_its_hyphen():
    words = (STATIC.parent / "texts.fr.toml").read_text("utf-8")
    assert not re.findall(r"\w+ez-(?:en|y|la|le|les|lui|moi)\b", words), "Fermez-, and on the next line: en"


def test_nothing_else_can_be_said_where_there_is_no_chat(client: TestClient):
    id, _theo = two(client)
    with client.websocket_connect(f"/t/{id}/live") as a, visitor(client).websocket_connect(f"/t/{id}/live") as c:
        mila, stranger = Wire(a), Wire(c)
        mila.send(do="say", what="buy my coins")
        assert "Only the words" in mila.answer("why")["why"]
        stranger.send(do="say", what="well")
        assert "watching" in stranger.answer("why")["why"]
    assert client.app.state.house.store.asides(id) == []


def test_chat_is_escaped_short_and_slow_and_holds_up_nothing(client: TestClient):
    id, theo = two(client, chat="yes")
    with client.websocket_connect(f"/t/{id}/live") as a, theo.websocket_connect(f"/t/{id}/live") as b:
        mila, other = Wire(a), Wire(b)
        mila.page("island")
        mila.send(do="say", what="<img src=x onerror=alert(1)> & \u202egnp\u0000" + "x" * 500)
        said = hears(other, "&lt;img")
        assert "<img src=x" not in said and "\u202e" not in said
        [aside] = client.app.state.house.store.asides(id)
        assert aside.kind == "wrote" and len(aside.what) == LONGEST
        for _ in range(int(AT_ONCE) + 2):
            mila.send(do="say", what="well")
        assert "lot of words" in mila.answer("why")["why"]
        assert len(client.app.state.house.store.asides(id)) <= AT_ONCE
        assert "why" not in mila.act(mila.acts[0]), "who talks too much can still play"
    assert written("  \t ") == "" and written("a\u200bb") == "ab"


# -- the start page


def door(client: TestClient) -> dict[str, str]:
    return {"origin": str(client.base_url).rstrip("/")}


def test_the_list_of_the_start_page_is_told_when_it_is_my_turn(client: TestClient):
    id, theo = two(client)
    with theo.websocket_connect("/live", headers=door(theo)) as hall, client.websocket_connect(f"/t/{id}/live") as a:
        first = json.loads(hall.receive_text())
        assert first["turns"] == {} and "À Mila de jouer" in first["mine"]
        mila = Wire(a)
        mila.page("island")
        while not client.portal.call(lambda: 1 in client.app.state.house.rooms._rooms[id].moment.players):
            mila.act(mila.acts[0])
            mila.hear()
        told: dict = {}
        while not told.get("turns"):
            told = json.loads(hall.receive_text())
        assert told["turns"] == {id: "Memoarrr!"} and f'data-turn="{id}"' in told["mine"] and "À vous de jouer" in told["mine"]


def told(hall: Any, *, key: str, until: Callable[[Any], bool]) -> Any:
    """What the start page is told, once it is so."""
    for _ in range(60):
        message = json.loads(hall.receive_text())
        if key in message and until(message[key]):
            return message[key]
    raise AssertionError(key)


def test_the_list_of_open_tables_is_told_as_it_changes(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.live.hall.ANYWAY", 600.0)
    ana, theo = visitor(client), visitor(client)
    for who in (ana, theo):
        who.get("/")
    with ana.websocket_connect("/live", headers=door(ana)) as hall:
        told(hall, key="open", until=lambda html: "/join" not in html)
        id = open_table(client, seat1="open")
        there = f'href="/t/{id}/join"'
        assert "Mila" in told(hall, key="open", until=lambda html: there in html)
        theo.post(f"/t/{id}/join", data={"name": "Théo"}, headers=door(theo))
        told(hall, key="open", until=lambda html: there not in html)
    with ana.websocket_connect("/live", headers=door(ana)) as hall:
        id = open_table(client, seat1="open", seat2="link", players="3")
        there = f'href="/t/{id}/join"'
        told(hall, key="open", until=lambda html: there in html)
        with client.websocket_connect(f"/t/{id}/live") as a:
            Wire(a).send(do="fill", seat=1, mind="parrot")
            told(hall, key="open", until=lambda html: there not in html)
        id = open_table(client, seat1="open")
        told(hall, key="open", until=lambda html: id in html)
        client.post(f"/t/{id}/close", headers=door(client))
        told(hall, key="open", until=lambda html: id not in html)


def test_a_seat_that_anyone_may_take_can_be_left_and_is_listed_again(client: TestClient):
    id, theo = open_table(client, seat1="open", seat2="link", players="3"), visitor(client)
    theo.post(f"/t/{id}/join", data={"name": "Théo"}, headers=door(theo))
    assert f"/t/{id}/join" not in visitor(client).get("/").text
    with theo.websocket_connect(f"/t/{id}/live") as b:
        wire = Wire(b)
        wire.send(do="fill", seat=1)
        wire.page("lobby-1")
        while "Théo" in wire.html:
            wire.hear()
    assert f"/t/{id}/join" in visitor(client).get("/").text


def test_who_offers_a_rematch_is_told_that_somebody_would_rather_not(client: TestClient):
    id, theo = finished(client)
    with client.websocket_connect(f"/t/{id}/live") as a, theo.websocket_connect(f"/t/{id}/live") as b:
        mila, other = Wire(a), Wire(b)
        other.send(do="decline")
        assert "why" in other.answer("why"), "nothing is offered yet"
        mila.page("do-rematch")
        mila.send(do="rematch", n=mila.n, id=7)
        there = mila.answer("go")["go"]
        hears(other, "do-decline", "tells")
        with client.websocket_connect(f"{there}/live") as c:
            waiting = Wire(c)
            other.send(do="decline")
            assert "Théo would rather not play again." in hears(waiting, "declined-1", "tells")
            lobby = waiting.page("Waiting for players")
            assert "Waiting for Théo" not in lobby and "Send this link to somebody else" in lobby, "he is expected no longer"
        for _ in range(60):
            if "rematch-offer" not in other.answer("company")["company"]["tells"]:
                break
        else:
            raise AssertionError("the offer is still there")


@pytest.mark.parametrize("how", ["fill", "close"])
def test_a_rematch_that_goes_on_without_somebody_is_offered_to_them_no_longer(client: TestClient, how: str):
    id, theo = finished(client)
    with client.websocket_connect(f"/t/{id}/live") as a, theo.websocket_connect(f"/t/{id}/live") as b:
        mila, other = Wire(a), Wire(b)
        mila.page("do-rematch")
        mila.send(do="rematch", n=mila.n, id=7)
        there = mila.answer("go")["go"]
        hears(other, "do-accept", "tells")
        if how == "close":
            client.post(f"{there}/close", headers=door(client))
        else:
            with client.websocket_connect(f"{there}/live") as c:
                waiting = Wire(c)
                waiting.page("Waiting for")
                waiting.send(do="fill", seat=1, mind="parrot")
                assert "do-accept" not in hears(other, there, "tells"), "they may watch it"
                return
        for _ in range(60):
            if "rematch-offer" not in other.answer("company")["company"]["tells"]:
                break
        else:
            raise AssertionError("the offer is still there")


def test_a_draw_is_called_so_in_the_list_of_tables_and_on_ones_own_page(client: TestClient):
    id, theo = finished(client)
    store = client.app.state.house.store
    for ranking, (mila, his) in (([1, 2], ("You won", "Mila a gagné")), ([1, 1], ("A draw", "À égalité"))):
        store.write([("update tables set result = ? where id = ?", (json.dumps({"scores": [0, 0], "ranking": ranking, "points": {}}), id))])
        assert mila in client.get("/").text and his in theo.get("/").text
    assert "a draw, 0 points" in client.get("/me").text


def test_who_has_left_the_page_of_the_end_is_offered_the_rematch_in_the_list_of_tables(client: TestClient):
    id, theo = finished(client)
    with theo.websocket_connect("/live", headers=door(theo)) as hall, client.websocket_connect(f"/t/{id}/live") as a:
        assert json.loads(hall.receive_text())["decide"] == {}
        mila = Wire(a)
        mila.page("do-rematch")
        mila.send(do="rematch", n=mila.n, id=7)
        offered = "Mila propose une revanche"
        assert told(hall, key="decide", until=bool) == {id: f"{offered} · Memoarrr!"}, "it calls"
        row = re.search(rf'<li id="table-{id}".*?</li>', theo.get("/").text, re.DOTALL)[0]  # type: ignore[index]
        assert offered in row and f'data-turn="{id}"' in row, "somebody waits for an answer"
        assert offered not in client.get("/").text
        with theo.websocket_connect(f"/t/{id}/live") as b:
            other = Wire(b)
            assert other.answer("company")["company"]["ask"] == offered, "at the table it calls, too"
            other.send(do="decline")
            assert told(hall, key="decide", until=lambda calls: not calls) == {}
    assert offered not in theo.get("/").text


def finished(client: TestClient, **form: str) -> tuple[str, TestClient]:
    """Mila's and Théo's game, played to its end."""
    id, theo = two(client, **form)
    store, game = client.app.state.house.store, load("memoarrr")
    row, rng = store.row(id), random.Random(1)
    match = Match(game, game.settle(row.options), row.seed)
    while not match.over:
        seat = min(match.acting)
        match.play(seat, rng.choice(match.legal(seat)))
    room = client.portal.call(client.app.state.house.rooms.get, id)
    client.portal.call(room.drop)
    at = store.added(id, 0, match.log, [], {"scores": [0] * match.players, "ranking": [*range(1, match.players + 1)]})
    store.write([*at, *store.shown(id, [*range(match.players)], 10**6)])
    return id, theo


@pytest.mark.parametrize("lost", [False, True])
def test_who_was_away_until_the_end_is_told_who_played(client: TestClient, lost: bool):
    id, theo = finished(client)
    store = client.app.state.house.store
    person = store.row(id).chairs[1].person
    if lost:
        seat = store.sat(id, 1, kind="bot", mind="parrot", person=None, name="Parrot")
        store.write([*store.aside(id, Aside(0, 0.0, 1, "lost", "Théo")), *seat, *store.lost(id, 1, person)])
    else:
        store.write(store.sat(id, 1, mind="parrot"))
    told = tells(theo, id)
    assert ("Perroquet a pris votre place" if lost else "Perroquet a joué pour vous entre-temps") in told
    assert ("Votre temps était écoulé." if lost else "La partie s’est terminée en votre absence.") in told
    assert "Parrot" not in tells(client, id)


def test_where_two_share_a_screen_it_is_said_for_whom_a_companion_played_to_the_end(client: TestClient):
    id, _theo = finished(client, players="3", seat1="here", name1="Nour", seat2="link")
    store = client.app.state.house.store
    store.write(store.sat(id, 1, mind="parrot"))
    told = tells(client, id)
    assert "Parrot played for Nour meanwhile" in told and "The game ended while Nour was away." in told and " you" not in told


def test_the_start_pages_connection_has_the_limits_of_others(client: TestClient):
    def closed(who: TestClient, **headers: str) -> int:
        with who.websocket_connect("/live", headers={**door(who), **headers}) as hall:
            for _ in range(60):
                hall.send_text("hello")
            message = hall.receive()
            while message["type"] != "websocket.close":
                message = hall.receive()
            return int(message["code"])

    client.get("/")
    assert closed(client) == 4429, "it has nothing to say"
    with pytest.raises(WebSocketDisconnect) as refused:
        closed(client, origin="http://elsewhere")
    assert refused.value.code == 4403
    assert closed(visitor(client)) == 4403, "who keeps no cookie is told so, or the page would try again for ever"
    person = client.app.state.house.signer.loads(client.cookies["recollect"])["p"]
    client.app.state.house.visits.open[f"person {person}"] = PAGES
    assert closed(client) == 4429


@pytest.mark.parametrize("path", ["/live", "/t/{id}/live"])
def test_a_page_too_many_is_told_why(client: TestClient, path: str):
    id = open_table(client)
    visits, person = client.app.state.house.visits, client.app.state.house.signer.loads(client.cookies["recollect"])["p"]
    many = (f"person {person}", "more than 40 pages"), ("place testclient", "from where you are")
    for key, words in many:
        visits.open[key] = PAGES_FROM_ONE_PLACE
        with client.websocket_connect(path.format(id=id), headers=door(client)) as socket:
            assert words in json.loads(socket.receive_text())["full"]
            assert socket.receive()["code"] == 4429
        assert visits.open.pop(key) == PAGES_FROM_ONE_PLACE, "who was turned away is not counted, nor counted out"


def test_a_page_of_a_table_that_is_gone_hears_so(client: TestClient):
    """A browser is told the reason only through an open door; else it would try again for ever."""
    with client.websocket_connect("/t/nowhere/live", headers=door(client)) as socket:
        assert socket.receive()["code"] == 4404


# -- an invitation, an app


def test_an_invitation_looks_like_one_where_it_is_pasted(client: TestClient):
    id = open_table(client, seat1="link")
    link = links(client, id)[0]
    for language, title in (("en", "Mila invites you: Memoarrr!"), ("fr", "Mila vous invite\u00a0: Memoarrr!")):
        page = visitor(client).get(link, headers={"accept-language": language}).text
        assert f'property="og:title" content="{title}"' in page and 'property="og:description" content="Mila' in page
        picture = re.search(r'property="og:image" content="http://testserver(/[^"]+)"', page)[1]  # type: ignore[index]
        got = client.get(picture)
        assert got.headers["content-type"] == "image/jpeg" and got.content[:2] == b"\xff\xd8"
    assert link.rsplit("/", 1)[1] not in re.sub(r"<form.*", "", page.split("</head>")[0]), "the secret is not told to who reads the card"


def test_the_site_can_be_installed(client: TestClient):
    page = client.get("/").text
    told = client.get(re.search(r'rel="manifest" href="([^"]+)"', page)[1]).json()  # type: ignore[index]
    assert told["start_url"] == "/" and told["display"] == "standalone"
    for icon in told["icons"]:
        content = client.get(icon["src"]).content
        width = int.from_bytes(content[16:20], "big")
        assert content[:4] == b"\x89PNG" and f"{width}x{width}" == icon["sizes"]
    script = client.get("/service.js")
    assert script.headers["content-type"].startswith("text/javascript")
    kept = json.loads(re.search(r"KEPT = (\[.*?\])", script.text)[1].replace("PAGE", '"/offline"'))  # type: ignore[index]
    assert all(client.get(path).status_code == 200 for path in kept), "or nothing would be kept at all"
    assert not any(path.startswith(("/t/", "/games")) for path in kept), "nothing of a game is kept"
    assert "You are offline" in client.get("/offline").text and "hors ligne" in client.get("/offline").text


def test_an_invitation_speaks_the_language_of_who_made_it_where_it_is_pasted(client: TestClient):
    """Who reads a link to draw its card asks for no language; people do."""
    id = open_table(client, seat1="link")
    client.get("/language/fr")
    link = links(client, id)[0]
    assert "Mila vous invite\u00a0: Memoarrr!" in visitor(client).get(link).text
    assert "Mila invites you: Memoarrr!" in visitor(client).get(link, headers={"accept-language": "en-GB"}).text


def test_the_manifest_speaks_the_language_that_was_chosen(client: TestClient):
    page = client.get("/language/fr?back=/").text
    assert 'rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials"' in page, "or the browser asks for it as a stranger"
    assert client.get("/manifest.webmanifest", headers={"accept-language": "en"}).json()["lang"] == "fr"


# -- codes that a phone reads


def coded(page: str) -> list[set[tuple[int, int]]]:
    """The dark squares of each code on a page."""
    paths = re.findall(r'<svg class="qr".*?<path d="([^"]+)"', page)
    return [{(int(x), int(y)) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path)} for path in paths]


def code_of(link: str) -> set[tuple[int, int]]:
    rows = segno.make_qr(link, error="l").matrix
    return {(x, y) for y, row in enumerate(rows) for x, dark in enumerate(row) if dark}


def test_codes_in_the_lobby_are_those_of_its_links(client: TestClient):
    id = open_table(client, players="3", seat1="link", seat2="link")
    invited = [f"http://testserver{link}" for link in links(client, id)]
    assert len(invited) == 2 and coded(client.get(f"/t/{id}").text) == [code_of(link) for link in invited]
    assert coded(visitor(client).get(f"/t/{id}").text) == [], "only the host invites"


def test_the_code_that_carries_a_seat_is_that_of_its_link(client: TestClient):
    id, _theo = two(client)
    page = client.get(f"/t/{id}/carry").text
    [link] = re.findall(r'value="(http://testserver/t/[^"]+/carry/[^"]+)"', page)
    assert coded(page) == [code_of(link)]


# -- another device


def test_a_seat_moves_to_another_device_once_and_when_the_button_is_pressed(client: TestClient, tmp_path: Path):
    id, _theo = two(client)
    phone, store = visitor(client), client.app.state.house.store
    page = client.get(f"/t/{id}/carry").text
    link = re.search(r'value="http://testserver(/t/[^"]+/carry/[^"]+)"', page)[1]  # type: ignore[index]
    before = store.row(id)
    assert "Play on here as Mila?" in phone.get(link).text and store.row(id).chairs == before.chairs
    assert phone.head(link).status_code == 200 and store.row(id).chairs == before.chairs, "nor by who only asks after the link"
    assert "island" in phone.post(link, headers={"origin": "http://testserver"}).text
    row = store.row(id)
    assert row.chairs[0].person not in (None, before.chairs[0].person) and row.host == row.chairs[0].person
    assert row.chairs[1].person == before.chairs[1].person
    assert 'id="watching"' in client.get(f"/t/{id}").text, "at the first device one watches"
    assert "Your seat is on another device" in tells(client, id) and "<b>On another device</b>" in tells(client, id)
    assert "&lt;" not in tells(client, id), "the sign of the panel is drawn, not spelt out"
    for other in (phone, _theo, visitor(client)):
        assert "another device" not in tells(other, id), "said where the seat was, and nowhere else"
    assert "no longer good" in visitor(client).get(link).text
    assert client.get(f"/t/{id}/carry").status_code == 404, "who sits nowhere carries nothing"
    assert "You have no seat at this table" in client.get(f"/t/{id}/carry").text


def tells(who: TestClient, id: str) -> str:
    """What somebody who opens a table is told over its board."""
    with who.websocket_connect(f"/t/{id}/live") as socket:
        return str(Wire(socket).answer("company")["company"]["tells"])


def test_a_used_link_is_not_good_again_when_the_seat_comes_back(client: TestClient):
    id, _theo = two(client)
    phone, stranger, origin = visitor(client), visitor(client), {"origin": "http://testserver"}

    def link(who: TestClient) -> str:
        return re.search(r'value="http://testserver(/t/[^"]+/carry/[^"]+)"', who.get(f"/t/{id}/carry").text)[1]  # type: ignore[index]

    there = link(client)
    phone.post(there, headers=origin)
    client.post(link(phone), headers=origin)
    assert client.get(f"/t/{id}/carry").status_code == 200, "the seat is at the first device again"
    assert "another device" not in tells(client, id) and "another device" in tells(phone, id)
    assert stranger.post(there, headers=origin).status_code == 410
    assert client.get(f"/t/{id}/carry").status_code == 200


def test_a_link_to_a_seat_is_good_for_an_hour_and_for_its_table(client: TestClient):
    id, _ = two(client)
    other = open_table(client, seat1="link")
    link = re.search(r"/carry/([^\"]+)\"", client.get(f"/t/{id}/carry").text)[1]  # type: ignore[index]
    phone = visitor(client)
    assert phone.get(f"/t/{id}/carry/{link}").status_code == 200
    assert phone.get(f"/t/{other}/carry/{link}").status_code == 410
    assert phone.get(f"/t/{id}/carry/{link[:-2]}xx").status_code == 410
    house = client.app.state.house
    house.now = lambda now=house.now: now() + 3601
    assert phone.get(f"/t/{id}/carry/{link}").status_code == 410


def test_of_several_who_carry_a_seat_at_once_one_has_it_and_the_others_are_told(client: TestClient):
    id, _theo = two(client)
    link = re.search(r'value="http://testserver(/t/[^"]+/carry/[^"]+)"', client.get(f"/t/{id}/carry").text)[1]  # type: ignore[index]

    async def at_once() -> list[int]:
        devices = [httpx.AsyncClient(transport=httpx.ASGITransport(client.app), base_url="http://testserver") for _ in range(3)]
        answers = await asyncio.gather(*(device.post(link, headers={"origin": "http://testserver"}) for device in devices))
        return [answer.status_code for answer in answers]

    assert sorted(client.portal.call(at_once)) == [303, 410, 410]  # type: ignore[union-attr]
    assert [aside.kind for aside in client.app.state.house.store.asides(id)].count("carried") == 1


# -- preferences that the table must know


def test_companions_take_the_time_that_the_most_patient_player_likes(client: TestClient):
    id, theo = two(client)
    with (
        client.websocket_connect(f"/t/{id}/live") as a,
        theo.websocket_connect(f"/t/{id}/live") as b,
        visitor(client).websocket_connect(f"/t/{id}/live") as c,
    ):
        wires = Wire(a), Wire(b), Wire(c)
        for wire, liked in zip(wires, ("brisk", "usual", "unhurried"), strict=True):
            wire.send(do="leisure", companions=liked)
            wire.send(do="leisure", companions="by magic")
            assert "by magic" in wire.answer("why")["why"], "and nothing else is understood"
        leisure = client.app.state.house.rooms.there(id).company.leisure
        assert client.portal.call(leisure) == 1.0, "who only watches has no say"
        wires[1].send(do="leisure", companions="brisk")
        wires[1].send(do="leisure", companions="by magic")
        wires[1].answer("why")
        assert client.portal.call(leisure) == 0.4


def test_no_tower_of_marks_stands_before_what_others_read():
    tower = "Z" + "\u0351\u0363\u0308" * 40 + "e\u0301"
    assert clean_name(tower) == written(tower) == "Z\u0351\u0363\u0308e\u0301"
    assert clean_name("Nguye\u0302\u0303n") == "Nguye\u0302\u0303n" and written("ภูมิปัญญา") == "ภูมิปัญญา"
