"""A small recurrent policy learns Pti Bapt from `sight` alone, in minutes on a CPU, and is measured against the exact game.

    python examples/recurrent.py [--generations 60] [--games 512] [--measured 200]

What it sees is what lies open now. Its recurrent state is a trace of every face at every place, which fades by a learned factor at each
step and is set when a card lies open. Nine numbers are learned, by evolution strategies: how fast traces fade, and how much it wants, as
the first and as the second card of a turn, a card it remembers, the partner of the open card, a card of a remembered pair, a known red.
Candidates play against the policy they came from, hundreds of games at once inside compiled code.

Regret is what it loses a game, in points, to a player that forgets nothing and plays the solved game: two of those gain 0 on each other.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import recollect
from recollect.envs import pettingzoo, vector
from recollect.minds import Seated, mind

GAME = recollect.load("ptibapt")
PARTS = {part.name: part for part in GAME.layout.parts}
PLACES = np.array([7 * row + column for row in range(4) for column in range(5)])  # the base game lies in 4 rows of 5
FACES = len(GAME.rules.FACES)
REDS = np.asarray(GAME.rules.COLOUR)[:FACES] == GAME.rules.RED
TURN = GAME.actions.ranges["turn"].start
SIZE = 9  # fading; four wishes for the first card, four for the second


def remember(traces: np.ndarray, rows: np.ndarray, weights: np.ndarray) -> None:
    """What lies open is set; all else fades."""
    traces *= 1 / (1 + np.exp(-weights[:, 0] - 3))[:, None, None].astype(traces.dtype)
    cards = rows[:, PARTS["card"].start + PLACES]
    games, places = np.nonzero(cards >= 0)
    traces[games, places] = 0
    traces[games, places, cards[games, places]] = 1


def decide(traces: np.ndarray, rows: np.ndarray, masks: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The card it wants most, of those it may turn; where there is nothing to choose, what there is."""
    n = np.arange(len(rows))
    one = rows[:, PARTS["one"].start]
    face = np.where(one >= 0, rows[n, PARTS["card"].start + np.maximum(one, 0)], -1)
    match = np.where((face >= 0)[:, None], traces[n, :, np.maximum(face, 0)], 0)
    others = traces.sum(axis=1, keepdims=True) - traces
    features = np.stack([traces.max(axis=2), match, (traces * others).sum(axis=2), traces[:, :, REDS].sum(axis=2)], axis=2)
    wishes = np.where((one >= 0)[:, None], weights[:, 5:], weights[:, 1:5])
    wanted = (features * wishes[:, None, :]).sum(axis=2) + rng.gumbel(size=features.shape[:2]) * 0.1
    best = PLACES[np.where(masks[:, TURN + PLACES] == 1, wanted, -np.inf).argmax(axis=1)] + TURN
    return np.where(masks[n, best] == 1, best, masks.argmax(axis=1))


def play(env: Any, candidates: np.ndarray, old: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Each candidate plays one game against the old policy, at either seat; points gained on it."""
    n = len(candidates)
    traces, margin, running = np.zeros((n, len(PLACES), FACES), np.float32), np.zeros(n), np.ones(n, bool)
    rows, info = env.reset(seed=int(rng.integers(2**31)))
    mine = np.arange(n) % 2
    for _ in range(400):
        weights = np.where((info["seat"] == mine)[:, None], candidates, old)
        remember(traces, rows, weights)
        rows, _, over, _, info = env.step(decide(traces, rows, info["action_mask"], weights, rng))
        margin += np.where(running, info["rewards"][np.arange(n), mine], 0)
        running &= ~over
        if not running.any():
            break
    return margin


def train(generations: int, games: int, seed: int = 0, spread: float = 0.5, say: Any = print) -> np.ndarray:
    """Evolution strategies: candidates in mirrored pairs, ranked."""
    rng, env = np.random.default_rng(seed), vector("ptibapt", games, reward="points")
    weights, velocity = np.zeros(SIZE), np.zeros(SIZE)
    for generation in range(generations):
        half = rng.normal(size=(games // 4, SIZE)).repeat(2, axis=0)  # each plays at both seats
        noise = np.concatenate([half, -half])
        gained = play(env, weights + spread * noise, weights, rng)
        ranks = gained.argsort().argsort() / (games - 1) - 0.5
        velocity = 0.8 * velocity + 4.0 * (ranks[:, None] * noise).mean(axis=0)
        weights = weights + velocity
        if generation % 10 == 9:
            say(f"generation {generation + 1}: candidates gain {gained.mean():+.2f} on the policy they came from")
    return weights


def regret(weights: np.ndarray, games: int, seed: int = 1) -> tuple[float, float]:
    """Points a game that the exact player gains on the policy, and the half width of the 95% interval."""
    env, rng, lost = pettingzoo("ptibapt", reward="points"), np.random.default_rng(seed), []
    for number in range(games):
        env.reset(seed=seed + number // 2)
        mine = number % 2
        exact = Seated(GAME, env.table.options, 1 - mine, mind(GAME, "elephant"), str(number))
        traces, total = np.zeros((1, len(PLACES), FACES), np.float32), 0.0
        while not env.table.over:
            look = env.observe(f"seat_{mine}")
            remember(traces, look["observation"][None], weights[None])
            asked = env.table.acting[0]
            if asked == mine:
                env.step(int(decide(traces, look["observation"][None], look["action_mask"][None], weights[None], rng)[0]))
            else:
                env.step(exact.choose(env.table.log))
            total -= env.rewards[f"seat_{mine}"]
        lost.append(total)
    return float(np.mean(lost)), float(1.96 * np.std(lost, ddof=1) / np.sqrt(games))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--generations", type=int, default=60)
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--measured", type=int, default=200)
    args = parser.parse_args()
    print("before: regret {:.2f} +- {:.2f} points a game".format(*regret(np.zeros(SIZE), args.measured)))
    start = time.perf_counter()
    weights = train(args.generations, args.games)
    print(f"trained in {time.perf_counter() - start:.0f} s: {np.round(weights, 2).tolist()}")
    print("after: regret {:.2f} +- {:.2f} points a game".format(*regret(weights, args.measured)))


if __name__ == "__main__":
    main()
