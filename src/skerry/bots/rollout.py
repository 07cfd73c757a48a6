"""Imagined games: a world that fits what a seat knows, an action played in it, and a policy for all that follows.

A game that has learnt to judge positions is imagined for some turns only, and then judged: chance has less time to
drown what the action was worth, and many more games can be imagined. Others are played to the end.

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
from skerry.bots.policy_net import PolicyNet
from skerry.bots.rollout_policy import rollout_policy_kernel
from skerry.bots.value_net import ValueNet
from skerry.bots.workspace import Workspace
from skerry.engine.bitset import as_int
from skerry.engine.kernel import kernel
from skerry.engine.loop import ALL_SEATS, PASS, Decide, Interrupting, play_loop, taking
from skerry.engine.protocols import Rules
from skerry.engine.rng import derive_seed, mix64

LIMIT = 4_000  # decisions after which an imagined game counts as unfinished
CHANCE = np.uint64(0x1DEA)  # the policies' chance is another series than the world's
HASTE = 2.0**-20  # what each turn takes from a win, or adds to a loss: it tells plans apart, no more
ALWAYS = 1e30  # suggests itself more than anything else


@dataclass(frozen=True)
class RolloutKernels:
    """``value`` says what an end is worth, ``ask`` what the imagined players do, ``play_jobs`` plays a stretch of jobs,
    ``list_legal`` has what to try, ``rate_all`` how much of it suggests itself."""

    value: Callable[..., Any]
    ask: Callable[..., Any]
    play_jobs: Callable[..., Any]
    list_legal: Callable[..., Any]
    rate_all: Callable[..., Any]


@functools.cache
def rollout_kernels(
    rules: Rules,
    policy: Policy,
    interrupting: Interrupting,
    cooperative: bool,
    judgement: ValueNet | None,
    instinct: PolicyNet | None,
) -> RolloutKernels:
    value = final_value_kernel(rules, cooperative)
    ask = rollout_policy_kernel(rules, policy, value, judgement, instinct)
    play_jobs = _playing(rules, ask, interrupting, value, judgement)
    return RolloutKernels(value, ask, play_jobs, _listing(rules), _rating(rules, judgement, instinct))


def _opening(rules: Rules) -> Callable[..., Any]:
    take, determinize = taking(rules), rules.determinize

    @kernel
    def open_job(job: int, jobs: Any, states: Any, seats: Any, seeds: Any, plans: Any, world: Any, log: Any) -> Any:
        """Sample the world of a job and play its first action; the random generator of the rollout policy, and the play
        loop's memory of who was asked."""
        position, plan = jobs[job, 0], jobs[job, 1]
        seat, seed = as_int(seats[position]), derive_seed(seeds[position], jobs[job, 2])
        world[0] = states[position]
        determinize(world[0], seat, seed)
        polled = ALL_SEATS
        if plans[plan] != PASS:
            polled = take(world[0], seat, as_int(plans[plan]), 0, log)
        return mix64(seed ^ CHANCE), polled

    return open_job


@kernel
def _cannot_tell(state: Any, weights: Any, desk: Any) -> float:
    """A game without a judgement is played to the end; one that never ends is worth nothing."""
    return 0.0


@kernel
def _never(state: Any) -> bool:
    return False


def _playing(
    rules: Rules,
    ask: Callable[..., Any],
    interrupting: Interrupting,
    value: Callable[..., Any],
    judgement: ValueNet | None,
) -> Callable[..., None]:
    open_job = _opening(rules)
    play = play_loop(rules, interrupting, deciding_by(ask))
    worth, ahead = (judgement.worth, judgement.ahead) if judgement else (_cannot_tell, LIMIT)
    judged = judgement.judged if judgement else _never

    @kernel
    def play_jobs(
        first: int,
        last: int,
        jobs: Any,
        states: Any,
        seats: Any,
        seeds: Any,
        plans: Any,
        room: Workspace,
        values: Any,
        endings: Any,
    ) -> None:
        """Play a stretch of jobs. (All in one piece: each kernel around a policy compiles the policy anew.)"""
        world = room.worlds
        for job in range(first, last):
            counter, polled = open_job(job, jobs, states, seats, seeds, plans, world, room.log)
            last_turn = states[jobs[job, 0]].turns + (ahead if judged(world[0]) else LIMIT)
            play(world[0], room, 0, polled, counter, LIMIT, last_turn, room.legal, room.log)
            values[job], endings[job] = value(world[0], as_int(seats[jobs[job, 0]]), room.won, room.scores)
            if not endings[job]:
                values[job] = worth(world[0], room.weights, room.desk)

    return play_jobs


def deciding_by(ask: Callable[..., Any]) -> Decide:
    """The play loop's ``decide`` for a rollout policy."""

    @kernel
    def decide(room: Workspace, state: Any, seat: int, legal: Any, count: int, interrupts: bool, rng: Any) -> Any:
        """``state`` is the first of the workspace's positions."""
        return ask(room, seat, count, rng)

    return decide


def _listing(rules: Rules) -> Callable[..., Any]:
    waiting, legal = rules.waiting, rules.legal

    @kernel
    def list_legal(states: Any, seats: Any, buffer: Any, out: Any, counts: Any) -> None:
        """What the seats may do; who may only interrupt may also let it be."""
        for i in range(len(states)):
            counts[i] = legal(states[i], as_int(seats[i]), buffer)
            for k in range(counts[i]):
                out[i, k] = buffer[k]
            if not waiting(states[i]) >> seats[i] & 1:
                out[i, counts[i]] = PASS
                counts[i] += 1

    return list_legal


def _rating(rules: Rules, judgement: ValueNet | None, instinct: PolicyNet | None) -> Callable[..., Any]:
    waiting, rate = rules.waiting, instinct.rate if instinct else _all_alike
    start, looks = (judgement.shape.size, judgement.steps > 0) if judgement else (0, False)

    @kernel
    def rate_all(states: Any, seats: Any, legal: Any, counts: Any, weights: Any, desk: Any, out: Any) -> None:
        """How much what the seats may do, as many numbers of ``legal`` each, suggests itself. To who may only interrupt
        nothing does more than to let it be; the rest is all alike, but to those who look before they act."""
        size = len(legal) // len(states)
        for i in range(len(states)):
            mine, found, number = legal[i * size :], out[i * size :], counts[i]
            interrupts = not waiting(states[i]) >> seats[i] & 1
            if interrupts:
                number -= 1
                found[number] = ALWAYS
            if looks or not interrupts:
                rate(states[i], as_int(seats[i]), mine, number, weights[start:], desk, found)

    return rate_all


@kernel
def _all_alike(world: Any, seat: int, legal: Any, count: int, weights: Any, desk: Any, out: Any) -> None:
    pass


def final_value_kernel(rules: Rules, cooperative: bool) -> Callable[..., Any]:
    """What the end of a game is worth to a seat: a team's win 1, a rival's share of it, hardly less for a late one and
    hardly more for a late loss; alone, the score."""
    result = rules.result

    @kernel
    def team(state: Any, seat: int, won: Any, scores: Any) -> Any:
        ending = result(state, scores)
        return 1.0 - HASTE * state.turns if won[ending] else HASTE * state.turns, ending

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
