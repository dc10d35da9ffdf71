"""Lessons, reports, replays and one's own page: axe finds nothing serious, in both languages, and keys alone suffice."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from house import Server

from recollect.engine.lesson import lessons
from recollect.engine.shelf import games, load
from recollect.engine.texts import LANGUAGES
from recollect.minds import thinking
from recollect.table.render.prose import ui_texts
from recollect.table.store import Chair, Store

from .test_axe import FAULTS, SIZES, everywhere
from .test_own import cookie, fill, lay

pytestmark = pytest.mark.browser
PEOPLE = [Chair("here", "Mila", "mila"), Chair("link", "Théo", "theo")]
LESSONS = [(game, name) for game in games() for name in lessons(load(game))]
PAGES = [
    "/me", "/me?all=1", "/me/erase", "/replay", "/t/vivid/onward/9", "/t/m3/report?seat=0", "/t/p3/report?seat=0",
    "/t/alone0/report?seat=0", "/t/m3/replay/9?seat=0", "/t/vivid/replay/20?seat=0", "/t/dejavu/replay/20",
]  # fmt: skip
STEPS = [f"/learn/{game}/{name}/{step}" for game, name in LESSONS for step in (2, len(lessons(load(game))[name].steps))]
FIRST = [f"/learn/{game}/{next(iter(lessons(load(game))))}/2" for game in games() if lessons(load(game))]
ALWAYS = {(path, LANGUAGES[n % 2], n // 2 % 2) for n, path in enumerate([*PAGES, *FIRST])}
PLACES = [  # each page in one language and look at every run, in the others and with all lessons where there is time
    pytest.param(*place, marks=() if place in ALWAYS else pytest.mark.long)
    for place in itertools.product([*PAGES, *STEPS], LANGUAGES, (0, 1))
]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, dict[str, str]]]:
    """Mila's year, and her cookie in each language."""
    data: Path = tmp_path_factory.mktemp("axe-back")
    store = Store(data)
    fill(store)
    lay(store, "dejavu", "dejavu", PEOPLE)
    cookies = {language: cookie(store, language=language) for language in LANGUAGES}
    store.close()
    thinking.warm(load("vivid"))  # kept compiled, so that the server finds turning points at once
    server = Server(data, pace=1000)
    yield server, cookies
    server.kill()


def opened(chromium: Any, house: tuple[Server, dict[str, str]], path: str, language: str, **more: Any) -> Any:
    server, cookies = house
    context = chromium.new_context(base_url=server.url, reduced_motion="reduce", **{"bypass_csp": True, **more})
    context.add_cookies([{"name": "recollect", "value": cookies[language], "url": server.url}])
    page = context.new_page()
    page.goto(path)
    return page


@pytest.mark.parametrize(("path", "language", "look"), PLACES)
def test_nothing_serious_stands_in_anybodys_way(
    chromium: Any, house: tuple[Server, dict[str, str]], path: str, language: str, look: int
) -> None:
    script = pytest.importorskip("axe_playwright_python.base").AXE_FILE_PATH.read_text(encoding="utf-8")
    page = opened(chromium, house, path, language)
    page.evaluate(script)
    found = everywhere(page, look)
    page.context.close()
    assert not {where: faults for where, faults in found.items() if faults}


@pytest.mark.parametrize("path", ["/t/p3/report?seat=0", "/t/alone0/report?seat=0"])
def test_a_report_is_walked_through_by_keys_and_its_postcard_kept(chromium: Any, house: tuple[Server, dict[str, str]], path: str) -> None:
    page = opened(chromium, house, path, "en", bypass_csp=False)
    page.wait_for_selector("#walk:not([hidden])")
    page.focus("#walk-turn")
    page.keyboard.press("Home")
    said = [page.inner_text("#walk-say")]
    page.keyboard.press("ArrowRight")
    said.append(page.inner_text("#walk-say"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # to the first turn
    said.append(page.inner_text("#walk-say"))
    assert page.evaluate("document.activeElement.id") == "walk-first", "the focus stays"
    assert said[0].startswith("Turn 1.") and said[1].startswith("Turn 2.") and said[2] == said[0]
    with page.expect_download() as kept:
        page.click("#card-save")
    assert kept.value.suggested_filename == "recollect.png"
    page.context.close()


@pytest.mark.parametrize("size", SIZES)
def test_turning_points_are_gone_through_by_keys(chromium: Any, house: tuple[Server, dict[str, str]], size: str) -> None:
    script = pytest.importorskip("axe_playwright_python.base").AXE_FILE_PATH.read_text(encoding="utf-8")
    page = opened(chromium, house, "/t/vivid/replay/0?seat=0", "en", viewport=SIZES[size])
    page.wait_for_selector("#turning-go:not([hidden])", state="attached", timeout=60_000)
    page.keyboard.press("t")
    page.wait_for_selector("#turning:not([hidden])")
    step = page.get_attribute("#timeline", "data-step")
    page.wait_for_function(f"() => document.getElementById('live').dataset.n === '{step}'")
    played = page.inner_html("#table")
    page.focus("#turning-show")
    page.keyboard.press("Enter")
    page.wait_for_function("(html) => document.getElementById('table').innerHTML !== html", arg=played)
    assert page.get_attribute("#turning-show", "aria-pressed") == "true"
    page.evaluate(script)
    assert page.evaluate(FAULTS) == []
    page.focus("#turning-onward")
    page.keyboard.press("Enter")
    page.wait_for_url("**/onward/*")
    page.keyboard.press("Tab")
    page.context.close()


@pytest.mark.parametrize("what", ["#turning-go", "#turning-1"])
def test_turning_points_are_opened_by_clicks(chromium: Any, house: tuple[Server, dict[str, str]], what: str) -> None:
    page = opened(chromium, house, "/t/vivid/replay/0?seat=0", "en", viewport=SIZES["laptop"])
    page.wait_for_selector("#turning-go:not([hidden])", state="attached", timeout=60_000)
    page.click(what)
    page.wait_for_selector("#turning:not([hidden])")
    assert page.get_attribute("#turning", "data-n") == what.replace("#turning-", "").replace("go", "0")
    show, timeline = (page.locator(id).bounding_box() for id in ("#turning-show", "#timeline"))
    assert show["y"] + show["height"] <= timeline["y"]
    current = page.locator(".turning-mark.here")
    assert current.get_attribute("id") == f"turning-{page.get_attribute('#turning', 'data-n')}"
    marks = [mark.bounding_box() for mark in page.locator(".turning-mark").all()]
    assert all(left["x"] + left["width"] <= right["x"] + 0.5 for left, right in itertools.pairwise(marks))
    page.click("#turning-close")
    assert current.count() == 0
    page.context.close()


def test_on_a_laptop_the_card_of_a_turning_point_lies_beside_the_board_and_the_better_way_is_dotted(
    chromium: Any, house: tuple[Server, dict[str, str]]
) -> None:
    page = opened(chromium, house, "/t/vivid/replay/0?seat=0", "fr", viewport=SIZES["laptop"])
    page.wait_for_selector("#turning-go:not([hidden])", state="attached", timeout=60_000)
    assert not page.get_attribute("#turning-way", "d") and not page.is_visible("#turning-dotted")
    page.click("#turning-go")
    page.wait_for_selector("#turning:not([hidden])")
    card, board, timeline = (page.locator(id).bounding_box() for id in ("#turning", "#live", "#timeline"))
    assert board["x"] + board["width"] <= card["x"] and card["y"] + card["height"] <= timeline["y"]
    assert page.get_attribute("#turning-way", "d").startswith("M") and page.is_visible("#turning-dotted")
    assert "pointillé" in page.inner_text("#turning-note"), "what it is, is said"
    page.click("#turning-close")
    assert not page.get_attribute("#turning-way", "d") and not page.is_visible("#turning-dotted")
    page.context.close()


def test_on_a_phone_the_card_of_a_turning_point_leaves_the_board_in_sight(chromium: Any, house: tuple[Server, dict[str, str]]) -> None:
    page = opened(chromium, house, "/t/vivid/replay/0?seat=0", "fr", viewport=SIZES["phone"])
    page.wait_for_selector("#turning-go:not([hidden])", state="attached", timeout=60_000)
    page.click("#turning-go")
    page.wait_for_selector("#turning:not([hidden])")
    card, board, timeline = (page.locator(id).bounding_box() for id in ("#turning", ".own-mind", "#timeline"))
    assert board["y"] + board["height"] <= card["y"] and card["y"] + card["height"] <= timeline["y"] + 1
    assert board["width"] > SIZES["phone"]["width"] / 2, "and large enough to be looked at"
    page.click("[data-speed][aria-pressed=true]")
    assert page.inner_text("[data-speed]:visible") == "2×", "one speed is in sight: a click goes on to the next"
    assert page.evaluate("document.activeElement.dataset.speed") == "2"
    page.context.close()


@pytest.mark.parametrize("path", ["/t/m3/replay/9", "/t/p3/replay/9?seat=0", "/t/vivid/replay/20", "/t/dejavu/replay/20?seat=1"])
def test_a_replay_says_what_was_done_and_tells_its_keys(chromium: Any, house: tuple[Server, dict[str, str]], path: str) -> None:
    page = opened(chromium, house, path, "en", viewport=SIZES["laptop"])
    told = page.get_attribute("#live", "data-told")
    assert told and page.inner_text("#say-text > span") == told
    assert (
        page.inner_text("#say-text > small")
        .lower()
        .endswith(f"move {path.split('/')[-1].split('?')[0]} of {page.get_attribute('#timeline', 'data-last')}")
    )
    assert page.locator(".tl-known kbd").first.is_visible()
    pressed = {"space": " ", "←": "ArrowLeft", "↑": "ArrowUp", "1–2": "2" if "seat=1" not in path else "1"}
    for keys in page.locator(".tl-known li").all():  # each does what it says: something changes
        key, before = keys.locator("kbd").first.inner_text(), page.evaluate(STATE)
        if key == "T":
            continue  # only when they are found: see above
        page.keyboard.press(pressed.get(key, key))
        page.wait_for_function(f"(before) => ({STATE}) !== before", arg=before)
        if key == "space":
            page.keyboard.press(" ")
    page.context.close()


STATE = """JSON.stringify([document.getElementById('timeline').dataset.step, document.getElementById('timeline').dataset.seat,
document.querySelector('[aria-pressed=true]').textContent, document.getElementById('tl-play').className])"""
REMEMBERED = {("memoarrr", 7): "place-b1", ("ptibapt", 8): "place-c2"}  # where a lesson asks what one was shown


@pytest.mark.parametrize("game", ["memoarrr", "ptibapt", "vivid", "dejavu"])
def test_a_lesson_is_gone_through_by_keys_alone(chromium: Any, house: tuple[Server, dict[str, str]], game: str) -> None:
    page = opened(chromium, house, f"/learn/{game}/first/1", "en")
    page.wait_for_load_state("load")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    for step in range(1, len(lessons(load(game))["first"].steps)):
        if (game, step) in REMEMBERED:
            tab_to(page, REMEMBERED[game, step])
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile(rf"/first/{step + 1}\b"))
    assert page.evaluate("document.activeElement.id") == "lesson-play"
    page.context.close()


def test_with_a_hand_of_six_and_ten_memories_all_of_them_are_in_sight(chromium: Any, house: tuple[Server, dict[str, str]]) -> None:
    page = opened(chromium, house, "/learn/dejavu/awakening/7", "en", viewport={"width": 1280, "height": 720})
    ends = "(where) => [...document.querySelectorAll(`${where} .card`)].map((card) => card.getBoundingClientRect().bottom)"
    memories = page.evaluate(ends, "#long-term")
    assert len(memories) == 10 and max(memories) <= max(page.evaluate(ends, "#hand-box, .hand-box")) + 8
    page.context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("path", "what"), [("memoarrr/first/7", "#place-c1"), ("dejavu/sowing/2", "#tile-orion")])
def test_a_wrong_answer_is_read_and_taken_back_by_keys(
    chromium: Any, house: tuple[Server, dict[str, str]], size: str, path: str, what: str
) -> None:
    script = pytest.importorskip("axe_playwright_python.base").AXE_FILE_PATH.read_text(encoding="utf-8")
    page = opened(chromium, house, f"/learn/{path}", "fr", viewport=SIZES[size])
    page.wait_for_load_state("load")
    page.focus(what)
    page.keyboard.press("Enter")
    page.wait_for_selector("#speech[role=status] .guide-both")
    page.wait_for_function("() => document.activeElement.id === 'lesson-again'")
    guide = page.locator("#guide").bounding_box()
    assert guide["y"] >= 0 and guide["x"] + guide["width"] <= SIZES[size]["width"]
    assert page.evaluate("(el => el.scrollWidth - el.clientWidth)(document.getElementById('speech'))") <= 0, "nothing is cut off"
    page.evaluate(script)
    assert page.evaluate(FAULTS) == []
    page.keyboard.press("Enter")
    page.wait_for_selector("#lesson-again", state="detached")
    page.context.close()


def tab_to(page: Any, id: str) -> None:
    """Tab goes round the page until it is there."""
    for _ in range(99):
        if page.evaluate("document.activeElement.id") == id:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no key leads to {id}")


def test_the_own_page_is_kept_and_erased_by_keys(chromium: Any, house: tuple[Server, dict[str, str]]) -> None:
    server, _ = house
    context = chromium.new_context(base_url=server.url, locale="en-GB")
    page = context.new_page()
    page.goto("/me")
    page.focus("#keep-handle")
    page.keyboard.type("newcomer")
    page.keyboard.press("Tab")
    page.keyboard.type("amber ladder seven sails")
    page.keyboard.press("Enter")
    page.wait_for_url("**/me?said=kept")
    assert "It is kept" in page.inner_text("main")
    page.focus("#erase")
    page.keyboard.press("Enter")
    page.wait_for_url("**/me/erase")
    page.focus("button[name=sure]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/me?said=gone")
    context.close()


@pytest.mark.parametrize(
    ("path", "language", "words"), [("/t/vivid/replay/20?seat=0", "fr", "Reprendre"), ("/t/m3/replay/9?seat=0", "en", "Play on")]
)
def test_on_a_phone_playing_on_is_said_in_words(
    chromium: Any, house: tuple[Server, dict[str, str]], path: str, language: str, words: str
) -> None:
    page = opened(chromium, house, path, language, viewport={"width": 390, "height": 844})
    assert page.inner_text("#tl-onward").strip() == words
    page.evaluate("document.getElementById('turning-go')?.removeAttribute('hidden')")
    boxes = [el.bounding_box() for el in page.locator(".tl-keys > button:visible, .tl-more > .btn:visible").all()]
    edges = [edge for box in sorted(boxes, key=lambda box: box["x"]) for edge in (box["x"], box["x"] + box["width"])]
    assert edges == sorted(edges) and edges[0] >= 0 and edges[-1] <= 390, "side by side"
    page.click("#tl-onward", trial=True)
    if page.query_selector("#turning-said"):
        page.evaluate("words => { document.getElementById('turning-said').textContent = words; }", ui_texts(language)("turning.none"))
        assert page.locator("#turning-said").bounding_box()["height"] < 20, "a line of its own"
    page.context.close()
