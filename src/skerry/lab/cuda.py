"""The GPU backend: the same kernels compiled for CUDA, one thread for each game. Only the launch is written here."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from skerry.bots.illegal_choice import IllegalChoice
from skerry.engine.errors import Refusal
from skerry.engine.event_log import new_event_log
from skerry.engine.messages import say
from skerry.engine.struct import struct_array
from skerry.lab.chunks import Chunk, ChunkResult, play_chunk
from skerry.lab.game_kernels import GameKernels
from skerry.lab.series import PlayedGames, Series, check_choices

THREADS_PER_BLOCK = 256

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 needs this name at import; newer NumPy versions do not have it
    np.row_stack = np.vstack


def numba_cuda() -> Any:
    """numba's module for CUDA."""
    from numba import cuda

    return cuda


@contextmanager
def needing_a_gpu() -> Iterator[None]:
    """Turn what numba-cuda raises without a GPU, which has many types, into a refusal that says what is missing."""
    try:
        yield
    except (Refusal, IllegalChoice):
        raise
    except Exception as error:
        if find_spec("numba_cuda") is None:
            raise Refusal("a GPU needs more packages: pip install 'skerry[cuda]'") from None
        reason = " ".join(str(error).split())[:200]
        raise Refusal(
            say("no GPU can be used here; it takes an NVIDIA GPU and the extra cuda: {reason}", reason=reason)
        ) from None


class KernelArguments(NamedTuple):
    """The arguments of the CUDA kernel, in its order; arrays are in the GPU's memory.

    They are typed ``Any`` because numba-cuda's device arrays have no type that mypy could know.
    """

    states: Any
    worlds: Any
    options: Any
    policy_of: Any
    seed: np.uint64
    first: int
    log: Any
    limit: int
    steps: Any


@functools.cache
def cuda_kernel(kernels: GameKernels, actions: int) -> Any:
    """A CUDA kernel that plays the games of ``GameKernels.play_batch``, each in a thread of its own."""
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


def upload(series: Series, first: int, count: int) -> KernelArguments:
    """Allocate the arrays of some games on the GPU."""
    from numba import cuda

    game = series.variant.game
    return KernelArguments(
        states=cuda.to_device(struct_array(game.state_struct, count)),
        worlds=cuda.to_device(struct_array(game.state_struct, count)),
        options=cuda.to_device(series.variant.encoded_options.array),
        policy_of=cuda.to_device(series.policy_of),
        seed=np.uint64(series.seed),
        first=first,
        log=cuda.to_device(new_event_log(0)),
        limit=series.limit,
        steps=cuda.to_device(np.zeros(count, np.int32)),
    )


def launch(series: Series, arguments: KernelArguments) -> None:
    kernel = cuda_kernel(series.kernels(), series.variant.game.actions.size)
    blocks = (len(arguments.states) + THREADS_PER_BLOCK - 1) // THREADS_PER_BLOCK
    kernel[blocks, THREADS_PER_BLOCK](*arguments)


def play(series: Series, first: int, count: int) -> PlayedGames:
    """Play some games of a series on the GPU; the same as ``series.play``, bit for bit."""
    if series.asks_bots:
        raise Refusal(say("bots that search or are Python functions cannot play on a GPU; use the backend cores"))
    arguments = upload(series, first, count)
    launch(series, arguments)
    steps = arguments.steps.copy_to_host()
    check_choices(series, first, steps)
    return PlayedGames(arguments.states.copy_to_host(), steps)


class CudaBackend:
    min_chunk, max_chunk = 1 << 15, 1 << 20

    def run(self, chunks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        for chunk in chunks:
            with needing_a_gpu():
                result = play_chunk(chunk, play)
            yield result
