"""Rollouts on the cores of this machine: slices of jobs on a pool of threads."""

from __future__ import annotations

import functools
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from skerry.botkit.protocols import Policy
from skerry.bots.arms import RolloutResults
from skerry.bots.asked import Positions
from skerry.bots.illegal_choice import IllegalChoice, Report, raise_choice
from skerry.bots.interrupts import interrupting_of
from skerry.bots.policy_net import policy_net_of
from skerry.bots.rollout import JobBatch, rollout_kernels
from skerry.bots.value_net import value_net_of
from skerry.bots.workspace import Workspace, new_workspace
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.struct import struct_views

MAX_SLICE = 256  # jobs that a thread plays at once
SLICES_PER_THREAD = 4  # at least, if there are enough jobs: no thread then waits long for the others
NICENESS = 5


@functools.cache
def rollout_threads(threads: int) -> ThreadPoolExecutor:
    """The threads that all searches share, so that several at a time do not use more cores than one."""
    return ThreadPoolExecutor(threads, "rollouts", _lower_priority)


def _lower_priority() -> None:
    """Leave the processor to threads that answer requests."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def slice_size(jobs: int, threads: int) -> int:
    """How many jobs a thread plays at once."""
    return max(1, min(MAX_SLICE, jobs // (SLICES_PER_THREAD * threads)))


class RolloutPool:
    """Plays the rollouts of a game: a ``RolloutBackend``.

    ``background``: on threads of lower priority, even if it is a single one; otherwise one thread is the caller's.
    """

    def __init__(
        self, game: Game, policy: Policy, threads: int = 0, background: bool = True, report: Report = raise_choice
    ) -> None:
        self.game, self.policy, self.report = game, policy, report
        self.value_net, self.policy_net = value_net_of(game), policy_net_of(game)
        self.kernels = rollout_kernels(
            game.rules,
            policy,
            interrupting_of(game),
            game.cooperative,
            self.value_net,
            self.policy_net,
        )
        self.weights = {players: self._weights(players) for players in game.seats}
        self.won = game.is_win
        self.threads = threads or os.cpu_count() or 1
        self.background = background or self.threads > 1

    def policy_actions(self, positions: Positions) -> NDArray[np.int16]:
        game, n = positions.game, len(positions)
        chosen, size = np.zeros(n, np.int16), slice_size(len(positions), self.threads)
        states, out = struct_views(game.state_struct, positions.states), kernel_array(chosen)
        seats, seeds = kernel_array(positions.seats), kernel_array(positions.seeds)

        def choose_slice(first: int) -> int:
            part = slice(first, min(n, first + size))
            workspace = self._workspace(positions)
            return self.kernels.choose_actions(states[part], seats[part], seeds[part], workspace, out[part])

        run = rollout_threads(self.threads).map if self.background else map
        if illegal := sum(run(choose_slice, range(0, n, size))):
            self._report(illegal)
        return chosen

    def logits(self, positions: Positions, legal: NDArray[np.int16], counts: NDArray[np.int64]) -> NDArray[np.float64]:
        """All logits are 0 where the game has no policy network."""
        logits, workspace = np.zeros(legal.size), self._workspace(positions)
        self.kernels.write_all_logits(
            struct_views(positions.game.state_struct, positions.states),
            kernel_array(positions.seats),
            kernel_array(legal.ravel()),
            kernel_array(counts),
            workspace.weights,
            workspace.scratch,
            kernel_array(logits),
        )
        return logits.reshape(legal.shape)

    def play(self, positions: Positions, actions: NDArray[np.int16], jobs: NDArray[np.int32]) -> RolloutResults:
        game, n = positions.game, len(jobs)
        size = slice_size(n, self.threads)
        results = RolloutResults(np.zeros(n), np.zeros(n, np.int8))
        batch = JobBatch(
            jobs=kernel_array(jobs),
            states=struct_views(game.state_struct, positions.states),
            seats=kernel_array(positions.seats),
            seeds=kernel_array(positions.seeds),
            actions=kernel_array(actions),
        )
        out = RolloutResults(kernel_array(results.values), kernel_array(results.endings))

        def play_slice(first: int) -> int:
            return self.kernels.play_jobs(first, min(n, first + size), batch, self._workspace(positions), out)

        run = rollout_threads(self.threads).map if self.background else map
        if illegal := sum(run(play_slice, range(0, n, size))):
            self._report(illegal)
        return results

    def _report(self, rollouts: int) -> None:
        """The rollout policy has chosen no legal action in some rollouts. They have gone on with another one."""
        self.report(
            IllegalChoice(
                f"the rollout policy of {self.game.name} chose an action that is not legal, in {rollouts} rollouts"
            )
        )

    def _workspace(self, positions: Positions) -> Workspace:
        """A workspace with the weights for the number of players, which is the same in all positions."""
        weights = self.weights[int(positions.states["players"][0])]
        return new_workspace(self.game, self.value_net, self.policy_net, weights, self.won)

    def _weights(self, players: int) -> NDArray[np.float64]:
        networks = (self.value_net, self.policy_net)
        return np.concatenate([np.zeros(0), *(network.weights[players] for network in networks if network)])
