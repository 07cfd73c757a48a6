"""Restoring a backup: all of it or nothing, in one transaction.

The tables are made as the archive's version had them, filled, and then migrated as those of an old database are, so
that a backup of any earlier version can be restored. Rows of a match that is missing are left out: a database in which
somebody has deleted by hand must not make a backup that cannot be restored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from skerry.engine.errors import Refusal
from skerry.engine.messages import say
from skerry.server.admin import revisions
from skerry.server.admin.archive import BACKUP, ArchivedRow, ArchiveReader, BadArchive, later_version
from skerry.server.admin.backup import Progress, tables_of
from skerry.server.admin.connection import (
    check_revision,
    database_at,
    described,
    faults_explained,
    is_in_use,
    sqlite_file,
)
from skerry.server.database import Database
from skerry.server.journal import Columns
from skerry.server.schema import REVISIONS

ROWS_AT_ONCE = 500  # written to the database


class NotEmpty(Refusal):
    """The database to restore into has guests or matches of its own, or a server is using it."""


class Restored(NamedTuple):
    """The number of rows of each table."""

    rows: Counter[str]
    left_out: Counter[str]  # because what they belong to is missing


async def restore(url: str, path: Path, replace: bool, progress: Progress) -> Restored:
    """Restore a backup into an empty database.

    ``replace`` first deletes everything in it. The archive is checked before the database is touched.
    """
    archive = ArchiveReader(path, BACKUP)
    if archive.manifest.schema not in REVISIONS:
        raise BadArchive(later_version(path, archive.manifest.skerry))
    total = sum(archive.check().values())
    database = database_at(url)
    with faults_explained(database):
        try:
            await _check_target(database, replace)
            return await _load(database, archive, lambda done: progress(done, total))
        finally:
            await database.close()


async def _check_target(database: Database, replace: bool) -> None:
    file = sqlite_file(database)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            return
    async with database.engine.connect() as connection:
        check_revision(database, await connection.run_sync(revisions.current))
        filled = await connection.run_sync(_is_filled)
    if filled and not replace:
        raise NotEmpty(
            say(
                "the database {database} is not empty; choose another one, or delete all that is in it with --replace",
                database=described(database.url),
            )
        )
    if await is_in_use(database):
        raise NotEmpty(
            say(
                "another program is using the database {database}; stop the server first",
                database=described(database.url),
            )
        )


def _is_filled(connection: sa.Connection) -> bool:
    """Whether a database has guests or matches. A server that was started once has left only its settings."""
    kept = [table for table in tables_of(connection) if table.name != "settings"]
    return any(connection.scalar(sa.select(sa.exists().select_from(table))) for table in kept)


async def _load(database: Database, archive: ArchiveReader, progress: Callable[[int], None]) -> Restored:
    restored = Restored(Counter(), Counter())
    async with database.engine.begin() as connection:
        if database.is_sqlite:
            await connection.exec_driver_sql("BEGIN IMMEDIATE")  # so that creating tables is part of the transaction
        await connection.run_sync(_recreate_tables, archive.manifest.schema)
        tables = {table.name: table for table in await connection.run_sync(tables_of)}
        references = _References(tables.values())
        for name, rows in _batches(archive):
            if name not in tables or set(rows[0]) != set(tables[name].columns.keys()):
                raise BadArchive(say("the file {path} does not fit the tables of its version", path=str(archive.path)))
            whole = [row for row in rows if references.are_there(name, row)]
            restored.rows[name] += len(whole)
            if len(whole) < len(rows):
                restored.left_out[name] += len(rows) - len(whole)
            if whole:
                references.add(name, whole)
                await connection.execute(sa.insert(tables[name]), whole)
            progress(restored.rows.total() + restored.left_out.total())
        await connection.run_sync(revisions.upgrade, "head")
    return restored


class _References:
    """What rows refer to: the values of columns that the foreign keys of other tables name."""

    def __init__(self, tables: Iterable[sa.Table]) -> None:
        self._foreign = {
            table.name: {key.parent.name: (key.column.table.name, key.column.name) for key in table.foreign_keys}
            for table in tables
        }
        self._values: dict[tuple[str, str], set[object]] = {
            column: set() for columns in self._foreign.values() for column in columns.values()
        }

    def add(self, table: str, rows: Iterable[Columns]) -> None:
        for (name, column), values in self._values.items():
            if name == table:
                values.update(row[column] for row in rows)

    def are_there(self, table: str, row: Columns) -> bool:
        """Whether all that a row refers to was added before."""
        foreign = self._foreign[table].items()
        return all(row[column] is None or row[column] in self._values[target] for column, target in foreign)


def _recreate_tables(connection: sa.Connection, revision: str) -> None:
    """Leave the empty tables of a revision, and nothing else of ours."""
    for table in reversed(tables_of(connection)):
        table.drop(connection)
    connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")
    revisions.upgrade(connection, revision)


def _batches(archive: ArchiveReader) -> Iterator[tuple[str, list[Columns]]]:
    """The archive's rows with the name of their table, many at a time."""
    for section, rows in groupby(archive.rows(), lambda row: row.section):
        while batch := list(islice(rows, ROWS_AT_ONCE)):
            yield section.name, [_columns(row) for row in batch]


def _columns(row: ArchivedRow) -> Columns:
    return dict(zip(row.section.columns, row.values, strict=True))
