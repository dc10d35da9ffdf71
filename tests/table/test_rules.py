"""The rules panel opens at what is on the table, and answers to "why not" lead there and back."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from house import Server

import recollect
from recollect.engine.look import Look
from recollect.engine.shelf import games
from recollect.engine.texts import LANGUAGES
from recollect.table.render.prose import game_texts
from recollect.table.render.rules import chapter_of, chapters, rules_of

from .test_own import cookie, lay


@pytest.mark.parametrize("name", games())
def test_every_chapter_is_a_section_of_the_rules_and_every_stage_exists(name: str) -> None:
    game = recollect.load(name)
    assert chapters(game)
    for field, sections in chapters(game).items():
        assert set(sections) <= set(game.state.fields[field].values or ()), field
        for language in LANGUAGES:
            ids = re.findall(r'id="rules-(\w+)"', rules_of(game_texts(game, language)))
            assert set(sections.values()) <= set(ids), language


@pytest.mark.parametrize("name", games())
def test_whoever_is_asked_is_led_to_a_section(name: str) -> None:
    game, rng = recollect.load(name), random.Random(5)
    match, seen = game.match(seed="rules", players=2), set()
    while not match.over:
        seat = rng.choice(sorted(match.acting))
        section = chapter_of(Look.of(match.moment, seat, ["a", "b"], game_texts(game, "en")))
        assert section, match.state
        seen.add(section)
        match.play(seat, rng.choice(match.legal(seat)))
    assert len(seen) >= 2
    assert chapter_of(Look.of(match.moment, -1, ["a", "b"], game_texts(game, "en")))


@pytest.mark.browser
def test_an_answer_leads_to_the_rules_and_back(chromium: Any, tmp_path: Any) -> None:
    from recollect.table.store import Chair, Store

    store = Store(tmp_path)
    lay(store, "table", "ptibapt", [Chair("here", "Mila", "mila"), Chair("here", "Théo", "theo")], moves=0, starts="first")
    key = cookie(store)
    store.close()
    server = Server(tmp_path, pace=1000)
    try:
        context = chromium.new_context(base_url=server.url, locale="en-GB")
        context.add_cookies([{"name": "recollect", "value": key, "url": server.url}])
        page = context.new_page()
        page.goto("/t/table")
        page.click("#table [data-act]")
        page.wait_for_selector("#table [data-try]")
        page.locator("#table [data-try]").first.click(force=True)
        page.wait_for_selector(".why-rules")
        page.focus(".why-rules")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "rules-turn"
        assert "Why not?" in page.inner_text("#rules-why") and page.is_visible("#rules-why")
        page.click("#rules-why [data-close]")
        page.click("#do-rules")
        assert page.is_hidden("#rules-why") and page.evaluate("document.activeElement.id") == "rules-turn"
        context.close()
    finally:
        server.kill()
