"""The settings of the training programs. Each is an option of the command line, ``--learning-rate`` for example."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

CORES = os.cpu_count() or 1
Report = Callable[[str], None]  # takes a line about the progress


class Setting(NamedTuple):
    """How the command line describes a setting, and which values it accepts."""

    help: str
    min: float | None = None
    max: float | None = None
    metavar: str | None = None
    exists: bool = False  # of a file: it must exist
    flag: str = ""  # by default made of the setting's name


Vary = Annotated[
    tuple[str, ...],
    Setting(
        "Train on these values of an option; can be given several times. A value may be named more than once to "
        "be trained on more often. Without it, every difficulty and number of players.",
        metavar="NAME=VALUE,…",
    ),
]
Seed = Annotated[int, Setting("Seed of the games and of the training.", min=0)]
Threads = Annotated[int, Setting("CPU threads to use.", min=1)]
Device = Annotated[str, Setting("Where the networks are trained: `cpu`, or `cuda` for an NVIDIA GPU.")]
InitialWeights = Annotated[Path | None, Setting("Begin with these weights.", metavar="FILE.npy", exists=True)]
ValueNetFile = Annotated[
    Path | None,
    Setting("Where to write the weights; the game's own value.npy by default.", metavar="FILE.npy"),
]
BatchSize = Annotated[int, Setting("Positions in a minibatch.", min=1)]
Seconds = Annotated[float, Setting("Stop after this time.", min=0)]


@dataclass(frozen=True)
class PPOSettings:
    """Proximal policy optimisation, after some updates of imitation."""

    vary: Vary = ()
    games: Annotated[int, Setting("Games played side by side.", min=1)] = 16_384
    horizon: Annotated[int, Setting("Decisions of each game between two updates.", min=1)] = 32
    imitate: Annotated[int, Setting("Updates at the beginning that imitate the game's own best bot.", min=0)] = 30
    updates: Annotated[int, Setting("Stop after this many updates.", min=1)] = 1_000_000
    seconds: Seconds = 600.0
    epochs: Annotated[int, Setting("Passes over the data in each update.", min=1)] = 3
    minibatches: Annotated[int, Setting("Minibatches in each pass.", min=1)] = 24
    learning_rate: Annotated[float, Setting("Initial learning rate; falls linearly to a tenth.")] = 1e-3
    clip_ratio: Annotated[float, Setting("Clip ratio of the objective.")] = 0.2
    gae_lambda: Annotated[float, Setting("Lambda of the generalised advantage estimation.")] = 0.9
    entropy_bonus: Annotated[float, Setting("Initial entropy bonus; falls linearly to zero.")] = 0.003
    seed: Seed = 1
    threads: Threads = CORES
    device: Device = "cpu"
    resume: Annotated[
        Path | None,
        Setting("Go on from the weights in this folder, without imitation.", metavar="FOLDER", exists=True),
    ] = None
    out: Annotated[Path, Setting("Where to write policy.npy, value.npy and log.csv.", metavar="FOLDER")] = Path(
        "runs/networks"
    )


@dataclass(frozen=True)
class SupervisedSettings:
    """Supervised value learning, from games of the game's own best policy or of the expert."""

    vary: Vary = ()
    games: Annotated[int, Setting("Games in all, or in each round.", min=1)] = 100_000
    rounds: Annotated[int, Setting("Rounds of expert games; 0 trains on games of the game's own best bot.", min=0)] = 0
    rollouts: Annotated[int, Setting("Rollouts of the expert for each decision.", min=1)] = 200
    rollout_turns: Annotated[
        int | None, Setting("Turns that the expert's rollouts last; by default as the game says.", min=1)
    ] = None
    epochs: Annotated[int, Setting("Passes over all positions.", min=1)] = 3
    learning_rate: Annotated[float, Setting("Learning rate at its highest, in a one-cycle schedule.")] = 2e-3
    batch_size: BatchSize = 1024
    seed: Seed = 1
    threads: Threads = CORES
    device: Device = "cpu"
    weights: InitialWeights = None
    out: ValueNetFile = None


@dataclass(frozen=True)
class SelfPlaySettings:
    """Value learning by self-play with temporal differences."""

    vary: Vary = ()
    games: Annotated[int, Setting("Games in each round.", min=1)] = 2000
    rounds: Annotated[int, Setting("Rounds of playing and learning.", min=1)] = 100
    share: Annotated[float, Setting("Share of the positions that the network learns from.", min=0, max=1)] = 1.0
    noise: Annotated[
        float,
        Setting(
            "Standard deviation of the relative noise on the weights that play, at first; falls linearly to zero.",
            min=0,
        ),
    ] = 0.4
    learning_rate: Annotated[float, Setting("Initial learning rate; falls linearly to zero.")] = 2e-3
    batch_size: BatchSize = 1024
    seed: Seed = 1
    threads: Threads = CORES
    device: Device = "cpu"
    weights: InitialWeights = None
    out: ValueNetFile = None


@dataclass(frozen=True)
class EvolutionSettings:
    """CMA-ES on the weights of a hand-written policy."""

    vary: Vary = ()
    games: Annotated[int, Setting("Games of each candidate in each variant.", min=1)] = 100
    candidates: Annotated[int, Setting("Candidates in each generation.", min=2)] = 24
    generations: Annotated[int, Setting("Stop after this many generations.", min=1)] = 1_000_000
    step_size: Annotated[float, Setting("Initial step size, relative to the search's scale.", min=0)] = 0.5
    seconds: Seconds = 600.0
    check_games: Annotated[int, Setting("Games in each variant for the comparison at the end.", min=1)] = 20_000
    start: Annotated[
        Path | None, Setting("Begin with these weights.", metavar="FILE.json", exists=True, flag="--from")
    ] = None
    cores: Annotated[int, Setting("CPU cores to use.", min=1)] = CORES
    cuda: Annotated[bool, Setting("Play on an NVIDIA GPU.")] = False
    json: Annotated[Path | None, Setting("Write the weights to this file.", metavar="FILE.json")] = None
