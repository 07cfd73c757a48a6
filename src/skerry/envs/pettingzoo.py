"""A learner a seat, asked one after another, for PettingZoo (its AEC interface)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import kernel_array
from skerry.engine.struct import StructBuffer
from skerry.envs import missing
from skerry.envs.batch import ACTION_MASK, OBSERVATION, Batch, Seen, seed_of, seeds_from
from skerry.envs.config import LIMIT, ME, prepare
from skerry.envs.gymnasium import action_space, observation_space
from skerry.envs.render import ANSI, HUMAN, check_mode, rendered

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing("pettingzoo", "envs") from error


def env(game: str, **given: Any) -> AECEnv[str, Seen, int]:
    """A game with its wrapper: it must be reset before it is stepped."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, **given))


class raw_env(AECEnv[str, Seen, int]):  # type: ignore[misc]  # noqa: N801 (PettingZoo's own name)
    """Agents are seats, ``seat_0`` and on. The one that is asked is ``agent_selection``; others have an empty mask."""

    def __init__(
        self,
        game: str,
        reward: str | None = None,
        limit: int = LIMIT,
        forced: bool = False,
        interrupts: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        check_mode(render_mode, ANSI, HUMAN)
        variant = prepare(game, **options).variant
        config = prepare(game, (ME,) * variant.players, reward, limit, forced, interrupts, **options)
        self.game = variant.game
        self.metadata = {
            "name": f"skerry_{game}_v{self.game.version}",
            "render_modes": [ANSI, HUMAN],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(variant.players)]
        self.agents: list[str] = []
        self._observation_spaces = {agent: observation_space(config) for agent in self.possible_agents}
        self._action_spaces = {agent: action_space(config) for agent in self.possible_agents}
        self._batch = Batch(config, 1, same_step=False)
        self._chance = np.random.default_rng()

    def observation_space(self, agent: str) -> Any:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """With a seed: the game that ``skerry.game(…).new(seed)`` is."""
        chosen = None if seed is None else np.array([seed_of(seed)])
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self._batch.reset(seeds_from(self._chance, 1) if chosen is None else chosen)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._batch.seats[0]]
        if self.render_mode == HUMAN:
            self.render()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        played = self._batch
        played.step(np.array([action], np.int64))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, played.rewards[0].tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, bool(played.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(played.truncated[0]))
        self._accumulate_rewards()
        if played.terminated[0] or played.truncated[0]:
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[played.seats[0]]
        if self.render_mode == HUMAN:
            self.render()

    def observe(self, agent: str) -> Seen:
        """What a seat sees, also while another is asked."""
        seat = self.possible_agents.index(agent)
        asked = seat == self._batch.seats[0]
        mask = self._batch.seen[ACTION_MASK][0]
        return {OBSERVATION: self._observation(seat), ACTION_MASK: mask.copy() if asked else np.zeros_like(mask)}

    def render(self) -> Any:
        """The table as a spectator sees it."""
        return rendered(self.game, self._batch.states, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _observation(self, seat: int) -> NDArray[np.float32]:
        out = np.zeros(self.game.observation_size, np.float32)
        state = StructBuffer(self.game.state_struct, self._batch.states.tobytes())
        self.game.rules.observe(state.struct, seat, kernel_array(out))
        return out
