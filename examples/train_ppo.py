"""Proximal policy optimisation with masked actions, on the vector environment.

    pip install 'skerry[train]'
    python examples/train_ppo.py                                    # Hashi alone, on CPU cores
    python examples/train_ppo.py --game forbidden-island --players 2 --option difficulty=novice --device cuda

With ``--device cuda`` the games are played on the GPU too (the extra ``cuda``), and nothing is copied to the host but
the mean return of each update. Imitation (``--imitate``) asks bots on CPU cores and needs ``--device cpu``.
The folder ``--out`` receives ``log.csv`` (a line for each update), ``curve.svg`` (the mean return of the games played,
beside that of the bots) and ``model.pt``, from which ``--resume`` continues. One network plays all of a team's seats,
or the seat ``me`` among bots (``--seats me,skilled``).
"""

from __future__ import annotations

import argparse
import csv
import itertools
import math
import os
import time
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from learning_curve import draw
from skerry.bots import RANDOM, default_bot
from skerry.envs.config import ME, EnvConfig
from skerry.envs.cuda import CudaVectorEnv
from skerry.envs.vector import SkerryVectorEnv
from skerry.lab.simulate import Series, simulate

REPORT_EVERY = 10  # updates
BASELINE_GAMES = 20_000
NORMALIZER_STEPS = 100  # of random play, before the training
MAX_GRADIENT_NORM = 0.5
VALUE_LOSS_WEIGHT = 0.5
EVALUATION_SEED = 1_000_003  # added to the training's


@dataclass
class Settings:
    """Each field is an option of the command line."""

    game: str = "hashi"
    players: int = 1
    seats: str | None = None
    reward: str | None = None
    option: list[str] = field(default_factory=list)
    limit: int = 1_000
    envs: int = 1_024
    horizon: int = 32
    updates: int = 150
    imitate: int = 0
    epochs: int = 3
    minibatches: int = 8
    width: int = 256
    layers: int = 2
    rate: float = 7e-4
    discount: float = 0.9995
    trace: float = 0.97
    clip: float = 0.2
    entropy: float = 0.005
    circle: float = 0.0
    seed: int = 1
    threads: int = os.cpu_count() or 1
    device: str = "cpu"
    out: str = "runs/ppo"
    resume: bool = False
    anneal: bool = False
    evaluate: int = 2_000


HELP = {
    "seats": "for each seat me or the name of a bot; by default me at all seats of a team, and bots elsewhere",
    "reward": "result, score or margin",
    "option": "NAME=VALUE of the game; may be repeated",
    "limit": "decisions after which a game is cut off",
    "envs": "games side by side",
    "horizon": "decisions of each game between two updates",
    "imitate": "updates at the beginning that imitate the game's own best bot",
    "width": "units of a hidden layer",
    "layers": "hidden layers",
    "rate": "learning rate",
    "trace": "lambda of the generalised advantage estimation",
    "clip": "clip ratio of the objective",
    "entropy": "entropy bonus",
    "circle": "penalty for returning to an observation of a few decisions ago, such as by taking back a bridge",
    "anneal": "let the learning rate and the entropy bonus fall to zero",
    "evaluate": "new games for the evaluation at the end",
}


class VectorEnv(Protocol):
    """What the vector environments on CPU cores and on a GPU have in common; each has arrays of its own kind."""

    config: EnvConfig
    num_envs: int

    def reset(self, *, seed: int) -> tuple[dict[str, Any], dict[str, Any]]: ...
    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]: ...
    def sample(self) -> Any: ...


class Normalizer(nn.Module):  # type: ignore[misc]
    """Scales observations by the mean and variance of those seen so far."""

    count: Tensor
    mean: Tensor
    variance: Tensor

    def __init__(self, size: int) -> None:
        super().__init__()
        self.register_buffer("count", torch.tensor(1e-4))
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("variance", torch.ones(size))

    def update(self, observations: Tensor) -> None:
        """Take a batch of rows into the mean and the variance (Chan et al.)."""
        count, mean, variance = len(observations), observations.mean(0), observations.var(0, unbiased=False)
        total = self.count + count
        delta = mean - self.mean
        between = delta**2 * self.count * count / total
        self.variance = (self.variance * self.count + variance * count + between) / total
        self.mean = self.mean + delta * count / total
        self.count = total

    def forward(self, observations: Tensor) -> Tensor:
        return ((observations - self.mean) / torch.sqrt(self.variance + 1e-4)).clamp(-5, 5)


class ActorCritic(nn.Module):  # type: ignore[misc]
    """A policy over the legal actions and a value, on top of common hidden layers."""

    def __init__(self, observation_size: int, actions: int, width: int, layers: int) -> None:
        super().__init__()
        self.normalizer = Normalizer(observation_size)
        sizes = [observation_size, *[width] * layers]
        hidden = [module for a, b in itertools.pairwise(sizes) for module in (nn.Linear(a, b), nn.Tanh())]
        self.hidden = nn.Sequential(*hidden)
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        for layer in [*self.hidden[::2], self.value]:
            nn.init.orthogonal_(layer.weight, 2**0.5)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, observations: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        hidden = self.hidden(self.normalizer(observations))
        logits = self.policy(hidden).masked_fill(~mask, -1e8)
        return Categorical(logits=logits, validate_args=False), self.value(hidden).squeeze(-1)


@dataclass
class RolloutBuffer:
    """The decisions between two updates: a row for each step, a column for each game."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    teacher_actions: Tensor  # what the imitated bot would have done
    log_probs: Tensor
    values: Tensor
    rewards: Tensor
    ended: Tensor

    @classmethod
    def empty(cls, steps: int, envs: VectorEnv, device: str) -> RolloutBuffer:
        config, shape = envs.config, (steps, envs.num_envs)
        return cls(
            torch.zeros((*shape, config.variant.game.observation_size), device=device),
            torch.zeros((*shape, config.actions), dtype=torch.bool, device=device),
            *(torch.zeros(shape, dtype=torch.int64, device=device) for _ in range(2)),
            *(torch.zeros(shape, device=device) for _ in range(4)),
        )


class Minibatch(NamedTuple):
    observations: Tensor
    masks: Tensor
    actions: Tensor  # in an update of imitation, the imitated bot's
    log_probs: Tensor
    advantages: Tensor
    returns: Tensor

    def select(self, rows: Tensor) -> Minibatch:
        return Minibatch(*(column[rows] for column in self))


class RepetitionDetector:
    """Notices games that return to an observation of a few decisions ago."""

    def __init__(self, games: int, observation_size: int, memory: int = 24, device: str = "cpu") -> None:
        hash_weights = np.random.default_rng(0).integers(1, 2**62, observation_size)
        self.hash_weights = torch.from_numpy(hash_weights).to(device)
        self.recent_hashes = torch.zeros((games, memory), dtype=torch.int64, device=device)
        self.steps = 0

    def is_repeated(self, observations: Tensor, ended: Tensor) -> Tensor:
        """Whether each game's observation is a repetition; games that have ``ended`` have begun anew."""
        hashes = (observations.view(torch.int32) * self.hash_weights).sum(1)
        self.recent_hashes.masked_fill_(ended[:, None], 0)
        repeated = (self.recent_hashes == hashes[:, None]).any(1)
        self.recent_hashes[:, self.steps % self.recent_hashes.shape[1]] = hashes
        self.steps += 1
        return repeated


class FinishedGames:
    """How many games have ended, and the sum of their returns; on the training device, which need not be waited for."""

    def __init__(self, games: int, device: str) -> None:
        self.running_returns = torch.zeros(games, dtype=torch.float64, device=device)
        self.count = torch.zeros((), dtype=torch.int64, device=device)
        self.total = torch.zeros((), dtype=torch.float64, device=device)

    def add(self, rewards: Tensor, ended: Tensor) -> None:
        """Take the rewards of a step, and whether it ended each game."""
        self.running_returns += rewards
        self.count += ended.sum()
        self.total += (self.running_returns * ended).sum()
        self.running_returns.masked_fill_(ended, 0)

    def take(self) -> tuple[int, float]:
        """The number of games that have ended since the last call, and their mean return."""
        count, total = int(self.count), float(self.total)
        self.count.zero_()
        self.total.zero_()
        return count, total / count if count else math.nan


class Trainer:
    """The network in training, and the games it learns from."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        torch.manual_seed(settings.seed)
        torch.set_num_threads(settings.threads)
        self.envs = make_envs(settings, settings.envs)
        config = self.envs.config
        game = config.variant.game
        # The environment's action count, not the game's: where seats may interrupt, passing is one more action.
        self.network = ActorCritic(game.observation_size, config.actions, settings.width, settings.layers)
        self.network.to(settings.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.rate, eps=1e-5)
        self.buffer = RolloutBuffer.empty(settings.horizon, self.envs, settings.device)
        self.observation, _ = self.envs.reset(seed=settings.seed)
        self.repetitions = RepetitionDetector(settings.envs, game.observation_size, device=settings.device)
        self.finished = FinishedGames(settings.envs, settings.device)
        self.baselines = {bot: mean_return(self.envs.config, bot, BASELINE_GAMES) for bot in (RANDOM, *game.bots)}
        self.reward_scale = max(1.0, *(abs(mean) for mean in self.baselines.values()))
        self.teacher = default_bot(game)
        self.updates_done = 0
        self.entropy_bonus = settings.entropy
        self._fit_normalizer()

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def collect(self, teacher_share: float) -> tuple[int, float]:
        """Fill the buffer; the number and the mean return of the games that ended. A share of the actions are the
        imitated bot's."""
        buffer = self.buffer
        for step in range(self.settings.horizon):
            observations, mask = self.tensors(self.observation)
            policy, value = self.network(observations, mask)
            action = policy.sample()
            if teacher_share:
                assert isinstance(self.envs, SkerryVectorEnv)
                buffer.teacher_actions[step] = torch.from_numpy(self.envs.ask(self.teacher))
                by_teacher = torch.rand_like(value) < teacher_share
                action = torch.where(by_teacher, buffer.teacher_actions[step], action)
            buffer.observations[step], buffer.masks[step], buffer.actions[step] = observations, mask, action
            buffer.log_probs[step], buffer.values[step] = policy.log_prob(action), value
            self._step(step, action)
        return self.finished.take()

    def update(self, imitation: bool) -> float:
        """Some epochs over the buffer; the mean entropy of the policy."""
        batch = self._batch(imitation)
        entropies = []
        for _ in range(self.settings.epochs):
            order = torch.randperm(len(batch.actions), device=self.settings.device)
            for rows in order.chunk(self.settings.minibatches):
                loss, entropy = self._loss(imitation, batch.select(rows))
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), MAX_GRADIENT_NORM)
                self.optimizer.step()
                entropies.append(entropy.detach())
        # Not before: within an update, observations are scaled as they were when the actions were chosen.
        self.network.normalizer.update(batch.observations)
        self.updates_done += 1
        return float(torch.stack(entropies).mean())

    def anneal(self, share_left: float) -> None:
        """Lower the learning rate and the entropy bonus to a share of their first values."""
        self.entropy_bonus = share_left * self.settings.entropy
        self._set_learning_rate(share_left * self.settings.rate)

    def tensors(self, observation: dict[str, Any]) -> tuple[Tensor, Tensor]:
        """Observations and action masks on the training device."""
        device = self.settings.device
        return as_tensor(observation["observation"], device), as_tensor(observation["action_mask"], device).bool()

    def save(self, path: Path) -> None:
        saved = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        torch.save(saved | {"updates_done": self.updates_done, "settings": asdict(self.settings)}, path)

    def load(self, path: Path) -> None:
        saved = torch.load(path, map_location=self.settings.device, weights_only=True)
        self.network.load_state_dict(saved["network"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self._set_learning_rate(self.settings.rate)  # which may differ from that of the run before
        self.updates_done = saved["updates_done"]

    def _fit_normalizer(self) -> None:
        """Play at random to learn the scale of the observations."""
        for _ in range(NORMALIZER_STEPS):
            self.network.normalizer.update(self.tensors(self.observation)[0])
            self.envs.step(self.envs.sample())
        self.envs.reset(seed=self.settings.seed)

    def _step(self, step: int, action: Tensor) -> None:
        """Play the actions and store the rewards."""
        device, circle = self.settings.device, self.settings.circle
        self.observation, reward, *ends, _ = self.envs.step(as_actions(action))
        rewards, (terminated, truncated) = as_tensor(reward, device), (as_tensor(end, device) for end in ends)
        ended = terminated | truncated
        self.finished.add(rewards, ended)
        if circle:
            observations, _ = self.tensors(self.observation)
            rewards = rewards - circle * self.repetitions.is_repeated(observations, ended)
        self.buffer.rewards[step], self.buffer.ended[step] = rewards / self.reward_scale, ended

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def _advantages(self) -> Tensor:
        """Generalised advantage estimates (Schulman et al. 2016)."""
        buffer, settings = self.buffer, self.settings
        next_values = self.network(*self.tensors(self.observation))[1]
        advantage, advantages = torch.zeros_like(next_values), torch.zeros_like(buffer.values)
        for step in range(settings.horizon - 1, -1, -1):
            continues = 1 - buffer.ended[step]
            error = buffer.rewards[step] + settings.discount * next_values * continues - buffer.values[step]
            advantage = error + settings.discount * settings.trace * continues * advantage
            advantages[step], next_values = advantage, buffer.values[step]
        return advantages

    def _batch(self, imitation: bool) -> Minibatch:
        """All decisions in the buffer, one row for each."""
        buffer, advantages = self.buffer, self._advantages()
        columns = Minibatch(
            buffer.observations,
            buffer.masks,
            buffer.teacher_actions if imitation else buffer.actions,
            buffer.log_probs,
            advantages,
            advantages + buffer.values,
        )
        return Minibatch(*(column.flatten(0, 1) for column in columns))

    def _loss(self, imitation: bool, batch: Minibatch) -> tuple[Tensor, Tensor]:
        """The loss of a minibatch, and the policy's entropy."""
        policy, values = self.network(batch.observations, batch.masks)
        log_probs = policy.log_prob(batch.actions)
        entropy = -(policy.probs * policy.logits.masked_fill(~batch.masks, 0)).sum(-1).mean()
        value_loss = (values - batch.returns).square().mean()
        if imitation:
            policy_loss = -log_probs.mean()
        else:
            ratio, clip = (log_probs - batch.log_probs).exp(), self.settings.clip
            advantages = (batch.advantages - batch.advantages.mean()) / (batch.advantages.std() + 1e-8)
            surrogate = torch.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).mean()
            policy_loss = -surrogate - self.entropy_bonus * entropy
        return policy_loss + VALUE_LOSS_WEIGHT * value_loss, entropy

    def _set_learning_rate(self, rate: float) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = rate


def as_tensor(array: Any, device: str) -> Tensor:
    """An environment's array on the training device; if it lies there already, the same memory."""
    if isinstance(array, np.ndarray):
        return torch.from_numpy(array).to(device)
    return torch.from_dlpack(array)


def as_actions(action: Tensor) -> Any:
    """The actions as an environment takes them that plays where they are."""
    return action.numpy() if action.device.type == "cpu" else action


def make_envs(settings: Settings, count: int) -> VectorEnv:
    options: dict[str, Any] = dict(pair.split("=", 1) for pair in settings.option)
    if settings.seats is None:
        options["players"] = settings.players
    arguments = settings.game, count, settings.seats, settings.reward, settings.limit
    if settings.device.startswith("cuda"):
        return CudaVectorEnv(*arguments, **options)
    return SkerryVectorEnv(*arguments, **options, copy=False, threads=settings.threads)


def mean_return(config: EnvConfig, bot: str, games: int) -> float:
    """The mean return of a bot at the learner's seats."""
    seats = tuple(bot if seat == ME else seat for seat in config.seats)
    tally = simulate(Series(config.variant, seats, games))
    seat, players = config.seats.index(ME), config.variant.players
    if config.reward == "score":
        return float(tally.scores[seat] / games)
    if config.reward == "margin":
        raise SystemExit("the reward margin has no baseline here: choose result or score")
    wins = float(tally.wins[seat] / games)
    return 2 * wins - 1 if config.variant.game.cooperative else (players * wins - 1) / (players - 1)


@torch.no_grad()  # type: ignore[untyped-decorator]
def evaluate(trainer: Trainer, greedy: bool) -> str:
    """The mean return in new games with its 95 % interval; actions are sampled, or always the most likely one."""
    games, device = trainer.settings.evaluate, trainer.settings.device
    envs = make_envs(trainer.settings, games)
    observation, _ = envs.reset(seed=trainer.settings.seed + EVALUATION_SEED)
    returns, running = torch.zeros(games, device=device), torch.ones(games, dtype=torch.bool, device=device)
    while running.any():
        policy, _ = trainer.network(*trainer.tensors(observation))
        action = policy.probs.argmax(-1) if greedy else policy.sample()
        observation, reward, *ends, _ = envs.step(as_actions(action))
        returns += as_tensor(reward, device) * running
        for ended in ends:
            running &= ~as_tensor(ended, device)
    return f"{float(returns.mean()):.2f} ± {1.96 * float(returns.std(correction=0)) / games**0.5:.2f}"


def train(settings: Settings) -> None:
    """Run all updates, saving the network, the log and the learning curve."""
    if settings.imitate and settings.device != "cpu":
        raise SystemExit("the imitated bot plays on CPU cores: --imitate needs --device cpu")
    out = Path(settings.out)
    out.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(settings)
    log: list[dict[str, float]] = []
    if settings.resume:
        trainer.load(out / "model.pt")
        log = read_log(out / "log.csv")
    print("bots at the same seats: " + ", ".join(f"{bot} {mean:.2f}" for bot, mean in trainer.baselines.items()))
    last_update = trainer.updates_done + settings.updates
    while trainer.updates_done < last_update:
        if settings.anneal and trainer.updates_done >= settings.imitate:
            trainer.anneal((last_update - trainer.updates_done) / settings.updates)
        log.append(run_update(trainer))
        if trainer.updates_done % REPORT_EVERY == 0 or trainer.updates_done == last_update:
            print_row(log[-1])
            save(out, log, trainer)
    if settings.evaluate:
        sampled, greedy = evaluate(trainer, greedy=False), evaluate(trainer, greedy=True)
        print(f"mean return of {settings.evaluate} new games: sampled {sampled}, always the likeliest action {greedy}")


def run_update(trainer: Trainer) -> dict[str, float]:
    """Collect decisions and learn from them; a row of the log."""
    settings, start = trainer.settings, time.perf_counter()
    imitation = trainer.updates_done < settings.imitate
    # In the second half of the imitation the network makes half of the decisions, to see where its own play leads.
    first_half = 2 * trainer.updates_done < settings.imitate
    teacher_share = imitation * (1.0 if first_half else 0.5)
    games, mean_return_of_games = trainer.collect(teacher_share)
    entropy = trainer.update(imitation)
    steps_per_update = settings.envs * settings.horizon
    return {
        "update": trainer.updates_done,
        "steps": trainer.updates_done * steps_per_update,
        "games": games,
        "return": mean_return_of_games,
        "shown": teacher_share,
        "entropy": entropy,
        "steps_per_second": steps_per_update / (time.perf_counter() - start),
    }


def print_row(row: dict[str, float]) -> None:
    print(
        f"{row['steps']:>12,} steps  return {row['return']:8.2f}  entropy {row['entropy']:.2f}"
        f"  {row['steps_per_second']:>9,.0f} steps/s",
        flush=True,
    )


def read_log(path: Path) -> list[dict[str, float]]:
    rows = csv.DictReader(path.read_text().splitlines())
    return [{name: float(cell) for name, cell in row.items()} for row in rows]


def save(out: Path, log: list[dict[str, float]], trainer: Trainer) -> None:
    with (out / "log.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, log[0])
        writer.writeheader()
        writer.writerows(log)
    points = [(row["steps"], row["return"]) for row in log if row["games"] and not row["shown"]]
    title = f"{trainer.envs.config.variant.game.title}: mean {trainer.envs.config.reward} of finished games"
    if points:
        (out / "curve.svg").write_text(draw(title, points, trainer.baselines), encoding="utf-8")
    trainer.save(out / "model.pt")


def read_settings() -> Settings:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, argument_default=argparse.SUPPRESS
    )
    defaults = Settings()
    for option in fields(Settings):
        name, help_text, default = f"--{option.name}", HELP.get(option.name), getattr(defaults, option.name)
        if isinstance(default, list):
            parser.add_argument(name, action="append", help=help_text)
        elif isinstance(default, bool):
            parser.add_argument(name, action="store_true", help=help_text)
        else:
            kind = str if default is None else type(default)
            shown = "" if default is None else f" (default: {default})"
            parser.add_argument(name, type=kind, help=f"{help_text or option.name}{shown}")
    return Settings(**vars(parser.parse_args()))


if __name__ == "__main__":
    train(read_settings())
