"""The rewards of finished games."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry.engine.kernel import kernel_array
from skerry.envs.config import prepare
from skerry.envs.rewards import MARGIN, SCORE, TEAM_RESULT, ZERO_SUM_RESULT, compute_rewards


def rewards_of(scheme: int, scores: list[float], won: int = 0) -> list[float]:
    rewards = np.zeros(len(scores))
    compute_rewards(scheme, won, kernel_array(np.array(scores)), kernel_array(rewards))
    return [round(reward, 6) for reward in rewards.tolist()]


def test_a_team_wins_or_loses_together() -> None:
    assert rewards_of(TEAM_RESULT, [1, 1, 1], won=1) == [1, 1, 1]
    assert rewards_of(TEAM_RESULT, [0, 0], won=0) == [-1, -1]


@pytest.mark.parametrize(
    ("scores", "rewards"),
    [
        ([5, 3], [1, -1]),
        ([4, 4], [0, 0]),
        ([1, 9, 2], [-0.5, 1, -0.5]),
        ([-2, -2, -7], [0.25, 0.25, -0.5]),
        ([0, 0, 0, 1], [-0.333333, -0.333333, -0.333333, 1]),
    ],
)
def test_against_others_the_sum_is_nothing(scores: list[float], rewards: list[float]) -> None:
    assert rewards_of(ZERO_SUM_RESULT, scores) == rewards


def test_score_and_margin() -> None:
    assert rewards_of(SCORE, [31, 27, 40]) == [31, 27, 40]
    assert rewards_of(MARGIN, [31, 27, 40]) == [-9, -13, 9]
    assert rewards_of(MARGIN, [-3, -5]) == [2, -2]


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("hashi", {"players": 1, "reward": "result"}, "nobody to beat"),
        ("hashi", {"reward": "glory"}, "no reward 'glory'; there are result, score, margin"),
        ("forbidden-island", {"reward": "margin"}, "team has one score"),
        ("hashi", {"seats": ("me", "genius")}, "no bot 'genius'"),
        ("hashi", {"seats": "skilled,novice"}, "ne seat at least is 'me'"),
        ("hashi", {"seats": ("me", "expert")}, "how many rollouts the expert plays for a decision"),
        ("hashi", {"seats": ("me",), "players": 2}, "1 seats for 2 players"),
        ("hashi", {"limit": -1}, "imit takes a number of decisions"),
        ("hashi", {"colour": "red"}, "option colour"),
    ],
)
def test_what_is_refused(name: str, options: dict[str, object], reason: str) -> None:
    with pytest.raises(skerry.BadOption, match=reason):
        prepare(name, **options)  # type: ignore[arg-type]


def test_who_sits_where_by_default() -> None:
    assert prepare("forbidden-island", players=3).seats == ("me", "me", "me")
    assert prepare("cartagena", players=2).seats == ("me", "skilled")
    assert prepare("hashi", players=1).seats == ("me",)
    assert prepare("hashi", players=1).reward == "score"
    assert prepare("hashi", seats="me, random, me").variant.players == 3


def test_no_game_has_an_option_that_an_environment_takes(game: skerry.Game) -> None:
    ours = {
        "game",
        "num_envs",
        "seats",
        "reward",
        "limit",
        "forced",
        "autoreset_mode",
        "copy",
        "threads",
        "render_mode",
    }
    assert not ours & {option.name for option in game.options}
