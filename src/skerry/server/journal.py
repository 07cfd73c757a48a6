"""The journal: writes log rows to an SQLite file in the writer thread, one call and one commit for a whole batch.

After each call to SQLite the thread has to wait for the GIL, which the busy event loop holds. So the rows of a batch
are one statement, and a batch goes to the thread and back only once.
"""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from skerry.server.schema import actions
from skerry.server.writer_thread import WriterThread

COLUMNS = tuple(column.name for column in actions.columns)
INSERT = f"INSERT INTO {actions.name} ({', '.join(COLUMNS)}) VALUES "
ROW = f"({', '.join('?' * len(COLUMNS))})"
UNLESS_TAKEN = " ON CONFLICT DO NOTHING"
ROWS_PER_STATEMENT = 500
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")  # a commit survives a power failure

Columns = dict[str, Any]  # the values of a row, by the names of its columns


class Journal:
    def __init__(self, path: str, timeout: float, thread: WriterThread) -> None:
        self.path = path
        self.timeout = timeout  # seconds to wait for another process that is writing to the same file
        self._thread = thread
        self._connection: sqlite3.Connection | None = None

    async def write(self, rows: Sequence[Columns]) -> list[bool]:
        """Write rows to disk. False for those whose place or key was taken."""
        return await self._thread.run(functools.partial(self._write, rows))

    async def close(self) -> None:
        if self._connection is not None:
            await self._thread.run(self._disconnect, can_wait=True)

    def _write(self, rows: Sequence[Columns]) -> list[bool]:
        connection = self._connect()
        try:
            return [written for batch in _batches(rows) for written in _insert(connection, batch)]
        except sqlite3.IntegrityError:  # the match was deleted
            raise
        except BaseException:
            self._disconnect()  # this rolls back whatever had begun
            raise

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect(self.path, timeout=self.timeout, isolation_level=None)
            for pragma in PRAGMAS:
                self._connection.execute(f"PRAGMA {pragma}")
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _batches(rows: Sequence[Columns]) -> Iterator[Sequence[Columns]]:
    for first in range(0, len(rows), ROWS_PER_STATEMENT):
        yield rows[first : first + ROWS_PER_STATEMENT]


def _insert(connection: sqlite3.Connection, rows: Sequence[Columns]) -> list[bool]:
    """Insert all rows by one statement, which commits itself. It writes none of them if one has a conflict."""
    values = [row[column] for row in rows for column in COLUMNS]
    try:
        connection.execute(INSERT + ", ".join([ROW] * len(rows)), values)
    except sqlite3.IntegrityError:
        return _insert_one_by_one(connection, rows)
    return [True] * len(rows)


def _insert_one_by_one(connection: sqlite3.Connection, rows: Sequence[Columns]) -> list[bool]:
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        values = ([row[column] for column in COLUMNS] for row in rows)
        return [connection.execute(INSERT + ROW + UNLESS_TAKEN, row).rowcount > 0 for row in values]
