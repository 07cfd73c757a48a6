"""Whole games in one call: the play loop of one game with a policy at every seat."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from skerry.botkit.protocols import Policy
from skerry.bots.dispatch import SeatPolicies, decide_kernel, may_interrupt, silent_seats
from skerry.engine.kernel import kernel
from skerry.engine.loop import NO_LIMIT, Interrupting, no_interrupts, play_loop
from skerry.engine.protocols import Rules
from skerry.engine.rng import derive_seed

BOTS_STREAM = np.uint64(0x5EED)  # the bots draw from another stream of random numbers than the game


class PlayOne(Protocol):
    """Play game ``number`` of a series.

    The number of steps, or, below 0, the seats whose policies have chosen no legal action (``~`` of their bit set). It
    is one number because there is one for each game, on a GPU too.
    """

    def __call__(
        self,
        state: Any,
        world: Any,
        options: Any,
        policy_of: Any,
        seed: Any,
        number: int,
        buffer: Any,
        log: Any,
        limit: int,
        /,
    ) -> int: ...


class PlayBatch(Protocol):
    """Play games number ``first`` and on; the structs arrive zeroed, and ``steps`` gets the results of ``PlayOne``."""

    def __call__(
        self,
        states: Any,
        world: Any,
        options: Any,
        policy_of: Any,
        seed: Any,
        first: int,
        buffer: Any,
        log: Any,
        limit: int,
        steps: Any,
        /,
    ) -> None: ...


class ReadResults(Protocol):
    """Write how each game ended, or 0 where it runs, and the scores of its seats."""

    def __call__(self, states: Any, scores: Any, endings: Any, /) -> None: ...


@dataclass(frozen=True)
class GameKernels:
    """``play_one`` plays one game of a series, ``play_batch`` those from a number on; ``result_batch`` reads how they
    ended."""

    play_one: PlayOne
    play_batch: PlayBatch
    result_batch: ReadResults


@functools.cache
def game_kernels(
    rules: Rules, policies: tuple[Policy, ...], blind: bool, interrupting: Interrupting = no_interrupts
) -> GameKernels:
    """``blind``: no policy looks at the state, so none is sampled, and none interrupts."""
    play_one = _playing_one(rules, policies, blind, interrupting)

    @kernel
    def play_batch(
        states: Any,
        world: Any,
        options: Any,
        policy_of: Any,
        seed: Any,
        first: int,
        buffer: Any,
        log: Any,
        limit: int,
        steps: Any,
    ) -> None:
        """Games number ``first`` and on. The structs arrive zeroed."""
        for i in range(len(states)):
            steps[i] = play_one(states[i], world, options[0], policy_of, seed, first + i, buffer, log, limit)

    return GameKernels(play_one, play_batch, _reading_results(rules))


def _playing_one(rules: Rules, policies: tuple[Policy, ...], blind: bool, interrupting: Interrupting) -> PlayOne:
    setup, interrupting_policies = rules.setup, tuple(may_interrupt(policy) for policy in policies)
    decide = decide_kernel(rules, policies, blind)
    play_on = play_loop(rules, no_interrupts if blind else interrupting, decide, ask_forced=True)

    @kernel
    def play_one(
        state: Any, world: Any, options: Any, policy_of: Any, seed: Any, number: int, buffer: Any, log: Any, limit: int
    ) -> int:
        """Game ``number`` of a series, to its end or to the limit. It is the same game wherever and beside whichever
        others it is played. ``policy_of[seat]`` is the number of the seat's policy."""
        setup(state, options, derive_seed(seed, number))
        rng = derive_seed(seed ^ BOTS_STREAM, number)
        silent = silent_seats(policy_of, interrupting_policies)
        end = play_on(state, SeatPolicies(policy_of, world, False), silent, 0, rng, limit, NO_LIMIT, buffer, log)
        return ~end.illegal if end.illegal else end.steps

    return play_one


def _reading_results(rules: Rules) -> ReadResults:
    result = rules.result

    @kernel
    def result_batch(states: Any, scores: Any, endings: Any) -> None:
        """How each game ended, or 0 where it runs."""
        for i in range(len(states)):
            endings[i] = result(states[i], scores[i])

    return result_batch
