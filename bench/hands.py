"""Whole games by hand: how many clicks a turn takes, and what is in the way, on a laptop and a phone.

    python bench/hands.py [--game vivid --size phone] [--shots FOLDER]

A real server and Debian's Chromium: one person against a goldfish, by real clicks (taps on the phone) on what is lit and nothing else.
What to click is chosen as that game's plain companion would, from what the seat knows; where one click stands for several actions, it is
taken. A turn is what is clicked from being asked until somebody else is. Prints the table of docs/pages.md, then everything that was
amiss: a thing to click that had to be scrolled to or lay under another, a board that moved, a page wider than its screen, focus fallen
to the body, a scolding for a click on what was lit, an error of the script.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import socket
import statistics
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from recollect.engine.look import Moment
from recollect.engine.shelf import load
from recollect.engine.stream import CHANCE
from recollect.minds import mind
from recollect.table.app import application
from recollect.table.live.room import Room

SIZES = {"laptop": (1280, 720), "phone": (390, 844)}
TITLES = {"dejavu": "Déjà Vu", "memoarrr": "Memoarrr!", "ptibapt": "Pti Bapt", "vivid": "Vivid Memories"}
BOARD = {"dejavu": "#cosmic-map", "memoarrr": ".board", "ptibapt": ".board", "vivid": "svg.own-mind"}
GAMES = [("memoarrr", 2), ("ptibapt", 2), ("ptibapt", 1), ("vivid", 2), ("dejavu", 2)]

# What a person clicks in Déjà Vu who takes what is offered whole: the best end of a sowing, a card that the bits fit, then what goes on.
OFFERS = ["#ends .lit", "#fits .lit", "#do-plant-circle", "#do-plant-card", "#do-all-whites", "#do-save-all", "#do-spread", "#do-built",
          "#do-saved", "#do-stay", "#do-draw", "#do-skip"]  # fmt: skip

# The thing that plays an action: of several, the first that can be clicked as it is. Where its middle lies, and what is in the way.
FIND = """([action, offers]) => {
  const all = (what) => [...document.querySelectorAll(what)].filter((el) => el.getClientRects().length);
  const middle = (el) => { const r = el.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; };
  const inside = (el) => { const [x, y] = middle(el); return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight; };
  const free = (el) => inside(el) && document.elementFromPoint(...middle(el))?.closest("[data-act]") === el;
  const offered = offers.flatMap((what) => all(`#table ${what}`)).filter((el) => el.dataset.act !== undefined);
  const ways = offered.length ? offered : all(`#table [data-act="${action}"]`);
  const el = ways.find(free) ?? ways[0];
  if (!el) return null;
  const over = document.elementFromPoint(...middle(el))?.outerHTML.slice(0, 80);
  const amiss = free(el) ? "" : inside(el) ? "lies under " + over : "is off the screen";
  if (amiss) el.scrollIntoView({ block: "center" });
  const r = el.getBoundingClientRect();
  return { id: el.id || el.outerHTML.slice(0, 80), at: middle(el), size: [r.width, r.height].map(Math.round), amiss };
}"""

STATE = """(board) => {
  const el = document.querySelector(board), r = el?.getBoundingClientRect(), here = document.activeElement;
  return { n: Number(document.getElementById("live").dataset.n), end: Boolean(document.querySelector("#live.end, .end")),
    idle: waiting === null, board: el && r.width ? [r.left, r.top + scrollY, r.width, r.height].map(Math.round) : null,
    wide: document.documentElement.scrollWidth, high: document.documentElement.scrollHeight,
    lost: !here || here === document.body, why: document.getElementById("why")?.firstChild?.textContent ?? "",
    phase: document.querySelector("#phases li:not([id])[aria-current]")?.textContent ?? "",
    notice: document.getElementById("notice").textContent };
}"""


@dataclass
class Game:
    """One game by hand, and what was met on the way."""

    name: str
    players: int
    size: str
    turns: dict[str, list[int]] = field(default_factory=dict)  # clicks of each turn, by the phase that the page names
    amiss: Counter[str] = field(default_factory=Counter)
    boards: set[tuple[int, ...]] = field(default_factory=set)
    seconds: float = 0

    @property
    def rows(self) -> list[str]:
        title = TITLES[self.name] + ("" if self.players > 1 else ", alone")
        return [self.row(title + (f", {phase}" if phase else ""), clicks) for phase, clicks in self.turns.items()]

    def row(self, title: str, clicks: list[int]) -> str:
        spread = ", ".join(f"{n} × {times}" for n, times in sorted(Counter(clicks).items()))
        return f"| {title} | {self.size} | {len(clicks)} | {statistics.median(clicks):g} | {max(clicks)} | {spread} |"


class House:
    """The table, served in this process, so that what a seat knows can be asked."""

    def __init__(self, pace: float) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.app = application(Path(tempfile.mkdtemp()), pace)
        self.server = uvicorn.Server(uvicorn.Config(self.app, port=port, log_level="warning"))
        self.url = f"http://127.0.0.1:{port}"
        threading.Thread(target=lambda: asyncio.run(self.server.serve()), daemon=True).start()
        while not self.server.started:
            time.sleep(0.02)

    def room(self, page: Page) -> Room:
        return self.app.state.house.rooms._rooms[page.url.rsplit("/", 1)[1]]  # type: ignore[no-any-return]


def seated(browser: Browser, house: House, game: Game) -> Page:
    """At a table, set by the form."""
    wide, high = SIZES[game.size]
    how: dict[str, Any] = {"viewport": {"width": wide, "height": high}, "locale": "en-GB", "reduced_motion": "reduce"}
    touch = {"has_touch": True, "is_mobile": True} if game.size == "phone" else {}
    context = browser.new_context(base_url=house.url, **how, **touch)
    page = context.new_page()
    page.on("pageerror", lambda error: game.amiss.update([f"the script failed: {error}"]))
    form = {"players": str(game.players), "seat0": "here", "name0": "Mila", "seat1": "bot:goldfish"}
    page.goto(context.request.post(f"/new/{game.name}", form=form, headers={"origin": house.url}).url)
    page.wait_for_selector("#live")
    return page


def asked(page: Page, room: Room, board: str) -> dict[str, Any]:
    """Wait until something is asked of this seat and its page shows it, or the game is over."""
    while True:
        state: dict[str, Any] = page.evaluate(STATE, board)
        now = room.moment
        if state["end"] or (state["idle"] and state["n"] == room.n and 0 in now.players and not now.paced and not room.writing):
            return state
        page.wait_for_timeout(10)


def turned(room: Room, since: int) -> bool:
    """Somebody else was asked, or something was shown to all, since that place in the log."""
    for i, (seat, action) in enumerate(room.match.log[since:], since):
        if action in room.game.paced and seat != CHANCE:
            return True
        if seat not in (0, CHANCE) and 0 not in Moment(room.game, room.states[i], room.match.options).players:
            return True
    return False


def note(game: Game, state: dict[str, Any], what: str) -> None:
    wide, high = SIZES[game.size]
    if state["lost"]:
        game.amiss[f"focus fell to the body after {what}"] += 1
    if state["why"]:
        game.amiss[f"scolded after {what}: {state['why']}"] += 1
    if state["wide"] > wide:
        game.amiss[f"the page is {state['wide']} wide"] += 1
    if state["high"] > high + 1 and game.size == "laptop" and not state["end"]:
        game.amiss[f"the page is {state['high']} high"] += 1
    if state["board"]:
        game.boards.add(tuple(state["board"]))


def play(browser: Browser, house: House, game: Game, shots: Path | None) -> None:
    """A whole game."""
    begun, page, board = time.perf_counter(), seated(browser, house, game), BOARD[game.name]
    room, rng, player = house.room(page), random.Random(3), mind(load(game.name), "sensible")
    offers = OFFERS if game.name == "dejavu" else []
    clicks, since = 0, 0
    state = asked(page, room, board)
    phase = state["phase"]
    while not state["end"]:
        if clicks and (turned(room, since) or phase != state["phase"]):
            game.turns.setdefault(phase, []).append(clicks)
            clicks = 0
        phase = state["phase"]
        since = len(room.match.log)
        action = player.choose(room.match.knowledge(0), 0, room.match.legal(0), rng)
        found = page.evaluate(FIND, [action, offers])
        if found is None:  # what was shown while the page was loaded may be shown first
            page.wait_for_timeout(500)
            found = page.evaluate(FIND, [action, offers])
        said = room.match.say(action)
        if found is None:
            game.amiss[f"nothing on the page plays {said}"] += 1
            break
        if found["amiss"]:
            game.amiss[f"{found['id']} {found['amiss']}"] += 1
            if shots:
                page.screenshot(path=shots / f"{game.name}-{game.size}-{len(room.match.log)}.png")
        (page.touchscreen.tap if game.size == "phone" else page.mouse.click)(*found["at"])
        clicks += 1
        until = time.monotonic() + 5
        while page.evaluate(STATE, board)["n"] == state["n"] and time.monotonic() < until:
            page.wait_for_timeout(5)
        if time.monotonic() >= until:
            game.amiss[f"a click on {found['id']} did nothing"] += 1
        state = asked(page, room, board)
        note(game, state, found["id"])
    game.turns.setdefault(phase, []).append(clicks)
    if len(game.boards) > 1:
        game.amiss[f"the board moved: {sorted(game.boards)}"] += 1
    if shots:
        page.screenshot(path=shots / f"{game.name}-{game.players}-{game.size}-end.png", full_page=True)
    game.seconds = time.perf_counter() - begun
    page.context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=sorted(BOARD), help="only this one; may be given again")
    parser.add_argument("--size", action="append", choices=sorted(SIZES))
    parser.add_argument("--shots", type=Path, help="a folder for pictures of what was amiss, and of the ends")
    given = parser.parse_args()
    if given.shots:
        given.shots.mkdir(parents=True, exist_ok=True)
    house, played = House(pace=0.02), []
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        for name, players in GAMES:
            for size in SIZES:
                if name in (given.game or BOARD) and size in (given.size or SIZES):
                    played.append(Game(name, players, size))
                    play(browser, house, played[-1], given.shots)
        browser.close()
    print("| game | screen | turns | clicks in the middle | at most | how often |\n|---|---|---|---|---|---|")
    print("\n".join(row for game in played for row in game.rows))
    for game in played:
        for what, times in game.amiss.most_common():
            print(f"{game.name}, {game.players}, {game.size}: {what} ({times} times)")


if __name__ == "__main__":
    main()
