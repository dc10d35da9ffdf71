"""Driven as people drive it: a real Chromium, whole games by clicks, keys, a shared screen, a lost connection."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from house import Server

pytestmark = pytest.mark.browser
WORDY = ["fr-FR", pytest.param("en-GB", marks=pytest.mark.long)]  # French says the same in more words: where it fits, English does
LIT = "[...document.querySelectorAll('#table [data-act], #table [data-sit]')].map(e => e.id)"


@pytest.fixture
def page(chromium: Any, server: Server):
    """A person's browser; a script error fails the test."""
    pages = []

    def open_page(locale: str = "en-GB", **context: Any) -> Any:
        page = chromium.new_context(locale=locale, base_url=server.url, **context).new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.set_default_timeout(20_000)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        assert page.errors == []
        page.context.close()


def set_table(page: Any, players: int = 2, first: bool = True, seats: dict[int, str] | None = None, **options: str) -> None:
    """By the form, as a host does."""
    page.goto("/new/memoarrr")
    wanted = [f"players-{players}", *(["first-first_seat"] if first else []), *(f"{name}-{value}" for name, value in options.items())]
    for id in (*wanted, *(f"seat{seat}-{kind}" for seat, kind in (seats or {}).items())):
        page.evaluate("id => document.getElementById(id).click()", id)
    page.fill("[name=name0]", "Mila")
    page.click("#open-table")
    page.wait_for_selector("#live")


def click_lit(page: Any, rng: random.Random) -> bool:
    """Click one thing that is lit, and wait until the table has answered."""
    lit = page.evaluate(LIT)
    if not lit:
        return False
    chosen, n = rng.choice(lit), page.get_attribute("#live", "data-n")
    if not page.evaluate("id => { const el = document.getElementById(id); el?.click(); return !!el; }", chosen):
        return False
    page.wait_for_function(
        "([n, id]) => document.getElementById('live').dataset.n !== n || !document.querySelector(`#${id}:is([data-act], [data-sit])`)",
        arg=[n, chosen],
    )
    return True


def play_out(*pages: Any) -> None:
    """Whole game by clicks: whoever has something lit clicks."""
    rng = random.Random(7)
    for _ in range(3000):
        if all(page.query_selector(".end") for page in pages):
            return
        if not any([click_lit(page, rng) for page in pages]):
            pages[0].wait_for_timeout(15)  # a companion is thinking
    raise AssertionError("the game did not end")


def test_a_page_asks_how_the_store_is_only_after_the_last_answer(page: Any):
    mila, asked = page(service_workers="block"), []
    html = '<p id="strip">Nothing can be kept.</p><script src="/static/strip.js"></script>'
    mila.route("**/spoilt", lambda route: route.fulfill(body=html, content_type="text/html"))
    mila.route("**/health", lambda route: asked.append(route))
    mila.clock.install()
    mila.goto("/spoilt")

    def a_while() -> int:
        for _ in range(5):
            mila.clock.run_for(3000)
            mila.wait_for_timeout(20)
        return len(asked)

    assert a_while() == 1, "it waits for its answer"
    with mila.expect_response("**/health"):
        asked[0].fulfill(status=503)
    assert a_while() == 2 and mila.query_selector("#strip")
    assert a_while() == 3, "but not for one that never comes"
    asked[2].fulfill(status=200)
    mila.wait_for_selector("#strip", state="detached")
    assert a_while() == 3


def test_what_can_be_seen_can_be_clicked_however_slowly_the_script_comes(page: Any):
    mila, script = page(service_workers="block"), []  # a worker would fetch past the route
    mila.route("**/static/table.js", lambda route: script.append(route))
    mila.goto("/new/memoarrr")
    mila.click("#open-table", no_wait_after=True)
    while not script:
        mila.wait_for_timeout(20)
    mila.wait_for_timeout(500)
    assert not mila.evaluate(LIT), "nothing is lit that would not answer"
    script[0].continue_()
    mila.wait_for_selector("#table [data-act]").click()
    mila.wait_for_selector("#do-put-back")


def test_two_browsers_play_a_whole_game_by_clicks_one_of_them_in_french(page: Any):
    mila, theo = page(), page(locale="fr-FR", viewport={"width": 390, "height": 844})
    set_table(mila, players=3, mode="expert", seats={1: "link", 2: "elephant"})
    theo.goto(mila.input_value("#link-1"))
    assert theo.inner_text("h1") == "Mila vous invite"
    theo.fill("#name", "Théo")
    theo.click("form .main")
    for who in (mila, theo):
        who.wait_for_selector(".island")
    assert "Manche 1 sur 7" in theo.inner_text("#round") and "Round 1 of 7" in mila.inner_text("#round")
    play_out(mila, theo)
    assert "sails home" in mila.inner_text("h1") and "rentre au port" in theo.inner_text("h1")
    assert mila.locator(".ranks > li:not(.tie)").count() == 3
    mila.click("#do-verify")
    assert "Checked" in mila.inner_text(".checked")
    old = theo.url
    mila.goto(old)
    mila.click("#do-rematch")
    mila.wait_for_url(lambda url: url != old)
    assert theo.url == old, "a rematch is offered, not imposed"
    theo.click("#do-accept")
    theo.wait_for_url(mila.url)
    theo.wait_for_selector(".island")


def test_a_shared_screen_shows_no_face_until_the_right_person_asks(page: Any):
    family = page()
    set_table(family, seats={1: "here"})
    family.click("#place-c1")
    family.wait_for_selector(".curtain")
    assert "Pass the screen to Mila" in family.inner_text("h1")
    assert family.locator("[data-face=up]").count() == 0 and not re.search(
        r"penguin|crab|octopus|turtle|walrus", family.inner_html("#live")
    )
    family.evaluate("document.getElementById('do-sit').dispatchEvent(new MouseEvent('click', {bubbles: true, detail: 2}))")
    family.wait_for_timeout(300)
    assert family.locator(".curtain").count(), "the second half of a double click opens nothing"
    family.click("#do-sit")
    family.wait_for_selector("#do-put-back")
    assert family.locator("[data-face=up]").count() == 3
    family.click("#do-put-back")
    family.wait_for_function("() => !document.querySelector('[data-face=up]')")
    family.reload()
    assert family.locator("[data-face=up]").count() == 0


def test_a_click_that_is_not_legal_explains_itself(page: Any):
    mila = page()
    set_table(mila, seats={1: "link"})
    friend = page()
    friend.goto(mila.input_value("#link-1"))
    friend.fill("#name", "Ana")
    friend.click("form .main")
    friend.wait_for_selector(".island")
    mila.wait_for_selector("#place-c1[data-act]")
    mila.click("#place-a1", force=True)
    mila.wait_for_function("() => document.getElementById('why').textContent.includes('three middle cards')")
    friend.click("#place-c1", force=True)
    friend.wait_for_function("() => document.getElementById('why').textContent.includes('Mila')")


def test_a_click_on_nothing_is_answered_in_a_lesson_while_something_is_asked_for(page: Any):
    someone = page()
    someone.goto("/learn/vivid/threads/3")
    someone.click("#b0-hex-19")  # empty: neither a move nor a reason
    assert someone.inner_text("#lesson-no") == "Nothing happens there now. Look for what glows."
    someone.click("#b0-h3-2", force=True)  # a drop, where a clover is asked for
    someone.wait_for_selector("#lesson-no >> text=Only a fragment of the slot’s kind")
    someone.goto("/learn/vivid/threads/1")  # to be read only
    someone.click("#b0-hex-19")
    assert someone.inner_text("#lesson-no") == ""


def test_the_summary_draws_the_table_with_who_sits_where(page: Any):
    mila = page()
    mila.goto("/new/memoarrr")
    for players in (2, 3, 4):
        mila.locator(f"#players-{players}").check(force=True)
        spots = [seat.bounding_box() for seat in mila.locator(".round-table > span:visible").all()]
        assert len(spots) == players and max(spot["y"] for spot in spots) == spots[0]["y"], "I sit below"
        assert len({(round(spot["x"]), round(spot["y"])) for spot in spots}) == players, "nobody sits on another"
    mila.locator("#players-3").check(force=True)
    assert mila.is_visible("#seat1-parrot") and not mila.is_visible("#seat2-parrot"), "one seat at a time shows all that it may be"
    mila.click("#choosing-2 summary")
    mila.locator("#seat2-link").check(force=True)
    assert not mila.is_visible("#seat1-parrot") and mila.inner_text(".seat-row-2 .sitting strong") == "Someone by link"
    assert mila.locator(".sat").inner_text().replace("\n", " ") == "You Parrot someone by link"
    assert mila.locator(".round-table .as-link:visible").count() == 1
    mila.locator("#hints-True").check(force=True)
    assert mila.is_visible(".summary .hinted") and not mila.is_visible(".summary .unhinted")
    mila.locator("#turn-60").check(force=True)
    assert "1 min a turn" in mila.locator(".summary ul").inner_text()


@pytest.mark.parametrize("locale", ["en", "fr-FR"])
@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_on_a_phone_setting_a_table_is_made_for_fingers_and_hides_little(page: Any, locale: str, size: tuple[int, int]):
    mila = page(locale, viewport={"width": size[0], "height": size[1]})
    mila.goto("/new/memoarrr")
    mila.locator("#players-4").check(force=True)
    for seat, who in ((1, "link"), (2, "open"), (3, "elephant")):
        if seat > 1:
            mila.click(f"#choosing-{seat} summary")
        mila.locator(f"#seat{seat}-{who}").check(force=True)
    assert mila.locator(".summary").bounding_box()["height"] <= 76, "four who sit there take one line"
    assert mila.locator(".round-table > span:visible").count() == 4 and mila.locator(".sat").inner_text()
    low = "labels => labels.filter(el => el.checkVisibility() && el.getBoundingClientRect().height < 44).map(el => el.innerText)"
    assert mila.locator(".switch label, .learn-first a").evaluate_all(low) == []


@pytest.mark.parametrize("locale", ["en", "fr-FR"])
@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_on_a_phone_nothing_lies_on_the_pictures_of_the_games_and_all_tools_stand_in_one_line(
    page: Any, locale: str, size: tuple[int, int]
):
    mila = page(locale, viewport={"width": size[0], "height": size[1]})
    mila.goto("/")
    tops = [mila.locator(f"header {what}").bounding_box() for what in (".brand", "#own-page", "#do-prefs", ".lang")]
    middles = [box["y"] + box["height"] / 2 for box in tops]
    assert max(middles) - min(middles) < 4, middles
    for learn, picture in zip(mila.locator(".learn").all(), mila.locator(".game .vignette").all(), strict=True):
        box = picture.bounding_box()
        assert learn.bounding_box()["y"] >= box["y"] + box["height"]
        assert learn.bounding_box()["height"] >= 44


def test_a_name_that_is_written_is_kept_without_being_saved(page: Any):
    mila = page()
    mila.goto("/")
    with mila.expect_response(lambda answer: answer.url.endswith("/name") and answer.request.post_data == "name=Mila"):
        mila.locator("#name").press_sequentially("Mila")
    mila.goto("/new/vivid")
    assert mila.input_value("[name=name0]") == "Mila"


def test_on_a_phone_a_lesson_goes_back_to_the_top_when_all_it_speaks_of_is_there_and_has_one_button_to_go_on(page: Any):
    pupil = page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    pupil.goto("/learn/vivid/first/6?did=0")
    pupil.wait_for_function("() => scrollY > 100")  # the guide speaks of the other's board, which lies far below
    pupil.click("#lesson-on")
    pupil.wait_for_function("() => location.pathname.endsWith('/7') && scrollY === 0")
    pupil.goto("/learn/vivid/first/19?did=0.0")
    assert pupil.is_visible("#lesson-on") and not pupil.is_visible("#do-seen")


def test_on_a_phone_ones_aspiration_is_in_sight_with_the_board_and_the_turning_points_with_the_end(page: Any):
    noor = page(viewport={"width": 390, "height": 844})
    noor.goto("/learn/vivid/first/3?did=")
    chip = noor.locator("#dream-chip").bounding_box()
    assert chip and 0 < chip["y"] < 440 and chip["width"] >= 44
    noor.set_viewport_size({"width": 1440, "height": 900})
    assert not noor.is_visible("#dream-chip") and noor.is_visible("#aspiration")


def test_the_guides_line_never_runs_through_words_or_over_a_row_of_pieces(page: Any):
    someone = page(viewport={"width": 1366, "height": 768})
    lines = []
    for path in ("vivid/first/5", "dejavu/sowing/3", "memoarrr/first/3", "vivid/threads/4", "vivid/threads/1"):
        someone.goto(f"/learn/{path}")
        someone.wait_for_selector(".spoken", state="attached")
        lines.append(someone.locator("#pointer circle").count())
    assert lines == [
        0,
        0,
        1,
        0,
        1,
    ]  # through an aspiration's words, over the map; of three cards to the nearest; over a slot; past everything


def test_all_cards_that_lie_open_glow_whichever_were_chosen(page: Any):
    someone = page()
    someone.goto("/learn/memoarrr/first/11?did=3")
    someone.wait_for_selector(".spoken", state="attached")
    glows = someone.eval_on_selector_all(".spoken", "all => all.map(el => el.id)")
    assert sorted(glows) == ["place-a1", "place-b1", "place-c3", "place-c5", "place-d5", "place-e3"]  # and the treasure between them


def test_the_guide_points_at_the_edge_of_a_card_that_has_turned_over(page: Any):
    someone = page(viewport={"width": 1280, "height": 720})
    someone.goto("/learn/ptibapt/first/4")
    someone.click("#lesson-on")
    someone.wait_for_selector("#place-c2.spoken")
    someone.wait_for_function(
        """() => {
          const end = document.querySelector("#pointer circle"), edge = document.getElementById("place-c2").getBoundingClientRect().right;
          return end && !document.getAnimations().some((one) => one.constructor === Animation) && Math.abs(end.cx.baseVal.value - edge) < 4;
        }"""
    )


@pytest.mark.parametrize("locale", WORDY)
def test_on_a_low_laptop_the_last_words_of_a_lesson_leave_the_other_in_sight(page: Any, locale: str):
    someone = page(locale, viewport={"width": 1280, "height": 720})
    for lesson, beside in (("first/14", "seat-1"), ("bonus/16", "seat-1"), ("alone/15", "best")):
        someone.goto(f"/learn/ptibapt/{lesson}")
        assert someone.is_visible("#lesson-play")
        box = "el => { const r = el.getBoundingClientRect(); return [r.top, r.bottom]; }"
        ends, begins = someone.eval_on_selector(f"#{beside}", box)[1], someone.eval_on_selector(".guide-face", box)[0]
        assert ends <= begins, f"{lesson}: the guide lies over {beside}"


def test_on_a_phone_what_is_said_of_a_won_round_stays_in_its_dock(page: Any):
    rng, mila = random.Random(3), page("fr-FR", viewport={"width": 390, "height": 844})
    set_table(mila, seats={1: "here"})
    mila.evaluate("""() => new MutationObserver(() => {
      if (!document.getElementById("do-hold")) return;
      window.boxes = Object.fromEntries(["dock", "do-seen", "do-hold", "say"].map((id) => {
        const r = document.getElementById(id).getBoundingClientRect();
        return [id, [r.top, r.bottom]];
      }));
    }).observe(document.body, { childList: true, subtree: true })""")  # what is shown to all goes by itself: measured when it comes
    while not (boxes := mila.evaluate("window.boxes")):
        if not click_lit(mila, rng):
            mila.wait_for_timeout(15)
    assert all(boxes["dock"][0] <= top and bottom <= 844 for top, bottom in boxes.values())
    assert max(boxes["do-seen"][1], boxes["do-hold"][1]) <= boxes["say"][0], "the buttons cover nothing that is said"


def test_keys_alone_are_enough(page: Any):
    mila = page()
    set_table(mila, seats={1: "goldfish"})
    mila.focus("#place-b1")
    for key, at in (
        ("ArrowRight", "place-c1"),
        ("ArrowRight", "place-d1"),
        ("ArrowRight", "place-e1"),
        ("ArrowDown", "place-e2"),
        ("ArrowDown", "place-e3"),
    ):
        mila.keyboard.press(key)
        assert mila.evaluate("document.activeElement.id") == at
    mila.keyboard.press("Enter")
    mila.wait_for_selector("#do-put-back")
    assert sorted(mila.evaluate("[...document.querySelectorAll('[data-face=up]')].map(e => e.id)")) == ["place-e2", "place-e3", "place-e4"]


def test_the_language_changes_in_the_middle_of_a_game(page: Any):
    mila = page()
    set_table(mila, seats={1: "goldfish"})
    url = mila.url
    mila.click("#do-language")
    mila.wait_for_function("() => document.documentElement.lang === 'fr'")
    assert mila.url == url and "Choisissez un côté" in mila.inner_text("#say")
    mila.click("#do-rules")
    assert "Le but" in mila.inner_text("dialog[open]")


def test_a_lost_connection_is_shown_and_a_click_is_kept(page: Any, server: Server):
    mila = page()
    set_table(mila, seats={1: "goldfish"})
    mila.wait_for_selector("#place-c1[data-act]")
    server.kill()
    mila.wait_for_function("() => document.getElementById('notice').textContent.includes('Connection lost')")
    mila.click("#place-c1")
    mila.wait_for_function("() => document.getElementById('notice').textContent.includes('Your move is kept')")
    server.start()
    mila.wait_for_selector("#do-put-back")
    mila.wait_for_function("() => document.getElementById('notice').textContent === ''")
    assert mila.locator("[data-face=up]").count() == 3, "the move that was kept was played"


def test_closing_and_opening_the_browser_brings_the_game_back(page: Any):
    mila = page()
    set_table(mila, seats={1: "goldfish"})
    mila.click("#place-c1")
    mila.wait_for_selector("#do-put-back")
    labels = "[...document.querySelectorAll('.place[id], #say, .seat')].map(e => [e.id, e.className, e.ariaLabel, e.textContent])"
    shown = mila.evaluate(labels)
    context = mila.context
    mila.close()
    again = context.new_page()
    again.goto("/")
    assert "Your turn" in again.inner_text(".rows")
    again.click(".rows .btn.main")
    again.wait_for_selector("#do-put-back")
    assert again.evaluate(labels) == shown


def test_a_card_keeps_its_node_turns_over_and_stands_still_for_those_who_ask(page: Any):
    for motion, turns in (("no-preference", 3), ("reduce", 0)):
        mila = page(reduced_motion=motion)
        set_table(mila, seats={1: "goldfish"})
        mila.wait_for_selector("#place-c1[data-act]")
        mila.evaluate("""() => {
            for (const el of document.querySelectorAll('.place')) el.kept = true;
            window.turns = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (frames, how) {
                if (JSON.stringify(frames).includes('rotateY(-90deg)')) window.turns++;
                return animate.call(this, frames, how);
            };
        }""")
        mila.click("#place-c1")
        mila.wait_for_selector("#do-put-back")
        assert mila.evaluate("window.turns") == turns
        assert mila.evaluate("[...document.querySelectorAll('.place[id]')].every(el => el.kept)")


def test_nothing_is_wider_than_the_screen(page: Any):
    mila, places = page(locale="fr-FR"), "[...document.querySelectorAll('.place')]"
    mila.goto("/")
    for begun in (False, True):
        if begun:
            set_table(mila, players=4, seats={1: "goldfish", 2: "goldfish", 3: "elephant"})
        for wide, high in ((1440, 900), (1280, 720), (820, 1180), (390, 844), (360, 640)):
            mila.set_viewport_size({"width": wide, "height": high})
            assert mila.evaluate("document.documentElement.scrollWidth") <= wide
            assert mila.evaluate(f"{places}.every(e => e.getBoundingClientRect().width >= 44)"), wide
    assert mila.evaluate(f"{places}.length") >= 24


def test_whatever_the_keyboard_comes_to_on_the_start_page_can_be_seen(page: Any):
    mila = page(viewport={"width": 1366, "height": 768})
    mila.goto("/")
    mila.focus("#name")
    mila.keyboard.press("Tab")
    save = mila.evaluate("(el => [el.tagName, el.offsetWidth, el.offsetHeight, getComputedStyle(el).clipPath])(document.activeElement)")
    assert save[0] == "BUTTON" and save[1] >= 44 and save[2] >= 44 and save[3] == "none", save
