"""Writing the log to an SQLite file: a thread of its own, one call and one commit for all that waits.

A call that returns from SQLite has to wait until the busy loop lends it the interpreter again. So the rows of a batch
are one statement, and a batch goes to the thread and back only once.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from skerry.server.schema import actions

COLUMNS = tuple(column.name for column in actions.columns)
INSERT = f"INSERT INTO {actions.name} ({', '.join(COLUMNS)}) VALUES "
ROW = f"({', '.join('?' * len(COLUMNS))})"
UNLESS_TAKEN = " ON CONFLICT DO NOTHING"
MOST = 500  # rows of a statement
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")  # a commit is on disk, also if the power fails

Entry = dict[str, Any]


class Journal:
    def __init__(self, path: str, patience: float) -> None:
        self.path = path
        self.patience = patience  # seconds to wait for another process that writes to the same file
        self._thread: ThreadPoolExecutor | None = None
        self._open: sqlite3.Connection | None = None

    async def write(self, entries: Sequence[Entry]) -> list[bool]:
        """Whether each was written: not if its place or its key was taken. They are on disk then."""
        self._thread = self._thread or ThreadPoolExecutor(1, "journal")
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._write, entries)

    async def close(self) -> None:
        if self._thread is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
            self._thread.shutdown()
            self._thread = None

    def _write(self, entries: Sequence[Entry]) -> list[bool]:
        connection = self._connection()
        try:
            return [written for batch in _batches(entries) for written in _insert(connection, batch)]
        except sqlite3.IntegrityError:  # of a match that is no more
            raise
        except BaseException:
            self._close()  # whatever it had begun is undone by that
            raise

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            self._open = sqlite3.connect(self.path, timeout=self.patience, isolation_level=None)
            for pragma in PRAGMAS:
                self._open.execute(f"PRAGMA {pragma}")
        return self._open

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def _batches(entries: Sequence[Entry]) -> Iterator[Sequence[Entry]]:
    for first in range(0, len(entries), MOST):
        yield entries[first : first + MOST]


def _insert(connection: sqlite3.Connection, entries: Sequence[Entry]) -> list[bool]:
    """All by one statement, which is its own commit; if one of them has no place, none is written by it."""
    values = [entry[column] for entry in entries for column in COLUMNS]
    try:
        connection.execute(INSERT + ", ".join([ROW] * len(entries)), values)
    except sqlite3.IntegrityError:
        return _one_by_one(connection, entries)
    return [True] * len(entries)


def _one_by_one(connection: sqlite3.Connection, entries: Sequence[Entry]) -> list[bool]:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        rows = ([entry[column] for column in COLUMNS] for entry in entries)
        return [connection.execute(INSERT + ROW + UNLESS_TAKEN, row).rowcount > 0 for row in rows]
