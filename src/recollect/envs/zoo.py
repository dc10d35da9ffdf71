"""The games as PettingZoo environments: one after the other (AEC), or all at once (parallel) where a phase is simultaneous."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv

from recollect.engine.game import Game
from recollect.envs.table import Table, shown, space_of


class Seats:
    """What both kinds share: names of seats, spaces, seeds, sketches."""

    def __init__(self, game: Game, options: dict[str, Any], observe: str, flat: bool, reward: str, compiled: bool, render_mode: str | None):
        self.game, self.flat, self.render_mode = game, flat, render_mode
        self.table = Table(game, game.settle(options), observe, reward, compiled)
        self.metadata = {"name": f"recollect_{game.name}_v0", "render_modes": ["human", "ansi"], "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.players)]
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        mask = Box(0, 1, (game.actions.count,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": space_of(game, flat), "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(game.actions.count) for agent in self.possible_agents}
        self.random = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def begin(self, seed: int | None) -> None:
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.table.reset(int(self.random.integers(2**31)))
        self.agents = self.possible_agents[:]

    def looked(self, agent: str) -> dict[str, Any]:
        """What a seat observes, and its mask beside it."""
        seat = self.seat_of[agent]
        return {"observation": shown(self.game, self.table.row(seat), self.flat), "action_mask": self.table.mask(seat)}

    def drawn(self, agent: str) -> str | None:
        """The sketch of what a seat sees: printed, or handed back."""
        text = self.table.sketch(self.seat_of[agent])
        if self.render_mode == "human":
            print(text)
            return None
        return text


class Aec(Seats, AECEnv):
    """One seat at a time; in a simultaneous phase the lowest of those asked."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.table.acting[0]]

    def observe(self, agent: str) -> dict[str, Any]:
        return self.looked(agent)

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.table.play(self.seat_of[agent], -1 if action is None else int(action))
        self.rewards = dict(zip(self.possible_agents, self.table.rewards().tolist(), strict=True))
        if self.table.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.table.acting[0]]
        self._accumulate_rewards()

    def render(self) -> str | None:
        return self.drawn(self.agent_selection)

    def close(self) -> None: ...

    def __str__(self) -> str:
        return str(self.metadata["name"])


class Parallel(Seats, ParallelEnv):
    """All seats at once: those asked act, in their order, and what the others say is not heard.
    What is not legal, or was made impossible by another in the same step, is not carried out; its seat is asked again."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        self.begin(seed)
        return self._all_look(), self._infos()

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        for seat in self.table.acting:
            action = int(actions[self.possible_agents[seat]])
            if self.table.mask(seat)[action]:
                self.table.play(seat, action)
        rewards = dict(zip(self.agents, self.table.rewards().tolist(), strict=True))
        over = dict.fromkeys(self.agents, self.table.over)
        result = self._all_look(), rewards, over, dict.fromkeys(self.agents, False), self._infos()
        if self.table.over:
            self.agents = []
        return result

    def _all_look(self) -> dict[str, Any]:
        return {agent: self.looked(agent) for agent in self.agents}

    def _infos(self) -> dict[str, Any]:
        """Who is asked now."""
        acting = self.table.acting
        return {agent: {"asked": self.seat_of[agent] in acting} for agent in self.agents}

    def render(self) -> str | None:
        return self.drawn(self.possible_agents[self.table.acting[0] if self.table.acting else 0])

    def close(self) -> None: ...
