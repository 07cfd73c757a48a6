"""Series with bots that search: many games at once, each played up to an expert's next decision, all decisions searched
together. The course of a game does not depend on which other games are in the batch."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.botkit.protocols import Policy
from skerry.bots.arms import Arms
from skerry.bots.bot import Bot
from skerry.bots.dispatch import Players, deciding, interrupts, silent_seats
from skerry.bots.expert import Expert
from skerry.bots.halving import Positions
from skerry.bots.interrupts import interrupting_of
from skerry.bots.random_policy import choose
from skerry.bots.rollout_pool import RolloutPool
from skerry.engine.bitset import as_int
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Variant
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import NO_LIMIT, NOBODY, PASS, Interrupting, play_loop, taking
from skerry.engine.protocols import Rules
from skerry.engine.rng import advance, derive_seed
from skerry.engine.struct import struct_array, struct_views
from skerry.lab.playout import BOTS_STREAM


class BeginGames(Protocol):
    """Set up the games number ``first`` and on of a series."""

    def __call__(self, states: Any, options: Any, seed: Any, first: int, rngs: Any, /) -> None: ...


class PlayOn(Protocol):
    """Do what the experts have answered, and all that follows up to their next decision."""

    def __call__(
        self,
        states: Any,
        world: Any,
        policy_of: Any,
        rngs: Any,
        asked: Any,
        answers: Any,
        steps: Any,
        polled: Any,
        buffer: Any,
        log: Any,
        limit: int,
        /,
    ) -> None: ...


class SampleWorlds(Protocol):
    """Resample what the seats do not know."""

    def __call__(self, worlds: Any, seats: Any, rngs: Any, /) -> None: ...


@dataclass(frozen=True)
class LockstepKernels:
    begin: BeginGames
    play_on: PlayOn
    sample: SampleWorlds


@functools.cache
def lockstep_kernels(rules: Rules, policies: tuple[Policy, ...], interrupting: Interrupting) -> LockstepKernels:
    setup, determinize = rules.setup, rules.determinize

    @kernel
    def begin(states: Any, options: Any, seed: Any, first: int, rngs: Any) -> None:
        for i in range(len(states)):
            setup(states[i], options[0], derive_seed(seed, first + i))
            rngs[i] = derive_seed(seed ^ BOTS_STREAM, first + i)

    @kernel
    def sample(worlds: Any, seats: Any, rngs: Any) -> None:
        """Resample what the seats do not know."""
        for i in range(len(worlds)):
            rngs[i] = advance(rngs[i])
            determinize(worlds[i], as_int(seats[i]), rngs[i])

    return LockstepKernels(begin, _playing_on(rules, policies, interrupting), sample)


def _playing_on(rules: Rules, policies: tuple[Policy, ...], interrupting: Interrupting) -> PlayOn:
    take, may_interrupt = taking(rules), tuple(interrupts(policy) for policy in policies)
    play = play_loop(rules, interrupting, deciding(rules, policies))

    @kernel
    def play_on(
        states: Any,
        world: Any,
        policy_of: Any,
        rngs: Any,
        asked: Any,
        answers: Any,
        steps: Any,
        polled: Any,
        buffer: Any,
        log: Any,
        limit: int,
    ) -> None:
        """Do what the experts have answered, and all that follows up to their next decision."""
        players, silent = Players(policy_of, world, False), silent_seats(policy_of, may_interrupt)
        for i in range(len(states)):
            if asked[i] != NOBODY:
                polled[i] |= 1 << asked[i]
                if answers[i] != PASS:
                    polled[i] = take(states[i], as_int(asked[i]), as_int(answers[i]), polled[i], log)
                    steps[i] += 1
            question = play(
                states[i], players, silent, as_int(polled[i]), rngs[i], limit - steps[i], NO_LIMIT, buffer, log
            )
            asked[i], polled[i], rngs[i] = question.seat, question.polled, question.rng
            steps[i] += question.steps

    return play_on


class Lockstep:
    """Some games of a series, played side by side. ``policy_of`` has the number of each seat's policy; below 0, of its
    expert (``~number``)."""

    def __init__(self, variant: Variant, bots: Sequence[Bot], limit: int, threads: int = 0) -> None:
        self.variant, self.game, self.limit = variant, variant.game, limit
        experts = list(dict.fromkeys(bot for bot in bots if isinstance(bot, Expert)))
        plain = list(dict.fromkeys(bot for bot in bots if not isinstance(bot, Expert)))
        self.experts = [
            (bot.with_fixed_rollouts(), RolloutPool(self.game, bot.policy, threads, background=False))
            for bot in experts
        ]
        policies = tuple(bot.policy for bot in plain) or (choose,)
        self.kernels = lockstep_kernels(self.game.rules, policies, interrupting_of(self.game))
        numbers: dict[Bot, int] = {bot: i for i, bot in enumerate(plain)}
        numbers.update({bot: ~i for i, bot in enumerate(experts)})
        self.policy_of = np.array([numbers[bot] for bot in bots], np.int8)

    def play(self, seed: int, first: int, count: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
        """The final states of games number ``first`` and on, and how many steps they took."""
        states, steps, rngs = (
            struct_array(self.game.state_struct, count),
            np.zeros(count, np.int32),
            np.zeros(count, np.uint64),
        )
        asked, answers, polled = np.full(count, NOBODY, np.int8), np.zeros(count, np.int16), np.zeros(count, np.int64)
        options = struct_views(self.game.options_struct, self.variant.encoded_options.array)
        self.kernels.begin(
            struct_views(self.game.state_struct, states), options, np.uint64(seed), first, kernel_array(rngs)
        )
        while True:
            self._play_on(states, rngs, asked, answers, steps, polled)
            if (asked == NOBODY).all():
                return states, steps
            for number in range(len(self.experts)):
                games = np.flatnonzero((asked != NOBODY) & (self.policy_of[asked] == ~number))
                if len(games):
                    arms = self.think(number, states, rngs, asked, games)
                    answers[games] = arms.actions[arms.best(len(games))]

    def think(self, number: int, states: Any, rngs: Any, asked: Any, games: Any) -> Arms:
        """What an expert makes of the games in which it is asked."""
        expert, pool = self.experts[number]
        return expert.search(self._positions(states, rngs, asked, games), pool)

    def _play_on(self, states: Any, rngs: Any, asked: Any, answers: Any, steps: Any, polled: Any) -> None:
        self.kernels.play_on(
            struct_views(self.game.state_struct, states),
            struct_views(self.game.state_struct, struct_array(self.game.state_struct, 1)),
            kernel_array(self.policy_of),
            kernel_array(rngs),
            kernel_array(asked),
            kernel_array(answers),
            kernel_array(steps),
            kernel_array(polled),
            kernel_array(np.zeros(self.game.actions.size + 1, np.int16)),
            kernel_array(new_event_log(0)),
            self.limit,
        )

    def _positions(self, states: Any, rngs: Any, asked: Any, games: Any) -> Positions:
        """What the experts that are asked know."""
        worlds, seats, streams = states[games], asked[games], rngs[games]
        self.kernels.sample(struct_views(self.game.state_struct, worlds), kernel_array(seats), kernel_array(streams))
        rngs[games] = streams
        return Positions(self.game, worlds, seats, streams)
