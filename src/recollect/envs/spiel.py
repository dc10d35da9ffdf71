"""The games in OpenSpiel, through its Python game interface: explicit chance, information states, observations."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import numpy as np
import pyspiel

from recollect.engine.game import Game
from recollect.engine.shelf import load
from recollect.engine.stream import CHANCE
from recollect.envs.table import Table

LONGEST = 100_000  # actions; no game comes near it


@cache
def game_type(name: str) -> Any:
    """What OpenSpiel asks to know of a game before it is loaded. A simultaneous phase is played seat by seat."""
    game = load(name)
    counts = next((o.choices for o in game.options if o.name == "players"), (game.seats,))
    return pyspiel.GameType(
        short_name=f"recollect_{name}",
        long_name=game.texts("en")("name"),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM if 1 in counts else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(map(int, counts)),
        min_num_players=min(map(int, counts)),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={o.name: o.default for o in game.options},
    )


def register(name: str) -> type:
    """Make a game known to OpenSpiel."""
    kind = game_type(name)

    class Spiel(SpielGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(name, kind, params or {})

    pyspiel.register_game(kind, Spiel)
    return Spiel


class SpielGame(pyspiel.Game):
    """A game with its options."""

    def __init__(self, name: str, kind: Any, params: dict[str, Any]) -> None:
        self.name = name
        self.options = self.rules.settle(params)
        players = self.rules.players(self.options)
        most = 1.0 if players > 1 else 1000.0  # alone, points
        sums = {"utility_sum": 0.0} if kind.utility == pyspiel.GameType.Utility.ZERO_SUM else {}
        about = {"min_utility": -most, "max_utility": most, **sums}
        count = self.rules.actions.count
        info = pyspiel.GameInfo(
            num_distinct_actions=count, max_chance_outcomes=count, num_players=players, max_game_length=LONGEST, **about
        )
        super().__init__(kind, info, params)

    @property
    def rules(self) -> Game:
        """By name: a game that OpenSpiel copies or sends away holds no modules."""
        return load(self.name)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SpielState(pyspiel.State):
    """A state: a record, and for each seat a digest of all that it has seen."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.name = game.name
        self.players = game.rules.players(game.options)
        self.record = game.rules.start(game.options)
        self.seen = ["" for _ in range(self.players)]

    @property
    def rules(self) -> Game:
        return load(self.name)

    @property
    def state(self) -> Any:
        return self.rules.state.open(self.record)

    def current_player(self) -> int:
        acting = self.rules.acting(self.state)
        if not acting:
            return int(pyspiel.PlayerId.TERMINAL)
        return pyspiel.PlayerId.CHANCE if CHANCE in acting else min(acting)

    def _legal_actions(self, player: int) -> list[int]:
        return self.rules.legal(self.state, player) if player >= 0 else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        odds = self.rules.odds(self.state)
        total = sum(odds)
        return [(action, weight / total) for action, weight in enumerate(odds) if weight]

    def _apply_action(self, action: int) -> None:
        player = self.current_player()
        self.rules.rules.apply(self.state, CHANCE if player == pyspiel.PlayerId.CHANCE else player, action)
        for seat in range(self.players):
            own = str(action) if seat == player else ""
            view = self.rules.view(self.record, seat).record.tobytes()
            self.seen[seat] = hashlib.blake2b(self.seen[seat].encode() + own.encode() + b"|" + view, digest_size=16).hexdigest()

    def _action_to_string(self, player: int, action: int) -> str:
        return self.rules.actions.notation(action)

    def is_terminal(self) -> bool:
        return not self.rules.acting(self.state)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.players
        standing = self.rules.standing(self.state, self.players)
        if self.players == 1:
            return [float(standing.scores[0])]
        rank = standing.ranking
        return [sum((other > mine) - (other < mine) for other in rank) / (self.players - 1) for mine in rank]

    def information_state_string(self, player: int | None = None) -> str:
        """What the seat knows, and a digest of the way there: two states share it only if the seat has seen and done the same."""
        seat = self.current_player() if player is None else player
        return f"seat {seat} {self.rules.knowledge(self.record, seat)} after {self.seen[seat]}"

    def __str__(self) -> str:
        return f"{self.rules.name} {self.history()}"


class Observer:
    """The row of numbers of a seat: with perfect recall what it knows, else what lies in its sight."""

    def __init__(self, game: SpielGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters; given: {params}")
        self.recalls = kind.perfect_recall
        self.table = Table(game.rules, game.options, "knowledge" if self.recalls else "sight")
        self.tensor = np.zeros(game.rules.layout.width, np.float32)
        self.dict = game.rules.layout.named(self.tensor)

    def set_from(self, state: SpielState, player: int) -> None:
        self.table.record[0] = state.record
        self.tensor[:] = self.table.row(player)

    def string_from(self, state: SpielState, player: int) -> str:
        if self.recalls:
            return state.information_state_string(player)
        return f"seat {player} {state.rules.view(state.record, player)}"
