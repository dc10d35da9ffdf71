"""Pti Bapt at the table: what its pages show and hide, the clock, and whole games by keyboard and by clicks."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from house import Server
from people import TestClient, Wire, open_table

from recollect.engine import position
from recollect.engine.lesson import lessons
from recollect.engine.shelf import load
from recollect.minds import mind
from recollect.table.live.clock import Clock
from recollect.table.live.room import Room
from recollect.table.render.page import Page, fragment
from recollect.table.store import Chair, Row, Store

GAME = load("ptibapt")
RULES = GAME.rules
POSITIONS = sorted((GAME.folder / "positions").glob("*.toml"))


def page(match, seat, language="en", **more):
    people = [(name, None, False) for name in ("Tom", "Élise")[: match.players]]
    return fragment(Page.of(match.moment, seat, people, language, hold=2.0, **more))


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("file", POSITIONS, ids=[file.stem for file in POSITIONS])
def test_every_position_is_drawn_for_every_seat(file: Path, language: str):
    match = position.stand(GAME, position.read(file))
    for seat in range(-1, match.players):
        html = page(match, seat, language)
        assert html.count('class="place') == html.count('id="place-') == GAME.match(**match.options).state.lies.bit_count()
        seen = sum(match.view(seat).card[p] >= 0 for p in range(RULES.PLACE_COUNT))
        assert html.count('class="face ') == seen, "a face is drawn where this seat sees one, and nowhere else"
        if match.over:
            assert "do-rematch" in page(match, seat, language, ended=True)


def test_a_page_does_not_change_when_what_its_seat_cannot_know_is_redealt():
    lines = ["0 turn a1", "chance deal lantern", "0 turn b1", "chance deal lantern", "0 keep", "0 look c1", "chance deal dog"]
    match = position.stand(GAME, {"options": {"bonus": True, "starts": "first"}, "play": lines})
    for seat in (1, -1):
        before = page(match, seat)
        for key in range(1, 20):
            copy = match.record.copy()
            RULES.redeal(GAME.state.open(copy), seat, memoryview(np.array([key], np.int64)))
            other = position.stand(GAME, {"options": {"bonus": True, "starts": "first"}, "play": lines})
            other.record[...] = copy
            assert page(other, seat) == before
    assert "Dog" in page(match, 0) and "Dog" not in page(match, 1)


def test_the_log_says_where_never_what():
    match = position.stand(GAME, position.read(GAME.folder / "positions/mismatch-is-shown.toml"))
    look = Page.of(match.moment, 1, [("Tom", None, False), ("Élise", None, False)]).look
    text, tone = GAME.scene.line(look, 0, RULES.TURN + RULES.PLACES.index("b1"))
    assert text == "*Tom* A1, B1 · not a pair" and tone == "miss"
    assert not any(look.t(f"cards.{face}") in text for face in RULES.FACES)


def test_beside_the_cards_the_log_says_where_also_when_faces_may_be_told():
    match = position.stand(GAME, position.read(GAME.folder / "positions/bonus-again.toml"))
    html = page(match, 0, lines=[{"n": 3, "text": "*Élise* C2 Bus stop, D4 Bus stop · +2", "tone": "green"}])
    assert re.findall(r'<b class="pn">([^<]*)</b>', html[html.index('id="log-3"') :]) == ["C2", "D4"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_blue_pair_stays_beside_the_player_who_won_it(language):
    """It leaves the game, so the log is what remembers it; while it still lies open it is on the table only."""
    match = position.stand(GAME, position.read(GAME.folder / "positions/bonus-again.toml"))
    effect = GAME.texts(language)("effects.lantern")
    lines = [{"n": 3, "text": f"*Élise* A1, B2 · {effect}", "tone": "blue"}]
    html = page(match, 0, language, lines=lines)
    piles = re.split(r'id="pile-\d"', html)
    assert len(piles) == 3 and 'id="blue-' not in piles[1] and piles[2].count('id="blue-1-') == 1
    assert html.count('<b class="pn">A1</b> <b class="pn">B2</b>') == 1, "the log row says where"


def test_one_card_is_seen_in_the_singular():
    for name, words in (("red-first-is-shown", "seen it"), ("mismatch-is-shown", "seen them")):
        assert words in page(position.stand(GAME, position.read(GAME.folder / f"positions/{name}.toml")), 0)


@pytest.mark.parametrize(
    ("seat", "language", "said"),
    [
        (0, "en", "Next it is Élise’s turn"),
        (0, "fr", "Ensuite, c’est à Élise"),
        (1, "en", "Next it is your turn"),
        (1, "fr", "Ensuite, c’est à vous"),
        (-1, "en", "Next it is Élise’s turn"),
        (-1, "fr", "Ensuite, c’est à Élise"),
    ],
)
def test_after_a_miss_everyone_is_told_who_is_next(seat, language, said):
    match = position.stand(GAME, position.read(GAME.folder / "positions/mismatch-is-shown.toml"))
    assert said in page(match, seat, language).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("position_name", "action", "said"),
    [
        ("first-card-lies-open", "turn b3", "lies open already"),
        ("empty-places-stay-empty", "turn a1", "No card lies there"),
        ("bonus-lantern", "turn d1", "lantern"),
        ("bonus-lantern", "look c1", "see that card already"),
        ("setup", "look a1", "no lantern"),
    ],
)
def test_why_not_is_said(position_name, action, said):
    match = position.stand(GAME, position.read(GAME.folder / f"positions/{position_name}.toml"))
    seat = min(match.acting)
    look = Page.of(match.moment, seat, [("Tom", None, False), ("Élise", None, False)]).look
    number = GAME.actions.parse(action)
    assert number not in look.legal
    assert said in GAME.scene.why(look, number)


def test_the_lesson_alone_ends_at_home():
    alone = lessons(GAME)["alone"]
    assert alone.at(len(alone.steps) - 1, ()).over


# Against the clock ----------------------------------------------------------------------------------------------------


def solo(store: Store, id: str, person: str = "tom", **options: object) -> Room:
    settled = GAME.settle({"players": 1, "greens": 2, "golds": 0, "reds": 1, "show": 5, **options})
    seed = f"seed of {id}"
    chair = Chair("here", "Tom", person)
    row = Row.of(GAME, id=id, options=settled, seed=seed, host=person, chairs=[chair])
    store.create(row)
    return reopen(store, id)


def reopen(store: Store, id: str) -> Room:
    row = store.row(id)
    assert row
    room = Room(row, store)
    room.open()
    return room


def walk(room: Room) -> None:
    """Play to the end without waiting."""
    player, rng = mind(GAME, "elephant"), random.Random(1)
    while not room.match.over:
        room.play(0, player.choose(room.match.knowledge(0), 0, room.match.legal(0), rng))


def test_the_clock_runs_from_the_first_move_to_the_last():
    clock = Clock(GAME, GAME.settle({"greens": 2, "golds": 0, "reds": 1, "players": 1}))
    s = GAME.state.open(GAME.state.new())
    assert clock.elapsed(1000.0) == 0 and not clock.face(1000.0, False)["running"]
    clock.move(100.0, True, s)
    assert clock.elapsed(130.0) == 30
    s.pile[0] |= 1
    clock.move(140.0, True, s)
    clock.move(145.0, False, s)  # the table takes the pair away: no time of the player's
    s.pile[0] |= 1 << RULES.FACES.index("car")
    assert clock.splits == [40.0]
    assert clock.result(s) == {"elapsed": 40.0, "counted": 50.0, "splits": [40.0]}
    assert clock.face(999.0, True)["elapsed"] == 40


@pytest.mark.parametrize(("best", "now", "said"), [(40.0, 32.0, (True, 8)), (40.0, 43.0, (False, 3)), (40.0, 40.4, (True, 0))])
def test_a_walk_is_compared_with_the_best_at_the_same_pair(best: float, now: float, said: tuple[bool, int]):
    s = GAME.state.open(GAME.state.new())
    s.pile[0] |= 1
    pace = GAME.scene.pace(SimpleNamespace(view=s, over=False), {"best": [{"splits": [best]}], "splits": [now]})
    assert (pace["ahead"], pace["n"], pace["pairs"]) == (*said, 1)


def test_closing_the_house_does_not_stop_the_clock(tmp_path: Path):
    store = Store(tmp_path)
    room = solo(store, "a")
    room.play(0, room.match.legal(0)[0])
    begun = room.clock.begun
    again = reopen(store, "a")
    assert again.clock.begun == begun == store.times("a")[0]
    assert again.pages.page(0, "en").look.extra["clock"]["running"]


def test_best_walks_are_of_one_person_over_the_same_cards_and_best_first(tmp_path: Path):
    store = Store(tmp_path)
    for id, person, options in (("a", "tom", {}), ("b", "tom", {}), ("c", "ann", {}), ("d", "tom", {"greens": 3})):
        walk(solo(store, id, person, **options))
    results = {id: result["time"] for id, _, result, _ in store.results("tom", "ptibapt")}
    assert set(results) == {"a", "b", "d"}
    room = reopen(store, "a")
    best = room.pages.page(0, "en").look.extra["clock"]["best"]
    assert [w["counted"] for w in best] == sorted(results[id]["counted"] for id in "ab")
    assert [w["this"] for w in best].count(True) == 1
    reds = RULES.reds(room.match.state, 0)
    assert results["a"]["counted"] == pytest.approx(results["a"]["elapsed"] + 10 * reds)
    html = fragment(room.pages.page(0, "fr", ended=True))
    assert "De retour en" in html and "cette balade" in html


def test_the_page_says_that_the_clock_cannot_be_stopped(client: TestClient):
    id = open_table(client, "ptibapt", players="1")
    html = client.get(f"/t/{id}").text
    assert "cannot be stopped" in html and 'data-elapsed="0.0"' in html and "data-running" not in html


def test_the_set_up_page_folds_away_what_most_never_touch_and_hides_what_has_no_meaning_alone(client: TestClient):
    html = client.get("/new/ptibapt").text
    shown, folded = html.split('id="more-options"')
    assert 'id="pick-players"' in shown and 'id="pick-bonus"' in shown and 'id="pick-greens"' not in shown
    assert all(f'id="pick-{name}"' in folded for name in ("greens", "golds", "reds", "replay", "stalemate", "show"))
    assert "form:has(#players-1:checked) #pick-bonus { display: none; }" in shown
    assert "form:has(#players-2:checked) #pick-bonus" not in shown


def test_who_has_seen_enough_need_not_wait(client: TestClient):
    """A hundred seconds of show time; the person says `seen`, and the table goes on at once."""
    client.app.state.house.rooms.pace = 20.0
    id = open_table(client, "ptibapt", players="1", show="5")
    with client.websocket_connect(f"/t/{id}/live") as socket:
        wire = Wire(socket)
        wire.page("place-a1")
        begun = time.monotonic()
        while "do-seen" not in wire.html:
            wire.act(wire.acts[0])
            wire.hear()
        n = wire.n
        wire.send(do="seen", n=n, id=99)
        while wire.n == n:
            wire.hear()
        assert "do-seen" not in wire.html
        assert time.monotonic() - begun < 100, "the show time was not waited for"


def test_everybody_has_to_say_seen(tmp_path: Path):
    room = solo(Store(tmp_path), "a")
    room.row.chairs.append(Chair("here", "Élise", "élise"))
    room.exposure.seen = {0}
    assert not room.exposure.enough
    room.exposure.seen = {0, 1}
    assert room.exposure.enough


# As people do it ------------------------------------------------------------------------------------------------------


def faces(tab) -> dict[str, str]:
    what = "all => all.map(e => [e.id, e.getAttribute('aria-label').split(': ')[1]])"
    return dict(tab.eval_on_selector_all("#board > .laid > .place.up", what))


def face_down(tab) -> list[str]:
    return tab.eval_on_selector_all("#board > .laid > .place.down.lit", "all => all.map(e => e.id)")


def choice(tab, known: dict[str, str]) -> str:
    """A card to turn: the partner of the open one, a known pair, or one not seen yet."""
    down, up = face_down(tab), faces(tab)
    wanted = set(up.values())
    partner = [p for p in down if known.get(p) in wanted]
    pairs = [p for p in down if p in known and sum(known[q] == known[p] for q in down if q in known) == 2]
    return ([*partner, *([] if up else pairs), *(p for p in down if p not in known), *down])[0]


def go_to(tab, id: str) -> None:
    """With the keyboard alone: Tab into the board, then arrow keys."""
    for _ in range(40):
        here = tab.evaluate("document.activeElement.id")
        if here == id:
            return
        if not here.startswith("place-"):
            tab.keyboard.press("Tab")
        elif here[-1] != id[-1]:
            tab.keyboard.press("ArrowDown" if here[-1] < id[-1] else "ArrowUp")
        else:
            tab.keyboard.press("ArrowRight" if here < id else "ArrowLeft")
    raise AssertionError(f"the keyboard does not reach {id}")


def turn_one(tab, turn, known: dict[str, str]) -> None:
    """Turn one card and remember what it shows, if it can be seen for long enough."""
    n = tab.get_attribute("#live", "data-n")
    turn(tab, choice(tab, known))
    tab.wait_for_function("n => document.getElementById('live').dataset.n !== n", arg=n)
    known.update(faces(tab))


ASKED = "() => document.querySelector('.prompt.asked') || document.querySelector('.end')"


@pytest.mark.browser
def test_whoever_walks_home_keeps_off_the_title(server, chromium):
    tab = chromium.new_page(locale="fr-FR")
    tab.goto(server.url + "/new/ptibapt")
    tab.check("#players-2", force=True)
    tab.click("#open-table")
    tab.wait_for_selector("#board")
    for wide in (1000, 1366, 1600, 390):
        tab.set_viewport_size({"width": wide, "height": 800})
        title, walker = tab.locator(".bar h1").bounding_box(), tab.locator(".way__walker").bounding_box()
        right = title["x"] + title["width"] <= walker["x"] or title["y"] + title["height"] <= walker["y"] + walker["height"] / 2
        assert right and walker["x"] >= 0, wide
    tab.close()


@pytest.mark.browser
def test_a_solo_game_by_keyboard_alone(server, chromium):
    tab = chromium.new_page()
    tab.goto(server.url + "/new/ptibapt")
    tab.check("#players-1", force=True)
    tab.evaluate("document.getElementById('more-options').open = true")
    tab.check("#greens-3", force=True)
    tab.check("#show-5", force=True)
    tab.click("#open-table")
    tab.wait_for_selector("#board")
    known: dict[str, str] = {}

    def press(tab, id: str) -> None:
        go_to(tab, id)
        tab.keyboard.press("Enter")

    for _ in range(200):
        tab.wait_for_function(ASKED)
        if tab.query_selector(".end"):
            break
        turn_one(tab, press, known)
    tab.wait_for_selector(".end")
    assert re.fullmatch(r"Home in \d+:\d\d", tab.inner_text("h1"))
    assert tab.locator("#best-1.this").count() == 1
    tab.close()


@pytest.mark.browser
def test_a_two_player_game_by_clicks(server, chromium):
    here, there = chromium.new_context(), chromium.new_context(locale="fr-FR", viewport={"width": 390, "height": 844})
    tom, elise = here.new_page(), there.new_page()
    tom.goto(server.url + "/new/ptibapt")
    tom.check("#seat1-link", force=True)
    tom.evaluate("document.getElementById('more-options').open = true")
    tom.check("#greens-3", force=True)
    tom.check("#show-5", force=True)
    tom.fill("[name=name0]", "Tom")
    tom.click("#open-table")
    elise.goto(tom.locator("input[id^=link-]").first.input_value())
    elise.fill("[name=name]", "Élise")
    elise.click("form button")
    known: dict[str, str] = {}
    turned = 0
    while not (tom.query_selector(".end") and elise.query_selector(".end")):
        if tabs := [tab for tab in (tom, elise) if tab.query_selector(".prompt.asked")]:
            turn_one(tabs[0], lambda tab, id: tab.click(f"#{id}"), known)
            turned += 1
            assert turned < 300, "the game does not end"
        else:
            tom.wait_for_timeout(20)  # what lies open is looked at
    tom.wait_for_selector(".end")
    elise.wait_for_selector(".end")
    scores = tom.eval_on_selector_all(".ranks .sum", "all => all.map(e => e.firstChild.textContent)")
    assert scores == elise.eval_on_selector_all(".ranks .sum", "all => all.map(e => e.firstChild.textContent)")
    toms = tom.locator(".ranks li.you .no").inner_text() == "1"
    said = ("A draw", "Égalité") if scores[0] == scores[1] else ("You win", "Tom gagne") if toms else ("Élise wins", "Vous gagnez")
    assert (tom.inner_text("h1"), elise.inner_text("h1")) == said
    here.close()
    there.close()


@pytest.mark.browser
def test_the_dial_counts_the_seconds_that_open_cards_stay(server, chromium):
    tab = chromium.new_page()
    tab.goto(server.url + "/learn/ptibapt/first/4")
    tab.wait_for_selector(".sand-dial b", state="attached")
    left = "() => getComputedStyle(document.querySelector('.sand-dial b'), '::after').counterReset"
    counted = []
    while not counted or counted[-1] != "left 0":
        if (now := tab.evaluate(left)) not in counted:
            counted.append(now)
        tab.wait_for_timeout(40)
    assert counted[-4:] == ["left 3", "left 2", "left 1", "left 0"]
    faded = "() => ['b', 'g'].map((what) => getComputedStyle(document.querySelector(`.sand-dial ${what}`)).opacity)"
    assert tab.evaluate(faded) == ["0", "1"], "then nothing runs any more, and the cards may be looked at"
    tab.close()


@pytest.mark.browser
def test_nothing_runs_out_where_a_wrong_answer_waits_to_be_taken_back(server, chromium):
    tab = chromium.new_page()
    tab.goto(server.url + "/learn/ptibapt/first/8")
    tab.click("#place-b1")
    tab.wait_for_selector(".guide.wrong")
    assert tab.locator(".place.up").count() == 2 and not tab.locator(".sand-dial:visible, .ring:visible").count()
    tab.close()


@pytest.mark.browser
def test_alone_a_click_ends_the_look_and_turns_the_next_card(tmp_path, chromium):
    """Two open cards would lie there for fifteen seconds: nobody waits for them who knows where to go on."""
    house = Server(tmp_path, pace=3.0)
    tab = chromium.new_page()
    try:
        tab.goto(house.url + "/new/ptibapt")
        tab.check("#players-1", force=True)
        tab.evaluate("document.getElementById('more-options').open = true")
        tab.check("#show-5", force=True)
        tab.click("#open-table")
        tab.wait_for_selector("#board")
        while not tab.query_selector(".showing"):
            n = tab.get_attribute("#live", "data-n")
            tab.click("#board > .laid > .place.down.lit")
            tab.wait_for_function("n => document.getElementById('live').dataset.n !== n", arg=n)
        next_card = "#" + tab.get_attribute("#board > .laid > .place.down", "id")
        tab.click(next_card)
        tab.wait_for_selector(next_card + ".up", timeout=14_000)
        assert tab.locator("#board > .laid > .place.up").count() == 1 and tab.inner_text("#why") == ""
    finally:
        tab.close()
        house.kill()


@pytest.mark.browser
def test_on_a_phone_the_move_that_a_hint_names_comes_into_sight(server, chromium):
    """A card of the last row, where the hint itself lies."""
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    tab = context.new_page()
    tab.goto(server.url + "/new/ptibapt")
    tab.check("#players-1", force=True)
    tab.click("#open-table")
    act = tab.get_attribute(".place.down.lit >> nth=-1", "data-act")
    a_hint = '<details class="hint-box" id="hint" open><p style="height: 60vh"></p><b id="hint-do" data-act="{}"></b></details>'
    tab.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", a_hint.format(act))
    move, hint = f"document.querySelector('#table [data-act=\"{act}\"]')", "document.getElementById('hint')"
    assert tab.evaluate(f"{move}.getBoundingClientRect().bottom + scrollY > {hint}.getBoundingClientRect().top"), "it lay below"
    tab.wait_for_function(f"() => {move}.getBoundingClientRect().bottom < {hint}.getBoundingClientRect().top")
    context.close()
