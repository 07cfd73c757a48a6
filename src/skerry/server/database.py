"""The database: engine, migrations, and the translation of its faults into refusals. SQLite or PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from skerry.engine.errors import Refusal
from skerry.server.journal import PRAGMAS
from skerry.server.schema import REVISIONS
from skerry.server.writer_thread import WriterThread

FAULTS: tuple[type[Exception], ...] = (SQLAlchemyError, sqlite3.Error, OSError)
with contextlib.suppress(ImportError):  # a PostgreSQL that is starting or stopping raises its driver's own errors
    from asyncpg import InterfaceError, PostgresError

    FAULTS += (PostgresError, InterfaceError)

Result = TypeVar("Result")
Row = Any  # a row of a table, with its columns as attributes
OPEN_ATTEMPTS = 20  # for an SQLite file that another process is creating
BUSY_TIMEOUT = 10.0  # seconds to wait for another process that is writing to the same SQLite file
MIGRATION_LOCK = 7357  # an arbitrary number, the same in all processes


class NewerDatabase(Refusal):
    """A later version of the program wrote the database. Nothing in it was touched."""


class StoreDown(Refusal):
    """The store does not answer. Nothing that it has acknowledged is lost."""

    wait = 1.0  # seconds until a retry makes sense


def store_down() -> StoreDown:
    return StoreDown("the server cannot reach its database right now; try again in a moment")


@contextlib.asynccontextmanager
async def faults_as_refusals() -> AsyncIterator[None]:
    """Turn a database fault into a refusal that guests can read; its cause is kept for the server's log."""
    try:
        yield
    except FAULTS as error:
        raise store_down() from error


class Database:
    """Runs transactions. Those that write to an SQLite file take turns in a thread."""

    def __init__(self, url: str) -> None:
        self.url = sa.make_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _create_engine(self.url)
        self.sqlite_writer = SqliteWriter(self.url) if self.is_sqlite and self.url.database else None

    async def open(self) -> None:
        """Create the tables or bring them up to date."""
        if self.is_sqlite and self.url.database:
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        for attempt in range(OPEN_ATTEMPTS):
            try:
                async with faults_as_refusals(), self.engine.begin() as connection:
                    if await _revision(connection) != REVISIONS[-1]:
                        await _migrate(connection)
                break
            except StoreDown:  # another process may be creating the tables of the same file
                if not self.is_sqlite or attempt == OPEN_ATTEMPTS - 1:
                    raise
                await asyncio.sleep(0.3)

    async def close(self) -> None:
        if self.sqlite_writer is not None:
            await self.sqlite_writer.close()
        await self.engine.dispose()

    async def write(self, work: Callable[[sa.Connection], Result]) -> Result:
        """Run a function that executes statements, in one transaction: all of them or none take effect."""
        async with faults_as_refusals():
            if self.sqlite_writer is not None:
                return await self.sqlite_writer.write(work)
            async with self.engine.begin() as connection:
                return await connection.run_sync(work)

    async def all(self, query: sa.Select[Any]) -> list[Row]:
        async with faults_as_refusals(), self.engine.connect() as connection:
            return list((await connection.execute(query)).all())

    async def one(self, query: sa.Select[Any]) -> Row | None:
        """The first row, if there is any."""
        found = await self.all(query)
        return found[0] if found else None

    async def execute(self, statement: sa.Insert | sa.Update | sa.Delete) -> bool:
        """True if the statement changed something."""
        return await self.write(lambda connection: bool(connection.execute(statement).rowcount))


class SqliteWriter:
    """Makes changes to an SQLite file in the writer thread."""

    def __init__(self, url: sa.URL) -> None:
        self.path = str(url.database)
        self.thread = WriterThread(BUSY_TIMEOUT)
        arguments = {"timeout": BUSY_TIMEOUT, "isolation_level": None}  # the driver begins no transactions itself
        self._engine = sa.create_engine(url.set(drivername="sqlite"), connect_args=arguments, pool_size=1)
        sa.event.listen(self._engine, "connect", _set_pragmas)
        sa.event.listen(self._engine, "begin", _begin_immediately)

    async def write(self, work: Callable[[sa.Connection], Result]) -> Result:
        """Run a function in one transaction."""

        def transaction() -> Result:
            with self._engine.begin() as connection:
                return work(connection)

        return await self.thread.run(transaction)

    async def close(self) -> None:
        self.thread.close()
        self._engine.dispose()


def _begin_immediately(connection: sa.Connection) -> None:
    """Wait for other programs at the start: a transaction that begins to write after it has read cannot wait."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _create_engine(url: sa.URL) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        try:
            return create_async_engine(url, pool_pre_ping=True, pool_size=8, max_overflow=8)
        except ImportError as missing:
            raise Refusal(f"PostgreSQL needs more packages ({missing.name}): pip install 'skerry[hosted]'") from None
    engine = create_async_engine(url, connect_args={"timeout": BUSY_TIMEOUT})
    sa.event.listen(engine.sync_engine, "connect", _set_pragmas)
    return engine


def _set_pragmas(connection: Any, record: Any) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def _revision(connection: AsyncConnection) -> str | None:
    """The revision of the tables: None if there are none yet. One that this program does not know is refused."""
    if not await connection.run_sync(lambda sync: sa.inspect(sync).has_table("alembic_version")):
        return None
    found = (await connection.execute(sa.text("SELECT version_num FROM alembic_version"))).scalar()
    if found is not None and found not in REVISIONS:
        raise NewerDatabase(
            f"a later version of Skerry wrote this database: it has revision {found}, and this version knows up to "
            f"{REVISIONS[-1]}. Nothing was changed. Install that version again, or restore a backup"
        )
    return None if found is None else str(found)


async def _migrate(connection: AsyncConnection) -> None:
    from alembic import command  # imported only when there is something to migrate: it takes a fifth of a second
    from alembic.config import Config

    # Two processes may start at the same time, so the migrations run under a lock.
    is_postgresql = connection.dialect.name == "postgresql"
    lock = f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})" if is_postgresql else "BEGIN IMMEDIATE"
    await connection.exec_driver_sql(lock)
    config = Config()
    config.set_main_option("script_location", "skerry.server:migrations")

    def upgrade(sync_connection: sa.Connection) -> None:
        config.attributes["connection"] = sync_connection
        command.upgrade(config, "head")

    await connection.run_sync(upgrade)
