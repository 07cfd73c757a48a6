"""Accounts: what each step of a match changed, divided into luck and decisions.

The value of the position before a step is ``values[t]``, after it ``values[t + 1]``. The *par* of a step is the mean
value after the same action in worlds resampled from what its seat knew. The real world is one of the worlds that it
could have been, so that value - par has mean 0, whatever the evaluation is worth: that is luck (as in the luck analysis
of GNU Backgammon). The rest, par - value before, is the decision: what the action is worth, measured against what the
evaluation expected of the seat. Added up over a match,

    final value - initial value = luck + decisions,

exactly and for every player, because everything between cancels out.

A draw or another forced step decides nothing: the value before it is its par already. A step that neither draws nor
reveals anything brings no luck: its par is the value after it.

Where the seat in turn has no choice, but another may want to interrupt and does not, passing is that seat's decision.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skerry.analysis.evaluation import NO_ACTION, Evaluator, Positions
from skerry.analysis.viewpoint import Viewpoint
from skerry.bots.interrupts import interrupting_of
from skerry.engine.bitset import lowest_bit
from skerry.engine.loop import PASS
from skerry.engine.match import Match
from skerry.engine.rng import derive_seed
from skerry.engine.struct import StructBuffer, dtype_of

SEED = np.uint64(0x5EA_1CE)  # of the worlds, with what is known; the seed of the match would know the hidden cards


@dataclass(frozen=True)
class Course:
    """The positions of a match, the first before step 0 and the last after the last step, and how they follow."""

    match: Match
    viewpoint: Viewpoint
    positions: Positions
    deciders: NDArray[np.int8]  # for each step, the seat whose decision it is
    choices: NDArray[np.bool_]  # for each step, whether that seat could have done something else
    forced: NDArray[np.bool_]  # for each position, whether a forced step follows

    def passes(self, step: int) -> bool:
        """Whether the decision was not to interrupt."""
        return bool(self.deciders[step] != self.match.steps[step].seat)

    def action(self, step: int) -> int:
        """What was decided: the id of an action, or ``PASS``."""
        return PASS if self.passes(step) else self.match.steps[step].action.id


def course_of(match: Match, viewpoint: Viewpoint) -> Course:
    """The course of a match, as a viewpoint sees it."""
    game = match.game
    contents = [step.before for step in match.steps] + [match.content]
    states = np.frombuffer(b"".join(contents), dtype_of(game.state_struct)).copy()
    actors = np.array([*(step.seat for step in match.steps), 0], np.int8)
    deciders, choices, forced = (
        actors[:-1].copy(),
        np.zeros(len(match.steps), np.bool_),
        np.zeros(len(contents), np.bool_),
    )
    position = match.copy()
    for number, content in enumerate(contents):
        position.replace_content(content)
        forced[number] = _forced_step_follows(position)
        if number < len(match.steps):
            deciders[number], choices[number] = _decision(position, match.steps[number].seat)
    knowers = np.array([viewpoint.knower(game, int(actor)) for actor in actors], np.int8)
    positions = Positions(game, states, knowers, actors, _seeds(match, viewpoint))
    return Course(match, viewpoint, positions, deciders, choices, forced)


def _interrupters(position: Match) -> list[int]:
    """The seats that may want to interrupt. It does not depend on hidden information who does."""
    return list(position.seats_in(int(interrupting_of(position.game)(position.state))))


def _forced_step_follows(position: Match) -> bool:
    """Whether nobody has a choice: as ``play_forced`` in ``skerry.analysis.evaluation`` decides it."""
    waiting = position.waiting
    return bool(waiting) and not _interrupters(position) and len(position.legal_ids(waiting[0])) == 1


def _decision(position: Match, actor: int) -> tuple[int, bool]:
    """Whose decision a step of ``actor`` is, and whether there was a choice. Who interrupts could have passed."""
    if actor not in position.waiting or len(position.legal_ids(actor)) > 1:
        return actor, True
    passing = [seat for seat in _interrupters(position) if seat != actor]
    return (passing[0], True) if passing else (actor, False)


def _seeds(match: Match, viewpoint: Viewpoint) -> NDArray[np.uint64]:
    """A seed for each position. Positions between which nothing is drawn have the same, and so the same worlds: what
    lies between them is not obscured by chance.

    The seeds follow from what everybody sees at the beginning and from the actions that the viewer knows. Other matches
    therefore have other worlds: the errors of a few worlds do not add up over many matches.
    """
    first = match.copy()
    first.replace_content(match.steps[0].before if match.steps else match.content)
    seed = SEED ^ np.uint64(zlib.crc32(repr(first.view(None)).encode()))
    seeds, played = [seed], seed
    for step in match.steps:
        known = step.action.id if viewpoint.knows_choices(step.seat) else PASS
        played = np.uint64(derive_seed(played, known - PASS))
        if step.sealed:
            seed = played
        seeds.append(seed)
    return np.array(seeds, np.uint64)


@dataclass(frozen=True)
class Accounts:
    """Values, luck and decisions, by step and seat: ``values`` has a row more than there are steps."""

    values: NDArray[np.float64]
    luck: NDArray[np.float64]
    decisions: NDArray[np.float64]
    luck_error: NDArray[np.float64]  # standard error of the total luck of each seat, because worlds are sampled


def accounts_of(course: Course, evaluator: Evaluator, worlds: int) -> Accounts:
    """Evaluate all positions, each in at most ``worlds`` worlds, and divide what each step changed."""
    steps = course.match.steps
    drawn = [step for step in range(len(steps)) if _has_par(course, step)]
    jobs = [
        *(_jobs(position, NO_ACTION, _worlds_needed(course, evaluator, position, worlds)) for position in _all(course)),
        *(_jobs(step, steps[step].action.id, worlds) for step in drawn),
    ]
    groups = np.repeat(np.arange(len(jobs)), [len(one) for one in jobs])
    means, variances = evaluator.means(course.positions, np.concatenate(jobs), groups)
    values = means[: len(steps) + 1]
    terms = _luck_terms(course, drawn, len(jobs))
    luck = terms @ means
    error = np.sqrt(terms.sum(axis=0) ** 2 @ variances)
    return Accounts(values, luck, np.diff(values, axis=0) - luck, error)


def _luck_terms(course: Course, drawn: Sequence[int], groups: int) -> NDArray[np.float64]:
    """The luck of each step (row) as a sum of the means that were sampled (columns): those of all positions, and then
    the pars of the steps in ``drawn``."""
    steps = len(course.match.steps)
    terms = np.zeros((steps, groups))
    for step in range(steps):
        if _is_draw(course, step):
            terms[step, step + 1], terms[step, step] = 1, -1
    for number, step in enumerate(drawn):
        terms[step, step + 1], terms[step, steps + 1 + number] = 1, -1
    return terms


def _all(course: Course) -> range:
    return range(len(course.positions))


def _jobs(position: int, action: int, worlds: int) -> NDArray[np.int32]:
    table = np.empty((worlds, 3), np.int32)
    table[:, 0], table[:, 1], table[:, 2] = position, action, np.arange(worlds)
    return table


def _worlds_needed(course: Course, evaluator: Evaluator, position: int, worlds: int) -> int:
    """One world is enough where the value is the same in all."""
    state = StructBuffer(course.match.game.state_struct, course.positions.states[position].tobytes()).struct
    over = not course.match.game.rules.waiting(state)
    same = over or (evaluator.needs_no_worlds(state) and not course.forced[position])
    return 1 if same else worlds


def _brings_luck(course: Course, step: int) -> bool:
    """Whether a step draws or reveals something, as far as the viewer can tell that from the seat's decision. Where the
    viewer does not know what the seat holds, luck and decision are one."""
    one = course.match.steps[step]
    return one.sealed and course.viewpoint.knows_choices(one.seat)


def _is_draw(course: Course, step: int) -> bool:
    """Whether a step is the forced one, which the value before it expects already."""
    in_turn = course.match.steps[step].seat == _asked(course, step)
    return _brings_luck(course, step) and bool(course.forced[step]) and in_turn


def _has_par(course: Course, step: int) -> bool:
    """Whether the par of a step has to be sampled."""
    return _brings_luck(course, step) and not _is_draw(course, step)


def _asked(course: Course, step: int) -> int:
    """The seat that forced steps are asked of first."""
    return lowest_bit(course.match.waiting_in(course.match.steps[step].before))
