"""Learning environments over the registered games; docs/environments.md explains them.

    skerry.envs.gymnasium          one learner: ``gymnasium.make("skerry/…-v1")``
    skerry.envs.vector             the same, N games in one kernel call: ``gymnasium.make_vec("skerry/…-v1", 1024)``
    skerry.envs.stable_baselines3  the same as a ``VecEnv`` of Stable-Baselines3
    skerry.envs.pettingzoo         one agent for each seat, in turn or all at once
    skerry.envs.tasks              the tasks of the benchmark, evaluated by skerry.envs.evaluation
    skerry.envs.open_spiel         games for ``pyspiel.load_game("skerry_…")``

Each module needs its own package; importing this one needs none.
"""

from __future__ import annotations


def missing(package: str, extra: str) -> ImportError:
    """The error for an optional package that is not installed."""
    return ImportError(f"{package} is not installed: pip install 'skerry[{extra}]'", name=package)
