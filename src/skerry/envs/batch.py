"""A batch of games for one learner, as plain arrays: what the environments of all learning libraries wrap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from operator import index
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from skerry.bots.asked import Answer, AskedBot, known_positions
from skerry.bots.bot import Bot
from skerry.bots.dispatch import may_interrupt
from skerry.bots.illegal_choice import IllegalChoice, raise_for_seats
from skerry.engine.errors import BadOption
from skerry.engine.event_log import new_event_log
from skerry.engine.game import read_seed
from skerry.engine.kernel import INTERPRETED, kernel_array
from skerry.engine.loop import PASS
from skerry.engine.messages import say
from skerry.engine.struct import dtype_of, struct_array, struct_views
from skerry.envs.config import EnvConfig, asked_number
from skerry.envs.stepping import (
    MAX_BOT_STEPS,
    NO_ACTION,
    Buffers,
    PlayParams,
    RewardParams,
    SetupParams,
    Slot,
    StepParams,
    StepRange,
    ask_games,
    observe_all_seats,
    sample_games,
    step_games,
    step_phases,
)

OBSERVATION, ACTION_MASK = "observation", "action_mask"
LOWEST_OBSERVED, HIGHEST_OBSERVED = -1, 127  # bounds of every observed number, in every game
ALIGNMENT = 64  # of the arrays, in bytes

Observation = dict[str, NDArray[Any]]


class Batch:
    """``count`` games of one config. Each call overwrites the arrays; copy what you keep.

    All arrays lie in one piece of memory, so that a batch is copied by one memcpy.
    """

    def __init__(self, config: EnvConfig, count: int, same_step: bool = True, threads: int = 1) -> None:
        self.config = config
        self.count = count
        self.same_step = same_step
        self.threads = threads
        self.game = game = config.variant.game
        size, players = game.actions.size, config.variant.players
        self.memory, arrays = _arrays_in_one_piece(
            states=((count,), dtype_of(game.state_struct)),
            slots=((count,), dtype_of(Slot)),
            legals=((count, size + 1), np.int16),  # the ids, then pass or the spare place that `legal` may write to
            observed=((count, game.observation_size), np.float32),
            masks=((count, config.actions), np.int8),
            final_observed=((count, game.observation_size), np.float32),
            final_masks=((count, config.actions), np.int8),
            scores=((count, players), np.float64),
            endings=((count,), np.int8),
            rewards=((count, players), np.float32),
            reward=((count,), np.float32),
            terminated=((count,), np.bool_),
            truncated=((count,), np.bool_),
        )
        self.states, self.slots, self.legals = arrays["states"], arrays["slots"], arrays["legals"]
        self.observations: Observation = {OBSERVATION: arrays["observed"], ACTION_MASK: arrays["masks"]}
        self.final_observations: Observation = {
            OBSERVATION: arrays["final_observed"],
            ACTION_MASK: arrays["final_masks"],
        }
        self.scores, self.endings = arrays["scores"], arrays["endings"]
        self.rewards, self.reward = arrays["rewards"], arrays["reward"]
        self.terminated, self.truncated = arrays["terminated"], arrays["truncated"]
        self.slots["over"] = 1  # a batch begins with `reset`
        self._options = struct_array(game.options_struct, 1)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.buffers = self._make_buffers()
        self.params = self._make_params()
        self._worlds = [struct_views(game.state_struct, struct_array(game.state_struct, 1)) for _ in range(threads)]
        self._idle = kernel_array(np.zeros(count, np.int64))
        self._answers: tuple[Answer, ...] = tuple(bot.answering(threads) for bot in config.asked_bots)
        self.set_options({})

    # Copies

    def get_state(self) -> NDArray[np.uint8]:
        """Everything that changes while games are played, as bytes."""
        return self.memory.copy()

    def set_state(self, state: NDArray[np.uint8]) -> None:
        """Go on from what ``get_state`` has returned, here or in another batch of the same config and size."""
        if state.shape != self.memory.shape or state.dtype != np.uint8:
            raise BadOption(
                say("this is not a state of {count} such games: it has {size} bytes", count=self.count, size=state.size)
            )
        self.memory[:] = state

    def copy(self) -> Batch:
        """A batch of the same games, which goes on by itself. It shares the kernels; the rest is one memcpy."""
        copied = Batch(self.config, self.count, self.same_step, self.threads)
        copied._options[:] = self._options
        copied.memory[:] = self.memory
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        arguments = (self.config, self.count, self.same_step, self.threads)
        return {"arguments": arguments, "options": self._options.tobytes(), "memory": self.memory.tobytes()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        Batch.__init__(self, *kept["arguments"])
        self._options[:] = np.frombuffer(kept["options"], self._options.dtype)
        self.memory[:] = np.frombuffer(kept["memory"], np.uint8)

    # Playing

    @property
    def seats(self) -> NDArray[np.int8]:
        """The seat to decide in each game, or -1."""
        return self.slots["seat"]

    @property
    def choices(self) -> NDArray[np.int16]:
        """The number of its legal actions, whose ids are in its row of ``legals``."""
        return self.slots["count"]

    def set_options(self, given: Mapping[str, Any]) -> None:
        """Begin the next games with some other options; those that are not given are as in the config."""
        variant = self.config.variant
        if given:
            variant = variant.game.configure({**variant.options, **given})
            if variant.players != self.config.variant.players:
                raise BadOption("the number of players cannot change from game to game")
        self._options[:] = variant.encoded_options.array

    def reset(self, seeds: NDArray[np.uint64]) -> None:
        """Start one game for each seed: the same as ``skerry.game(…).new(seed)``."""
        self.slots["seed"] = seeds
        self.slots["sample_rng"] = ~seeds
        self.slots["over"] = 1
        self.step(np.zeros(self.count, np.int64))

    def step(self, actions: NDArray[np.int64]) -> None:
        """Play an action in each game, and then the bots, until the learner has to decide again."""
        if actions.shape != (self.count,):
            raise ValueError(f"actions of shape {actions.shape} for {self.count} games")
        config, game = self.config, self.game
        policies, blind = config.policies, all(bot.blind for bot in config.bots)
        if not self._answers:
            self._run(step_games(game.rules, policies, blind, config.interrupting), kernel_array(actions))
            return
        phases = step_phases(game.rules, policies, blind, config.interrupting)
        self._run(phases.act, kernel_array(actions))
        self._ask_bots(phases.answer)
        self._run(phases.finish, self._idle)
        self._ask_bots(phases.answer)
        self._run(phases.show, self._idle)

    def _run(self, step: StepRange, actions: Any) -> None:
        illegal = self._share(lambda world, start, stop: step(actions, self.buffers, self.params, world, start, stop))
        if illegal:
            seats = self.config.seats
            raise_for_seats(self.game, seats, illegal, f"in an environment with {self.config.variant.options}")

    def _ask_bots(self, answer: StepRange) -> None:
        """Ask the bots that decide outside of kernels, until no game waits for one."""
        policy_of = np.array([*self.config.policy_of, NO_ACTION], np.int8)  # its last element is for NOBODY
        for _ in range(MAX_BOT_STEPS):
            number = asked_number(policy_of[self.seats])
            if (number < 0).all():
                return
            actions = np.full(self.count, NO_ACTION, np.int64)
            for bot, reply in enumerate(self._answers):
                games = np.flatnonzero(number == bot)
                if len(games):
                    rngs = self.slots["bots_rng"][games]
                    positions = known_positions(self.game, self.states[games], self.seats[games], rngs)
                    self.slots["bots_rng"][games] = rngs
                    answers = reply(positions)
                    actions[games] = np.where(answers == PASS, self.config.pass_action, answers)
            self._run(answer, kernel_array(actions))
        waiting = asked_number(policy_of[self.seats]) >= 0
        self.slots["seat"][waiting], self.slots["count"][waiting] = NO_ACTION, 0  # bots that go on for ever

    def sample(self) -> NDArray[np.int64]:
        """A uniformly random legal action in each game."""
        out = np.zeros(self.count, np.int64)
        sample_games(self.buffers.slots, self.buffers.legals, kernel_array(out))
        return out

    def ask(self, bot: Bot) -> NDArray[np.int64]:
        """The action that a bot would choose in each game in the learner's place, with the same information."""
        if isinstance(bot, AskedBot):
            return self._ask_outside(bot)
        out = np.zeros(self.count, np.int64)
        answers, ask = kernel_array(out), ask_games(self.game.rules, bot.policy)
        self._share(lambda world, start, stop: ask(self.buffers, world, answers, start, stop))
        if (out == NO_ACTION).any():
            raise IllegalChoice(
                f"{bot.name} of {self.game.name} chose an action that is not legal, in the learner's place"
            )
        if not may_interrupt(bot.policy):
            out[self.slots["interrupts"] != 0] = self.config.pass_action
        return out

    def _ask_outside(self, bot: AskedBot) -> NDArray[np.int64]:
        out, games = np.zeros(self.count, np.int64), np.flatnonzero(self.choices)
        rngs = self.slots["sample_rng"][games]
        positions = known_positions(self.game, self.states[games], self.seats[games], rngs)
        self.slots["sample_rng"][games] = rngs
        answers = bot.answering(self.threads)(positions)
        out[games] = np.where(answers == PASS, self.config.pass_action, answers)
        return out

    def observe_all_seats(self) -> NDArray[np.float32]:
        """What all seats know together: their observations side by side, for centralised critics."""
        players, size = self.config.variant.players, self.game.observation_size
        out = np.zeros((self.count, players * size), np.float32)
        rows, observe = _matrix(out), observe_all_seats(self.game.rules, size)
        self._share(lambda world, start, stop: observe(self.buffers, rows, players, start, stop))
        return out

    def _share(self, work: Callable[[Any, int, int], int | None]) -> int:
        """Run ``work`` on ranges of the games, one in each thread, and join the bit sets that it returns."""
        if self._pool is None:
            return work(self._worlds[0], 0, self.count) or 0
        edges = np.linspace(0, self.count, self.threads + 1).astype(int).tolist()
        joined = 0
        for seats in self._pool.map(work, self._worlds, edges[:-1], edges[1:]):
            joined |= seats or 0
        return joined

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def _make_buffers(self) -> Buffers:
        return Buffers(
            struct_views(self.game.state_struct, self.states),
            struct_views(Slot, self.slots),
            _matrix(self.legals),
            _matrix(self.observations[ACTION_MASK]),
            _matrix(self.observations[OBSERVATION]),
            _matrix(self.final_observations[ACTION_MASK]),
            _matrix(self.final_observations[OBSERVATION]),
            _matrix(self.scores),
            kernel_array(self.endings),
            _matrix(self.rewards),
            kernel_array(self.reward),
            kernel_array(self.terminated),
            kernel_array(self.truncated),
        )

    def _make_params(self) -> StepParams:
        game, config = self.game, self.config
        return StepParams(
            SetupParams(
                struct_views(game.options_struct, self._options),
                struct_views(game.state_struct, struct_array(game.state_struct, 1)),
            ),
            PlayParams(
                kernel_array(np.array(config.policy_of, np.int8)),
                config.silent,
                config.forced,
                config.pass_action,
                kernel_array(new_event_log(0)),
            ),
            RewardParams(kernel_array(game.is_win.astype(np.int8)), config.reward_scheme, config.limit),
            self.same_step,
        )


def _arrays_in_one_piece(**wanted: tuple[tuple[int, ...], Any]) -> tuple[NDArray[np.uint8], dict[str, NDArray[Any]]]:
    """Zeroed arrays of some shapes and types, and the memory in which they lie one after another."""
    places, end = {}, 0
    for name, (shape, dtype) in wanted.items():
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        places[name] = end, size
        end += -(-size // ALIGNMENT) * ALIGNMENT
    memory = np.zeros(end, np.uint8)
    arrays = {}
    for name, (shape, dtype) in wanted.items():
        start, size = places[name]
        arrays[name] = memory[start : start + size].view(dtype).reshape(shape)
    return memory, arrays


def seeds_from(chance: np.random.Generator, count: int) -> NDArray[np.uint64]:
    """Random seeds."""
    return chance.integers(0, 2**64, count, np.uint64)


def seed_of(given: SupportsIndex) -> np.uint64:
    """A seed that the user gave, checked."""
    return np.uint64(read_seed(index(given)))


def _matrix(array: NDArray[Any]) -> Any:
    """A matrix as kernels take it. When interpreted, it is a list of rows: a memoryview of a matrix has none."""
    return [kernel_array(row) for row in array] if INTERPRETED else array
