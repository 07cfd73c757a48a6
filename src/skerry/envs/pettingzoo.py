"""One agent for each seat, for PettingZoo: in turn (the AEC interface), or all at once where play is simultaneous."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.struct import StructBuffer
from skerry.envs import missing
from skerry.envs.batch import ACTION_MASK, OBSERVATION, Batch, Observation, seed_of, seeds_from
from skerry.envs.config import LIMIT, ME, prepare
from skerry.envs.episodes import ActionTexts, episode_info
from skerry.envs.gymnasium import action_space, observation_space, state_space
from skerry.envs.render import HUMAN, MODES, check_mode, rendered

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise missing("pettingzoo", "envs") from error


def env(game: str, **given: Any) -> AECEnv[str, Observation, int]:
    """A game in PettingZoo's wrapper that checks that it is reset before it is stepped."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, **given))


def parallel_env(game: str, **given: Any) -> Any:
    """A game in which all seats decide at the same time, for PettingZoo's parallel interface."""
    from skerry.envs.parallel import parallel_env

    return parallel_env(game, **given)


def known_options(game: Game, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The options of the game among those that ``reset`` is given. PettingZoo lets environments ignore what they do not
    know, and its own suite relies on it; so this only warns."""
    own = {option.name for option in game.options}
    for name in given or {}:
        if name not in own:
            warnings.warn(f"{game.title} has no option {name!r}; it has {', '.join(sorted(own))}", stacklevel=3)
    return {name: value for name, value in (given or {}).items() if name in own}


class raw_env(AECEnv[str, Observation, int]):  # type: ignore[misc]  # noqa: N801 (PettingZoo's own name)
    """The agents are ``seat_0``, ``seat_1`` and so on: those of the seats ``me``, by default all. Bots play the others.
    All but ``agent_selection`` have an empty action mask."""

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
        super().__init__()
        check_mode(render_mode, *MODES)
        if seats is None:
            seats = (ME,) * prepare(game, **options).variant.players
        config = prepare(game, seats, reward, limit, forced, interrupts, **options)
        self.game = config.variant.game
        self.metadata = {
            "name": f"skerry_{game}_v{self.game.version}",
            "render_modes": list(MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._seats = {f"seat_{seat}": seat for seat, player in enumerate(config.seats) if player == ME}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        self.state_space = state_space(config)
        self._observation_spaces = {agent: observation_space(config) for agent in self.possible_agents}
        self._action_spaces = {agent: action_space(config) for agent in self.possible_agents}
        self._batch = Batch(config, 1, same_step=False)
        self._chance = np.random.default_rng()
        self._texts: ActionTexts | None = None

    def observation_space(self, agent: str) -> Any:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; ``seed`` gives the same game as ``skerry.game(…).new(seed)``.

        ``options`` are options of the game that differ in this one.
        """
        chosen = None if seed is None else np.array([seed_of(seed)])
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self._batch.set_options(known_options(self.game, options))
        self._batch.reset(seeds_from(self._chance, 1) if chosen is None else chosen)
        self._texts = None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_decide()
        if self.render_mode == HUMAN:
            self.render()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        played, text = self._batch, self.action_text(-1 if action is None else action)
        played.step(np.array([-1 if action is None else action], np.int64))
        self._cumulative_rewards[agent] = 0.0
        rewards = played.rewards[0].tolist()
        self.rewards = {one: rewards[self._seats[one]] for one in self.agents}
        self.terminations = dict.fromkeys(self.agents, bool(played.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(played.truncated[0]))
        self._accumulate_rewards()
        over = bool(played.terminated[0] or played.truncated[0])
        info = {name: value for name, value in episode_info(played).items() if name in ("ending", "scores")}
        self.infos = {one: dict(info) for one in self.agents}
        self.infos[agent]["action"] = text
        if over:
            self._deads_step_first()
        else:
            self.agent_selection = self._agent_to_decide()
        if self.render_mode == HUMAN:
            self.render()

    def observe(self, agent: str) -> Observation:
        """The observation of a seat, also while another has to decide."""
        seat = self._seats[agent]
        asked = seat == self._batch.seats[0]
        mask = self._batch.observations[ACTION_MASK][0]
        return {OBSERVATION: self._observation(seat), ACTION_MASK: mask.copy() if asked else np.zeros_like(mask)}

    def state(self) -> NDArray[np.float32]:
        """The observations of all seats side by side, for a centralised critic."""
        return self._batch.observe_all_seats()[0]

    def action_text(self, action: int) -> str:
        """An action in words, as game records write it."""
        if self._texts is None:
            self._texts = ActionTexts(self._batch)
        return self._texts[int(action)]

    def render(self) -> Any:
        """The table as a spectator sees it."""
        return rendered(self.game, self._batch.states, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _agent_to_decide(self) -> str:
        """If bots end the game before any agent could decide, the first agent, which then finds the game over."""
        return f"seat_{max(int(self._batch.seats[0]), 0)}"

    def _observation(self, seat: int) -> NDArray[np.float32]:
        out = np.zeros(self.game.observation_size, np.float32)
        state = StructBuffer(self.game.state_struct, self._batch.states.tobytes())
        self.game.rules.observe(state.struct, seat, kernel_array(out))
        return out
