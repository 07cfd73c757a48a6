"""Learning environments compared with PettingZoo's ``hanabi_v5`` and pgx's ``sparrow_mahjong``, on a CPU.

    pip install 'skerry[peers]'
    python bench/environments.py [--seconds S] [--rounds R] [--games N]

A step is one decision of a random player among the legal actions, with its observation, mask and reward, and a new
game where one has ended. Skerry plays in the vector environment with 4 players, one thread, its arrays handed out
without a copy. The action is drawn by the environment's own kernel (``env.sample()``), by NumPy from the lists of
legal ids, or by NumPy from the mask alone. PettingZoo plays in its own loop with ``action_space.sample(mask)``; pgx
plays a batch of as many games, compiled together with the drawing of actions, on all cores that JAX takes. The rounds
alternate, so that noise on the machine affects all.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import skerry
from skerry.envs.vector import SkerryVectorEnv

try:
    import jax
    import pgx
    from pettingzoo.classic import hanabi_v5
    from pgx.experimental.wrappers import auto_reset
except ImportError as error:
    raise SystemExit(f"{error}: pip install 'skerry[peers]'") from None

PlaySteps = Callable[[], int]  # plays on for a little while; returns the number of steps
DrawActions = Callable[[SkerryVectorEnv, Any], NDArray[Any]]
GENERATOR = np.random.default_rng(1)


def draw_by_kernel(env: SkerryVectorEnv, observation: Any) -> NDArray[Any]:
    return env.sample()


def draw_from_lists(env: SkerryVectorEnv, observation: Any) -> NDArray[Any]:
    counts = env.batch.choices
    index = (GENERATOR.random(env.num_envs) * counts).astype(int)
    return env.batch.legals[np.arange(env.num_envs), index]


def draw_from_mask(env: SkerryVectorEnv, observation: Any) -> NDArray[Any]:
    """Find all ones of the mask in order, and pick a random one of each row's part."""
    mask = observation["action_mask"].view(np.bool_)  # NumPy finds the ones of a bool array faster
    counts = env.batch.choices.astype(int)
    ones = np.flatnonzero(mask)
    picked = ones[np.cumsum(counts) - 1 - (GENERATOR.random(env.num_envs) * counts).astype(int)]
    return picked % mask.shape[1]


def skerry_steps(game: skerry.Game, draw: DrawActions, games: int) -> PlaySteps:
    env = SkerryVectorEnv(game.name, games, seats=("me",) * 4, copy=False)
    observation, _ = env.reset(seed=1)

    def play() -> int:
        for _ in range(10):
            env.step(draw(env, observation))  # the environment overwrites its own ``observation``
        return 10 * games

    return play


def hanabi_steps() -> PlaySteps:
    env = hanabi_v5.env(players=4)
    env.reset(seed=1)

    def play() -> int:
        env.reset()
        steps = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                steps += 1
        return steps

    return play


def sparrow_mahjong_steps(games: int) -> PlaySteps:
    env = pgx.make("sparrow_mahjong")
    step_with_reset = auto_reset(env.step, env.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def step_all(state: Any, key: Any) -> Any:
        action_key, chance_key, key = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(action_key, logits, axis=-1)
        return jax.vmap(step_with_reset)(state, actions, jax.random.split(chance_key, games)), key

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    key = jax.random.PRNGKey(1)

    def play() -> int:
        nonlocal state, key
        state, key = step_all(state, key)
        jax.block_until_ready(state.observation)
        return games

    return play


def steps_per_second(play: PlaySteps, seconds: float) -> float:
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        steps += play()
    return steps / (time.perf_counter() - start)


def measurements(games: int) -> dict[str, PlaySteps]:
    """All that is compared, by name; PettingZoo and pgx come last."""
    draws = {
        "drawn by the environment": draw_by_kernel,
        "NumPy, from the lists": draw_from_lists,
        "NumPy, from the mask": draw_from_mask,
    }
    ours = {
        f"Skerry {game.name}, {how}": functools.partial(skerry_steps, game, draw)(games)
        for game in skerry.all_games()
        for how, draw in draws.items()
    }
    theirs = {
        "PettingZoo hanabi_v5": hanabi_steps(),
        f"pgx sparrow_mahjong, {games} games": sparrow_mahjong_steps(games),
    }
    return ours | theirs


def result_table(rates: dict[str, list[float]]) -> Table:
    medians = {name: statistics.median(values) for name, values in rates.items()}
    *_, hanabi, mahjong = medians.values()
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("random play, median of rounds", "steps/s", "lowest", "highest", "× hanabi_v5", "× sparrow_mahjong"):
        table.add_column(column, header_style="dim", justify="left" if column.startswith("random") else "right")
    for name, values in rates.items():
        median = medians[name]
        table.add_row(
            name,
            f"{median:,.0f}",
            f"{min(values):,.0f}",
            f"{max(values):,.0f}",
            f"{median / hanabi:,.1f}",
            f"{median / mahjong:,.1f}",
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=1024, help="side by side")
    arguments = parser.parse_args()
    compared = measurements(arguments.games)
    for play in compared.values():
        play()  # compiles
    rates: dict[str, list[float]] = {name: [] for name in compared}
    for _ in range(arguments.rounds):
        for name, play in compared.items():
            rates[name].append(steps_per_second(play, arguments.seconds))
    Console(highlight=False, width=120).print(result_table(rates))


if __name__ == "__main__":
    main()
