"""Compiled rules against C, at the same random play of Memoarrr!'s base game, on one core and in one run.

    python bench/yardstick.py [--games 20000] [--runs 9]

bench/memoarrr.c is the yardstick: the game in C with every set as the bits of a word. Both play the same games, which is checked over the
results of every game. Runs alternate, time is processor time, and the best run of each counts.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import recollect
from recollect.engine.options import numbers
from recollect.lab.bench import LIMIT, hardware

HERE = Path(__file__).parent
SOURCE = HERE / "memoarrr.c"
Run = tuple[int, int, float, str]  # moves, draws, seconds, checksum


def build(folder: Path) -> Path:
    """Compile the C program; says so when there is no compiler."""
    program = folder / SOURCE.stem
    subprocess.run(["cc", "-O3", "-march=native", "-o", str(program), str(SOURCE)], check=True)
    return program


def run_c(program: Path, players: int, games: int) -> Run:
    words = subprocess.run([str(program), str(players), str(games)], check=True, capture_output=True, text=True).stdout.split()
    return int(words[0]), int(words[1]), float(words[2]), words[3]


def run_ours(players: int, games: int) -> Run:
    game = recollect.load("memoarrr")
    states, keys = np.zeros(games, game.state.dtype), np.arange(games)
    states["players"] = -1  # touch the memory before the clock runs, as the other side does
    states["players"] = 0
    r, options, tally = np.zeros(1, np.int64), numbers(game.options, game.settle({"players": players})), np.zeros(3, np.int64)
    game.fast.random_games(states[:0], options, keys[:0], r, LIMIT, tally)  # compiles
    start = time.process_time()
    game.fast.random_games(states, options, keys, r, LIMIT, tally)
    seconds = time.process_time() - start
    return int(tally[0] - tally[1]), int(tally[1]), seconds, checksum(states)


def checksum(states: np.ndarray) -> str:
    """FNV-1a over the owners of the treasures, their rubies, and the island, game by game."""
    rows = np.concatenate([states["owner"], states["rubies"], states["card"]], axis=1).astype(np.uint8)
    total = 0xCBF29CE484222325
    for byte in rows.tobytes():
        total = (total ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{total:016x}"


def compare(players: int, games: int, runs: int, program: Path) -> tuple[float, float]:
    """Moves per second of ours and of C, best of alternating runs; stops where results differ."""
    ours = in_c = 0.0
    for _ in range(runs):
        a, b = run_ours(players, games), run_c(program, players, games)
        if (a[0], a[1], a[3]) != (b[0], b[1], b[3]):
            sys.exit(f"{players} players: C played other games than ours: {a}, {b}")
        ours, in_c = max(ours, a[0] / a[2]), max(in_c, b[0] / b[2])
    return ours, in_c


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=9)
    args = parser.parse_args()
    print(f"Memoarrr!, base game, {args.games:,} games, best of {args.runs} runs, one core of {hardware()['cpu']}; million moves/s")
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        for players in (2, 3, 4):
            ours, in_c = compare(players, args.games, args.runs, program)
            print(f"{players} players: ours {ours / 1e6:.1f}, C {in_c / 1e6:.1f}; ours is {ours / in_c:.2f} of C; same results", flush=True)


if __name__ == "__main__":
    main()
