"""Many games as one array, stepped inside compiled code."""

from __future__ import annotations

import numpy as np

from recollect.engine.game import Game
from recollect.engine.observation import KNOWLEDGE, SIGHT
from recollect.engine.options import numbers
from recollect.engine.stream import CHANCE, sow


class Batch:
    """N games of one kind, side by side. Chance plays itself, game i from a stream of its own.

    >>> import recollect
    >>> batch = Batch(recollect.load("memoarrr"), 1000, seed=1, players=2)
    >>> masks = batch.legal()                      # uint8, games x actions, of the seat to act
    >>> batch.step(masks.argmax(axis=1))           # the first legal action in every game
    >>> batch.scores().shape
    (1000, 4)
    """

    def __init__(self, game: Game, n: int, seed: int = 0, **options: object) -> None:
        self.game = game
        self.options = game.settle(options)
        self.states = np.zeros(n, game.state.dtype)
        self._loops = game.fast
        self._streams = np.zeros((n, 1), np.int64)
        for i in range(n):
            sow(self._streams[i], seed * n + i)
        self._loops.set_up(self.states, numbers(game.options, self.options))
        self._loops.let_chance(self.states, self._streams)

    def __len__(self) -> int:
        return len(self.states)

    def acting(self) -> np.ndarray:
        """The set of seats that may act in every game, as bits; 0 where the game is over."""
        out = np.zeros(len(self), np.int64)
        self._loops.who_acts(self.states, out)
        return out

    def seats(self) -> np.ndarray:
        """One seat to act in every game, the lowest; -1 where the game is over."""
        bits = self.acting()
        lowest = np.zeros(len(self), np.int64)
        for seat in range(CHANCE - 1, -1, -1):
            lowest[(bits >> seat & 1) == 1] = seat
        return np.where(bits == 0, -1, lowest)

    def legal(self, seats: np.ndarray | None = None) -> np.ndarray:
        """Legal masks, uint8 of games x actions, of the given seats or of `seats()`."""
        out = np.zeros((len(self), self.game.actions.count), np.uint8)
        self._loops.masks(self.states, self.seats() if seats is None else seats, out)
        return out

    def step(self, actions: np.ndarray, seats: np.ndarray | None = None) -> None:
        """Play one legal action in every game that is not over; an illegal one is refused before anything is played."""
        who = self.seats() if seats is None else np.asarray(seats)
        actions = np.asarray(actions)
        playing = np.flatnonzero(who >= 0)
        allowed = self.legal(who)[playing, actions[playing]]
        if not allowed.all():
            i = int(playing[np.flatnonzero(allowed == 0)[0]])
            raise ValueError(
                f"game {i}: {self.game.actions.notation(int(actions[i]))!r} is not legal for seat {who[i]}; nothing was played"
            )
        self._loops.step(self.states, who, actions)
        self._loops.let_chance(self.states, self._streams)

    def points(self) -> np.ndarray:
        """Points by category: games x seats x categories."""
        return self._standings()[0]

    def _standings(self) -> tuple[np.ndarray, np.ndarray]:
        rules, shape = self.game.rules, (len(self), self.game.seats)
        points, ties = np.zeros((*shape, len(rules.POINTS)), np.int64), np.zeros((*shape, max(1, len(rules.TIES))), np.int64)
        self._loops.standings(self.states, points, ties)
        return points, ties

    def scores(self) -> np.ndarray:
        """Points of every seat: games x seats."""
        return np.asarray(self.points().sum(axis=2))

    def results(self) -> np.ndarray:
        """How every seat stands, games x seats: 1 before all others, -1 behind them, evenly between; of games that are over, the result."""
        players = self.game.players(self.options)
        points, ties = self._standings()
        keys = np.concatenate([points.sum(axis=2, keepdims=True), ties], axis=2)[:, :players]
        ahead = np.zeros((len(self), players, players), np.int64)
        for k in range(keys.shape[2] - 1, -1, -1):  # what comes first decides last
            difference = np.sign(keys[:, :, None, k] - keys[:, None, :, k])
            ahead = np.where(difference != 0, difference, ahead)
        return np.asarray(ahead.sum(axis=2) / max(1, players - 1))

    def rows(self, observe: str = "sight", seats: np.ndarray | None = None) -> np.ndarray:
        """What the given seats, or those to act, observe: games x numbers (see engine/observation.py), by sight or by knowledge."""
        out = np.zeros((len(self), self.game.layout.width), self.game.layout.dtype)
        mode = {"sight": SIGHT, "knowledge": KNOWLEDGE}[observe]
        who, recall = self.seats() if seats is None else seats, np.zeros((1, 2), np.int16)
        self.game.tables.rows_of(self.states, who, mode, recall, out, out.view(np.int64))
        return out

    def reset(self, where: np.ndarray | None = None) -> None:
        """Begin games anew: all, or those that are marked, such as `batch.acting() == 0`; their streams go on."""
        some = np.ones(len(self), np.bool_) if where is None else np.asarray(where)
        fresh = np.zeros(int(some.sum()), self.game.state.dtype)
        self._loops.set_up(fresh, numbers(self.game.options, self.options))
        self.states[some] = fresh
        self._loops.let_chance(self.states, self._streams)

    def view(self, i: int, seat: int) -> np.ndarray:
        """What a seat of game i sees: a masked record."""
        return self.game.state.masked(self.states[i : i + 1].reshape(()), seat, ever=False)

    def knowledge(self, i: int, seat: int) -> np.ndarray:
        """What a seat of game i has ever been shown: a masked record."""
        return self.game.state.masked(self.states[i : i + 1].reshape(()), seat, ever=True)
