"""Determinized rollouts: a world that agrees with what a seat knows, an action in it, and a policy that plays on.

In a game with a value network a rollout is cut off after some turns and evaluated: the action then is less obscured by
chance, and many more rollouts can be played. In others it is played to the end.

Rollouts are requested as jobs, rows of ``position, arm, world`` (see ``skerry.bots.arms``). A rollout depends on
nothing but its row and the positions, so that it makes no difference on which core it is played and in what order.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from skerry.botkit.protocols import HasValue, Policy
from skerry.bots.arms import ARM, POSITION, WORLD, RolloutResults
from skerry.bots.policy_net import PolicyNet, WriteLogits
from skerry.bots.protocols import FinalValue, RolloutPolicy
from skerry.bots.rollout_policy import rollout_policy_kernel
from skerry.bots.value_net import Value, ValueNet
from skerry.bots.workspace import Workspace
from skerry.engine.bitset import as_int
from skerry.engine.kernel import kernel
from skerry.engine.loop import ALL_SEATS, PASS, Decide, Interrupting, action_at, answer_kernel, is_answer, play_loop
from skerry.engine.protocols import Rules
from skerry.engine.rng import derive_seed, mix64

MAX_ROLLOUT_STEPS = 4_000  # after which a rollout counts as unfinished; more than the turns of any game
POLICY_STREAM = np.uint64(0x1DEA)  # separates the policies' random numbers from those of the world
TURN_COST = 2.0**-20  # taken from a win, or added to a loss, for each turn: just enough to tell two wins apart
PASS_LOGIT = 1e30  # higher than any other: to pass is always among the actions that are searched


class JobBatch(NamedTuple):
    """The jobs, and what their columns refer to."""

    jobs: Any
    states: Any  # of the positions
    seats: Any  # that decide in them
    seeds: Any
    actions: Any  # of the arms


class PlayJobs(Protocol):
    """Play the jobs from ``first`` up to ``last``; in how many of them the rollout policy chose no legal action."""

    def __call__(
        self, first: int, last: int, batch: JobBatch, workspace: Workspace, results: RolloutResults, /
    ) -> int: ...


class ListLegal(Protocol):
    """Write the legal actions of each position's seat to a row of ``out``, and how many there are to ``counts``. A seat
    that may only interrupt can also pass."""

    def __call__(self, states: Any, seats: Any, buffer: Any, out: Any, counts: Any, /) -> None: ...


class ChooseActions(Protocol):
    """Write the action that the rollout policy chooses in each position, or ``PASS``, to ``out``; in how many positions
    it chose no legal action."""

    def __call__(self, states: Any, seats: Any, seeds: Any, workspace: Workspace, out: Any, /) -> int: ...


class WriteAllLogits(Protocol):
    """Write the logits of the legal actions of all positions to ``out``, in the layout of ``legal``, whose rows follow
    each other."""

    def __call__(
        self, states: Any, seats: Any, legal: Any, counts: Any, weights: Any, scratch: Any, out: Any, /
    ) -> None: ...


@dataclass(frozen=True)
class RolloutKernels:
    """The kernels of a search."""

    final_value: FinalValue
    rollout_policy: RolloutPolicy
    play_jobs: PlayJobs
    list_legal: ListLegal
    choose_actions: ChooseActions
    write_all_logits: WriteAllLogits


@functools.cache
def rollout_kernels(
    rules: Rules,
    policy: Policy,
    interrupting: Interrupting,
    cooperative: bool,
    value_net: ValueNet | None,
    policy_net: PolicyNet | None,
) -> RolloutKernels:
    """Make the kernels for a game; ``policy`` is the one that plays rollouts without networks."""
    final_value = final_value_kernel(rules, cooperative)
    rollout_policy = rollout_policy_kernel(rules, policy, final_value, value_net, policy_net)
    return RolloutKernels(
        final_value=final_value,
        rollout_policy=rollout_policy,
        play_jobs=_play_jobs_kernel(rules, rollout_policy, interrupting, final_value, value_net),
        list_legal=_list_legal_kernel(rules),
        choose_actions=_choose_actions_kernel(rules, rollout_policy),
        write_all_logits=_write_all_logits_kernel(rules, value_net, policy_net),
    )


class _StartJob(Protocol):
    """Sample the world of a job and play its action in it.

    Returns the random state of the rollout policy, and the loop state.
    """

    def __call__(self, job: int, batch: JobBatch, worlds: Any, log: Any, /) -> tuple[Any, int]: ...


def _start_job_kernel(rules: Rules) -> _StartJob:
    answer, determinize = answer_kernel(rules), rules.determinize

    @kernel
    def start_job(job: int, batch: JobBatch, worlds: Any, log: Any) -> Any:
        position, action = batch.jobs[job, POSITION], as_int(batch.actions[batch.jobs[job, ARM]])
        seat, seed = as_int(batch.seats[position]), derive_seed(batch.seeds[position], batch.jobs[job, WORLD])
        worlds[0] = batch.states[position]
        determinize(worlds[0], seat, seed)
        loop_state = ALL_SEATS  # after a pass the game goes on: no other seat is asked whether it interrupts
        if action != PASS:
            loop_state = answer(worlds[0], seat, action, 0, log)
        return mix64(seed ^ POLICY_STREAM), loop_state

    return start_job


class _Cutoff(NamedTuple):
    """When a rollout is cut off, and how it is evaluated then."""

    applies: HasValue
    turns: int
    value: Value


@kernel
def _no_value(state: Any, weights: Any, scratch: Any) -> float:
    """Without a value network only a game that never ends is cut off."""
    return 0.0


@kernel
def _never(state: Any) -> bool:
    return False


def _cutoff_of(value_net: ValueNet | None) -> _Cutoff:
    if value_net is None:
        return _Cutoff(_never, MAX_ROLLOUT_STEPS, _no_value)
    return _Cutoff(value_net.has_value, value_net.rollout_turns, value_net.value)


def _play_jobs_kernel(
    rules: Rules,
    rollout_policy: RolloutPolicy,
    interrupting: Interrupting,
    final_value: FinalValue,
    value_net: ValueNet | None,
) -> PlayJobs:
    start_job, play = _start_job_kernel(rules), play_loop(rules, interrupting, decide_by(rollout_policy))
    cutoff_applies, cutoff_turns, cutoff_value = _cutoff_of(value_net)

    @kernel
    def play_jobs(first: int, last: int, batch: JobBatch, workspace: Workspace, results: RolloutResults) -> int:
        """(In one piece, because every kernel around a policy compiles the policy anew.)"""
        worlds, log, illegal = workspace.worlds, workspace.log, 0
        for job in range(first, last):
            rng, loop_state = start_job(job, batch, worlds, log)
            position = batch.jobs[job, POSITION]
            turns = cutoff_turns if cutoff_applies(worlds[0]) else MAX_ROLLOUT_STEPS
            last_turn = batch.states[position].turns + turns
            end = play(worlds[0], workspace, 0, loop_state, rng, MAX_ROLLOUT_STEPS, last_turn, workspace.legal, log)
            illegal += 1 if end.illegal else 0
            seat = as_int(batch.seats[position])
            value, ending = final_value(worlds[0], seat, workspace.won, workspace.scores)
            if not ending:
                value = cutoff_value(worlds[0], workspace.weights, workspace.scratch)
            results.values[job], results.endings[job] = value, ending
        return illegal

    return play_jobs


def decide_by(rollout_policy: RolloutPolicy) -> Decide:
    """The play loop's ``decide`` for a rollout policy: it plays the workspace's first world."""

    @kernel
    def decide(
        workspace: Workspace, state: Any, seat: int, legal: Any, count: int, is_interrupt: bool, rng: Any
    ) -> Any:
        return rollout_policy(workspace, seat, count, rng)

    return decide


def _list_legal_kernel(rules: Rules) -> ListLegal:
    waiting, legal_actions = rules.waiting, rules.legal

    @kernel
    def list_legal(states: Any, seats: Any, buffer: Any, out: Any, counts: Any) -> None:
        for i in range(len(states)):
            counts[i] = legal_actions(states[i], as_int(seats[i]), buffer)
            for k in range(counts[i]):
                out[i, k] = buffer[k]
            if not waiting(states[i]) >> seats[i] & 1:
                out[i, counts[i]] = PASS
                counts[i] += 1

    return list_legal


def _choose_actions_kernel(rules: Rules, rollout_policy: RolloutPolicy) -> ChooseActions:
    waiting, legal_actions = rules.waiting, rules.legal

    @kernel
    def choose_actions(states: Any, seats: Any, seeds: Any, workspace: Workspace, out: Any) -> int:
        illegal = 0
        for i in range(len(states)):
            seat = as_int(seats[i])
            workspace.worlds[0] = states[i]
            is_interrupt = not waiting(states[i]) >> seat & 1
            count = legal_actions(states[i], seat, workspace.legal)
            index, _ = rollout_policy(workspace, seat, count, seeds[i])
            if not is_answer(index, count, is_interrupt):
                illegal += 1
                index = PASS if is_interrupt else 0
            out[i] = action_at(workspace.legal, index)
        return illegal

    return choose_actions


def _write_all_logits_kernel(rules: Rules, value_net: ValueNet | None, policy_net: PolicyNet | None) -> WriteAllLogits:
    """Interruptions have logits only where the rollout policy looks ahead; otherwise all of theirs are 0."""
    waiting = rules.waiting
    write_logits: WriteLogits = policy_net.write_logits if policy_net else _no_logits
    policy_weights = value_net.shape.weight_count if value_net else 0
    rates_interruptions = value_net is not None and value_net.lookahead_steps > 0

    @kernel
    def write_all_logits(
        states: Any, seats: Any, legal: Any, counts: Any, weights: Any, scratch: Any, out: Any
    ) -> None:
        size = len(legal) // len(states)
        for i in range(len(states)):
            actions, logits, count = legal[i * size :], out[i * size :], counts[i]
            is_interrupt = not waiting(states[i]) >> seats[i] & 1
            if is_interrupt:
                count -= 1
                logits[count] = PASS_LOGIT
            if rates_interruptions or not is_interrupt:
                write_logits(states[i], as_int(seats[i]), actions, count, weights[policy_weights:], scratch, logits)

    return write_all_logits


@kernel
def _no_logits(world: Any, seat: int, legal: Any, count: int, weights: Any, scratch: Any, out: Any) -> None:
    pass


def final_value_kernel(rules: Rules, cooperative: bool) -> FinalValue:
    """Make the kernel that evaluates the end of a game: 1 for a win of the team, a rival's share of the win, or the
    score of a single player. An early win and a late loss are worth slightly more."""
    result = rules.result

    @kernel
    def team(state: Any, seat: int, won: Any, scores: Any) -> Any:
        ending = result(state, scores)
        cost = TURN_COST * state.turns
        return 1.0 - cost if won[ending] else cost, ending

    @kernel
    def rival(state: Any, seat: int, won: Any, scores: Any) -> Any:
        ending = result(state, scores)
        if not ending:
            return 0.0, ending
        if state.players == 1:
            return float(scores[0]), ending
        better, equal = 0, 0
        for other in range(state.players):
            better += 1 if scores[other] > scores[seat] else 0
            equal += 1 if scores[other] == scores[seat] else 0
        cost = TURN_COST * state.turns
        return cost if better else 1.0 / equal - cost, ending

    return team if cooperative else rival
