"""Random agents at every table: ``python examples/random_agent.py [GAME] [--games N]``. Needs the extra ``envs``."""

from __future__ import annotations

import argparse
from typing import Any

import skerry.envs.pettingzoo


def play(env: Any, seed: int) -> dict[str, float]:
    """What each agent has got at the end of a random game."""
    env.reset(seed=seed)
    got = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        got[agent] += reward
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
    return got


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="forbidden-island")
    parser.add_argument("--games", type=int, default=3)
    given = parser.parse_args()
    env = skerry.envs.pettingzoo.env(given.game)
    for seed in range(given.games):
        print(f"game {seed}: {play(env, seed)}")


if __name__ == "__main__":
    main()
