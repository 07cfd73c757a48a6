"""PettingZoo's own suite, and how its agents get on with the rules."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import skerry
from random_agent import play_game
from skerry.envs.pettingzoo import env, raw_env

# The suite knows by name which of PettingZoo's own games give a dictionary, and warns for all others; and it looks at
# the mask of an agent whose game is over, which is empty.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:.* has no option 'options'"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings(r"ignore:Action mask numpy array is all zeros \(no legal actions\)"),
]


def test_the_api_at_every_number_of_players(game: skerry.Game) -> None:
    for players in game.seats:
        api_test(env(game.name, players=players), num_cycles=100)


def test_the_api_with_a_limit_and_another_reward(game: skerry.Game) -> None:
    api_test(env(game.name, limit=12, reward="score", forced=True), num_cycles=50)


def test_seeds(game: skerry.Game) -> None:
    for players in (game.seats[0], game.seats[-1]):
        seed_test(functools.partial(env, game.name, players=players), num_cycles=60)


def test_the_result_is_a_team_s_or_adds_up_to_nothing(game: skerry.Game) -> None:
    got = play_game(env(game.name, players=game.seats[-1], limit=0), seed=2)
    assert len(got) == game.seats[-1]
    if game.cooperative:
        assert set(got.values()) in ({1.0}, {-1.0})
    else:
        assert max(got.values()) > 0 and abs(sum(got.values())) < 1e-6


def test_who_watches_reads_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    table = env("hashi", players=2, render_mode="human")
    table.reset(seed=1)
    assert "Waiting for 2 of 2 players" in capsys.readouterr().out
    table.step(int(np.flatnonzero(table.observe(table.agent_selection)["action_mask"])[0]))
    assert "Waiting for" in capsys.readouterr().out and table.render() is None
    with pytest.raises(skerry.BadOption, match="there is 'ansi', 'human', 'rgb_array'"):
        env("hashi", render_mode="depth_array")


def test_a_seed_that_is_too_large() -> None:
    with pytest.raises(skerry.BadOption, match="a whole number from 0 to 2"):
        env("hashi").reset(seed=2**64)


def test_only_who_is_asked_has_a_mask(game: skerry.Game) -> None:
    table = raw_env(game.name, players=2)
    table.reset(seed=1)
    for agent in table.agents:
        assert table.observe(agent)["action_mask"].any() == (agent == table.agent_selection)


def test_an_illegal_action_ends_the_game(game: skerry.Game) -> None:
    table = env(game.name, players=2)
    table.reset(seed=1)
    culprit = table.agent_selection
    table.step(int(np.flatnonzero(table.observe(culprit)["action_mask"] == 0)[0]))
    assert all(table.terminations.values()) and table.rewards == {
        agent: -1.0 if agent == culprit else 0.0 for agent in table.agents
    }


def test_a_picture() -> None:
    table = env("hashi", render_mode="ansi")
    table.reset(seed=1)
    assert "Waiting for 2 of 2 players" in table.render()
