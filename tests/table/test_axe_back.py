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
from recollect.table.store import Chair, Store

from .test_axe import FAULTS, SIZES, everywhere
from .test_own import cookie, fill, lay

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
PEOPLE = [Chair("here", "Mila", "mila"), Chair("link", "Théo", "theo")]
LESSONS = [(game, name) for game in games() for name in lessons(load(game))]
PAGES = [
    "/me", "/me?all=1", "/me/erase", "/replay", "/t/vivid/onward/9", "/t/m3/report?seat=0", "/t/p3/report?seat=0",
    "/t/alone0/report?seat=0", "/t/m3/replay/9?seat=0", "/t/vivid/replay/20?seat=0", "/t/dejavu/replay/20",
]  # fmt: skip
STEPS = [f"/learn/{game}/{name}/{step}" for game, name in LESSONS for step in (2, len(lessons(load(game))[name].steps))]
FIRST = [f"/learn/{game}/{next(iter(lessons(load(game))))}/2" for game in games() if lessons(load(game))]
PLACES = [  # each page in one language at every run, in the other and with all lessons where there is time
    pytest.param(path, language, marks=() if language == LANGUAGES[n % 2] and path in [*PAGES, *FIRST] else pytest.mark.long)
    for n, path in enumerate([*PAGES, *STEPS])
    for language in LANGUAGES
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
    context = chromium.new_context(base_url=server.url, reduced_motion="reduce", bypass_csp=True, **more)
    context.add_cookies([{"name": "recollect", "value": cookies[language], "url": server.url}])
    page = context.new_page()
    page.goto(path)
    return page


@pytest.mark.parametrize(("path", "language"), PLACES)
def test_nothing_serious_stands_in_anybodys_way(chromium: Any, house: tuple[Server, dict[str, str]], path: str, language: str) -> None:
    script = pytest.importorskip("axe_playwright_python.base").AXE_FILE_PATH.read_text(encoding="utf-8")
    page = opened(chromium, house, path, language)
    page.evaluate(script)
    found = everywhere(page)
    page.context.close()
    assert not {where: faults for where, faults in found.items() if faults}


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
    marks = [mark.bounding_box() for mark in page.locator(".turning-mark").all()]
    assert all(left["x"] + left["width"] <= right["x"] + 0.5 for left, right in itertools.pairwise(marks))
    page.context.close()


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
