"""How long a report and one's own page take, and how large they are.

    python bench/report.py [--entries 500] [--games 150]

Processor time of one core, best of five, after one that warms up; pages in bytes, not packed."""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import recollect
from recollect.engine.match import Match
from recollect.minds import mind
from recollect.review.page import report_page
from recollect.review.report import chances_of, review
from recollect.table.live.room import Room
from recollect.table.own.own import Own
from recollect.table.render.own import own_texts, scene
from recollect.table.render.page import whole
from recollect.table.render.prose import marked
from recollect.table.store import Chair, Row, Store
from recollect.table.web.own import person_of

WEEK = 7 * 24 * 3600.0


def best(work: Callable[[], Any], runs: int = 5) -> tuple[float, Any]:
    """Milliseconds, and what came of it."""
    made, times = work(), []
    for _ in range(runs):
        began = time.process_time()
        made = work()
        times.append(1000 * (time.process_time() - began))
    return min(times), made


def long_match(name: str, entries: int, who: str, **options: Any) -> Match:
    """The first match that has so many entries, or the longest of forty."""
    game, found = recollect.load(name), []
    for seed in range(40):
        match, rng = game.match(seed=f"{seed}", **options), random.Random(seed)
        player = mind(game, who)
        while not match.over:
            seat = min(match.acting)
            match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
        found.append(match)
        if len(match.log) >= entries:
            break
    return max(found, key=lambda match: len(match.log))


def reports(entries: int) -> None:
    cases: list[tuple[str, str, dict[str, Any]]] = [
        ("ptibapt", "random", {"greens": 12, "stalemate": False}),
        ("memoarrr", "random", {"players": 4}),
    ]
    for name, who, options in cases:
        match = long_match(name, entries, who, **options)
        times = [float(n) for n in range(len(match.log))]
        earlier = [[own] * 60 for own in chances_of(match, times)]
        spent, said = best(lambda match=match, times=times: review(match, times))  # type: ignore[misc]
        drawn, html = best(lambda said=said: report_page(said, 0, "en", static="/static/"))  # type: ignore[misc]
        more, _ = best(lambda match=match, times=times, earlier=earlier: review(match, times, (), earlier), 1)  # type: ignore[misc]
        alone = len(report_page(said, 0, "en").encode())
        size = len(html.encode()) / 1000
        print(f"report of {name}, {len(match.log)} entries: {spent:.0f} ms, and {drawn:.0f} ms for the page of {size:.0f} kB")
        print(f"    alone in a file {alone / 1000:.0f} kB; with 60 earlier games ({sum(map(len, earlier[0]))} chances) {more:.0f} ms")


def own_page(games: int) -> None:
    store = Store(Path(tempfile.mkdtemp()))
    for n in range(games):
        lay(store, n)
    own = Own(store, SimpleNamespace())  # type: ignore[arg-type]
    house: Any = SimpleNamespace(own=own)
    visitor: Any = SimpleNamespace(person="mila", name="Mila", language="en")
    while person_of(house, visitor).memory.waiting:
        pass

    def page() -> str:
        me = scene(person_of(house, visitor), "en")
        context = {"visitor": visitor, "o": marked(own_texts("en")), "said": None, "all_games": False, "running": False}
        return whole("own.html.jinja", "en", "/me", me=me, **context)

    spent, html = best(page)
    print(f"own page of {games} games: {spent:.0f} ms, {len(html.encode()) / 1000:.0f} kB")


def lay(store: Store, n: int) -> None:
    game = recollect.load(("ptibapt", "memoarrr")[n % 2])
    chairs = [Chair("here", "Mila", "mila"), Chair("bot", "Parrot", mind="parrot") if n % 3 else Chair("link", "Théo", "theo")]
    row = Row.of(game, id=f"t{n}", options=game.settle({"players": 2}), seed=f"{n}", host="mila", chairs=chairs, created=n * WEEK / 5)
    store.create(row)
    room, rng, player = Room(row, store), random.Random(n), mind(game, "sensible")
    room.open()
    while not room.match.over:
        seat = min(room.match.acting)
        room.play(seat, player.choose(room.match.knowledge(seat), seat, room.match.legal(seat), rng))
    store.write([("update tables set moved = ? where id = ?", (1e9 + n * WEEK / 5, row.id))])


if __name__ == "__main__":
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--entries", type=int, default=500)
    given.add_argument("--games", type=int, default=150)
    args = given.parse_args()
    reports(args.entries)
    own_page(args.games)
