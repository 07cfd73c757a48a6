"""The presentation of an analysis: what pages and programs are told, in the reader's language."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from skerry.analysis import AnalysedStep, Analysis
from skerry.analysis.grading import Unit
from skerry.analysis.match_analysis import better_action, swing
from skerry.analysis.stored import OtherMethod, unpack, uses_network
from skerry.analysis.verdict import (
    amount,
    assumption_of,
    plain,
    reason,
    signed,
    summary,
    told,
    turning_point,
    verdict,
)
from skerry.engine.i18n.translations import Translations
from skerry.engine.match import Match
from skerry.engine.messages import Message, say
from skerry.server.analysis.jobs import is_current
from skerry.server.labels import labels_of
from skerry.server.store import Row

Kind = Literal["luck", "best", "good", "inaccuracy", "mistake", "blunder"]
LUCK: Kind = "luck"  # as the kind of a moment; otherwise it is the grade of a decision
SHOWN_ANALYSES = 32  # kept in memory, each in one language


class Curve(NamedTuple):
    """The value of each position to one seat, or to all together."""

    seat: int | None
    title: str
    values: list[float]


class Moment(NamedTuple):
    """A step that mattered."""

    step: int  # the step, counted from 1
    at: int  # the position in which it is looked at: before a decision, after a draw
    turn: int
    seat: int  # whose step or decision it is
    kind: Kind  # LUCK, or the grade of the decision
    value: float  # after it, on the curve of this seat
    change: str  # the loss or the luck, with its sign
    headline: str  # how much it mattered
    words: list[str]  # what happened
    why: str | None  # what would have been better
    played: list[str]  # what the action touches
    better: list[str]  # what the better action touches
    better_action: str | None


class StepLine(NamedTuple):
    """A line of the table of all steps."""

    step: int
    turn: int
    who: str
    words: list[str]
    value: str
    luck: str
    choice: str
    loss: str
    grade: str


class SeatLine(NamedTuple):
    """What a seat brought the match to."""

    seat: int
    title: str
    verdict: str  # said to its player
    choices: str
    losses: str
    grades: str


class Presented(NamedTuple):
    """An analysis in one language."""

    unit: Unit
    top: float  # of the scale
    curves: list[Curve]
    verdict: list[str]
    moments: list[Moment]
    seats: list[SeatLine]
    steps: list[StepLine]
    notes: list[str]
    analysis: Analysis


def present(job: Row, match: Match, translations: Translations) -> Presented | None:
    """An analysis as far as it is; None if there is nothing to show yet, or nothing that this version can read."""
    if job.result is None:
        return None
    try:
        return _present(bytes(job.result), match, translations)
    except OtherMethod:
        return None


@functools.lru_cache(SHOWN_ANALYSES)
def _present(packed: bytes, match: Match, translations: Translations) -> Presented:
    return _Presenter(packed, match, translations).present()


class _Presenter:
    def __init__(self, packed: bytes, match: Match, translations: Translations) -> None:
        self.packed, self.match, self.translations = packed, match, translations
        self.analysis = unpack(packed, match)
        self.labels = labels_of(match, translations)
        shared = match.game.cooperative or match.variant.players == 1
        self.curve_seats = [0] if shared else list(range(match.variant.players))

    def present(self) -> Presented:
        analysis = self.analysis
        rows = [analysis.initial, *(step.values for step in analysis.steps)]
        is_shared = len(self.curve_seats) == 1
        return Presented(
            unit=analysis.unit,
            top=1.0 if analysis.unit == "chance" else max(1.0, *(max(row) for row in rows)),
            curves=[
                Curve(None if is_shared else seat, self.labels.titles[seat], [row[seat] for row in rows])
                for seat in self.curve_seats
            ],
            verdict=list(self._verdict()),
            moments=[self._moment(step) for step in analysis.moments()],
            seats=[self._seat(seat) for seat in range(self.match.variant.players)],
            steps=[self._step(step) for step in analysis.steps],
            notes=[self._render(note) for note in self._notes()],
            analysis=analysis,
        )

    def _render(self, message: Message) -> str:
        return message.render(self.translations)

    def _notes(self) -> Sequence[Message]:
        return assumption_of(self.match.game, uses_network(self.packed)), self.analysis.viewpoint.describe()

    def _verdict(self) -> Sequence[str]:
        texts = [(self.labels.titles[seat], self._render(summary(self.analysis, seat))) for seat in self.curve_seats]
        if len(texts) == 1:
            return [texts[0][1]]
        return [f"{title}: {text}" for title, text in texts]

    # Moments

    def _moment(self, step: AnalysedStep) -> Moment:
        kind: Kind = step.graded.grade if step.graded and step.loss > 0 and step.loss >= swing(step) else LUCK
        seat = step.decider if kind != LUCK else step.seat
        curve = seat if seat in self.curve_seats else 0
        better = better_action(self.analysis, step)
        why = reason(self.analysis, step)
        return Moment(
            step=step.number,
            at=step.number if kind == LUCK else step.number - 1,
            turn=step.turn,
            seat=seat,
            kind=kind,
            value=step.values[curve],
            change=signed(step.luck[curve] if kind == LUCK else -step.loss, self.analysis.unit),
            headline=self._headline(step, kind, curve),
            words=self._told(step),
            why=self._render(why) if why and kind != LUCK else None,
            played=self._touches(step.action) if step.decider == step.seat else [],
            better=self._touches(better) if kind != LUCK else [],
            better_action=better,
        )

    def _headline(self, step: AnalysedStep, kind: Kind, curve: int) -> str:
        unit = self.analysis.unit
        if kind == LUCK:
            size = points(abs(step.luck[curve]), unit)
            if step.luck[curve] < 0:
                return self._render(say("Bad luck: {size} lost", size=size))
            return self._render(say("Good luck: {size} gained", size=size))
        return self._render(say("{grade}: {size} lost", grade=say(kind), size=points(step.loss, unit)))

    def _touches(self, action: str | None) -> list[str]:
        """What an action names on the board."""
        if action is None or action == "pass":
            return []
        return [f"{kind}:{slug}" for kind, slug in self.match.action(action).entities]

    # Tables

    def _seat(self, seat: int) -> SeatLine:
        analysis = self.analysis
        grades = [f"{self.translations(grade)} {count}" for grade, count in analysis.grades(seat).items() if count]
        return SeatLine(
            seat=seat,
            title=self.labels.titles[seat],
            verdict=self._render(verdict(analysis, seat)),
            choices=signed(analysis.decided_by(seat)[seat], analysis.unit),
            losses=signed(-analysis.losses(seat), analysis.unit),
            grades=", ".join(grades),
        )

    def _step(self, step: AnalysedStep) -> StepLine:
        unit = self.analysis.unit
        curve = step.seat if step.seat in self.curve_seats else 0
        return StepLine(
            step=step.number,
            turn=step.turn,
            who=self.labels.titles[step.seat],
            words=self._told(step),
            value=plain(step.values[curve], unit),
            luck=signed(step.luck[curve], unit),
            choice=signed(step.decision[curve], unit),
            loss=signed(-step.loss, unit),
            grade=self.translations(step.graded.grade) if step.graded else "",
        )

    def _told(self, step: AnalysedStep) -> list[str]:
        return [self._render(one) for one in told(self.analysis, step, self.labels.titles[step.seat])]


def points(value: float, unit: Unit) -> Message:
    """A difference of values: in percentage points, or in the points of a single player."""
    if unit == "points":
        return amount(value, unit)
    return say("{share} percentage points", share=f"{100 * value:.0f}")


def final_verdict(presented: Presented, seat: int | None, translations: Translations) -> list[str]:
    """What the end of a match says: to a player what luck and choices did, to others the same of all; and the moment
    that decided most."""
    own = [one.verdict for one in presented.seats if one.seat == seat]
    sentences = [f"{text}." for text in own or presented.verdict]
    decisive = turning_point(presented.analysis)
    moment = next((one for one in presented.moments if decisive is not None and one.step == decisive.number), None)
    if moment is not None:
        words = "; ".join([*moment.words, *([moment.why] if moment.why else [])])
        told_moment = say("The moment: turn {turn}. {words}", turn=moment.turn, words=words)
        sentences.append(f"{told_moment.render(translations).rstrip('.')}.")
    return sentences


def is_outdated(job: Row) -> bool:
    """Whether an analysis was made by another version than the installed one."""
    return job.result is not None and not is_current(job)


def course_data(presented: Presented) -> dict[str, Any]:
    """What the browser draws the curve from."""
    return {
        "top": presented.top,
        "unit": presented.unit,
        "curves": [
            {"seat": curve.seat, "title": curve.title, "values": [round(value, 4) for value in curve.values]}
            for curve in presented.curves
        ],
        "moments": [
            {"step": one.step, "at": one.at, "kind": one.kind, "value": round(one.value, 4), "label": one.headline}
            for one in presented.moments
        ],
    }
