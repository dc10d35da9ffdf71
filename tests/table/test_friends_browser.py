"""Friends by their browsers: the start page that tells, preferences, words, leaving with a question, being offline."""

from __future__ import annotations

import json
from typing import Any

import pytest
from house import Server

from recollect.table.render.page import environment
from recollect.table.render.prose import ui_texts
from recollect.table.web.start import facts
from table.test_browser import WORDY, page, set_table

__all__ = ["page"]
pytestmark = pytest.mark.browser


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
    """Whatever is lit, until nothing is; each click is answered before the next."""
    click = """() => {
      document.querySelector('#table [data-act]')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      return waiting && live().dataset.n;
    }"""
    while (n := who.evaluate(click)) is not None:
        who.wait_for_function("n => live().dataset.n !== n && waiting === null", arg=n)


def hall(who: Any) -> None:
    """Somebody comes to the start page, which has been told what there is: of what changes from then on, it tells."""
    told: list[Any] = []
    who.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(frame)))
    who.goto("/")
    while not any('"mine"' in str(frame) for frame in told):
        who.wait_for_timeout(20)


STILL = "() => { socket.onmessage = null; lastHeard = Infinity; }"  # from here on the page stays as it is, whatever the table says
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"  # as it is now: the size, too


def test_the_start_page_tells_whose_turn_it_is_without_being_loaded_again(page: Any):
    mila, theo = two(page)
    hall(theo)
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


HEARD = """() => {
  window.tones = [];
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    const tone = make.call(this), start = tone.start.bind(tone);
    tone.start = (at) => { window.tones.push(tone.frequency.value); start(at); };
    return tone;
  };
}"""  # every tone that is really begun
PATIENT = """() => {
  const later = window.setTimeout;
  window.setTimeout = (what, ms, ...more) => later(what, ms === 500 ? 20000 : ms, ...more);
}"""  # on a busy machine the sound takes longer to begin than the page waits for it


def test_a_turn_is_notified_by_the_worker_and_rings_only_where_both_were_asked_for(page: Any, server: Server):
    """The browser's own notification, shown by the service worker, and tones that an AudioContext makes."""
    mila, theo = two(page, turn="600")
    theo.context.grant_permissions(["notifications"], origin=server.url)
    hall(theo)
    theo.evaluate("navigator.serviceWorker.ready.then(() => true)")
    theo.evaluate(PATIENT)
    theo.evaluate(HEARD)
    shown = "navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((all) => all.map((note) => note.title))"
    theo.evaluate("() => Object.defineProperty(document, 'hidden', { value: true })")
    theo.evaluate("document.dispatchEvent(new CustomEvent('asked', { detail: 'nobody asked for this' }))")
    assert theo.evaluate(shown) == [] and theo.evaluate("tones") == [], "off until asked for"
    theo.evaluate("prefer('sound', 'on')")
    theo.wait_for_function("() => tones.length === 2")  # so that one knows what was asked for
    theo.evaluate("prefer('notify', 'on')")
    play(mila)
    theo.wait_for_selector("#mine [data-turn]")
    theo.wait_for_function(f"() => {shown}.then((titles) => titles.length === 1)")
    theo.wait_for_function("() => tones.length === 4")
    assert theo.evaluate(shown) == ["À vous de jouer · Memoarrr!"] and theo.evaluate("tones") == [523, 784, 523, 784]


def test_a_call_that_was_answered_lies_there_no_longer_and_a_reminder_calls_again(page: Any, server: Server):
    mila, theo = two(page)
    theo.context.grant_permissions(["notifications"], origin=server.url)
    theo.evaluate("navigator.serviceWorker.ready.then(() => true)")
    away = "() => { prefer('notify', 'on'); Object.defineProperty(document, 'hidden', { value: true, configurable: true }); }"
    theo.evaluate(away)
    play(mila)
    lies(theo, [False])
    theo.evaluate("document.dispatchEvent(new CustomEvent('reminded'))")
    lies(theo, [True])
    theo.evaluate("delete document.hidden")
    play(theo)
    lies(theo, [])


def lies(who: Any, wanted: list[bool]) -> None:
    """Wait until so many notifications lie there; of each, whether it called although one of its table lay there."""
    again = "navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((all) => all.map((note) => note.renotify))"
    for _ in range(400):
        if (now := who.evaluate(again)) == wanted:
            return
        who.wait_for_timeout(20)
    raise AssertionError(now)


def test_what_could_not_be_rung_before_the_first_touch_is_not_rung_at_it(page: Any):
    mila = page()
    mila.goto("/")
    mila.evaluate(HEARD)
    mila.evaluate("""() => {
      AudioContext.prototype.resume = () => new Promise(() => {});
      Object.defineProperty(AudioContext.prototype, "state", { get: () => "suspended" });
      prefer("sound", "on");
    }""")  # as browsers do with a page that nobody has touched
    mila.wait_for_timeout(600)
    assert mila.evaluate("tones") == []


def test_the_hours_of_tables_that_look_alike_are_those_of_who_reads_them(page: Any):
    mila = page(locale="fr-FR", timezone_id="Pacific/Kiritimati")
    for _ in range(2):
        set_table(mila)
    mila.goto("/")
    at = mila.get_attribute("#mine time", "datetime")
    write = "(at) => new Date(at).toLocaleTimeString('fr-FR', { timeZone: 'Pacific/Kiritimati', hour: '2-digit', minute: '2-digit' })"
    assert mila.inner_text("#mine time >> nth=0") == f"depuis {mila.evaluate(write, at)}"


@pytest.mark.parametrize(("zone", "day"), [("Pacific/Kiritimati", "1er février"), ("Pacific/Honolulu", "31 janvier")])
def test_days_are_those_of_who_reads_them(page: Any, zone: str, day: str):
    mila = page(locale="fr-FR", timezone_id=zone)
    mila.goto("/")
    time = '<time id="then" datetime="2026-01-31T12:00:00+00:00" data-day="long">31 janvier</time>'
    mila.evaluate("html => { document.querySelector('main').insertAdjacentHTML('beforeend', html); hours(); }", time)
    assert mila.inner_text("#then") == day


def test_a_page_too_many_says_so_and_comes_when_there_is_room_and_somebody_looks(page: Any):
    mila = page()
    set_table(mila)
    table = mila.url
    mila.goto("/about")
    other = mila.context.new_page()
    other.goto("/credits")
    other.evaluate("() => { window.open40 = [...Array(40)].map(() => new WebSocket(location.origin.replace('http', 'ws') + '/live')); }")
    other.wait_for_function("() => open40.filter((socket) => socket.readyState !== 0).length === 40")
    for where, place in (("/", "#offline"), (table, "#notice")):
        mila.goto(where)
        mila.wait_for_selector(f"{place}:text('more than 40 pages')")
    mila.wait_for_function("() => socket.readyState === 3")
    mila.wait_for_timeout(600)
    assert mila.evaluate("socket.readyState") == 3, "it does not try again and again"
    other.close()
    look = "if (socket.readyState === 3) document.dispatchEvent(new Event('visibilitychange'))"
    mila.wait_for_function(f"() => {{ {look}; return notice.textContent === ''; }}", polling=100)  # the house has to hear that they went
    mila.wait_for_selector("#table [data-act]")


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


def test_what_one_page_prefers_is_preferred_by_the_others_and_not_undone_by_them(page: Any):
    mila = page(color_scheme="dark")
    mila.goto("/")
    mila.evaluate(HEARD)
    other = mila.context.new_page()
    other.goto("/")
    other.evaluate("prefer('sound', 'on')")
    mila.wait_for_function("() => prefs.sound === 'on' && document.getElementById('pref-sound-on').checked")
    assert mila.evaluate("tones") == [], "it is heard where it was asked for"
    mila.evaluate("localStorage.setItem('recollect.prefs', JSON.stringify({ leisure: 'brisk' })); prefer('theme', 'light')")
    kept = "JSON.parse(localStorage.getItem('recollect.prefs'))"
    assert mila.evaluate(f"{kept}.leisure") == "brisk", "what was kept since is not written over"
    bar = "[...document.querySelectorAll('meta[name=theme-color]')].find((el) => matchMedia(el.media || 'all').matches).content"
    for who in (mila, other):
        who.wait_for_function("() => getComputedStyle(document.body).getPropertyValue('--table').trim() === '#e9e2d4'")
        assert who.evaluate(bar) == "#e9e2d4", "the browser's own bar, too"


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
    mila.wait_for_selector("#offline:visible")
    assert "Connection lost" in mila.inner_text("#offline"), "the lists may be old"
    mila.goto("/")
    assert "Recollect cannot be reached" in mila.inner_text("h1 >> nth=0") and mila.locator("[lang=fr] h1").count() == 1
    assert "You are offline, or" in mila.inner_text("main"), "for the browser may well be online, and the house away"
    server.start()
    mila.wait_for_selector("#mine")


def test_a_move_made_offline_is_said_to_be_kept(page: Any):
    mila = page()
    set_table(mila)
    mila.wait_for_selector("#table [data-act]")
    mila.context.set_offline(True)
    mila.evaluate("socket.close()")
    mila.wait_for_selector("#offline:visible")
    assert mila.is_hidden("#notice"), "that one is offline is said once"
    mila.evaluate("document.querySelector('#table [data-act]').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    mila.wait_for_selector("#notice:visible")
    assert "Your move is kept" in mila.inner_text("#notice") and mila.is_hidden("#offline"), "and not under another word"


@pytest.mark.parametrize("size", [(390, 844), (1280, 720)])
def test_what_was_said_is_in_sight_in_the_panel(page: Any, size: tuple[int, int]):
    mila, theo = two(page, chat="yes")
    mila.set_viewport_size({"width": size[0], "height": size[1]})
    theo.click("#do-company")
    theo.fill("#chat-text", "On se retrouve demain ?")
    theo.click("#chat-send")
    mila.click("#do-company")
    line = mila.wait_for_selector("#company-lines li")
    seen = line.evaluate("""el => { const r = el.getBoundingClientRect(), at = document.elementFromPoint(r.left + 5, r.top + r.height / 2);
        return r.height > 12 && el.contains(at); }""")
    assert seen and "On se retrouve demain" in line.inner_text(), "neither pressed flat by what stands round it nor out of sight"
    field = mila.query_selector("#chat-text").bounding_box()
    assert field["y"] + field["height"] < size[1], "and one can answer"


def test_the_latest_word_stands_next_to_where_one_answers(page: Any):
    mila, theo = two(page, chat="yes")
    theo.click("#do-company")
    for n in range(4):
        theo.fill("#chat-text", "Prenez tout votre temps, " * 4 + str(n))
        theo.press("#chat-text", "Enter")
        theo.wait_for_function("n => document.querySelectorAll('#company-lines li').length > n", arg=n)
    mila.click("#do-company")
    mila.wait_for_function("() => document.querySelectorAll('#company-lines li').length === 4")
    for who in (mila, theo):
        assert [line.rsplit(" ", 1)[1] for line in who.locator("#company-lines li").all_inner_texts()] == [*"0123"]
        box, field = who.locator("#company-lines li").last.bounding_box(), who.locator("#chat-text").bounding_box()
        assert 0 < field["y"] - box["y"] - box["height"] < 40, "the latest in sight, just above"
        who.focus(".company-lines")
        who.keyboard.press("Home")
        who.wait_for_function("() => document.querySelector('.company-lines').scrollTop < 0")  # by keys one reads what was said before


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)])
def test_of_what_was_said_whole_lines_are_in_sight(page: Any, size: tuple[int, int]):
    """However many lines a word takes, and with what pictures."""
    mila, theo = two(page, chat="yes")
    mila.set_viewport_size({"width": size[0], "height": size[1]})
    for n, what in enumerate(("hello", "heart", "Prenez tout votre temps, " * 3, "smile", "Oui", "luck", "heart", "thanks"), start=1):
        (mila, theo)[n % 2].evaluate("what => send({ do: 'say', what })", what)
        mila.wait_for_function("n => document.querySelectorAll('#company-lines li').length === n", arg=n)
        mila.click("#do-company")
        assert mila.evaluate(WHOLE) == [], n
        mila.keyboard.press("Escape")


# The lines of which only a part is in sight, of those that were said.
WHOLE = """() => {
  const top = document.querySelector(".company-lines").getBoundingClientRect().top, range = document.createRange();
  const texts = document.createTreeWalker(document.getElementById("company-lines"), NodeFilter.SHOW_TEXT), lines = [];
  while (texts.nextNode()) { range.selectNode(texts.currentNode); lines.push(...range.getClientRects()); }
  return lines.filter((box) => box.top < top - 1 && box.bottom > top + 1).map((box) => [box.top - top, box.bottom - top]);
}"""
COUNTED = """for (const [name, count] of [["setAppBadge", (n) => n], ["clearAppBadge", () => 0]]) {
  navigator[name] = async (n) => { window.counted = count(n); };
}"""


def test_the_apps_badge_counts_every_table_that_waits(page: Any):
    """The page of one table leaves alone what was counted of others."""
    mila, _ = two(page)
    mila.context.add_init_script(COUNTED)
    mila.reload()
    other = mila.context.new_page()
    set_table(other)
    other.wait_for_function("() => window.counted === 2")
    play(mila)
    mila.wait_for_function("() => window.counted === 1")
    assert mila.get_attribute("link[rel=icon]", "href") == "/static/icon.svg", "a tab's icon tells of its own table"
    assert other.get_attribute("link[rel=icon]", "href") == "/static/icon-turn.svg"


def test_what_one_page_counts_is_not_written_over_by_another(page: Any):
    """Of two that write at the same moment neither has read what the other wrote."""
    mila, _ = two(page)
    mila.context.add_init_script(COUNTED)
    mila.reload()
    mila.wait_for_function("() => window.counted === 1")
    mila.evaluate("""() => { const was = { ...localStorage }; Storage.prototype.getItem = (key) => was[key] ?? null; }""")
    other = mila.context.new_page()
    set_table(other)
    other.wait_for_function("() => window.counted === 2")
    mila.wait_for_function("() => window.counted === 2")
    play(mila)
    other.wait_for_function("() => window.counted === 1")
    third = mila.context.new_page()
    set_table(third)
    third.wait_for_function("() => window.counted === 2")


def test_who_cannot_reach_the_house_asks_again_when_the_last_question_is_answered(page: Any):
    mila = page()
    mila.goto("/offline")
    mila.clock.install()
    mila.evaluate("""() => {
      window.asked = 0;
      window.fetch = () => { window.asked++; return new Promise((_, no) => { window.refuse = no; }); };
    }""")
    mila.evaluate("history.replaceState(null, '', '/t/somewhere')")
    mila.add_script_tag(url="/static/offline.js")
    mila.clock.run_for(5000)
    assert mila.evaluate("window.asked") == 1
    mila.clock.run_for(8000)
    assert mila.evaluate("window.asked") == 1, "the first one is not answered yet"
    mila.evaluate("window.refuse(new TypeError('gone'))")
    mila.clock.run_for(5000)
    assert mila.evaluate("window.asked") == 2


@pytest.mark.parametrize(("wide", "least", "lines"), [(390, 340, 3), (1366, 500, 1)])
def test_what_was_missed_is_said_on_a_ribbon_as_wide_as_it_needs(page: Any, wide: int, least: int, lines: int):
    mila = page(locale="fr-FR", viewport={"width": wide, "height": 800})
    set_table(mila)
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    ribbon = '<p class="ribbon" id="ribbon"><span>{}</span><span class="sand"><i></i></span></p>'.format(ui_texts("fr")("missed", n=3))
    mila.evaluate(STILL)
    mila.evaluate("html => live().insertAdjacentHTML('beforeend', html)", ribbon)
    box, words = mila.locator("#ribbon").bounding_box(), mila.locator("#ribbon span").first.bounding_box()
    assert least <= box["width"] <= wide - 20 and box["x"] >= 10 and box["x"] + box["width"] <= wide - 10
    assert abs(box["x"] + box["width"] / 2 - wide / 2) < 2 and words["height"] < 21 * lines + 4
    assert wide > 390 or box["y"] < 56, "on a phone just under the tools: the names stand below it"


def test_what_could_not_be_sent_is_not_lost(page: Any):
    mila, _ = two(page, chat="yes")
    mila.click("#do-company")
    mila.fill("#chat-text", "Are you there?")
    mila.evaluate("socket.close(); document.getElementById('chat-send').click()")
    assert mila.input_value("#chat-text") == "Are you there?"


@pytest.mark.parametrize("game", ["memoarrr", "ptibapt", "vivid", "dejavu"])
def test_who_watches_on_a_phone_has_every_tool(page: Any, server: Server, game: str):
    mila, theo, ida = page(), page(), page(locale="fr-FR", viewport={"width": 390, "height": 844})
    mila.goto(f"/new/{game}")
    for id in ("players-2", "seat1-link", "turn-86400"):
        mila.evaluate("id => document.getElementById(id).click()", id)
    mila.click("#open-table")
    assert theo.request.post(mila.input_value("#link-1"), form={"name": "Théo"}, headers={"origin": server.url}).ok
    ida.goto(mila.url)
    ida.wait_for_function(
        "() => getComputedStyle(document.getElementById('do-company'), '::after').content.includes('h')"
    )  # the clock is there
    for tool in ("#watching", "#do-company", "#do-rules", "#do-leave"):
        box = ida.locator(tool).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, tool
        ida.click(tool, trial=True)


def test_who_waits_without_the_links_is_not_told_to_open_one(page: Any):
    mila, ida = page(), page(locale="fr-FR", viewport={"width": 390, "height": 844})
    set_table(mila, seats={1: "link"})
    assert "Whoever first opens the link" in mila.inner_text("#lobby-1")
    ida.goto(mila.url)
    assert "Gardée pour qui a le lien" in ida.inner_text("#lobby-1")
    ends = [ida.locator(tool).bounding_box() for tool in ("#do-company", "#do-rules", ".lobby .bar")]
    assert all(box["x"] + box["width"] <= 390 for box in ends) and ida.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_was_said_while_somebody_was_away_is_marked_until_they_look(page: Any):
    mila, theo = two(page)
    marked = "() => document.body.classList.contains('unheard')"
    mila.goto("/")
    theo.click("#do-company")
    theo.click("#say-bye")
    theo.wait_for_selector("#company-lines li", state="attached")
    assert not theo.evaluate(marked), "one's own words are no news"
    mila.go_back()
    mila.wait_for_function(marked)
    mila.reload()
    mila.wait_for_function(marked)
    mila.click("#do-company")
    assert not mila.evaluate(marked) and "See you later!" in mila.inner_text("#company-lines")
    mila.reload()
    mila.wait_for_selector("#company-lines li", state="attached")
    assert not mila.evaluate(marked)
    theo.click("#do-company")
    theo.click("#say-hello")
    mila.wait_for_selector(".bubble")
    assert not mila.evaluate(marked), "what rises before one's eyes was heard"


def test_a_link_can_be_shared_where_the_browser_can(page: Any):
    mila, theo = page(), page()
    mila.add_init_script("window.shared = []; navigator.share = async (what) => { shared.push(what.url, what.title); }")
    theo.add_init_script("navigator.share = undefined")
    for who in (mila, theo):
        set_table(who, seats={1: "link"})
        assert who.is_visible("#share-1") == (who is mila)
    mila.click("#share-1")
    assert mila.evaluate("shared") == [mila.input_value("#link-1"), "Mila invites you: Memoarrr!"]


def test_the_link_to_a_seat_is_copied_where_there_is_no_clipboard_to_ask(page: Any):
    mila = page()
    mila.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = (what) => { window.did = what; }"
    )
    set_table(mila, seats={1: "link"})
    mila.goto(mila.url.split("?")[0] + "/carry")
    mila.click("#copy")
    mila.wait_for_function("() => document.querySelector('#copy span').textContent === 'Copied'")
    assert mila.evaluate("did") == "copy", "as on an address of one's own network, which is not https"


def test_who_waits_behind_other_pages_is_told_that_the_game_begins(page: Any):
    mila, theo = page(), page(locale="fr-FR")
    set_table(mila, players=3, seats={1: "link", 2: "link"})
    theo.goto(mila.input_value("#link-1"))
    theo.fill("#name", "Théo")
    theo.click("form .main")
    theo.wait_for_selector("#lobby-2")
    theo.evaluate(ALLOWED)
    mila.evaluate(ALLOWED)
    mila.click("#fill-2-parrot")
    theo.wait_for_selector(".island")
    for who, told in ((theo, "La partie commence · Memoarrr!"), (mila, "Your turn · Memoarrr!")):
        who.wait_for_function("() => noted.length")
        assert who.evaluate("noted") == [told]


@pytest.mark.parametrize("open", [True, False])
def test_why_a_word_was_not_said_is_said_where_it_was_asked_for(page: Any, open: bool):
    """In the panel, with the words still there; over the board where the panel has closed. No rule of the game has to do with it."""
    mila, _ = two(page, chat="yes")
    mila.click("#do-company")
    where = "#company-why" if open else "#notice"
    refused = "where => document.querySelector(where).textContent.includes('a lot of words')"
    say = "document.getElementById('chat-text').value = `word ${n}`; document.getElementById('chat-send').click();"
    many = say if open else "document.getElementById('say-well').click();"
    mila.wait_for_selector("#say-well")
    mila.evaluate(f"() => {{ for (let n = 0; n < 7; n++) {{ {many} }} }}")  # at once: some are allowed again a while later
    mila.wait_for_function(refused, arg=where)
    if open:
        mila.wait_for_function("() => document.querySelectorAll('#company-lines li').length === 4")
        mila.fill("#chat-text", "word 7")
        mila.click("#chat-send")
        mila.wait_for_function(refused, arg=where)
    assert mila.locator(".why-rules").count() == 0 and (not open or mila.input_value("#chat-text") == "word 7")


def test_who_leaves_a_table_with_a_clock_is_told_that_it_runs_on(page: Any):
    mila, theo = two(page, turn="60", follows="give_up")
    mila.click("#do-leave")
    assert "The clock runs on" in mila.inner_text("#leaving") and "the seat is lost" in mila.inner_text("#leaving")
    set_table(mila, seats={1: "link"})
    theo.goto(mila.input_value("#link-1"))
    theo.click("form .main")
    theo.click("#do-leave")
    assert "gardée telle quelle" in theo.inner_text("#leaving") and "pendule" not in theo.inner_text("#leaving")


def test_who_leaves_is_told_what_follows_now_that_others_have_come(page: Any):
    mila, theo = two(page, turn="60")
    mila.click("#do-leave")
    assert "the others decide" in mila.inner_text("#leaving"), "there were none when she opened the page"
    theo.click("#do-leave")
    theo.click("#leave-out")
    mila.wait_for_selector("#leaving :text('the table waits on')")


@pytest.mark.parametrize("game", ["memoarrr", "ptibapt", "vivid", "dejavu"])
def test_who_is_offline_is_told_that_a_move_is_kept(page: Any, game: str):
    mila = page()
    mila.goto(f"/new/{game}")
    for id in ("players-2", "first-first_seat"):
        mila.evaluate("id => document.getElementById(id)?.click()", id)
    mila.click("#open-table")
    mila.wait_for_selector("#table [data-act]")
    mila.context.set_offline(True)
    mila.wait_for_selector("#offline:visible")
    mila.evaluate("leave()")  # as when the connection is found dead
    assert mila.is_visible("#offline") and not mila.is_visible("#notice"), "one word at a time"
    mila.click("#do-company", trial=True)
    mila.evaluate("document.querySelector('#table [data-act]').dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    assert "Your move is kept" in mila.inner_text("#notice") and not mila.is_visible("#offline")
    assert mila.locator("#notice").bounding_box()["height"] < 100, "a word, whatever else the game has styles for"
    mila.context.set_offline(False)
    mila.wait_for_selector("#do-seen, #table [data-act]")


COVERED = """() => {
  const say = document.getElementById("say").getBoundingClientRect(), hit = [];
  for (const el of document.querySelectorAll(".bubble")) {
    const r = el.getBoundingClientRect();
    if (r.height && r.left < say.right && r.right > say.left && r.top < say.bottom && r.bottom > say.top) hit.push(`${r.top}-${r.bottom}`);
  }
  return [document.querySelectorAll(".bubble").length, hit];
}"""


def test_words_never_cover_the_sentence_that_says_what_to_do(page: Any):
    mila, long = page(), "Take all the time you need, we are having tea here and nobody is in a hurry at all, " * 2
    mila.add_init_script("const soon = setTimeout; window.setTimeout = (what, ms) => ms === 6000 || soon(what, ms);")  # no word goes
    for game in ("memoarrr", "ptibapt", "vivid", "dejavu"):
        mila.goto(f"/new/{game}")
        for id in ("players-2", "seat1-link", "chat-yes"):
            mila.evaluate("id => document.getElementById(id).click()", id)
        mila.click("#open-table")
        mila.click("#fill-1-goldfish")
        mila.wait_for_selector("#say")
        for _ in range(3):
            mila.evaluate(
                "text => { document.getElementById('chat-text').value = text; document.getElementById('chat-send').click(); }", long
            )
        mila.wait_for_function("() => document.querySelectorAll('.bubble').length === 3")
        for wide, high in ((1366, 768), (1280, 720), (390, 844), (360, 640)):
            mila.set_viewport_size({"width": wide, "height": high})
            for _ in range(4):  # of three words one goes at a time
                mila.evaluate(DRAWN)
            said, covered = mila.evaluate(COVERED)
            assert said >= 1 and not covered, (game, wide, high)


TOLD = """() => {
  document.getElementById("tells-cards").innerHTML = `<section class="tell-card"><p><strong>Alexandrine’s time is up</strong></p>
    <span class="tell-do">${"<button type='button' class='btn'>Let a companion play on</button>".repeat(3)}</span></section>`;
  document.getElementById("notice").textContent = "Connection lost. Trying again, and again…";
}"""
UNDER = """() => [...document.querySelectorAll("#say, .bar .tool, #table [data-act]")].filter((el) => {
  const box = (of) => of.getBoundingClientRect(), r = box(el), told = [...document.querySelectorAll(".tell-card, .notice")].map(box);
  return told.some((t) => t.height && t.left < r.right && t.right > r.left && t.top < r.bottom && t.bottom > r.top);
}).map((el) => el.id)"""


@pytest.mark.parametrize("game", ["memoarrr", "ptibapt", "vivid", "dejavu"])
def test_on_a_laptop_what_is_told_covers_nothing_that_is_clicked_next(page: Any, game: str):
    mila = page(locale="fr-FR")
    mila.goto(f"/new/{game}")
    for id in ("players-2", "first-first_seat", "start-first", "starts-first"):
        mila.evaluate("id => document.getElementById(id)?.click()", id)
    mila.click("#open-table")
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    mila.evaluate(STILL)
    for wide, high in ((1366, 768), (1280, 720), (1920, 1080)):
        mila.set_viewport_size({"width": wide, "height": high})
        mila.evaluate(TOLD)
        mila.evaluate(DRAWN)
        assert mila.is_visible(".tell-card") and mila.is_visible("#notice") and mila.evaluate(UNDER) == [], (wide, high)
        box = mila.locator("#tells").bounding_box()
        assert box["y"] >= 48 and box["y"] + box["height"] <= high and box["x"] + box["width"] <= wide


def test_on_a_phone_a_word_goes_where_the_board_is_not_though_the_sentence_stands_above_it(page: Any):
    mila = page(viewport={"width": 390, "height": 844})
    mila.goto("/new/ptibapt")
    for id in ("players-2", "starts-first"):
        mila.evaluate("id => document.getElementById(id)?.click()", id)
    mila.click("#open-table")
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    told = '<section class="tell-card"><p><strong>Théophile’s time is up</strong><small>What shall follow?</small></p></section>'
    mila.evaluate(STILL)
    mila.evaluate("html => { document.getElementById('tells-cards').innerHTML = html; }", told)
    mila.evaluate(DRAWN)
    assert mila.is_visible(".tell-card") and mila.evaluate(UNDER) == []


def test_on_a_phone_what_is_told_leaves_an_open_hint_to_be_read(page: Any):
    mila = page(viewport={"width": 390, "height": 844})
    mila.goto("/new/ptibapt")
    for id in ("players-2", "starts-first"):
        mila.evaluate("id => document.getElementById(id).click()", id)
    mila.click("#open-table")
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    mila.evaluate(STILL)
    inside = '<summary>A hint</summary><p style="height: 14rem"></p><button id="hint-do" data-act="9999">Turn B4</button>'
    hint = f'<details class="hint-box" id="hint" open>{inside}</details>'
    mila.evaluate("html => live().insertAdjacentHTML('beforeend', html)", hint)
    told = '<section class="tell-card"><p><strong>Your time is up</strong><small>Play, or the others decide.</small></p></section>'
    mila.evaluate("html => { document.getElementById('tells-cards').innerHTML = html; }", told)
    mila.evaluate(DRAWN)
    mila.evaluate(DRAWN)
    card, read = mila.locator(".tell-card").bounding_box(), mila.locator("#hint").bounding_box()
    assert read["height"] > 200 and card["y"] + card["height"] <= read["y"]


def test_on_a_phone_a_hint_that_is_folded_covers_nothing_and_is_opened_where_it_was_asked_for(page: Any):
    mila = page(viewport={"width": 390, "height": 844})
    set_table(mila, seats={1: "here"}, hints="True")
    mila.wait_for_selector("#do-hint")
    mila.evaluate(STILL)
    inside = '<summary>A hint</summary><p style="height: 14rem"></p><div class="hint-do"><button id="hint-do">Turn B4</button></div>'
    mila.evaluate("html => live().insertAdjacentHTML('beforeend', html)", f'<details class="hint-box" id="hint" open>{inside}</details>')
    mila.click("#hint > summary")
    mila.wait_for_function("() => document.activeElement.id === 'do-hint'")
    assert not mila.is_visible("#hint")
    mila.click("#do-hint")
    assert mila.is_visible("#hint-do") and mila.evaluate("waiting") is None, "nothing is asked anew"


def test_on_a_laptop_a_card_lies_under_a_long_hint_whose_button_stays_in_sight(page: Any):
    mila = page(viewport={"width": 1280, "height": 720})
    set_table(mila, seats={1: "link"})
    mila.wait_for_selector("#company-body li", state="attached")
    mila.evaluate(STILL)
    long = '<summary>A hint</summary><p style="height: 60rem"></p><div class="hint-do"><button id="hint-do">Turn B4</button></div>'
    mila.evaluate("html => live().insertAdjacentHTML('beforeend', html)", f'<details class="hint-box" id="hint" open>{long}</details>')
    for ways in ("", '<span class="tell-do">' + '<button class="btn">Let a companion play on</button>' * 3 + "</span>"):
        told = f'<section class="tell-card"><p><strong>Your time is up</strong><small>What shall follow?</small></p>{ways}</section>'
        mila.evaluate("html => { document.getElementById('tells-cards').innerHTML = html; }", told)
        mila.evaluate(DRAWN)
        mila.evaluate(DRAWN)
        card, read, do = (mila.locator(at).bounding_box() for at in (".tell-card", "#hint", "#hint-do"))
        assert read["y"] + read["height"] <= card["y"] and do["y"] + do["height"] <= read["y"] + read["height"]


STRIPES = """() => {
  const strip = (what, top, high) => `<i ${what} style="position: fixed; left: 0; width: 100vw; top: ${top}px; height: ${high}px"></i>`;
  const looked = (top, high) => strip("data-try", top, high).repeat(4);
  const all = looked(56, 236) + strip('data-act="0" id="upper"', 300, 60) + strip('data-act="1" id="lower"', 440, 60) + looked(508, 336);
  document.getElementById("table").innerHTML = all;
}"""  # a gap of 80 between two things that are lit, and much to look at above and below


def test_on_a_phone_a_card_rather_covers_much_that_is_looked_at_than_a_corner_of_what_is_clicked_next(page: Any):
    mila = page(viewport={"width": 390, "height": 844})
    set_table(mila)
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    mila.evaluate(STILL)
    mila.evaluate(STRIPES)
    told = (
        '<section class="tell-card"><p><strong>A companion plays</strong></p><span class="tell-do"><b class="btn">Back</b></span></section>'
    )
    mila.evaluate("html => { document.getElementById('tells-cards').innerHTML = html; }", told)
    mila.evaluate(DRAWN)
    mila.evaluate(DRAWN)
    assert mila.locator(".tell-card").bounding_box()["height"] > 80 and mila.evaluate(UNDER) == []


@pytest.mark.parametrize(("wide", "high"), [(390, 844), (360, 640), (1280, 720)])
def test_what_follows_is_chosen_from_a_card_that_holds_its_buttons_and_leaves_most_of_the_board_in_sight(page: Any, wide: int, high: int):
    mila = page(locale="fr-FR", viewport={"width": wide, "height": high})
    set_table(mila)
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    mila.evaluate(STILL)
    ui = ui_texts("fr")
    ways = "".join(f'<button type="button" class="btn">{ui(f"company.{way}")}</button>' for way in ("more", "stand_in", "give_up_seat"))
    up = f"<p><strong>{ui('company.up', name='Théo')}</strong></p>"
    told = f'<section class="tell-card">{up}<span class="tell-do">{ways}</span><button type="button" class="tool shut"></button></section>'
    mila.evaluate("html => { document.getElementById('tells-cards').innerHTML = html; }", told)
    mila.evaluate(DRAWN)
    assert mila.locator(".tell-card").bounding_box()["height"] < 160 or wide > 1000, "on phones two lines of buttons, not three"
    for way in mila.locator(".tell-do .btn").all():
        assert way.bounding_box()["height"] >= 44 and way.evaluate("el => el.scrollWidth <= el.clientWidth")
    inside = "el => el.getBoundingClientRect().right <= el.closest('.tell-card').getBoundingClientRect().right - 12"
    assert all(way.evaluate(inside) for way in mila.locator(".tell-do .btn").all()), "as far from the edge as on the other side"


def test_in_vivid_memories_no_card_covers_what_only_oneself_sees(page: Any):
    mila = page()
    mila.goto("/new/vivid")
    for id in ("players-3", "start-first"):
        mila.evaluate("id => document.getElementById(id).click()", id)
    mila.click("#open-table")
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    mila.evaluate(STILL)
    mila.evaluate(TOLD)
    for wide, high in ((1366, 768), (1280, 720), (1920, 1080)):
        mila.set_viewport_size({"width": wide, "height": high})
        mila.evaluate(DRAWN)
        own, told = mila.locator("#aspiration").bounding_box(), mila.locator(".tell-card").bounding_box()
        assert own["x"] + own["width"] <= told["x"], (wide, high)


def test_on_a_phone_who_is_away_keeps_a_name_that_can_be_read(page: Any):
    mila = page(locale="fr-FR", viewport={"width": 390, "height": 844})
    set_table(mila, players=4)
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    mila.evaluate(STILL)
    measure = """() => {
      const name = document.querySelector("#seat-1 strong"), text = document.createRange();
      text.selectNodeContents(name);
      const read = Math.min(name.clientWidth, Math.floor(text.getBoundingClientRect().width));
      return [read, document.querySelector(".island").getBoundingClientRect().top];
    }"""
    here = mila.evaluate(measure)
    mila.evaluate("""words => {
      document.getElementById("seat-1").classList.add("away");
      document.querySelector("#seat-1 .who small")?.remove();
      document.querySelector("#seat-1 .who").insertAdjacentHTML("beforeend", `<small>${words}</small>`);
    }""", ui_texts("fr")("seat.away"))  # fmt: skip
    assert mila.evaluate(measure) == here and mila.is_visible("#seat-1 small"), "as much of it as before, and the board stays"


def test_who_would_give_up_is_asked_just_that(page: Any):
    mila = page()
    set_table(mila)
    mila.click("#do-company")
    opened = mila.inner_text("#do-give-up").rstrip("…")
    mila.click("#do-give-up")
    asked = mila.locator("dialog:modal").last
    assert opened == "Give up" and asked.locator("h2").inner_text() == "Give up?" and asked.locator("#give-up-go").inner_text() == opened
    assert asked.locator(".btn.main").inner_text() == "No, play on" == asked.locator(":focus").inner_text(), (
        "what cannot be undone is not nearest"
    )
    assert "Leave" not in asked.inner_text()
    asked.locator("[data-close]").last.click()
    mila.keyboard.press("Escape")
    mila.click("#do-leave")
    asked = mila.locator("dialog:modal").last
    assert asked.locator("h2").inner_text() == "Leave the table?" and asked.locator(".btn.main").inner_text().startswith("Leave")
    mila.keyboard.press("Escape")
    out = '<button id="out" data-decide="give_up" data-seat="1" data-sure="Théo loses the seat.">Take the seat away</button>'
    mila.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", out)
    mila.evaluate("document.getElementById('out').dataset.asks = 'Take the seat away?'; document.getElementById('out').click()")
    assert mila.inner_text("#sure-title") == "Take the seat away?", "a question, as the others are"
    assert mila.inner_text("#sure-yes") == "Take the seat away", "not yes: who reads the button alone knows what it does"


def test_what_is_clicked_before_the_page_is_connected_is_done_when_it_is(page: Any):
    mila = page()
    mila.add_init_script("""document.addEventListener("DOMContentLoaded", () => {
      const early = document.getElementById("fill-1-goldfish") ?? document.querySelector("#table [data-try]");
      early?.click();
      if (early) window.said = document.getElementById("notice").textContent;
    })""")
    set_table(mila, seats={1: "link"})
    assert mila.evaluate("said") == "", "nothing was lost"
    mila.wait_for_selector(".island")
    mila.reload()
    assert mila.evaluate("said") == ""
    mila.wait_for_selector("#why:not(:empty)")


def test_three_days_are_three_when_they_begin(page: Any):
    mila = page()
    set_table(mila, seats={1: "link"}, turn="259200")
    mila.click("#fill-1-goldfish")
    mila.wait_for_function("() => document.body.style.getPropertyValue('--clock').includes('3 days')")


def test_on_a_phone_that_two_share_every_tool_is_in_reach(page: Any):
    mila = page(viewport={"width": 390, "height": 844})
    mila.goto("/new/vivid")
    for id in ("players-2", "seat1-here", "start-first"):
        mila.evaluate("id => document.getElementById(id).click()", id)
    mila.fill("[name=name1]", "Alexandrine")
    mila.click("#open-table")
    mila.wait_for_selector("#do-leave")
    screen = '<svg class="ui" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-screen"/></svg>'
    who = f"{screen}<bdi>Alexandrine</bdi>"  # as in Reflect, when both are asked
    sit = f'<button type="button" class="tool words" data-sit="1">{who}</button>'
    found = """([html, tools]) => {
      document.getElementById("nav").insertAdjacentHTML("afterbegin", html);
      const all = tools.map((tool) => document.querySelector(tool)), whole = all[0].scrollWidth <= all[0].clientWidth;
      return all.map((el) => el.getBoundingClientRect()).map((box) => [box.left, box.right, whole && box.width]);
    }"""  # at once: what the table says next draws the tools anew
    tools = ["#nav [data-sit]", "#do-company", "#do-rules", "#do-leave"]
    for tool, (left, right, width) in zip(tools, mila.evaluate(found, [sit, tools]), strict=True):
        assert width and left >= 0 and right <= 390, f"{tool}, and the whole name"


def test_on_a_screen_that_four_share_the_way_out_stays_in_sight(page: Any):
    mila = page(locale="fr-FR", viewport={"width": 1366, "height": 768})
    mila.goto("/new/vivid")
    for id in ("players-4", "seat1-here", "seat2-here", "seat3-here", "hints-True"):
        mila.evaluate("id => document.getElementById(id).click()", id)
    mila.click("#open-table")
    mila.wait_for_selector("#do-leave")
    screen = '<svg class="ui" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-screen"/></svg>'
    names = ("Anne-Sophie-Marie", "Maximilien-Augustine", "Alexandrine")
    face = '<span class="avatar" aria-hidden="true">A</span>'
    inside = [f"{screen}{face}<bdi>{name}</bdi>" for name in names]
    sits = "".join(f'<button type="button" class="tool words" data-sit="{n}">{who}</button>' for n, who in enumerate(inside, 1))
    mila.evaluate("html => { document.getElementById('nav').insertAdjacentHTML('afterbegin', html); socket.onmessage = null; }", sits)
    for wide, high in ((1366, 768), (1280, 720), (1024, 768), (820, 1180), (390, 844), (360, 640)):
        mila.set_viewport_size({"width": wide, "height": high})
        way = mila.locator("#do-leave").bounding_box()
        assert way["x"] + way["width"] <= wide, f"in Reflect, when all are asked, at {wide}"
        faces = [box and box["width"] for box in (face.bounding_box() for face in mila.locator("#nav .avatar").all())]
        assert all(width and width > 30 for width in faces) if wide < 1200 else not any(faces), "a picture each where names have no room"


def test_what_the_house_cannot_do_is_said_whole_and_leads_to_no_rule(page: Any):
    mila = page(locale="fr-FR", viewport={"width": 360, "height": 640})
    set_table(mila)
    mila.wait_for_selector("#table [data-act]")
    for what in ("strip", "over"):
        said = ui_texts("fr")(f"trouble.{what}.text")
        mila.evaluate("why => hear({ why, house: true })", said)
        assert mila.inner_text("#notice") == said and mila.is_visible("#notice")
        assert mila.inner_text("#why") == "" and mila.locator(".why-rules").count() == 0, "not in the place of a sentence, nor as a rule"


def test_on_a_phone_a_hint_whose_button_lies_at_the_foot_leaves_the_map_in_sight(page: Any):
    mila = page(viewport={"width": 390, "height": 844})
    mila.goto("/new/dejavu")
    for id in ("players-2", "seat1-here"):
        mila.evaluate("id => document.getElementById(id).click()", id)
    mila.click("#open-table")
    mila.wait_for_selector("#do-sit").click()
    mila.wait_for_selector("#dock")
    mila.evaluate("""() => {
      socket.onmessage = null;
      document.getElementById("buttons").insertAdjacentHTML("beforeend", '<button type="button" class="btn" data-act="9999">Walk</button>');
      const hint = '<details class="hint-box" id="hint"><summary>Hint</summary><p style="height: 20rem"></p>';
      live().insertAdjacentHTML("beforeend", hint + '<button id="hint-do" data-act="9999">Walk</button></details>');
      document.getElementById("hint").open = true;
    }""")
    mila.evaluate(DRAWN)
    mila.evaluate(DRAWN)
    assert mila.evaluate("[scrollY, document.documentElement.scrollHeight > innerHeight + 200]") == [0, True]


def test_what_was_not_drawn_does_not_fly_in_from_the_corner(page: Any):
    """As the girl of Déjà Vu did on phones, whose map is away while one builds."""
    mila = page()
    set_table(mila)
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_function("() => !document.getElementById('dock').getAnimations().length")
    moves = """(size) => {
      const el = document.getElementById("dock");
      travel(el, new DOMRect(0, 0, size, size), 380);
      return el.getAnimations().length;
    }"""
    assert [mila.evaluate(moves, size) for size in (0, 40)] == [0, 1]


OLDER = '<div id="mine"><details id="older"><summary>more</summary><p>{}</p></details></div>'


def test_what_was_unfolded_stays_so_when_the_list_comes_anew(page: Any):
    mila, doors = page(service_workers="block"), []
    mila.route_web_socket("**/live", lambda door: doors.append(door))
    mila.goto("/")
    for words in ("one", "two"):
        mila.wait_for_function("() => document.readyState === 'complete'")
        doors[0].send(json.dumps({"mine": OLDER.format(words), "turns": {}, "decide": {}, "soon": []}))
        mila.wait_for_selector(f"#older p:text('{words}')", state="attached")
        if words == "one":
            mila.click("#older summary")
    assert mila.is_visible("#older p")


ROW = {
    "game": "memoarrr", "names": ["Théo"], "turn": False, "over": False, "lost": False, "won": False, "winner": "", "score": "", "ago": 0,
    "waiting": True, "removable": True, "since": "", "decide": False, "soon": False, "left": None, "late": [], "acting": [], "free": 0,
    "seats": 2, "stands_in": "", "offer": "", "draw": False, "outdated": False,
}  # fmt: skip


def start_page(page: Any) -> tuple[Any, Any]:
    """Mila's start page, and a function that tells it her tables anew: two that wait and six that ended."""
    mila, doors = page(service_workers="block"), []
    mila.route_web_socket("**/live", lambda door: doors.append(door))
    mila.goto("/")
    mila.wait_for_function("() => document.readyState === 'complete'")
    ended = [{**ROW, "id": f"o{n}", "removable": False, "waiting": False, "over": True} for n in range(6)]
    template = environment(None, "en").get_template("mine.html.jinja")
    shelf = {"memoarrr": facts("memoarrr", "en")}

    def told(n: int) -> None:
        tables = [{**ROW, "id": "a"}, {**ROW, "id": "b", "names": [f"Kofi {n}"]}, *ended]
        doors[0].send(json.dumps({"mine": template.render(mine=tables, shelf=shelf), "turns": {}, "decide": {}, "soon": []}))
        mila.wait_for_selector(f"#mine :text('Kofi {n}')")

    return mila, told


@pytest.mark.parametrize("high", [844, 640])
def test_on_a_phone_it_is_said_first_why_one_was_sent_away(page: Any, high: int):
    who = page(viewport={"width": 390, "height": high})
    who.goto("/?closed")
    told, games = (who.locator(what).bounding_box()["y"] for what in (".told", ".games"))
    assert told < games and who.locator(".told").is_visible()


def test_who_is_about_to_take_a_table_away_goes_on_when_the_list_comes_anew(page: Any):
    """What is open stays open, and what has the focus keeps it."""
    mila, told = start_page(page)
    told(0)
    for n, summary in enumerate(("#table-a summary", "#table-b summary", "#older summary"), 1):
        mila.focus(summary)
        mila.keyboard.press("Enter")
        told(n)
        assert mila.evaluate(f"document.activeElement.matches('{summary}')"), summary
    assert mila.is_visible("#remove-a") and mila.is_visible("#remove-b") and mila.is_visible("#table-o5")
    mila.focus("#remove-a")
    told(4)
    assert mila.evaluate("document.activeElement.id") == "remove-a"
    mila.focus("#table-o5 a")
    told(5)
    assert mila.evaluate("document.activeElement.matches('#table-o5 a')")


def test_a_click_during_which_the_list_comes_anew_is_a_click(page: Any):
    mila, told = start_page(page)
    told(0)
    mila.hover("#table-b a")
    mila.mouse.down()
    told(1)
    with mila.expect_navigation(url="**/t/b", wait_until="commit"):
        mila.mouse.up()


def test_in_a_lobby_what_is_told_covers_neither_its_title_nor_what_is_to_be_sent(page: Any):
    mila = page(viewport={"width": 390, "height": 844})
    set_table(mila, seats={1: "link"})
    mila.context.set_offline(True)
    mila.wait_for_selector("#offline:visible")
    mila.evaluate(DRAWN)
    told = mila.locator("#offline").bounding_box()
    for what in (".lobby h1", ".lobby .lead", ".qr"):
        box = mila.locator(what).bounding_box()
        assert told["y"] >= box["y"] + box["height"] or told["y"] + told["height"] <= box["y"], what


def test_who_watches_vivid_memories_is_told_whose_mind_is_the_large_one(page: Any):
    mila, ida = page(), page(viewport={"width": 390, "height": 844})
    mila.goto("/new/vivid")
    for id in ("players-2", "seat1-link"):
        mila.evaluate("id => document.getElementById(id).click()", id)
    mila.fill("[name=name0]", "Mila")
    mila.click("#open-table")
    mila.click("#fill-1-goldfish")
    mila.wait_for_selector("#do-leave")
    ida.goto(mila.url)
    ida.wait_for_selector("#watching")
    assert ida.inner_text("#minds") == "Mila" and ida.is_visible("#minds") and not mila.query_selector("#minds")


LINES = """(what) => [...document.querySelectorAll(what)].map((el) => {
  const range = document.createRange();
  range.selectNodeContents(el);
  const tops = [...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.top));
  return [el.textContent, Math.max(...tops) - Math.min(...tops) > 8, el.scrollWidth > el.clientWidth];
})"""  # whether a name is broken, and whether it is cut


def three(page: Any, server: Server, game: str) -> str:
    """A table of Mila, and of two others with her whose names are as long as many are."""
    form = {"players": "3", "seat0": "here", "name0": "Mila", "seat1": "here", "name1": "Alexandrine", "seat2": "bot:parrot"}
    page.goto(page.request.post(f"/new/{game}", form={**form, "first": "first_seat"}, headers={"origin": server.url}).url)
    page.wait_for_selector("#do-leave, #do-sit")
    return str(page.url)


def test_long_names_leave_the_island_in_sight_of_who_looks_longer_on_a_small_phone(page: Any):
    mila = page(locale="fr-FR", viewport={"width": 360, "height": 640})
    set_table(mila)
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    mila.evaluate(STILL)
    low = mila.evaluate("""() => {
      const sign = '<svg class="ui" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-eye"/></svg>';
      const seen = `<button type="button" class="btn seen" id="do-seen" data-seen>${sign}<span>Continuer</span></button>`;
      document.querySelector("#dock .buttons").innerHTML = seen;
      document.querySelector("#say small").textContent = "Anne-Sophie-Marie : la carte n’est pas reliée";
      const said = "Dernier en lice : Maximilien-Augustine prend un trésor. Regardez bien !";
      document.getElementById("say-text").textContent = said;
      const [dock, isle] = ["#dock", ".island"].map((what) => document.querySelector(what).getBoundingClientRect());
      return [isle.bottom - dock.top, document.documentElement.scrollHeight - innerHeight];
    }""")
    assert max(low) <= 0, low


def test_on_a_phone_who_watches_three_reads_their_names(page: Any, server: Server):
    table = three(page(), server, "memoarrr")
    ida = page(locale="fr-FR", viewport={"width": 390, "height": 844})
    ida.goto(table)
    ida.wait_for_selector("#watching")
    assert ida.evaluate(LINES, ".seat strong > *") == [[name, False, False] for name in ("Mila", "Alexandrine", "Perroquet")]


@pytest.mark.parametrize(("wide", "high"), [(1280, 720), (1440, 900)])
def test_on_a_laptop_the_names_of_others_stand_unbroken_beside_their_minds(page: Any, server: Server, wide: int, high: int):
    mila = page(viewport={"width": wide, "height": high})
    three(mila, server, "vivid")
    names = mila.evaluate(LINES, ".other h2")
    assert names and not any(broken for _, broken, _ in names), names


def test_at_the_end_of_deja_vu_a_name_stands_unbroken_beside_its_memories(page: Any, server: Server):
    mila = page(viewport={"width": 1280, "height": 720})
    three(mila, server, "dejavu")
    name = '<span class="nm"><strong>Alexandrine</strong><small>1 memory</small></span>'
    html = f'<div class="end"><section class="mem"><header><b class="no">2</b><span class="avatar">A</span>{name}</header></section></div>'
    mila.evaluate(STILL)
    mila.evaluate("html => { live().innerHTML = html; }", html)
    assert mila.evaluate(LINES, ".mem strong") == [["Alexandrine", False, False]]


def test_who_only_watches_is_shown_no_empty_half(page: Any):
    mila, ida = page(), page()
    set_table(mila)
    ida.goto(mila.url)
    ida.wait_for_selector("#company-0", state="attached")
    ida.set_viewport_size({"width": 1366, "height": 768})
    mila.set_viewport_size({"width": 1366, "height": 768})
    for who, at_least, at_most in ((ida, 300, 500), (mila, 800, 1000)):
        who.click("#do-company")
        panel, seats = who.locator("#company").bounding_box(), who.locator(".company-who").bounding_box()
        assert at_least < panel["width"] < at_most and (seats["width"] > 0.8 * panel["width"]) == (who is ida)


def test_what_may_be_answered_to_leaving_stands_in_one_line_on_a_laptop(page: Any):
    mila = page(locale="fr-FR", viewport={"width": 1366, "height": 768})
    set_table(mila)
    mila.click("#do-leave")
    assert len({round(way.bounding_box()["y"]) for way in mila.locator("#leaving .row .btn").all()}) == 1


def test_who_is_waited_for_can_be_read(page: Any):
    """The button that was pressed says so: it is no longer to be pressed, but what it says is for everybody to read."""
    mila = page()
    set_table(mila)
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    mila.evaluate(STILL)
    waits = '<button type="button" class="btn seen" id="pressed" aria-disabled="true"><span>Waiting for Théo</span></button>'
    mila.evaluate("html => live().insertAdjacentHTML('beforeend', html)", waits)
    assert mila.evaluate("getComputedStyle(document.getElementById('pressed')).opacity") == "1"


def test_on_a_phone_what_one_watches_is_said_in_the_middle_of_its_place(page: Any):
    mila, ida = page(), page(viewport={"width": 390, "height": 844})
    set_table(mila)
    ida.goto(mila.url)
    ida.wait_for_selector("#say")
    place, words = ida.locator("#dock").bounding_box(), ida.locator("#say").bounding_box()
    above, below = words["y"] - place["y"], place["y"] + place["height"] - words["y"] - words["height"]
    assert abs(above - below) < 24, "not at the foot of an empty place"


def test_on_a_phone_the_name_of_a_game_ends_before_its_rounds_begin(page: Any):
    mila = page(viewport={"width": 390, "height": 844})
    mila.goto("/new/vivid")
    for id in ("players-2", "seat1-link", "turn-60", "hints-True"):
        mila.evaluate("id => document.getElementById(id).click()", id)
    mila.click("#open-table")
    mila.click("#fill-1-goldfish")
    mila.wait_for_selector("#do-hint")
    mila.wait_for_function("() => getComputedStyle(document.getElementById('do-company'), '::after').content.includes(':')")
    ends = mila.evaluate("""() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(".bar h1"));
      return [range.getBoundingClientRect().right, document.querySelector(".bar .round").getBoundingClientRect().left];
    }""")
    assert ends[0] + 4 <= ends[1]


@pytest.mark.parametrize("game", ["memoarrr", "ptibapt", "vivid", "dejavu"])
@pytest.mark.parametrize("locale", WORDY)
def test_on_a_phone_with_a_clock_and_hints_the_way_out_stays_in_sight(page: Any, game: str, locale: str):
    mila, ida = page(locale=locale, viewport={"width": 390, "height": 844}), page(locale=locale, viewport={"width": 390, "height": 844})
    mila.goto(f"/new/{game}")
    for id in ("players-2", "seat1-link", "turn-259200", "hints-True", "first-first_seat", "start-first", "starts-first"):
        mila.evaluate("id => document.getElementById(id)?.click()", id)
    mila.click("#open-table")
    mila.click("#fill-1-goldfish")
    mila.wait_for_selector("#do-leave")
    mila.wait_for_function("() => getComputedStyle(document.getElementById('do-company'), '::after').content.length > 4")
    ida.goto(mila.url)  # and for who watches
    ida.wait_for_selector("#watching")
    ida.wait_for_function("() => getComputedStyle(document.getElementById('do-company'), '::after').content.length > 4")
    for who, wide, high in ((mila, 390, 844), (mila, 360, 640), (ida, 390, 844), (ida, 360, 640)):
        who.set_viewport_size({"width": wide, "height": high})
        way = who.locator("#do-leave").bounding_box()
        assert who.evaluate("document.documentElement.scrollWidth") <= wide and way["x"] + way["width"] <= wide, (who is mila, wide)


@pytest.mark.parametrize("game", ["memoarrr", "ptibapt", "vivid", "dejavu"])
def test_on_a_laptop_with_a_clock_and_hints_the_way_out_stays_in_sight(page: Any, game: str):
    mila, ida = page(locale="fr-FR"), page(locale="fr-FR")
    mila.goto(f"/new/{game}")
    for id in ("players-2", "seat1-link", "turn-600", "hints-True", "first-first_seat", "start-first", "starts-first"):
        mila.evaluate("id => document.getElementById(id)?.click()", id)
    mila.click("#open-table")
    mila.click("#fill-1-goldfish")
    mila.wait_for_selector("#do-hint")
    mila.wait_for_function("() => getComputedStyle(document.getElementById('do-company'), '::after').content.includes(':')")
    mila.evaluate(STILL)
    mila.evaluate("() => { const when = document.getElementById('when'); if (when) { when.hidden = false; when.innerHTML = 'manche 2'; } }")
    for wide, high in ((1366, 768), (1280, 720)):
        mila.set_viewport_size({"width": wide, "height": high})
        assert mila.evaluate("document.documentElement.scrollWidth") <= wide
    ida.goto(mila.url)
    ida.wait_for_selector("#watching")
    ida.wait_for_function("() => getComputedStyle(document.getElementById('do-company'), '::after').content.includes(':')")
    for wide in (1280, 1100, 1024, 820):
        ida.set_viewport_size({"width": wide, "height": 768})
        way = ida.locator("#do-leave").bounding_box()
        assert way["x"] + way["width"] <= wide, f"nor for who watches, at {wide}"


def test_who_watches_deja_vu_over_days_finds_the_way_out_in_every_phase(page: Any):
    mila, ida = page(), page(locale="fr-FR", viewport={"width": 1280, "height": 720})
    mila.goto("/new/dejavu")
    for id in ("players-2", "seat1-link", "turn-259200", "first-first_seat"):
        mila.evaluate("id => document.getElementById(id).click()", id)
    mila.click("#open-table")
    mila.click("#fill-1-goldfish")
    mila.wait_for_selector("#table [data-act]")
    play(mila)
    ida.goto(mila.url)
    ida.wait_for_selector(".phases .now")
    ida.wait_for_function("() => document.body.classList.contains('timed')")
    ida.evaluate(STILL)
    wide = ida.evaluate("""() => [...document.querySelectorAll(".phases li")].map((now, _, all) => {
      all.forEach((li) => li.classList.toggle("now", li === now));
      document.body.style.setProperty("--clock", '"3 jours"');
      return [document.documentElement.scrollWidth, document.getElementById("do-leave").getBoundingClientRect().right];
    })""")
    assert wide and all(most <= 1280 for ends in wide for most in ends), wide


def test_a_long_name_stands_whole_on_the_start_page_of_a_laptop(page: Any):
    mila = page(viewport={"width": 1280, "height": 720})
    mila.goto("/")
    mila.evaluate("() => { document.getElementById('name').value = 'Maximilien-Augustine'; }")
    for wide in (1280, 1024, 820):
        mila.set_viewport_size({"width": wide, "height": 720})
        assert mila.evaluate("document.documentElement.scrollWidth") <= wide
        assert wide == 820 or mila.evaluate("(field => field.scrollWidth <= field.clientWidth)(document.getElementById('name'))")


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_on_a_laptop_what_may_follow_stays_in_its_card(page: Any, locale: str):
    mila = page(locale=locale, viewport={"width": 1280, "height": 720})
    set_table(mila)
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    ui = ui_texts(locale[:2])
    ways = "".join(f'<button type="button" class="btn">{ui(f"company.{way}")}</button>' for way in ("more", "stand_in", "give_up_seat"))
    mila.evaluate(STILL)
    shut = '<button type="button" class="tool shut">x</button>'
    card = f'<section class="tell-card"><p><strong>Théophile</strong></p><span class="tell-do">{ways}</span>{shut}</section>'
    mila.evaluate("html => { document.getElementById('tells-cards').innerHTML = html; }", card)
    box = mila.locator(".tell-card").bounding_box()
    for way in mila.locator(".tell-do .btn").all():
        within = way.bounding_box()
        assert within["x"] + within["width"] <= box["x"] + box["width"] - 8 and within["height"] < 50, way.inner_text()


def test_on_a_phone_tables_that_wait_stand_before_the_games(page: Any):
    mila, theo = two(page)
    for who, waits in ((mila, True), (theo, False)):
        who.set_viewport_size({"width": 390, "height": 844})
        who.goto("/")
        tables, games = who.locator("#mine").bounding_box(), who.locator(".games").bounding_box()
        assert (tables["y"] < games["y"]) == waits
    theo.evaluate("document.querySelector('#mine li').classList.add('gone')")
    assert theo.locator("#mine").bounding_box()["y"] < theo.locator(".games").bounding_box()["y"], "nor is a seat that was lost overlooked"


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_on_a_small_phone_the_clocks_stand_in_one_row(page: Any, locale: str):
    mila = page(locale=locale, viewport={"width": 360, "height": 640})
    mila.goto("/new/memoarrr")
    mila.evaluate("document.getElementById('seat1-link').click()")
    tops = [label.bounding_box()["y"] for label in mila.locator(".paces .choice:first-child label").all()]
    assert len(tops) == 4 and len(set(tops)) == 1


def test_a_match_file_is_chosen_in_the_words_of_the_page(page: Any):
    someone = page(locale="en-GB")
    someone.goto("/language/fr?back=/replay")
    assert someone.inner_text(".file").split("\n") == ["Choisir un fichier", "Aucun fichier choisi"]
    with someone.expect_file_chooser() as chosen:
        someone.locator(".file").click()
    chosen.value.set_files({"name": "partie.json", "mimeType": "application/json", "buffer": b"{}"})
    assert someone.inner_text("#chosen") == "partie.json"
    someone.keyboard.press("Tab")
    assert someone.evaluate("document.activeElement.textContent") == "Revoir"


def test_who_answers_by_keys_what_is_told_keeps_a_place_on_the_page(page: Any):
    mila = page()
    set_table(mila, players=3, seats={1: "link", 2: "link"})
    for button, then in (("#fill-2-parrot", "free-2"), ("#free-2", "fill-2-")):
        mila.focus(button)
        mila.keyboard.press("Enter")
        mila.wait_for_selector(f"[id^={then}]")
        mila.wait_for_function("at => document.activeElement.id.startsWith(at)", arg=then)
    for seat in (2, 1):
        mila.click(f"#fill-{seat}-parrot")
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    for key in ("[data-decide=back]", "[data-shut]"):
        mila.evaluate("send({ do: 'decide', what: 'stand_in', seat: 0 })")
        mila.wait_for_selector("#for-0:not([hidden])")
        mila.focus(f"#for-0 {key}")
        mila.keyboard.press("Enter")
        mila.wait_for_selector("#for-0", state="hidden")
        mila.wait_for_function("() => document.activeElement.closest('#say, .tell-card:not([hidden])')")


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_on_a_phone_what_the_house_says_leaves_what_was_missed_in_sight(page: Any, size: tuple[int, int]):
    mila, ui = page(locale="fr-FR", viewport={"width": size[0], "height": size[1]}), ui_texts("fr")
    set_table(mila)
    mila.wait_for_selector("#table [data-act]")
    mila.wait_for_selector("#company-body li", state="attached")
    mila.evaluate(STILL)
    missed = f'<p class="ribbon" id="ribbon"><span>{ui("missed", n=1)}</span><span class="sand"><i></i></span></p>'
    mila.evaluate("html => live().insertAdjacentHTML('beforeend', html)", missed)
    mila.evaluate("text => { notice.textContent = text; }", ui("trouble.strip.text"))
    mila.evaluate(DRAWN)
    mila.evaluate(DRAWN)
    ribbon, told = mila.locator("#ribbon").bounding_box(), mila.locator("#notice").bounding_box()
    assert told["y"] >= ribbon["y"] + ribbon["height"] or told["y"] + told["height"] <= ribbon["y"]


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_on_a_small_phone_who_is_invited_sees_where_to_write_their_name(page: Any, locale: str):
    mila, theo = page(), page(locale=locale, viewport={"width": 360, "height": 640})
    set_table(mila, players=3, seats={1: "link"}, turn="86400", follows="companion", chat="yes")
    theo.goto(mila.input_value("#link-1"))
    box = theo.locator("#name").bounding_box()
    assert box["y"] + box["height"] <= 640 and box["x"] + box["width"] <= 360


def test_on_a_laptop_what_is_told_lies_on_an_empty_log_before_it_lies_on_anything_else(page: Any):
    mila, theo = page(viewport={"width": 1280, "height": 720}), page(locale="fr-FR", viewport={"width": 1280, "height": 720})
    mila.goto("/new/vivid")
    for id in ("players-2", "seat1-link", "start-first"):
        mila.evaluate("id => document.getElementById(id).click()", id)
    mila.click("#open-table")
    theo.goto(mila.input_value("#link-1"))
    theo.fill("#name", "Théo")
    theo.click("form .main")
    theo.wait_for_selector("#say")
    theo.wait_for_selector("#company-body li", state="attached")
    assert theo.locator("#log li").count() == 0
    theo.evaluate(STILL)
    theo.evaluate(TOLD)
    theo.evaluate("notice.textContent = ''")
    theo.evaluate(DRAWN)
    card, log = theo.locator(".tell-card").bounding_box(), theo.locator("#log-box").bounding_box()
    assert card["y"] > log["y"] and 720 - card["y"] - card["height"] < 40, "in its corner"


WIDE = "W" * 20  # as long and as wide as a name may be
SMALL = [(320, 568), (360, 640), (656, 500), (720, 450)]  # the last two: a laptop, enlarged to twice


@pytest.mark.parametrize("locale", WORDY)
def test_the_widest_name_breaks_no_page_around_play(page: Any, locale: str):
    mila, theo = page(locale=locale), page(locale=locale)
    set_table(mila, players=4, seats={1: "link", 2: "open"}, turn="60")
    theo.goto("/new/memoarrr")
    theo.evaluate(
        "() => { for (const id of ['players-3', 'seat1-link', 'seat2-open', 'turn-259200']) document.getElementById(id).click(); }"
    )
    theo.fill("[name=name0]", WIDE)
    theo.click("#open-table")
    lobby, invitation = theo.url, theo.input_value("#link-1")
    for who, where in ((theo, lobby), (mila, invitation), (mila, "/"), (theo, "/")):
        who.goto(where)
        who.evaluate("text => document.querySelectorAll('.state small').forEach((el) => { el.textContent = text; })", f"Time is up: {WIDE}")
        for wide, high in SMALL:
            who.set_viewport_size({"width": wide, "height": high})
            assert who.evaluate("document.documentElement.scrollWidth") <= wide, (where, wide)
            assert who.evaluate("[...document.querySelectorAll('.learn svg')].every((el) => el.clientWidth === 0 || el.clientWidth > 20)")


@pytest.mark.parametrize("wide", [656, 820, 1024])
def test_between_a_phone_and_a_laptop_who_one_is_stands_beside_ones_name(page: Any, wide: int):
    mila = page(locale="fr-FR", viewport={"width": wide, "height": 700})
    mila.goto("/new/memoarrr")
    name, you = mila.locator("[name=name0]").bounding_box(), mila.locator(".seat-row .you").bounding_box()
    assert you["x"] >= name["x"] + name["width"] and abs(you["y"] + you["height"] / 2 - name["y"] - name["height"] / 2) < 4


@pytest.mark.parametrize("wide", [360, 720, 1280, 1440])
@pytest.mark.parametrize("locale", WORDY)
def test_curves_of_companions_side_by_side_stand_at_one_height(page: Any, wide: int, locale: str):
    mila = page(locale=locale, viewport={"width": wide, "height": 720})
    mila.goto("/new/memoarrr")
    tops = [round(curve.bounding_box()["y"]) for curve in mila.locator("#choosing-1 .forgets").all()]
    assert len(set(tops)) == (2 if wide == 360 else 1)


def test_four_seats_in_pictures_leave_the_button_free_on_the_smallest_phone(page: Any):
    mila = page(locale="fr-FR", viewport={"width": 320, "height": 568})
    mila.goto("/new/dejavu")
    mila.evaluate("document.getElementById('players-4').click()")
    button = mila.locator("#open-table").bounding_box()
    for seat in range(4):
        box = mila.locator(f".round-table .seat-row-{seat}").bounding_box()
        assert box["x"] + box["width"] <= button["x"], seat


@pytest.mark.parametrize("locale", WORDY)
def test_on_a_phone_the_link_is_copied_and_the_seat_taken_without_scrolling(page: Any, locale: str):
    mila, theo = (page(locale=locale, viewport={"width": 390, "height": 844}) for _ in range(2))
    set_table(mila, players=3, seats={1: "link"}, turn="86400", follows="companion", chat="yes", hints="True")
    theo.goto(mila.input_value("#link-1"))
    for who, what in ((mila, "#copy-1"), (theo, "form .main")):
        box = who.locator(what).bounding_box()
        assert box["y"] + box["height"] <= 844, what


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (320, 568)])
def test_where_a_seat_went_is_said_above_the_lobby_and_covers_nobody(page: Any, size: tuple[int, int]):
    mila, theo = page(), page(locale="fr-FR", viewport={"width": size[0], "height": size[1]})
    set_table(mila, players=3, seats={1: "link", 2: "link"})
    theo.goto(mila.input_value("#link-1"))
    theo.fill("#name", "Théo")
    theo.click("form .main")
    theo.wait_for_selector("#free-1")
    table = theo.url
    theo.goto(f"{table}/carry")
    mila.goto(theo.input_value("#link"))
    mila.click("#carry-yes")
    theo.goto(table)
    theo.wait_for_selector("#carried:visible")
    theo.evaluate(DRAWN)
    card, title = theo.locator("#carried").bounding_box(), theo.locator(".lobby h1").bounding_box()
    assert card["y"] + card["height"] <= title["y"]


@pytest.mark.parametrize("pace", ["turn-0", "turn-259200"])
@pytest.mark.parametrize("game", ["vivid", "dejavu"])
def test_who_watches_on_a_small_laptop_finds_the_way_out(page: Any, game: str, pace: str):
    """With no clock, and over days; in a round of two figures, whichever phase it is."""
    mila, ida = page(), page(locale="fr-FR", viewport={"width": 1280, "height": 720})
    mila.goto(f"/new/{game}")
    for id in ("players-2", "seat1-link", pace, "first-first_seat", "start-first"):
        mila.evaluate("id => document.getElementById(id)?.click()", id)
    mila.click("#open-table")
    mila.click("#fill-1-goldfish")
    mila.wait_for_selector("#table [data-act]")
    ida.goto(mila.url)
    ida.wait_for_selector("#watching")
    if pace == "turn-259200":
        ida.wait_for_function("() => getComputedStyle(document.getElementById('do-company'), '::after').content.includes('jours')")
    ida.evaluate(STILL)
    ida.evaluate("() => { const when = document.getElementById('when'); if (when) { when.hidden = false; when.innerHTML = 'manche 12'; } }")
    for phase in range(ida.locator(".bar .phases li").count()):
        ida.evaluate("k => document.querySelectorAll('.bar .phases li').forEach((li, n) => li.classList.toggle('now', n === k))", phase)
        way, wide = ida.locator("#do-leave").bounding_box(), ida.evaluate("document.documentElement.scrollWidth")
        assert way["x"] + way["width"] <= 1280 - 8 and wide <= 1280, (phase, way, wide)
