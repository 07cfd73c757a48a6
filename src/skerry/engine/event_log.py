"""The log that ``step`` writes: small rows of numbers, read by ``events``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skerry.engine.events import EVERYBODY
from skerry.engine.kernel import kernel

LOG_ROWS = 64  # more than any step of any game writes; row 0 holds the count
LOG_WIDTH = 6  # kind, who sees the secret arguments, four arguments

EventLog = NDArray[np.int16]


def new_event_log(rows: int = LOG_ROWS) -> EventLog:
    """A log; one of no rows is for those who do not read it."""
    return np.zeros((rows, LOG_WIDTH), np.int16)


@kernel
def emit(log: EventLog, kind: int, a: int, b: int, c: int) -> None:
    """Write an event that everybody sees. A log of no rows costs one comparison."""
    if log.shape[0] > 0:
        emit_secret(log, EVERYBODY, kind, a, b, c, 0)


@kernel
def emit_secret(log: EventLog, seats: int, kind: int, a: int, b: int, c: int, d: int) -> None:
    """Write an event whose secret arguments only the seats of a bit set see."""
    if log.shape[0] > 0:
        row = log[0, 0] + 1
        log[0, 0] = row
        log[row, 0] = kind
        log[row, 1] = seats
        log[row, 2] = a
        log[row, 3] = b
        log[row, 4] = c
        log[row, 5] = d
