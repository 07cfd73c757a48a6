"""The value network of the solo game: its certain points, and the greedy policy that follows it."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.bots.value_net import ValueNet, value_net_of
from skerry.engine.kernel import kernel_array
from skerry.engine.match import Match
from skerry.games.hashi import GAME
from skerry.games.hashi.bot.state_features import write_state_features
from skerry.games.hashi.rules.actions import CONFIRM, ERASE, REMOVE
from skerry.lab.simulate import Series, simulate

GAMES = 40


def value_net() -> ValueNet:
    net = value_net_of(GAME)
    assert net is not None
    return net


def greedy_action(match: Match) -> int:
    """The choice of the greedy policy by the value network, which must leave the state as it was."""
    net = value_net()
    assert net.greedy is not None
    legal = kernel_array(np.zeros(GAME.actions.size + 1, np.int16))
    count = GAME.rules.legal(match.state, 0, legal)
    scratch = kernel_array(np.zeros(net.shape.scratch_size))
    before = match.content
    index = net.greedy(match.state, 0, legal, count, kernel_array(net.weights[1]), scratch)
    assert match.content == before
    return int(legal[index])


def certain_points(match: Match) -> float:
    return float(write_state_features(match.state, kernel_array(np.zeros(value_net().shape.scratch_size))))


@pytest.mark.parametrize("side", ["A", "B"])
def test_greedy_policy_by_value_beats_skilled_and_takes_nothing_back(side: str) -> None:
    variant = skerry.game("hashi", players=1, board=side)
    points = []
    for seed in range(GAMES):
        match = variant.new(seed=seed)
        while match.result is None:
            action = greedy_action(match)
            assert action != ERASE and action < REMOVE
            match.play(0, action)
        points.append(match.result.scores[0])
    skilled = simulate(Series(variant, ("skilled",), 400, 1)).scores[0] / 400
    assert np.mean(points) > skilled + 2


def test_certain_points_never_decrease_and_are_the_score_at_the_end() -> None:
    match = skerry.game("hashi", players=1).new(seed=2)
    before = 0.0
    while match.result is None:
        action = greedy_action(match)
        with_draft = certain_points(match)
        match.play(0, action)
        if action == CONFIRM and match.result is None:
            assert certain_points(match) == with_draft >= before  # bonuses that the draft earns count already
            before = with_draft
    assert match.result.scores[0] == with_draft
