"""The games for researchers: PettingZoo, Gymnasium and OpenSpiel, over the same rules, in three classes of memory.

Importing this registers `recollect/memoarrr-v0` and so on with Gymnasium, where it is installed (`pip install 'recollect[envs]'`).
`observe` is `sight` (what lies open now), `knowledge` (perfect recall is given) or `capacity-k` (the last k exposures).
"""

from __future__ import annotations

import importlib.util
from typing import Any

from recollect.engine.shelf import games, load

__all__ = ["openspiel", "parallel", "pettingzoo", "vector"]


def _options(players: int | None, options: dict[str, Any]) -> dict[str, Any]:
    return options if players is None else {**options, "players": players}


def pettingzoo(
    game: str,
    players: int | None = None,
    observe: str = "sight",
    flat: bool = True,
    reward: str = "result",
    compiled: bool = False,
    render_mode: str | None = None,
    **options: Any,
) -> Any:
    """A game as a PettingZoo environment, seat after seat (AEC)."""
    from recollect.envs.zoo import Aec

    return Aec(load(game), _options(players, options), observe, flat, reward, compiled, render_mode)


def parallel(
    game: str,
    players: int | None = None,
    observe: str = "sight",
    flat: bool = True,
    reward: str = "result",
    compiled: bool = False,
    render_mode: str | None = None,
    **options: Any,
) -> Any:
    """A game as a PettingZoo environment, all seats at once: for phases in which several are asked."""
    from recollect.envs.zoo import Parallel

    return Parallel(load(game), _options(players, options), observe, flat, reward, compiled, render_mode)


def vector(game: str, num_envs: int, players: int | None = None, **more: Any) -> Any:
    """Many games at once as a Gymnasium vector environment, stepped inside compiled code."""
    from recollect.envs.gym import Many

    return Many(game, num_envs, **_options(players, more))


def openspiel(game: str, players: int | None = None, **options: Any) -> Any:
    """A game in OpenSpiel."""
    import pyspiel

    from recollect.envs.spiel import register

    if f"recollect_{game}" not in pyspiel.registered_names():
        register(game)
    return pyspiel.load_game(f"recollect_{game}", load(game).settle(_options(players, options)))


if importlib.util.find_spec("gymnasium"):
    import gymnasium

    for _name in games():
        gymnasium.register(
            f"recollect/{_name}-v0",
            entry_point="recollect.envs.gym:OneSeat",
            vector_entry_point="recollect.envs.gym:Many",
            kwargs={"game": _name},
            disable_env_checker=True,
        )
