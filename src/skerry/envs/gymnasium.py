"""One learner in one game, for Gymnasium. Importing this registers ``skerry/<game>-v<rules version>`` for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import skerry
from skerry.engine.game import Game
from skerry.envs import missing
from skerry.envs.batch import (
    ACTION_MASK,
    HIGHEST_OBSERVED,
    LOWEST_OBSERVED,
    OBSERVATION,
    Batch,
    Observation,
    seed_of,
    seeds_from,
)
from skerry.envs.config import LIMIT, EnvConfig, prepare
from skerry.envs.episodes import ActionTexts, episode_info
from skerry.envs.render import HUMAN, MODES, check_mode, rendered
from skerry.envs.tasks import TASKS

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise missing("gymnasium", "envs") from error


def observation_space(config: EnvConfig) -> spaces.Space[Any]:
    """Fresh spaces each time: a space has its own random generator."""
    observation = spaces.Box(LOWEST_OBSERVED, HIGHEST_OBSERVED, (config.variant.game.observation_size,), np.float32)
    return spaces.Dict({OBSERVATION: observation, ACTION_MASK: spaces.MultiBinary(config.actions)})


def action_space(config: EnvConfig) -> spaces.Discrete:
    return spaces.Discrete(config.actions)


def state_space(config: EnvConfig) -> spaces.Box:
    """The space of ``state()``: the observations of all seats side by side."""
    size = config.variant.players * config.variant.game.observation_size
    return spaces.Box(LOWEST_OBSERVED, HIGHEST_OBSERVED, (size,), np.float32)


class SkerryEnv(gymnasium.Env[Observation, np.int64]):
    """A learner at the seats ``me`` of one game; the others are bots. ``docs/environments.md`` explains the options."""

    metadata = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012 (Gymnasium's own)

    def __init__(
        self,
        game: str,
        seats: Sequence[str] | str | None = None,
        reward: str | None = None,
        limit: int = LIMIT,
        forced: bool = False,
        interrupts: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_mode(render_mode, *MODES)
        self.config = prepare(game, seats, reward, limit, forced, interrupts, **options)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.config)
        self.action_space = action_space(self.config)
        self.state_space = state_space(self.config)
        self._batch = Batch(self.config, 1, same_step=False)
        self._texts: ActionTexts | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new game; ``seed`` gives the same game as ``skerry.game(…).new(seed)``.

        ``options`` are options of the game that differ in this one, such as ``{"difficulty": "elite"}``.
        """
        super().reset(seed=seed)
        self._batch.set_options(options or {})
        self._batch.reset(seeds_from(self.np_random, 1) if seed is None else np.array([seed_of(seed)]))
        self._texts = None
        if self.render_mode == HUMAN:
            self.render()
        return self._observation(), episode_info(self._batch)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self._batch.slots["over"][0]:
            raise gymnasium.error.ResetNeeded("The game is over, or has not begun: call reset.")
        played, text = self._batch, self.action_text(action)
        played.step(np.array([action], np.int64))
        if self.render_mode == HUMAN:
            self.render()
        terminated, truncated = bool(played.terminated[0]), bool(played.truncated[0])
        info = {**episode_info(played), "action": text}
        return self._observation(), float(played.reward[0]), terminated, truncated, info

    def action_masks(self) -> Any:
        """The mask as sb3-contrib's MaskablePPO calls it."""
        return self._batch.observations[ACTION_MASK][0].astype(bool)

    def action_text(self, action: int) -> str:
        """An action in words, as game records write it."""
        if self._texts is None:
            self._texts = ActionTexts(self._batch)
        return self._texts[int(action)]

    def legal_actions(self) -> dict[int, str]:
        """The ids of the legal actions, each in words."""
        return {action: self.action_text(action) for action in np.flatnonzero(self.action_masks()).tolist()}

    def state(self) -> NDArray[np.float32]:
        """The observations of all seats side by side, for a centralised critic."""
        return self._batch.observe_all_seats()[0]

    def get_state(self) -> NDArray[np.uint8]:
        """The game as bytes, hidden information included, for ``set_state``; without the generator of seeds."""
        return self._batch.get_state()

    def set_state(self, state: NDArray[np.uint8]) -> tuple[Observation, dict[str, Any]]:
        """Go on from what ``get_state`` has returned. Returns what ``reset`` does."""
        self._batch.set_state(state)
        self._texts = None
        return self._observation(), episode_info(self._batch)

    def render(self) -> Any:
        """The table as a spectator sees it."""
        return rendered(self.config.variant.game, self._batch.states, self.render_mode)

    def _observation(self) -> Observation:
        return {name: array[0].copy() for name, array in self._batch.observations.items()}


def env_id(game: Game) -> str:
    return f"skerry/{game.name}-v{game.version}"


def register() -> None:
    for game in skerry.all_games():
        gymnasium.register(
            env_id(game),
            entry_point=f"{__name__}:SkerryEnv",
            vector_entry_point="skerry.envs.vector:SkerryVectorEnv",
            kwargs={"game": game.name},
        )
    for task in TASKS:
        gymnasium.register(
            f"skerry/{task.id}",
            entry_point=f"{__name__}:SkerryEnv",
            vector_entry_point="skerry.envs.vector:SkerryVectorEnv",
            kwargs=task.arguments,
        )


register()
