"""Random play on a GPU: whether it gives the CPU's results bit for bit, and how fast it is.

    python bench/gpu.py [GAME] [--games N] [--threads T]

Needs an NVIDIA GPU and the extra ``cuda``.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import skerry
from skerry.lab import cuda as gpu
from skerry.lab.simulate import Series, play

COMPARED_GAMES = 10_000
REPEATS = 3


def equals_cpu(series: Series) -> bool:
    """Whether some games end in the same states after the same number of steps on both."""
    cpu_states, cpu_steps = play(series, 0, COMPARED_GAMES)
    gpu_states, gpu_steps = gpu.play(series, 0, COMPARED_GAMES)
    return cpu_states.tobytes() == gpu_states.tobytes() and np.array_equal(cpu_steps, gpu_steps)


def cpu_rate(series: Series) -> float:
    """Actions per second on one core."""
    start = time.perf_counter()
    _, steps = play(series, 0, COMPARED_GAMES)
    return float(steps.sum() / (time.perf_counter() - start))


def measure_gpu(series: Series, one_core: float) -> str:
    from numba import cuda

    arguments = gpu.upload(series, 0, series.games)
    cuda.synchronize()
    start = time.perf_counter()
    gpu.launch(series, arguments)
    cuda.synchronize()
    seconds = time.perf_counter() - start
    rate, games = int(arguments.steps.copy_to_host().sum()) / seconds, series.games / seconds
    return f"{rate / 1e6:.0f} million actions/s, {games / 1e6:.1f} million games/s, {rate / one_core:.0f} x one core"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="forbidden-island")
    parser.add_argument("--games", type=int, default=4_000_000)
    parser.add_argument("--threads", type=int, default=gpu.THREADS_PER_BLOCK, help="threads per block")
    arguments = parser.parse_args()
    gpu.THREADS_PER_BLOCK = arguments.threads
    series = Series(skerry.game(arguments.game, players=4), ("random",) * 4, arguments.games, seed=7)
    equal = equals_cpu(series)
    print(f"{COMPARED_GAMES} games bit-equal to the CPU's: {equal}")
    one_core = cpu_rate(series)
    print(f"one core: {one_core / 1e6:.1f} million actions/s")
    for _ in range(REPEATS):
        print(f"GPU: {measure_gpu(series, one_core)}")
    if not equal:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
