"""Weights in files: for any number of players, and for some their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from skerry.bots import default_policy
from skerry.bots.policy_net import policy_net_of
from skerry.bots.rollout_pool import RolloutPool
from skerry.bots.value_net import value_net_of
from skerry.bots.weights import NetWeights
from skerry.games import find_game


def test_where_a_number_of_players_has_learnt_for_itself_it_goes_by_that() -> None:
    common, own = np.zeros(3), np.ones(3)
    weights = NetWeights(common, {2: own})
    assert weights[2] is own
    assert weights[3] is common and weights[4] is common
    assert list(weights) == [common, own]


@pytest.mark.parametrize("learnt", [value_net_of, policy_net_of])
def test_two_on_the_island_have_learnt_for_themselves(learnt: Callable[..., Any]) -> None:
    weights = learnt(find_game("forbidden-island")).weights
    assert set(weights.own) == {2}
    assert len(weights[2]) == len(weights[3]) and (weights[2] != weights[3]).mean() > 0.5


def test_imagined_players_are_handed_what_belongs_to_their_number() -> None:
    game = find_game("forbidden-island")
    judgement, instinct = value_net_of(game), policy_net_of(game)
    assert judgement is not None and instinct is not None
    cores = RolloutPool(game, default_policy(game), 1)
    for players in game.seats:
        expected = [*judgement.weights[players], *instinct.weights[players]]
        assert cores.weights[players].tolist() == expected
