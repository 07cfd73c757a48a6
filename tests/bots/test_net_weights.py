"""Trained weights: common ones, and those of one number of players."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from skerry.bots import default_policy
from skerry.bots.net_weights import NetWeights
from skerry.bots.policy_net import PolicyNet, policy_net_of
from skerry.bots.rollout_pool import RolloutPool
from skerry.bots.value_net import ValueNet, value_net_of
from skerry.engine.game import Game
from skerry.games import find_game

ISLAND = find_game("forbidden-island")


def test_weights_of_a_number_of_players_take_precedence_over_the_common_ones() -> None:
    common, two_players = np.zeros(3), np.ones(3)
    weights = NetWeights(common, {2: two_players})
    assert weights[2] is two_players
    assert weights[3] is common and weights[4] is common
    assert list(weights) == [common, two_players]


@pytest.mark.parametrize("net_of", [value_net_of, policy_net_of])
def test_the_island_has_weights_for_two_players(net_of: Callable[[Game], ValueNet | PolicyNet]) -> None:
    weights = net_of(ISLAND).weights
    assert set(weights.by_players) == {2}
    assert len(weights[2]) == len(weights[3]) and (weights[2] != weights[3]).mean() > 0.5


def test_rollouts_use_the_weights_of_their_number_of_players() -> None:
    value_net, policy_net = value_net_of(ISLAND), policy_net_of(ISLAND)
    assert value_net is not None and policy_net is not None
    pool = RolloutPool(ISLAND, default_policy(ISLAND), 1)
    for players in ISLAND.seats:
        expected = [*value_net.weights[players], *policy_net.weights[players]]
        assert pool.weights[players].tolist() == expected
