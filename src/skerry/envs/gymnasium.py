"""One learner in one game, for Gymnasium. Importing this registers ``skerry/<game>-v<rules version>`` for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import skerry
from skerry.engine.game import Game
from skerry.envs import missing
from skerry.envs.batch import ACTION_MASK, HIGHEST, LOWEST, OBSERVATION, Batch, Seen, seed_of, seeds_from
from skerry.envs.config import LIMIT, EnvConfig, prepare
from skerry.envs.render import ANSI, HUMAN, check_mode, rendered

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise missing("gymnasium", "envs") from error


def observation_space(config: EnvConfig) -> spaces.Space[Any]:
    """Fresh spaces each time: a space has its own random generator."""
    observation = spaces.Box(LOWEST, HIGHEST, (config.variant.game.observation_size,), np.float32)
    return spaces.Dict({OBSERVATION: observation, ACTION_MASK: spaces.MultiBinary(config.actions)})


def action_space(config: EnvConfig) -> spaces.Discrete:
    return spaces.Discrete(config.actions)


class SkerryEnv(gymnasium.Env[Seen, np.int64]):
    """A learner at the seats ``me`` of one game; the others are bots. ``docs/environments.md`` explains the options."""

    metadata = {"render_modes": [ANSI, HUMAN], "render_fps": 2}  # noqa: RUF012 (Gymnasium's own)

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
        check_mode(render_mode, ANSI, HUMAN)
        self.config = prepare(game, seats, reward, limit, forced, interrupts, **options)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.config)
        self.action_space = action_space(self.config)
        self._batch = Batch(self.config, 1, same_step=False)
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """With a seed: the game that ``skerry.game(…).new(seed)`` is."""
        super().reset(seed=seed)
        self._batch.reset(seeds_from(self.np_random, 1) if seed is None else np.array([seed_of(seed)]))
        self._over = False
        if self.render_mode == HUMAN:
            self.render()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        if self._over:
            raise gymnasium.error.ResetNeeded("The game is over, or has not begun: call reset.")
        played = self._batch
        played.step(np.array([action], np.int64))
        terminated, truncated = bool(played.terminated[0]), bool(played.truncated[0])
        self._over = terminated or truncated
        if self.render_mode == HUMAN:
            self.render()
        return self._seen(), float(played.reward[0]), terminated, truncated, self._info()

    def action_masks(self) -> Any:
        """Where sb3-contrib's MaskablePPO looks."""
        return self._batch.seen[ACTION_MASK][0].astype(bool)

    def render(self) -> str | None:
        """The table as a spectator sees it."""
        return rendered(self.config.variant.game, self._batch.states, self.render_mode)

    def _seen(self) -> Seen:
        return {name: array[0].copy() for name, array in self._batch.seen.items()}

    def _info(self) -> dict[str, Any]:
        """Who is asked next (-1: nobody), and what each seat got."""
        return {"seat": int(self._batch.seats[0]), "rewards": self._batch.rewards[0].tolist()}


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


register()
