"""Trains a value network by self-play: temporal differences, TD(λ) (Sutton 1988).

In each round, players that are greedy by the value network play games, each with a little noise on its weights for
exploration. Then the network learns from the TD(λ) targets of the positions: the target of a position is an
exponentially weighted mean of the values of all later positions and of the result of the game.
"""

from __future__ import annotations

import time
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from skerry.bots.feature_modules import state_features_of
from skerry.bots.value_net import NAME
from skerry.engine.game import Game
from skerry.train.feature_extraction import FeatureExtractor, weights_folder
from skerry.train.networks import ValueNetModule
from skerry.train.self_play_games import SelfPlayer, SelfPlayGames
from skerry.train.settings import Report, SelfPlaySettings
from skerry.train.variants import encode_variants, training_variants

EXTRACTED_TOGETHER = 1 << 15  # positions whose features are in memory at once
REPLAYED_ROUNDS = 4  # latest rounds in the replay buffer
EMA_DECAY = 0.998  # of the averaged network that plays
SEED_FACTOR = 1_000_003  # between the seeds of two runs


@dataclass
class ReplayBatch:
    """What the network learns from: features, the part of the value that is certain already, and targets."""

    inputs: Tensor
    certain: Tensor
    targets: Tensor


class SelfPlayTrainer:
    """A value network in training, and the slowly following average of it that plays the games."""

    def __init__(self, game: Game, options: NDArray[Any], settings: SelfPlaySettings) -> None:
        self.settings, self.device = settings, settings.device
        self.player = SelfPlayer(game, options, settings.share, settings.threads)
        self.span = state_features_of(game).VALUE_SPAN
        self.extractor = FeatureExtractor(game, settings.threads)
        self.net = ValueNetModule(self.extractor.shape).to(self.device)
        self.averaged_net = deepcopy(self.net)
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def load(self, weights: NDArray[Any]) -> None:
        self.net.load_flat_weights(weights)
        self.averaged_net.load_flat_weights(weights)

    def replay_batch(self, games: SelfPlayGames) -> ReplayBatch:
        """The features of the positions, on the trainer's device."""
        inputs, certain = [], []
        for start in range(0, len(games.states), EXTRACTED_TOGETHER):
            features = self.extractor.extract(games.states[start : start + EXTRACTED_TOGETHER])
            inputs.append(torch.from_numpy(features.inputs).to(self.device))
            certain.append(torch.from_numpy(features.certain).to(self.device))
        targets = torch.from_numpy(games.targets).float().to(self.device)
        return ReplayBatch(torch.cat(inputs), torch.cat(certain), targets)

    def update(self, replay: list[ReplayBatch], learning_rate: float) -> float:
        """Once through the rounds in the replay; the root mean square error of the last minibatch."""
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        inputs = torch.cat([one.inputs for one in replay])
        certain = torch.cat([one.certain for one in replay])
        targets = torch.cat([one.targets for one in replay])
        error = torch.zeros(())
        for batch_rows in torch.randperm(len(targets), device=self.device).split(self.settings.batch_size):
            values = certain[batch_rows] + self.span * self.net(inputs[batch_rows])
            error = (values - targets[batch_rows]).square().mean()
            self.optimizer.zero_grad()
            (error / self.span**2).backward()
            self.optimizer.step()
            self._update_average()
        return float(error.detach().sqrt())

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _update_average(self) -> None:
        for average, current in zip(self.averaged_net.parameters(), self.net.parameters(), strict=True):
            average.lerp_(current, 1 - EMA_DECAY)


def train(game: Game, settings: SelfPlaySettings, report: Report) -> None:
    """Train for some rounds and save the averaged network's weights after each."""
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    variants = training_variants(game, settings.vary)
    trainer = SelfPlayTrainer(game, encode_variants(game, variants), settings)
    if settings.weights:
        trainer.load(np.load(settings.weights))
    out = settings.out or weights_folder(game) / f"{NAME}.npy"
    replay: list[ReplayBatch] = []
    begin = time.perf_counter()
    for number in range(settings.rounds):
        left = 1 - number / settings.rounds
        weights, seed = trainer.averaged_net.flat_weights(), settings.seed * SEED_FACTOR + number
        games = trainer.player.play(weights, settings.games, seed, left * settings.noise)
        replay = [*replay, trainer.replay_batch(games)][-REPLAYED_ROUNDS:]
        error = trainer.update(replay, left * settings.learning_rate)
        np.save(out, trainer.averaged_net.flat_weights())
        means = " ".join(f"{games.results[i :: len(variants)].mean():.2f}" for i in range(len(variants)))
        seconds = time.perf_counter() - begin
        report(f"round {number + 1}: mean result {means}, value error {error:.2f}, {seconds:.0f} s")
