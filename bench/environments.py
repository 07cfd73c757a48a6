"""Steps of learning environments beside PettingZoo's ``hanabi_v5`` and pgx's ``sparrow_mahjong``, in one run on CPU.

    pip install 'skerry[envs,peers]'
    python bench/environments.py [--seconds S] [--rounds R] [--games N]

A step is one decision of a random player among the legal actions, with its observation, mask and reward, and a new
game where one has ended. Ours: the vector environment with 4 players, one thread, its arrays handed out without a
copy. The action is drawn by the environment's own kernel (``env.sample()``), by NumPy from the lists of legal ids, or
by NumPy from the mask alone. Theirs: PettingZoo's loop with ``action_space.sample(mask)``; pgx's batch of as many
games, compiled together with the drawing of actions, on all cores that JAX takes. Rounds alternate, so that a noisy
machine is noisy for all.
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
    raise SystemExit(f"{error}: pip install 'skerry[envs,peers]'") from None

Step = Callable[[], int]  # plays on a little; how many steps
Draw = Callable[[SkerryVectorEnv, Any], NDArray[Any]]
CHANCE = np.random.default_rng(1)


def by_kernel(env: SkerryVectorEnv, seen: Any) -> NDArray[Any]:
    return env.sample()


def from_lists(env: SkerryVectorEnv, seen: Any) -> NDArray[Any]:
    choices = env.batch.choices
    return env.batch.legals[np.arange(env.num_envs), (CHANCE.random(env.num_envs) * choices).astype(int)]


def from_mask(env: SkerryVectorEnv, seen: Any) -> NDArray[Any]:
    """Pick one of each row's ones: all of them in order, and a random place within each row's part."""
    mask = seen["action_mask"].view(np.bool_)  # NumPy finds the ones of a bool array quicker
    choices = env.batch.choices.astype(int)
    ones = np.flatnonzero(mask)
    picked = ones[np.cumsum(choices) - 1 - (CHANCE.random(env.num_envs) * choices).astype(int)]
    return picked % mask.shape[1]


def ours(game: skerry.Game, draw: Draw, games: int) -> Step:
    env = SkerryVectorEnv(game.name, games, seats=("me",) * 4, copy=False)
    seen, _ = env.reset(seed=1)

    def step() -> int:
        for _ in range(10):
            env.step(draw(env, seen))  # ``seen`` is the environment's own arrays, filled anew
        return 10 * games

    return step


def hanabi() -> Step:
    env = hanabi_v5.env(players=4)
    env.reset(seed=1)

    def step() -> int:
        env.reset()
        steps = 0
        for agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(seen["action_mask"]))
                steps += 1
        return steps

    return step


def sparrow_mahjong(games: int) -> Step:
    env = pgx.make("sparrow_mahjong")
    begin_anew = auto_reset(env.step, env.init)

    @jax.jit  # type: ignore[untyped-decorator]
    def play(state: Any, key: Any) -> Any:
        draw, chance, key = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(draw, logits, axis=-1)
        return jax.vmap(begin_anew)(state, actions, jax.random.split(chance, games)), key

    now = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games)), jax.random.PRNGKey(1)]

    def step() -> int:
        now[:] = play(*now)
        jax.block_until_ready(now[0].observation)
        return games

    return step


def rate(step: Step, seconds: float) -> float:
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        steps += step()
    return steps / (time.perf_counter() - start)


def players(games: int) -> dict[str, Step]:
    draws = {
        "drawn by the environment": by_kernel,
        "NumPy, from the lists": from_lists,
        "NumPy, from the mask": from_mask,
    }
    made = {
        f"Skerry {game.name}, {how}": functools.partial(ours, game, draw)(games)
        for game in skerry.all_games()
        for how, draw in draws.items()
    }
    return made | {"PettingZoo hanabi_v5": hanabi(), f"pgx sparrow_mahjong, {games} games": sparrow_mahjong(games)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=1024)
    given = parser.parse_args()
    steps = players(given.games)
    for step in steps.values():
        step()  # compiles
    rates: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(given.rounds):
        for name, step in steps.items():
            rates[name].append(rate(step, given.seconds))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    *_, zoo, mahjong = medians.values()
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("random play, median of rounds", "steps/s", "lowest", "highest", "× hanabi_v5", "× sparrow_mahjong"):
        table.add_column(column, header_style="dim", justify="left" if column.startswith("random") else "right")
    for name, values in rates.items():
        middle = medians[name]
        numbers = (f"{middle:,.0f}", f"{min(values):,.0f}", f"{max(values):,.0f}")
        table.add_row(name, *numbers, f"{middle / zoo:,.1f}", f"{middle / mahjong:,.1f}")
    Console(highlight=False, width=120).print(table)


if __name__ == "__main__":
    main()
