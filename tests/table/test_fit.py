"""Every board on every screen: what is asked and all that may be done are in sight together, and the board stays where it is."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import pytest

import recollect
from recollect.engine.match import Match
from recollect.minds import mind
from recollect.table.render.page import STATIC
from recollect.table.render.shot import page_of

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
SIZES = ((1280, 720), (1440, 757), (1024, 768), (820, 1180), (390, 844), (844, 390), (360, 640))
BOARD = {"dejavu": "#cosmic-map", "memoarrr": ".island, .board", "ptibapt": ".board", "vivid": "svg.own-mind"}
LATE = 25  # times that a question has come up: the second look at it
SAMPLES = [("dejavu", 2), ("dejavu", 4), ("memoarrr", 2), ("memoarrr", 4), ("ptibapt", 1), ("ptibapt", 2), ("vivid", 1), ("vivid", 4)]

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
  const say = document.getElementById("say");
  if (hidden(say)) wrong.push(`what is asked ${box(say)} is ${hidden(say)}`);
  const el = document.querySelector(board);
  return { wrong, board: el && el.getClientRects().length ? box(el) : null };
}"""


def stage_of(match: Match) -> tuple[object, ...]:
    """What kind of question is asked, and whether it is the first seat's."""
    names = ("stage", "phase", "step")
    return (*(getattr(match.state, name) for name in names if hasattr(match.state, name)), 0 in match.acting)


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


@pytest.mark.parametrize(("name", "players"), SAMPLES)
def test_all_that_may_be_done_is_in_sight_and_the_board_never_moves(chromium: Any, name: str, players: int):
    shots = pages(name, players)
    context = chromium.new_context(reduced_motion="reduce")
    serve(context, {str(at): html for at, html in shots})
    page = context.new_page()
    wrong, boards = [], defaultdict(set)
    for at, _ in shots:
        page.goto(f"http://table/page/{at}")
        page.evaluate("document.getElementById('notice')?.remove()")
        for wide, high in SIZES:
            page.set_viewport_size({"width": wide, "height": high})
            seen = page.evaluate(MEASURE, BOARD[name])
            wrong += [f"{wide}x{high}, move {at}: {what}" for what in seen["wrong"]]
            if seen["board"]:
                boards[wide, high].add(tuple(seen["board"]))
    context.close()
    assert not wrong, "\n".join(wrong)
    assert all(len(places) == 1 for places in boards.values()), f"the board moved: {dict(boards)}"
    assert len(boards) == len(SIZES), "the board was seen at every size"
