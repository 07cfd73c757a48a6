"""Evaluation: the values of many positions to all seats, each the mean over sampled worlds.

A world agrees with what is known; the rest is resampled. In it all forced steps are played (draws, and whatever else
leaves no choice) until a seat has a choice, and that position is evaluated by the value network. A position before a
draw is therefore worth exactly the mean of what can follow, and the values before and after it can be compared.

Where the network itself plays (``greedy_by_value``), it is trained on whole turns: the turn is played to its end first.
Where a game has no value network for the variant, worlds are played to the end by the rollout policy.

The value to a seat is the chance to win; of a game that is over, 1 for a win of all, a share of the win, or 0. To a
single player it is the points.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.analysis.calibration import calibration_of
from skerry.analysis.viewpoint import Resample, resample_kernel, reshuffle_of
from skerry.botkit.protocols import HasValue
from skerry.bots.expert import Expert
from skerry.bots.interrupts import interrupting_of
from skerry.bots.rollout import MAX_ROLLOUT_STEPS, POLICY_STREAM, RolloutKernels, decide_by
from skerry.bots.rollout_pool import RolloutPool, rollout_threads, slice_size
from skerry.bots.value_net import Value, ValueNet
from skerry.bots.workspace import Workspace, new_workspace
from skerry.engine.bitset import as_int, lowest_bit
from skerry.engine.game import Game
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import NO_LIMIT, Interrupting, play_loop
from skerry.engine.protocols import Rules
from skerry.engine.rng import derive_seed, mix64
from skerry.engine.struct import struct_views

NO_ACTION = -1  # a world in which nothing is played before it is evaluated
MAX_FORCED_STEPS = 1_000  # more than can follow each other without a choice
COST_WITHOUT_POLICY_NET = 3  # how many times as long a rollout takes, about
POSITION, ACTION, WORLD = range(3)  # columns of a table of jobs


class Batch(NamedTuple):
    """The jobs, rows of ``position, action, world``, and what describes the positions."""

    jobs: Any
    states: Any
    knowers: Any  # whose knowledge is used
    actors: Any  # who plays the action
    seeds: Any


class Values(NamedTuple):
    """For each job in a row the values to the seats, and whether they are the result of a game that is over."""

    values: Any
    final: Any


class Evaluate(Protocol):
    """Evaluate the jobs from ``first`` up to ``last``."""

    def __call__(self, first: int, last: int, batch: Batch, workspace: Workspace, out: Values, /) -> None: ...


class PlayForced(Protocol):
    """Play forced steps until a seat has a choice, or the game is over."""

    def __call__(self, state: Any, buffer: Any, log: Any, /) -> None: ...


class WriteResult(Protocol):
    """Write the value of a finished game to each seat; False if the game is not over."""

    def __call__(self, state: Any, won: Any, scores: Any, out: Any, /) -> bool: ...


@dataclass(frozen=True)
class Positions:
    """Positions to evaluate, and for each: whose knowledge is used, who acts, and a random seed."""

    game: Game
    states: NDArray[Any]
    knowers: NDArray[np.int8]
    actors: NDArray[np.int8]
    seeds: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.states)


class Means(NamedTuple):
    """Mean values to each seat (column), and their variances because worlds are sampled."""

    means: NDArray[np.float64]
    variances: NDArray[np.float64]


def _sums(groups: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([np.bincount(groups, column) for column in values.T], axis=1)


class Evaluator:
    """Evaluates positions of a game on the cores of this machine. The result does not depend on how many there are.

    For measurements, the calibration can be left out, and worlds can be played ``to_the_end`` by the rollout policy.
    """

    def __init__(
        self, game: Game, pool: RolloutPool | None = None, *, calibrated: bool = True, to_the_end: bool = False
    ) -> None:
        self.game, self.calibrated = game, calibrated
        self.pool = pool or Expert.of(game).rollout_pool
        self.evaluate = evaluate_kernel(
            game.rules,
            resample_kernel(game.rules, reshuffle_of(game)),
            interrupting_of(game),
            self.pool.kernels,
            game.cooperative,
            None if to_the_end else self.pool.value_net,
        )

    def uses_network(self, state: Any) -> bool:
        """Whether positions are evaluated by the value network. If not, worlds are played to the end."""
        net = self.pool.value_net
        return net is not None and bool(net.has_value(state))

    def needs_no_worlds(self, state: Any) -> bool:
        """Whether the value of a position in which a seat has a choice is the same in all worlds: the features of the
        network depend on public information only."""
        net = self.pool.value_net
        return net is not None and net.greedy is None and self.uses_network(state)

    def affordable_rollouts(self, effort: int) -> int:
        """The rollouts to search a decision with: fewer where no policy network makes them cheap."""
        return effort if self.pool.policy_net is not None else max(1, effort // COST_WITHOUT_POLICY_NET)

    def values(self, positions: Positions, jobs: NDArray[np.int32]) -> NDArray[np.float64]:
        """The value of each job to each seat."""
        n, players = len(jobs), int(positions.states["players"][0])
        values, final = np.zeros(n * players), np.zeros(n, np.int8)
        batch = Batch(
            jobs=kernel_array(jobs),
            states=struct_views(self.game.state_struct, positions.states),
            knowers=kernel_array(positions.knowers),
            actors=kernel_array(positions.actors),
            seeds=kernel_array(positions.seeds),
        )
        out = Values(kernel_array(values), kernel_array(final))
        pool, size = self.pool, slice_size(n, self.pool.threads)

        def evaluate_slice(first: int) -> None:
            weights = pool.weights[players]
            workspace = new_workspace(self.game, pool.value_net, pool.policy_net, weights, pool.won)
            self.evaluate(first, min(n, first + size), batch, workspace, out)

        run = rollout_threads(pool.threads).map if pool.background else map
        list(run(evaluate_slice, range(0, n, size)))
        by_job = values.reshape(n, players)
        if self.calibrated:  # rollouts are played to the end and need no calibration
            by_job[final == 0] = calibration_of(self.game, players)(by_job[final == 0])
        return by_job

    def means(self, positions: Positions, jobs: NDArray[np.int32], groups: NDArray[np.int64]) -> Means:
        """The mean values of groups of jobs, numbered from 0 without gaps."""
        values, counts = self.values(positions, jobs), np.bincount(groups)[:, None]
        means = _sums(groups, values) / counts
        return Means(means, np.maximum(_sums(groups, values**2) / counts - means**2, 0) / counts)


@functools.cache
def evaluate_kernel(
    rules: Rules,
    resample: Resample,
    interrupting: Interrupting,
    rollouts: RolloutKernels,
    cooperative: bool,
    value_net: ValueNet | None,
) -> Evaluate:
    """Make the kernel that evaluates jobs."""
    step, play_forced = rules.step, play_forced_kernel(rules, interrupting)
    write_result = write_result_kernel(rules, cooperative)
    has_value, network_value = _network_of(value_net)
    plays_turn = value_net is not None and value_net.greedy is not None
    play = play_loop(rules, interrupting, decide_by(rollouts.rollout_policy))

    @kernel
    def evaluate(first: int, last: int, batch: Batch, workspace: Workspace, out: Values) -> None:
        worlds, legal, log = workspace.worlds, workspace.legal, workspace.log
        for job in range(first, last):
            position, action = batch.jobs[job, POSITION], as_int(batch.jobs[job, ACTION])
            seed = derive_seed(batch.seeds[position], batch.jobs[job, WORLD])
            worlds[0] = batch.states[position]
            resample(worlds[0], as_int(batch.knowers[position]), seed)
            if action != NO_ACTION:
                step(worlds[0], as_int(batch.actors[position]), action, log)
            by_network = has_value(worlds[0])
            if by_network and not plays_turn:
                play_forced(worlds[0], legal, log)
            else:
                last_turn = worlds[0].turns + 1 if by_network else NO_LIMIT
                play(worlds[0], workspace, 0, 0, mix64(seed ^ POLICY_STREAM), MAX_ROLLOUT_STEPS, last_turn, legal, log)
            values = out.values[job * worlds[0].players :]
            if write_result(worlds[0], workspace.won, workspace.scores, values):
                out.final[job] = 1
            elif by_network:
                value = network_value(worlds[0], workspace.weights, workspace.scratch)
                for seat in range(worlds[0].players):
                    values[seat] = value

    return evaluate


@kernel
def _never(state: Any) -> bool:
    return False


@kernel
def _no_value(state: Any, weights: Any, scratch: Any) -> float:
    return 0.0


def _network_of(value_net: ValueNet | None) -> tuple[HasValue, Value]:
    return (_never, _no_value) if value_net is None else (value_net.has_value, value_net.value)


@functools.cache
def play_forced_kernel(rules: Rules, interrupting: Interrupting) -> PlayForced:
    """Make the kernel that plays forced steps, asking seats in their order. Where a seat may want to interrupt, that is
    a choice."""
    waiting, legal, step = rules.waiting, rules.legal, rules.step

    @kernel
    def play_forced(state: Any, buffer: Any, log: Any) -> None:
        for _ in range(MAX_FORCED_STEPS):
            waited = waiting(state)
            if not waited or interrupting(state):
                break
            seat = lowest_bit(waited)
            if legal(state, seat, buffer) != 1:
                break
            step(state, seat, as_int(buffer[0]), log)

    return play_forced


@functools.cache
def write_result_kernel(rules: Rules, cooperative: bool) -> WriteResult:
    """Make the kernel that writes what the end of a game is worth to each seat."""
    result = rules.result

    @kernel
    def team(state: Any, won: Any, scores: Any, out: Any) -> bool:
        ending = result(state, scores)
        for seat in range(state.players):
            out[seat] = 1.0 if won[ending] else 0.0
        return ending > 0

    @kernel
    def rivals(state: Any, won: Any, scores: Any, out: Any) -> bool:
        ending = result(state, scores)
        for seat in range(state.players):
            better, equal = 0, 0
            for other in range(state.players):
                better += 1 if scores[other] > scores[seat] else 0
                equal += 1 if scores[other] == scores[seat] else 0
            out[seat] = 1.0 / equal if ending and not better else 0.0
        if ending and state.players == 1:
            out[0] = float(scores[0])
        return ending > 0

    return team if cooperative else rivals
