"""The tasks of the benchmark: environments with everything fixed, and the games that bots are compared in.

A task never changes: a new one gets a new version. Its evaluation games are numbered, and game ``i`` has the seed
``evaluation_seed(i)``, the same for every bot, which nobody should train on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skerry.engine.errors import BadOption
from skerry.engine.rng import derive_seed
from skerry.envs.config import LIMIT, ME, EnvConfig, prepare

EVALUATION_STREAM = np.uint64(0xE7A1_0A7E_5EED_0001)  # far from the small seeds that people train with
GAMES = 1_000  # of a task, unless more are asked for


@dataclass(frozen=True)
class Task:
    """An environment with everything fixed."""

    name: str
    version: int
    text: str
    game: str
    seats: tuple[str, ...]
    reward: str
    options: dict[str, Any] = field(default_factory=dict)
    limit: int = LIMIT
    interrupts: bool = True

    @property
    def id(self) -> str:
        return f"{self.name}-v{self.version}"

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of its environments."""
        fixed = {"game": self.game, "seats": self.seats, "reward": self.reward, "limit": self.limit}
        return {**fixed, "interrupts": self.interrupts, **self.options}

    @property
    def config(self) -> EnvConfig:
        return prepare(**self.arguments)


TASKS = (
    Task(
        "island-pair",
        1,
        "Forbidden Island, a team of two, Novice",
        "forbidden-island",
        (ME, ME),
        "result",
        {"difficulty": "novice"},
    ),
    Task(
        "island-elite",
        1,
        "Forbidden Island, a team of four, Elite",
        "forbidden-island",
        (ME,) * 4,
        "result",
        {"difficulty": "elite"},
    ),
    Task(
        "desert-pair",
        1,
        "Forbidden Desert, a team of two, Novice",
        "forbidden-desert",
        (ME, ME),
        "result",
        {"difficulty": "novice"},
    ),
    Task(
        "desert-normal",
        1,
        "Forbidden Desert, a team of four, Normal",
        "forbidden-desert",
        (ME,) * 4,
        "result",
        {"difficulty": "normal"},
    ),
    Task("cartagena-duel", 1, "Cartagena against skilled", "cartagena", (ME, "skilled"), "result"),
    Task("cartagena-table", 1, "Cartagena against three skilled", "cartagena", (ME,) + ("skilled",) * 3, "result"),
    Task("hashi-solo", 1, "Hashi alone, for points", "hashi", (ME,), "score", limit=400),
    Task("hashi-duel", 1, "Hashi against skilled", "hashi", (ME, "skilled"), "result", limit=400),
)


def find_task(name: str) -> Task:
    """A task by its id, such as ``hashi-solo-v1``, or by its name."""
    for task in TASKS:
        if name in (task.id, task.name):
            return task
    raise BadOption(f"there is no task {name!r}; there are {', '.join(task.id for task in TASKS)}")


def evaluation_seed(number: int) -> int:
    """The seed of an evaluation game."""
    return int(derive_seed(EVALUATION_STREAM, number))
