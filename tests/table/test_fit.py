"""Every board on every screen and for every hand: what is asked and all that may be done are in sight together, the board stays where it
is, a finger finds what it may touch, and arrow keys follow the board."""

from __future__ import annotations

import itertools
import random
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from markupsafe import Markup

import recollect
from recollect.engine import position
from recollect.engine.lesson import lessons
from recollect.engine.match import Match
from recollect.games.vivid.rules import layout as vivid
from recollect.minds import mind
from recollect.table.render.guide import Place, lesson_html
from recollect.table.render.page import STATIC, whole
from recollect.table.render.prose import ui_texts
from recollect.table.render.shot import page_of

pytestmark = pytest.mark.browser
SIZES = ((1280, 720), (1440, 757), (1024, 768), (820, 1180), (390, 844), (844, 390), (360, 640))
BOARD = {"dejavu": "#cosmic-map", "memoarrr": ".island, .board", "ptibapt": ".board", "vivid": "svg.own-mind"}
PHONES = ((390, 844), (360, 640))
PLACES = {"dejavu": ".tile", "memoarrr": ".place, #fire", "ptibapt": ".place", "vivid": ".hex"}
LATE = 25  # times that a question has come up: the second look at it
SAMPLES = [
    pytest.param("dejavu", 2, marks=pytest.mark.long),
    ("dejavu", 4),
    ("memoarrr", 2),
    ("memoarrr", 4),
    ("ptibapt", 1),
    ("ptibapt", 2),
    ("vivid", 1),
    ("vivid", 4),
]

WORDY = ["fr", pytest.param("en", marks=pytest.mark.long)]  # French says the same in more words: where it fits, English does

# An action may be offered twice, by its piece and in a list: one of the two in sight and uncovered is enough.
MEASURE = """(board) => {
  const box = (el) => { const r = el.getBoundingClientRect(); return [r.left, r.top, r.width, r.height].map(Math.round); };
  const hidden = (el) => {
    const r = el.getBoundingClientRect();
    if (!el.getClientRects().length) return "not drawn";
    if (r.top < -1 || r.left < -1 || r.bottom > innerHeight + 1 || r.right > innerWidth + 1) return "off the screen";
    const top = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    return !top || el.contains(top) || top.contains(el) || top.closest("[data-act]") ? "" : "under " + (top.id || top.tagName);
  };
  const ways = {}, wrong = [];
  for (const el of document.querySelectorAll("#live [data-act]")) (ways[el.dataset.act] ??= []).push(el);
  for (const els of Object.values(ways)) if (els.every(hidden)) wrong.push(`${els[0].id} ${box(els[0])} is ${hidden(els[0])}`);
  const end = document.querySelector("#ends .lit");  // the quickest way of a sowing, drawn so on a phone
  if (end && innerWidth === 390 && hidden(end)) wrong.push(`where a sowing may end ${box(end)} is ${hidden(end)}`);
  const say = document.getElementById("say");
  if (hidden(say)) wrong.push(`what is asked ${box(say)} is ${hidden(say)}`);
  const el = document.querySelector(board);
  return { wrong, board: el && el.getClientRects().length ? box(el) : null };
}"""

# All that does something has the size of a fingertip. Fragments that share a hex of Vivid Memories
# cannot, nor its hexes on the smallest phone: they divide the board among them, and a slip is taken back by one click.
SMALL = """() => [...document.querySelectorAll("#live :is(button, a[href], summary, [data-act], [data-undo])")]
  .filter((el) => el.getClientRects().length)
  .map((el) => [el, el.getBoundingClientRect(), !el.closest(".own-mind") ? 43.5 : innerWidth < 390 ? 13.5 : 22])
  .filter(([, r, least]) => r.width < least || r.height < least)
  .map(([el, r]) => `${el.id || el.outerHTML.slice(0, 90)} is ${Math.round(r.width)} x ${Math.round(r.height)}`)"""

# Where a neighbour lies in the arrow's direction, the arrow goes to it, along the row if there is one; and arrows lead everywhere.
# Each piece takes the focus once; where an arrow would lead from there is only noted, for every change of focus has the page drawn anew.
ARROWS = """(places) => {
  const live = document.querySelectorAll("#table :is([data-act], [data-try], [data-sit], [data-undo])");
  const all = [...live].filter((el) => el.getClientRects().length);
  const at = new Map(all.map((el) => { const r = el.getBoundingClientRect(); return [el, [r.x + r.width / 2, r.y + r.height / 2]]; }));
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, wrong = [], leads = new Map();
  const kinds = [HTMLElement.prototype, SVGElement.prototype], focus = kinds.map((kind) => kind.focus);
  const press = (el, key) => {
    let to = el;
    kinds.forEach((kind) => { kind.focus = function () { to = this; }; });
    el.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    kinds.forEach((kind, n) => { kind.focus = focus[n]; });
    return to;
  };
  const board = all.filter((el) => el.matches(places)), off = (a, b) => [at.get(b)[0] - at.get(a)[0], at.get(b)[1] - at.get(a)[1]];
  for (const el of all) for (const [key, [x, y]] of Object.entries(arrows)) {
    if (document.activeElement !== el) el.focus();
    if (document.activeElement !== el) wrong.push(`${el.id} takes no focus`);
    const to = press(el, key);
    leads.set(el, [...(leads.get(el) ?? []), to]);
    if (!board.includes(el)) continue;
    const far = (other) => Math.hypot(...off(el, other)), along = ([dx, dy]) => dx * x + dy * y;
    const angle = (other) => Math.acos(along(off(el, other)) / far(other)) * 57.3;
    const others = board.filter((other) => other !== el), near = 1.25 * Math.min(...others.map(far));
    const beside = others.filter((other) => far(other) <= near && angle(other) < 50);
    const straight = beside.filter((other) => angle(other) < 10);
    const row = others.filter((other) => angle(other) < 10).sort((a, b) => far(a) - far(b)).slice(0, 1);  // a gap in a row may be leapt
    const right = straight.length ? straight : [...beside, ...(beside.length ? row : [])];
    if (right.length && !right.includes(to)) wrong.push(`${key} on ${el.id} goes to ${to.id}, not ${right.map((one) => one.id)}`);
  }
  document.activeElement.blur();
  const reached = new Set(all.slice(0, 1));
  for (const el of reached) leads.get(el)?.forEach((to) => reached.add(to));
  return [...wrong, ...all.filter((el) => !reached.has(el)).map((el) => `no arrow leads to ${el.id}`)];
}"""


def stage_of(match: Match) -> tuple[object, ...]:
    """What kind of question is asked, and whether it is the first seat's."""
    names = ("stage", "phase", "step")
    task = match.state.task[0] if hasattr(match.state, "task") else None
    return (*(getattr(match.state, name) for name in names if hasattr(match.state, name)), task, 0 in match.acting)


class Shot(NamedTuple):
    """A page at a move, and the sizes at which it is looked at."""

    at: int
    html: str
    sizes: tuple[tuple[int, int], ...]


def pages(name: str, players: int, all_sizes: bool) -> list[Shot]:
    """A game as its first seat sees it: each kind of question once, and now and then one more, late in the game. Such a kind is seen at
    every size all the same, early at every other and late at the rest."""
    game = recollect.load(name)
    match, rng, player = game.match(seed="fit", players=players), random.Random(1), mind(game, "sensible")
    met: dict[object, list[tuple[int, str]]] = defaultdict(list)
    times: dict[object, int] = defaultdict(int)
    moves = 0
    while not match.over:
        kind = stage_of(match)
        times[kind] += 1
        if times[kind] in (1, LATE):
            met[kind].append((moves, page_of(match, 0, "en")))
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
        moves += 1
    part = lambda shots, i: SIZES if all_sizes or len(shots) == 1 else SIZES[i::2]  # noqa: E731
    return sorted(Shot(*shot, part(shots, i)) for shots in met.values() for i, shot in enumerate(shots))


def serve(context: Any, shots: dict[str, str]) -> None:
    """The pages and what they are drawn with, without a server."""

    def answer(route: Any) -> None:
        _, kind, *rest = route.request.url.removeprefix("http://table").split("/")
        if kind == "page":
            route.fulfill(body=shots[rest[0]], content_type="text/html")
        elif kind == "static":
            route.fulfill(path=STATIC / rest[0])
        else:
            route.fulfill(path=recollect.load(rest[0]).folder / "page" / "/".join(rest[1:]))

    context.route("http://table/**", answer)


class Measured(NamedTuple):
    """What was amiss in the phases of a game, and where its board lay at each size."""

    hidden: list[str]
    small: list[str]
    astray: list[str]
    boards: dict[tuple[int, int], set[tuple[int, ...]]]


# All pages are fetched once, and laid one after the other into the first: a page is quicker changed than a window.
FETCH = """async (paths) => {
  const read = async (path) => new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html").getElementById("live");
  window.shots = await Promise.all(paths.map(read));
  document.getElementById("notice")?.remove();
}"""
EACH = f"""([which, board, places, phone, desk]) => {{
  const measure = {MEASURE}, small = {SMALL}, arrows = {ARROWS};
  return which.map((n) => {{
    document.getElementById("live").replaceWith(document.adoptNode(shots[n].cloneNode(true)));
    return {{ ...measure(board), small: phone ? small() : [], astray: desk ? arrows(places) : [] }};
  }});
}}"""


def measured(chromium: Any, name: str, players: int, all_sizes: bool) -> Measured:
    shots = pages(name, players, all_sizes)
    context = chromium.new_context(reduced_motion="reduce")
    serve(context, {str(shot.at): shot.html for shot in shots})
    page = context.new_page()
    page.goto(f"http://table/page/{shots[0].at}")
    page.evaluate(FETCH, [f"/page/{shot.at}" for shot in shots])
    found = Measured([], [], [], defaultdict(set))
    for size in SIZES:
        which = [n for n, shot in enumerate(shots) if size in shot.sizes]
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        each = page.evaluate(EACH, [which, BOARD[name], PLACES[name], size in PHONES, size == SIZES[0]])
        for n, seen in zip(which, each, strict=True):
            for kind, said in (("wrong", found.hidden), ("small", found.small), ("astray", found.astray)):
                said.extend(f"{size[0]}x{size[1]}, move {shots[n].at}: {what}" for what in seen[kind])
            if seen["board"]:
                found.boards[size].add(tuple(seen["board"]))
    context.close()
    return found


@pytest.mark.parametrize("all_sizes", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize(("name", "players"), SAMPLES)
def test_all_that_may_be_done_is_in_sight_as_large_as_a_fingertip_and_reached_by_arrows_on_a_board_that_never_moves(
    chromium: Any, name: str, players: int, all_sizes: bool
):
    found = measured(chromium, name, players, all_sizes)
    assert not found.hidden, "\n".join(found.hidden)
    assert all(len(places) == 1 for places in found.boards.values()), f"the board moved: {dict(found.boards)}"
    assert len(found.boards) == len(SIZES), "the board was seen at every size"
    assert not found.small, "\n".join(found.small)
    assert not found.astray, "\n".join(found.astray)


LOW = ((1280, 720), (1366, 768))
GUIDED = """() => shots.map((shot) => {
  document.getElementById("live").replaceWith(document.adoptNode(shot.cloneNode(true)));
  const box = (where) => document.querySelector(where).getBoundingClientRect(), side = document.getElementById("side-right");
  const grid = box("#memory-grid"), guide = box(".guide"), score = box("#scores");
  return [
    ...(grid.bottom > side.getBoundingClientRect().bottom || side.scrollHeight > side.clientHeight + 1 ? ["the memory grid is cut"] : []),
    ...(score.bottom > guide.top + 1 ? ["the guide lies over the score"] : []),
    ...(guide.top < 0 || guide.bottom > innerHeight ? ["the guide is cut"] : []),
  ];
})"""


def lesson_pages(name: str, language: str) -> dict[str, str]:
    """Every step of every lesson, by its name."""
    game, found = recollect.load(name), {}
    for lesson in lessons(game).values():
        place = Place(lesson, 0)
        while True:
            live = Markup(lesson_html(place, "Alexandrine", language))
            table = {"id": "lesson", "live": False}
            found[f"{lesson.name}-{place.step + 1}"] = whole(
                "lesson.html.jinja", language, "/", game=name, title=name, live=live, table=table
            )
            if place.last:
                break
            place = place.on(place.now.right[0] if place.now.right else None)
    return found


def amiss(chromium: Any, name: str, language: str, sizes: tuple[tuple[int, int], ...], look: str) -> list[str]:
    """What a look at every step of the lessons finds wrong at some sizes."""
    shots, context = lesson_pages(name, language), chromium.new_context(reduced_motion="reduce")
    serve(context, shots)
    page = context.new_page()
    page.goto(f"http://table/page/{next(iter(shots))}")
    page.evaluate(FETCH, [f"/page/{step}" for step in shots])
    wrong = []
    for wide, high in sizes:
        page.set_viewport_size({"width": wide, "height": high})
        each = zip(shots, page.evaluate(look), strict=True)
        wrong += [f"{wide}x{high}, {step}: {what}" for step, found in each for what in found]
    context.close()
    return wrong


@pytest.mark.parametrize("language", WORDY)
def test_on_a_low_laptop_a_lesson_of_deja_vu_leaves_the_memory_grid_whole_and_the_score_in_sight(chromium: Any, language: str):
    wrong = amiss(chromium, "dejavu", language, LOW, GUIDED)
    assert not wrong, "\n".join(wrong)


# Beside the cards of Pti Bapt: all of it above the fold. (The guide may lie over what is on its own side.)
ASIDE = """() => shots.map((shot) => {
  document.getElementById("live").replaceWith(document.adoptNode(shot.cloneNode(true)));
  const beside = [...document.querySelectorAll(".side > *, .guide")].map((el) => [el, el.getBoundingClientRect()]);
  return beside.filter(([, r]) => r.height && (r.top < 0 || r.bottom > innerHeight)).map(([el, r]) => `${el.id} ends at ${r.bottom}`);
})"""


@pytest.mark.parametrize("language", WORDY)
def test_on_a_low_laptop_a_lesson_of_pti_bapt_ends_above_the_fold(chromium: Any, language: str):
    wrong = amiss(chromium, "ptibapt", language, LOW, ASIDE)
    assert not wrong, "\n".join(wrong)


# Above the guide of Vivid Memories: what one holds or lays, and no empty bar; the lesson's name is read whole.
HELD = """() => shots.map((shot) => {
  document.getElementById("live").replaceWith(document.adoptNode(shot.cloneNode(true)));
  const bar = document.querySelector(".now"), seen = (el) => el.getClientRects().length;
  const held = [...bar.querySelectorAll(".held-one, .dock-tile")];
  const title = document.querySelector(".guide header strong"), wrong = held.filter((el) => !seen(el)).map((el) => `${el.id} is hidden`);
  if (seen(bar) && ![...held, ...bar.querySelectorAll("button")].some(seen)) wrong.push("an empty bar");
  return title.scrollWidth > title.clientWidth + 1 ? [...wrong, "its name is cut"] : wrong;
})"""


@pytest.mark.parametrize("language", WORDY)
def test_on_a_phone_a_lesson_of_vivid_memories_shows_what_is_held_and_no_empty_bar(chromium: Any, language: str):
    wrong = amiss(chromium, "vivid", language, ((390, 844),), HELD)
    assert not wrong, "\n".join(wrong)


# What a card of the island says below itself lies on the cards around it, and nothing makes the page wider than the screen.
LABELLED = """() => shots.map((shot) => {
  document.getElementById("live").replaceWith(document.adoptNode(shot.cloneNode(true)));
  const wrong = document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : [];
  for (const em of document.querySelectorAll(".place em")) {
    const r = em.getBoundingClientRect();
    for (const [x, y] of [[0.04, 0.5], [0.5, 0.9], [0.96, 0.5]]) {
      const top = document.elementFromPoint(r.left + x * r.width, r.top + y * r.height);
      const over = top?.closest(".place, .flag, .piles");
      if (over && over !== em.parentElement) wrong.push(`${over.id} lies over what ${em.parentElement.id} says`);
    }
  }
  return wrong;
})"""


@pytest.mark.parametrize("language", WORDY)
def test_what_a_card_of_the_island_says_lies_on_its_neighbours(chromium: Any, language: str):
    wrong = amiss(chromium, "memoarrr", language, ((1366, 768), *PHONES), LABELLED)
    assert not wrong, "\n".join(wrong)


# What is asked and what came of a turn keep to their own lines: neither over the players nor under the cards.
SAID = """() => shots.map((shot) => {
  document.getElementById("live").replaceWith(document.adoptNode(shot.cloneNode(true)));
  const box = document.querySelector(".prompt").getBoundingClientRect(), say = document.getElementById("say").getBoundingClientRect();
  return say.top < box.top - 1 || say.bottom > box.bottom + 1 ? [`${say.height} high in ${box.height}`] : [];
})"""


@pytest.mark.parametrize("language", WORDY)
def test_what_is_said_at_pti_bapt_keeps_to_its_lines(chromium: Any, language: str):
    wrong = amiss(chromium, "ptibapt", language, (*LOW, (390, 844)), SAID)
    assert not wrong, "\n".join(wrong)


TOLD = """() => shots.map((shot) => {
  document.getElementById("live").replaceWith(document.adoptNode(shot.cloneNode(true)));
  const box = (what) => document.querySelector(what).getBoundingClientRect(), title = document.querySelector("#say small");
  const [say, dock, isle] = ["#say-text", "#dock", ".island"].map(box);
  const whole = say.top >= dock.top && say.bottom <= dock.bottom && title.scrollWidth <= title.clientWidth;
  return [title.innerText, whole && dock.top >= isle.bottom];
})"""


@pytest.mark.parametrize("language", WORDY)
def test_that_a_companion_plays_is_told_whole_on_a_small_phone(chromium: Any, language: str):
    """Above whatever is asked at Memoarrr!, and the dock grows over nothing."""
    match, rng, shots = recollect.load("memoarrr").match(seed="z", players=3, mode="expert"), random.Random(2), {}
    player = mind(match.game, "sensible")
    while not match.over:
        seat = min(match.acting)
        if match.moment.paced is None:
            shots[str(len(shots))] = page_of(match, seat, language, stands_in=True)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    context = chromium.new_context(viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    serve(context, shots)
    page = context.new_page()
    page.goto("http://table/page/0")
    page.evaluate(FETCH, [f"/page/{n}" for n in shots])
    said = ui_texts(language)("turn.instead")
    assert [n for n, (title, whole) in enumerate(page.evaluate(TOLD)) if said not in title or not whole] == []
    context.close()


BELOW = """() => shots.map((shot) => {
  document.getElementById("live").replaceWith(document.adoptNode(shot.cloneNode(true)));
  const [say, dock, isle] = ["#say-text", "#dock", ".island"].map((what) => document.querySelector(what).getBoundingClientRect());
  const whole = say.top >= dock.top && say.bottom <= dock.bottom, wide = (el) => el.getBoundingClientRect().width;
  const label = [...document.querySelectorAll(".place em")].every((el) => wide(el) <= wide(el.closest(".place")) + 1);
  return whole && label && dock.top >= isle.bottom && document.documentElement.scrollHeight <= innerHeight;
})"""
LONG = ("Anne-Sophie-Marie", "Maximilien-Auguste", "Bartholomew-Quickly", "Jean-Christophe")


@pytest.mark.parametrize("language", WORDY)
def test_long_names_never_lift_the_dock_over_the_island_of_a_small_phone(chromium: Any, language: str, monkeypatch: pytest.MonkeyPatch):
    """At one screen, and at four while the others are away; and no label lies over a neighbour."""
    monkeypatch.setattr("recollect.table.render.shot.NAMES", LONG)
    match, rng, shots = recollect.load("memoarrr").match(seed="z", players=4, mode="expert"), random.Random(2), {}
    player = mind(match.game, "sensible")
    while not match.over:
        seat = min(match.acting)
        shots[str(len(shots))] = page_of(match, seat, language, away=len(shots) % 2 == 0, shared=len(shots) % 2 == 1)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    context = chromium.new_context(viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    serve(context, shots)
    page = context.new_page()
    page.goto("http://table/page/0")
    page.evaluate(FETCH, [f"/page/{n}" for n in shots])
    assert [n for n, fits in enumerate(page.evaluate(BELOW)) if not fits] == []
    context.close()


@pytest.mark.parametrize(("players", "seat"), [(3, -1), (4, 0), (4, -1)])
def test_who_the_others_are_is_read_on_a_phone(chromium: Any, players: int, seat: int, monkeypatch: pytest.MonkeyPatch):
    """Three or four seats beside each other, at the first move and, while the others are away, at the last."""
    monkeypatch.setattr("recollect.table.render.shot.NAMES", ("Mila", "Alexandrine", "Théophile", "Poisson rouge"))
    match, rng = recollect.load("memoarrr").match(seed="z", players=players), random.Random(3)
    shots = {"first": page_of(match, seat, "fr")}
    while not match.over:
        shots["last"] = page_of(match, seat, "fr", away=True)
        match.play(min(match.acting), rng.choice(match.legal(min(match.acting))))
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    serve(context, shots)
    page = context.new_page()
    cut = "els => els.filter((el) => el.scrollWidth > el.clientWidth + 1).map((el) => el.outerHTML)"
    for shot in shots:
        page.goto(f"http://table/page/{shot}")
        assert page.eval_on_selector_all(".seats :is(.seat, .who, .who *, .hand)", cut) == []
    context.close()


def test_a_name_stands_whole_beside_what_the_reds_cost_at_pti_bapt_on_a_phone(chromium: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.render.shot.NAMES", ("Alexandrine", "Alexandrine"))
    match, rng, shots = recollect.load("ptibapt").match(seed="z", greens=2), random.Random(1), {}
    while not match.over:
        html = page_of(match, 0, "fr")
        if "<strong>−2</strong>" in html:
            shots["0"] = html
        match.play(min(match.acting), rng.choice(match.legal(min(match.acting))))
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    serve(context, shots)
    page = context.new_page()
    page.goto("http://table/page/0")
    cut = "els => els.filter((el) => el.scrollWidth > el.clientWidth + 1).map((el) => el.innerText)"
    assert page.eval_on_selector_all(".seat .who strong", cut) == []
    context.close()


def on_laptops(chromium: Any, html: str) -> Iterator[Any]:
    """A page on small laptops."""
    for wide, high in ((1280, 720), (1366, 768)):
        context = chromium.new_context(viewport={"width": wide, "height": high}, reduced_motion="reduce")
        serve(context, {"0": html})
        page = context.new_page()
        page.goto("http://table/page/0")
        yield page
        context.close()


NAMED = """() => [...document.querySelectorAll(".scores th[scope=row], .scores table, .left")].filter((el) => {
  const side = document.querySelector(".left").getBoundingClientRect();
  return el.scrollWidth > el.clientWidth + 1 || el.getBoundingClientRect().right > side.right;
}).map((el) => el.innerText)"""


@pytest.mark.parametrize("language", WORDY)
def test_every_name_stands_whole_beside_the_points_of_deja_vu_on_a_laptop(chromium: Any, language: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.render.shot.NAMES", ("Anne-Sophie-Marie", "Maximilien-Auguste", "Bartholomew Quick", "Elephant"))
    html = page_of(recollect.load("dejavu").match(seed="z", players=4), -1, language)
    assert [page.evaluate(NAMED) for page in on_laptops(chromium, html)] == [[], []]


BROKEN = """() => [...document.querySelectorAll(".scores th[scope=row]")].filter((el) => {
  const words = document.createRange();
  words.selectNodeContents(el);
  return words.getClientRects().length > 1;
}).map((el) => el.innerText)"""


@pytest.mark.parametrize("language", WORDY)
def test_a_name_of_eleven_letters_stands_unbroken_beside_the_points_of_deja_vu(
    chromium: Any, language: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("recollect.table.render.shot.NAMES", ("Alexandrine", "Bartholomew", "Maximiliane", "Mila"))
    html = page_of(recollect.load("dejavu").match(seed="z", players=4), -1, language)
    assert [page.evaluate(NAMED) + page.evaluate(BROKEN) for page in on_laptops(chromium, html)] == [[], []]


TITLED = """(names) => [...document.querySelectorAll(".tile h3:has(svg)")].flatMap((el) => names.filter((name) => {
  el.firstChild.textContent = name;
  return el.scrollWidth > el.clientWidth;
}))"""


@pytest.mark.parametrize("language", WORDY)
def test_the_title_of_every_tile_stands_whole_beside_its_lock_on_a_laptop(chromium: Any, language: str):
    game = recollect.load("vivid")
    names = list(tomllib.loads((game.folder / f"texts.{language}.toml").read_text("utf-8"))["tiles"].values())
    for players, wide, high in ((3, 1280, 720), (4, 1280, 720), (4, 1366, 768), (4, 1440, 900), (3, 1024, 768), (4, 1024, 768)):
        context = chromium.new_context(viewport={"width": wide, "height": high}, reduced_motion="reduce")
        serve(context, {"0": page_of(game.match(seed="t", players=players), 0, language)})
        page = context.new_page()
        page.goto("http://table/page/0")
        assert page.locator(".tile h3:has(svg)").count() and page.evaluate(TITLED, names) == []
        context.close()


LAID = """() => [...document.querySelectorAll(".map.across .tile")].filter((tile) => {
  const low = Math.max(...[...tile.querySelectorAll(".lot > *")].map((bit) => bit.getBoundingClientRect().bottom));
  return tile.querySelector(".name").getBoundingClientRect().top < low - 4;   // a bit has a little air under it
}).map((tile) => tile.id)"""


@pytest.mark.parametrize("language", WORDY)
def test_where_nebulas_are_small_no_name_lies_over_their_bits(chromium: Any, language: str):
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    shots = {str(n): page_of(recollect.load("dejavu").match(seed=f"map {n}", players=3), -1, language) for n in range(6)}
    serve(context, shots)
    page = context.new_page()
    met = 0
    for n in shots:
        page.goto(f"http://table/page/{n}")
        met += page.locator(".map.across").count()
        assert page.evaluate(LAID) == []
        page.evaluate("document.querySelectorAll('.tile').forEach((tile) => tile.classList.add('is-end'))")
        assert page.evaluate(LAID) == [], "nor where one may end"
    assert met > 1
    context.close()


CUT = """(least) => {
  const box = document.querySelector(".mine").getBoundingClientRect(), cards = [...document.querySelectorAll("#long-term .card")];
  const seen = (r) => r.left >= box.left && r.right <= box.right && r.bottom <= box.bottom && r.width >= least;
  return [cards.length, cards.filter((el) => !seen(el.getBoundingClientRect())).map((el) => el.id)];
}"""


def late(name: str, language: str, reached: Callable[[Any], bool]) -> dict[str, str]:
    """Pages of the first seat in games played sensibly, when they are late enough."""
    game, shots = recollect.load(name), {}
    for seed in range(5):
        match, rng, player = game.match(seed=f"late {seed}", players=2), random.Random(seed), mind(game, "sensible")
        while not match.over and not reached(match.state):
            seat = min(match.acting)
            match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
        if not match.over:
            shots[str(seed)] = page_of(match, 0, language)
    return shots


STRAY = """() => {
  document.querySelector(".headline h1").textContent = "Anne-Sophie-Marie gagne la partie";
  document.querySelector(".headline p").textContent = "−1 à −3. Six tours de suite n’ont rien apporté de neuf : la partie s’arrête là.";
  const edge = document.querySelector("#live > .banner").getBoundingClientRect().bottom;
  const cut = [...document.querySelectorAll(".banner .next .btn")].filter((el) => el.getBoundingClientRect().bottom > edge + 1);
  const next = cut.filter((el) => getComputedStyle(el.parentElement).position !== "fixed");  // on phones they lie at the foot
  return [...next, ...document.querySelectorAll("#live > :not(.banner, dialog) *")].filter((el) => {
    if (next.includes(el)) return true;
    const { width, top } = el.getBoundingClientRect();
    return width && top < edge - 1 && !el.closest("dialog, [popover], .sr") && getComputedStyle(el).position !== "fixed";
  }).map((el) => el.outerHTML.slice(0, 80));
}"""


@pytest.mark.parametrize("name", ["dejavu", "memoarrr", "ptibapt", "vivid"])
def test_nothing_of_an_end_lies_over_its_banner(chromium: Any, name: str):
    """Nor is anything of the banner cut, where what is told takes two lines."""
    match, rng = recollect.load(name).match(seed="over", players=2), random.Random(1)
    player = mind(match.game, "sensible")
    while not match.over:
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    for seat, (wide, high) in itertools.product((0, -1), ((1280, 720), (390, 844))):
        context = chromium.new_context(viewport={"width": wide, "height": high}, reduced_motion="reduce")
        serve(context, {"0": page_of(match, seat, "en")})
        page = context.new_page()
        page.goto("http://table/page/0")
        assert page.evaluate(STRAY) == [], (seat, wide)
        context.close()


@pytest.mark.parametrize("cards", [pytest.param(6, marks=pytest.mark.long), 9])
def test_all_that_is_remembered_can_be_read_on_a_laptop(chromium: Any, cards: int):
    shots = late("dejavu", "en", lambda s: int(s.long[0]).bit_count() >= cards)
    assert len(shots) >= 2
    for width, height in ((1280, 720), (1366, 768), (1440, 900)):
        context = chromium.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        serve(context, shots)
        page = context.new_page()
        for shot in shots:
            page.goto(f"http://table/page/{shot}")
            assert page.evaluate(CUT, 34) == [cards, []], (width, shot)
        context.close()


@pytest.mark.parametrize("language", WORDY)
def test_the_last_reward_is_told_whole_on_a_phone(chromium: Any, language: str):
    shots = late("vivid", language, lambda s: s.round_no == 2 and s.phase > vivid.REFLECT)
    context = chromium.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    serve(context, shots)
    page = context.new_page()
    for shot in shots:
        page.goto(f"http://table/page/{shot}")
        assert page.evaluate("document.querySelector('.sheet-round').scrollWidth") <= 366
    context.close()


@pytest.mark.parametrize("language", WORDY)
def test_what_is_counted_last_is_told_whole_on_a_laptop(chromium: Any, language: str):
    shots = late("vivid", language, lambda s: s.round_no == 2 and s.phase > vivid.REFLECT)
    wide = "(el) => el.scrollWidth > el.clientWidth + 1"
    beyond = f"[...document.querySelectorAll('#sheet, .part-of.counting')].filter({wide}).map((el) => el.id)"
    for width, height in ((1280, 720), (1366, 768)):
        context = chromium.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        serve(context, shots)
        page = context.new_page()
        for shot in shots:
            page.goto(f"http://table/page/{shot}")
            assert page.evaluate(beyond) == [], (width, shot)
        context.close()


def test_the_mind_stays_in_its_half_of_a_low_window(chromium: Any):
    context = chromium.new_context(viewport={"width": 900, "height": 500}, reduced_motion="reduce")
    serve(context, late("vivid", "fr", lambda s: s.phase == vivid.REMEMBER))
    page = context.new_page()
    page.goto("http://table/page/0")
    box = "(what) => document.querySelector(what).getBoundingClientRect()"
    assert page.evaluate(box, ".own-mind")["right"] <= page.evaluate(box, "#line")["left"]
    context.close()


def crowded() -> str:
    """A page in French where the bits in hand fit six cards."""
    game = recollect.load("dejavu")
    match, rng, player = game.match(seed="p0", players=4), random.Random(0), mind(game, "sensible")
    while not match.over:
        if 0 in match.acting and (html := page_of(match, 0, "fr")).count('class="fit-row lit') == 6:
            return html
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    raise AssertionError("no such page came")


def test_the_memory_grid_stays_whole_below_where_bits_fit(chromium: Any):
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    serve(context, {"crowded": crowded()})
    page = context.new_page()
    page.goto("http://table/page/crowded")
    bottom = "(what) => document.querySelector(what).getBoundingClientRect().bottom"
    assert page.evaluate(bottom, ".cells") < page.evaluate(bottom, ".right")
    context.close()


@pytest.mark.parametrize("language", WORDY)
def test_long_names_leave_the_sum_of_the_reward_in_sight_on_a_laptop(chromium: Any, language: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.render.shot.NAMES", ("Anne-Sophie-Marie", "Maximilien-Auguste", "Bartholomew Quick", "Elephant"))
    match, rng = recollect.load("vivid").match(seed="sum", players=4), random.Random(1)
    player, shots = mind(match.game, "sensible"), {}
    while not match.over:
        if match.state.phase > vivid.REFLECT and str(match.state.round_no) not in shots:
            shots[str(match.state.round_no)] = page_of(match, 0, language)
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    serve(context, shots)
    page = context.new_page()
    beyond = "(el) => [el.scrollWidth - el.clientWidth, el.scrollHeight - el.clientHeight]"
    for shot in shots:
        page.goto(f"http://table/page/{shot}")
        assert page.eval_on_selector("#sheet", beyond) == [0, 0]
    context.close()


# What stands at the end beside the points is in its place there: nothing lies over what was won by, or over the points.
ASTRAY = """() => {
  const box = (el) => el.getBoundingClientRect(), told = [...document.querySelectorAll(".banner, .counts")].map(box);
  const over = (r) => told.some((t) => r.left < t.right - 1 && r.right > t.left + 1 && r.top < t.bottom - 1 && r.bottom > t.top + 1);
  return [...document.querySelectorAll(".minds li")].map((el) => [el.innerText, over(box(el))]);
}"""


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_the_minds_of_the_others_stand_beside_the_points_at_the_end_of_vivid_memories(chromium: Any, size: tuple[int, int]):
    match, rng = recollect.load("vivid").match(seed="ends", players=4), random.Random(1)
    player = mind(match.game, "random")
    while not match.over:
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce")
    serve(context, {"0": page_of(match, 0, "en")})
    page = context.new_page()
    page.goto("http://table/page/0")
    found = page.evaluate(ASTRAY)
    assert len(found) == 3 and not any(over for _, over in found), found
    context.close()


OPENED = "(el) => el.getBoundingClientRect().width > 160 && !document.getAnimations().length"


def test_every_common_memory_opens_within_its_pane(chromium: Any):
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    serve(context, late("dejavu", "en", lambda s: s.long[0] > 0))
    page = context.new_page()
    page.goto("http://table/page/0")
    for card in page.locator("#commons .spot .card").all():
        page.mouse.move(1, 1)
        card.hover()
        page.wait_for_function(OPENED, arg=card.element_handle())
        room = card.evaluate(
            "(el) => { const r = el.getBoundingClientRect(), pane = el.closest('.right').getBoundingClientRect();"
            "return [r.width, r.left - pane.left, pane.right - r.right, pane.bottom - r.bottom]; }"
        )
        assert room[0] > 160 and min(room) >= 0, room
    context.close()


def test_arrows_lead_from_an_opened_common_memory_to_the_one_below(chromium: Any):
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    serve(context, late("dejavu", "en", lambda s: s.long[0] > 0))
    page = context.new_page()
    page.goto("http://table/page/0")
    page.keyboard.press("Tab")  # who goes by keys sees what has the focus
    above, below = (page.locator(f".twelve > :nth-child({n}):has(.card[id])").first for n in (6, 12))
    above.locator(".card").focus()
    page.wait_for_function("() => document.activeElement.getBoundingClientRect().width > 160")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.id") == below.locator(".card").get_attribute("id")
    context.close()


# Beside two buttons as without them: what is asked stands within its bar.
WITHIN = """() => shots.map((shot) => {
  document.getElementById("live").replaceWith(document.adoptNode(shot.cloneNode(true)));
  const [say, dock] = ["#say-text", "#dock"].map((what) => document.querySelector(what).getBoundingClientRect());
  return say.top >= dock.top && say.bottom <= dock.bottom ? "" : document.querySelector("#say-text").innerText;
})"""


@pytest.mark.parametrize("language", WORDY)
def test_what_vivid_memories_asks_fits_its_bar_beside_two_buttons(chromium: Any, language: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.render.shot.NAMES", LONG)
    match, rng, shots = recollect.load("vivid").match(seed="two", players=4), random.Random(1), {}
    player = mind(match.game, "sensible")
    while match.state.round_no < 2:
        seat = min(match.acting)
        shots.setdefault(stage_of(match), page_of(match, seat, language, can_undo=True, shared=True, mine=True))
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    shots = {str(n): html for n, html in enumerate(shots.values())}
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    serve(context, shots)
    page = context.new_page()
    page.goto("http://table/page/0")
    page.evaluate(FETCH, [f"/page/{n}" for n in shots])
    assert [said for said in page.evaluate(WITHIN) if said] == []
    context.close()


# At the end of Vivid Memories: no name under its points, no head of a column over the next, no word broken that has a hyphen.
APART = """() => {
  const text = (el) => { const range = document.createRange(); range.selectNodeContents(el); return range.getBoundingClientRect(); };
  const heads = [...document.querySelectorAll(".matrix thead th:not(.who-col)")].map(text);
  const over = heads.slice(1).filter((head, n) => head.left < heads[n].right).length;
  const rows = [...document.querySelectorAll(".matrix .whole")], part = (row, what) => text(row.querySelector(what));
  return [over, rows.filter((row) => part(row, "strong").right > part(row, "td").left).map((row) => row.innerText)];
}"""


@pytest.mark.parametrize("language", WORDY)
def test_long_names_and_heads_keep_apart_at_the_end_of_vivid_memories(chromium: Any, language: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.render.shot.NAMES", LONG)
    match, rng = recollect.load("vivid").match(seed="ends", players=4), random.Random(1)
    player = mind(match.game, "random")
    while not match.over:
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    context = chromium.new_context(reduced_motion="reduce")
    serve(context, {"0": page_of(match, 0, language)})
    page = context.new_page()
    page.goto("http://table/page/0")
    for wide, high in ((1280, 720), *PHONES):
        page.set_viewport_size({"width": wide, "height": high})
        assert page.evaluate(APART) == [0, []], wide
    context.close()


HIDDEN = """() => shots.map((shot) => {
  document.getElementById("live").replaceWith(document.adoptNode(shot.cloneNode(true)));
  return [...document.querySelectorAll(".is-end .name b")].filter((el) => {
    const r = el.getBoundingClientRect(), at = (part) => document.elementFromPoint(r.left + part * r.width, r.top + r.height / 2);
    return [0.1, 0.5, 0.9].some((part) => at(part)?.closest(".tile") !== el.closest(".tile"));
  }).map((el) => el.parentElement.innerText);
})"""


def test_what_an_end_would_gather_is_hidden_by_no_neighbour_on_a_laptop(chromium: Any):
    game, shots = recollect.load("dejavu"), {}
    for seed in range(6):
        match, rng, player = game.match(seed=f"pills {seed}", players=2), random.Random(seed), mind(game, "sensible")
        while 'class="end-row' not in (html := page_of(match, min(match.acting), "fr")):
            seat = min(match.acting)
            match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
        shots[str(seed)] = html
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    serve(context, shots)
    page = context.new_page()
    page.goto("http://table/page/0")
    page.evaluate(FETCH, [f"/page/{n}" for n in shots])
    assert page.evaluate(HIDDEN) == [[]] * len(shots)
    context.close()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_who_watches_deja_vu_has_the_way_out_in_sight_beside_a_clock(chromium: Any, language: str):
    match, rng = recollect.load("dejavu").match(seed="watched", players=2), random.Random(1)
    player = mind(match.game, "sensible")
    while (html := page_of(match, -1, language)).count('aria-current="step"') == 0:
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    context = chromium.new_context(reduced_motion="reduce")
    serve(context, {"0": html})
    page = context.new_page()
    page.goto("http://table/page/0")
    page.evaluate("""() => { document.body.classList.add("timed"); document.body.style.setProperty("--clock", '"10:00"'); }""")
    for wide, high in SIZES:
        page.set_viewport_size({"width": wide, "height": high})
        assert page.evaluate("document.getElementById('do-leave').getBoundingClientRect().right") <= wide, wide
        assert page.evaluate("document.documentElement.scrollWidth") <= wide, wide
    context.close()


@pytest.mark.parametrize("language", WORDY)
def test_with_blue_pairs_the_page_of_pti_bapt_ends_above_the_fold(chromium: Any, language: str):
    match = recollect.load("ptibapt").match(seed="blue", bonus=True)
    context = chromium.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    serve(context, {"0": page_of(match, 0, language)})
    page = context.new_page()
    page.goto("http://table/page/0")
    assert page.evaluate("document.documentElement.scrollHeight") <= 720
    context.close()


@pytest.mark.parametrize("language", WORDY)
def test_what_a_lantern_asks_at_a_shared_screen_keeps_to_its_lines(chromium: Any, language: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("recollect.table.render.shot.NAMES", LONG)
    game, shots = recollect.load("ptibapt"), {}
    for file in sorted((game.folder / "positions").glob("bonus-lantern*.toml")):
        match = position.stand(game, position.read(file), file)
        for seat in match.acting:
            shots[str(len(shots))] = page_of(match, seat, language, shared=True)
    context = chromium.new_context(viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    serve(context, shots)
    page = context.new_page()
    page.goto("http://table/page/0")
    page.evaluate(FETCH, [f"/page/{n}" for n in shots])
    assert page.evaluate(SAID) == [[]] * len(shots)
    context.close()
