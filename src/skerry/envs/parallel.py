"""Games in which all seats decide at the same time, for PettingZoo's parallel interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from skerry.engine.errors import BadOption
from skerry.engine.event_log import new_event_log
from skerry.engine.kernel import kernel_array
from skerry.engine.messages import say
from skerry.engine.notation import Names
from skerry.engine.struct import StructBuffer
from skerry.envs.batch import (
    ACTION_MASK,
    HIGHEST_OBSERVED,
    LOWEST_OBSERVED,
    OBSERVATION,
    Observation,
    seed_of,
    seeds_from,
)
from skerry.envs.config import LIMIT, ME, prepare
from skerry.envs.episodes import ILLEGAL_ACTION, LIMIT_REACHED
from skerry.envs.gymnasium import state_space
from skerry.envs.pettingzoo import known_options
from skerry.envs.render import HUMAN, MODES, check_mode, rendered
from skerry.envs.rewards import ILLEGAL_ACTION_REWARD, compute_rewards

WAIT = "wait"


class parallel_env(ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # noqa: N801 (PettingZoo's own name)
    """In a step every seat that has to decide does one action. A seat that does not has one legal action, *wait*, whose
    id is the number of the game's actions. Seats that have only one thing to do, all of them, do it by themselves.

    A step is the actions of the seats in their order, none of which sees what the others do, because the rules hide it
    from them until all are done. Only games that begin with a decision of all seats can be played so.
    """

    def __init__(
        self, game: str, reward: str | None = None, limit: int = LIMIT, render_mode: str | None = None, **options: Any
    ) -> None:
        check_mode(render_mode, *MODES)
        variant = prepare(game, **options).variant
        self._config = prepare(game, (ME,) * variant.players, reward, limit, interrupts=False, **options)
        self._variant = variant  # of the current game
        self.game, self.wait = variant.game, variant.game.actions.size
        self.metadata = {
            "name": f"skerry_{game}_parallel_v{self.game.version}",
            "render_modes": list(MODES),
            "render_fps": 2,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(variant.players)]
        self.agents: list[str] = []
        self.state_space = state_space(self._config)
        self._action_spaces = {agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents}
        self._observation_spaces = {agent: self._new_observation_space() for agent in self.possible_agents}
        self._chance = np.random.default_rng()
        self._state: StructBuffer[Any] = StructBuffer(self.game.state_struct)
        self._log = new_event_log(0)
        self._names: Names = {}
        self._steps = 0
        self._check_simultaneous()

    def _new_observation_space(self) -> spaces.Space[Any]:
        box = spaces.Box(LOWEST_OBSERVED, HIGHEST_OBSERVED, (self.game.observation_size,), np.float32)
        return spaces.Dict({OBSERVATION: box, ACTION_MASK: spaces.MultiBinary(self.wait + 1)})

    def _check_simultaneous(self) -> None:
        self._begin(np.uint64(0))
        if len(self._waiting()) < len(self.possible_agents):
            raise BadOption(say("{title} is played in turn: use skerry.envs.pettingzoo.env", title=self.game.title))

    def observation_space(self, agent: str) -> Any:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self._action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a new game; ``seed`` gives the same game as ``skerry.game(…).new(seed)``.

        ``options`` are options of the game that differ in this one.
        """
        self._set_options(known_options(self.game, options))
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self._begin(seeds_from(self._chance, 1)[0] if seed is None else seed_of(seed))
        self.agents = self.possible_agents[:]
        self._names, self._steps = self.game.ui.names(self._state.struct), 0
        self._play_forced()
        if self.render_mode == HUMAN:
            self.render()
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        if not self.agents:
            raise ValueError("the game is over, or has not begun: call reset")
        agents, seats = self.agents, range(len(self.agents))
        legal = [self._legal(seat) for seat in seats]
        chosen = [int(actions[agent]) for agent in agents]
        infos: dict[str, dict[str, Any]] = {
            agent: {"action": self.action_text(action)} for agent, action in zip(agents, chosen, strict=True)
        }
        wrong = [seat for seat in seats if chosen[seat] not in legal[seat]]
        self._steps += 1
        if not wrong:
            for seat in seats:
                if chosen[seat] != self.wait:
                    self.game.rules.step(self._state.struct, seat, chosen[seat], kernel_array(self._log))
            self._play_forced()
        ending, scores, rewards = self._result()
        truncated = not wrong and not ending and 0 < self._config.limit <= self._steps
        if wrong:
            rewards = [ILLEGAL_ACTION_REWARD if seat in wrong else 0.0 for seat in seats]
        terminated = bool(ending or wrong)
        if terminated or truncated:
            name = ILLEGAL_ACTION if wrong else self.game.endings[ending - 1].name if ending else LIMIT_REACHED
            for agent in agents:
                infos[agent] |= {"ending": name, "scores": scores}
        observations = self._observations()
        self.agents = [] if terminated or truncated else agents
        if self.render_mode == HUMAN:
            self.render()
        return (
            observations,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, terminated),
            dict.fromkeys(agents, truncated),
            infos,
        )

    def state(self) -> NDArray[np.float32]:
        """The observations of all seats side by side, for a centralised critic."""
        return np.concatenate([self._observed(seat) for seat in range(len(self.possible_agents))])

    def action_text(self, action: int) -> str:
        """An action in words, as game records write it."""
        if action == self.wait:
            return WAIT
        if not 0 <= action < self.wait:
            return f"no action: {action}"
        return self.game.actions.action(action, self._names).text

    def render(self) -> Any:
        """The table as a spectator sees it."""
        return rendered(self.game, self._state.array, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def _set_options(self, given: Mapping[str, Any]) -> None:
        own = self._config.variant
        self._variant = self.game.configure({**own.options, **given})
        if self._variant.players != own.players:
            raise BadOption("the number of players cannot change from game to game")

    def _begin(self, seed: np.uint64) -> None:
        self._state = StructBuffer(self.game.state_struct)
        self.game.rules.setup(self._state.struct, self._variant.encoded_options.struct, seed)

    def _waiting(self) -> list[int]:
        bits = int(self.game.rules.waiting(self._state.struct))
        return [seat for seat in range(len(self.possible_agents)) if bits >> seat & 1]

    def _legal(self, seat: int) -> list[int]:
        """The ids of a seat's actions: those of the rules where it has to decide, otherwise to wait."""
        if seat not in self._waiting():
            return [self.wait]
        out = np.zeros(self.wait + 1, np.int16)
        count = self.game.rules.legal(self._state.struct, seat, kernel_array(out))
        return [int(action) for action in out[:count]]

    def _play_forced(self) -> None:
        """Play on while no seat has a choice."""
        while waiting := self._waiting():
            legal = {seat: self._legal(seat) for seat in waiting}
            if any(len(actions) > 1 for actions in legal.values()):
                return
            self.game.rules.step(self._state.struct, waiting[0], legal[waiting[0]][0], kernel_array(self._log))

    def _result(self) -> tuple[int, list[float], list[float]]:
        """The number of the ending, the scores, and the rewards."""
        scores, rewards = np.zeros(len(self.possible_agents)), np.zeros(len(self.possible_agents))
        ending = int(self.game.rules.result(self._state.struct, kernel_array(scores)))
        if ending:
            won = int(self.game.endings[ending - 1].won)
            compute_rewards(self._config.reward_scheme, won, kernel_array(scores), kernel_array(rewards))
        return ending, scores.tolist(), rewards.tolist()

    def _observations(self) -> dict[str, Observation]:
        shown: dict[str, Observation] = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = np.zeros(self.wait + 1, np.int8)
            mask[self._legal(seat)] = 1
            shown[agent] = {OBSERVATION: self._observed(seat), ACTION_MASK: mask}
        return shown

    def _observed(self, seat: int) -> NDArray[np.float32]:
        out = np.zeros(self.game.observation_size, np.float32)
        self.game.rules.observe(self._state.struct, seat, kernel_array(out))
        return out
