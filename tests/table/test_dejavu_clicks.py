"""A whole game of Déjà Vu for two, played by clicks in a real browser as two people at one screen would."""

from __future__ import annotations

import re

import pytest

pytestmark = pytest.mark.browser

# What to click next, as a person who builds when possible and gathers where it pays would. Only lit things are candidates.
NEXT = """() => {
  const lit = (q) => [...document.querySelectorAll(q)].filter((e) => e.dataset.act !== undefined || e.dataset.sit !== undefined);
  const gain = (e) => Number((e.querySelector('.name b') || {textContent: '0'}).textContent.replace('+', ''));
  const bits = (e) => e.querySelectorAll('.bit').length;
  const first = ['#do-sit', '[id^=spot-]', '[id^=dealt-]', '[id^=lay-]', '#fits .lit', '#to-short',
    '#do-plant-circle', '#do-plant-card', '#tray .lit-bit button', '#do-grow'];
  for (const q of first)
    if (lit(q).length) return lit(q)[0].id || lit(q)[0].closest('[id]').id;
  const tiles = lit('.tile');
  const sowing = document.querySelector('#queue');
  if (tiles.length && sowing) return tiles.sort((a, b) => gain(b) - gain(a))[0].id;
  const on = lit('#do-stay, #do-built, #do-saved, #do-draw, #do-skip');
  if (on.length) return on[0].id;
  if (tiles.length) return tiles.sort((a, b) => Math.abs(bits(a) - 4) - Math.abs(bits(b) - 4))[0].id;
  return null;
}"""


WHERE = """(id) => {
  let el = document.getElementById(id);
  el = el.matches('[data-act], [data-sit], [data-undo]') ? el : el.querySelector('[data-act]');
  el.scrollIntoView({block: 'nearest', inline: 'nearest'});
  const r = el.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2, hit = document.elementFromPoint(x, y);
  return {x, y, free: !!hit && hit.closest('[data-act], [data-sit], [data-undo]') === el, n: document.getElementById('live').dataset.n};
}"""


def press(page, id: str) -> None:
    """Click in the middle of it, which nothing may cover, and wait until the table has answered."""
    at = page.evaluate(WHERE, id)
    assert at["free"], f"{id} is covered by something else"
    page.mouse.click(at["x"], at["y"])
    if id == "do-sit":
        page.wait_for_function("() => !document.getElementById('do-sit')")
    else:
        page.wait_for_function("(old) => document.getElementById('live').dataset.n !== old", arg=at["n"])


def sit(page) -> None:
    if page.locator("#do-sit").count():
        press(page, "do-sit")


@pytest.fixture
def table(server, chromium):
    """Two people at one screen, the game set up by the form."""
    page = chromium.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(server.url + "/new/dejavu")
    page.fill("[name=name0]", "Mila")
    page.check("#seat1-here", force=True)
    page.fill("[name=name1]", "Ana")
    page.check("#map-built", force=True)
    page.click("#open-table")
    page.wait_for_selector("#live")
    page.wait_for_load_state()  # all of it, not only its beginning
    yield page
    assert errors == []
    page.close()


def to_first_turn(page) -> None:
    """Build the map and choose the hands."""
    for _ in range(60):
        page.wait_for_selector("#do-sit, #table [data-act]")
        sit(page)
        if page.locator(".phase-2.asked").count():
            return
        press(page, page.evaluate(NEXT))
    raise AssertionError("no turn began")


def bits(page, tile: str) -> int:
    return page.locator(f"#{tile} .bits .bit").count()


def test_every_step_of_a_sowing_can_be_taken_back(table):
    page = table
    to_first_turn(page)
    start = page.locator(".tile.is-next").first.get_attribute("id")
    held = bits(page, start)
    press(page, start)
    assert bits(page, start) == 0 and page.locator("#queue li").count() == held == 4
    assert page.locator("#ends .end-row").count() > 0
    press(page, page.locator(".tile.is-next").first.get_attribute("id"))
    assert page.locator("#queue li").count() == 3 and page.locator(".nth").count() == 1
    press(page, "do-undo")
    assert page.locator("#queue li").count() == 4
    press(page, "do-undo")
    assert bits(page, start) == 4 and page.locator("#queue").count() == 0


def test_what_is_not_lit_says_why(table):
    page = table
    to_first_turn(page)
    start = page.locator(".tile.is-next").first.get_attribute("id")
    press(page, start)
    page.locator(".tile[data-try]:not(.is-start)").first.click(force=True)
    page.wait_for_function("() => document.getElementById('why').textContent.length > 10")


def test_the_gain_is_shown_before_the_last_step_and_then_gathered(table):
    page = table
    to_first_turn(page)
    press(page, page.locator(".tile.is-next").first.get_attribute("id"))
    while page.locator("#queue li").count() > 1:
        press(page, page.locator(".tile.is-next").first.get_attribute("id"))
    ends = page.locator(".tile.is-next.is-end")
    assert ends.count() == page.locator(".tile.is-next").count() > 0
    promised = int(ends.first.locator(".name b").inner_text())
    press(page, ends.first.get_attribute("id"))
    assert page.locator("#phase-3.now").count() == 1
    assert page.locator("#tray li").count() == promised


def test_a_whole_game_by_clicks(table):
    page, clicks = table, 0
    while not page.locator("#live.end").count():
        id = page.evaluate(NEXT)
        if not id:  # the last move stays in sight for a moment
            page.wait_for_selector("#live.end, #do-sit")
            continue
        press(page, id)
        clicks += 1
        assert clicks < 3000
        if clicks % 40 == 0:
            assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    scores = [int(re.sub(r"\D.*", "", text, flags=re.S)) for text in page.locator(".ranks .sum").all_inner_texts()]
    assert len(scores) == 2 and scores == sorted(scores, reverse=True) and scores[0] > 0
    parts = [[int(b) for b in row.locator(".parts b").all_inner_texts()] for row in page.locator(".ranks li[id^=rank-]").all()]
    assert [sum(p) for p in parts] == scores
