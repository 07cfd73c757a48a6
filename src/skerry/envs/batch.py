"""A batch of games that a learner plays, without any learning library: arrays, and the calls that fill them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from operator import index
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from skerry.bots import Bot
from skerry.engine.event_log import new_event_log
from skerry.engine.game import read_seed
from skerry.engine.kernel import INTERPRETED, kernel_array
from skerry.engine.struct import struct_array, struct_views
from skerry.envs.config import EnvConfig
from skerry.envs.stepping import (
    Buffers,
    PlayTerms,
    RewardTerms,
    SetupTerms,
    Slot,
    Terms,
    ask_games,
    sample_games,
    step_games,
)

OBSERVATION, ACTION_MASK = "observation", "action_mask"
LOWEST, HIGHEST = -1, 127  # bounds of every observed number, in every game

Seen = dict[str, NDArray[Any]]


class Batch:
    """``count`` games of one config. The arrays are filled anew by each call; copy what you keep."""

    def __init__(self, config: EnvConfig, count: int, same_step: bool = True, threads: int = 1) -> None:
        self.config = config
        self.count = count
        self.game = game = config.variant.game
        size, players = game.actions.size, config.variant.players
        self.states = struct_array(game.state_struct, count)
        self.slots = struct_array(Slot, count)
        self.legals = np.zeros((count, size + 1), np.int16)  # the ids, then passing or the spare place of `legal`
        self.seen = self._sight()
        self.last_seen = self._sight()
        self.rewards = np.zeros((count, players), np.float32)
        self.reward = np.zeros(count, np.float32)
        self.terminated = np.zeros(count, np.bool_)
        self.truncated = np.zeros(count, np.bool_)
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._buffers = self._make_buffers()
        self._terms = self._make_terms(same_step)
        self._worlds = [struct_views(game.state_struct, struct_array(game.state_struct, 1)) for _ in range(threads)]
        bots = config.bots
        policies, blind = tuple(bot.policy for bot in bots), all(bot.blind for bot in bots)
        self._step = step_games(game.rules, policies, blind, config.interrupting)

    @property
    def seats(self) -> NDArray[np.int8]:
        """The seat that is asked in each game, or -1."""
        return self.slots["seat"]

    @property
    def choices(self) -> NDArray[np.int16]:
        """How many legal actions it has: so many ids stand in its row of ``legals``."""
        return self.slots["count"]

    def reset(self, seeds: NDArray[np.uint64]) -> None:
        """Begin a game of each seed: ``skerry.game(…).new(seed)`` is the same one."""
        self.slots["seed"] = seeds
        self.slots["sample_rng"] = ~seeds
        self.slots["over"] = 1
        self.step(np.zeros(self.count, np.int64))

    def step(self, actions: NDArray[np.int64]) -> None:
        """An action in each game, and all that follows up to the next decision."""
        if actions.shape != (self.count,):
            raise ValueError(f"actions of shape {actions.shape} for {self.count} games")
        given = kernel_array(actions)
        self._share(lambda world, start, stop: self._step(given, self._buffers, self._terms, world, start, stop))

    def sample(self) -> NDArray[np.int64]:
        """A legal action in each game by chance, drawn by a kernel."""
        out = np.zeros(self.count, np.int64)
        sample_games(self._buffers.slots, self._buffers.legals, kernel_array(out))
        return out

    def ask(self, bot: Bot) -> NDArray[np.int64]:
        """What a bot would do in each game in the learner's place, knowing what its seat knows."""
        out = np.zeros(self.count, np.int64)
        answers, ask = kernel_array(out), ask_games(self.game.rules, bot.policy)
        self._share(lambda world, start, stop: ask(self._buffers, world, answers, start, stop))
        return out

    def _share(self, work: Callable[[Any, int, int], None]) -> None:
        """Have each thread do a range of the games."""
        if self._pool is None:
            work(self._worlds[0], 0, self.count)
            return
        edges = np.linspace(0, self.count, self._threads + 1).astype(int).tolist()
        for _ in self._pool.map(work, self._worlds, edges[:-1], edges[1:]):
            pass

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def _sight(self) -> Seen:
        return {
            OBSERVATION: np.zeros((self.count, self.game.observation_size), np.float32),
            ACTION_MASK: np.zeros((self.count, self.config.actions), np.int8),
        }

    def _make_buffers(self) -> Buffers:
        return Buffers(
            struct_views(self.game.state_struct, self.states),
            struct_views(Slot, self.slots),
            _matrix(self.legals),
            _matrix(self.seen[ACTION_MASK]),
            _matrix(self.seen[OBSERVATION]),
            _matrix(self.last_seen[ACTION_MASK]),
            _matrix(self.last_seen[OBSERVATION]),
            _matrix(np.zeros(self.rewards.shape)),
            _matrix(self.rewards),
            kernel_array(self.reward),
            kernel_array(self.terminated),
            kernel_array(self.truncated),
        )

    def _make_terms(self, same_step: bool) -> Terms:
        game, config = self.game, self.config
        won = [False, *(ending.won for ending in game.endings)]
        return Terms(
            SetupTerms(
                struct_views(game.options_struct, config.variant.encoded_options.array),
                struct_views(game.state_struct, struct_array(game.state_struct, 1)),
            ),
            PlayTerms(
                kernel_array(np.array(config.policy_of, np.int8)),
                config.silent,
                config.forced,
                config.pass_action,
                kernel_array(new_event_log(0)),
            ),
            RewardTerms(kernel_array(np.array(won, np.int8)), config.reward_kind, config.limit),
            same_step,
        )


def seeds_from(chance: np.random.Generator, count: int) -> NDArray[np.uint64]:
    """Seeds of games that nobody chose."""
    return chance.integers(0, 2**64, count, np.uint64)


def seed_of(given: SupportsIndex) -> np.uint64:
    """A seed that somebody chose, or a refusal."""
    return np.uint64(read_seed(index(given)))


def _matrix(array: NDArray[Any]) -> Any:
    """Rows as kernels take them in this mode: a memoryview of two dimensions has none."""
    return [kernel_array(row) for row in array] if INTERPRETED else array
