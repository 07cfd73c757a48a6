"""One learner in many games at once, for Gymnasium: a step of the whole batch is one kernel call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.rng import derive_seed
from skerry.envs.batch import Batch, Seen, seed_of, seeds_from
from skerry.envs.config import LIMIT, fast_bot, prepare
from skerry.envs.gymnasium import action_space, observation_space
from skerry.envs.render import ANSI, check_mode, picture

from gymnasium.vector import AutoresetMode, VectorEnv  # isort: skip (after skerry.envs.gymnasium has said what is missing)
from gymnasium.vector.utils import batch_space  # isort: skip

Stepped = tuple[Seen, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SkerryVectorEnv(VectorEnv[Seen, NDArray[np.int64], NDArray[Any]]):
    """``num_envs`` games, each as in ``SkerryEnv``.

    ``copy=False`` hands out the batch's own arrays, which the next step fills anew. ``threads`` splits the batch.
    """

    metadata = {"render_modes": [ANSI], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (Gymnasium's own)

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
            raise ValueError("a game that has ended is always followed by another: SAME_STEP or NEXT_STEP")
        if threads < 1:
            raise ValueError(f"threads is a number from 1 on, not {threads}")
        check_mode(render_mode, ANSI)
        self.config = prepare(game, seats, reward, limit, forced, interrupts, **options)
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.copy = copy
        self.single_observation_space = observation_space(self.config)
        self.single_action_space = action_space(self.config)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.batch = Batch(self.config, num_envs, mode is AutoresetMode.SAME_STEP, threads)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """With one seed: game ``i`` of its series. With a seed a game: those that ``skerry.game(…).new(seed)`` are."""
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            self.batch.reset(self._series(seed_of(seed)))
        else:
            self.batch.reset(self._seeds(seed))
        return self._own(self.batch.seen), {"seat": self._kept(self.batch.seats)}

    def step(self, actions: NDArray[np.int64]) -> Stepped:
        played = self.batch
        played.step(np.asarray(actions, np.int64))
        info: dict[str, Any] = {"seat": self._kept(played.seats), "rewards": self._kept(played.rewards)}
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
            ended = played.terminated | played.truncated
            if ended.any():
                info |= {"final_obs": self._own(played.last_seen), "_final_obs": ended}
        return (
            self._own(played.seen),
            self._kept(played.reward),
            self._kept(played.terminated),
            self._kept(played.truncated),
            info,
        )

    def sample(self) -> NDArray[np.int64]:
        """A legal action in each game by chance, drawn by a kernel: quicker than ``action_space.sample(mask)``."""
        return self.batch.sample()

    def ask(self, bot: str) -> NDArray[np.int64]:
        """What a bot would do in each game in the learner's place: to imitate it, or to compare with it."""
        return self.batch.ask(fast_bot(self.config.variant.game, bot))

    def render(self) -> tuple[str, ...] | None:
        """The tables as a spectator sees them."""
        if self.render_mode != ANSI:
            return None
        game, states = self.config.variant.game, self.batch.states
        return tuple(picture(game, states[i : i + 1]) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        self.batch.close()

    def _series(self, seed: np.uint64) -> NDArray[np.uint64]:
        return np.array([derive_seed(seed, i) for i in range(self.num_envs)], np.uint64)

    def _seeds(self, given: Sequence[int | None] | None) -> NDArray[np.uint64]:
        """The seeds that are given, and chance for the others."""
        seeds = seeds_from(self.np_random, self.num_envs)
        if given is not None:
            for i, seed in zip(range(self.num_envs), given, strict=True):
                seeds[i] = seeds[i] if seed is None else seed_of(seed)
        return seeds

    def _kept(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _own(self, seen: Seen) -> Seen:
        return {name: self._kept(array) for name, array in seen.items()}
