"""Series with bots that are asked outside of kernels: many games at once, each played up to such a bot's next decision,
all of which are asked for together. The course of a game does not depend on which other games are in the batch."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.botkit.protocols import Policy
from skerry.bots.asked import Actions, AskedBot, Positions, known_positions
from skerry.bots.bot import Bot
from skerry.bots.dispatch import SeatPolicies, decide_kernel, may_interrupt, silent_seats
from skerry.bots.illegal_choice import raise_for_seats
from skerry.bots.interrupts import interrupting_of
from skerry.bots.random_policy import choose
from skerry.engine.bitset import as_int
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Variant
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import NO_LIMIT, NOBODY, PASS, Interrupting, answer_kernel, play_loop
from skerry.engine.protocols import Rules
from skerry.engine.rng import derive_seed
from skerry.engine.struct import struct_array, struct_views
from skerry.lab.game_kernels import BOTS_STREAM


class BeginGames(Protocol):
    """Set up the games number ``first`` and on of a series."""

    def __call__(self, states: Any, options: Any, seed: Any, first: int, rngs: Any, /) -> None: ...


class PlayToSearch(Protocol):
    """Play what the asked bots have answered, and everything up to their next decisions."""

    def __call__(
        self,
        states: Any,
        world: Any,
        policy_of: Any,
        rngs: Any,
        asked: Any,
        answers: Any,
        steps: Any,
        illegal: Any,
        loop_state: Any,
        buffer: Any,
        log: Any,
        limit: int,
        /,
    ) -> None: ...


@dataclass(frozen=True)
class LockstepKernels:
    begin: BeginGames
    play_to_search: PlayToSearch


@functools.cache
def lockstep_kernels(rules: Rules, policies: tuple[Policy, ...], interrupting: Interrupting) -> LockstepKernels:
    setup = rules.setup

    @kernel
    def begin(states: Any, options: Any, seed: Any, first: int, rngs: Any) -> None:
        for i in range(len(states)):
            setup(states[i], options[0], derive_seed(seed, first + i))
            rngs[i] = derive_seed(seed ^ BOTS_STREAM, first + i)

    return LockstepKernels(begin, _play_to_search_kernel(rules, policies, interrupting))


def _play_to_search_kernel(rules: Rules, policies: tuple[Policy, ...], interrupting: Interrupting) -> PlayToSearch:
    answer, interrupting_policies = answer_kernel(rules), tuple(may_interrupt(policy) for policy in policies)
    play = play_loop(rules, interrupting, decide_kernel(rules, policies))

    @kernel
    def play_to_search(
        states: Any,
        world: Any,
        policy_of: Any,
        rngs: Any,
        asked: Any,
        answers: Any,
        steps: Any,
        illegal: Any,
        loop_state: Any,
        buffer: Any,
        log: Any,
        limit: int,
    ) -> None:
        """Play what the asked bots have answered, and everything up to their next decisions."""
        players, silent = SeatPolicies(policy_of, world, False), silent_seats(policy_of, interrupting_policies)
        for i in range(len(states)):
            if asked[i] != NOBODY:
                action = as_int(answers[i])
                loop_state[i] = answer(states[i], as_int(asked[i]), action, as_int(loop_state[i]), log)
                steps[i] += action != PASS
            question = play(
                states[i], players, silent, as_int(loop_state[i]), rngs[i], limit - steps[i], NO_LIMIT, buffer, log
            )
            asked[i], loop_state[i], rngs[i] = question.seat, question.loop_state, question.rng
            steps[i] += question.steps
            illegal[i] |= question.illegal

    return play_to_search


class Lockstep:
    """Some games of a series, played side by side. ``policy_of`` has the number of each seat's policy; below 0, that of
    its bot among those that are asked (``~number``)."""

    def __init__(self, variant: Variant, bots: Sequence[Bot], limit: int, threads: int = 0) -> None:
        self.variant, self.game, self.limit = variant, variant.game, limit
        self.bots = [bot.name for bot in bots]
        asked = list(dict.fromkeys(bot for bot in bots if isinstance(bot, AskedBot)))
        plain = list(dict.fromkeys(bot for bot in bots if not isinstance(bot, AskedBot)))
        self.answers = [bot.answering(threads) for bot in asked]
        policies = tuple(bot.policy for bot in plain) or (choose,)
        self.kernels = lockstep_kernels(self.game.rules, policies, interrupting_of(self.game))
        numbers: dict[Bot, int] = {bot: i for i, bot in enumerate(plain)}
        numbers.update({bot: ~i for i, bot in enumerate(asked)})
        self.policy_of = np.array([numbers[bot] for bot in bots], np.int8)

    def play(self, seed: int, first: int, count: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
        """The final states of games number ``first`` and on, and how many steps they took."""
        states, steps, rngs = (
            struct_array(self.game.state_struct, count),
            np.zeros(count, np.int32),
            np.zeros(count, np.uint64),
        )
        asked, answers, illegal, loop_state = (
            np.full(count, NOBODY, np.int8),
            np.zeros(count, np.int16),
            np.zeros(count, np.int16),
            np.zeros(count, np.int64),
        )
        options = struct_views(self.game.options_struct, self.variant.encoded_options.array)
        self.kernels.begin(
            struct_views(self.game.state_struct, states), options, np.uint64(seed), first, kernel_array(rngs)
        )
        while True:
            self._play_to_search(states, rngs, asked, answers, steps, illegal, loop_state)
            for number in np.flatnonzero(illegal)[:1].tolist():
                raise_for_seats(self.game, self.bots, int(illegal[number]), f"in game {first + number} of seed {seed}")
            if (asked == NOBODY).all():
                return states, steps
            for number in range(len(self.answers)):
                games = np.flatnonzero((asked != NOBODY) & (self.policy_of[asked] == ~number))
                if len(games):
                    answers[games] = self.answer(number, states, rngs, asked, games)

    def answer(self, number: int, states: Any, rngs: Any, asked: Any, games: Any) -> Actions:
        """What a bot answers in the games in which it is asked."""
        return self.answers[number](self._positions(states, rngs, asked, games))

    def _play_to_search(
        self, states: Any, rngs: Any, asked: Any, answers: Any, steps: Any, illegal: Any, loop_state: Any
    ) -> None:
        self.kernels.play_to_search(
            struct_views(self.game.state_struct, states),
            struct_views(self.game.state_struct, struct_array(self.game.state_struct, 1)),
            kernel_array(self.policy_of),
            kernel_array(rngs),
            kernel_array(asked),
            kernel_array(answers),
            kernel_array(steps),
            kernel_array(illegal),
            kernel_array(loop_state),
            kernel_array(np.zeros(self.game.actions.size + 1, np.int16)),
            kernel_array(new_event_log(0)),
            self.limit,
        )

    def _positions(self, states: Any, rngs: Any, asked: Any, games: Any) -> Positions:
        """What the seats know whose bots are asked."""
        streams = rngs[games]
        positions = known_positions(self.game, states[games], asked[games], streams)
        rngs[games] = streams
        return positions
