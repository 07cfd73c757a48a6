"""The same kernels on a GPU. Only the launch is here: one thread a game."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from skerry.engine.errors import Refusal
from skerry.engine.event_log import new_event_log
from skerry.engine.messages import say
from skerry.engine.struct import struct_array
from skerry.lab.chunks import Chunk, ChunkResult, play_chunk
from skerry.lab.playout import Playout
from skerry.lab.series import PlayedGames, Series

THREADS = 256  # a block

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 wants it at import; NumPy has dropped it
    np.row_stack = np.vstack


@functools.cache
def cuda_kernel(kernels: Playout, actions: int) -> Any:
    """A CUDA kernel that plays one game of a series a thread, as ``Playout.play_batch`` does one after another."""
    from numba import cuda

    play_one = kernels.play_one
    length = actions + 1

    @cuda.jit  # type: ignore[untyped-decorator]
    def play_all(
        states: Any, worlds: Any, options: Any, policy_of: Any, seed: Any, first: Any, log: Any, limit: Any, steps: Any
    ) -> None:
        i = cuda.grid(1)
        if i < len(states):
            buffer = cuda.local.array(length, np.int16)
            world = worlds[i : i + 1]
            steps[i] = play_one(states[i], world, options[0], policy_of, seed, first + i, buffer, log, limit)

    return play_all


def upload(series: Series, first: int, count: int) -> tuple[Any, ...]:
    """What the kernel takes, in the GPU's memory; the states come first, the steps last."""
    from numba import cuda

    game = series.variant.game
    return (
        cuda.to_device(struct_array(game.state_struct, count)),
        cuda.to_device(struct_array(game.state_struct, count)),
        cuda.to_device(series.variant.encoded_options.array),
        cuda.to_device(series.policy_of),
        np.uint64(series.seed),
        first,
        cuda.to_device(new_event_log(0)),
        series.limit,
        cuda.to_device(np.zeros(count, np.int32)),
    )


def launch(series: Series, arguments: tuple[Any, ...]) -> None:
    blocks = (len(arguments[0]) + THREADS - 1) // THREADS
    cuda_kernel(series.playout(), series.variant.game.actions.size)[blocks, THREADS](*arguments)


def play(series: Series, first: int, count: int) -> PlayedGames:
    """What ``simulate.play`` returns, bit for bit."""
    if series.uses_search:
        raise Refusal(say("the expert thinks on cores, not on a GPU; choose the backend cores"))
    arguments = upload(series, first, count)
    launch(series, arguments)
    return arguments[0].copy_to_host(), arguments[-1].copy_to_host()


class CudaBackend:
    """The GPU as a backend."""

    min_chunk, max_chunk = 1 << 15, 1 << 20

    def run(self, tasks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        for task in tasks:
            try:
                done = play_chunk(task, play)
            except Refusal:
                raise
            except Exception as error:  # numba-cuda raises what it likes where there is no GPU
                reason = " ".join(str(error).split())[:200]
                raise Refusal(
                    say("no GPU can be used here; it takes an NVIDIA GPU and the extra cuda: {reason}", reason=reason)
                ) from None
            yield done
