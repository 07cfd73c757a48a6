"""The event log that ``step`` writes: rows of small numbers, which ``skerry.engine.events`` reads.

A log has as many rows as a step of its game can write (``Game.max_events``), and row 0, which counts them. Compiled
code checks no index, so ``emit`` does: an event for which there is no row is not written but counted, on a core as on
a GPU, and whoever reads the log raises ``EventLogOverflow``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skerry.engine.events import EVERYBODY, LOG_WIDTH, MISSED, WRITTEN
from skerry.engine.kernel import kernel

MOST_MISSED = 32_000  # where the counter of missed events stops; it is an int16

EventLog = NDArray[np.int16]


def new_event_log(max_events: int) -> EventLog:
    """An empty log for so many events. With 0 events are not recorded, for callers that do not read them."""
    return np.zeros((max_events + 1 if max_events else 0, LOG_WIDTH), np.int16)


@kernel
def emit(log: EventLog, kind: int, a: int, b: int, c: int) -> None:
    """Write a public event. A log without rows costs one comparison."""
    if log.shape[0] > 0:
        emit_secret(log, EVERYBODY, kind, a, b, c, 0)


@kernel
def emit_secret(log: EventLog, seats: int, kind: int, a: int, b: int, c: int, d: int) -> None:
    """Write an event whose secret arguments are visible only to the seats of a bit set."""
    if log.shape[0] > 0:
        row = log[0, WRITTEN] + 1
        if row < log.shape[0]:
            log[0, WRITTEN] = row
            log[row, 0] = kind
            log[row, 1] = seats
            log[row, 2] = a
            log[row, 3] = b
            log[row, 4] = c
            log[row, 5] = d
        elif log[0, MISSED] < MOST_MISSED:
            log[0, MISSED] += 1
