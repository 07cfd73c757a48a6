"""Series with bots that search: many games at once, each played up to its next question, all questions thought about
together. A game is the same in whatever company it is played."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.bots.arms import Arms
from skerry.bots.bot import Bot, Policy
from skerry.bots.expert import Expert
from skerry.bots.halving import Positions
from skerry.bots.random_policy import choose
from skerry.bots.rollout_pool import RolloutPool
from skerry.bots.turn_order import PASS, after_step, interrupting_of, next_asked, speaking
from skerry.engine.bitset import plain
from skerry.engine.event_log import new_log
from skerry.engine.game import Rules, Variant
from skerry.engine.kernel import argument, kernel
from skerry.engine.rng import advance, seeded
from skerry.engine.struct import batch, rows
from skerry.lab.playout import BOTS_CHANCE, choosing

NOBODY = -1


@dataclass(frozen=True)
class Pace:
    """``begin`` lays out games, ``play_on`` plays them to a thinker's choice, ``sample`` gives what thinkers know."""

    begin: Callable[..., Any]
    play_on: Callable[..., Any]
    sample: Callable[..., Any]


@functools.cache
def pace(rules: Rules, policies: tuple[Policy, ...], interrupting: Policy) -> Pace:
    setup, determinize = rules.setup, rules.determinize

    @kernel
    def begin(states: Any, options: Any, seed: Any, first: int, counters: Any) -> None:
        for i in range(len(states)):
            setup(states[i], options[0], seeded(seed, first + i))
            counters[i] = seeded(seed ^ BOTS_CHANCE, first + i)

    @kernel
    def sample(worlds: Any, seats: Any, counters: Any) -> None:
        """Take away what the seats do not know."""
        for i in range(len(worlds)):
            counters[i] = advance(counters[i])
            determinize(worlds[i], plain(seats[i]), counters[i])

    return Pace(begin, _playing_on(rules, policies, interrupting), sample)


def _taking(rules: Rules) -> Callable[..., Any]:
    waiting, step = rules.waiting, rules.step

    @kernel
    def take(state: Any, seat: int, action: int, passed: int, log: Any) -> int:
        """Take a step; who is not asked after it."""
        turn, interrupts = plain(state.turns), not waiting(state) >> seat & 1
        step(state, seat, action, log)
        return after_step(passed, seat, interrupts, plain(state.turns) == turn)

    return take


def _playing_on(rules: Rules, policies: tuple[Policy, ...], interrupting: Policy) -> Callable[..., Any]:
    waiting, legal, take, determinize = rules.waiting, rules.legal, _taking(rules), rules.determinize
    choose, speaks = choosing(policies), speaking(policies)

    @kernel
    def play_on(
        states: Any,
        world: Any,
        mind: Any,
        counters: Any,
        asked: Any,
        answers: Any,
        steps: Any,
        passed: Any,
        buffer: Any,
        log: Any,
        limit: int,
    ) -> None:
        """Do what the thinkers have answered, and all that follows up to their next choice."""
        for i in range(len(states)):
            if asked[i] != NOBODY and answers[i] != PASS:
                passed[i] = take(states[i], plain(asked[i]), plain(answers[i]), passed[i], log)
                steps[i] += 1
            asked[i] = NOBODY
            silent = 0
            for seat in range(len(mind)):
                silent |= 0 if mind[seat] < 0 or speaks[mind[seat]] else 1 << seat
            waited = waiting(states[i])
            while waited and steps[i] < limit and asked[i] == NOBODY:
                free = interrupting(states[i]) & ~silent & ~passed[i]
                seat, counters[i] = next_asked(free, waited, counters[i])
                passed[i] |= 1 << seat
                number = legal(states[i], seat, buffer)
                if mind[seat] < 0 and (free or number > 1):
                    asked[i] = seat
                else:
                    index = 0
                    if free or number > 1:
                        world[0] = states[i]
                        determinize(world[0], seat, counters[i])
                        index, counters[i] = choose(mind[seat], world[0], seat, buffer, number, counters[i])
                    if index != PASS:
                        passed[i] = take(states[i], seat, plain(buffer[index]), passed[i], log)
                        waited = waiting(states[i])
                        steps[i] += 1

    return play_on


class Lockstep:
    """Some games of a series that are played side by side. A seat's mind is the number of its policy; below 0, of its
    expert."""

    def __init__(self, variant: Variant, bots: Sequence[Bot], limit: int, threads: int = 0) -> None:
        self.variant, self.game, self.limit = variant, variant.game, limit
        experts = list(dict.fromkeys(bot for bot in bots if isinstance(bot, Expert)))
        plain = list(dict.fromkeys(bot for bot in bots if not isinstance(bot, Expert)))
        self.experts = [
            (bot.with_fixed_rollouts(), RolloutPool(self.game, bot.policy, threads, aside=False)) for bot in experts
        ]
        policies = tuple(bot.policy for bot in plain) or (choose,)
        self.kernels = pace(self.game.rules, policies, interrupting_of(self.game))
        minds: dict[Bot, int] = {bot: i for i, bot in enumerate(plain)}
        minds.update({bot: ~i for i, bot in enumerate(experts)})
        self.mind = np.array([minds[bot] for bot in bots], np.int8)

    def play(self, seed: int, first: int, count: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
        """The final states of games number ``first`` and on, and how many steps they took."""
        states, steps, counters = batch(self.game.state, count), np.zeros(count, np.int32), np.zeros(count, np.uint64)
        asked, answers, passed = np.full(count, NOBODY, np.int8), np.zeros(count, np.int16), np.zeros(count, np.int64)
        options = rows(self.game.choices, self.variant.encoded.array)
        self.kernels.begin(rows(self.game.state, states), options, np.uint64(seed), first, argument(counters))
        while True:
            self._play_on(states, counters, asked, answers, steps, passed)
            if (asked == NOBODY).all():
                return states, steps
            for number in range(len(self.experts)):
                games = np.flatnonzero((asked != NOBODY) & (self.mind[asked] == ~number))
                if len(games):
                    field = self.think(number, states, counters, asked, games)
                    answers[games] = field.plans[field.best(len(games))]

    def think(self, number: int, states: Any, counters: Any, asked: Any, games: Any) -> Arms:
        """What an expert makes of the games in which it is asked."""
        expert, player = self.experts[number]
        return expert.search(self._positions(states, counters, asked, games), player)

    def _play_on(self, states: Any, counters: Any, asked: Any, answers: Any, steps: Any, passed: Any) -> None:
        self.kernels.play_on(
            rows(self.game.state, states),
            rows(self.game.state, batch(self.game.state, 1)),
            argument(self.mind),
            *(argument(array) for array in (counters, asked, answers, steps, passed)),
            argument(np.zeros(self.game.actions.size + 1, np.int16)),
            argument(new_log(0)),
            self.limit,
        )

    def _positions(self, states: Any, counters: Any, asked: Any, games: Any) -> Positions:
        """What the experts that are asked know."""
        worlds, seats, chances = states[games], asked[games], counters[games]
        self.kernels.sample(rows(self.game.state, worlds), argument(seats), argument(chances))
        counters[games] = chances
        return Positions(self.game, worlds, seats, chances)
