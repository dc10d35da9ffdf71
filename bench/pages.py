"""What it costs to make the pages of a move, without sockets: `python bench/pages.py [--games G...]`.

Tables of two in one process; each move is one that the page offers, and what the table does by itself follows at once. Timed is what is
made for both seats, from the position to the text of the message; not the rules, the store or the sockets.
"""

from __future__ import annotations

import argparse
import gc
import random
import re
import tempfile
import time
from pathlib import Path

from recollect.engine.shelf import load
from recollect.table.live.room import Room
from recollect.table.live.screen import Screen
from recollect.table.render.parts import Sheet
from recollect.table.store import Chair, Row, Store

GAMES = ("memoarrr", "ptibapt", "vivid", "dejavu")
PEOPLE = ("mila", "theo")


class Table:
    """A table and the two pages that are open at it."""

    def __init__(self, store: Store, name: str, k: int) -> None:
        game = load(name)
        chairs = [Chair("here", person, person) for person in PEOPLE]
        store.create(Row.of(game, id=f"t{k}", options=game.settle({"players": 2}), seed=f"s{k}", host="mila", chairs=chairs))
        self.room = Room(store.row(f"t{k}"), store)
        self.room.open()
        self.screens = [Screen(self.room, None, person, "en") for person in PEOPLE]
        self.room.screens = set(self.screens)
        self.told: list[Sheet | None] = [None, None]
        self.pages, self.spent = 0, 0.0
        self.tell()

    def tell(self) -> None:
        """Both pages, as they are told."""
        begun = time.process_time()
        for k, screen in enumerate(self.screens):
            shown = screen.shown()
            _ = self.room.pages.told(self.told[k], shown).written
            self.told[k] = shown.sheet
        self.spent += time.process_time() - begun
        self.pages += 2

    def go_on(self) -> None:
        """What was shown to all has been seen."""
        while self.room.moment.paced:
            for chair in self.room.row.chairs:
                chair.shown = self.room.at + 1
            self.room.play(*self.room.moment.paced)
            self.tell()

    def move(self, rng: random.Random) -> bool:
        """One click of somebody; false when the game is over."""
        for k in rng.sample((0, 1), 2):
            acts = re.findall(r'data-act="(\d+)"', self.told[k].html)  # type: ignore[union-attr]
            if acts and self.screens[k].seat in self.room.moment.acting:
                self.room.play(self.screens[k].seat, int(rng.choice(acts)))
                self.tell()
                self.go_on()
                return True
        return False


def play(name: str, tables: int, moves: int) -> None:
    """So many moves at each of so many tables."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        store, rng = Store(Path(folder)), random.Random(1)
        playing = [Table(store, name, k) for k in range(tables)]
        gc.freeze()  # as the server does
        gc.set_threshold(5_000, 1_200, 0)
        for table in playing:
            table.move(rng)
            table.spent = table.pages = 0
        clicks = sum(table.move(rng) for _ in range(moves) for table in playing)
        spent, pages = sum(table.spent for table in playing), sum(table.pages for table in playing)
        print(f"{name:10} {spent / clicks * 1e3:5.2f} ms of pages a click, {pages / clicks:.1f} pages of {spent / pages * 1e3:.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--moves", type=int, default=12)
    given = parser.parse_args()
    for name in given.games:
        play(name, given.tables, given.moves)


if __name__ == "__main__":
    main()
