"""One learner in many games at once, for Gymnasium: a step of the whole batch is one kernel call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.rng import derive_seed
from skerry.envs.batch import Batch, Observation, seed_of, seeds_from
from skerry.envs.config import LIMIT, env_bot, prepare
from skerry.envs.episodes import ActionTexts, ending_names
from skerry.envs.gymnasium import action_space, observation_space, state_space
from skerry.envs.render import ANSI, RGB_ARRAY, check_mode, rendered

import gymnasium  # isort: skip
from gymnasium.vector import AutoresetMode, VectorEnv  # isort: skip (after skerry.envs.gymnasium has said what is missing)
from gymnasium.vector.utils import batch_space  # isort: skip

StepResult = tuple[Observation, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SkerryVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """``num_envs`` games, each as in ``SkerryEnv``.

    ``copy=False`` returns the batch's own arrays, which the next step overwrites. The batch is split among ``threads``.
    """

    metadata = {"render_modes": [ANSI, RGB_ARRAY], "render_fps": 2, "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (Gymnasium's own)

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        seats: Sequence[str] | str | None = None,
        reward: str | None = None,
        limit: int = LIMIT,
        forced: bool = False,
        interrupts: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.DISABLED:
            raise ValueError("autoreset cannot be disabled: choose SAME_STEP or NEXT_STEP")
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        check_mode(render_mode, ANSI, RGB_ARRAY)
        self.config = prepare(game, seats, reward, limit, forced, interrupts, **options)
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.copy = copy
        self.single_observation_space = observation_space(self.config)
        self.single_action_space = action_space(self.config)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.state_space = state_space(self.config)
        self.batch = Batch(self.config, num_envs, mode is AutoresetMode.SAME_STEP, threads)
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """With one seed, the games of its series. With a list, the same games as ``skerry.game(…).new(seed)``.

        ``options`` are options of the game that differ until the next reset, such as ``{"difficulty": "elite"}``.
        """
        self.batch.set_options(options or {})
        self._begun = True
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            self.batch.reset(self._series(seed_of(seed)))
        else:
            self.batch.reset(self._seeds(seed))
        return self._copied_observations(self.batch.observations), {"seat": self._copied(self.batch.seats)}

    def step(self, actions: NDArray[np.int64]) -> StepResult:
        if not self._begun:
            raise gymnasium.error.ResetNeeded("The games have not begun: call reset.")
        played = self.batch
        played.step(np.asarray(actions, np.int64))
        return (
            self._copied_observations(played.observations),
            self._copied(played.reward),
            self._copied(played.terminated),
            self._copied(played.truncated),
            self._info(),
        )

    def _info(self) -> dict[str, Any]:
        """Of each game, the seat to decide and the rewards of all seats. Where a game has ended, also how, and the
        scores; in the mode SAME_STEP these are the ``final_info`` too, and the last observation is there."""
        played = self.batch
        info: dict[str, Any] = {"seat": self._copied(played.seats), "rewards": self._copied(played.rewards)}
        ended = played.terminated | played.truncated
        if not ended.any():
            return info
        final = {"ending": ending_names(played), "scores": self._copied(played.scores)}
        info |= final | {f"_{name}": ended for name in final}
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
            final["rewards"] = info["rewards"]
            info |= {"final_info": final | {f"_{name}": ended for name in final}, "_final_info": ended}
            info |= {"final_obs": self._copied_observations(played.final_observations), "_final_obs": ended}
        return info

    def action_text(self, number: int, action: int) -> str:
        """An action of one of the games in words, as game records write it."""
        return ActionTexts(self.batch, number)[action]

    def state(self) -> NDArray[np.float32]:
        """For each game the observations of all seats side by side, for a centralised critic."""
        return self.batch.observe_all_seats()

    def get_state(self) -> NDArray[np.uint8]:
        """All games as bytes, hidden information included, for ``set_state``."""
        return self.batch.get_state()

    def set_state(self, state: NDArray[np.uint8]) -> tuple[Observation, dict[str, Any]]:
        """Go on from what ``get_state`` has returned. Returns what ``reset`` does."""
        self.batch.set_state(state)
        self._begun = True
        return self._copied_observations(self.batch.observations), {"seat": self._copied(self.batch.seats)}

    def sample(self) -> NDArray[np.int64]:
        """A random legal action in each game, faster than ``action_space.sample(mask)``."""
        return self.batch.sample()

    def ask(self, bot: str) -> NDArray[np.int64]:
        """The action that a bot would choose in each game in the learner's place, for imitation or as a reference."""
        return self.batch.ask(env_bot(self.config.variant.game, bot))

    def render(self) -> tuple[Any, ...] | None:
        """The games as a spectator sees them."""
        if self.render_mode is None:
            return None
        game, states = self.config.variant.game, self.batch.states
        return tuple(rendered(game, states[i : i + 1], self.render_mode) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        self.batch.close()

    def _series(self, seed: np.uint64) -> NDArray[np.uint64]:
        return np.array([derive_seed(seed, i) for i in range(self.num_envs)], np.uint64)

    def _seeds(self, given: Sequence[int | None] | None) -> NDArray[np.uint64]:
        """The seeds that were given, and random ones for the others."""
        seeds = seeds_from(self.np_random, self.num_envs)
        if given is not None:
            for i, seed in zip(range(self.num_envs), given, strict=True):
                seeds[i] = seeds[i] if seed is None else seed_of(seed)
        return seeds

    def _copied(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _copied_observations(self, observations: Observation) -> Observation:
        return {name: self._copied(array) for name, array in observations.items()}
