"""Stored analyses: an analysis as compressed JSON, from which it is read again beside its match.

Everything that is text is left out: the match has it, and readers have different languages. Numbers are kept to the
last digit, so that luck and decisions still add up exactly.
"""

from __future__ import annotations

import json
import zlib
from typing import Any

from skerry.analysis.evaluation import Evaluator
from skerry.analysis.grading import Graded
from skerry.analysis.match_analysis import VERSION, AnalysedStep, Analysis
from skerry.analysis.viewpoint import Viewpoint, shown_action
from skerry.engine.match import Match

_FIELDS = ("effort", "unit", "initial", "luck_error", "decisions", "graded")  # that are plain data
_STEP_FIELDS = ("number", "turn", "seat", "decider", "values", "luck", "decision", "is_choice")
_GRADED_FIELDS = ("step", "played", "best", "best_action", "avoided", "grade")
_encode = json.JSONEncoder(separators=(",", ":")).encode


class OtherMethod(ValueError):
    """A stored analysis of another method, which has to be made anew."""


def pack(analysis: Analysis) -> bytes:
    """The analysis as bytes."""
    data = {
        "method": VERSION,
        "viewpoint": [analysis.viewpoint.mode, analysis.viewpoint.seat],
        "network": Evaluator(analysis.match.game).uses_network(analysis.match.state),
        "steps": [[*_values(step, _STEP_FIELDS), _packed_grade(step.graded)] for step in analysis.steps],
        **dict(zip(_FIELDS, _values(analysis, _FIELDS), strict=True)),
    }
    return zlib.compress(_encode(data).encode())


def unpack(packed: bytes, match: Match) -> Analysis:
    """The analysis of a match from its bytes. ``OtherMethod`` if it was stored by another method."""
    data = json.loads(zlib.decompress(packed))
    if data["method"] != VERSION:
        raise OtherMethod(f"method {data['method']} instead of {VERSION}")
    viewpoint = Viewpoint(*data["viewpoint"])
    steps = tuple(_unpacked_step(row, viewpoint, match) for row in data["steps"])
    fields = {name: _tuples(data[name]) for name in _FIELDS}
    return Analysis(match=match, viewpoint=viewpoint, steps=steps, **fields)


def uses_network(packed: bytes) -> bool:
    """Whether the values of a stored analysis are those of the value network."""
    return bool(json.loads(zlib.decompress(packed))["network"])


def _values(value: Any, names: tuple[str, ...]) -> list[Any]:
    return [getattr(value, name) for name in names]


def _packed_grade(graded: Graded | None) -> list[Any] | None:
    return None if graded is None else _values(graded, _GRADED_FIELDS)


def _unpacked_step(row: list[Any], viewpoint: Viewpoint, match: Match) -> AnalysedStep:
    *values, grade = row
    fields = {name: _tuples(value) for name, value in zip(_STEP_FIELDS, values, strict=True)}
    graded = None if grade is None else Graded(*grade)
    action = shown_action(viewpoint, match.steps[fields["number"] - 1])
    return AnalysedStep(action=action, graded=graded, **fields)


def _tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
