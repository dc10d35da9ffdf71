"""The arena: minds play one another, seats rotated and deals shared, and the same seed gives the same games.

A *group* is one line-up of minds over one deal, played once from every seat; groups are what is counted as independent.
Game i belongs to group i // rotations, and everything about it follows from the job and i alone, so that it does not matter who plays it.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from itertools import combinations, islice
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np

from recollect.engine.game import Game
from recollect.engine.match import Entry
from recollect.engine.options import Value, numbers
from recollect.engine.record import Opened
from recollect.engine.shelf import load
from recollect.engine.stream import CHANCE, draw
from recollect.minds import Mind, Seated, mind, minds

AHEAD = 2  # chunks that wait for each worker
SECONDS_A_CHUNK = 0.5
LIMIT = 10**6  # actions; no game comes near it


@cache
def rules_of(name: str, components: str | None) -> Game:
    """The game of a job, loaded once in each process."""
    return load(name, components)


@dataclass(frozen=True)
class Job:
    """What is to be played: enough to play any of its games anywhere."""

    game: str
    options: dict[str, Value]
    minds: tuple[str, ...]
    games: int
    seed: int
    components: str | None = None

    @property
    def rules(self) -> Game:
        return rules_of(self.game, self.components)

    @property
    def players(self) -> int:
        return self.rules.players(self.options)

    @cached_property
    def line_ups(self) -> list[tuple[int, ...]]:
        """Which minds sit together: all, or each choice of as many as there are seats; of too few, some play two seats."""
        if len(self.minds) < self.players:
            return [tuple(seat % len(self.minds) for seat in range(self.players))]
        return list(combinations(range(len(self.minds)), self.players))

    @property
    def names(self) -> list[str]:
        """A name for each mind; one that plays twice has a number."""
        return [name if name not in self.minds[:i] else f"{name}-{self.minds[: i + 1].count(name)}" for i, name in enumerate(self.minds)]

    def sitting(self, i: int) -> tuple[int, ...]:
        """Which mind sits at each seat in game i."""
        group, turn = divmod(i, self.players)
        who = self.line_ups[group % len(self.line_ups)]
        return who[turn:] + who[:turn]

    def deal(self, i: int) -> str:
        """The sealed seed of game i: one for all rotations and all line-ups."""
        return f"arena {self.seed} {i // self.players // len(self.line_ups)}"

    def document(self) -> dict[str, Any]:
        """What tells this job from others; how many games are asked for does not."""
        kept = {name: value for name, value in asdict(self).items() if name != "games"}
        return {**kept, "minds": list(self.minds), "version": self.rules.version, "box": self.rules.box}


def make_job(game: Game, names: Sequence[str], options: Mapping[str, object], games: int, seed: int) -> Job:
    """A job, checked: there are such minds, and the game has so many seats."""
    there_are = minds(game)
    for name in names:
        if name not in there_are:
            raise ValueError(f"nobody called {name!r} plays {game.name}; there are {', '.join(there_are)}")
    counts = next((o.choices for o in game.options if o.name == "players"), ())
    given = dict(options)
    if "players" not in given and len(names) in counts:
        given["players"] = len(names)
    components = str(game.components) if game.components else None
    return Job(game.name, game.settle(given), tuple(names), games, seed, components)


def table(job: Job, games: int) -> np.ndarray:
    """Room for the results of so many games: one row each, by seat."""
    n = job.players
    fields = [("game", "i8"), ("rank", "i1", (n,)), ("points", "i4", (n,)), ("turns", "i4", (n,)), ("thought", "f4", (n,)), ("took", "f4")]
    return np.zeros(games, fields)


class Timed(Seated):
    """A mind in its seat, with a watch: how often it was asked, and how long it took to remember and to decide."""

    turns, seconds = 0, 0.0

    def choose(self, log: Sequence[Entry]) -> int:
        start = time.perf_counter()
        action = super().choose(log)
        self.seconds += time.perf_counter() - start
        self.turns += 1
        return action

    def follow(self, log: Sequence[Entry]) -> Opened:
        start = time.perf_counter()
        state = super().follow(log)
        self.seconds += time.perf_counter() - start
        return state


@cache
def made(game: str, components: str | None, name: str) -> Mind:
    """A mind, made once in each process: what it remembers of a game is its seat's."""
    return mind(rules_of(game, components), name)


def mind_of(job: Job, who: int) -> Mind:
    """A mind of the job."""
    return made(job.game, job.components, job.minds[who])


class Played(NamedTuple):
    """A game that was played: how it ended, its log, how often each was asked, how long each thought, and what all of it took."""

    end: Opened
    log: list[Entry]
    turns: list[int]
    thought: list[float]
    took: float


def play_game(job: Job, i: int, make: Callable[[Job, int], Mind] = mind_of) -> Played:
    """Play game i."""
    start, game, seed = time.perf_counter(), job.rules, f"{job.seed} {i}"
    players = [Timed(game, job.options, seat, make(job, who), seed) for seat, who in enumerate(job.sitting(i))]
    end, log = play_through(game, job.deal(i), players)
    return Played(end, log, [p.turns for p in players], [p.seconds for p in players], time.perf_counter() - start)


def note(job: Job, games: Sequence[int], played: Sequence[Played], rows: np.ndarray) -> None:
    """The results of these games into their rows: all at once, for that takes a third of the time."""
    start = time.perf_counter()
    standings = [job.rules.standing(p.end, job.players) for p in played]
    rows["game"], rows["rank"], rows["points"] = games, [s.ranking for s in standings], [s.scores for s in standings]
    rows["turns"], rows["thought"] = [p.turns for p in played], [p.thought for p in played]
    noting = (time.perf_counter() - start) / max(1, len(played))
    rows["took"] = [p.took + noting for p in played]


def play_through(game: Game, deal: str, players: Sequence[Seated]) -> tuple[Opened, list[Entry]]:
    """A match without what a table needs of one (taking back, looks, a file): the same moves and draws.
    Nobody plays it out but the minds, each for itself: how it stands is read from the one who moved last."""
    log, draws, player = list[Entry](), 0, players[0]
    s = player.follow(log)
    while acting := int(game.rules.acting(s)):
        seat = CHANCE if acting >> CHANCE & 1 else (acting & -acting).bit_length() - 1
        if seat == CHANCE:
            may = game.may(s, CHANCE)
            action = may[draw(deal, draws, game.odds_of(s, may))]
            draws += 1
        else:
            player = players[seat]
            action = player.choose(log)
        log.append((seat, action))
        s = player.follow(log)
    return s, log


def play_games(job: Job, games: Sequence[int]) -> np.ndarray:
    """Play these games; random play of all seats is one call of compiled code."""
    rows = table(job, len(games))
    if set(job.minds) == {"random"}:
        play_at_random(job, np.asarray(games), rows)
    else:
        note(job, games, [play_game(job, i) for i in games], rows)
    return rows


def play_at_random(job: Job, games: np.ndarray, rows: np.ndarray) -> None:
    """Whole random games inside compiled code: game i by a stream of its own, so rotations share no deal."""
    start = time.perf_counter()
    game, n = job.rules, len(games)
    states, lengths = np.zeros(n, game.state.dtype), np.zeros(n, np.int64)
    keys = games + job.seed * 0x9E3779B1
    game.tables.random_all(states, numbers(game.options, job.options), keys, np.zeros(1, np.int64), LIMIT, lengths)
    rank, points = standings(game, states, job.players)
    rows["game"], rows["rank"], rows["points"] = games, rank, points
    rows["turns"] = (lengths[:, None] + np.arange(job.players)) // job.players
    rows["took"] = (time.perf_counter() - start) / n


def standings(game: Game, states: np.ndarray, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Ranks (1 is first, equals share; house players have theirs) and points of many final records."""
    n, ranked = len(states), getattr(game.rules, "RANKED", {}).get(players, players)
    points = np.zeros((n, game.seats, len(game.rules.POINTS)), np.int64)
    ties = np.zeros((n, game.seats, max(1, len(game.rules.TIES))), np.int64)
    game.fast.standings(states, points, ties)
    sums = points.sum(axis=2)[:, :ranked]
    ahead, level = np.zeros((n, ranked, ranked), bool), np.ones((n, ranked, ranked), bool)
    for key in (sums, *(ties[:, :ranked, k] for k in range(len(game.rules.TIES)))):
        ahead |= level & (key[:, None, :] > key[:, :, None])
        level &= key[:, None, :] == key[:, :, None]
    return 1 + ahead.sum(axis=2)[:, :players], sums[:, :players]


# -- who plays which games


def chunks(job: Job, left: Iterable[int], size: int) -> Iterator[list[int]]:
    """The games that are left, cut into whole groups."""
    games = iter(left)
    while chunk := list(islice(games, size * job.players)):
        yield chunk


def chunk_size(job: Job) -> int:
    """Groups a worker takes at a time: about half a second of them."""
    if set(job.minds) == {"random"}:
        return 5000
    trial = min(job.players, job.games)
    start = time.perf_counter()
    play_games(job, range(trial))  # also fills caches
    return max(1, min(200, round(SECONDS_A_CHUNK / max(1e-6, time.perf_counter() - start))))


def here(job: Job, left: Iterable[int]) -> Iterator[np.ndarray]:
    """Play in this process."""
    size = chunk_size(job)
    for chunk in chunks(job, left, size):
        yield play_games(job, chunk)


def _let_the_others_stop() -> None:
    """Ctrl-C is for the process that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def on_workers(job: Job, left: Iterable[int], workers: int) -> Iterator[np.ndarray]:
    """Play in several processes; results come as they are ready."""
    cut = chunks(job, left, chunk_size(job))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_let_the_others_stop) as pool:
        try:
            yield from _as_ready(cut, workers * AHEAD, lambda chunk: pool.submit(play_games, job, chunk))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _as_ready(cut: Iterator[list[int]], most: int, submit: Callable[[list[int]], Future[np.ndarray]]) -> Iterator[np.ndarray]:
    going = {submit(chunk) for chunk in islice(cut, most)}
    while going:
        done, going = wait(going, return_when=FIRST_COMPLETED)
        going |= {submit(chunk) for chunk in islice(cut, len(done))}
        for future in done:
            yield future.result()


def left_of(job: Job, done: np.ndarray) -> Iterator[int]:
    """The games that are still to be played."""
    finished = set(done["game"].tolist())
    return (i for i in range(job.games) if i not in finished)


def play(job: Job, workers: int = 1) -> np.ndarray:
    """All games of a job, in their order."""
    left = left_of(job, table(job, 0))
    return in_order(np.concatenate(list(here(job, left) if workers == 1 else on_workers(job, left, workers))))


def in_order(rows: np.ndarray) -> np.ndarray:
    return rows[np.argsort(rows["game"])]
