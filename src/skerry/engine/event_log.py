"""The event log that ``step`` writes: rows of small numbers, which ``events.read_events`` turns into events."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skerry.engine.events import EVERYBODY
from skerry.engine.kernel import kernel

LOG_ROWS = 64  # more than any step of any game needs; row 0 holds the number of events
LOG_WIDTH = 6  # the kind of event, the seats that see its secret arguments, four arguments

EventLog = NDArray[np.int16]


def new_event_log(rows: int = LOG_ROWS) -> EventLog:
    """An empty log. With ``rows=0`` events are not recorded, for callers that do not read them."""
    return np.zeros((rows, LOG_WIDTH), np.int16)


@kernel
def emit(log: EventLog, kind: int, a: int, b: int, c: int) -> None:
    """Write a public event. A log without rows costs one comparison."""
    if log.shape[0] > 0:
        emit_secret(log, EVERYBODY, kind, a, b, c, 0)


@kernel
def emit_secret(log: EventLog, seats: int, kind: int, a: int, b: int, c: int, d: int) -> None:
    """Write an event whose secret arguments are visible only to the seats of a bit set."""
    if log.shape[0] > 0:
        row = log[0, 0] + 1
        log[0, 0] = row
        log[row, 0] = kind
        log[row, 1] = seats
        log[row, 2] = a
        log[row, 3] = b
        log[row, 4] = c
        log[row, 5] = d
