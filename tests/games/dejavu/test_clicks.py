"""A whole game of Déjà Vu for two, played by clicks in a real browser as two people at one screen would."""

from __future__ import annotations

import re

import pytest

from recollect.engine import CHANCE
from recollect.engine.match import rebuild, verify

pytestmark = pytest.mark.browser

SHOWN = ("tokens", "cards", "links", "colours", "fragments")  # the end's own order

# What to click next, as a person who builds when possible and gathers where it pays would. Only lit things are candidates.
NEXT = """() => {
  const lit = (q) => [...document.querySelectorAll(q)].filter((e) => e.dataset.act !== undefined || e.dataset.sit !== undefined);
  const gain = (e) => Number((e.querySelector('.name b') || {textContent: '0'}).textContent.replace('+', ''));
  const bits = (e) => e.querySelectorAll('.bit').length;
  const first = ['#do-sit', '[id^=spot-]', '[id^=choose-]', '[id^=lay-]', '#fits .lit', '#to-short',
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
        page.wait_for_function("(old) => document.getElementById('live').dataset.n !== old && waiting === null", arg=at["n"])


# What nobody looks at is not drawn meanwhile: a board of so many pieces costs more to draw than all else.
TOUCH = """async (id) => {
  document.body.style.display = 'none';
  const el = document.getElementById(id), n = document.getElementById('live').dataset.n;
  (el.matches('[data-act], [data-sit]') ? el : el.querySelector('[data-act]')).click();
  const on = () => document.getElementById('live').dataset.n !== n && waiting === null;
  const answered = () => id === 'do-sit' ? !document.getElementById(id) : on();
  while (!answered()) await new Promise((later) => setTimeout(later, 5));
}"""


def sit(page) -> None:
    if page.locator("#do-sit").count():
        press(page, "do-sit")


def set_table(page, url: str, map: str) -> None:
    """Two people at one screen, the game set up by the form."""
    page.goto(url + "/new/dejavu")
    page.fill("[name=name0]", "Mila")
    page.check("#seat1-here", force=True)
    page.fill("[name=name1]", "Ana")
    page.check(f"#map-{map}", force=True)
    page.click("#open-table")
    page.wait_for_selector("#live")
    page.wait_for_load_state()  # all of it, not only its beginning


@pytest.fixture
def table(server, chromium):
    page = chromium.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    set_table(page, server.url, "built")
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


def test_on_a_phone_touching_a_card_discards_nothing(server, chromium):
    page = chromium.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce", has_touch=True, is_mobile=True)
    set_table(page, server.url, "drawn")
    sit(page)
    page.wait_for_selector("#dealt")
    n, cards = page.locator("#live").get_attribute("data-n"), page.locator("#dealt .card")
    assert cards.count() == 5
    for i in range(5):
        cards.nth(i).scroll_into_view_if_needed()
        cards.nth(i).tap(position={"x": 60, "y": 60})
        page.wait_for_selector("#zoom[open] .card")
        assert page.locator("#zoom .card").bounding_box()["width"] > 250, "it grows, to be read"
        page.keyboard.press("Escape")
    press(page, page.locator("#dealt button").nth(1).get_attribute("id"))
    assert cards.count() == 4 and page.locator("#live").get_attribute("data-n") == str(int(n) + 1)
    press(page, "do-undo")
    assert cards.count() == 5
    page.close()


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


@pytest.mark.parametrize("by_mouse", [50, pytest.param(3000, marks=pytest.mark.long)])
def test_a_whole_game_by_clicks(table, by_mouse: int):
    """Whatever the seed, the end shown is the one that the rules come to from the file of the match. After the first clicks nobody looks
    whether something covers what is clicked, which takes most of the time."""
    page, clicks, drawn = table, 0, "document.body.style.display = ''"
    while not page.locator("#live.end").count():
        id = page.evaluate(NEXT)
        if not id:  # the last move stays in sight for a moment
            page.wait_for_selector("#live.end, #do-sit", state="attached")
            continue
        if clicks < by_mouse:
            press(page, id)
        else:
            page.evaluate(TOUCH, id)
        clicks += id != "do-sit"
        assert clicks < 3000
        if clicks % 40 == 0:
            page.evaluate(drawn)
            assert page.evaluate("document.documentElement.scrollWidth") <= 1440

    page.evaluate(drawn)
    document = page.request.get(page.url + "/match.json").json()
    assert verify(document) > 60, "the map is built, yet fragments, cards and bits are drawn, as the seal has it"
    match = rebuild(document)
    assert clicks < sum(seat != CHANCE for seat, _ in match.log), "one click may be several actions"
    shown = [rank_of(page, seat) for seat in (0, 1)]
    assert [rank for rank, _, _ in shown] == match.ranking()
    assert [score for _, score, _ in shown] == match.scores() == [sum(parts) for _, _, parts in shown]
    points = match.points()
    assert [parts for _, _, parts in shown] == [[points[name][seat] for name in SHOWN] for seat in (0, 1)]

    kept = [row.bit_count() for row in match.state.long.tolist()[:2]]
    assert [page.locator(f"#rank-{seat} .row .card").count() for seat in (0, 1)] == kept
    awake = match.state.awake
    assert kept[awake] >= 10 if awake >= 0 else max(kept) < 10 and match.state.rounds > match.state.last_round > 0
    assert ("is awake" in page.locator("#say").inner_text()) == (awake >= 0)


def rank_of(page, seat: int) -> tuple[int, int, list[int]]:
    """A row of the end: the rank, the score and its parts."""
    row = page.locator(f"#rank-{seat}")
    number = lambda text: int(re.match(r"\s*(\d+)", text)[1])  # noqa: E731
    return (
        number(row.locator(".no").inner_text()),
        number(row.locator(".total-of b").inner_text()),
        [number(b) for b in row.locator(".sums b").all_inner_texts()],
    )
