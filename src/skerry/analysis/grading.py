"""Grading: whether something better than the played action is found, and how much it loses against that.

The search is the expert's (sequential halving over determinized rollouts), with the played action as the baseline: the
others are measured by how much more they bring in the same worlds. The best of many is often only the luckiest, so what
the search prefers is compared with the played action once more, in other worlds, and counts as better only if it
is so beyond doubt there. The loss is taken from this second comparison alone.

As long as a seat can still make up for an action, it has lost nothing: what an action is worth is also what the best
that was found at the next decision is worth, if nothing was revealed in between. The loss therefore belongs to the
action with which the better way was given up, and is counted once.

Everything is sampled from what the deciding seat knew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from skerry.analysis.accounts import Course
from skerry.bots.arms import Arms
from skerry.bots.asked import Positions
from skerry.bots.expert import MIN_BREADTH, ROLLOUTS_PER_ARM
from skerry.bots.halving import RolloutBackend, initial_arms, sequential_halving
from skerry.engine.loop import PASS
from skerry.engine.rng import derive_seed

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
Unit = Literal["chance", "points"]

GRADES: tuple[Grade, ...] = ("best", "good", "inaccuracy", "mistake", "blunder")
# The least loss of an inaccuracy, a mistake and a blunder: in the chance to win, or in a single player's points.
THRESHOLDS: dict[Unit, tuple[float, float, float]] = {"chance": (0.02, 0.05, 0.10), "points": (1.0, 2.0, 4.0)}
DOUBT = 2.0  # standard errors by which an action must be better than the played one
NOT_TO_INTERRUPT = PASS  # as the best action
BATCH = 8  # decisions that are searched together
SEARCH_STREAM, CHECK_STREAM = 0x5EA7C4, 0xC4EC4  # seeds of the search and of the second comparison


@dataclass(frozen=True)
class Graded:
    """A decision with the best action that was found.

    ``played`` is what the played action was worth, with the best that could follow it.
    """

    step: int
    played: float
    best: float
    best_action: int  # its id, or ``NOT_TO_INTERRUPT``
    avoided: int  # the number of the ending that the best action avoids most, 0 if none
    grade: Grade

    @property
    def loss(self) -> float:
        return self.best - self.played


def grade_of(loss: float, is_best: bool, unit: Unit) -> Grade:
    """The grade of an action that loses so much against the best one found."""
    if is_best:
        return "best"
    return GRADES[1 + sum(loss >= threshold for threshold in THRESHOLDS[unit])]


def unit_of(players: int) -> Unit:
    return "points" if players == 1 else "chance"


def taken_back(course: Course) -> frozenset[int]:
    """The steps that were taken back before anything was revealed: a seat may draft and erase as it likes."""
    found: set[int] = set()
    seen: dict[bytes, int] = {}
    for number, step in enumerate(course.match.steps):
        seen.setdefault(step.before, number)
        if step.sealed:
            seen.clear()
        elif step.after in seen:
            found.update(range(seen[step.after], number + 1))
    return frozenset(found)


def decisions_of(course: Course) -> list[int]:
    """The steps to grade: those with a choice that the viewer knows."""
    undone = taken_back(course)
    return [
        number
        for number, seat in enumerate(course.deciders.tolist())
        if course.choices[number] and course.viewpoint.knows_choices(seat) and number not in undone
    ]


def grade_all(
    course: Course, decisions: Sequence[int], backend: RolloutBackend, rollouts: int
) -> Iterator[list[Graded]]:
    """Grade decisions, a few at a time and the last ones first, with about ``rollouts`` rollouts for the search of
    each."""
    best: dict[int, float] = {}  # the value of the best action, of the decisions graded so far
    next_decisions = _next_decisions(course, decisions)
    for last in range(len(decisions), 0, -BATCH):
        compared = _compare_with_best(course, decisions[max(0, last - BATCH) : last], backend, rollouts)
        graded = []
        for one in reversed(compared):
            later = best.get(next_decisions[one.step], -math.inf) if one.step in next_decisions else -math.inf
            graded.append(one.graded(later))
            best[one.step] = graded[-1].best
        yield graded[::-1]


def _next_decisions(course: Course, decisions: Sequence[int]) -> dict[int, int]:
    """For each decision, the next one of the same side before anything is revealed, if there is one."""
    steps, found = course.match.steps, {}
    for index, step in enumerate(decisions):
        for later in decisions[index + 1 :]:
            if any(one.sealed for one in steps[step:later]):
                break
            if course.match.game.cooperative or course.deciders[later] == course.deciders[step]:
                found[step] = later
                break
    return found


@dataclass(frozen=True)
class _Comparison:
    """The played action of a step and the best one that the search found, played in the same worlds."""

    step: int
    action: int
    best_action: int
    played: float
    best: float
    error: float  # standard error of the difference
    avoided: int
    unit: Unit

    def graded(self, later: float) -> Graded:
        """The grade, if the best action at the next decision is worth ``later``."""
        worth = max(self.played, later)
        if self.best_action == self.action or self.best - worth <= DOUBT * self.error:
            return Graded(self.step, worth, worth, self.action, 0, "best")
        return Graded(
            self.step, worth, self.best, self.best_action, self.avoided, grade_of(self.best - worth, False, self.unit)
        )


def _compare_with_best(
    course: Course, steps: Sequence[int], backend: RolloutBackend, rollouts: int
) -> list[_Comparison]:
    played = np.array([course.action(step) for step in steps], np.int16)
    positions = _positions(course, steps, SEARCH_STREAM)
    arms = initial_arms(positions, backend, max(MIN_BREADTH, rollouts // ROLLOUTS_PER_ARM))
    arms.baseline = arms.actions == played[arms.positions]
    arms.active |= arms.baseline
    sequential_halving(arms, positions, backend, rollouts)
    best = arms.actions[arms.best(len(steps))]
    return _compare(course, steps, played, best, backend, rollouts)


def _positions(course: Course, steps: Sequence[int], stream: int) -> Positions:
    """The positions before some steps. Each rollout resamples what the deciding seat does not know."""
    chosen, every = np.asarray(steps), course.positions
    seeds = [derive_seed(seed, stream) for seed in every.seeds[chosen]]
    return Positions(course.match.game, every.states[chosen], course.deciders[chosen], np.array(seeds, np.uint64))


def _compare(
    course: Course,
    steps: Sequence[int],
    played: NDArray[np.int16],
    best: NDArray[np.int16],
    backend: RolloutBackend,
    rollouts: int,
) -> list[_Comparison]:
    """Play the action of each step and the best one in the same worlds, which the search has not seen."""
    n = len(steps)
    positions = _positions(course, steps, CHECK_STREAM)
    numbers, endings = np.arange(n), len(course.match.game.endings) + 1
    arms = Arms.of(np.tile(numbers, 2), np.concatenate((played, best)), np.arange(2 * n) < n, endings)
    jobs = arms.jobs(np.full(n, max(1, rollouts // 2)))
    results = backend.play(positions, arms.actions, jobs)
    values = results.values.reshape(2, n, -1)
    means, gains = values.mean(axis=2), values[1] - values[0]
    errors = gains.std(axis=1) / math.sqrt(gains.shape[1])
    kinds = np.eye(endings)[results.endings].reshape(2, n, -1, endings).mean(axis=2)
    unit = unit_of(course.match.variant.players)
    return [
        _Comparison(
            step=step,
            action=int(played[i]),
            best_action=int(best[i]),
            played=float(means[0, i]),
            best=float(means[1, i]),
            error=float(errors[i]),
            avoided=_avoided(course, kinds[:, i]),
            unit=unit,
        )
        for i, step in enumerate(steps)
    ]


NOTABLE_SHARE = 0.02  # of rollouts that must end otherwise for the difference to be mentioned


def _avoided(course: Course, kinds: NDArray[np.float64]) -> int:
    """The way to lose that the best action avoids most, if the difference is notable."""
    game = course.match.game
    if not game.cooperative:
        return 0
    lost = [number for number, ending in enumerate(game.endings, 1) if not ending.won]
    number = max(lost, key=lambda ending: kinds[0, ending] - kinds[1, ending])
    return number if kinds[0, number] - kinds[1, number] >= NOTABLE_SHARE else 0
