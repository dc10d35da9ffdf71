"""Pages that everybody can use: axe finds nothing serious on any of them, on a phone and a laptop, dark and light; and all of them fit."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from house import Server
from itsdangerous import URLSafeSerializer

from recollect.engine.shelf import games, load
from recollect.table.live.room import Room
from recollect.table.store import Chair, Row, Store

pytestmark = pytest.mark.browser
SIZES = {"laptop": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
LOOKS = [
    {"laptop": "dark", "phone": "light"},
    {"laptop": "light", "phone": "dark"},
]  # one page so, the next the other way; both where there is time
MOMENTS = (0, 9, 40, 10_000)  # moves played; the last is the end
FAULTS = """async () => {
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);  // until the new size and theme are drawn
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  const grave = violations.filter((fault) => ["serious", "critical"].includes(fault.impact));
  return grave.flatMap((fault) => fault.nodes.map((node) => `${fault.id}: ${node.target} ${node.failureSummary.split("\\n")[1]}`));
}"""

WIDE = """(width) => document.documentElement.scrollWidth <= width ? [] : [...document.body.querySelectorAll("*")]
  .filter((e) => e.getBoundingClientRect().right > width + 0.5)
  .map((e) => `<${e.tagName} id=${e.id} class=${e.getAttribute("class")}> ends at ${Math.ceil(e.getBoundingClientRect().right)}`)
"""  # what makes a page wider than its screen


Faults = dict[Any, list[str]]  # by where they were found


def everywhere(page: Any, look: int) -> Faults:
    """What axe finds at every size, each in one of the themes, and what makes the page too wide."""
    found: Faults = {}
    for size, theme in LOOKS[look].items():
        page.set_viewport_size(SIZES[size])
        page.emulate_media(color_scheme=theme)
        found[size, theme] = page.evaluate(FAULTS)
    for width in (1440, 820, 390, 360):
        page.set_viewport_size({"width": width, "height": 700})
        found[width] = page.evaluate(WIDE, width)
    return found


def lay(store: Store, id: str, game: str, people: str, moves: int = 0, link: bool = False) -> None:
    """A table where so many moves were played."""
    loaded = load(game)
    values = loaded.settle({"players": 2})
    chairs = [Chair("here", name, person) for name, person in zip(("Mila", "Théo"), people.split(), strict=True)]
    if link:
        chairs[1] = Chair("link", "Théo", secret="secret")
    row = Row.of(loaded, id=id, options=values, seed="seed", host="mila", chairs=chairs)
    store.create(row)
    if link:
        return
    room, rng = Room(row, store), random.Random(7)
    room.open()
    while not room.match.over and moves:
        seat, moves = min(room.match.acting), moves - 1
        room.play(seat, rng.choice(room.match.legal(seat)))
    store.write(store.shown(id, (0, 1), len(room.match.log)))  # all but what lies open now


@pytest.fixture(scope="module")
def house(tmp_path_factory: Any) -> Iterator[tuple[Server, str]]:
    """A server over tables at many moments, so slow that nothing moves by itself; and Mila's cookie."""
    data: Path = tmp_path_factory.mktemp("axe")
    store = Store(data)
    for game in games():
        for moves in MOMENTS:
            lay(store, f"{game}{moves}", game, "mila theo", moves)
    lay(store, "lobby", "memoarrr", "mila theo", link=True)
    lay(store, "curtain", "memoarrr", "mila mila", 1)
    cookie = URLSafeSerializer(store.secret(), salt="recollect").dumps({"p": "mila", "n": "Mila", "l": "en"})
    store.close()
    server = Server(data, pace=1000)
    yield server, cookie
    server.kill()


PLACES = [
    "/", "/about", "/credits", *(f"/new/{game}" for game in games()), "/nowhere", "/t/nothere", "/t/lobby", "/t/lobby/join/secret",
    "/t/curtain", "/t/memoarrr10000/verify", "/t/memoarrr0/verify", "/t/memoarrr9/carry", "/offline", "/t/memoarrr10000/replay/5",
    *(f"/t/{game}{moves}" for game in games() for moves in MOMENTS), "/replay",
]  # fmt: skip


LOOKED_AT = [
    (path, look) if look == n % 2 else pytest.param(path, look, marks=pytest.mark.long) for n, path in enumerate(PLACES) for look in (0, 1)
]


@pytest.mark.parametrize(("path", "look"), LOOKED_AT)
def test_nothing_serious_stands_in_anybodys_way(chromium: Any, house: tuple[Server, str], path: str, look: int):
    script = pytest.importorskip("axe_playwright_python.base").AXE_FILE_PATH.read_text(encoding="utf-8")
    server, cookie = house
    context = chromium.new_context(base_url=server.url, locale="en-GB", reduced_motion="reduce", bypass_csp=True)
    if "join" not in path:
        context.add_cookies([{"name": "recollect", "value": cookie, "url": server.url}])
    page = context.new_page()
    page.goto(path)
    if path.startswith("/t/") and path.count("/") == 2 and "nothere" not in path:
        page.wait_for_function("() => document.getElementById('notice').textContent === ''")
    page.evaluate(script)
    found: Faults = {}
    if path.startswith("/t/") and path.endswith("9"):
        page.click("#do-rules")
        found["rules"] = page.evaluate(FAULTS)
        page.keyboard.press("Escape")
        for panel in ("company", "prefs"):
            page.click(f"#do-{panel}")
            found[panel] = page.evaluate(FAULTS)
        page.evaluate("document.querySelectorAll('dialog').forEach((panel) => panel.close())")
    found |= everywhere(page, look)
    context.close()
    assert not {where: faults for where, faults in found.items() if faults}


@pytest.mark.parametrize("size", SIZES)
def test_while_a_rematch_is_offered_ones_own_button_looks_like_those_beside_it(chromium: Any, house: tuple[Server, str], size: str):
    server, cookie = house
    context = chromium.new_context(base_url=server.url, color_scheme="light", viewport=SIZES[size])
    context.add_cookies([{"name": "recollect", "value": cookie, "url": server.url}])
    page = context.new_page()
    page.goto("/t/vivid10000")
    grounds = "['do-rematch', 'do-replay'].map((id) => getComputedStyle(document.getElementById(id)).backgroundColor)"
    rematch, replay = page.evaluate(grounds)
    assert rematch != replay, "it is what matters"
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<section id=\"rematch-offer\"></section>')")
    rematch, replay = page.evaluate(grounds)
    assert rematch == replay, "until somebody offers one"
    context.close()


CROSSED = """() => [...document.querySelectorAll("#mine li")].flatMap((row) => {
  const button = row.querySelector(".btn").getBoundingClientRect(), words = document.createRange();
  return [...row.querySelectorAll(".what > *, .state > *")].filter((said) => {
    words.selectNodeContents(said);
    const met = (r) => r.right > button.left && r.left < button.right && r.bottom > button.top && r.top < button.bottom;
    return [...words.getClientRects()].some(met);
  }).map((said) => said.textContent);
})"""  # words that run under the button of their row


@pytest.mark.parametrize("size", SIZES)
def test_in_the_list_of_tables_no_word_runs_under_a_button_and_a_question_covers_no_other_table(
    chromium: Any, house: tuple[Server, str], size: str
):
    """French words and a whole date are the longest; `lobby` is a table that may be taken away."""
    server, cookie = house
    context = chromium.new_context(base_url=server.url, viewport=SIZES[size])
    context.add_cookies([{"name": "recollect", "value": cookie, "url": server.url}])
    page = context.new_page()
    page.goto("/language/fr?back=/")
    assert page.query_selector("#mine time") and page.evaluate(CROSSED) == []
    ends = """[...document.querySelectorAll("#mine li > .btn")].map((button) => Math.round(button.getBoundingClientRect().right))"""
    page.click("#older-more")
    assert len(set(page.evaluate(ends))) == 1, "all buttons end below each other, those of folded games too"
    page.click("#take-away-lobby")
    asked, row = page.locator("#take-lobby form").bounding_box(), page.locator("#table-lobby").bounding_box()
    assert asked["y"] >= row["y"] - 8 and asked["y"] + asked["height"] <= row["y"] + row["height"] + 8
    context.close()


@pytest.mark.parametrize("width", [390, 360])
def test_on_a_phone_no_heading_of_an_end_runs_into_the_next(chromium: Any, house: tuple[Server, str], width: int):
    """In French they are the longest."""
    server, cookie = house
    context = chromium.new_context(base_url=server.url, viewport={"width": width, "height": 844})
    context.add_cookies([{"name": "recollect", "value": cookie, "url": server.url}])
    page = context.new_page()
    page.goto("/language/fr?back=/t/vivid10000")
    spans = page.evaluate("""[...document.querySelectorAll(".matrix thead th:not(:first-child)")].map((th) => {
      const words = document.createRange();
      words.selectNodeContents(th);
      const box = words.getBoundingClientRect();
      return [box.left, box.right];
    })""")
    assert len(spans) == 5 and all(right <= left + 0.5 for (_, right), (left, _) in itertools.pairwise(spans)), spans
    context.close()
