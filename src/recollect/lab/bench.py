"""How quick a game is at random play: plain Python, compiled on one core and on all, and on an NVIDIA GPU."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.options import Value, numbers
from recollect.engine.stream import sow

COUNTED = (
    "Whole games of random play: set-up, every set of choices, every choice (each legal action as likely) and every rule. "
    "A move is one action of a player; a draw is one action of chance and is not counted as a move."
)
LIMIT = 10**6  # actions; no game comes near it
CHUNK = 1000  # games between two looks at the clock
DEVICES = ("cpu", "cuda")

Say = Callable[[str], None]


@dataclass(frozen=True)
class Tally:
    """What was played, and how long it took."""

    moves: int
    draws: int
    games: int
    seconds: float

    def rates(self) -> dict[str, float]:
        return {
            "moves_per_s": round(self.moves / self.seconds, 1),
            "draws_per_s": round(self.draws / self.seconds, 1),
            "games_per_s": round(self.games / self.seconds, 1),
            "games": self.games,
            "seconds": round(self.seconds, 3),
        }


def bench(
    game: Game, options: Mapping[str, object] | None = None, seconds: float = 2.0, device: str = "cpu", say: Say = lambda text: None
) -> dict[str, Any]:
    """Measure random play for about `seconds` at each speed; `say` is told what goes on. See COUNTED for what is counted."""
    if device not in DEVICES:
        raise ValueError(f"--device {device!r}: it is one of {', '.join(DEVICES)}")
    if seconds <= 0:
        raise ValueError(f"--seconds {seconds}: it must be more than 0")
    settled = game.settle(options or {})
    result: dict[str, Any] = {"game": game.name, "options": settled, "counted": COUNTED, "hardware": hardware()}
    if device == "cuda":
        return {**result, **_gpu(game, settled, seconds, say)}
    say("plain Python ...")
    result["plain"] = plain(game, settled, seconds).rates()
    say("compiling, or reading what was compiled before ...")
    start = time.perf_counter()
    _play_chunk(game, settled, np.arange(1))
    result["compile_s"] = round(time.perf_counter() - start, 2)
    say("compiled, one core ...")
    result["one_core"] = compiled(game, settled, seconds, 1).rates()
    cores = result["hardware"]["cores"]
    say(f"compiled, {cores} cores ...")
    result["all_cores"] = compiled(game, settled, seconds, cores).rates()
    return result


def plain(game: Game, options: dict[str, Value], seconds: float) -> Tally:
    """The rules as they are, in plain Python."""
    r = np.zeros(1, np.int64)
    given, moves, draws, games = numbers(game.options, options), 0, 0, 0
    start = now = time.perf_counter()
    while now - start < seconds:
        s = game.state.open(game.state.new())
        game.rules.setup(s, given)
        sow(r, games)
        n = game.loops.random_game(s, r, LIMIT)
        moves, draws, games = moves + (n >> 32) - (n & 0xFFFFFFFF), draws + (n & 0xFFFFFFFF), games + 1
        now = time.perf_counter()
    return Tally(moves, draws, games, now - start)


def compiled(game: Game, options: dict[str, Value], seconds: float, threads: int) -> Tally:
    """The compiled rules on that many threads, which share nothing: the loops run without the interpreter's lock."""
    start = time.perf_counter()

    def work(thread: int) -> Tally:
        moves = draws = games = 0
        while time.perf_counter() - start < seconds:
            tally = _play_chunk(game, options, np.arange(games, games + CHUNK) * threads + thread)
            moves, draws, games = moves + int(tally[0] - tally[1]), draws + int(tally[1]), games + CHUNK
        return Tally(moves, draws, games, 0)

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(work, range(threads)))
    took = time.perf_counter() - start
    return Tally(sum(p.moves for p in parts), sum(p.draws for p in parts), sum(p.games for p in parts), took)


def final_records(game: Game, options: dict[str, Value], games: int, first: int = 0, threads: int = 1) -> np.ndarray:
    """The records of whole random games of the keys from `first` on, by the compiled rules on the CPU."""
    states = np.zeros(games, game.state.dtype)
    starts = range(0, games, CHUNK)
    _play_chunk(game, options, np.arange(1))  # compiles once, before the threads

    def work(i: int) -> None:
        chunk = states[i : i + CHUNK]
        _play_chunk(game, options, np.arange(first + i, first + i + len(chunk)), chunk)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, starts))
    return states


def _play_chunk(game: Game, options: dict[str, Value], keys: np.ndarray, states: np.ndarray | None = None) -> np.ndarray:
    tally = np.zeros(3, np.int64)
    states = np.zeros(len(keys), game.state.dtype) if states is None else states
    game.fast.random_games(states, numbers(game.options, options), keys, np.zeros(1, np.int64), LIMIT, tally)
    if tally[2]:
        raise ValueError(f"{game.name}: {tally[2]} of {len(keys)} random games came to a dead end")
    return tally


def _gpu(game: Game, options: dict[str, Value], seconds: float, say: Say) -> dict[str, Any]:
    from recollect.lab.gpu import Gpu

    gpu = Gpu(game)
    say(f"{gpu.name}: compiling, then looking for the quickest shape ...")
    played, games = gpu.measure(options, seconds)
    rates = Tally(played.actions - played.draws, played.draws, games, played.seconds).rates()
    return {"gpu": {**rates, "device": gpu.name, "threads_per_block": gpu.shape[0], "blocks_per_multiprocessor": gpu.shape[1]}}


def hardware() -> dict[str, Any]:
    """What this ran on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {"cpu": _cpu(), "cores": cores, "python": platform.python_version()}


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.exists() else ():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def bench_command(game: Game, options: Mapping[str, object], device: str, seconds: float, as_json: bool, out: Any, err: Any) -> None:
    """`recollect bench`: what goes on to `err`, the result to `out`."""
    result = bench(game, options, seconds, device, say=lambda text: err.print(f"{game.name}: {text}", style="dim", markup=False))
    if as_json:
        out.print_json(json.dumps(result))
        return
    out.print(f"{game.name}, {', '.join(f'{k} {v}' for k, v in result['options'].items())}; {result['hardware']['cpu']}", markup=False)
    for key, name in (("plain", "plain Python"), ("one_core", "compiled, one core"), ("all_cores", "compiled, all cores"), ("gpu", "GPU")):
        if key in result:
            rates = "".join(f"{result[key][f'{unit}_per_s']:>18,.0f} {unit}/s" for unit in ("moves", "draws", "games"))
            out.print(f"  {name:20}{rates}", markup=False)
    out.print(f"  {COUNTED}", style="dim", markup=False)
