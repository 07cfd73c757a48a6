"""Imagined games on the cores of this machine: slices of jobs, a thread each."""

from __future__ import annotations

import functools
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.bots.bot import Policy
from skerry.bots.halving import Positions
from skerry.bots.interrupts import interrupting_of
from skerry.bots.policy_net import policy_net_of
from skerry.bots.rollout import rollout_kernels
from skerry.bots.value_net import value_net_of
from skerry.bots.workspace import Workspace, new_workspace
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import PASS
from skerry.engine.struct import struct_views

SLICE = 256  # jobs a call at most
SHARES = 4  # calls a thread at least, where there are jobs enough: no thread waits long for another
NICE = 5


@functools.cache
def workers(threads: int) -> ThreadPoolExecutor:
    """Threads that all who imagine share: however many do at a time, no more cores are busy."""
    return ThreadPoolExecutor(threads, "rollouts", _step_back)


def _step_back() -> None:
    """Whoever answers people goes first."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


def slice_of(jobs: int, threads: int) -> int:
    """How many jobs a call plays."""
    return max(1, min(SLICE, jobs // (SHARES * threads)))


class RolloutPool:
    """``aside``: in threads of their own, so that whoever answers people goes first; else where it is asked."""

    def __init__(self, game: Game, policy: Policy, threads: int = 0, aside: bool = True) -> None:
        self.policy = policy
        self.game, self.learnt = game, (value_net_of(game), policy_net_of(game))
        self.kernels = rollout_kernels(game.rules, policy, interrupting_of(game), game.cooperative, *self.learnt)
        self.weights = {players: self._weights(players) for players in game.seats}
        self.won = np.array([False, *(ending.won for ending in game.endings)])
        self.threads = threads or os.cpu_count() or 1
        self.aside = aside or self.threads > 1

    def answer(self, positions: Positions, number: int) -> int:
        game, seat, seed = positions.game, int(positions.seats[number]), positions.seeds[number]
        room = self._room(positions)
        room.worlds[0] = struct_views(game.state_struct, positions.states)[number]
        count = game.rules.legal(room.worlds[0], seat, room.legal)
        index, _ = self.kernels.ask(room, seat, count, seed)
        return PASS if index == PASS else int(room.legal[index])

    def ratings(self, positions: Positions, legal: Any, counts: Any) -> NDArray[np.float64]:
        """How much each action suggests itself at first sight; all alike where nothing is learnt."""
        found, room = np.zeros(legal.size), self._room(positions)
        states = struct_views(positions.game.state_struct, positions.states)
        given = kernel_array(positions.seats), kernel_array(legal.ravel()), kernel_array(counts)
        self.kernels.rate_all(states, *given, room.weights, room.desk, kernel_array(found))
        return found.reshape(legal.shape)

    def _room(self, positions: Positions) -> Workspace:
        """All positions of one call are of the same number of players."""
        weights = self.weights[int(positions.states["players"][0])]
        return new_workspace(self.game, *self.learnt, weights, self.won)

    def _weights(self, players: int) -> NDArray[np.float64]:
        return np.concatenate([found.weights[players] for found in self.learnt if found] or [np.zeros(0)])

    def play(self, positions: Positions, plans: Any, jobs: Any) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        game, n = positions.game, len(jobs)
        size = slice_of(n, self.threads)
        values, endings = np.zeros(n), np.zeros(n, np.int8)
        given = (
            kernel_array(jobs),
            struct_views(game.state_struct, positions.states),
            kernel_array(positions.seats),
            kernel_array(positions.seeds),
            kernel_array(plans),
        )

        def play(first: int) -> None:
            self.kernels.play_jobs(
                first,
                min(n, first + size),
                *given,
                self._room(positions),
                kernel_array(values),
                kernel_array(endings),
            )

        spread = workers(self.threads).map if self.aside else map
        list(spread(play, range(0, n, size)))
        return values, endings
