"""Compiled rules against C, at the same random play of Memoarrr!'s base game or of Vivid Memories, on one core and in one run.

    python bench/yardstick.py [memoarrr] [vivid] [--games 20000] [--runs 9]

bench/memoarrr.c and bench/vivid.c are the yardsticks: the games in C with every set as the bits of a word. Both sides play the same games,
which is checked over the results of every game. Runs alternate, time is processor time, and the best run of each counts.
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
GAMES = ("memoarrr", "vivid")
Run = tuple[int, int, float, str]  # moves, draws, seconds, checksum


def build(name: str, folder: Path) -> Path:
    """Compile the C program; says so when there is no compiler."""
    program = folder / name
    subprocess.run(["cc", "-O3", "-march=native", "-o", str(program), str(HERE / f"{name}.c")], check=True)
    return program


def run_c(program: Path, players: int, games: int) -> Run:
    words = subprocess.run([str(program), str(players), str(games)], check=True, capture_output=True, text=True).stdout.split()
    return int(words[0]), int(words[1]), float(words[2]), words[3]


def run_ours(name: str, players: int, games: int) -> Run:
    game = recollect.load(name)
    states, keys = np.zeros(games, game.state.dtype), np.arange(games)
    states["players"] = -1  # touch the memory before the clock runs, as the other side does
    states["players"] = 0
    r, options, tally = np.zeros(1, np.int64), numbers(game.options, game.settle({"players": players})), np.zeros(3, np.int64)
    game.fast.random_games(states[:0], options, keys[:0], r, LIMIT, tally)  # compiles
    start = time.process_time()
    game.fast.random_games(states, options, keys, r, LIMIT, tally)
    seconds = time.process_time() - start
    return int(tally[0] - tally[1]), int(tally[1]), seconds, checksum(RESULTS[name](states, players))


def islands(states: np.ndarray, players: int) -> np.ndarray:
    """Memoarrr!: the owners of the treasures, their rubies, and the island."""
    return np.concatenate([states["owner"], states["rubies"], states["card"]], axis=1)


def boards(states: np.ndarray, players: int) -> np.ndarray:
    """Vivid Memories: each seat's hexes, slots, and points by round."""
    slots = states["filled"][..., None] >> np.array([0, 8, 16])
    rounds = np.stack([states["moments"], states["threads"], states["core"]], axis=-1).reshape(len(states), 4, -1)
    return np.concatenate([states["hexes"], slots, rounds, states["aspired"][..., None]], axis=-1)[:, :players]


RESULTS = {"memoarrr": islands, "vivid": boards}


def checksum(rows: np.ndarray) -> str:
    """FNV-1a over the results, game by game."""
    total = 0xCBF29CE484222325
    for byte in rows.astype(np.uint8).tobytes():
        total = (total ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{total:016x}"


def compare(name: str, players: int, games: int, runs: int, program: Path) -> tuple[float, float]:
    """Moves per second of ours and of C, best of alternating runs; stops where results differ."""
    ours = in_c = 0.0
    for _ in range(runs):
        a, b = run_ours(name, players, games), run_c(program, players, games)
        if (a[0], a[1], a[3]) != (b[0], b[1], b[3]):
            sys.exit(f"{players} players: C played other games than ours: {a}, {b}")
        ours, in_c = max(ours, a[0] / a[2]), max(in_c, b[0] / b[2])
    return ours, in_c


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=9)
    args = parser.parse_args()
    print(f"{args.games:,} games, best of {args.runs} runs, one core of {hardware()['cpu']}; million moves/s")
    with tempfile.TemporaryDirectory() as folder:
        for name in args.names:
            program = build(name, Path(folder))
            for players in (2, 3, 4):
                ours, in_c = compare(name, players, args.games, args.runs, program)
                rates = f"ours {ours / 1e6:.1f}, C {in_c / 1e6:.1f}; ours is {ours / in_c:.2f} of C; same results"
                print(f"{name}, {players} players: {rates}", flush=True)


if __name__ == "__main__":
    main()
