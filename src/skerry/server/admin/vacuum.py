"""Vacuuming: frees the space of deleted rows, and brings the database's statistics up to date.

SQLite rewrites the whole file, which becomes smaller, and actions wait until it has done so. PostgreSQL keeps the space
for new rows, and people go on playing.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.admin.connection import existing_database
from skerry.server.database import Database
from skerry.server.schema import metadata


@dataclass(frozen=True)
class Vacuumed:
    """The size of the database in bytes."""

    before: int
    after: int


async def vacuum(url: str) -> Vacuumed:
    async with existing_database(url) as database, database.engine.connect() as plain:
        connection = await plain.execution_options(isolation_level="AUTOCOMMIT")
        before = await _size(database, connection)
        if database.is_sqlite:
            await connection.exec_driver_sql("VACUUM")
            await connection.exec_driver_sql("ANALYZE")
            await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            await connection.exec_driver_sql(f"VACUUM (ANALYZE) {', '.join(metadata.tables)}")
        return Vacuumed(before, await _size(database, connection))


async def _size(database: Database, connection: AsyncConnection) -> int:
    if database.is_sqlite:
        pages, size = [await connection.scalar(sa.text(f"PRAGMA {name}")) for name in ("page_count", "page_size")]
        return int(pages * size)
    return int(await connection.scalar(sa.text("SELECT pg_database_size(current_database())")) or 0)
