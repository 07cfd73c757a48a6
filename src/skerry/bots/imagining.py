"""Imagined games: a world that fits what a seat knows, an action played in it, and a policy for all that follows.

What is asked for comes as jobs: rows of ``position, plan, world``; a plan is an action to begin with. A job's game
depends on nothing but its row, so that it does not matter who plays it, on which core or on a GPU, and in what order.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.bots.bot import Policy
from skerry.engine.bits import count, lowest, plain
from skerry.engine.game import Rules
from skerry.engine.kernel import kernel
from skerry.engine.random import bounded, scramble, seeded

LIMIT = 4_000  # decisions after which an imagined game counts as unfinished
CHANCE = np.uint64(0x1DEA)  # the policies' chance is another series than the world's
LASTING = 0.001  # what a lost game is worth for each turn it lasted
HASTE = 2.0**-20  # what each turn takes from a win, or adds to a rival's loss: it tells plans apart, no more


@dataclass(frozen=True)
class Imagining:
    """``open_job`` begins a job's game, ``value`` judges it, ``play_jobs`` plays a stretch of jobs."""

    rules: Rules
    policy: Policy
    open_job: Callable[..., Any]
    value: Callable[..., Any]
    play_jobs: Callable[..., Any]
    list_legal: Callable[..., Any]


@functools.cache
def imagining(rules: Rules, policy: Policy, cooperative: bool) -> Imagining:
    open_job, value = _opening(rules), _judging(rules, cooperative)
    play_jobs = _playing(rules, policy, open_job, value)
    return Imagining(rules, policy, open_job, value, play_jobs, _listing(rules))


def _opening(rules: Rules) -> Callable[..., Any]:
    step, determinize = rules.step, rules.determinize

    @kernel
    def open_job(job: int, jobs: Any, states: Any, seats: Any, seeds: Any, plans: Any, world: Any, log: Any) -> Any:
        """Sample the world of a job and begin as planned; the chance of the policies."""
        position, plan = jobs[job, 0], jobs[job, 1]
        seat, seed = plain(seats[position]), seeded(seeds[position], jobs[job, 2])
        world[0] = states[position]
        determinize(world[0], seat, seed)
        step(world[0], seat, plain(plans[plan]), log)
        return scramble(seed ^ CHANCE)

    return open_job


def _playing(rules: Rules, policy: Policy, open_job: Callable[..., Any], value: Callable[..., Any]) -> Any:
    waiting, legal, step = rules.waiting, rules.legal, rules.step

    @kernel
    def play_jobs(
        first: int,
        last: int,
        jobs: Any,
        states: Any,
        seats: Any,
        seeds: Any,
        plans: Any,
        won: Any,
        world: Any,
        buffer: Any,
        scores: Any,
        log: Any,
        values: Any,
        endings: Any,
    ) -> None:
        """Play a stretch of jobs. (All in one piece: each kernel around a policy compiles the policy anew.)"""
        for job in range(first, last):
            counter = open_job(job, jobs, states, seats, seeds, plans, world, log)
            left, waited = LIMIT, waiting(world[0])
            while left and waited:
                seat, counter = pick(waited, counter)
                number, index = legal(world[0], seat, buffer), 0
                if number > 1:
                    index, counter = policy(world[0], seat, buffer, number, counter)
                    left -= 1
                step(world[0], seat, plain(buffer[index]), log)
                waited = waiting(world[0])
            values[job], endings[job] = value(world[0], plain(seats[jobs[job, 0]]), won, scores)

    return play_jobs


def _listing(rules: Rules) -> Callable[..., Any]:
    legal = rules.legal

    @kernel
    def list_legal(states: Any, seats: Any, buffer: Any, out: Any, counts: Any) -> None:
        """What the seats may do."""
        for i in range(len(states)):
            counts[i] = legal(states[i], plain(seats[i]), buffer)
            for k in range(counts[i]):
                out[i, k] = buffer[k]

    return list_legal


def _judging(rules: Rules, cooperative: bool) -> Callable[..., Any]:
    """What the end of a game is worth to a seat: a team's win 1, a rival's share of it, hardly less for a late one and
    hardly more for a late loss; alone, the score."""
    result = rules.result

    @kernel
    def team(state: Any, seat: int, won: Any, scores: Any) -> Any:
        ending = result(state, scores)
        return 1.0 - HASTE * state.turns if won[ending] else LASTING * state.turns, ending

    @kernel
    def rival(state: Any, seat: int, won: Any, scores: Any) -> Any:
        ending = result(state, scores)
        if not ending:
            return 0.0, ending
        if state.players == 1:
            return float(scores[0]), ending
        ahead, equals = 0, 0
        for other in range(state.players):
            ahead += 1 if scores[other] > scores[seat] else 0
            equals += 1 if scores[other] == scores[seat] else 0
        return HASTE * state.turns if ahead else 1.0 / equals - HASTE * state.turns, ending

    return team if cooperative else rival


@kernel
def pick(seats: int, counter: Any) -> Any:
    """One of the seats that the game waits for; chance is asked only where there are several."""
    if seats & (seats - 1):
        skip, counter = bounded(counter, count(seats))
        for _ in range(skip):
            seats &= seats - 1
    return lowest(seats), counter
