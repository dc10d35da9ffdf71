"""A mind, and a mind in a seat: it follows the log, is told what its seat is shown, and answers from what it recalls."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from recollect.engine.game import Game
from recollect.engine.match import Entry, Match, Refused
from recollect.engine.options import Value
from recollect.engine.record import Opened
from recollect.engine.stream import CHANCE
from recollect.minds.memory import PERFECT, Model, luck_of
from recollect.minds.watching import Watch


class Mind(Protocol):
    """Who decides: from a knowledge of its seat, its legal actions and a stream of its own, and from nothing else.

    A mind that has a `memory` (see memory.py) is given the knowledge that it would have, had it seen only what it recalls."""

    name: str

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int: ...


class Random:
    """Any legal action, each as likely."""

    name = "random"

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        return rng.choice(legal)


@dataclass
class Recalling:
    """A player with a memory of its own."""

    name: str
    player: Mind
    memory: Model

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        return self.player.choose(k, seat, legal, rng)

    def __getattr__(self, name: str) -> Any:  # whatever else its player can do
        return getattr(self.player, name)


class Seated:
    """A mind in a seat of one match. All it needs is the log: after a restart or an undo its memory is built again, and is the same."""

    def __init__(self, game: Game, options: Mapping[str, Value], seat: int, mind: Mind, seed: str = "") -> None:
        self.seat, self.mind = seat, mind
        self.seed = f"{seed} {seat} {mind.name}"
        self.watch = Watch(game, options, seat, getattr(mind, "memory", PERFECT))

    def choose(self, log: Sequence[Entry]) -> int:
        """What it does after this log; an answer that is none of those it may give is refused."""
        self.watch.follow(log)
        k, seat, legal, rng = self.asked()
        action = self.mind.choose(k, seat, list(legal), rng)
        if action not in legal:
            raise Refused(f"{self.mind.name} chose {self.watch.game.actions.notation(action)!r}, which is not legal")
        return action

    def follow(self, log: Sequence[Entry]) -> Opened:
        """It watches what was done: how the match stands, which is for the rules alone."""
        self.watch.follow(log)
        return self.watch.state

    def asked(self) -> tuple[Opened, int, list[int], random.Random]:
        """What the mind is given: its luck is keyed by its own seed and the place in the log, never by a clock."""
        watch = self.watch
        legal = watch.game.legal(watch.state, self.seat)
        return watch.recalled(luck_of(self.seed)), self.seat, legal, random.Random(f"{self.seed} {len(watch.log)}")


def play_out(match: Match, players: Sequence[Mind], seed: str = "") -> None:
    """Minds play a match to its end, each from a memory of its own."""
    seats = [Seated(match.game, match.options, seat, mind, seed) for seat, mind in enumerate(players)]
    while not match.over:
        seat = min(match.acting - {CHANCE})
        match.play(seat, seats[seat].choose(match.log))
