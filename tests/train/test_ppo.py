"""Training with PPO, in small. Needs the extra ``train``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from skerry.bots.policy_net import policy_net_of
from skerry.bots.value_net import value_net_of
from skerry.engine.game import Game
from skerry.games import find_game
from skerry.train.settings import PPOSettings

ISLAND = find_game("forbidden-island")


def small_settings(out: Path) -> PPOSettings:
    return PPOSettings(vary=("players=2",), games=64, horizon=16, minibatches=2, threads=1, out=out)


def assert_weights_fit(game: Game, folder: Path) -> None:
    """The bots could play with the weights in this folder."""
    value_net, policy_net = value_net_of(game), policy_net_of(game)
    assert value_net is not None and policy_net is not None
    sizes = {"value.npy": value_net.shape.weight_count, "policy.npy": policy_net.shape.weights.size}
    for name, size in sizes.items():
        weights = np.load(folder / name)
        assert len(weights) == size and np.isfinite(weights).all()


@pytest.mark.slow
def test_ppo_imitates_then_improves_and_resumes(tmp_path: Path) -> None:
    from skerry.train.ppo import train

    lines: list[str] = []
    train(ISLAND, replace(small_settings(tmp_path), imitate=2, updates=3), lines.append)
    assert lines[0].startswith("update 3")
    assert (tmp_path / "log.csv").read_text().startswith("update,seconds,games,won,imitation,error,entropy")
    assert_weights_fit(ISLAND, tmp_path)
    before = np.load(tmp_path / "policy.npy")
    train(ISLAND, replace(small_settings(tmp_path), resume=tmp_path, updates=2), lines.append)
    assert_weights_fit(ISLAND, tmp_path)
    assert (np.load(tmp_path / "policy.npy") != before).any()


@pytest.mark.slow
def test_advantages_sum_discounted_errors_up_to_the_end_of_a_game() -> None:
    import torch

    from skerry.train.ppo import PPOTrainer, RolloutStep
    from skerry.train.rollout_env import LOST, RUNNING, WON

    trainer = PPOTrainer(ISLAND, replace(small_settings(Path()), games=2, gae_lambda=0.5))
    trainer.start_games(imitation=False)
    features = torch.as_tensor(trainer.env.buffers.state_features)[:, : trainer.env.state_feature_count]
    after = trainer.value(features).detach()
    nothing = torch.empty(0)

    def step(values: list[float], outcomes: list[int]) -> RolloutStep:
        return RolloutStep(nothing, nothing, nothing, nothing, torch.tensor(values), torch.tensor(outcomes))

    steps = [step([0.5, 0.4], [RUNNING, RUNNING]), step([0.6, 0.3], [WON, RUNNING]), step([0.2, 0.1], [RUNNING, LOST])]
    advantages = trainer.advantages(steps).view(3, 2)
    first_game = [0.1 + 0.5 * 0.4, 0.4, float(after[0]) - 0.2]
    second_game = [-0.1 + 0.5 * (-0.2 + 0.5 * -0.1), -0.2 + 0.5 * -0.1, -0.1]
    assert advantages[:, 0].tolist() == pytest.approx(first_game)
    assert advantages[:, 1].tolist() == pytest.approx(second_game)


@pytest.mark.slow
def test_sampled_actions_follow_the_policy() -> None:
    import torch

    from skerry.train.decisions import DecisionBatch
    from skerry.train.ppo import sample

    torch.manual_seed(1)
    counts = torch.tensor([2, 3]).repeat(10_000)
    actions = int(counts.sum())
    batch = DecisionBatch(torch.zeros(len(counts), 1), counts, counts, torch.zeros(actions), torch.zeros(actions, 1))
    log_probs = torch.tensor([0.9, 0.1, 0.2, 0.3, 0.5]).log().repeat(10_000)
    choices = sample(log_probs, batch).view(-1, 2)
    assert (choices[:, 0] == 0).float().mean() == pytest.approx(0.9, abs=0.02)
    assert torch.bincount(choices[:, 1]).tolist() == pytest.approx([2000, 3000, 5000], abs=200)
