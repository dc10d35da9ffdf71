"""Our players in the benchmark of docs/benchmark.md: `python bench/players.py [--games 400] [--workers 2] [--tasks recall-1 ...]`.

Each companion at each task, seats rotated over shared deals: its regret against the exact player, or its share against `sensible`, with
95% intervals. `--write` puts the table into docs/benchmark.md in place of what those tasks had there.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from recollect.engine.shelf import load
from recollect.lab.arena import Job, make_job, play
from recollect.lab.figures import interval, share_interval, shares, sittings
from recollect.minds import LEVELS

PAGE = Path(__file__).parents[1] / "docs" / "benchmark.md"
BEGIN, END = "<!-- players: made by bench/players.py -->", "<!-- end of players -->"
FORGETFUL = [level.name for level in LEVELS[:-1]]
EVERYBODY = [*FORGETFUL, LEVELS[-1].name]


@dataclass(frozen=True)
class Line:
    """One row of the table: a player at a task."""

    task: str
    game: str
    player: str
    against: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        return [self.player, *[self.against] * (int(self.options.get("players", 2)) - 1)]

    def played(self, games: int, workers: int) -> str:
        """Its games, and what they say."""
        job = make_job(load(self.game), self.names, self.options, games, seed=1)
        rows = play(job, workers)
        said = regret(job, rows) if self.against == EVERYBODY[-1] else share(job, rows)
        where = ", ".join([self.task, *(f"{name} {value}" for name, value in self.options.items())])
        return f"| {self.player} | {where} | {said}, {len(rows)} games |"


def lines() -> Iterator[Line]:
    """Whom we have, task by task. (What the elephants of the games of planning do takes hours: docs/minds.md has it.)"""
    for player in [*FORGETFUL, "sensible"]:
        yield Line("recall-1", "ptibapt", player, EVERYBODY[-1])
    for options in ({"players": 2}, {"players": 2, "mode": "expert"}, {"players": 4}, {"players": 4, "mode": "expert"}):
        for player in EVERYBODY:
            yield Line("recall-2", "memoarrr", player, "sensible", options)
    for task, game in (("planning-1", "vivid"), ("planning-2", "dejavu")):
        for player in FORGETFUL:
            yield Line(task, game, player, "sensible")


def regret(job: Job, rows: np.ndarray) -> str:
    """What the exact player gains on it, in points a game."""
    seat = np.argmax(sittings(job, rows) == 0, axis=1)
    mine, theirs = (rows["points"][np.arange(len(rows)), where].astype(float) for where in (seat, 1 - seat))
    return "regret {:.2f} ({:.2f} to {:.2f})".format(*interval(theirs - mine, rows["game"] // job.players))


def share(job: Job, rows: np.ndarray) -> str:
    """Its share against the others, and its points."""
    here = sittings(job, rows) == 0
    said = share_interval(shares(rows["rank"])[here], rows["game"] // job.players)
    return "share {:.3f} ({:.3f} to {:.3f}); {:.1f} points".format(*said, rows["points"][here].mean())


def write(made: dict[str, list[str]]) -> None:
    """Rows of other tasks stay as they are."""
    page = PAGE.read_text(encoding="utf-8")
    before, old, after = re.split(f"{re.escape(BEGIN)}|{re.escape(END)}", page)
    kept = [row for row in old.splitlines()[3:] if (found := re.search(r"\| (\w+-\d)", row)) and found[1] not in made]
    rows = sorted([*kept, *(row for some in made.values() for row in some)], key=lambda row: TASKS.index(re.search(r"\| (\w+-\d)", row)[1]))  # type: ignore[index]
    head = ["", "| player | task | measure |", "|---|---|---|"]
    PAGE.write_text(f"{before}{BEGIN}" + "\n".join([*head, *rows, ""]) + f"{END}{after}", encoding="utf-8")


TASKS = list(dict.fromkeys(line.task for line in lines()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--tasks", nargs="*", default=TASKS, choices=TASKS)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    made: dict[str, list[str]] = {}
    for line in lines():
        if line.task in args.tasks:
            made.setdefault(line.task, []).append(line.played(args.games, args.workers))
            print(made[line.task][-1], flush=True)
    if args.write:
        write(made)


if __name__ == "__main__":
    main()
