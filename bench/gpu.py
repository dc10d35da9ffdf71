"""Plays games on an NVIDIA GPU, compares every final record with the CPU's, measures, and prints a table for docs/performance.md.

    python bench/gpu.py memoarrr ptibapt vivid dejavu [--games 100000] [--minutes 8] [--out FILE]

Every variant that a game names is played; a game that fails is reported and the next one is tried.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

import recollect
from recollect.engine.game import Game
from recollect.engine.options import Value
from recollect.lab import bench
from recollect.lab.gpu import Gpu, NoGpu, device_name

START = time.perf_counter()


def say(text: str) -> None:
    print(f"[{time.perf_counter() - START:6.1f} s] {text}", flush=True)


def in_words(game: Game, options: dict[str, Value]) -> str:
    """The players, and every option that is not at its default."""
    players = [f"{options['players']} players"] if "players" in options else []
    others = [o.name for o in game.options if o.name != "players" and options[o.name] != o.default]
    return ", ".join([*players, *(f"{name} {options[name]}" for name in others)])


def rows(game: Game, games: int, seconds: float, deadline: float) -> list[str]:
    """One line of the table for each variant: what was compared, and how quick it was."""
    gpu = Gpu(game)
    cores = bench.hardware()["cores"]
    variants = game.variants()
    say(f"{game.name}: {len(variants)} variants, record of {game.state.dtype.itemsize} bytes; compiling for the GPU")
    rates = gpu.tune(variants[0])
    tried = "; ".join(f"{threads} x {blocks}: {rate / 1e6:.0f}" for (threads, blocks), rate in rates.items())
    say(f"{game.name}: million actions/s by threads a block x blocks a multiprocessor: {tried}")
    lines = []
    for options in variants:
        if time.perf_counter() - START > deadline:
            lines.append(f"| {game.name} | {in_words(game, options)} | not reached: out of time | | | |")
            continue
        lines.append(row(gpu, options, games, seconds, cores))
        say(lines[-1])
    return lines


def row(gpu: Gpu, options: dict[str, Value], games: int, seconds: float, cores: int) -> str:
    game = gpu.game
    there = gpu.play(options, games, keep=games).states
    here = bench.final_records(game, options, games, threads=cores)
    same = "identical" if there.tobytes() == here.tobytes() else f"**{int((there != here).sum())} differ**"
    played, n = gpu.measure(options, seconds)
    moves = played.actions - played.draws
    dead = f", **{played.dead_ends} dead ends**" if played.dead_ends else ""
    return (
        f"| {game.name} | {in_words(game, options)} | {games:,} {same}{dead} | {moves / played.seconds / 1e6:,.0f} million "
        f"| {played.draws / played.seconds / 1e6:,.0f} million | {n / played.seconds / 1e6:,.2f} million |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=recollect.game_names())
    parser.add_argument("--games", type=int, default=100_000, help="games compared in each variant")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a measured launch")
    parser.add_argument("--minutes", type=float, default=8.0, help="no variant is begun after this")
    parser.add_argument("--out", type=Path, help="where the table is written as well")
    args = parser.parse_args()
    machine = bench.hardware()
    try:
        name = device_name()
    except NoGpu as reason:
        sys.exit(str(reason))
    table = [
        f"{name}; compared with {machine['cpu']} ({machine['cores']} cores), Python {machine['python']}.",
        "",
        "| game | variant | final records, GPU and CPU | moves/s | draws/s | games/s |",
        "|---|---|---|---|---|---|",
    ]
    failed = False
    for i, game in enumerate(args.names):
        try:
            so_far = time.perf_counter() - START
            share = (args.minutes * 60 - so_far) / (len(args.names) - i)  # of what is left, among the games to come
            table += rows(recollect.load(game), args.games, args.seconds, so_far + share)
        except Exception as error:
            failed = True
            traceback.print_exc()
            table.append(f"| {game} | failed: {' '.join(str(error).split())[:200]} | | | | |")
        if args.out:
            args.out.write_text("\n".join(table) + "\n")
    print("\n" + "\n".join(table), flush=True)
    sys.exit(1 if failed or any("**" in line for line in table) else 0)


if __name__ == "__main__":
    main()
