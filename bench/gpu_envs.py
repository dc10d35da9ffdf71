"""Environment steps a second on an NVIDIA GPU, beside Pgx where JAX and Pgx are: `python bench/gpu_envs.py [--batch 1048576] [GAME ...]`.

A step of ours is: a legal action chosen in every game, carried out, chance's draws after it, rewards, a new game where one ended, the
observation and the mask of whoever is asked next; all of it on the device. A step of Pgx is: a legal action sampled from the mask, and
its `step` with automatic reset, whose state holds the observation and the mask.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import recollect
from recollect.engine.game import Game
from recollect.envs.gpu import OnGpu
from recollect.envs.table import Table
from recollect.lab.gpu import device_name

PGX = ("tic_tac_toe", "connect_four", "2048", "backgammon")


def checked(game: Game, games: int = 256, steps: int = 100) -> str:
    """Records, rows and masks on the GPU against the CPU's, after some steps."""
    env = OnGpu(game, games)
    for _ in range(steps):
        env.step(env.anything)
    states, (asked, rows, masks) = env.records(), (array.copy_to_host() for array in (env.asked, env.rows, env.masks))
    for i in range(games):
        table = Table(game, game.settle({}))
        table.record[0] = states[i]
        if not (np.array_equal(rows[i], table.row(int(asked[i]))) and np.array_equal(masks[i], table.mask(int(asked[i])))):
            return f"game {i} DIFFERS"
    return f"{games} rows and masks identical"


def ours(game: Game, batch: int, observe: str, seconds: float) -> float:
    """Steps a second."""
    env = OnGpu(game, batch, observe)
    for _ in range(20):
        env.step(env.anything)
    env.cuda.synchronize()
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(100):
            env.step(env.anything)
        env.cuda.synchronize()
        steps += 100
    return steps * batch / (time.perf_counter() - start)


def pgx_rate(name: str, batch: int, seconds: float) -> float:
    """Steps a second of a game of Pgx."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    begin, step = jax.jit(jax.vmap(env.init)), jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, a, b = jax.random.split(key, 3)
        action = jax.random.categorical(a, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)
        return (step(state, action, jax.random.split(b, batch)), key), None

    many = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=20)[0])
    carry = many((begin(jax.random.split(jax.random.PRNGKey(0), batch)), jax.random.PRNGKey(1)))
    jax.block_until_ready(carry)
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(5):
            carry = many(carry)
        jax.block_until_ready(carry)
        steps += 100
    return steps * batch / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=recollect.game_names())
    parser.add_argument("--batch", type=int, default=1 << 20)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--no-pgx", action="store_true")
    args = parser.parse_args()
    print(f"{device_name()}; batch {args.batch:,}; million environment steps a second, observation and mask included\n")
    print("| environment | observation | checked | million steps/s |\n|---|---|---|---|", flush=True)
    for name in args.games:
        game = recollect.load(name)
        start = time.perf_counter()
        same = checked(game)
        took = time.perf_counter() - start
        for observe in ("sight", "knowledge"):
            rate = ours(game, args.batch, observe, args.seconds)
            print(f"| {name} | {observe}, {game.layout.width} numbers | {same}, {took:.0f} s to compile | {rate / 1e6:,.1f} |", flush=True)
    for name in () if args.no_pgx else PGX:
        try:
            print(f"| Pgx {name} | its own | | {pgx_rate(name, args.batch, args.seconds) / 1e6:,.1f} |", flush=True)
        except Exception as error:
            print(f"| Pgx {name} | | not measured: {' '.join(str(error).split())[:120]} | |", flush=True)


if __name__ == "__main__":
    main()
