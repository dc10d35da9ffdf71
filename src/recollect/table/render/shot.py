"""A look at a page without playing: python -m recollect.table.render.shot GAME --moves 20 --seat 0 --out FOLDER

Plays random moves (or opens a position file), renders what a seat sees, and takes pictures of it on a laptop and a phone,
dark and light, in English or French. Needs Chromium and playwright.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import socket
import threading
import time
from pathlib import Path
from typing import Any

import uvicorn
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route

from recollect.engine import position
from recollect.engine.match import Match
from recollect.engine.shelf import load
from recollect.minds import mind
from recollect.table.render.ending import past
from recollect.table.render.page import Page, fragment, latest, whole
from recollect.table.web.files import STATIC, game_file

SIZES = {"desk": (1440, 900), "phone": (390, 844)}
NAMES = ("Mila", "Ana", "Théo", "Kofi", "Inès", "Noor")
CHROMIUM = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def match_of(given: argparse.Namespace) -> Match:
    """The match to look at."""
    game = load(given.game)
    if given.position:
        return position.stand(game, position.read(given.position), given.position)
    match = game.match(seed=given.seed, **dict(word.split("=", 1) for word in given.option))
    player, rng = mind(game, given.mind), random.Random(given.seed)
    while not match.over and (given.moves > 0 or (given.turn and given.seat not in match.acting)):
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
        given.moves -= 1
    return match


def page_of(match: Match, seat: int, language: str, away: bool = False, **more: Any) -> str:
    """The whole page of a seat, with made-up names; the others may all be away."""
    people = [(name, None, away and n != seat) for n, name in enumerate(NAMES[: match.players])]
    extra = latest(match, seat)
    if match.over:
        extra["past"] = past(match.game, match.log, dict(match.positions()), seat)
    page = Page.of(match.moment, seat, people, language, extra, ended=match.over, seal=match.commitment, **more)
    live = Markup(fragment(page))
    return whole(
        "live.html.jinja", language, "/", game=match.game.name, title=match.game.name, live=live, table={"id": "preview", "live": False}
    )


def take(match: Match, seat: int, language: str, out: Path, name: str, themes: list[str]) -> None:
    """Pictures of the page in each size and theme."""
    from playwright.sync_api import sync_playwright

    async def show(request: Request) -> HTMLResponse:
        return HTMLResponse(page_of(match, seat, language))

    app = Starlette(routes=[Route("/", show), Route("/games/{game}/{file:path}", game_file), Mount("/static", STATIC)])
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
    threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True).start()
    while not server.started:
        time.sleep(0.02)
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path="/usr/bin/chromium", args=list(CHROMIUM))
        for theme in themes:
            for size, (width, height) in SIZES.items():
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=theme)  # type: ignore[arg-type]
                page.on("pageerror", lambda error: print("script error:", error))
                page.goto(f"http://127.0.0.1:{port}/", wait_until="load")
                page.evaluate("document.getElementById('notice').remove()")
                file = out / f"{name}-{size}-{theme}.png"
                page.screenshot(path=file)
                tall, wide = page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
                print(f"{file}  page {wide} x {tall}{'  WIDER THAN THE SCREEN' if wide > width else ''}")
                if tall > height and size == "phone":
                    page.screenshot(path=out / f"{name}-{size}-{theme}-full.png", full_page=True)
                page.close()
        browser.close()
    server.should_exit = True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--position", help="a position file (its lines played) in place of random moves")
    parser.add_argument("--moves", type=int, default=20, help="how many moves to play; a large number shows the end")
    parser.add_argument("--turn", action="store_true", help="and then on until it is the seat's turn")
    parser.add_argument("--mind", default="random", help="who plays them")
    parser.add_argument("--option", "-o", action="append", default=[], help="NAME=VALUE")
    parser.add_argument("--seed", default="shot")
    parser.add_argument("--seat", type=int, default=0, help="-1 is a spectator")
    parser.add_argument("--language", default="en")
    parser.add_argument("--theme", action="append", choices=["dark", "light"], help="dark unless told; may be given twice")
    parser.add_argument("--out", type=Path, default=Path("shots"))
    parser.add_argument("--name", default=None, help="of the files; the game's by default")
    parser.add_argument("--html", action="store_true", help="print the page and take no picture")
    given = parser.parse_args()
    match = match_of(given)
    if given.html:
        print(page_of(match, given.seat, given.language))
    else:
        take(match, given.seat, given.language, given.out, given.name or given.game, given.theme or ["dark"])


if __name__ == "__main__":
    main()
