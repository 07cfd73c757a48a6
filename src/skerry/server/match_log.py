"""The log of a match: the rows of the table ``actions``, written from steps and decoded into steps again."""

from __future__ import annotations

import json
import time
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from skerry.engine.events import EVERYBODY
from skerry.engine.match import Match, Step
from skerry.engine.notation import Action
from skerry.engine.upgrades import UpgradePath
from skerry.server.schema import RULES, UNDO

_encode = json.JSONEncoder(separators=(",", ":")).encode  # ``json.dumps`` would make an encoder for each row

NOBODY = -1  # the seat of a row that no seat has played
RULES_ACTION = Action(RULES, "rules", "rules")


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
    waiting: int | None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A decoded row: the step that was played or, if ``undone``, the step that was taken back. With ``rules``, it says
    under which version of the rules the match goes on."""

    seq: int
    step: Step
    undone: bool = False
    rules: int | None = None

    @property
    def has_secrets(self) -> bool:
        """Whether some seats may know more of it than others."""
        return any(row[1] != EVERYBODY for row in self.step.log_rows)


def encode_events(rows: Sequence[Sequence[int]]) -> bytes:
    """The value of the column ``rows``."""
    return _encode(rows).encode()


def row_of_step(match: str, seq: int, step: Step, waiting: int) -> LogRow:
    """The row of a step that directly follows the row before it."""
    return LogRow(
        match=match,
        seq=seq,
        seat=step.seat,
        action=step.action.id,
        key=None,
        rows=encode_events(step.log_rows),
        sealed=step.sealed,
        before=seq - 1,
        state=step.after,
        at=time.time(),
        waiting=waiting,
    )


def pack_row(row: LogRow) -> bytes:
    """A row as one line of text."""
    state, events = b64encode(row.state).decode(), row.rows.decode()
    values = (
        row.match,
        row.seq,
        row.seat,
        row.action,
        row.key,
        events,
        row.sealed,
        row.before,
        state,
        row.at,
        row.waiting,
    )
    return _encode(values).encode()


def unpack_row(packed: bytes) -> LogRow:
    match, seq, seat, action, key, events, sealed, before, state, at, waiting = json.loads(packed)
    return LogRow(match, seq, seat, action, key, events.encode(), sealed, before, b64decode(state), at, waiting)


def upgraded_row(row: LogRow, path: UpgradePath) -> LogRow:
    """A row of an earlier version of the rules as the installed version would have written it."""
    if not path.is_needed:
        return row
    events = row.rows
    if row.action == UNDO:
        ((undone,),) = json.loads(row.rows)
        events = encode_events([[path.action(undone)]])
    elif row.action != RULES:
        events = encode_events(path.events(tuple(map(tuple, json.loads(row.rows)))))
    return LogRow(
        match=row.match,
        seq=row.seq,
        seat=row.seat,
        action=row.action if row.action < 0 else path.action(row.action),
        key=row.key,
        rows=events,
        sealed=row.sealed,
        before=row.before,
        state=path.state(bytes(row.state)),
        at=row.at,
        waiting=row.waiting,
    )


def base_seq_of(row: LogRow) -> int:
    """The seq at which this row's state first occurred: an undo returns to an earlier state."""
    return int(row.before if row.action == UNDO else row.seq)


def entry_of_step(seq: int, step: Step) -> LogEntry:
    """The entry of a step, without its states."""
    return LogEntry(seq, Step(step.seat, step.action, step.log_rows, step.sealed, b"", b""))


def decode_entry(match: Match, row: LogRow) -> LogEntry:
    """Decode a row without its states. The entry of an undo names the action that was taken back."""
    if row.action == UNDO:
        return LogEntry(row.seq, decode_undo(match, row, b""), undone=True)
    if row.action == RULES:
        return LogEntry(row.seq, decode_rules(row), rules=rules_version(row))
    return LogEntry(row.seq, _decode(match, row, b"", b""))


def decode_step(match: Match, row: LogRow, before: bytes) -> Step:
    """The step of a row that is not an undo, given the state that it began from."""
    return _decode(match, row, before, row.state)


def decode_undo(match: Match, row: LogRow, after: bytes) -> Step:
    """An undo as a step without events, which names the action that was taken back."""
    ((undone,),) = json.loads(row.rows)
    return Step(row.seat, match.action(undone), (), False, b"", after)


def decode_rules(row: LogRow) -> Step:
    """A change of the rules as a step without events. It cannot be undone."""
    return Step(NOBODY, RULES_ACTION, (), True, b"", row.state)


def rules_version(row: LogRow) -> int:
    """The version under which the match goes on from a row with ``RULES``."""
    ((version,),) = json.loads(row.rows)
    return int(version)


def _decode(match: Match, row: LogRow, before: bytes, after: bytes) -> Step:
    rows = tuple(map(tuple, json.loads(row.rows)))
    return Step(row.seat, match.action(int(row.action)), rows, bool(row.sealed), before, after)
