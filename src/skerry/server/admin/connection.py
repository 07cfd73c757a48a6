"""The connection of an administrator's command to the database of a server that may be running.

Commands take the database as it is: they never create it and never migrate it, because a mistyped URL must not make a
new file, and a server of another version may be using the old tables. Only ``restoration`` creates tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.engine.errors import Refusal
from skerry.engine.messages import Message, say
from skerry.server.admin import revisions
from skerry.server.database import FAULTS, Database, StoreDown
from skerry.server.schema import REVISIONS

IN_USE_ATTEMPTS = 15


class UnusableDatabase(Refusal):
    """There is no such database, or a command cannot work on it."""


@contextlib.asynccontextmanager
async def existing_database(url: str) -> AsyncIterator[Database]:
    """The database of a server, checked to have the tables of this version of Skerry."""
    async with readable_database(url) as database:
        async with database.engine.connect() as connection:
            revision = await connection.run_sync(revisions.current)
        if revision != revisions.NEWEST:
            raise UnusableDatabase(
                say(
                    "the tables of {database} are those of an earlier version of Skerry ({revision}); starting "
                    "`skerry serve` with it once brings them up to date",
                    database=described(database.url),
                    revision=revision,
                )
            )
        yield database


@contextlib.asynccontextmanager
async def readable_database(url: str) -> AsyncIterator[Database]:
    """The database of a server of this version of Skerry or an earlier one."""
    database = database_at(url)
    file = sqlite_file(database)
    if file is not None and not file.is_file():
        raise UnusableDatabase(say("there is no database at {database}", database=described(database.url)))
    with faults_explained(database):
        try:
            async with database.engine.connect() as connection:
                revision = await connection.run_sync(revisions.current)
            check_revision(database, revision)
            if revision is None:
                raise UnusableDatabase(
                    say(
                        "the database {database} is not one of Skerry: it has none of its tables",
                        database=described(url),
                    )
                )
            yield database
        finally:
            await database.close()


def check_revision(database: Database, revision: str | None) -> None:
    """Refuse tables that a later version of Skerry has made."""
    if revision is not None and revision not in REVISIONS:
        raise UnusableDatabase(
            say(
                "the tables of {database} were made by a later version of Skerry ({revision}); use that version",
                database=described(database.url),
                revision=revision,
            )
        )


def database_at(url: str) -> Database:
    """The database of a URL, not connected to yet; a refusal if it cannot be one of a server."""
    try:
        parsed = sa.make_url(url)
    except ArgumentError:
        raise UnusableDatabase(_unknown_url(url)) from None
    if (
        parsed.get_backend_name() not in ("sqlite", "postgresql")
        or not parsed.database
        or parsed.database == ":memory:"
    ):
        raise UnusableDatabase(_unknown_url(described(url)))
    try:
        return Database(url)
    except SQLAlchemyError as error:
        raise UnusableDatabase(_unusable(parsed, error)) from None


def sqlite_file(database: Database) -> Path | None:
    """The file of an SQLite database; None for PostgreSQL."""
    return Path(database.url.database) if database.is_sqlite and database.url.database else None


def described(url: str | sa.URL) -> str:
    """A database's URL as people write it, without its password."""
    parsed = sa.make_url(url)
    return parsed.set(drivername=parsed.get_backend_name()).render_as_string(hide_password=True)


def _unknown_url(url: str) -> Message:
    return say(
        "the URL {url} is of no database that Skerry can use; write sqlite:///FILE or postgresql://USER@HOST/NAME",
        url=url,
    )


@contextlib.contextmanager
def faults_explained(database: Database) -> Iterator[None]:
    """Turn a fault of the database into a refusal that says what is wrong, because administrators can mend it."""
    try:
        yield
    except StoreDown as refusal:
        raise UnusableDatabase(_unusable(database.url, refusal.__cause__ or refusal)) from refusal
    except FAULTS as error:
        raise UnusableDatabase(_unusable(database.url, error)) from error


def _unusable(url: sa.URL, error: BaseException) -> Message:
    cause = getattr(error, "orig", None) or error
    reason = str(cause).strip().partition("\n")[0].rpartition(">: ")[2]  # asyncpg's errors begin with their class
    return say("the database {database} cannot be used: {reason}", database=described(url), reason=reason)


@contextlib.asynccontextmanager
async def snapshot(database: Database) -> AsyncIterator[AsyncConnection]:
    """A connection that sees one moment of the database, whatever is written meanwhile, and that cannot write."""
    async with database.engine.connect() as connection:
        if not database.is_sqlite:
            yield await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            return
        await connection.exec_driver_sql("PRAGMA query_only=ON")
        await connection.exec_driver_sql("BEGIN")
        try:
            yield connection
        finally:
            await connection.rollback()
            await connection.exec_driver_sql("PRAGMA query_only=OFF")


async def is_in_use(database: Database) -> bool:
    """Whether another program, such as a running server, is connected to the database. One that has just ended may take
    a moment to disconnect."""
    for _ in range(IN_USE_ATTEMPTS):
        if not await _is_in_use_now(database):
            return False
        await asyncio.sleep(0.1)
    return True


async def _is_in_use_now(database: Database) -> bool:
    file = sqlite_file(database)
    if file is not None:
        await database.close()  # so that only others can be connected
        return file.exists() and not _can_be_had_alone(file)
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
        "AND backend_type = 'client backend'"
    )
    async with database.engine.connect() as connection:
        return bool(await connection.scalar(sa.text(others)))


def _can_be_had_alone(file: Path) -> bool:
    """Whether an SQLite file can be had alone. Only a sole connection may leave the write-ahead log."""
    with contextlib.closing(sqlite3.connect(file, timeout=0.0, isolation_level=None)) as connection:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        except sqlite3.OperationalError:  # it is locked
            return False
        if mode == "delete":
            connection.execute("PRAGMA journal_mode=WAL")
        return bool(mode == "delete")
