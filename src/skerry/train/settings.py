"""What the training programs are given. The command line's options have these defaults."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CORES = os.cpu_count() or 1
Report = Callable[[str], None]  # takes a line about the progress


@dataclass(frozen=True)
class PPOSettings:
    """Proximal policy optimisation, after some updates of imitation."""

    vary: tuple[str, ...] = ()  # see ``variants.training_variants``
    games: int = 16_384  # side by side
    horizon: int = 32  # decisions of each game between two updates
    imitate: int = 30  # updates of imitation before reinforcement learning begins
    updates: int = 1_000_000  # at most
    seconds: float = 600.0  # at most
    epochs: int = 3
    minibatches: int = 24  # an epoch
    learning_rate: float = 1e-3  # falls linearly to a tenth
    clip_ratio: float = 0.2
    gae_lambda: float = 0.9
    entropy_bonus: float = 0.003  # falls linearly to zero
    seed: int = 1
    threads: int = CORES
    device: str = "cpu"
    resume: Path | None = None  # a folder with weights to begin with
    out: Path = Path("runs/networks")


@dataclass(frozen=True)
class SupervisedSettings:
    """Supervised value learning, from games of the game's own best policy or of the expert."""

    vary: tuple[str, ...] = ()
    games: int = 100_000  # in all, or in each round
    rounds: int = 0  # of expert games; 0 means games of the game's own best policy
    rollouts: int = 200  # of the expert for each decision
    rollout_turns: int | None = None  # how many turns the expert's rollouts last; None: as the game says
    epochs: int = 3
    learning_rate: float = 2e-3  # the peak of a one-cycle schedule
    batch_size: int = 1024
    seed: int = 1
    threads: int = CORES
    device: str = "cpu"
    weights: Path | None = None  # to begin with
    out: Path | None = None  # None: the game's own value network


@dataclass(frozen=True)
class SelfPlaySettings:
    """Value learning by self-play with temporal differences."""

    vary: tuple[str, ...] = ()
    games: int = 2000  # in each round
    rounds: int = 100
    share: float = 1.0  # of the positions, that is learnt from
    noise: float = 0.4  # standard deviation of the relative weight noise, falling linearly to zero
    learning_rate: float = 2e-3  # falls linearly to zero
    batch_size: int = 1024
    seed: int = 1
    threads: int = CORES
    device: str = "cpu"
    weights: Path | None = None  # to begin with
    out: Path | None = None  # None: the game's own value network


@dataclass(frozen=True)
class EvolutionSettings:
    """CMA-ES on the weights of a hand-written policy."""

    vary: tuple[str, ...] = ()
    games: int = 100  # of each candidate in each variant
    candidates: int = 24  # a generation
    generations: int = 1_000_000  # at most
    step_size: float = 0.5  # initial, relative to the search's scale
    seconds: float = 600.0  # at most
    check_games: int = 20_000  # in each variant, for the comparison at the end
    start: Path | None = None  # a JSON file with weights to begin with
    cores: int = CORES
    cuda: bool = False
    json: Path | None = None  # where to write the weights found
