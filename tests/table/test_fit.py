"""Every board on every screen and for every hand: what is asked and all that may be done are in sight together, the board stays where it
is, a finger finds what it may touch, and arrow keys follow the board."""

from __future__ import annotations

import random
from collections import defaultdict
from functools import cache
from typing import Any, NamedTuple

import pytest
from markupsafe import Markup

import recollect
from recollect.engine.lesson import lessons
from recollect.engine.match import Match
from recollect.minds import mind
from recollect.table.render.guide import Place, lesson_html
from recollect.table.render.page import STATIC, whole
from recollect.table.render.shot import page_of

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
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
ARROWS = """(places) => {
  const live = document.querySelectorAll("#table :is([data-act], [data-try], [data-sit], [data-undo])");
  const all = [...live].filter((el) => el.getClientRects().length);
  const at = new Map(all.map((el) => { const r = el.getBoundingClientRect(); return [el, [r.x + r.width / 2, r.y + r.height / 2]]; }));
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, wrong = [], leads = new Map();
  const press = (el, key) => {
    el.focus();
    el.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    return document.activeElement;
  };
  const board = all.filter((el) => el.matches(places)), off = (a, b) => [at.get(b)[0] - at.get(a)[0], at.get(b)[1] - at.get(a)[1]];
  for (const el of all) for (const [key, [x, y]] of Object.entries(arrows)) {
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


def pages(name: str, players: int) -> list[tuple[int, str]]:
    """A game as its first seat sees it: each kind of question once, and now and then one more, late in the game."""
    game = recollect.load(name)
    match, rng, player = game.match(seed="fit", players=players), random.Random(1), mind(game, "sensible")
    met: dict[object, int] = defaultdict(int)
    shots: list[tuple[int, str]] = []
    moves = 0
    while not match.over:
        kind = stage_of(match)
        met[kind] += 1
        if met[kind] in (1, LATE):
            shots.append((moves, page_of(match, 0, "en")))
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
        moves += 1
    return shots


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
EACH = f"""([board, places, phone, desk]) => {{
  const measure = {MEASURE}, small = {SMALL}, arrows = {ARROWS};
  return shots.map((shot) => {{
    document.getElementById("live").replaceWith(document.adoptNode(shot.cloneNode(true)));
    return {{ ...measure(board), small: phone ? small() : [], astray: desk ? arrows(places) : [] }};
  }});
}}"""


@cache
def measured(chromium: Any, name: str, players: int) -> Measured:
    shots = pages(name, players)
    context = chromium.new_context(reduced_motion="reduce")
    serve(context, {str(at): html for at, html in shots})
    page = context.new_page()
    page.goto(f"http://table/page/{shots[0][0]}")
    page.evaluate(FETCH, [f"/page/{at}" for at, _ in shots])
    found = Measured([], [], [], defaultdict(set))
    for wide, high in SIZES:
        page.set_viewport_size({"width": wide, "height": high})
        each = page.evaluate(EACH, [BOARD[name], PLACES[name], (wide, high) in PHONES, (wide, high) == SIZES[0]])
        for (at, _), seen in zip(shots, each, strict=True):
            for kind, said in (("wrong", found.hidden), ("small", found.small), ("astray", found.astray)):
                said.extend(f"{wide}x{high}, move {at}: {what}" for what in seen[kind])
            if seen["board"]:
                found.boards[wide, high].add(tuple(seen["board"]))
    context.close()
    return found


@pytest.mark.parametrize(("name", "players"), SAMPLES)
def test_all_that_may_be_done_is_in_sight_as_large_as_a_fingertip_and_reached_by_arrows_on_a_board_that_never_moves(
    chromium: Any, name: str, players: int
):
    found = measured(chromium, name, players)  # a minute's work, done once
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


@pytest.mark.parametrize("language", ["en", "fr"])
def test_on_a_low_laptop_a_lesson_of_deja_vu_leaves_the_memory_grid_whole_and_the_score_in_sight(chromium: Any, language: str):
    shots, context = lesson_pages("dejavu", language), chromium.new_context(reduced_motion="reduce")
    serve(context, shots)
    page = context.new_page()
    page.goto(f"http://table/page/{next(iter(shots))}")
    page.evaluate(FETCH, [f"/page/{step}" for step in shots])
    wrong = []
    for wide, high in LOW:
        page.set_viewport_size({"width": wide, "height": high})
        each = zip(shots, page.evaluate(GUIDED), strict=True)
        wrong += [f"{wide}x{high}, {step}: {what}" for step, found in each for what in found]
    context.close()
    assert not wrong, "\n".join(wrong)
