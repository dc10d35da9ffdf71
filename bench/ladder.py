"""How strong the companions are, in every game: `python bench/ladder.py --workers 16 --minutes 8 --out FOLDER`.

Each level against the one below, the elephant against the yardsticks, mean ranks of three and four, tuned weights against those set by
hand, the automa of Vivid Memories, and what the companions of Déjà Vu make use of. All figures grow side by side, those of the games of
planning first, so that whenever the time is up every one of them has its share of games. What is compiled is compiled once, before the
workers begin. Writes ladder.json and ladder.md.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from recollect.engine.match import Entry
from recollect.engine.record import Opened
from recollect.engine.shelf import load
from recollect.lab.arena import Job, in_order, make_job, mind_of, note, play_game, table
from recollect.lab.figures import figures, share_interval
from recollect.minds import LEVELS, Mind, mind
from recollect.minds.hint import texts_of
from recollect.minds.thinking import warm

LADDER = [level.name for level in LEVELS]
PLANNING, RECALL = ("vivid", "dejavu"), ("memoarrr", "ptibapt")
GAMES = (*RECALL, *PLANNING)
AT_A_TIME = {"memoarrr": 4, "ptibapt": 8}  # groups of games that a worker is given; of longer games one
BEGIN, END = "<!-- ladder: made by bench/ladder.py -->", "<!-- end of ladder -->"
MADE = ("grown", "planted", "fragments", "white")  # flowers grown and planted, fragments found, white common cards


@dataclass(frozen=True)
class Figure:
    """One line of the report: who plays what, how many games are wanted, and how soon."""

    name: str
    game: str
    minds: tuple[str, ...]
    games: int
    soon: float = 1.0  # twice as much: twice as many of its games by the time that others have theirs
    by_hand: int = -1  # the mind that plays by weights set by hand
    options: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def job(self) -> Job:
        return make_job(load(self.game), self.minds, self.options, self.games, seed=2024)

    @cached_property
    def playing_by_hand(self) -> Mind:
        """A mind of its own: what the arena made is everybody's."""
        rules = self.job.rules
        made = mind(rules, self.minds[self.by_hand])
        made.thinker.weights = np.array(importlib.import_module(rules.package + ".worth").WEIGHTS, float)  # type: ignore[attr-defined]
        return made

    def mind(self, job: Job, who: int) -> Mind:
        return self.playing_by_hand if who == self.by_hand else mind_of(job, who)


def all_figures(only: Sequence[str]) -> list[Figure]:
    return [figure for figure in (*planning(), *recall(), *several(), *automa()) if not only or figure.game in only]


def planning() -> Iterator[Figure]:
    for game in PLANNING:
        yield Figure("v sensible", game, ("elephant", "sensible"), 800, 4)
        yield from steps(game, 400, 3)
        if (load(game).folder / "weights.json").is_file():
            yield Figure("tuned v set by hand", game, ("elephant", "elephant"), 600, 3, by_hand=1)
        yield Figure("v random", game, ("elephant", "random"), 300, 2)


def recall() -> Iterator[Figure]:
    yield Figure("v sensible", "memoarrr", ("elephant", "sensible"), 400)
    yield Figure("v sensible, expert", "memoarrr", ("elephant", "sensible"), 300, options={"mode": "expert"})
    yield Figure("v sensible", "ptibapt", ("elephant", "sensible"), 400)
    for game in RECALL:
        yield from steps(game, 600 if game == "ptibapt" else 400, 1)
        yield Figure("v random", game, ("elephant", "random"), 300)


def steps(game: str, games: int, soon: float) -> Iterator[Figure]:
    """Each level against the one below."""
    for low, high in itertools.pairwise(LADDER):
        yield Figure(f"{high} v {low}", game, (high, low), games, soon)


def several() -> Iterator[Figure]:
    """All four levels at one table, and each choice of three of them."""
    for game in ("memoarrr", *PLANNING):
        yield Figure("four players", game, tuple(LADDER), 240, options={"players": 4})
        yield Figure("three players", game, tuple(LADDER), 360, options={"players": 3})


def automa() -> Iterator[Figure]:
    for level in LADDER:
        for who in ("sensible", "elephant"):
            yield Figure(f"alone, automa {level}", "vivid", (who,), 60, 0.5, options={"players": 1, "automa": level})


# -- playing

FIGURES: list[Figure] = []  # filled before the workers are forked


def play(n: int, games: Sequence[int]) -> tuple[int, np.ndarray, np.ndarray]:
    """Some games of figure n: the rows, and what was made use of."""
    figure, rows = FIGURES[n], table(FIGURES[n].job, len(games))
    made = np.zeros((len(games), figure.job.players, len(MADE)), np.int64)
    played = [play_game(figure.job, i, figure.mind) for i in games]
    note(figure.job, games, played, rows)
    if figure.game == "dejavu":
        made[:] = [made_use_of(p.end, p.log, figure.job.players) for p in played]
    return n, rows, made


def made_use_of(s: Opened, log: Sequence[Entry], players: int) -> np.ndarray:
    """Déjà Vu: flowers grown and planted, fragments found and white common cards remembered, by seat."""
    from recollect.games.dejavu.components import OF_COLOUR, WHITE
    from recollect.games.dejavu.rules.layout import GROW, ORDINARIES, PICK, PLANT

    out = np.zeros((players, len(MADE)), np.int64)
    for seat in range(players):
        own = [action for who, action in log if who == seat]
        white = int(s.long[seat]) & int(OF_COLOUR[WHITE]) & ~((1 << ORDINARIES) - 1)
        out[seat] = own.count(GROW), sum(PLANT <= a < PICK for a in own), int(s.found[seat]).bit_count(), white.bit_count()
    return out


def compiled(games: Sequence[str]) -> None:
    """Everything that is compiled, each game in a process of its own; then loaded here, for the workers to inherit."""
    command = [sys.executable, "-m", "recollect.minds.compiling"]
    going = [subprocess.Popen([*command, game]) for game in games if (load(game).folder / "worth.py").is_file()]
    for process in going:
        process.wait()
    for game in games:
        if (load(game).folder / "worth.py").is_file():
            warm(load(game))
    solved = next((n for n, figure in enumerate(FIGURES) if figure.game == "ptibapt"), None)
    if solved is not None:
        play(solved, range(2))  # its table is worked out here, once


def chunks(n: int) -> Iterator[tuple[float, int, range]]:
    """The games of a figure in whole groups, each with the moment at which it is due."""
    figure = FIGURES[n]
    size = figure.job.players * AT_A_TIME.get(figure.game, 1)
    for first in range(0, figure.games, size):
        yield (first + size) / figure.games / figure.soon, n, range(first, min(figure.games, first + size))


class Ladder:
    """What has been played so far."""

    def __init__(self) -> None:
        self.rows: list[list[np.ndarray]] = [[] for _ in FIGURES]
        self.made: list[list[np.ndarray]] = [[] for _ in FIGURES]
        self.began = time.monotonic()

    def add(self, future: Future[Any]) -> None:
        """What a worker played; a fault is told, and the others go on."""
        if error := future.exception():
            traceback.print_exception(error)
            return
        n, rows, made = future.result()
        self.rows[n].append(rows)
        self.made[n].append(made)

    def go(self, workers: int, until: float, out: Path) -> None:
        """Play until the time is up or all is played; what is under way when it is up is left."""
        due = iter(sorted((chunk for n in range(len(FIGURES)) for chunk in chunks(n)), key=lambda chunk: chunk[0]))
        print(f"{time.monotonic() - self.began:.0f} s: ready", flush=True)
        with ProcessPoolExecutor(workers, mp_context=get_context("fork"), initializer=quietly) as pool:
            going: set[Future[Any]] = set()
            told = time.monotonic()
            while time.monotonic() < until:
                while len(going) < workers + 4 and (chunk := next(due, None)):
                    going.add(pool.submit(play, *chunk[1:]))
                if not going:
                    break
                done, going = wait(going, timeout=1, return_when=FIRST_COMPLETED)
                for future in done:
                    self.add(future)
                if time.monotonic() - told > 20:
                    told = time.monotonic()
                    self.write(out)
                    played, asked = sum(len(r) for rows in self.rows for r in rows), sum(figure.games for figure in FIGURES)
                    print(f"{told - self.began:.0f} s: {played} of {asked} games", flush=True)
            for future in going:
                future.cancel()
            for process in list(pool._processes.values()):  # nobody waits for games that come too late
                process.terminate()

    def write(self, out: Path) -> None:
        document = self.document()
        out.mkdir(parents=True, exist_ok=True)
        (out / "ladder.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        (out / "ladder.md").write_text(markdown(document), encoding="utf-8")

    def document(self) -> dict[str, Any]:
        found = [self.figure(n) for n in range(len(FIGURES)) if self.everybody_sat(n)]
        return {"workers_on": os.cpu_count(), "seconds": round(time.monotonic() - self.began), "figures": found}

    def everybody_sat(self, n: int) -> bool:
        """Of three players among four the last line-up comes late: until then there is nothing to say of somebody."""
        job = FIGURES[n].job
        return len({who for rows in self.rows[n] for i in rows["game"] for who in job.sitting(int(i))}) == len(job.minds)

    def figure(self, n: int) -> dict[str, Any]:
        figure, rows = FIGURES[n], np.concatenate(self.rows[n])
        order = np.argsort(rows["game"])
        made = np.concatenate(self.made[n])[order]
        rows = in_order(rows)
        out = {"name": figure.name, "players": figure.job.players, **figures(figure.job, rows)}
        if figure.by_hand >= 0:
            out["minds"] = dict(zip(("tuned", "set by hand"), out["minds"].values(), strict=True))
        if figure.job.players == 1:  # against the house
            share, low, high = share_interval((rows["rank"][:, 0] == 1).astype(float), rows["game"])
            out["minds"][figure.minds[0]] |= {"share": round(share, 5), "low": round(low, 5), "high": round(high, 5)}
        if figure.game == "dejavu":
            sat = np.array([figure.job.sitting(int(i)) for i in rows["game"]])
            names = list(out["minds"])
            out["made"] = {
                name: dict(zip(MADE, made[sat == who].mean(axis=0).round(3).tolist(), strict=True)) for who, name in enumerate(names)
            }
        return out


def quietly() -> None:
    """Ctrl-C is for the process that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# -- the report


def markdown(document: dict[str, Any]) -> str:
    lines = ["| game | who | games | share, or mean rank | points |", "|---|---|---|---|---|"]
    titles = {f["game"]: texts_of(load(f["game"]), "en")("name") for f in document["figures"]}
    before = ""
    for f in sorted(document["figures"], key=lambda f: GAMES.index(f["game"])):
        first, *others = f["minds"].items()
        game = titles[f["game"]] if f["game"] != before else ""
        before = f["game"]
        if len(others) > 1:
            said = ", ".join(f"{name} {m['rank']:.2f} ({m['rank_low']:.2f} to {m['rank_high']:.2f})" for name, m in f["minds"].items())
        else:
            said = f"{first[1]['share']:.3f} ({first[1]['low']:.3f} to {first[1]['high']:.3f})"
        points = " : ".join(f"{m['points']:.1f}" for m in f["minds"].values())
        who = f"{first[0]} {f['name']}" if f["name"].startswith(("v ", "alone")) else f["name"]
        lines.append(f"| {game} | {who} | {f['games']:,} | {said} | {points} |")
    return "\n".join(lines) + "\n" + used(document)


def used(document: dict[str, Any]) -> str:
    """What the companions of Déjà Vu make use of, over all their games."""
    games: dict[str, list[tuple[int, dict[str, float]]]] = {}
    for f in document["figures"]:
        for name, made in f.get("made", {}).items():
            games.setdefault(name, []).append((f["games"], made))
    lines = ["", "| Déjà Vu, each game | games | flowers grown | planted | fragments | white commons |", "|---|---|---|---|---|---|"]
    for name, found in games.items():
        n = sum(each for each, _ in found)
        means = (sum(each * made[what] for each, made in found) / n for what in MADE)
        lines.append(f"| {name} | {n:,} | " + " | ".join(f"{mean:.2f}" for mean in means) + " |")
    return "\n".join(lines) + "\n" if games else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=8.0, help="All in all, compiling included.")
    parser.add_argument("--out", type=Path, default=Path())
    parser.add_argument("--game", action="append", default=[])
    parser.add_argument("--table", type=Path, nargs="+", help="Play nothing: print the tables of these ladder.json, played in parts...")
    parser.add_argument("--into", type=Path, help="... or put them into this document, between its marks.")
    args = parser.parse_args()
    if args.table:
        tables = markdown({"figures": [figure for part in args.table for figure in json.loads(part.read_text("utf-8"))["figures"]]})
        if args.into:
            text = args.into.read_text("utf-8")
            before, after = text[: text.index(BEGIN) + len(BEGIN)], text[text.index(END) :]
            args.into.write_text(f"{before}\n{tables}{after}", encoding="utf-8")
        else:
            print(tables)
        return
    until = time.monotonic() + 60 * args.minutes
    FIGURES.extend(all_figures(args.game))
    ladder = Ladder()
    compiled(sorted({figure.game for figure in FIGURES}))
    print(f"{time.monotonic() - ladder.began:.0f} s: compiled", flush=True)
    ladder.go(args.workers, until, args.out)
    ladder.write(args.out)
    print((args.out / "ladder.md").read_text("utf-8"), flush=True)


if __name__ == "__main__":
    main()
