"""The analysis of a match: the course of the values, what luck and decisions changed, and the graded decisions.

It is deterministic: the same match, effort and version of Skerry give the same analysis on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skerry.analysis.accounts import Accounts, Course, accounts_of, course_of
from skerry.analysis.evaluation import Evaluator
from skerry.analysis.grading import GRADES, NOT_TO_INTERRUPT, THRESHOLDS, Graded, Unit, decisions_of, grade_all, unit_of
from skerry.analysis.viewpoint import Viewpoint, shown_action, viewpoint_of
from skerry.bots.expert import Expert
from skerry.bots.rollout_pool import RolloutPool
from skerry.engine.errors import BadOption
from skerry.engine.match import Match
from skerry.engine.messages import say

VERSION = 2  # of the method: a stored analysis of another version is made anew
EFFORT = 200  # by default: worlds for a value and rollouts for the search of a decision
MAX_EFFORT = 20_000
COARSE_WORLDS = 8  # for a value of the first curve
NOTABLE_LUCK = {"chance": 0.05, "points": 2.0}  # that makes a step a moment of the match
MAX_MOMENTS = 12


@dataclass(frozen=True)
class AnalysedStep:
    """One step. ``action`` is None where the viewer does not know it; values, luck and decision are by seat."""

    number: int  # counted from 1: the step leads to the position after so many steps
    turn: int  # of the position before it, counted as the game does
    seat: int
    decider: int  # the seat whose decision it is: another, if that did not interrupt where it could
    action: str | None
    values: tuple[float, ...]  # after it
    luck: tuple[float, ...]
    decision: tuple[float, ...]
    is_choice: bool  # whether the viewer knows that there was a choice
    graded: Graded | None = None

    @property
    def loss(self) -> float:
        """What the seat lost against the best action found."""
        return self.graded.loss if self.graded else 0.0


@dataclass(frozen=True)
class Analysis:
    """The analysis of a match, possibly not finished yet: then ``graded`` of the ``decisions`` are."""

    match: Match
    viewpoint: Viewpoint
    effort: int
    unit: Unit
    initial: tuple[float, ...]  # the values before the first step, by seat
    luck_error: tuple[float, ...]  # standard error of the luck of each seat
    steps: tuple[AnalysedStep, ...]
    decisions: int  # to be graded
    graded: int

    @property
    def complete(self) -> bool:
        return self.graded == self.decisions

    @property
    def final(self) -> tuple[float, ...]:
        """The values at the end, by seat."""
        return self.steps[-1].values if self.steps else self.initial

    @property
    def luck(self) -> tuple[float, ...]:
        """The luck of each seat."""
        return _sums([step.luck for step in self.steps], len(self.initial))

    @property
    def decided(self) -> tuple[float, ...]:
        """What all decisions together brought each seat, measured against what was expected of them."""
        return _sums([step.decision for step in self.steps], len(self.initial))

    def decided_by(self, seat: int) -> tuple[float, ...]:
        """What one seat's decisions brought each seat."""
        return _sums([step.decision for step in self.steps if step.decider == seat], len(self.initial))

    def losses(self, seat: int) -> float:
        """What a seat lost by its graded decisions."""
        return sum(step.loss for step in self.steps if step.decider == seat)

    def grades(self, seat: int) -> dict[str, int]:
        """How many decisions of a seat have each grade."""
        found = [step.graded.grade for step in self.steps if step.graded and step.decider == seat]
        return {grade: found.count(grade) for grade in GRADES}

    def moments(self, most: int = MAX_MOMENTS) -> list[AnalysedStep]:
        """The steps that mattered most, in their order: losses by decisions, and luck."""
        least_loss, least_luck = THRESHOLDS[self.unit][0], NOTABLE_LUCK[self.unit]
        notable = [step for step in self.steps if step.loss >= least_loss or swing(step) >= least_luck]
        largest = sorted(notable, key=lambda step: (-max(step.loss, swing(step)), step.number))[:most]
        return sorted(largest, key=lambda step: step.number)


def swing(step: AnalysedStep) -> float:
    """The greatest luck of a step to any seat, good or bad."""
    return max(map(abs, step.luck), default=0.0)


def analyse(
    match: Match, effort: int = EFFORT, seat: int | None = None, open_cards: bool = False, threads: int = 0
) -> Analysis:
    """Analyse a match. ``seat`` or ``open_cards`` choose the viewpoint of games in which seats hide cards from each
    other (``skerry.analysis.viewpoint``). ``threads``: 0 for one per core."""
    *_, analysis = analyse_by_stages(match, effort, seat, open_cards, threads)
    return analysis


def analyse_by_stages(
    match: Match, effort: int = EFFORT, seat: int | None = None, open_cards: bool = False, threads: int = 0
) -> Iterator[Analysis]:
    """Analyse a match and yield the analysis so far: a coarse curve, the whole curve, and then with more and more
    graded decisions. Closing the iterator stops the analysis."""
    if not 1 <= effort <= MAX_EFFORT:
        raise BadOption(say("the effort is a number from 1 to {most}", most=MAX_EFFORT))
    course = course_of(match, viewpoint_of(match, seat, open_cards))
    expert = Expert.of(match.game)
    pool = RolloutPool(match.game, expert.policy, threads, report=expert.report) if threads else expert.rollout_pool
    evaluator, decisions = Evaluator(match.game, pool), decisions_of(course)
    if effort > COARSE_WORLDS:
        yield _analysis(course, accounts_of(course, evaluator, COARSE_WORLDS), effort, decisions)
    analysis = _analysis(course, accounts_of(course, evaluator, effort), effort, decisions)
    yield analysis
    for graded in grade_all(course, decisions, pool, evaluator.affordable_rollouts(effort)):
        analysis = _with_grades(analysis, graded)
        yield analysis


def _analysis(course: Course, accounts: Accounts, effort: int, decisions: Sequence[int]) -> Analysis:
    match = course.match
    choices = frozenset(decisions)
    steps = tuple(
        AnalysedStep(
            number=number + 1,
            turn=int(course.positions.states["turns"][number]),
            seat=step.seat,
            decider=int(course.deciders[number]),
            action=shown_action(course.viewpoint, step),
            values=_row(accounts.values[number + 1]),
            luck=_row(accounts.luck[number]),
            decision=_row(accounts.decisions[number]),
            is_choice=number in choices,
        )
        for number, step in enumerate(match.steps)
    )
    unit, initial = unit_of(match.variant.players), _row(accounts.values[0])
    error = _row(accounts.luck_error)
    return Analysis(match, course.viewpoint, effort, unit, initial, error, steps, len(decisions), 0)


def _with_grades(analysis: Analysis, graded: Sequence[Graded]) -> Analysis:
    by_step = {one.step: one for one in graded}
    steps = tuple(
        replace(step, graded=by_step[step.number - 1]) if step.number - 1 in by_step else step
        for step in analysis.steps
    )
    return replace(analysis, steps=steps, graded=analysis.graded + len(graded))


def _row(values: Any) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _sums(rows: Sequence[tuple[float, ...]], seats: int) -> tuple[float, ...]:
    return _row(np.array(rows).sum(axis=0)) if rows else (0.0,) * seats


def better_action(analysis: Analysis, step: AnalysedStep) -> str | None:
    """The text of a better action that was found, ``pass`` where it is better not to interrupt."""
    if step.graded is None or step.graded.grade == "best":
        return None
    action = step.graded.best_action
    return "pass" if action == NOT_TO_INTERRUPT else analysis.match.action(action).text


def as_data(analysis: Analysis) -> dict[str, Any]:
    """The analysis as plain data, which is the same for the same match, effort and version."""
    players = range(analysis.match.variant.players)
    return {
        "version": VERSION,
        "game": analysis.match.game.name,
        "viewpoint": analysis.viewpoint.mode,
        "viewer": analysis.viewpoint.seat if analysis.viewpoint.mode == "seat" else None,
        "effort": analysis.effort,
        "unit": analysis.unit,
        "complete": analysis.complete,
        "progress": [analysis.graded, analysis.decisions],
        "initial": _rounded(analysis.initial),
        "final": _rounded(analysis.final),
        "luck": _rounded(analysis.luck),
        "luck_error": _rounded(analysis.luck_error),
        "decisions": _rounded(analysis.decided),
        "seats": [
            {
                "seat": seat,
                "decisions": _rounded(analysis.decided_by(seat)),
                "losses": round(analysis.losses(seat), DIGITS),
                "grades": analysis.grades(seat),
            }
            for seat in players
        ],
        "moments": [step.number for step in analysis.moments()],
        "steps": [_step_as_data(analysis, step) for step in analysis.steps],
    }


DIGITS = 6


def _step_as_data(analysis: Analysis, step: AnalysedStep) -> dict[str, Any]:
    data: dict[str, Any] = {
        "step": step.number,
        "turn": step.turn,
        "seat": step.seat,
        "decider": step.decider,
        "action": step.action,
        "values": _rounded(step.values),
        "luck": _rounded(step.luck),
        "decision": _rounded(step.decision),
    }
    if step.graded:
        data |= {
            "grade": step.graded.grade,
            "loss": round(step.loss, DIGITS),
            "value": round(step.graded.played, DIGITS),
            "better": better_action(analysis, step),
        }
    return data


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, DIGITS) for value in values]
