"""Many games at once for Stable-Baselines3: a ``VecEnv`` whose step is one kernel call.

from sb3_contrib import MaskablePPO
from skerry.envs.stable_baselines3 import SkerryVecEnv

model = MaskablePPO("MultiInputPolicy", SkerryVecEnv("hashi", 256, players=1))
model.learn(1_000_000)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.envs import missing
from skerry.envs.batch import ACTION_MASK, Batch, Observation, seed_of, seeds_from
from skerry.envs.config import LIMIT, prepare
from skerry.envs.episodes import ending_names
from skerry.envs.gymnasium import action_space, observation_space
from skerry.envs.render import RGB_ARRAY, check_mode, rendered

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise missing("stable_baselines3", "sb3") from error

Indices = int | Iterable[int] | None


class SkerryVecEnv(VecEnv):  # type: ignore[misc]
    """``num_envs`` games, each as in ``skerry.envs.gymnasium.SkerryEnv``. A game begins anew in the step that ends it.

    ``env_method`` knows ``action_masks``, which sb3-contrib's MaskablePPO calls.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        seats: Sequence[str] | str | None = None,
        reward: str | None = None,
        limit: int = LIMIT,
        forced: bool = False,
        interrupts: bool = True,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_mode(render_mode, RGB_ARRAY)
        self.config = prepare(game, seats, reward, limit, forced, interrupts, **options)
        self._attributes: list[dict[str, Any]] = [{"render_mode": render_mode} for _ in range(num_envs)]
        self.batch = Batch(self.config, num_envs, same_step=True, threads=threads)
        self._chance = np.random.default_rng()
        self._actions = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, observation_space(self.config), action_space(self.config))

    def reset(self) -> Observation:
        """Start new games; after ``seed(7)`` those of seed 7, 8 and so on, as other environments of this library."""
        seeds = seeds_from(self._chance, self.num_envs)
        for number, seed in enumerate(self._seeds):
            if seed is not None:
                seeds[number] = seed_of(seed)
        self.batch.set_options(self._options[0])
        self.batch.reset(seeds)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [{"seat": seat} for seat in self.batch.seats.tolist()]
        return self._observations(self.batch.observations)

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[Observation, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        played = self.batch
        played.step(self._actions)
        ended = played.terminated | played.truncated
        infos: list[dict[str, Any]] = [{"seat": seat} for seat in played.seats.tolist()]
        if ended.any():
            self._describe_ends(infos, np.flatnonzero(ended))
        return self._observations(played.observations), played.reward.copy(), ended, infos

    def _describe_ends(self, infos: list[dict[str, Any]], games: NDArray[Any]) -> None:
        played, names = self.batch, ending_names(self.batch)
        for game in games.tolist():
            infos[game] |= {
                "terminal_observation": {name: array[game].copy() for name, array in played.final_observations.items()},
                "TimeLimit.truncated": bool(played.truncated[game]),
                "rewards": played.rewards[game].tolist(),
                "ending": str(names[game]),
                "scores": played.scores[game].tolist(),
            }

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of all games."""
        return self.batch.observations[ACTION_MASK].astype(bool)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(f"the games of a batch have no method {method_name!r}; there is action_masks")
        return [self.action_masks()[number] for number in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        if attr_name == "action_masks":
            return [lambda number=number: self.action_masks()[number] for number in self._get_indices(indices)]
        own = {"config": self.config, "observation_space": getattr(self, "observation_space", None)}
        own["action_space"] = getattr(self, "action_space", None)
        chosen = [self._attributes[number] for number in self._get_indices(indices)]
        if any(attr_name not in own | one for one in chosen):
            raise AttributeError(f"the games of a batch have no attribute {attr_name!r}")
        return [(own | one)[attr_name] for one in chosen]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        for number in self._get_indices(indices):
            self._attributes[number][attr_name] = value

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        game, states = self.config.variant.game, self.batch.states
        return [rendered(game, states[number : number + 1], self.render_mode) for number in range(self.num_envs)]

    def close(self) -> None:
        self.batch.close()

    def _get_indices(self, indices: Indices) -> Iterable[int]:
        if indices is None:
            return range(self.batch.count)
        return [indices] if isinstance(indices, int) else indices

    def _observations(self, observations: Observation) -> Observation:
        return {name: array.copy() for name, array in observations.items()}
