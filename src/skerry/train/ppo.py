"""Trains a team's policy and value networks by playing: proximal policy optimisation (Schulman et al. 2017).

At first the policy network imitates the game's own best policy, then it learns from thousands of games side by side.
"""

from __future__ import annotations

import csv
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from skerry.botkit.deep_sets import DeepSetsShape
from skerry.bots import policy_net, value_net
from skerry.bots.feature_modules import action_features_of, state_features_of
from skerry.engine.game import Game
from skerry.train.decisions import DecisionBatch
from skerry.train.feature_extraction import weights_folder
from skerry.train.networks import PolicyNetModule, ValueNetModule, segment_max
from skerry.train.rollout_env import RUNNING, WON, RolloutEnv
from skerry.train.settings import PPOSettings, Report
from skerry.train.variants import encode_variants, training_variants

REPORT_EVERY = 10  # updates
MAX_GRADIENT_NORM = 0.5
VALUE_LOSS_WEIGHT = 0.5

LogRow = dict[str, float]


@dataclass
class RolloutStep:
    """One decision in every game: what was seen and estimated, what was chosen, and which games it ended."""

    decisions: DecisionBatch
    teacher_choices: Tensor
    choices: Tensor
    log_probs: Tensor
    values: Tensor
    outcomes: Tensor


class Phase(NamedTuple):
    """What changes in the course of the training."""

    imitation: bool
    learning_rate: float
    entropy_bonus: float


class UpdateStatistics(NamedTuple):
    """Means over the minibatches of an update."""

    imitation: float  # cross-entropy with the imitated policy
    error: float  # of the value network, binary cross-entropy
    entropy: float  # of the policy


class Losses(NamedTuple):
    total: Tensor
    imitation: Tensor
    error: Tensor
    entropy: Tensor


class WinTally:
    """Games and wins of each variant."""

    def __init__(self, variants: int) -> None:
        self.counts = np.zeros((variants, 2), np.int64)

    def add(self, outcomes: Tensor, variants: Tensor) -> None:
        """Count the games that the last step has ended."""
        ended = outcomes != RUNNING
        index = variants[ended] * 2 + (outcomes[ended] == WON)
        lost, won = torch.bincount(index, minlength=self.counts.size).view(-1, 2).T.cpu().numpy()
        self.counts += np.stack((lost + won, won), 1)

    @property
    def games(self) -> int:
        return int(self.counts[:, 0].sum())

    @property
    def win_percentages(self) -> NDArray[np.float64]:
        percentages: NDArray[np.float64] = 100 * self.counts[:, 1] / np.maximum(1, self.counts[:, 0])
        return percentages

    def reset(self) -> None:
        self.counts[:] = 0


class PPOTrainer:
    """The two networks in training, and the games they learn from."""

    def __init__(self, game: Game, settings: PPOSettings) -> None:
        self.game, self.settings, self.device = game, settings, settings.device
        self.options = encode_variants(game, training_variants(game, settings.vary))
        groups = state_features_of(game).ENTITY_GROUPS
        parts, action_features = policy_net.action_parts(game, groups), action_features_of(game)
        self.policy = PolicyNetModule(groups, parts, action_features.N_ACTION_FEATURES).to(self.device)
        self.value = ValueNetModule(DeepSetsShape(groups)).to(self.device)
        self.value.load_flat_weights(np.load(weights_folder(game) / f"{value_net.NAME}.npy"))
        self.optimizer = torch.optim.Adam([*self.policy.parameters(), *self.value.parameters()], eps=1e-5)
        self.tally = WinTally(len(self.options))
        self.env: RolloutEnv

    def start_games(self, imitation: bool) -> None:
        """Begin new games; on CPU threads during imitation, as compiling the imitated policy for a GPU takes long."""
        self.env = RolloutEnv(
            self.game,
            self.options,
            self.settings.games,
            self.settings.seed,
            threads=self.settings.threads,
            device="cpu" if imitation else self.device,
            imitation=imitation,
        )

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def collect(self, teacher_share: float) -> list[RolloutStep]:
        """Play ``horizon`` decisions in every game; a share of the choices are the imitated policy's."""
        steps = []
        for _ in range(self.settings.horizon):
            step = self._decide(teacher_share)
            self.env.step(self._for_env(step.choices))
            step.outcomes = self._from_env(self.env.buffers.outcomes)
            self.tally.add(step.outcomes, self._from_env(self.env.buffers.variants))
            steps.append(step)
        return steps

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def advantages(self, steps: list[RolloutStep]) -> Tensor:
        """Generalised advantage estimates (Schulman et al. 2016), in the order of the steps."""
        next_values = self.value(self._from_env(self.env.buffers.state_features)[:, : self.env.state_feature_count])
        advantage, advantages = torch.zeros_like(next_values), []
        for step in reversed(steps):
            ended = step.outcomes != RUNNING
            reached = torch.where(ended, (step.outcomes == WON).float(), next_values)
            following = torch.where(ended, 0.0, advantage)
            advantage = reached - step.values + self.settings.gae_lambda * following
            advantages.append(advantage)
            next_values = step.values
        return torch.cat(advantages[::-1])

    def update(self, steps: list[RolloutStep], phase: Phase) -> UpdateStatistics:
        """Some epochs of gradient descent on what was collected."""
        samples = Samples.from_steps(steps, self.advantages(steps))
        for group in self.optimizer.param_groups:
            group["lr"] = phase.learning_rate
        sums = torch.zeros(3, device=self.device)
        for _ in range(self.settings.epochs):
            for rows in torch.randperm(len(samples.choices), device=self.device).chunk(self.settings.minibatches):
                losses = self._losses(samples.select(rows), phase)
                self.optimizer.zero_grad()
                losses.total.backward()
                nn.utils.clip_grad_norm_(self.policy.parameters(), MAX_GRADIENT_NORM)
                nn.utils.clip_grad_norm_(self.value.parameters(), MAX_GRADIENT_NORM)
                self.optimizer.step()
                sums += torch.stack([losses.imitation, losses.error, losses.entropy]).detach()
        return UpdateStatistics(*(sums / (self.settings.epochs * self.settings.minibatches)).tolist())

    def save(self, folder: Path) -> None:
        """Write both networks' weights as the bots read them."""
        np.save(folder / f"{policy_net.NAME}.npy", self.policy.flat_weights())
        np.save(folder / f"{value_net.NAME}.npy", self.value.flat_weights())

    def load(self, folder: Path) -> None:
        self.policy.load_flat_weights(np.load(folder / f"{policy_net.NAME}.npy"))
        self.value.load_flat_weights(np.load(folder / f"{value_net.NAME}.npy"))

    def _decide(self, teacher_share: float) -> RolloutStep:
        """Sample an action for every game."""
        games, decisions = self.env.games, DecisionBatch.current(self.env).to(self.device)
        log_probs, first_action = self.policy(decisions), decisions.first_action
        choices = sample(log_probs, decisions)
        teacher_choices = self._from_env(self.env.buffers.teacher_choices)
        by_teacher = torch.rand(games, device=self.device) < teacher_share
        choices = torch.where(by_teacher, teacher_choices, choices)
        return RolloutStep(
            decisions.compact(),
            teacher_choices,
            choices,
            log_probs[first_action + choices],
            self.value(decisions.state_features),
            outcomes=torch.empty(0),
        )

    def _losses(self, samples: Samples, phase: Phase) -> Losses:
        decisions = samples.decisions
        log_probs, first_action = self.policy(decisions), decisions.first_action
        values = self.value(decisions.state_features).clamp(1e-4, 1 - 1e-4)
        error = nn.functional.binary_cross_entropy(values, samples.returns)
        entropy = -(log_probs.exp() * log_probs).sum() / len(decisions)
        if phase.imitation:
            imitation = -log_probs[first_action + samples.teacher_choices].mean()
            return Losses(imitation + error, imitation, error, entropy)
        log_ratio = log_probs[first_action + samples.choices] - samples.log_probs
        surrogate = clipped_surrogate(log_ratio, samples.advantages, self.settings.clip_ratio)
        total = VALUE_LOSS_WEIGHT * error - surrogate - phase.entropy_bonus * entropy
        return Losses(total, entropy.new_zeros(()), error, entropy)

    def _from_env(self, array: object) -> Tensor:
        """A copy of one of the environment's arrays on the trainer's device."""
        return torch.as_tensor(array).clone().to(self.device)

    def _for_env(self, choices: Tensor) -> object:
        """The choices on the environment's device."""
        on_cpu = isinstance(self.env.buffers.outcomes, np.ndarray)
        return choices.cpu().numpy() if on_cpu else choices


@dataclass
class Samples:
    """The decisions of several steps with all that an update needs of them: one row for each."""

    decisions: DecisionBatch
    teacher_choices: Tensor
    choices: Tensor
    log_probs: Tensor
    advantages: Tensor  # of mean 0 and standard deviation 1
    returns: Tensor  # what the value network is to predict

    @classmethod
    def from_steps(cls, steps: list[RolloutStep], advantages: Tensor) -> Samples:
        values = torch.cat([step.values for step in steps])
        return cls(
            DecisionBatch.concatenate([step.decisions for step in steps]),
            torch.cat([step.teacher_choices for step in steps]),
            torch.cat([step.choices for step in steps]),
            torch.cat([step.log_probs for step in steps]),
            (advantages - advantages.mean()) / (advantages.std() + 1e-8),
            (advantages + values).clamp(0, 1),
        )

    def select(self, rows: Tensor) -> Samples:
        return Samples(
            self.decisions.select(rows),
            self.teacher_choices[rows],
            self.choices[rows],
            self.log_probs[rows],
            self.advantages[rows],
            self.returns[rows],
        )


def sample(log_probs: Tensor, decisions: DecisionBatch) -> Tensor:
    """For each decision, the index of an action drawn from its policy (by the Gumbel-max trick)."""
    owner = decisions.decision_of_action
    uniform = torch.rand_like(log_probs).clamp(1e-10, 1 - 1e-7)
    perturbed = log_probs - uniform.log().neg().log()
    is_drawn = perturbed >= segment_max(perturbed, owner, len(decisions))[owner]
    drawn = torch.nonzero(is_drawn).squeeze(-1)
    choices = torch.zeros(len(decisions), dtype=torch.long, device=log_probs.device)
    choices[owner[drawn]] = drawn - decisions.first_action[owner[drawn]]
    return choices


def clipped_surrogate(log_ratio: Tensor, advantages: Tensor, clip_ratio: float) -> Tensor:
    """PPO's clipped objective, to be maximised."""
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - clip_ratio, 1 + clip_ratio)
    return torch.min(advantages * ratio, advantages * clipped).mean()


def train(game: Game, settings: PPOSettings, report: Report) -> None:
    """Train until the time or the number of updates is reached, saving weights and a log to ``settings.out``."""
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    torch.set_float32_matmul_precision("high")
    settings.out.mkdir(parents=True, exist_ok=True)
    trainer = PPOTrainer(game, settings)
    if settings.resume:
        trainer.load(settings.resume)
    imitation_updates = 0 if settings.resume else settings.imitate
    log: list[LogRow] = []
    begin, update = time.perf_counter(), 0
    while (time_left := 1 - (time.perf_counter() - begin) / settings.seconds) > 0 and update < settings.updates:
        phase = _phase(settings, update < imitation_updates, time_left)
        if update in (0, imitation_updates):
            trainer.start_games(phase.imitation)
        steps = trainer.collect(_teacher_share(update, imitation_updates))
        statistics = trainer.update(steps, phase)
        update += 1
        if update % REPORT_EVERY == 0 or update == settings.updates:
            log.append(_log_row(update, time.perf_counter() - begin, trainer.tally, statistics))
            report(", ".join(f"{name} {value}" for name, value in log[-1].items()))
            report("  " + " ".join(f"{percentage:.1f}" for percentage in trainer.tally.win_percentages))
            trainer.tally.reset()
            trainer.save(settings.out)
            _write_log(settings.out / "log.csv", log)
    trainer.save(settings.out)


def _phase(settings: PPOSettings, imitation: bool, time_left: float) -> Phase:
    learning_rate = settings.learning_rate if imitation else settings.learning_rate * max(0.1, time_left)
    return Phase(imitation, learning_rate, settings.entropy_bonus * time_left)


def _teacher_share(update: int, imitation_updates: int) -> float:
    """How many choices the imitated policy makes.

    In the second half of the imitation the learner makes half of them, so that it sees where its own play leads.
    """
    if update >= imitation_updates:
        return 0.0
    return 1.0 if 2 * update < imitation_updates else 0.5


def _log_row(update: int, seconds: float, tally: WinTally, statistics: UpdateStatistics) -> LogRow:
    row: LogRow = {"update": update, "seconds": round(seconds), "games": tally.games}
    row["won"] = round(float(tally.win_percentages.mean()), 2)
    return row | {name: round(value, 4) for name, value in statistics._asdict().items()}


def _write_log(path: Path, log: list[LogRow]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, log[0])
        writer.writeheader()
        writer.writerows(log)
