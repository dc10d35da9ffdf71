"""The adapters pass the test suites of those they adapt to, for every game and number of players."""

from __future__ import annotations

import random

import numpy as np
import pytest

import recollect
from recollect.engine.stream import sow
from recollect.envs.table import Table

gymnasium = pytest.importorskip("gymnasium", reason="environments need Gymnasium: pip install 'recollect[envs]'")
import recollect.envs  # noqa: E402

TABLES = [(name, int(n)) for name in recollect.game_names() for o in recollect.load(name).options if o.name == "players" for n in o.choices]
each_table = pytest.mark.parametrize(("name", "players"), TABLES, ids=[f"{name}-{n}" for name, n in TABLES])
pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably",
    "ignore:Action mask numpy array is all zeros",
)


@each_table
def test_pettingzoo_one_after_the_other(name: str, players: int, capsys):
    test = pytest.importorskip("pettingzoo.test", reason="pip install 'recollect[envs]'")
    for observe in ("sight", "capacity-4"):
        test.api_test(recollect.envs.pettingzoo(name, players=players, observe=observe), num_cycles=150)
    test.seed_test(lambda: recollect.envs.pettingzoo(name, players=players), num_cycles=60)
    test.render_test(lambda render_mode: recollect.envs.pettingzoo(name, players=players, render_mode=render_mode))


@each_table
def test_pettingzoo_all_at_once(name: str, players: int):
    test = pytest.importorskip("pettingzoo.test", reason="pip install 'recollect[envs]'")
    test.parallel_api_test(recollect.envs.parallel(name, players=players, observe="knowledge"), num_cycles=150)
    test.parallel_seed_test(lambda: recollect.envs.parallel(name, players=players), num_cycles=60)


def test_a_simultaneous_phase_is_played_at_once():
    env = recollect.envs.parallel("vivid", players=3)
    rng, together = random.Random(1), 0
    rows, infos = env.reset(seed=1)
    while env.agents:
        together += sum(info["asked"] for info in infos.values()) > 1
        legal = {agent: np.flatnonzero(row["action_mask"]).tolist() or [0] for agent, row in rows.items()}
        rows, _, _, _, infos = env.step({agent: rng.choice(actions) for agent, actions in legal.items()})
    assert together > 10, "Reflect asks several seats"


@each_table
def test_gymnasium_one_seat(name: str, players: int, capsys):
    from gymnasium.utils.env_checker import check_env

    for flat in (True, False):
        env = gymnasium.make(f"recollect/{name}-v0", players=players, seat=players - 1, flat=flat, render_mode="ansi")
        check_env(env.unwrapped)


def test_one_seat_plays_against_chosen_minds_to_the_end():
    env = gymnasium.make("recollect/memoarrr-v0", players=3, opponents=["sensible", "random"], observe="knowledge")
    lost = 0
    for seed in range(6):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        lost += reward < 1
    assert lost >= 5, "who remembers beats who does not"


def test_what_is_not_legal_loses():
    env = gymnasium.make("recollect/ptibapt-v0")
    _, info = env.reset(seed=1)
    _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, over, info["illegal"]) == (-1, True, True)


@pytest.mark.compiled
@pytest.mark.parametrize("observe", ["sight", "knowledge", "capacity-4"])
@pytest.mark.parametrize("name", recollect.game_names())
def test_many_games_at_once_are_the_games_one_by_one(name: str, observe: str):
    """Every row, mask, reward and end, against a table of its own that draws from the same stream."""
    env, game = recollect.envs.vector(name, 3, observe=observe), recollect.load(name)
    rows, info = env.reset(seed=[11, 12, 13])
    tables = [Table(game, game.settle({}), observe) for _ in range(3)]
    for key, table in zip((11, 12, 13), tables, strict=True):
        table.reset(key)
    rng, ended = random.Random(4), 0
    for _ in range(200):
        for i, table in enumerate(tables):
            if not table.over:
                assert np.array_equal(rows[i], table.row(table.acting[0])) and np.array_equal(
                    info["action_mask"][i], table.mask(info["seat"][i])
                )
        actions = np.array([rng.choice(np.flatnonzero(mask).tolist() or [0]) for mask in info["action_mask"]])
        before, stood = [table.over for table in tables], info["seat"].copy()
        for table, seat, action in zip(tables, stood, actions, strict=True):
            if not table.over:
                table.play(int(seat), int(action))
        rows, rewards, over, _, info = env.step(actions)
        for i, table in enumerate(tables):
            if before[i]:  # this one began anew, from where its stream stood
                assert not over[i] and rewards[i] == 0
                table.record[0], table.log = env.states[i], []
                table._lit[:], table._recall[:] = env._lit[i], env._recall[i]
                table._stream[:] = env._streams[i]
                continue
            assert over[i] == table.over and rewards[i] == pytest.approx(table.rewards()[stood[i]])
            ended += table.over
    assert ended or name in ("vivid", "dejavu")


@pytest.mark.compiled
def test_many_games_refuse_what_is_not_legal_before_anything_is_played():
    env = recollect.envs.vector("memoarrr", 4)
    _, info = env.reset(seed=2)
    actions = info["action_mask"].argmax(axis=1)
    actions[2] = int(np.flatnonzero(info["action_mask"][2] == 0)[0])
    before = env.states.tobytes()
    with pytest.raises(ValueError, match=r"game 2: action .* nothing was played"):
        env.step(actions)
    assert env.states.tobytes() == before


@pytest.mark.compiled
def test_one_seat_of_many_games_is_asked_alone():
    env = gymnasium.make_vec("recollect/memoarrr-v0", num_envs=50, seat=1, vectorization_mode="vector_entry_point")
    rows, info = env.reset(seed=3)
    total, ends = 0.0, 0
    for _ in range(200):
        rows, rewards, over, _, info = env.step(info["action_mask"].argmax(axis=1))
        assert (info["seat"][~over] == 1).all() and (rows[:, 0] == 1).all()
        total, ends = total + rewards[over].sum(), ends + over.sum()
        assert (rewards[~over] == 0).all()
    assert ends > 100 and -ends < total < ends


@pytest.mark.compiled
@pytest.mark.parametrize("library", ["numpy", "torch", "jax.dlpack"])
def test_rows_and_masks_pass_on_without_a_copy(library: str):
    module = pytest.importorskip(library, reason=f"{library} is not installed", exc_type=ImportError)
    env = recollect.envs.vector("memoarrr", 8)
    rows, info = env.reset(seed=1)
    before, stream, actions = rows.copy(), np.zeros(1, np.int64), np.zeros(8, np.int64)
    sow(stream, 1)
    given = [module.from_dlpack(rows), module.from_dlpack(info["action_mask"])]
    env.step(env.random_actions(stream, actions))
    assert not np.array_equal(before, env.rows)
    assert all(np.array_equal(np.asarray(there), here) for there, here in zip(given, (env.rows, env.masks), strict=True))


@each_table
def test_openspiel(name: str, players: int):
    pyspiel = pytest.importorskip("pyspiel", reason="pip install 'recollect[envs]'")
    game = recollect.envs.openspiel(name, players=players)
    assert game.num_players() == players
    pyspiel.random_sim_test(game, num_sims=1, serialize=name in ("memoarrr", "ptibapt"), verbose=False)


def test_an_information_state_holds_what_the_seat_knows_and_no_more():
    pytest.importorskip("pyspiel", reason="pip install 'recollect[envs]'")
    rng = random.Random(5)
    state = recollect.envs.openspiel("memoarrr").new_initial_state()
    for _ in range(30):
        state.apply_action(rng.choice(state.legal_actions()))
    while not state.is_chance_node() or len(state.chance_outcomes()) < 2:
        state.apply_action(rng.choice(state.legal_actions()))
    other = state.clone()
    outcomes = [action for action, _ in state.chance_outcomes()]
    assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1)
    state.apply_action(outcomes[0])
    other.apply_action(outcomes[-1])
    assert state.information_state_string(0) != other.information_state_string(0), "a card was turned before all eyes"
    assert state.clone().information_state_string(1) == state.information_state_string(1)
