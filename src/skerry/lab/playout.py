"""Whole games in one call: loops over the kernels of one game and the policies at its seats."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.bots.bot import Policy
from skerry.bots.turn_order import PASS, next_asked, nobody, speaking
from skerry.engine.bitset import plain
from skerry.engine.game import Rules
from skerry.engine.kernel import kernel
from skerry.engine.rng import seeded

BOTS_CHANCE = np.uint64(0x5EED)  # the bots' chance is another series than the game's


@dataclass(frozen=True)
class Loops:
    """``play_one`` plays one game of a series, ``play_batch`` those from a number on; ``judge_batch`` says how they
    ended."""

    play_one: Callable[..., Any]
    play_batch: Callable[..., Any]
    judge_batch: Callable[..., Any]


@functools.cache
def loops(rules: Rules, policies: tuple[Policy, ...], blind: bool, interrupting: Policy = nobody) -> Loops:
    """``blind``: no policy looks at the world, so none is sampled."""
    play_one = _playing(rules.setup, _playing_out(rules, policies, blind, interrupting))

    @kernel
    def play_batch(
        states: Any,
        world: Any,
        options: Any,
        mind: Any,
        seed: Any,
        first: int,
        buffer: Any,
        log: Any,
        limit: int,
        steps: Any,
    ) -> None:
        """Games number ``first`` and on. The records arrive zeroed."""
        for i in range(len(states)):
            steps[i] = play_one(states[i], world, options[0], mind, seed, first + i, buffer, log, limit)

    return Loops(play_one, play_batch, _judging(rules.result))


def _playing_out(rules: Rules, policies: tuple[Policy, ...], blind: bool, interrupting: Policy) -> Callable[..., Any]:
    waiting, legal, step, determinize = rules.waiting, rules.legal, rules.step, rules.determinize
    choose, speaks = choosing(policies), speaking(policies)

    @kernel
    def play_out(state: Any, world: Any, mind: Any, counter: Any, buffer: Any, log: Any, limit: int) -> int:
        """Play to the end, or to the limit; the number of steps. ``mind[seat]`` is the seat's policy."""
        steps, passed, silent = 0, 0, 0
        for seat in range(len(mind)):
            silent |= 0 if speaks[mind[seat]] else 1 << seat
        waited = waiting(state)
        while waited and steps < limit:
            free = 0 if blind else interrupting(state) & ~silent & ~passed
            seat, counter = next_asked(free, waited, counter)
            number = legal(state, seat, buffer)
            if not blind:
                world[0] = state
                determinize(world[0], seat, counter)
            index, counter = choose(mind[seat], world[0], seat, buffer, number, counter)
            passed |= 1 << seat
            if index != PASS:
                step(state, seat, plain(buffer[index]), log)
                passed, waited = 0, waiting(state)
                steps += 1
        return steps

    return play_out


def _playing(setup: Callable[..., Any], play_out: Callable[..., Any]) -> Callable[..., Any]:
    @kernel
    def play_one(
        state: Any, world: Any, options: Any, mind: Any, seed: Any, number: int, buffer: Any, log: Any, limit: int
    ) -> int:
        """Game ``number`` of a series: the same game wherever and with whatever others it is played."""
        setup(state, options, seeded(seed, number))
        counter = seeded(seed ^ BOTS_CHANCE, number)
        return play_out(state, world, mind, counter, buffer, log, limit)

    return play_one


def _judging(result: Callable[..., Any]) -> Callable[..., Any]:
    @kernel
    def judge_batch(states: Any, scores: Any, endings: Any) -> None:
        """How each game stands."""
        for i in range(len(states)):
            endings[i] = result(states[i], scores[i])

    return judge_batch


def choosing(policies: tuple[Policy, ...]) -> Policy:
    """One kernel that asks the policy of a number: compiled code has no table of functions."""
    first = policies[0]
    if len(policies) == 1:

        @kernel
        def only(number: int, world: Any, seat: int, legal: Any, count: int, counter: Any) -> Any:
            return first(world, seat, legal, count, counter)

        return only
    rest = choosing(policies[1:])

    @kernel
    def one_of(number: int, world: Any, seat: int, legal: Any, count: int, counter: Any) -> Any:
        if number == 0:
            return first(world, seat, legal, count, counter)
        return rest(number - 1, world, seat, legal, count, counter)

    return one_of
