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
from skerry.bots.instinct import instinct_of
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
        judgement, instinct = judgement_of(game), instinct_of(game)
        self.kernels = imagining(game.rules, policy, interrupting_of(game), game.cooperative, judgement, instinct)
        self.weights = np.concatenate([found.weights for found in (judgement, instinct) if found] or [np.zeros(0)])
        self.desk = max(judgement.shape.desk if judgement else 0, instinct.form.desk["end"] if instinct else 0)
        self.threads = threads or os.cpu_count() or 1
        self.aside = aside or self.threads > 1
        self.won = np.array([False, *(ending.won for ending in game.endings)])

    def answer(self, positions: Positions, number: int) -> int:
        game, seat, seed = positions.game, int(positions.seats[number]), positions.seeds[number]
        legal = argument(np.zeros(game.actions.size + 1, np.int16))
        world = Single(game.state, positions.states[number : number + 1].tobytes())
        count = game.rules.legal(world.row, seat, legal)
        index, _ = self.kernels.ask(world.row, seat, legal, count, seed, *self._learnt())
        return PASS if index == PASS else int(legal[index])

    def ratings(self, positions: Positions, legal: Any, counts: Any) -> NDArray[np.float64]:
        """How much each action suggests itself at first sight; all alike where nothing is learnt."""
        found = np.zeros(legal.size)
        states = rows(positions.game.state, positions.states)
        given = argument(positions.seats), argument(legal.ravel()), argument(counts)
        self.kernels.rate_all(states, *given, *self._learnt(), argument(found))
        return found.reshape(legal.shape)

    def _learnt(self) -> tuple[Any, Any]:
        """What was learnt, and a desk to work at."""
        return argument(self.weights), argument(np.zeros(self.desk))

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
