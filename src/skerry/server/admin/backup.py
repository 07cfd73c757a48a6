"""Backups: a whole database in one archive, taken at one moment while people go on playing.

An archive restores into SQLite and into PostgreSQL, whichever it came from. An SQLite file is first copied with
SQLite's online backup, which holds nobody up; PostgreSQL is read in one REPEATABLE READ transaction.
"""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.engine.errors import Refusal
from skerry.engine.messages import say
from skerry.server.admin import revisions
from skerry.server.admin.archive import BACKUP, ArchiveReader, ArchiveWriter, Section, check_target, new_archive
from skerry.server.admin.connection import database_at, faults_explained, readable_database, snapshot, sqlite_file
from skerry.server.database import BUSY_TIMEOUT, Database
from skerry.server.schema import metadata

ROWS_AT_ONCE = 500  # read from the database


class Progress(Protocol):
    """Told how far a command is."""

    def __call__(self, done: int, total: int, /) -> None: ...


class DamagedDatabase(Refusal):
    """An SQLite file whose pages are damaged."""


async def back_up(url: str, path: Path, overwrite: bool, progress: Progress) -> dict[str, int]:
    """Write a backup of a database; the number of rows of each table."""
    check_target(path, overwrite)
    async with readable_database(url) as database, _one_moment(database, path.parent) as connection:
        tables = await connection.run_sync(tables_of)
        schema = await connection.run_sync(revisions.current)
        total = sum([await connection.scalar(sa.select(sa.func.count()).select_from(table)) for table in tables])
        with new_archive(path, BACKUP, str(schema), overwrite) as archive:
            for table in tables:
                await _write_table(connection, table, archive, progress, total)
    return ArchiveReader(path, BACKUP).check()


def tables_of(connection: sa.Connection) -> list[sa.Table]:
    """Skerry's tables as a database has them, those that others refer to first. They may be of an earlier version."""
    found = sa.MetaData()
    found.reflect(connection, only=lambda name, _: name in metadata.tables)
    return found.sorted_tables


@contextlib.asynccontextmanager
async def _one_moment(database: Database, folder: Path) -> AsyncIterator[AsyncConnection]:
    """The contents of a database at one moment."""
    file = sqlite_file(database)
    if file is None:
        async with snapshot(database) as connection:
            yield connection
        return
    with tempfile.TemporaryDirectory(prefix=".skerry-backup-", dir=folder) as private:
        copy = database_at(f"sqlite+aiosqlite:///{Path(private) / 'copy.db'}")
        _copy_pages(file, Path(private) / "copy.db")
        try:
            with faults_explained(copy):
                async with snapshot(copy) as connection:
                    yield connection
        finally:
            await copy.close()


def _copy_pages(file: Path, copy: Path) -> None:
    """Copy an SQLite file that may be in use, and check that its pages are whole."""
    live = sqlite3.connect(f"file:{quote(str(file.absolute()))}?mode=ro", uri=True, timeout=BUSY_TIMEOUT)
    with contextlib.closing(live), contextlib.closing(sqlite3.connect(copy)) as copied:
        live.backup(copied)  # all pages in one step: one moment, however busy the others are
        (found,) = copied.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise DamagedDatabase(say("the file {file} is damaged: {found}", file=str(file), found=found))


async def _write_table(
    connection: AsyncConnection, table: sa.Table, archive: ArchiveWriter, progress: Progress, total: int
) -> None:
    binary = tuple(column.name for column in table.columns if isinstance(column.type, sa.LargeBinary))
    archive.begin(Section(table.name, tuple(table.columns.keys()), binary))
    ordered = sa.select(table).order_by(*table.primary_key.columns)
    async with connection.stream(ordered, execution_options={"yield_per": ROWS_AT_ONCE}) as rows:
        async for some in rows.partitions():
            for row in some:
                archive.add(row)
            progress(sum(archive.rows.values()), total)
