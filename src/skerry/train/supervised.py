"""Trains a value network from finished games: which positions were won in the end.

The games are those of the game's own best policy or, in rounds, of the expert with the network trained so far.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from skerry.bots.feature_modules import state_features_of
from skerry.bots.value_net import NAME, value_net_of
from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.messages import say
from skerry.train.feature_extraction import FeatureExtractor, weights_folder
from skerry.train.labelled_positions import LabelledPositions, best_policy_games, expert_games
from skerry.train.networks import ValueNetModule
from skerry.train.settings import Report, SupervisedSettings
from skerry.train.variants import describe, encode_variants, training_variants

EXTRACTED_TOGETHER = 1 << 17  # positions whose features are in memory at once
VALIDATION_SHARE = 50  # one position in 50 is held out


class SupervisedTrainer:
    """A value network in training."""

    def __init__(self, game: Game, device: str, threads: int) -> None:
        self.device = device
        self.extractor = FeatureExtractor(game, threads)
        self.net = ValueNetModule(self.extractor.shape).to(device)

    def fit(self, positions: LabelledPositions, settings: SupervisedSettings, report: Report) -> None:
        """Some epochs over all positions but a few, which are held out for validation."""
        count = len(positions.targets)
        order = np.random.default_rng(count).permutation(count)
        held_out, order = np.split(order, [count // VALIDATION_SHARE])
        optimizer = torch.optim.Adam(self.net.parameters(), lr=settings.learning_rate)
        steps = settings.epochs * -(-len(order) // settings.batch_size)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, settings.learning_rate, total_steps=steps + 1)
        for epoch in range(settings.epochs):
            for start in range(0, len(order), EXTRACTED_TOGETHER):
                part = order[start : start + EXTRACTED_TOGETHER]
                inputs, targets = self._inputs(positions, part), self._targets(positions, part)
                for batch_rows in torch.arange(len(part), device=self.device).split(settings.batch_size):
                    loss = self._loss(inputs[batch_rows], targets[batch_rows])
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
                    schedule.step()
            np.random.default_rng(epoch).shuffle(order)
            report(f"  epoch {epoch + 1}: validation loss {self.validation_loss(positions, held_out):.4f}")

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def validation_loss(self, positions: LabelledPositions, held_out: NDArray[Any]) -> float:
        return float(self._loss(self._inputs(positions, held_out), self._targets(positions, held_out)))

    def _loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        return nn.functional.binary_cross_entropy(self.net(inputs).clamp(1e-4, 1 - 1e-4), targets)

    def _inputs(self, positions: LabelledPositions, part: NDArray[Any]) -> Tensor:
        return torch.from_numpy(self.extractor.extract(positions.states[part]).inputs).to(self.device)

    def _targets(self, positions: LabelledPositions, part: NDArray[Any]) -> Tensor:
        return torch.from_numpy(positions.targets[part]).float().to(self.device)


def train(game: Game, settings: SupervisedSettings, report: Report) -> None:
    """Train a value network and save its weights after each round."""
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)
    if settings.rollout_turns:
        state_features_of(game).ROLLOUT_TURNS = settings.rollout_turns
    trainer = SupervisedTrainer(game, settings.device, settings.threads)
    if settings.weights:
        trainer.net.load_flat_weights(np.load(settings.weights))
    if settings.rounds:
        _train_on_expert(game, trainer, settings, report)
    else:
        _train_on_best_policy(game, trainer, settings, report)


def _train_on_best_policy(game: Game, trainer: SupervisedTrainer, settings: SupervisedSettings, report: Report) -> None:
    start = time.perf_counter()
    options = encode_variants(game, training_variants(game, settings.vary))
    positions = best_policy_games(game, options, settings.games, settings.seed, settings.threads)
    won = 100 * positions.targets.mean()
    report(f"{len(positions.targets):,} positions, {won:.1f} % of them won, {time.perf_counter() - start:.0f} s")
    trainer.fit(positions, settings, report)
    _save(game, trainer, settings)


def _train_on_expert(game: Game, trainer: SupervisedTrainer, settings: SupervisedSettings, report: Report) -> None:
    """Rounds in which the expert plays with the network trained so far; each adds to what is learnt from."""
    network = value_net_of(game)
    if network is None:
        raise Refusal(say("{title} has no value network yet: train one with --rounds 0 first", title=game.title))
    start = time.perf_counter()
    positions: list[LabelledPositions] = []
    for number in range(settings.rounds):
        for weights in network.weights:
            weights[:] = trainer.net.flat_weights()
        report(f"round {number + 1}")
        positions += _play_round(game, settings, settings.seed * 1000 + number, report)
        trainer.fit(LabelledPositions.concatenate(positions), settings, report)
        _save(game, trainer, settings)
        report(f"  {time.perf_counter() - start:.0f} s")


def _play_round(game: Game, settings: SupervisedSettings, seed: int, report: Report) -> list[LabelledPositions]:
    """The expert's games in every variant."""
    variants = training_variants(game, settings.vary)
    found = []
    for options in variants:
        played = expert_games(game.configure(options), settings.rollouts, settings.games // len(variants), seed)
        report(f"  {describe(options)}: {100 * played.win_rate:.1f} % won")
        found.append(played.positions)
    return found


def _save(game: Game, trainer: SupervisedTrainer, settings: SupervisedSettings) -> None:
    np.save(settings.out or weights_folder(game) / f"{NAME}.npy", trainer.net.flat_weights())
