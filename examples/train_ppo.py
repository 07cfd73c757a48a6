"""Proximal policy optimisation with masked actions, on the vector environment.

    pip install 'skerry[train]'
    python examples/train_ppo.py                                    # Hashi alone, on this machine's cores
    python examples/train_ppo.py --game forbidden-island --players 2 --option difficulty=novice --device cuda

It writes to the folder ``--out``: ``log.csv`` (a line an update), ``curve.svg`` (the mean return of games of its own,
beside that of the bots) and ``model.pt``, from which ``--resume`` goes on. One mind learns: a team's, or that of the
seat ``me`` among bots (``--seats me,skilled``). ``--imitate 50`` begins with so many updates in which it learns to do
what the game's own best bot would; ``--anneal`` learns ever more slowly and leaves ever less to chance. A game that is
not done after ``--limit`` decisions pays nothing; ``--circle 1`` takes so much from who comes back to where it was, by
drawing a bridge, say, and taking it back.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import math
import os
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.distributions import Categorical

from curve import draw
from skerry.bots import RANDOM, default_bot
from skerry.envs.config import ME, EnvConfig
from skerry.envs.vector import SkerryVectorEnv
from skerry.lab.simulate import Series, simulate


@dataclass
class Settings:
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


class Scale(nn.Module):  # type: ignore[misc]
    """Numbers around 0 of about size 1, by what was seen so far."""

    count: Tensor
    mean: Tensor
    spread: Tensor

    def __init__(self, size: int) -> None:
        super().__init__()
        self.register_buffer("count", torch.tensor(1e-4))
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("spread", torch.ones(size))

    def learn(self, seen: Tensor) -> None:
        """Take a batch of rows into the mean and the variance (Chan et al.)."""
        count, mean, spread = len(seen), seen.mean(0), seen.var(0, unbiased=False)
        total = self.count + count
        away = mean - self.mean
        self.spread = (self.spread * self.count + spread * count + away**2 * self.count * count / total) / total
        self.mean = self.mean + away * count / total
        self.count = total

    def forward(self, seen: Tensor) -> Tensor:
        return ((seen - self.mean) / torch.sqrt(self.spread + 1e-4)).clamp(-5, 5)


class Mind(nn.Module):  # type: ignore[misc]
    """What to do, and what to hope for."""

    def __init__(self, observed: int, actions: int, width: int, layers: int) -> None:
        super().__init__()
        self.scale = Scale(observed)
        sizes = [observed, *[width] * layers]
        parts = [part for a, b in itertools.pairwise(sizes) for part in (nn.Linear(a, b), nn.Tanh())]
        self.body = nn.Sequential(*parts)
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        for layer in [*self.body[::2], self.value]:
            nn.init.orthogonal_(layer.weight, 2**0.5)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        inside = self.body(self.scale(seen))
        logits = self.policy(inside).masked_fill(~mask, -1e8)
        return Categorical(logits=logits, validate_args=False), self.value(inside).squeeze(-1)


@dataclass
class Rollout:
    """What happened in some steps of all games: a row a step, a column a game."""

    seen: Tensor
    masks: Tensor
    actions: Tensor
    shown: Tensor  # what the imitated bot would have done
    logs: Tensor
    values: Tensor
    rewards: Tensor
    over: Tensor

    @classmethod
    def empty(cls, steps: int, envs: SkerryVectorEnv, device: str) -> Rollout:
        game, shape = envs.config.variant.game, (steps, envs.num_envs)
        return cls(
            torch.zeros((*shape, game.observation_size), device=device),
            torch.zeros((*shape, game.actions.size), dtype=torch.bool, device=device),
            *(torch.zeros(shape, dtype=torch.int64, device=device) for _ in range(2)),
            *(torch.zeros(shape, device=device) for _ in range(4)),
        )


class Circles:
    """Who has come back to where it was not long ago, by what it sees."""

    def __init__(self, games: int, observed: int, back: int = 24) -> None:
        self.mix = np.random.default_rng(0).integers(1, 2**62, observed)
        self.past = np.zeros((games, back), np.int64)
        self.steps = 0

    def closed(self, seen: NDArray[np.float32], over: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """What each game shows now; those that are ``over`` have begun anew."""
        here = seen.view(np.int32) @ self.mix
        self.past[over] = 0
        found: NDArray[np.bool_] = (self.past == here[:, None]).any(1)
        self.past[:, self.steps % self.past.shape[1]] = here
        self.steps += 1
        return found


class Trainer:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        torch.manual_seed(settings.seed)
        torch.set_num_threads(settings.threads)
        self.envs = vector(settings, settings.envs)
        game = self.envs.config.variant.game
        self.mind = Mind(game.observation_size, game.actions.size, settings.width, settings.layers).to(settings.device)
        self.optimizer = torch.optim.Adam(self.mind.parameters(), lr=settings.rate, eps=1e-5)
        self.rollout = Rollout.empty(settings.horizon, self.envs, settings.device)
        self.seen, _ = self.envs.reset(seed=settings.seed)
        self.circles = Circles(settings.envs, game.observation_size)
        self.running = np.zeros(settings.envs)  # returns of the running games
        self.lines = {bot: bots_return(self.envs.config, bot, 20_000) for bot in (RANDOM, *game.bots)}
        self.unit = max(1.0, *(abs(mean) for mean in self.lines.values()))  # in which rewards are counted
        self.teacher = default_bot(game)
        self.done = 0  # updates
        self.entropy = settings.entropy  # what a choice left open is worth, now
        self.look_around()

    def look_around(self) -> None:
        """Random play, to know of what size the observed numbers are."""
        for _ in range(100):
            self.mind.scale.learn(self.tensors(self.seen)[0])
            self.envs.step(self.envs.sample())
        self.envs.reset(seed=self.settings.seed)

    def tensors(self, seen: dict[str, Any]) -> tuple[Tensor, Tensor]:
        device = self.settings.device
        mask = torch.from_numpy(seen["action_mask"].view(np.bool_))
        return torch.from_numpy(seen["observation"]).to(device), mask.to(device)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def play(self, imitate: float) -> list[float]:
        """Fill the rollout; the returns of the games that ended. ``imitate`` is the share of actions that are shown."""
        returns: list[float] = []
        kept = self.rollout
        for step in range(self.settings.horizon):
            seen, mask = self.tensors(self.seen)
            choice, value = self.mind(seen, mask)
            action = choice.sample()
            if imitate:
                kept.shown[step] = torch.from_numpy(self.envs.ask(self.teacher)).to(seen.device)
                action = torch.where(torch.rand_like(value) < imitate, kept.shown[step], action)
            kept.seen[step], kept.masks[step], kept.actions[step] = seen, mask, action
            kept.logs[step], kept.values[step] = choice.log_prob(action), value
            self.seen, rewards, terminated, truncated, _ = self.envs.step(action.cpu().numpy())
            over = terminated | truncated
            self.running += rewards
            returns += self.running[over].tolist()
            self.running[over] = 0
            rewards = rewards - self.settings.circle * self.circles.closed(self.seen["observation"], over)
            kept.rewards[step] = torch.from_numpy(rewards / self.unit).to(seen.device)
            kept.over[step] = torch.from_numpy(over).to(seen.device)
        return returns

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def advantages(self) -> Tensor:
        """Generalised advantage estimation (Schulman et al. 2016)."""
        kept, settings = self.rollout, self.settings
        ahead = self.mind(*self.tensors(self.seen))[1]
        gain, gains = torch.zeros_like(ahead), torch.zeros_like(kept.values)
        for step in range(settings.horizon - 1, -1, -1):
            goes_on = 1 - kept.over[step]
            error = kept.rewards[step] + settings.discount * ahead * goes_on - kept.values[step]
            gain = error + settings.discount * settings.trace * goes_on * gain
            gains[step], ahead = gain, kept.values[step]
        return gains

    def improve(self, imitate: bool) -> float:
        """Some epochs over the rollout; the mean entropy of the policy."""
        kept, settings = self.rollout, self.settings
        gains = self.advantages()
        whole = (kept.seen, kept.masks, kept.shown if imitate else kept.actions, kept.logs, gains, gains + kept.values)
        columns = [rows.flatten(0, 1) for rows in whole]
        entropies = []
        for _ in range(settings.epochs):
            for rows in torch.randperm(gains.numel(), device=settings.device).chunk(settings.minibatches):
                loss, entropy = self.loss(imitate, *(column[rows] for column in columns))
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.mind.parameters(), 0.5)
                self.optimizer.step()
                entropies.append(entropy.detach())
        self.mind.scale.learn(columns[0])  # only now: what was played and what is learnt from it are scaled alike
        self.done += 1
        return float(torch.stack(entropies).mean())

    def loss(
        self, imitate: bool, seen: Tensor, mask: Tensor, action: Tensor, log: Tensor, gain: Tensor, target: Tensor
    ) -> tuple[Tensor, Tensor]:
        choice, value = self.mind(seen, mask)
        found, entropy = choice.log_prob(action), -(choice.probs * choice.logits.masked_fill(~mask, 0)).sum(-1).mean()
        if imitate:
            policy = -found.mean()
        else:
            ratio, clip = (found - log).exp(), self.settings.clip
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy = -torch.min(gain * ratio, gain * ratio.clamp(1 - clip, 1 + clip)).mean() - self.entropy * entropy
        return policy + 0.5 * (value - target).square().mean(), entropy

    def slow_down(self, left: float) -> None:
        """With so much of the training left, learn the less and settle the more."""
        self.entropy = left * self.settings.entropy
        for group in self.optimizer.param_groups:
            group["lr"] = left * self.settings.rate

    def save(self, path: Path) -> None:
        kept = {"mind": self.mind.state_dict(), "optimizer": self.optimizer.state_dict()}
        torch.save(kept | {"done": self.done, "settings": asdict(self.settings)}, path)

    def load(self, path: Path) -> None:
        kept = torch.load(path, map_location=self.settings.device, weights_only=True)
        self.mind.load_state_dict(kept["mind"])
        self.optimizer.load_state_dict(kept["optimizer"])
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.rate  # who goes on may want to go slower
        self.done = kept["done"]


def vector(settings: Settings, envs: int) -> SkerryVectorEnv:
    options: dict[str, Any] = dict(pair.split("=", 1) for pair in settings.option)
    if settings.seats is None:
        options["players"] = settings.players
    options |= {"copy": False, "threads": settings.threads}
    return SkerryVectorEnv(settings.game, envs, settings.seats, settings.reward, settings.limit, **options)


def bots_return(config: EnvConfig, bot: str, games: int) -> float:
    """What a bot at the learner's seats gets on average."""
    seats = tuple(bot if seat == ME else seat for seat in config.seats)
    tally, seat, players = (
        simulate(Series(config.variant, seats, games)),
        config.seats.index(ME),
        config.variant.players,
    )
    if config.reward == "score":
        return float(tally.scores[seat] / games)
    if config.reward == "margin":
        raise SystemExit("the reward margin has no baseline here: choose result or score")
    share = float(tally.wins[seat] / games)
    return 2 * share - 1 if config.variant.game.cooperative else (players * share - 1) / (players - 1)


@torch.no_grad()  # type: ignore[untyped-decorator]
def evaluate(trainer: Trainer, likeliest: bool) -> str:
    """The mean return in new games, and its 95 % interval, where actions are drawn as in training or always the
    likeliest."""
    games = trainer.settings.evaluate
    envs = vector(trainer.settings, games)
    seen, _ = envs.reset(seed=trainer.settings.seed + 1_000_003)
    returns, going = np.zeros(games), np.ones(games, bool)
    while going.any():
        choice, _ = trainer.mind(*trainer.tensors(seen))
        action = choice.probs.argmax(-1) if likeliest else choice.sample()
        seen, rewards, terminated, truncated, _ = envs.step(action.cpu().numpy())
        returns += rewards * going
        going &= ~(terminated | truncated)
    return f"{returns.mean():.2f} ± {1.96 * returns.std() / games**0.5:.2f}"


def train(settings: Settings) -> list[dict[str, float]]:
    """All updates; a row of the log each."""
    out = Path(settings.out)
    out.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(settings)
    rows: list[dict[str, float]] = []
    if settings.resume:
        trainer.load(out / "model.pt")
        rows = read_log(out / "log.csv")
    print("bots at the same seats: " + ", ".join(f"{bot} {mean:.2f}" for bot, mean in trainer.lines.items()))
    size, last = settings.envs * settings.horizon, trainer.done + settings.updates
    while trainer.done < last:
        start = time.perf_counter()
        if settings.anneal and trainer.done >= settings.imitate:
            trainer.slow_down((last - trainer.done) / settings.updates)
        imitate = trainer.done < settings.imitate
        shown = imitate * (1.0 if 2 * trainer.done < settings.imitate else 0.5)
        returns = trainer.play(shown)
        mean = sum(returns) / len(returns) if returns else math.nan
        entropy, rate = trainer.improve(imitate), size / (time.perf_counter() - start)
        steps = trainer.done * size
        row = {"update": trainer.done, "steps": steps, "games": len(returns), "return": mean, "shown": shown}
        rows.append(row | {"entropy": entropy, "steps_per_second": rate})
        if trainer.done % 10 == 0 or trainer.done == last:
            print(f"{steps:>12,} steps  return {mean:8.2f}  entropy {entropy:.2f}  {rate:>9,.0f} steps/s", flush=True)
            keep(out, rows, trainer)
    if settings.evaluate:
        drawn, likeliest = evaluate(trainer, False), evaluate(trainer, True)
        print(f"mean return of {settings.evaluate} new games: drawn {drawn}, always the likeliest action {likeliest}")
    return rows


def read_log(path: Path) -> list[dict[str, float]]:
    lines = csv.DictReader(path.read_text().splitlines())
    return [{name: float(cell) for name, cell in line.items()} for line in lines]


def keep(out: Path, rows: list[dict[str, float]], trainer: Trainer) -> None:
    with (out / "log.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    points = [(row["steps"], row["return"]) for row in rows if row["games"] and not row["shown"]]
    title = f"{trainer.envs.config.variant.game.title}: mean {trainer.envs.config.reward} of finished games"
    if points:
        (out / "curve.svg").write_text(draw(title, points, trainer.lines), encoding="utf-8")
    trainer.save(out / "model.pt")


def read() -> Settings:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in asdict(Settings()).items():
        if name == "option":
            parser.add_argument("--option", action="append", default=[], help="NAME=VALUE of the game; may be repeated")
        elif isinstance(value, bool):
            parser.add_argument(f"--{name}", action="store_true")
        else:
            parser.add_argument(f"--{name}", type=type(value) if value is not None else str, default=value)
    return Settings(**vars(parser.parse_args()))


if __name__ == "__main__":
    train(read())
