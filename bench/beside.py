"""One table, one run, one core: our games beside C, OpenSpiel, Pgx, PettingZoo, RLCard and POPGym, whichever are installed.

    python bench/beside.py [--seconds 1] [--only WORD ...]

Everything is processor time of one core, best of three, random legal play. *Bare play* is rules alone. *Environment* includes, at every
step, the observation, the legal mask (where there is one) and the reward of whoever acts. Steps are actions of players.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import numpy as np

import recollect
from recollect.engine.options import numbers
from recollect.lab import bench

BATCH = 4096
Row = tuple[str, str, Callable[[float], float]]


def rate(once: Callable[[], int], seconds: float, runs: int = 3) -> float:
    """Steps a second of a function that says how many it made; the best of some runs."""
    once()
    best = 0.0
    for _ in range(runs):
        steps, start = 0, time.process_time()
        while time.process_time() - start < seconds / runs:
            steps += once()
        best = max(best, steps / (time.process_time() - start))
    return best


# -- ours


def ours(name: str) -> Iterator[Row]:
    """Bare play and environments of one of our games."""
    game = recollect.load(name)
    settled = game.settle({})
    yield f"ours: {name}", "bare play, plain Python", lambda s: bench.plain(game, settled, s).rates()["moves_per_s"]
    yield f"ours: {name}", "bare play, compiled", lambda s: rate(bare(game), s)
    yield f"ours: {name}", "environment, PettingZoo, plain Python", lambda s: rate(turns(game, False), s)
    yield f"ours: {name}", "environment, PettingZoo, compiled", lambda s: rate(turns(game, True), s)
    for observe in ("sight", "knowledge", "capacity-5"):
        yield f"ours: {name}", f"environment, {BATCH} at once, {observe}", lambda s, o=observe: rate(many(name, BATCH, o), s)  # type: ignore[misc]


def bare(game: Any, **options: Any) -> Callable[[], int]:
    states, lengths, r = np.zeros(200, game.state.dtype), np.zeros(200, np.int64), np.zeros(1, np.int64)
    given, keys = numbers(game.options, game.settle(options)), np.arange(200)

    def once() -> int:
        states[:] = np.zeros((), game.state.dtype)
        keys[:] += 200
        game.tables.random_all(states, given, keys, r, bench.LIMIT, lengths)
        return int(lengths.sum())

    return once


def turns(game: Any, compiled: bool) -> Callable[[], int]:
    """One game seat after seat, by PettingZoo's own loop."""
    from recollect.envs import pettingzoo

    return zoo_loop(pettingzoo(game.name, compiled=compiled), 300)


def zoo_loop(env: Any, most: int) -> Callable[[], int]:
    rng, seed = random.Random(1), iter(range(10**9))

    def once() -> int:
        env.reset(seed=next(seed))
        steps = 0
        for _ in env.agent_iter(most):
            row, _, over, cut, _ = env.last()
            env.step(None if over or cut else rng.choice(np.flatnonzero(row["action_mask"]).tolist()))
            steps += not (over or cut)
        return steps

    return once


def many(name: str, batch: int, observe: str = "sight", **options: Any) -> Callable[[], int]:
    """The vector environment; actions are drawn inside compiled code too."""
    from recollect.envs import vector

    env = vector(name, batch, observe=observe, **options)
    env.reset(seed=1)
    stream, actions = np.array([12345]), np.zeros(batch, np.int64)

    def once() -> int:
        for _ in range(20):
            env.step(env.random_actions(stream, actions))
        return 20 * batch

    return once


# -- the others


def in_c() -> Iterator[Row]:
    if shutil.which("cc"):
        yield "C, cc -O3: Memoarrr!", "bare play", c_rate


def c_rate(seconds: float) -> float:
    sys.path.insert(0, str(Path(__file__).parent))
    import yardstick

    with tempfile.TemporaryDirectory() as folder:
        program = yardstick.build("memoarrr", Path(folder))
        runs = [yardstick.run_c(program, 2, 40_000) for _ in range(5)]
    return max(moves / took for moves, _, took, _ in runs)


def open_spiel() -> Iterator[Row]:
    for name in ("tic_tac_toe", "mancala", "connect_four", "hanabi", "backgammon"):
        yield f"OpenSpiel {name}", "bare play, its Python loop", lambda s, n=name: rate(spiel_python(n), s)  # type: ignore[misc]
        yield f"OpenSpiel {name}", "bare play, inside its C++", lambda s, n=name: spiel_cpp(n, s)  # type: ignore[misc]


def spiel_python(name: str) -> Callable[[], int]:
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)

    def once() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
        return moves

    return once


def spiel_cpp(name: str, seconds: float) -> float:
    """Its random bots play whole games; how long a game is, is counted beforehand."""
    import pyspiel

    once = spiel_python(name)
    length = sum(once() for _ in range(300)) / 300
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]
    seeds = iter(range(10**9))

    def games() -> int:
        for _ in range(20):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return 20

    return rate(games, seconds) * length


def pgx() -> Iterator[Row]:
    for name in ("tic_tac_toe", "connect_four", "2048", "backgammon"):
        yield f"Pgx {name}", "environment, 1024 at once, CPU", lambda s, n=name: rate(pgx_many(n), s)  # type: ignore[misc]


def pgx_many(name: str) -> Callable[[], int]:
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env, batch = pgx.make(name), 1024
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, a, b = jax.random.split(key, 3)
        action = jax.random.categorical(a, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)
        return (step(state, action, jax.random.split(b, batch)), key), None

    scan = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=10)[0])
    carry = [(jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch)), jax.random.PRNGKey(1))]

    def once() -> int:
        carry[0] = jax.block_until_ready(scan(carry[0]))
        return 10 * batch

    return once


def pettingzoo() -> Iterator[Row]:
    for name in ("tictactoe_v3", "connect_four_v3"):
        yield f"PettingZoo {name}", "environment", lambda s, n=name: rate(zoo_loop(classic(n), 10**6), s)  # type: ignore[misc]


def classic(name: str) -> Any:
    return importlib.import_module(f"pettingzoo.classic.{name}").env()


def rlcard() -> Iterator[Row]:
    for name in ("leduc-holdem", "uno"):
        yield f"RLCard {name}", "environment", lambda s, n=name: rate(rlcard_game(n), s)  # type: ignore[misc]


def rlcard_game(name: str) -> Callable[[], int]:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
    return lambda: sum(len(path) // 2 for path in env.run(is_training=False)[0])


def popgym() -> Iterator[Row]:
    for name in ("ConcentrationEasy", "ConcentrationHard"):
        yield f"POPGym {name}", "environment", lambda s, n=name: rate(popgym_steps(n, True), s)  # type: ignore[misc]
        yield f"POPGym {name}", "environment, actions drawn beforehand", lambda s, n=name: rate(popgym_steps(n, False), s)  # type: ignore[misc]


def popgym_steps(name: str, sampled: bool) -> Callable[[], int]:
    from popgym.envs import concentration

    env, rng = getattr(concentration, name)(), np.random.default_rng(1)
    env.reset(seed=1)
    places = env.action_space.n

    def once() -> int:
        for action in rng.integers(places, size=200).tolist():
            _, _, over, cut, _ = env.step(env.action_space.sample() if sampled else action)
            if over or cut:
                env.reset()
        return 200

    return once


PEERS = {"open_spiel": open_spiel, "pgx": pgx, "pettingzoo": pettingzoo, "rlcard": rlcard, "popgym": popgym}


# -- how it grows


def growth(seconds: float) -> Iterator[str]:
    yield "\n## How it grows\n\nEnvironment, `sight`, million steps a second.\n"
    yield "| game | numbers observed | record, bytes | batch 1 | 16 | 256 | 4096 | 65536 |\n|---|---|---|---|---|---|---|---|"
    for name in recollect.game_names():
        game = recollect.load(name)
        rates = " | ".join(f"{rate(many(name, batch), seconds) / 1e6:.2f}" for batch in (1, 16, 256, 4096, 65536))
        yield f"| {name} | {game.layout.width} | {game.state.dtype.itemsize} | {rates} |"
    yield "\n| game | players | bare play, million moves/s | environment, million steps/s |\n|---|---|---|---|"
    for name in recollect.game_names():
        game = recollect.load(name)
        for n in next((o.choices for o in game.options if o.name == "players"), ()):
            two = rate(bare(game, players=n), seconds), rate(many(name, BATCH, players=n), seconds)
            yield f"| {name} | {n} | {two[0] / 1e6:.2f} | {two[1] / 1e6:.2f} |"


def rows(only: list[str]) -> Iterator[Row]:
    sources = [*(ours(name) for name in recollect.game_names()), in_c()]
    sources += [source() for name, source in PEERS.items() if installed(name)]
    for source in sources:
        yield from (row for row in source if not only or any(word in f"{row[0]} {row[1]}" for word in only))


def installed(name: str) -> bool:
    return importlib.util.find_spec({"open_spiel": "pyspiel"}.get(name, name)) is not None


def versions() -> str:
    names = ("numba", "numpy", "gymnasium", "pettingzoo", "open_spiel", "pgx", "jax", "rlcard", "popgym")
    there = [
        f"{name} {importlib.metadata.version(name)}" for name in names if importlib.util.find_spec(name.replace("open_spiel", "pyspiel"))
    ]
    missing = [name for name in PEERS if not importlib.util.find_spec(name.replace("open_spiel", "pyspiel"))]
    return ", ".join(there) + (f"; not installed: {', '.join(missing)}" if missing else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--only", nargs="*", default=[], help="only rows with one of these words")
    parser.add_argument("--no-growth", action="store_true")
    args = parser.parse_args()
    hardware = bench.hardware()
    print(f"One core of {hardware['cpu']}, Python {hardware['python']}, {versions()}.\n")
    yard: float | None = None
    measured = []
    for who, what, measure in rows(args.only):
        try:
            measured.append((who, what, measure(args.seconds)))
        except Exception as error:  # a peer that does not run here is named, and the table goes on
            print(f"not measured: {who}, {what}: {' '.join(str(error).split())[:120]}", file=sys.stderr)
            continue
        print(f"{who}, {what}: {measured[-1][2]:,.0f}", file=sys.stderr, flush=True)
    yard = next((r for who, _, r in measured if who == "POPGym ConcentrationEasy"), None)
    print("| who | what | steps/s | x POPGym Concentration |\n|---|---|---|---|")
    for who, what, r in measured:
        print(f"| {who} | {what} | {r:,.0f} | {f'{r / yard:,.1f}' if yard else ''} |")
    if not args.no_growth:
        for line in growth(args.seconds / 3):
            print(line, flush=True)


if __name__ == "__main__":
    main()
