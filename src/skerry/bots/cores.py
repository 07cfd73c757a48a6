"""Imagined games on the cores of this machine: slices of jobs, a thread each."""

from __future__ import annotations

import functools
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.bots.asking import interrupting_of
from skerry.bots.bot import Policy
from skerry.bots.imagining import imagining
from skerry.bots.judgement import judgement_of
from skerry.bots.search import Positions
from skerry.engine.game import Game
from skerry.engine.kernel import argument
from skerry.engine.log import new_log
from skerry.engine.policy import PASS
from skerry.engine.record import Single, batch, rows

SLICE = 256  # jobs a call at most
SHARES = 4  # calls a thread at least, where there are jobs enough: no thread waits long for another
NICE = 5


@functools.cache
def workers(threads: int) -> ThreadPoolExecutor:
    """Threads that all who imagine share: however many do at a time, no more cores are busy."""
    return ThreadPoolExecutor(threads, "imagining", _step_back)


def _step_back() -> None:
    """Whoever answers people goes first."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


def slice_of(jobs: int, threads: int) -> int:
    """How many jobs a call plays."""
    return max(1, min(SLICE, jobs // (SHARES * threads)))


class Cores:
    """``aside``: in threads of their own, so that whoever answers people goes first; else where it is asked."""

    def __init__(self, game: Game, policy: Policy, threads: int = 0, aside: bool = True) -> None:
        self.policy = policy
        self.judgement = judgement_of(game)
        self.kernels = imagining(game.rules, policy, interrupting_of(game), game.cooperative, self.judgement)
        self.threads = threads or os.cpu_count() or 1
        self.aside = aside or self.threads > 1
        self.won = np.array([False, *(ending.won for ending in game.endings)])

    def answer(self, positions: Positions, number: int) -> int:
        game, seat, seed = positions.game, int(positions.seats[number]), positions.seeds[number]
        legal = argument(np.zeros(game.actions.size + 1, np.int16))
        world = Single(game.state, positions.states[number : number + 1].tobytes())
        count = game.rules.legal(world.row, seat, legal)
        room = rows(game.state, batch(game.state, 1)), argument(new_log(0))
        index, _ = self.kernels.ask(world.row, seat, legal, count, seed, *self._learnt(), *room)
        return PASS if index == PASS else int(legal[index])

    def _learnt(self) -> tuple[Any, Any]:
        """The weights of the judgement, and a desk to judge at."""
        if self.judgement is None:
            return argument(np.zeros(0)), argument(np.zeros(0))
        return argument(self.judgement.weights), argument(np.zeros(self.judgement.shape.desk))

    def play(self, positions: Positions, plans: Any, jobs: Any) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        game, n = positions.game, len(jobs)
        size = slice_of(n, self.threads)
        values, endings = np.zeros(n), np.zeros(n, np.int8)
        given = (
            argument(jobs),
            rows(game.state, positions.states),
            argument(positions.seats),
            argument(positions.seeds),
            argument(plans),
            argument(self.won),
        )

        def play(first: int) -> None:
            self.kernels.play_jobs(
                first,
                min(n, first + size),
                *given,
                rows(game.state, batch(game.state, 1)),
                rows(game.state, batch(game.state, 1)),
                argument(np.zeros(game.actions.size + 1, np.int16)),
                argument(np.zeros(8)),
                argument(new_log(0)),
                *self._learnt(),
                argument(values),
                argument(endings),
            )

        spread = workers(self.threads).map if self.aside else map
        list(spread(play, range(0, n, size)))
        return values, endings
