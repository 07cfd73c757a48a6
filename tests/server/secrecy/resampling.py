"""The test itself: two twins carry out the scripts of a comparison, and their answers are compared byte by byte."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass, field, replace

from skerry.engine.game import Game
from tests.server.secrecy.requests import Answer
from tests.server.secrecy.scripts import Comparison, compared, random_case, scripts_of
from tests.server.secrecy.twin import Twin

MEASURED = re.compile(
    rb"^(?:process_|python_|skerry_request_seconds|[a-z_]+_created\b)[^\n]*\n|^# [^\n]*\n", re.MULTILINE
)
"""The only thing that is not compared: the lines of ``/metrics`` that measure this process, its memory and how long it
took for something. How long an answer takes is no matter of this test. (The comments above the lines name them.)"""
SHOWN = 600  # characters of two different answers
MOST_CASES = 8  # until a leak must have been found


@dataclass(frozen=True)
class Difference:
    """An answer that tells the two worlds apart."""

    asked: str
    true: Answer
    other: Answer

    def __str__(self) -> str:
        if self.true.body == self.other.body:
            answers = "\n".join(f"  {answer.status} {answer.headers}" for answer in (self.true, self.other))
            return f"{self.asked}\n{answers}"
        bodies = self.true.body.decode(errors="replace"), self.other.body.decode(errors="replace")
        at = next((place for place, (a, b) in enumerate(zip(*bodies, strict=False)) if a != b), 0)
        parts = [body[max(0, at - SHOWN // 3) : at + SHOWN] for body in bodies]
        return f"{self.asked}\n  {self.true.status}: …{parts[0]}\n  {self.other.status}: …{parts[1]}"


@dataclass
class Tally:
    """What was compared so far."""

    resamples: int = 0
    answers: int = 0
    stream_reads: int = 0
    bytes: int = 0
    acted: int = 0
    askers: Counter[str] = field(default_factory=Counter)
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)  # by route

    def __str__(self) -> str:
        askers = ", ".join(f"{count} by {who}" for who, count in sorted(self.askers.items()))
        return (
            f"{self.resamples} resamples ({askers}): {self.answers} pairs of answers, {self.bytes} bytes each, "
            f"{self.stream_reads} of them what came on open streams, during {self.acted} actions and undos; "
            f"{len(self.routes)} routes gave {len(self.statuses)} kinds of answers"
        )

    @property
    def routes(self) -> set[str]:
        return {route for route, _ in self.statuses}


class Twins:
    """Two twins, and what they have answered."""

    def __init__(self) -> None:
        self.tally = Tally()
        self._twins = Twin(), Twin()

    def __enter__(self) -> Twins:
        return self

    def __exit__(self, *error: object) -> None:
        for twin in self._twins:
            twin.close()

    def differences(self, comparison: Comparison, leak: str = "") -> list[Difference]:
        """The answers that tell the two worlds of a comparison apart."""
        for twin, job in zip(self._twins, scripts_of(comparison, leak), strict=True):
            twin.start(job)
        true, other = (twin.answers() for twin in self._twins)
        if isinstance(true, str) or isinstance(other, str):
            raise RuntimeError(f"{comparison.case.name}: {true if isinstance(true, str) else other}")
        assert len(true) == len(other) == len(comparison.asked)
        faults = [asked for asked, answer in zip(comparison.asked, true, strict=True) if not 200 <= answer.status < 500]
        assert not faults, f"{comparison.case.name}: the server failed at {faults}"
        self._count(comparison, true)
        return [
            Difference(asked, a, b)
            for asked, a, b in zip(comparison.asked, true, other, strict=True)
            if without_measurements(a) != without_measurements(b)
        ]

    def _count(self, comparison: Comparison, answers: list[Answer]) -> None:
        case, tally = comparison.case, self.tally
        tally.resamples += 1
        tally.acted += comparison.acted
        tally.answers += len(answers)
        tally.bytes += sum(len(answer.body) for answer in answers)
        tally.stream_reads += sum(asked.startswith("stream ") for asked in comparison.asked)
        tally.askers["a player" if case.seat is not None else case.hidden_from] += 1
        tally.statuses.update((answer.route, answer.status) for answer in answers)


def without_measurements(answer: Answer) -> Answer:
    if answer.route != "/metrics":
        return answer
    headers = tuple(header for header in answer.headers if header[0] != "content-length")
    return replace(answer, headers=headers, body=MEASURED.sub(b"", answer.body))


def check_case(twins: Twins, game: Game, number: int | str) -> None:
    """Compare a random match of a game with a resampling of it."""
    check(twins, compared(random_case(game, number)))


def comparison_with_actions(game: Game) -> Comparison:
    """The first comparison of a game in which the asker has a seat and acts, so that every route about the match has
    something to answer."""
    comparisons = (compared(random_case(game, number)) for number in itertools.count())
    return next(comparison for comparison in comparisons if comparison.asker_acted)


def check(twins: Twins, comparison: Comparison) -> None:
    case = comparison.case
    assert comparison.worlds[0] != comparison.worlds[1], "nothing is hidden: nothing was tested"
    found = twins.differences(comparison)
    told = "\n".join(str(difference) for difference in found[:5])
    assert not found, f"{case.name}: {len(found)} answers tell {case.hidden_from} what it may not know:\n{told}"


def differences_of_leak(twins: Twins, game: Game, leak: str) -> list[Difference]:
    """What the test finds in a game while something leaks."""
    for number in range(MOST_CASES):
        found = twins.differences(compared(random_case(game, f"{leak} {number}")), leak)
        if found:
            return found
    return []
