"""Random agents at all seats of a game, in the PettingZoo environment. Needs the extra ``envs``.

python examples/random_agent.py [GAME] [--games N]
"""

from __future__ import annotations

import argparse
from typing import Any

import skerry.envs.pettingzoo


def play_game(env: Any, seed: int) -> dict[str, float]:
    """The total reward of each agent in a game of random actions."""
    env.reset(seed=seed)
    returns = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    return returns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="forbidden-island")
    parser.add_argument("--games", type=int, default=3)
    arguments = parser.parse_args()
    env = skerry.envs.pettingzoo.env(arguments.game)
    for seed in range(arguments.games):
        print(f"game {seed}: {play_game(env, seed)}")


if __name__ == "__main__":
    main()
