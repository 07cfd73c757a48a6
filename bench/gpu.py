"""Random play on a GPU: bit-equal to the CPU, and how fast. Needs an NVIDIA GPU and the extra ``cuda``.

python bench/gpu.py [GAME] [--games N] [--threads T]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import skerry
from skerry.lab import cuda as gpu
from skerry.lab.simulate import Series, play

CHECKED = 10_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="forbidden-island")
    parser.add_argument("--games", type=int, default=4_000_000)
    parser.add_argument("--threads", type=int, default=gpu.THREADS)
    given = parser.parse_args()
    gpu.THREADS = given.threads
    from numba import cuda

    variant = skerry.game(given.game, players=4)
    series = Series(variant, ("random",) * 4, given.games, seed=7)
    here, there = play(series, 0, CHECKED), gpu.play(series, 0, CHECKED)
    equal = here[0].tobytes() == there[0].tobytes() and np.array_equal(here[1], there[1])
    print(f"{CHECKED} games bit-equal to the CPU's: {equal}")

    start = time.perf_counter()
    _, steps = play(series, 0, CHECKED)
    core = steps.sum() / (time.perf_counter() - start)
    print(f"one core: {core / 1e6:.1f} million actions/s")
    for _ in range(3):
        arguments = gpu.upload(series, 0, given.games)
        cuda.synchronize()
        start = time.perf_counter()
        gpu.launch(series, arguments)
        cuda.synchronize()
        seconds = time.perf_counter() - start
        actions = int(arguments[-1].copy_to_host().sum())
        rate, games = actions / seconds, given.games / seconds
        print(
            f"GPU: {rate / 1e6:.0f} million actions/s, {games / 1e6:.1f} million games/s, {rate / core:.0f} x one core"
        )
    if not equal:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
