"""The same kernels on a GPU. Only the launch is here: one thread a game."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.bots.cores import Cores
from skerry.bots.imagining import LIMIT, Imagining, pick
from skerry.bots.search import Positions
from skerry.engine.bits import plain
from skerry.engine.game import Rules
from skerry.engine.kernel import kernel
from skerry.engine.log import new_log
from skerry.engine.record import batch, dtype_of
from skerry.engine.refusal import Refusal, say
from skerry.lab.loops import Loops
from skerry.lab.series import Series
from skerry.lab.work import Done, Task, do

THREADS = 256  # a block

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 wants it at import; NumPy has dropped it
    np.row_stack = np.vstack


@functools.cache
def kernel_for(loops: Loops, actions: int) -> Any:
    """A CUDA kernel that plays one game of a series a thread, as ``Loops.play_batch`` does one after another."""
    from numba import cuda

    play_one = loops.play_one
    length = actions + 1

    @cuda.jit  # type: ignore[untyped-decorator]
    def play_all(
        states: Any, worlds: Any, options: Any, mind: Any, seed: Any, first: Any, log: Any, limit: Any, steps: Any
    ) -> None:
        i = cuda.grid(1)
        if i < len(states):
            buffer = cuda.local.array(length, np.int16)
            world = worlds[i : i + 1]
            steps[i] = play_one(states[i], world, options[0], mind, seed, first + i, buffer, log, limit)

    return play_all


def upload(series: Series, first: int, count: int) -> tuple[Any, ...]:
    """What the kernel takes, in the GPU's memory; the states come first, the steps last."""
    from numba import cuda

    game = series.variant.game
    return (
        cuda.to_device(batch(game.state, count)),
        cuda.to_device(batch(game.state, count)),
        cuda.to_device(series.variant.encoded.array),
        cuda.to_device(series.mind),
        np.uint64(series.seed),
        first,
        cuda.to_device(new_log(0)),
        series.limit,
        cuda.to_device(np.zeros(count, np.int32)),
    )


def launch(series: Series, arguments: tuple[Any, ...]) -> None:
    blocks = (len(arguments[0]) + THREADS - 1) // THREADS
    kernel_for(series.loops(), series.variant.game.actions.size)[blocks, THREADS](*arguments)


def play(series: Series, first: int, count: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """What ``simulate.play`` returns, bit for bit."""
    if series.searching:
        return series.lockstep(Gpu).play(series.seed, first, count)
    arguments = upload(series, first, count)
    launch(series, arguments)
    return arguments[0].copy_to_host(), arguments[-1].copy_to_host()


class Cuda:
    """The GPU as a backend."""

    least, most = 1 << 15, 1 << 20

    def run(self, tasks: Iterator[Task]) -> Iterator[Done]:
        for task in tasks:
            try:
                done = do(task, play)
            except Exception as error:  # numba-cuda raises what it likes where there is no GPU
                reason = " ".join(str(error).split())[:200]
                raise Refusal(
                    say("no GPU can be used here; it takes an NVIDIA GPU and the extra cuda: {reason}", reason=reason)
                ) from None
            yield done


# Imagined games

WORKERS = 132 * 512  # threads that play jobs one after another
SEATS = 8  # more than any game has


@functools.cache
def forcing(rules: Rules) -> Callable[..., Any]:
    """A kernel that plays on to where somebody has a choice, or to the end: who waits, who chooses, from how many
    actions, and the chance that is left."""
    waiting, legal, step = rules.waiting, rules.legal, rules.step

    @kernel
    def play_forced(state: Any, counter: Any, buffer: Any, log: Any) -> Any:
        waited, seat, number = waiting(state), 0, 0
        while waited:
            seat, counter = pick(waited, counter)
            number = legal(state, seat, buffer)
            if number > 1:
                break
            step(state, seat, plain(buffer[0]), log)
            waited = waiting(state)
        return waited, seat, number, counter

    return play_forced


@functools.cache
def imagining_for(kernels: Imagining, actions: int) -> Any:
    """A CUDA kernel that plays jobs, as ``Imagining.play_jobs`` does. A thread that has played a job to its end takes
    the next one at once, so that none of a warp waits for the longest game; what is forced goes at once, so that the
    policy's long way is taken by all threads together."""
    from numba import cuda

    open_job, value, policy = kernels.open_job, kernels.value, kernels.policy
    play_forced, step = forcing(kernels.rules), kernels.rules.step
    length = actions + 1

    @cuda.jit  # type: ignore[untyped-decorator]
    def play_all(
        jobs: Any,
        states: Any,
        seats: Any,
        seeds: Any,
        plans: Any,
        won: Any,
        worlds: Any,
        log: Any,
        values: Any,
        endings: Any,
    ) -> None:
        thread = cuda.grid(1)
        world = worlds[thread : thread + 1]
        buffer = cuda.local.array(length, np.int16)
        scores = cuda.local.array(SEATS, np.float64)
        job, left, counter = thread, 0, np.uint64(0)
        while True:
            if not left:
                if job >= len(jobs):
                    break
                counter = open_job(job, jobs, states, seats, seeds, plans, world, log)
                left = LIMIT
            waited, seat, number, counter = play_forced(world[0], counter, buffer, log)
            if waited:
                index, counter = policy(world[0], seat, buffer, number, counter)
                step(world[0], seat, plain(buffer[index]), log)
                left -= 1
            if not waited or not left:
                left = 0
                values[job], endings[job] = value(world[0], plain(seats[jobs[job, 0]]), won, scores)
                job += cuda.gridsize(1)

    return play_all


class Gpu(Cores):
    """Plays imagined games on the GPU; what is asked once only is answered here."""

    def play(self, positions: Positions, plans: Any, jobs: Any) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        from numba import cuda

        game, n = positions.game, len(jobs)
        values, endings = cuda.device_array(n, np.float64), cuda.device_array(n, np.int8)
        workers = min(WORKERS, -(-n // THREADS) * THREADS)
        given = (jobs, positions.states, positions.seats, positions.seeds, plans, self.won)
        imagining_for(self.kernels, game.actions.size)[workers // THREADS, THREADS](
            *(cuda.to_device(array) for array in given),
            cuda.device_array(workers, dtype_of(game.state)),
            cuda.to_device(new_log(0)),
            values,
            endings,
        )
        return values.copy_to_host(), endings.copy_to_host()
