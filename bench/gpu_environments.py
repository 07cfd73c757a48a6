"""Learning environments on a GPU: whether they give the CPU's bytes, and how fast they are beside pgx.

    python bench/gpu_environments.py [GAME ...] [--games N] [--steps S] [--rounds R] [--threads T ...] [--no-peers]

A step is one decision of a random player among the legal actions, with its observation, mask and reward, and a new
game where one has ended. Skerry plays with 4 players in ``CudaVectorEnv``: four kernel launches from Python for each
step, which draw the actions, play them, write observations and masks, and transpose these. pgx plays as many games on
the same GPU, in one compiled loop of JAX (``auto_reset``). Each kernel's time, registers and local memory are printed
too. Needs an NVIDIA GPU and the extra ``cuda``; pgx and JAX for the peers.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from skerry.engine.rng import derive_seed
from skerry.envs import cuda as cuda_environment
from skerry.envs.batch import Batch
from skerry.envs.config import EnvConfig, prepare
from skerry.envs.cuda import CudaBatch
from skerry.games import own_games
from skerry.lab.cuda import numba_cuda

COMPARED_GAMES, COMPARED_STEPS = 512, 300
PLAYERS = 4
PEERS = ("sparrow_mahjong", "backgammon")

PlaySteps = Callable[[int], None]  # play so many steps of all games, and wait until the GPU has done so


def equals_cpu(config: EnvConfig) -> bool:
    """Whether random play leaves the same bytes in GPU memory as in a CPU's."""
    seeds = np.array([derive_seed(np.uint64(5), i) for i in range(COMPARED_GAMES)], np.uint64)
    cpu, gpu = Batch(config, COMPARED_GAMES), CudaBatch(config, COMPARED_GAMES)
    cpu.reset(seeds)
    gpu.reset(seeds)
    for _ in range(COMPARED_STEPS):
        cpu.step(cpu.sample())
        gpu.step(gpu.sample())
    return bool((gpu.memory.copy_to_host() == cpu.memory).all())


def skerry_steps(config: EnvConfig, games: int) -> PlaySteps:
    cuda, batch = numba_cuda(), CudaBatch(config, games)
    batch.reset(np.array([derive_seed(np.uint64(1), i) for i in range(games)], np.uint64))

    def play(steps: int) -> None:
        for _ in range(steps):
            batch.step(batch.sample())
        cuda.synchronize()

    return play


class TimedKernel:
    """A CUDA kernel whose launches are timed by the GPU."""

    def __init__(self, name: str, kernel: Any) -> None:
        self.name, self.kernel = name, kernel
        self.spans: list[tuple[Any, Any]] = []

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        def launch(*arguments: Any) -> None:
            begin, end = numba_cuda().event(), numba_cuda().event()
            begin.record()
            self.kernel[grid](*arguments)
            end.record()
            self.spans.append((begin, end))

        return launch

    def report(self) -> None:
        milliseconds = statistics.mean(begin.elapsed_time(end) for begin, end in self.spans)
        registers, local = self.kernel.get_regs_per_thread(), self.kernel.get_local_mem_per_thread()
        taken = f"{max(registers.values())} registers, {max(local.values())} bytes of local memory"
        print(f"  {self.name}: {milliseconds:.3f} ms, {taken}", flush=True)


def time_kernels(config: EnvConfig, games: int, steps: int) -> None:
    """Print how long each kernel of a step takes, and what its threads take of a multiprocessor."""
    cuda, batch = numba_cuda(), CudaBatch(config, games)
    batch.reset(np.array([derive_seed(np.uint64(1), i) for i in range(games)], np.uint64))
    batch.step(batch.sample())  # compiles
    timed = [TimedKernel(name, kernel) for name, kernel in batch.kernels._asdict().items() if name != "seed"]
    batch.kernels = batch.kernels._replace(**{kernel.name: kernel for kernel in timed})
    for _ in range(steps):
        batch.step(batch.sample())
    cuda.synchronize()
    for kernel in timed:
        kernel.report()


def peer_steps(name: str, games: int) -> PlaySteps:
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env: Any = pgx.make(name)
    step_with_reset = auto_reset(env.step, env.init)

    def step_all(_: Any, carried: Any) -> Any:
        state, key = carried
        action_key, chance_key, key = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(action_key, logits, axis=-1)
        return jax.vmap(step_with_reset)(state, actions, jax.random.split(chance_key, games)), key

    play_all = jax.jit(lambda carried, steps: jax.lax.fori_loop(0, steps, step_all, carried))
    carried = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games)), jax.random.PRNGKey(1)

    def play(steps: int) -> None:
        nonlocal carried
        carried = play_all(carried, steps)
        jax.block_until_ready(carried[0].observation)

    return play


def million_steps_per_second(play: PlaySteps, games: int, steps: int, rounds: int) -> list[float]:
    play(steps)  # compiles
    rates = []
    for _ in range(rounds):
        start = time.perf_counter()
        play(steps)
        rates.append(games * steps / (time.perf_counter() - start) / 1e6)
    return rates


def report(name: str, rates: list[float], more: str = "") -> None:
    middle, low, high = statistics.median(rates), min(rates), max(rates)
    print(f"{name}: {middle:.1f} million steps/s ({low:.1f} to {high:.1f}){more}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=[game.name for game in own_games()])
    parser.add_argument("--games", type=int, default=65_536, help="side by side")
    parser.add_argument("--steps", type=int, default=200, help="of all games in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--threads", type=int, nargs="+", default=[cuda_environment.THREADS_PER_BLOCK], help="per block"
    )
    parser.add_argument("--no-peers", action="store_true")
    arguments = parser.parse_args()
    amount = arguments.games, arguments.steps, arguments.rounds
    unequal = []
    for name in arguments.game:
        config = prepare(name, ("me",) * PLAYERS)
        equal = equals_cpu(config)
        unequal += [] if equal else [name]
        for threads in arguments.threads:
            cuda_environment.THREADS_PER_BLOCK = threads
            rates = million_steps_per_second(skerry_steps(config, arguments.games), *amount)
            report(name, rates, f", {threads} threads per block, equal: {equal}")
        time_kernels(config, arguments.games, arguments.steps)
    for name in () if arguments.no_peers else PEERS:
        report(f"pgx {name}", million_steps_per_second(peer_steps(name, arguments.games), *amount))
    if unequal:
        raise SystemExit(f"not the CPU's bytes: {', '.join(unequal)}")


if __name__ == "__main__":
    main()
