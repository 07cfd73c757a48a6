"""The search: sequential halving over plans (Karnin et al. 2013), in worlds that all plans share."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.bots.arms import Arms
from skerry.bots.rollout import RolloutKernels
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.struct import struct_views

HANDFUL = 16  # imagined games a thread between two looks at the clock, at first
LOOKS = 16  # at the clock in what is left of a round, or there is no hurry: twice as many games follow


@dataclass(frozen=True)
class Positions:
    """What is thought about: worlds as the seats know them, who decides, and each one's chance."""

    game: Game
    states: NDArray[Any]
    seats: NDArray[np.int8]
    seeds: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.seats)


class Player(Protocol):
    """Whoever plays imagined games; ``answer`` is what the policy itself would do in a position, ``ratings`` how much
    each action suggests itself."""

    kernels: RolloutKernels
    threads: int

    def answer(self, positions: Positions, number: int) -> int: ...

    def ratings(self, positions: Positions, legal: Any, counts: Any) -> NDArray[np.float64]: ...

    def play(self, positions: Positions, plans: Any, jobs: Any) -> tuple[NDArray[np.float64], NDArray[np.int8]]: ...


def initial_arms(positions: Positions, player: Player, likely: int = 0) -> Arms:
    """Everything that can be done, a plan each. In the race are only so many that suggest themselves most, if it is
    said how many, and what the policy would do."""
    game, n = positions.game, len(positions)
    legal, counts = np.zeros((n, game.actions.size + 1), np.int16), np.zeros(n, np.int64)
    player.kernels.list_legal(
        struct_views(game.state_struct, positions.states),
        kernel_array(positions.seats),
        kernel_array(np.zeros(game.actions.size + 1, np.int16)),
        kernel_array(legal),
        kernel_array(counts),
    )
    owners = np.repeat(np.arange(n, dtype=np.int32), counts)
    actions = legal[owners, np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)]
    own = np.array([player.answer(positions, number) for number in range(n)])
    field = Arms.of(owners, actions, actions == own[owners], len(game.endings) + 1)
    if 0 < likely < counts.max():
        listed = np.arange(legal.shape[1]) < counts[:, None]
        ratings = np.where(listed, player.ratings(positions, legal, counts), -np.inf)
        enough = -np.partition(-ratings, likely - 1, axis=1)[:, likely - 1 : likely]
        field.alive &= (ratings >= enough)[listed] | field.own
    return field


def rounds_of(running: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often so many plans are halved until two are left, and once more to decide between them."""
    return np.maximum(1, np.ceil(np.log2(np.maximum(1, running)))).astype(np.int64)


def sequential_halving(field: Arms, positions: Positions, player: Player, rollouts: int) -> None:
    """Try all plans of each position, drop the worse half, try the others more; about so many games a position. Where
    there are too many plans for that, drop more than half."""
    n = len(positions)
    rounds = rounds_of(field.running(n))
    most = np.maximum(2, rollouts // rounds)  # that a round's games can try
    for number in range(rounds.max()):
        running = field.running(n)
        more = np.maximum(1, rollouts // (rounds * np.maximum(running, 1)))
        racing = (number < rounds) & (running > 1)
        jobs = field.jobs(np.where(racing, field.most_tries(n) + more, 0))
        if not len(jobs):
            break
        field.add(jobs, *player.play(positions, field.plans, jobs))
        field.keep(np.where(racing, np.minimum(most, (running + 1) // 2), running))


def sequential_halving_by_clock(field: Arms, positions: Positions, player: Player, seconds: float) -> None:
    """The same for one position, by the clock: each round has the same time, and is played in small slices."""
    begin = time.monotonic()
    rounds, handful = int(rounds_of(field.running(1))[0]), HANDFUL
    for number in range(rounds):
        if number and time.monotonic() > begin + seconds:
            break  # a slow game, or a busy machine
        until = begin + seconds * (number + 1) / rounds
        running = field.running(1)
        while running[0] > 1:
            looked = time.monotonic()
            jobs = field.jobs(field.most_tries(1) + np.maximum(1, handful * player.threads // running))
            field.add(jobs, *player.play(positions, field.plans, jobs))
            now = time.monotonic()
            took = now - looked
            if now + took > until:
                break  # as many games again would come too late
            if LOOKS * took < until - now:
                handful *= 2
        field.keep((running + 1) // 2)
