"""The log writer: appends the actions of all matches, batched, so that one slow flush to disk serves many of them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from typing import NamedTuple

from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import IntegrityError

from skerry.server.database import BUSY_TIMEOUT, FAULTS, Database, store_down
from skerry.server.journal import Columns, Journal
from skerry.server.schema import actions

logger = logging.getLogger(__name__)


class PendingRow(NamedTuple):
    """A row that waits to be written, and the future of whether it was."""

    columns: Columns
    written: asyncio.Future[bool]

    @property
    def place(self) -> tuple[str, int]:
        return self.columns["match"], self.columns["seq"]


class LogWriter:
    """Writes to an SQLite file through the journal, otherwise through SQLAlchemy."""

    def __init__(self, database: Database) -> None:
        self.database = database
        insert = sqlite_insert if database.is_sqlite else postgresql_insert
        self._insert_statement = insert(actions).on_conflict_do_nothing().returning(actions.c.match, actions.c.seq)
        writer = database.sqlite_writer
        self._journal = None if writer is None else Journal(writer.path, BUSY_TIMEOUT, writer.thread)
        self._pending: list[PendingRow] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Write what is still pending, then stop."""
        while self._pending:
            await asyncio.sleep(0.01)
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self._journal is not None:
            await self._journal.close()

    async def append(self, columns: Columns) -> bool:
        """Append a row to its log. True once it is on disk; False if its place or its key was taken."""
        row = PendingRow(columns, asyncio.get_running_loop().create_future())
        self._pending.append(row)
        self._wake.set()
        return await row.written

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch = self._next_batch()
            try:
                await self.write_batch(batch)
            except (IntegrityError, sqlite3.IntegrityError):  # one of the matches was deleted: find out which
                for row in batch:
                    with contextlib.suppress(*FAULTS):
                        await self.write_batch([row])
                _refuse(batch)
            except Exception as error:  # whatever happens, the next rows must be written
                logger.error("the store cannot write", extra={"error": str(error)})
                _refuse(batch)

    def _next_batch(self) -> list[PendingRow]:
        """All pending rows, but only the first of several for the same place: the database returns places only, which
        would not show which of them was written."""
        first_by_place = {row.place: row for row in reversed(self._pending)}
        self._pending = [row for row in self._pending if first_by_place[row.place] is not row]
        if self._pending:
            self._wake.set()
        return list(first_by_place.values())[::-1]

    async def write_batch(self, batch: list[PendingRow]) -> None:
        rows = [row.columns for row in batch]
        written = await (self._insert(rows) if self._journal is None else self._journal.write(rows))
        for row, was_written in zip(batch, written, strict=True):
            if not row.written.done():
                row.written.set_result(was_written)

    async def _insert(self, rows: list[Columns]) -> list[bool]:
        async with self.database.engine.begin() as connection:
            result = await connection.execute(self._insert_statement, rows)
            written = {tuple(row) for row in result}
        return [(row["match"], row["seq"]) in written for row in rows]


def _refuse(batch: list[PendingRow]) -> None:
    for row in batch:
        if not row.written.done():
            row.written.set_exception(store_down())
