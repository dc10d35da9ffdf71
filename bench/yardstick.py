"""Compiled rules against C, at the same random play of Memoarrr!'s base game, on one core and in one run.

    python bench/yardstick.py [--games 20000] [--runs 9]

bench/memoarrr.c is the yardstick: plain C with arrays, as one would write the game. bench/memoarrr_bits.c is the same again with every
set as the bits of a word, as one would tune it. All play the same games, which is checked over the results of every game. Runs alternate,
time is processor time, and the best run of each counts.
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
PROGRAMS = {"plain C": HERE / "memoarrr.c", "C with bits": HERE / "memoarrr_bits.c"}
Run = tuple[int, int, float, str]  # moves, draws, seconds, checksum


def build(source: Path, folder: Path) -> Path:
    """Compile a C program; says so when there is no compiler."""
    program = folder / source.stem
    subprocess.run(["cc", "-O3", "-march=native", "-o", str(program), str(source)], check=True)
    return program


def run_c(program: Path, players: int, games: int) -> Run:
    words = subprocess.run([str(program), str(players), str(games)], check=True, capture_output=True, text=True).stdout.split()
    return int(words[0]), int(words[1]), float(words[2]), words[3]


def run_ours(players: int, games: int) -> Run:
    game = recollect.load("memoarrr")
    states, keys = np.zeros(games, game.state.dtype), np.arange(games)
    states["players"] = -1  # touch the memory before the clock runs, as the other side does
    states["players"] = 0
    mask, weights, r = np.zeros(game.actions.count, np.uint8), np.zeros(game.actions.count, np.int64), np.zeros(1, np.int64)
    options, tally = numbers(game.options, game.settle({"players": players})), np.zeros(3, np.int64)
    game.fast.random_games(states[:0], options, keys[:0], mask, weights, r, LIMIT, tally)  # compiles
    start = time.process_time()
    game.fast.random_games(states, options, keys, mask, weights, r, LIMIT, tally)
    seconds = time.process_time() - start
    return int(tally[0] - tally[1]), int(tally[1]), seconds, checksum(states)


def checksum(states: np.ndarray) -> str:
    """FNV-1a over the owners of the treasures, their rubies, and the island, game by game."""
    rows = np.concatenate([states["owner"], states["rubies"], states["card"]], axis=1).astype(np.uint8)
    total = 0xCBF29CE484222325
    for byte in rows.tobytes():
        total = (total ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{total:016x}"


def compare(players: int, games: int, runs: int, programs: dict[str, Path]) -> dict[str, float]:
    """Moves per second, best of alternating runs; stops where results differ."""
    best: dict[str, float] = {}
    for _ in range(runs):
        results = {"ours": run_ours(players, games), **{name: run_c(program, players, games) for name, program in programs.items()}}
        for name, (moves, draws, seconds, total) in results.items():
            if (moves, draws, total) != (results["ours"][0], results["ours"][1], results["ours"][3]):
                sys.exit(f"{players} players: {name} played other games than ours: {results}")
            best[name] = max(best.get(name, 0), moves / seconds)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=9)
    args = parser.parse_args()
    print(f"Memoarrr!, base game, {args.games:,} games, best of {args.runs} runs, one core of {hardware()['cpu']}; million moves/s")
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: build(source, Path(folder)) for name, source in PROGRAMS.items()}
        for players in (2, 3, 4):
            best = compare(players, args.games, args.runs, programs)
            ratios = ", ".join(f"{best['ours'] / best[name]:.2f} of {name}" for name in programs)
            rates = ", ".join(f"{name} {rate / 1e6:.1f}" for name, rate in best.items())
            print(f"{players} players: {rates}; ours is {ratios}; same results", flush=True)


if __name__ == "__main__":
    main()
