"""Focus is never lost: after a real click, and after whatever the table does next, something of the page has it."""

from __future__ import annotations

from typing import Any

import pytest
from house import Server

from recollect.engine.shelf import games

pytestmark = pytest.mark.browser
CLICKS = 7  # at each table: own turns, and a companion's between them
LIT = """() => {
  const lit = [...document.querySelectorAll("#table [data-act]")].filter((el) => el.getClientRects().length);
  const middle = (el) => { const r = el.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; };
  const free = lit.filter((el) => document.elementFromPoint(...middle(el))?.closest("[data-act]") === el);
  return waiting === null && free.length ? middle(free[free.length >> 1]) : null;
}"""
MOVED = "(n) => document.getElementById('live').dataset.n !== n"


def click(page: Any) -> None:
    """Click on something lit until the page has moved: between looking and clicking it may turn, and the click fall on nothing."""
    for _ in range(200):
        at, n = page.evaluate(LIT), page.get_attribute("#live", "data-n")
        if at is None:
            page.wait_for_timeout(100)
            continue
        page.mouse.click(*at)
        for _ in range(100):
            page.wait_for_timeout(20)
            if page.evaluate(MOVED, n):
                return
    raise AssertionError("nothing that is lit moves the page")


def test_something_has_the_focus_after_every_click_and_every_change(chromium: Any, server: Server):
    context = chromium.new_context(base_url=server.url, locale="en-GB", viewport={"width": 1280, "height": 720})
    page = context.new_page()
    for game in games():
        form = {"players": "2", "seat0": "here", "name0": "Mila", "seat1": "bot:goldfish"}
        page.goto(context.request.post(f"/new/{game}", form=form, headers={"origin": server.url}).url)
        page.wait_for_selector("#table")
        for _ in range(CLICKS):
            click(page)
            page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            assert page.evaluate("document.activeElement !== document.body"), f"{game}: focus fell to the body"
    context.close()
