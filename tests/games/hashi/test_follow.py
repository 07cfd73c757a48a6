"""Judging papers alone: what is sure stays so, and who goes by it plays better than by hand-written chances."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.bots.value_net import value_net_of
from skerry.engine.kernel import kernel_array
from skerry.engine.match import Match
from skerry.games.hashi import GAME
from skerry.games.hashi.bot.state_features import write_state_features
from skerry.games.hashi.rules.actions import CONFIRM, ERASE, REMOVE
from skerry.lab.simulate import Series, simulate

ORDERS = 40


def follow(match: Match) -> int:
    judgement = value_net_of(GAME)
    assert judgement is not None and judgement.greedy is not None
    legal = kernel_array(np.zeros(GAME.actions.size + 1, np.int16))
    count = GAME.rules.legal(match.state, 0, legal)
    desk = kernel_array(np.zeros(judgement.shape.scratch_size))
    before = match.content
    action = int(legal[judgement.greedy(match.state, 0, legal, count, kernel_array(judgement.weights[1]), desk)])
    assert match.content == before  # what was tried is taken back
    return action


def sure(match: Match) -> float:
    judgement = value_net_of(GAME)
    assert judgement is not None
    return float(write_state_features(match.state, kernel_array(np.zeros(judgement.shape.scratch_size))))


@pytest.mark.parametrize("side", ["A", "B"])
def test_who_goes_by_the_judgement_does_better_than_skilled_and_takes_nothing_back(side: str) -> None:
    variant = skerry.game("hashi", players=1, board=side)
    points = []
    for seed in range(ORDERS):
        match = variant.new(seed=seed)
        while match.result is None:
            action = follow(match)
            assert action != ERASE and action < REMOVE
            match.play(0, action)
        points.append(match.result.scores[0])
    skilled = simulate(Series(variant, ("skilled",), 400, 1)).scores[0] / 400
    assert np.mean(points) > skilled + 2


def test_what_is_sure_stays_so_and_is_all_in_the_end() -> None:
    match = skerry.game("hashi", players=1).new(seed=2)
    before = 0.0
    while match.result is None:
        action = follow(match)
        drafted = sure(match)
        match.play(0, action)
        if action == CONFIRM and match.result is None:
            assert sure(match) == drafted >= before  # bonuses of the draft are in it, and then scored
            before = drafted
    assert match.result.scores[0] == drafted
