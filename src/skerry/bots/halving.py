"""Sequential halving (Karnin et al. 2013): the rollouts of a search, shared out over the actions.

In each round all active arms are played equally often, then the worse half is eliminated.
"""

from __future__ import annotations

import time
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.bots.arms import Arms, RolloutResults
from skerry.bots.asked import Positions
from skerry.bots.rollout import RolloutKernels
from skerry.engine.kernel import kernel_array
from skerry.engine.struct import struct_views

FIRST_BATCH = 16  # rollouts per thread before the clock is read for the first time
CLOCK_READINGS = 16  # if more batches than this fit into the rest of a round, the next batch is twice as large


class RolloutBackend(Protocol):
    """Plays rollouts."""

    kernels: RolloutKernels
    threads: int

    def policy_actions(self, positions: Positions) -> NDArray[np.int16]:
        """The action that the rollout policy chooses in each position, or ``PASS``."""

    def logits(self, positions: Positions, legal: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.float64]:
        """The policy logits of the legal actions of all positions, in the layout of ``legal``."""

    def play(self, positions: Positions, actions: NDArray[Any], jobs: NDArray[Any]) -> RolloutResults:
        """Play one rollout for each job. ``actions`` are those of all arms."""


def initial_arms(positions: Positions, backend: RolloutBackend, breadth: int = 0) -> Arms:
    """An arm for each legal action. If ``breadth`` is given, only this number of arms is active in each position: those
    with the highest policy logits, and the baseline."""
    game, n = positions.game, len(positions)
    legal, counts = np.zeros((n, game.actions.size + 1), np.int16), np.zeros(n, np.int64)
    backend.kernels.list_legal(
        struct_views(game.state_struct, positions.states),
        kernel_array(positions.seats),
        kernel_array(np.zeros(game.actions.size + 1, np.int16)),
        kernel_array(legal),
        kernel_array(counts),
    )
    position = np.repeat(np.arange(n, dtype=np.int32), counts)
    actions = legal[position, np.arange(len(position)) - np.repeat(np.cumsum(counts) - counts, counts)]
    baseline = backend.policy_actions(positions)
    arms = Arms.of(position, actions, actions == baseline[position], len(game.endings) + 1)
    if 0 < breadth < counts.max():
        listed = np.arange(legal.shape[1]) < counts[:, None]
        logits = np.where(listed, backend.logits(positions, legal, counts), -np.inf)
        threshold = -np.partition(-logits, breadth - 1, axis=1)[:, breadth - 1 : breadth]
        arms.active &= (logits >= threshold)[listed] | arms.baseline
    return arms


def halving_rounds(active: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of rounds for a number of active arms: until two are left, and one to decide between them."""
    return np.maximum(1, np.ceil(np.log2(np.maximum(1, active)))).astype(np.int64)


def sequential_halving(arms: Arms, positions: Positions, backend: RolloutBackend, rollouts: int) -> None:
    """Search all positions with about ``rollouts`` rollouts each. If there are more arms than a round has rollouts,
    more than half are eliminated after it."""
    n = len(positions)
    rounds = halving_rounds(arms.active_counts(n))
    max_arms = np.maximum(2, rollouts // rounds)  # that one round's rollouts are enough for
    for number in range(rounds.max()):
        active = arms.active_counts(n)
        more = np.maximum(1, rollouts // (rounds * np.maximum(active, 1)))
        unfinished = (number < rounds) & (active > 1)
        jobs = arms.jobs(np.where(unfinished, arms.max_pulls(n) + more, 0))
        if not len(jobs):
            break
        arms.add(jobs, backend.play(positions, arms.actions, jobs))
        arms.eliminate(np.where(unfinished, np.minimum(max_arms, (active + 1) // 2), active))


def sequential_halving_by_clock(arms: Arms, positions: Positions, backend: RolloutBackend, seconds: float) -> None:
    """Search a single position for a given time: all rounds have the same share of it."""
    begin = time.monotonic()
    rounds, batch = int(halving_rounds(arms.active_counts(1))[0]), FIRST_BATCH
    for number in range(rounds):
        if number and time.monotonic() > begin + seconds:
            break  # rollouts are slow, or the machine is busy
        until = begin + seconds * (number + 1) / rounds
        active = arms.active_counts(1)
        while active[0] > 1:
            started = time.monotonic()
            jobs = arms.jobs(arms.max_pulls(1) + np.maximum(1, batch * backend.threads // active))
            arms.add(jobs, backend.play(positions, arms.actions, jobs))
            now = time.monotonic()
            took = now - started
            if now + took > until:
                break  # another batch would take too long
            if CLOCK_READINGS * took < until - now:
                batch *= 2
        arms.eliminate((active + 1) // 2)
