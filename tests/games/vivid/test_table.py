"""Vivid Memories at the table: a whole game by clicks, the preview, plans taken back, and what a page may not tell."""

from __future__ import annotations

import asyncio
import random
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import random_match
from markupsafe import Markup
from msgspec.structs import replace

import recollect
from recollect.engine.lesson import lessons
from recollect.games.vivid.components import HANDFULS, RING, SLOT, TOUCH
from recollect.games.vivid.page.pieces import places, where
from recollect.games.vivid.rules import layout, reward
from recollect.minds import mind
from recollect.table.render.page import Page, fragment, rest, whole
from recollect.table.render.prose import game_texts
from recollect.table.render.shot import page_of as whole_page

GAME = recollect.load("vivid")
NAMES = ("Mila", "Ana", "Théo", "Kofi")


def page_of(match, seat: int, language: str = "en") -> Page:
    people = [(name, None, False) for name in NAMES[: match.players]]
    earlier = [record for _, record in match.positions()][::-1]
    return Page.of(match.moment, seat, people, language, extra={"entry": None, **rest(match.moment, seat, earlier)})


def sensible_match(stop, players: int = 2, seed: str = "page"):
    """A match played sensibly until `stop(state)`."""
    match, player, rng = GAME.match(players=players, seed=seed, start="first"), mind(GAME, "sensible"), random.Random(2)
    while not match.over and not stop(match):
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    return match


# ---------------------------------------------------------------- pages


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("players", [1, 2, 4])
def test_every_moment_of_a_game_has_a_page_and_every_legal_action_a_place_on_it(players, language):
    rng = random.Random(players)
    match = GAME.match(players=players, seed=f"pages {players}")
    while not match.over:
        seat = rng.choice(sorted(match.acting))
        legal = [a for a in match.legal(seat) if a not in GAME.paced]
        if rng.random() < 0.2 or match.state.task[seat] not in (layout.TAKE, layout.REWIRE, layout.CHOOSE):
            html = fragment(page_of(match, seat, language))
            missing = [GAME.actions.notation(a) for a in legal if f'data-act="{a}"' not in html]
            assert not missing
            assert html.count("data-act=") >= len(legal)
        match.play(seat, rng.choice(match.legal(seat)))
    assert "Mila" in fragment(page_of(match, -1, language))


def test_nothing_is_offered_to_one_who_may_not_act():
    match = sensible_match(lambda m: m.state.round_no == 1 and m.state.phase == layout.REMEMBER, players=3)
    for seat in {-1, 0, 1, 2} - match.acting:
        assert "data-act=" not in fragment(page_of(match, seat))


def test_a_page_tells_nothing_of_others_aspirations():
    stream = np.array([4711], np.int64)
    for stop in (2, 30, 80, 150):
        match = random_match(GAME, 3, stop=stop, players=3)
        for seat in range(-1, 3):
            before = fragment(page_of(match, seat))
            kept = match.record.copy()
            GAME.rules.redeal(match.state, seat, stream)
            assert fragment(page_of(match, seat)) == before
            match.record[...] = kept


def test_the_preview_is_what_the_reward_then_pays():
    for seed in "abcdef":
        match = sensible_match(lambda m: m.state.phase == layout.PAY_MOMENTS and m.state.round_no == 1, seed=seed)
        looks = [page_of(match, seat).look for seat in (0, 1)]
        previews = [[part["sum"] for part in GAME.scene.scene(look)["gain"]["parts"]] for look in looks]
        while match.state.round_no == 1 and match.state.phase >= layout.PAY_MOMENTS:
            seat = min(match.acting)
            match.play(seat, match.legal(seat)[0])
        paid = [[reward.paid(match.state, seat, 1, kind) for kind in range(3)] for seat in (0, 1)]
        assert previews == paid and sum(map(sum, paid)) > 0


def test_before_a_fragment_is_placed_each_hex_says_what_it_would_pay():
    match, player, rng, told = GAME.match(players=2, seed="prospects", start="first"), mind(GAME, "sensible"), random.Random(4), 0
    while not match.over:
        seat = min(match.acting)
        action = player.choose(match.knowledge(seat), seat, match.legal(seat), rng)
        placing = match.state.phase == layout.REFLECT and layout.PLACE <= action < layout.PICK
        was = page_of(match, seat) if placing else None
        match.play(seat, action)
        if was:
            before, after = (GAME.scene.scene(page.look) for page in (was, page_of(match, seat)))
            more = after["gain"]["total"] - before["gain"]["total"]
            assert before["boards"][seat]["hexes"][action - layout.PLACE]["pays"] == more
            assert f"{'+' if more > 0 else '−'}{abs(more)}</text>" in fragment(was) or not more
            assert 'class="pays' not in fragment(page_of(match, 1 - seat))
            told += more != 0
    assert told


def test_a_ghost_is_tied_to_the_slots_that_it_would_touch():
    match = GAME.match(players=2, seed="leads", start="first")
    assert 'class="leads-to' not in fragment(page_of(match, 0))
    match.play(0, match.legal(0)[0])
    page = page_of(match, 0)
    scene = GAME.scene.scene(page.look)
    held = scene["hand"][0]
    for h in scene["boards"][0]["hexes"]:
        touched = sum(TOUCH[p] >> h["n"] - 1 & 1 and layout.COLOURS[SLOT[0, p]] == held for p in range(RING) if SLOT[0, p] >= 0)
        assert len(h["leads"]) == touched
    assert 'class="leads-to' in fragment(page) and 'class="leads-to' not in fragment(page_of(match, 1))


def test_every_click_that_may_be_tried_gets_a_reason():
    rng = random.Random(8)
    match = GAME.match(players=2, seed="why")
    for _ in range(150):
        seat = rng.choice(sorted(match.acting))
        look = page_of(match, seat, "fr").look
        if seat in look.acting:
            for action in range(layout.COUNT):
                if action not in look.legal:
                    assert GAME.scene.why(look, action)
        match.play(seat, rng.choice(match.legal(seat)))


def test_while_the_reward_is_held_for_somebody_it_says_so_to_all():
    match = sensible_match(lambda m: m.moment.paced)
    for seat in (0, -1):
        said = [whole_page(match, seat, language, held=held) for language in ("en", "fr") for held in (False, True)]
        assert ["Reward · paused" in said[0], "Reward · paused" in said[1]] == [False, True]
        assert ["Récompense · en pause" in said[2], "Récompense · en pause" in said[3]] == [False, True]


def test_the_log_says_in_words_what_happened():
    match, said = GAME.match(players=1, seed="log"), []
    player, rng = mind(GAME, "sensible"), random.Random(1)
    while not match.over:
        action = player.choose(match.knowledge(0), 0, match.legal(0), rng)
        match.play(0, action)
        line = GAME.scene.line(page_of(match, 0).look, 0, action)
        said.append(line[0] if isinstance(line, tuple) else line)
    text = "\n".join(line for line in said if line)
    assert re.search(r"put into row\s[1-5], hex\s[1-5]: \w+", text)
    for words in ("The automa", "*You* are done", "Round 1, Moments", "Round 2, Threads", "Round 3, Aspiration", "laid"):
        assert words in text


def test_what_cannot_be_chosen_on_the_board_answers_why():
    """A hex before anything is in hand, and with two different ones in it; a fragment where one is chosen for a slot, or to rewire."""
    stands = [lessons(GAME)[name].at(step, ()) for name, step in (("first", 1), ("first", 3), ("threads", 2), ("first", 10))]
    pages = [page_of(match, 0) for match in stands]
    pages[3] = replace(pages[3], look=replace(pages[3].look, legal=frozenset([min(pages[3].look.legal)])))  # as in the lesson
    t = game_texts(GAME, "en")
    assert [answers(page) for page in pages] == [{t(f"why.{key}")} for key in ("no_hand", "two_differ", "give", "pick")]


def answers(page: Page) -> set[str]:
    """What is said by the hexes, or else by the fragments in them: none is left without a move or an answer."""
    html = fragment(page)
    hexes = re.findall(r'<g class="hex[^>]*id="b0-[^>]*>', html)
    pieces = re.findall(r'<g class="piece[^>]*id="b0-[^>]*>', html)
    asked = hexes if "data-" in hexes[0] else pieces
    assert asked and all("data-act=" in one or "data-try=" in one for one in asked)
    return {GAME.scene.why(page.look, int(action)) for one in asked for action in re.findall(r'data-try="(\d+)"', one)}


def drawn_on(html: str, tile: int) -> dict[str, str]:
    """What lies at each place of a tile of the line, by the picture of its colour."""
    found = re.findall(rf'id="moment-{tile}-(\d)"[^>]*>(?:<svg[^>]*><use href="#tok-(\w+)"/>)?', html)
    return {place: colour for place, colour in found if colour}


@pytest.mark.parametrize("players", [1, 2, 4])
def test_what_is_left_on_a_tile_keeps_its_place_until_the_turn_is_over(players):
    """Across a whole Remember, taken by whoever's turn it is: also onto the next tile, where one was emptied."""
    rng, across = random.Random(players), 0
    match = GAME.match(players=players, seed=f"places {players}")
    before: dict[int, dict[str, str]] = {}
    while match.state.phase != layout.REFLECT:
        seat = min(match.acting)
        for watcher in (seat, -1):
            html = fragment(page_of(match, watcher))
            now = {i: drawn_on(html, i) for i in range(layout.LINE) if match.state.line[i] >= 0}
            for i, lie in now.items() if match.state.hand else ():
                assert lie.items() <= before[i].items(), (i, before[i], lie)
        if match.state.hand:
            across += sum(not lie for lie in now.values())
        before = now
        takes = [a for a in match.legal(seat) if a < layout.PLACE]
        match.play(seat, rng.choice(takes or match.legal(seat)))
    assert across


def test_of_two_alike_the_second_stays_where_it_was():
    """Clicked from left to right, as one reads."""
    assert places(HANDFULS.index((1, 1, 4)), HANDFULS.index((1, 1, 4))) == [1, 1, 4]
    assert places(HANDFULS.index((1, 4)), HANDFULS.index((1, 1, 4))) == [-1, 1, 4]
    assert places(HANDFULS.index((4,)), HANDFULS.index((1, 1, 4))) == [-1, -1, 4]


def crystals(html: str, h: int) -> dict[str, str]:
    """Which colour lies where in a hex of one's own, and what a click on it does."""
    pieces = re.findall(rf'id="b0-h{h}-\d"([^>]*)>.*?href="#tok-(\w+)" transform="([^"]+)"', html)
    return {place: colour + "".join(re.findall(r'data-act="\d+"', how)) for how, colour, place in pieces}


def test_what_is_combined_with_a_fragment_stays_where_it_was():
    match = GAME.match(players=2, seed="combine", start="first")
    match.state.phase, match.state.task[0], match.state.slot[0] = layout.REFLECT, layout.COMBINING, layout.COMBINE
    for h, held in ((4, (0, 1, 3)), (8, (2, 2))):
        match.state.hexes[0, h] = HANDFULS.index(held)
        match.state.twos[0] |= 1 << h
    for h, c in ((4, 3), (8, 2)):
        before, kept = crystals(fragment(page_of(match, 0)), h + 1), match.record.copy()
        match.play(0, layout.PICK + 5 * h + c)
        now = crystals(fragment(page_of(match, 0)), h + 1)
        taken = next(place for place, piece in now.items() if "act" not in piece)
        assert before[taken] == now[taken] + f'data-act="{layout.PICK + 5 * h + c}"'
        assert len(before) > 1 and {k: v for k, v in before.items() if k != taken} == {k: v for k, v in now.items() if k != taken}
        match.record[...] = kept


def test_a_hex_is_named_by_where_it_lies():
    told = [where(game_texts(GAME, "en"), h) for h in range(19)]
    places = [place.replace("\N{NO-BREAK SPACE}", " ") for place in told]  # a number stays beside its word
    rows = [sum(place.startswith(f"row {row}, ") for place in places) for row in range(1, 6)]
    assert rows == [3, 4, 5, 4, 3] and len(set(places)) == 19
    assert places[0] == "row 1, hex 1" and places[7] == "row 3, hex 1" and places[18] == "row 5, hex 3"


# ---------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Iterator[str]:
    """A table served on a free port, its pauses shortened."""
    import uvicorn

    from recollect.table.app import application

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(application(Path(tmp_path_factory.mktemp("data")), pace=0.02), port=port, log_level="error"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(5)


def open_table(page, house: str, seats: dict[int, str], **options: object) -> None:
    """Fill in the form as a person does, and open the table."""
    page.goto(f"{house}/new/vivid")
    for name, value in options.items():
        page.check(f"#{name}-{value}", force=True)
    for seat, kind in seats.items():
        if page.query_selector(f"#seat{seat}-{kind}"):
            if page.query_selector(f"#choosing-{seat}:not([open])"):
                page.click(f"#choosing-{seat} summary")
            page.check(f"#seat{seat}-{kind}", force=True)
        if kind == "here":
            page.fill(f'[name="name{seat}"]', NAMES[seat])
    page.click("#open-table")
    page.wait_for_selector("#live")
    page.wait_for_load_state()  # all of it, not only its beginning


def click_on(page, rng: random.Random, what: str = ".curtain [data-sit], [data-act], [data-seen]") -> None:
    """What a person at the screen does next: take the seat, answer, or wait for the table."""
    page.evaluate(
        """([what, pick]) => {
        const all = [...document.querySelectorAll(what)];
        if (all.length) all[Math.floor(pick * all.length)].dispatchEvent(new MouseEvent('click', { bubbles: true }));
    }""",
        [what, rng.random()],
    )


@pytest.mark.browser
@pytest.mark.long  # alone the same way, below
def test_a_whole_game_of_four_by_clicks(house, chromium):
    page, errors, rng = chromium.new_page(), [], random.Random(4)
    page.on("pageerror", lambda error: errors.append(str(error)))
    open_table(page, house, {0: "here", 1: "here", 2: "here", 3: "here"}, players=4, start="first")
    asked = 0
    while not page.query_selector("#do-rematch"):
        before = page.get_attribute("#live", "data-n") or page.inner_text("#live")[:40]
        click_on(page, rng)
        asked += 1
        page.wait_for_function(
            "(n) => { const l = document.getElementById('live'); return !l || (l.dataset.n || l.innerText.slice(0, 40)) !== n"
            " || document.getElementById('do-rematch') || document.querySelector('[data-act], [data-sit], [data-seen]'); }",
            arg=before,
        )
        assert asked < 20_000, "the game does not end"
    assert not errors
    assert asked > 200
    for name in NAMES:
        assert name in page.inner_text(".matrix")
    page.click("#do-verify")
    page.wait_for_selector("text=Checked")
    page.close()


@pytest.mark.browser
def test_alone_against_the_automa_to_the_list_of_best_scores(house, chromium):
    page, rng = chromium.new_page(timezone_id="Pacific/Kiritimati", locale="en-GB"), random.Random(6)
    open_table(page, house, {0: "here"}, players=1)
    for _ in range(4000):
        if page.query_selector("#do-rematch"):
            break
        click_on(page, rng)
        page.wait_for_timeout(25)
    assert page.locator("#best .this b").inner_text() == page.locator(".matrix .you .sum-col, .matrix #rank-0 .sum-col").first.inner_text()
    assert page.inner_text("h1") in ("You win", "You lose") and "automa" in page.inner_text(".matrix").lower()
    day = "(el) => new Date(el.dateTime).toLocaleDateString(navigator.language, { dateStyle: 'medium' })"
    assert page.inner_text("#best .this time") == page.locator("#best .this time").evaluate(day), "the day where one is"
    page.close()


@pytest.mark.browser
def test_pointing_at_a_line_of_the_preview_lights_what_earns_it(house, chromium):
    match = sensible_match(lambda m: m.state.round_no == 1 and m.state.task[0] == layout.CHOOSE and thread_of(m))
    page = chromium.new_page(service_workers="block", viewport={"width": 1440, "height": 900})  # a worker would fetch past the route
    page.goto(house)
    live = Markup(fragment(page_of(match, 0)))
    html = whole("live.html.jinja", "en", "/", game="vivid", title="", live=live, table={"id": "none", "live": False})
    page.route("**/preview", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto(f"{house}/preview")
    assert page.locator(".glow").count() == 0
    line = page.locator("#gain-threads button").first
    line.hover()
    names = (line.get_attribute("data-light") or "").split()
    assert page.locator(".glow").count() == len(names) > 4
    assert page.locator(".cell.glow").count() == int(page.locator("#gain-threads i").first.inner_text().split()[0])
    page.mouse.move(2, 2)
    assert page.locator(".glow").count() == 0
    page.close()


def thread_of(match) -> bool:
    return bool(GAME.scene.scene(page_of(match, 0).look)["gain"]["parts"][1]["lines"])


def press(page, what: str, then: str) -> None:
    """Click until it is answered: a page that still waits for an answer takes no second click, nor does one that has it."""
    page.wait_for_function(
        """([what, then]) => {
          if (document.querySelector(then)) return waiting === null;
          document.querySelector(what)?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        }""",
        arg=[what, then],
        polling=150,
    )


def reflect_with_a_nudge(page, house: str) -> bool:
    """Play on to Reflect and lay tiles, the nudge slot last; whether it stayed open."""
    open_table(page, house, {0: "here", 1: "random"}, players=2, start="first")
    rng = random.Random(1)
    for _ in range(1000):
        if page.query_selector(".reflect #do-done"):
            return bool(page.query_selector("#bank-nudge-act[data-act]"))
        free = page.query_selector("#laying") and not page.query_selector(".bank [data-act]:not(#bank-nudge-act)")
        click_on(page, rng, ".remember [data-act], #table:has(#laying) .bank [data-act]" + ("" if free else ":not(#bank-nudge-act)"))
        page.wait_for_timeout(30)
    return False


@pytest.mark.browser
def test_a_plan_is_taken_back_by_a_click(house, chromium):
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    assert any(reflect_with_a_nudge(page, house) for _ in range(6))
    before = page.inner_html(".own-mind")
    press(page, "#bank-nudge-act", ".piece.lit")
    press(page, ".piece.lit", ".hex.lit")
    press(page, ".hex.lit", "#bank-nudge.used")
    press(page, "#do-undo", ".hex.lit")
    press(page, "#do-undo", ".piece.lit")
    press(page, "#do-undo", "#bank-nudge-act[data-act]")
    press(page, "#bank-nudge-act", ".piece.lit")
    press(page, ".piece.lit", ".piece.held[data-undo]")
    press(page, ".piece.held[data-undo]", "#bank-nudge-act[data-undo]")
    press(page, "#bank-nudge-act[data-undo]", "#bank-nudge-act[data-act]")
    assert page.inner_html(".own-mind") == before
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


@pytest.mark.parametrize(("language", "says"), [("en", "Supply and bag"), ("fr", "Réserve et sac")])
def test_the_supply_says_what_it_is(language: str, says: str):
    assert f'<h2 id="stock-h">{says}</h2>' in whole_page(GAME.match(seed="supply"), 0, language)


@pytest.mark.browser
def test_another_board_enlarges_on_a_click_and_stays_through_a_move(house, chromium):
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    open_table(page, house, {0: "here", 1: "random"}, players=2, start="first")
    page.wait_for_selector("#zoom-1-open")
    page.click("#zoom-1-open")
    assert page.is_visible("#zoom-1")
    before = page.get_attribute("#live", "data-n")
    page.wait_for_selector(".frag[data-act]")
    click_on(page, random.Random(1), ".frag[data-act]")
    page.wait_for_function("(n) => document.getElementById('live').dataset.n !== n", arg=before)
    assert page.is_visible("#zoom-1")
    page.keyboard.press("Escape")
    assert not page.is_visible("#zoom-1")
    page.close()
