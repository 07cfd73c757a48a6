"""The observation of a seat."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.engine.kernel import kernel_array
from skerry.games.hashi import GAME
from skerry.games.hashi.rules.components import BLUE, N_BONUSES, RED, SIX
from skerry.games.hashi.rules.state import OBSERVATION

from ..feature_digest import observation_digest
from .positions import Paper


def test_observations_have_not_changed() -> None:
    assert observation_digest(GAME) == "2705694ee82ff821"


def bonuses_late(paper: Paper) -> list[int]:
    observation = np.zeros(GAME.observation_size)
    GAME.rules.observe(paper.state, 0, kernel_array(observation))
    first = OBSERVATION.offset("bonus_late")
    return [bonus for bonus in range(N_BONUSES) if observation[first + bonus]]


@pytest.mark.rule("HA-40")
@pytest.mark.parametrize(("turn", "late"), [(7, []), (8, [BLUE]), (12, [BLUE]), (13, [RED, BLUE, SIX])])
def test_alone_full_points_are_gone_after_their_deadline(turn: int, late: list[int]) -> None:
    assert bonuses_late(Paper("1x1", turn=turn)) == late


@pytest.mark.rule("HA-30")
def test_with_others_full_points_are_gone_after_the_round_in_which_somebody_earned_them() -> None:
    paper = Paper("1x1", players=2, turn=13)
    assert bonuses_late(paper) == []
    paper.state.claimed = 1 << SIX
    assert bonuses_late(paper) == [SIX]
