"""Better weights by self-play: a population of weight vectors (CMA-ES) against those in use, whole games inside compiled code."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.options import Value, numbers
from recollect.minds.thinking import search_of, weights_of, word_of

DEPTH, LIMIT = 24, 200_000
Asked = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Share:
    """How much of the games one side won (a draw is half), with its 95% interval."""

    share: float
    low: float
    high: float
    games: int

    @classmethod
    def of(cls, won: np.ndarray) -> Share:
        """Games of one deal, from every seat, count as one: they are not independent."""
        groups = won.reshape(won.shape[0], -1).mean(axis=1)
        mean, error = float(groups.mean()), 1.96 * float(groups.std(ddof=1)) / math.sqrt(len(groups))
        return cls(mean, mean - error, mean + error, won.size)


class Contest:
    """Games of candidates against the weights in use. Scratch records for every thread; the same keys give the same games."""

    def __init__(self, game: Game, options: Mapping[str, Value], threads: int = 1, width: int = 4) -> None:
        self.game, self.threads, self.width = game, threads, width
        self.players, self.options = game.players(options), numbers(game.options, options)
        self.search = search_of(game)

    def play(self, population: np.ndarray, theirs: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """What each candidate won of each deal from each seat: candidates x keys x seats, 1, a half or 0."""
        return self.each_game(population, theirs, keys, self.won)

    def leads(self, population: np.ndarray, theirs: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """By how many points each candidate was ahead of the best of the others: candidates x keys x seats."""
        return self.each_game(population, theirs, keys, self.lead)

    def each_game(self, population: np.ndarray, theirs: np.ndarray, keys: np.ndarray, asked: Asked) -> np.ndarray:
        """What is asked of the points of every candidate's games: every deal from every seat."""
        who, deals, seats = (a.ravel() for a in np.indices((len(population), len(keys), self.players)))
        points = self.points(population, theirs, keys[deals], seats, who)
        return asked(points.sum(axis=2)[:, : self.players], seats).reshape(len(population), len(keys), self.players)

    def points(self, population: np.ndarray, theirs: np.ndarray, keys: np.ndarray, seats: np.ndarray, who: np.ndarray) -> np.ndarray:
        """The points by kind of many games: candidate `who` at seat `seats` of the deal `keys`, against `theirs`."""
        parts = np.array_split(np.arange(len(who)), self.threads)
        with ThreadPoolExecutor(self.threads) as pool:  # compiled code holds no lock
            return np.concatenate(list(pool.map(lambda part: self.part(population, theirs, keys[part], seats[part], who[part]), parts)))

    def part(self, population: np.ndarray, theirs: np.ndarray, keys: np.ndarray, seats: np.ndarray, who: np.ndarray) -> np.ndarray:
        """The same, one after the other."""
        out = np.zeros((len(who), self.game.seats, len(self.game.rules.POINTS)), np.int64)
        states = np.zeros(2 * self.width + 3, self.game.state.dtype)
        raw: np.ndarray = states.view(word_of(self.game)).reshape(len(states), -1)
        self.search.contests(
            states, raw, self.options, keys, seats, who, self.players, population, theirs,
            np.zeros((self.game.seats, population.shape[1])), np.zeros(1, np.int64), self.width, DEPTH, LIMIT,
            np.zeros(2 * self.width, np.int64), np.zeros(2 * self.width), np.zeros((2 * self.width, DEPTH), np.int64),
            np.zeros(DEPTH, np.int64), np.zeros(self.game.actions.count), out,
        )  # fmt: skip
        return out

    def won(self, scores: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Each game's share for its candidate: of equal firsts each has a part; with more than two, how many it leaves behind."""
        own = np.take_along_axis(scores, seats[:, None], axis=1)
        behind = (scores < own).sum(axis=1) + ((scores == own).sum(axis=1) - 1) / 2
        return np.asarray(behind / max(1, self.players - 1))

    def lead(self, scores: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """Each game's points of its candidate beyond the best of the others."""
        own = np.take_along_axis(scores, seats[:, None], axis=1)[:, 0]
        others = np.where(np.arange(self.players) == seats[:, None], np.iinfo(np.int64).min, scores).max(axis=1)
        return np.asarray(own - others)


@dataclass
class Tuned:
    """What tuning found, and how."""

    weights: np.ndarray
    start: np.ndarray
    gain: Share
    generations: int
    games: int
    seconds: float

    def document(self, game: Game, how: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "game": game.name,
            "weights": [round(float(w), 6) for w in self.weights],
            "hand_set": [round(float(w), 6) for w in self.start],
            "gain": {"share": self.gain.share, "low": self.gain.low, "high": self.gain.high, "games": self.gain.games},
            "found": {"generations": self.generations, "games": self.games, "seconds": round(self.seconds), **how},
        }


def tune(contest: Contest, minutes: float, seed: int, deals: int, said: Callable[[str], None], population: int = 0) -> Tuned:
    """CMA-ES from the best weights known and against them, each measured in the size that was set by hand; the mean of the last population
    is what is kept. A lead in points, bent so that no game counts for many, says more than who won."""
    try:
        import cma
    except ModuleNotFoundError:
        raise ValueError("tuning needs the package cma: install recollect[lab]") from None
    start, known = np.array(weights_by_hand(contest.game), float), weights_of(contest.game)
    scale = np.maximum(np.abs(start), 0.05)
    how_many = {"popsize": population} if population else {}
    es = cma.CMAEvolutionStrategy((known - start) / scale, 0.25, {"seed": seed + 1, "verbose": -9, **how_many})
    began, games, generation = time.monotonic(), 0, 0
    while time.monotonic() - began < 60 * minutes or generation == 0:
        asked = es.ask()
        keys = np.arange(deals) + generation * deals + seed * 1_000_003
        leads = contest.leads(start + np.array(asked) * scale, known, keys)
        bent = np.tanh(leads / max(1.0, float(leads.std()))).mean(axis=(1, 2))
        es.tell(asked, (-bent).tolist())
        generation, games = generation + 1, games + leads.size
        best = leads[bent.argmax()].mean()
        said(f"generation {generation}: mean lead {leads.mean():.2f}, best {best:.2f}, step {es.sigma:.3f}, {games} games")
    found = start + np.array(es.result.xfavorite) * scale
    gain = Share.of(contest.play(found[None], start, np.arange(max(200, 4 * deals)) + 10**8)[0])  # deals that no generation has seen
    return Tuned(found, start, gain, generation, games, time.monotonic() - began)


def weights_by_hand(game: Game) -> tuple[float, ...]:
    import importlib

    return tuple(importlib.import_module(game.package + ".worth").WEIGHTS)


def keep(game: Game, document: Mapping[str, Any]) -> Path:
    """The weights found, in the game's folder, with how they were found."""
    file = game.folder / "weights.json"
    file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    weights_of(game)  # it reads back
    return file
