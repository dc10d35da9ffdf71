"""Whole games by clicks against a companion, on a laptop and on a phone; how many clicks a turn takes.

`RECOLLECT_WRITE=docs python -m pytest tests/table/test_whole_games.py` writes what it measured into docs/pages.md.
"""

from __future__ import annotations

import os
import re
import statistics
from pathlib import Path
from typing import Any

import pytest

from recollect.engine.match import rebuild, verify

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
SIZES = {"laptop": (1280, 720), "phone": (390, 844)}
DOCS = Path(__file__).parents[2] / "docs" / "pages.md"
MOST = {"dejavu": 8, "memoarrr": 2, "ptibapt": 2, "vivid": 5}  # clicks of a turn, in the middle of all turns

# What a person would click next: what does the most at once, then what lies on the board. Only what is in sight counts.
NEXT = """(game) => {
  const all = (q) => [...document.querySelectorAll(q)].filter((e) => e.dataset.act !== undefined && e.getClientRects().length);
  const first = { dejavu: ['#ends .end-row', '[id^=choose-]', '#do-fill', '#fits .lit', '#do-plant-circle', '#do-plant-card',
      '#do-all-whites', '#do-save-all', '#tray .lit-bit button', '#do-spread', '#do-built', '#do-saved', '#do-stay', '#do-draw',
      '#do-skip'],
    vivid: ['.tile .frag.lit', '.hex.lit', '[id$=-tile].lit', '#do-done'], memoarrr: [], ptibapt: [] }[game];
  const any = (found) => found[Math.floor(Math.random() * found.length)];
  for (const q of first) { const found = all(q); if (found.length) return mark(any(found.slice(0, 2))); }
  const found = all('#table [data-act]');
  return found.length ? mark(any(found)) : false;
  function mark(el) { document.querySelector('[data-next]')?.removeAttribute('data-next'); el.setAttribute('data-next', ''); return true; }
}"""
ASKED = "() => document.querySelector('#live.end') || document.querySelector('#table [data-act]')"
SETTLED = """(n) => document.querySelector('#live.end') || (document.getElementById('live').dataset.n !== n && waiting === null)"""


def set_table(page: Any, url: str, game: str) -> None:
    """One person and one companion."""
    page.goto(f"{url}/new/{game}")
    page.fill("[name=name0]", "Mila")
    page.click("#open-table")
    page.wait_for_selector("#live")


def play(page: Any, game: str) -> list[int]:
    """To the end by clicks; the clicks of each turn. A turn ends when a page comes on which nothing is to be done."""
    turns, clicks = list[int](), 0
    for _ in range(3000):
        if page.locator("#live.end").count():
            return [*turns, clicks] if clicks else turns
        if not page.evaluate(NEXT, game):
            turns, clicks = [*turns, *([clicks] if clicks else [])], 0
            page.wait_for_function(ASKED)
            continue
        n = page.get_attribute("#live", "data-n")
        page.evaluate("document.querySelector('[data-next]').scrollIntoView({block: 'nearest', inline: 'nearest'})")
        page.locator("[data-next]").first.click(force=True)
        clicks += 1
        page.wait_for_function(SETTLED, arg=n)
        assert page.evaluate("document.activeElement !== document.body || !document.hasFocus()"), "the focus fell to the body"
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("game", MOST)
@pytest.mark.parametrize("screen", SIZES)
def test_a_whole_game_by_clicks(server: Any, chromium: Any, game: str, screen: str):
    wide, high = SIZES[screen]
    page = chromium.new_page(viewport={"width": wide, "height": high}, reduced_motion="reduce")
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    set_table(page, server.url, game)
    turns = play(page, game)
    document = page.request.get(page.url + "/match.json").json()
    page.close()
    assert not errors and rebuild(document).over and verify(document)
    middle = statistics.median(turns)
    assert middle <= MOST[game], f"a turn takes {middle} clicks: {sorted(turns)}"
    if os.environ.get("RECOLLECT_WRITE") == "docs":
        write(game, screen, turns)


def write(game: str, screen: str, turns: list[int]) -> None:
    """One line of the table in docs/pages.md."""
    row = f"| {game} | {screen} {SIZES[screen][0]}x{SIZES[screen][1]} | {len(turns)} | {statistics.median(turns):g} | {max(turns)} |"
    text = DOCS.read_text(encoding="utf-8")
    text = re.sub(rf"(?m)^\| {game} \| {screen} .*\n", "", text)
    DOCS.write_text(text.replace("<!-- end of clicks -->", f"{row}\n<!-- end of clicks -->"), encoding="utf-8")
