"""Environments, matches and games are copied and pickled, and a copy goes on by itself."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest

import skerry
from skerry.envs.batch import Batch
from skerry.envs.config import prepare
from skerry.envs.gymnasium import SkerryEnv
from skerry.envs.open_spiel import short_name
from skerry.envs.pettingzoo import env as aec_env
from skerry.envs.pettingzoo import parallel_env

Copy = Callable[[Any], Any]


def through_pickle(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


both_ways = pytest.mark.parametrize("copied", [copy.deepcopy, through_pickle], ids=["deepcopy", "pickle"])


@both_ways
def test_a_game_of_gymnasium(game: skerry.Game, copied: Copy) -> None:
    one = SkerryEnv(game.name, seats=("me", game.bots[0]))
    seen, _ = one.reset(seed=3)
    for _ in range(5):
        seen, *_ = one.step(np.flatnonzero(seen["action_mask"])[-1])
    two = copied(one)
    for _ in range(5):
        action = np.flatnonzero(seen["action_mask"])[0]
        seen, reward, *over, info = one.step(action)
        other, other_reward, *other_over, other_info = two.step(action)
        assert (seen["observation"] == other["observation"]).all() and info == other_info
        assert (reward, over) == (other_reward, other_over)
        if any(over):
            break
    assert two.config == one.config


@both_ways
def test_many_games_of_gymnasium(game: skerry.Game, copied: Copy) -> None:
    one: Any = gymnasium.make_vec(f"skerry/{game.name}-v{game.version}", 3)
    one.reset(seed=3)
    for _ in range(5):
        one.step(one.sample())
    two = copied(one)
    for _ in range(10):
        actions = one.sample()
        assert (two.sample() == actions).all()
        assert (one.step(actions)[0]["observation"] == two.step(actions)[0]["observation"]).all()


@both_ways
def test_agents_of_pettingzoo(game: skerry.Game, copied: Copy) -> None:
    one = aec_env(game.name, players=2)
    one.reset(seed=3)
    one.step(int(np.flatnonzero(one.observe(one.agent_selection)["action_mask"])[-1]))
    two = copied(one)
    assert two.agent_selection == one.agent_selection
    two.step(int(np.flatnonzero(two.observe(two.agent_selection)["action_mask"])[0]))
    assert (one.state() != two.state()).any(), "the copy plays another game than the original"


@both_ways
def test_simultaneous_agents_of_pettingzoo(copied: Copy) -> None:
    one = parallel_env("hashi", players=2)
    seen, _ = one.reset(seed=3)
    two = copied(one)
    actions = {agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in one.agents}
    first, second = one.step(actions)[0], two.step(actions)[0]
    assert all((first[agent]["observation"] == second[agent]["observation"]).all() for agent in first)


@both_ways
def test_a_match_with_its_steps(game: skerry.Game, copied: Copy) -> None:
    match = game.configure({}).new(seed=5)
    for _ in range(8):
        match.play(match.waiting[0], match.legal(match.waiting[0])[0])
    other = copied(match)
    assert other.content == match.content and other.record() == match.record() and other.game is match.game
    assert other.variant == match.variant and other.events(None) == match.events(None)
    seat = other.waiting[0]
    other.play(seat, other.legal(seat)[-1])
    assert len(match.steps) == 8 and len(other.steps) == 9


@both_ways
def test_a_game_of_openspiel(game: skerry.Game, copied: Copy) -> None:
    one = pyspiel.load_game(short_name(game), {"players": 2, "limit": 77})
    two = copied(one)
    assert str(two) == str(one) and two.config == one.config and two.limit == 77


def test_a_fact_sheet_is_the_same_everywhere(game: skerry.Game) -> None:
    assert copy.copy(game) is copy.deepcopy(game) is through_pickle(game) is game


def test_a_fact_sheet_that_no_other_process_could_find(game: skerry.Game) -> None:
    with pytest.raises(pickle.PicklingError, match="not the GAME of"):
        pickle.dumps(replace(game, title="Another"))


def test_a_batch_goes_back_to_a_state(game: skerry.Game) -> None:
    batch = Batch(prepare(game.name, ("me", "me"), limit=30), 4)
    batch.reset(np.arange(4, dtype=np.uint64))
    batch.step(batch.sample())
    state = batch.get_state()
    clone = batch.copy()
    played = []
    for _ in range(40):
        batch.step(batch.sample())
        played.append(batch.get_state())
    assert (clone.get_state() == state).all(), "a clone does not go on with the original"
    batch.set_state(state)
    for expected in played:
        for one in (batch, clone):
            one.step(one.sample())
            assert (one.get_state() == expected).all()


def test_a_state_of_other_games_is_refused() -> None:
    few, many = (Batch(prepare("hashi", ("me", "me")), count) for count in (1, 2))
    with pytest.raises(skerry.BadOption, match="not a state of 2 such games"):
        many.set_state(few.get_state())


def test_an_environment_looks_ahead_and_back(game: skerry.Game) -> None:
    env = SkerryEnv(game.name)
    _, before = env.reset(seed=1)
    state, legal = env.get_state(), list(env.legal_actions())
    after = []
    for action in legal[:3]:
        env.set_state(state)
        after.append(env.step(action)[0]["observation"])
    seen, info = env.set_state(state)
    assert list(env.legal_actions()) == legal and info == before
    assert all((one != seen["observation"]).any() for one in after)
