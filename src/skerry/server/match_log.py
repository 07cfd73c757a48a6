"""The log of a match: the rows of the table ``actions``, written from steps and decoded into steps again."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass

from skerry.engine.events import EVERYBODY
from skerry.engine.match import Match, Step
from skerry.server.schema import UNDO


@dataclass(frozen=True)
class LogRow:
    """One row of the log: the columns of the table ``actions`` as attributes, as in the rows that a store returns."""

    match: str
    seq: int
    seat: int
    action: int
    key: str | None
    rows: bytes
    sealed: bool
    before: int
    state: bytes
    at: float


@dataclass(frozen=True)
class LogEntry:
    """A decoded row: the step that was played or, if ``undone``, the step that was taken back."""

    seq: int
    step: Step
    undone: bool = False

    @property
    def has_secrets(self) -> bool:
        """Whether some seats may know more of it than others."""
        return any(row[1] != EVERYBODY for row in self.step.log_rows)


def encode_events(rows: Sequence[Sequence[int]]) -> bytes:
    """The value of the column ``rows``."""
    return json.dumps(rows, separators=(",", ":")).encode()


def row_of_step(match: str, seq: int, step: Step) -> LogRow:
    """The row of a step that directly follows the row before it."""
    rows = encode_events(step.log_rows)
    return LogRow(match, seq, step.seat, step.action.id, None, rows, step.sealed, seq - 1, step.after, time.time())


def base_seq_of(row: LogRow) -> int:
    """The seq at which this row's state first occurred: an undo returns to an earlier state."""
    return int(row.before if row.action == UNDO else row.seq)


def decode_entry(match: Match, row: LogRow) -> LogEntry:
    """Decode a row without its states. The entry of an undo names the action that was taken back."""
    if row.action == UNDO:
        return LogEntry(row.seq, decode_undo(match, row, b""), undone=True)
    return LogEntry(row.seq, _decode(match, row, b"", b""))


def decode_step(match: Match, row: LogRow, before: bytes) -> Step:
    """The step of a row that is not an undo, given the state that it began from."""
    return _decode(match, row, before, row.state)


def decode_undo(match: Match, row: LogRow, after: bytes) -> Step:
    """An undo as a step without events, which names the action that was taken back."""
    ((undone,),) = json.loads(row.rows)
    return Step(row.seat, match.action(undone), (), False, b"", after)


def _decode(match: Match, row: LogRow, before: bytes, after: bytes) -> Step:
    rows = tuple(map(tuple, json.loads(row.rows)))
    return Step(row.seat, match.action(int(row.action)), rows, bool(row.sealed), before, after)
