"""Friends by their browsers: the start page that tells, preferences, words, leaving with a question, being offline."""

from __future__ import annotations

from typing import Any

import pytest
from house import Server

from table.test_browser import page, set_table

__all__ = ["page"]
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


ALLOWED = """() => {
  prefs.notify = "on";
  window.noted = [];
  window.Notification = class { static permission = "granted"; constructor(title) { window.noted.push(title); } };
  navigator.serviceWorker.getRegistration = async () => undefined;
  Object.defineProperty(document, "hidden", { value: true });
}"""  # as when somebody has allowed notifications and looks at another tab


def two(page: Any, **options: str) -> tuple[Any, Any]:
    """Mila at her table, Théo by link; both look at the board."""
    mila, theo = page(), page(locale="fr-FR", viewport={"width": 390, "height": 844})
    set_table(mila, seats={1: "link"}, **options)
    theo.goto(mila.input_value("#link-1"))
    theo.fill("#name", "Théo")
    theo.click("form .main")
    for who in (mila, theo):
        who.wait_for_selector(".island")
    return mila, theo


def play(who: Any) -> None:
    """Whatever is lit, until nothing is."""
    for _ in range(60):
        if not who.evaluate(
            "document.querySelector('#table [data-act]')?.dispatchEvent(new MouseEvent('click', { bubbles: true })) ?? false"
        ):
            return
        who.wait_for_timeout(60)


def test_the_start_page_tells_whose_turn_it_is_without_being_loaded_again(page: Any):
    mila, theo = two(page)
    theo.goto("/")
    theo.wait_for_selector("#mine .state")
    theo.evaluate("window.stayed = true")
    assert "À Mila de jouer" in theo.inner_text("#mine") and theo.get_attribute("link[rel=icon]", "href") == "/static/icon.svg"
    theo.evaluate("() => { window.rang = 0; window.AudioContext = function () { window.rang++; }; }")
    assert theo.evaluate("prefs.notify") == "off", "no notification that nobody asked for"
    theo.evaluate(ALLOWED)
    play(mila)
    theo.wait_for_selector("#mine [data-turn]")
    assert "À vous de jouer" in theo.inner_text("#mine") and theo.title() == "(1) Recollect"
    assert theo.get_attribute("link[rel=icon]", "href") == "/static/icon-turn.svg", "the tab's icon has a badge"
    assert theo.evaluate("window.stayed") and theo.evaluate("window.rang") == 0, "no sound that nobody asked for"
    assert theo.evaluate("window.noted") == ["À vous de jouer · Memoarrr!"], "and once, where it was allowed and the page is behind others"


def test_preferences_are_kept_and_stand_above_the_systems(page: Any):
    mila = page(color_scheme="dark")
    mila.goto("/")
    ground = "getComputedStyle(document.body).getPropertyValue('--table').trim()"
    assert mila.evaluate(ground) == "#17212b"
    mila.click("#do-prefs")
    mila.check("#pref-theme-light", force=True)
    mila.check("#pref-motion-less", force=True)
    assert mila.evaluate(ground) == "#e9e2d4", "at once"
    mila.goto("/new/memoarrr")
    assert mila.evaluate(ground) == "#e9e2d4" and mila.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    mila.goto("/")
    assert mila.is_checked("#pref-theme-light") and mila.is_checked("#pref-sound-off"), "sound is off until asked for"
    mila.click("#do-prefs")
    mila.check("#pref-theme-auto", force=True)
    assert mila.evaluate(ground) == "#17212b"


def test_words_rise_and_can_be_muted(page: Any):
    mila, theo = two(page)
    theo.click("#do-company")
    theo.click("#say-well")
    mila.wait_for_selector(".bubble")
    assert mila.inner_text(".bubble span:last-child") == "Well played!"
    mila.click("#do-company")
    mila.click("#mute-1")
    assert mila.is_hidden("#company-lines li") and mila.get_attribute("#mute-1", "aria-pressed") == "true"
    mila.evaluate("document.getElementById('bubbles').replaceChildren()")
    theo.click("#do-company")
    theo.click("#say-heart")
    mila.wait_for_function("() => document.querySelectorAll('#company-lines li').length === 2")
    assert mila.locator(".bubble").count() == 0 and mila.locator("#company-lines li:visible").count() == 0
    mila.keyboard.press("Escape")
    mila.reload()
    mila.wait_for_selector("#mute-1[aria-pressed=true]", state="attached")


def test_leaving_asks_first_and_giving_up_is_for_good(page: Any):
    mila, theo = two(page)
    old = theo.url
    theo.click("#do-leave")
    theo.click("#leave-stay")
    assert theo.url == old
    theo.click("#do-leave")
    theo.click("#leave-out")
    theo.wait_for_url("**/")
    assert theo.locator("#mine [id^=table-]").count() == 0
    mila.click("#do-company")
    mila.wait_for_selector("#company-lines :text('Théo gave up')")


def test_offline_is_said_and_a_page_that_cannot_come_says_so(page: Any, server: Server):
    mila = page()
    mila.goto("/")
    assert mila.is_hidden("#offline")
    mila.evaluate("navigator.serviceWorker.ready.then(() => true)")
    mila.context.set_offline(True)
    mila.wait_for_selector("#offline:visible")
    assert "You are offline" in mila.inner_text("#offline")
    mila.context.set_offline(False)
    mila.wait_for_selector("#offline", state="hidden")
    server.kill()
    mila.goto("/")
    assert "You are offline" in mila.inner_text("h1 >> nth=0") and mila.locator("[lang=fr] h1").count() == 1
    server.start()
    mila.wait_for_selector("#mine")
