"""The store: guests, matches and their logs, in SQLite or PostgreSQL. What was acknowledged is on disk."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from skerry.engine.errors import Refusal
from skerry.server.journal import PRAGMAS, Journal
from skerry.server.schema import actions, guests, matches, seats, settings

FAULTS: tuple[type[Exception], ...] = (SQLAlchemyError, sqlite3.Error, OSError)
with contextlib.suppress(ImportError):  # one that starts or stops just now says so in its driver's own words
    from asyncpg import InterfaceError, PostgresError

    FAULTS += (PostgresError, InterfaceError)

log = logging.getLogger(__name__)

Row = Any  # of a table: its columns are attributes
OPENING = 20  # attempts to open an SQLite file that another process is making
BUSY = 10.0  # seconds to wait for another process that writes to the same SQLite file


class StoreDown(Refusal):
    """The store did not answer; nothing that it had acknowledged is lost."""


class Store:
    def __init__(self, url: str) -> None:
        self.url = sa.make_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _engine(self.url)
        insert = sqlite_insert if self.sqlite else postgresql_insert
        self._append = insert(actions).on_conflict_do_nothing().returning(actions.c.match, actions.c.seq)
        self._keep = insert(settings).on_conflict_do_nothing()
        self._journal = Journal(self.url.database, BUSY) if self.sqlite and self.url.database else None
        self._waiting: list[tuple[dict[str, Any], asyncio.Future[bool]]] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Bring the tables up to date and be ready to write."""
        if self.sqlite and self.url.database:
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        for attempt in range(OPENING):
            try:
                async with _told(), self.engine.begin() as connection:
                    await _migrate(connection)
                break
            except StoreDown:  # another process may be making the tables of the same file
                if not self.sqlite or attempt == OPENING - 1:
                    raise
                await asyncio.sleep(0.3)
        self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Write what is still waiting, then let go."""
        while self._waiting:
            await asyncio.sleep(0.01)
        if self._writer is not None:
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
        if self._journal is not None:
            await self._journal.close()
        await self.engine.dispose()

    async def ping(self) -> None:
        await self._one(sa.select(sa.literal(1)))

    # Settings

    async def secret(self) -> str:
        """The key that signs cookies and links: made once, the same for all processes of this store."""
        await self._do(self._keep.values(name="secret", value=secrets.token_urlsafe(32)))
        found = await self._all(sa.select(settings.c.value).where(settings.c.name == "secret"))
        return str(found[0].value)

    # Guests

    async def add_guest(self, **columns: Any) -> None:
        await self._do(sa.insert(guests).values(**columns))

    async def guest(self, guest: str) -> Row | None:
        return await self._one(sa.select(guests).where(guests.c.id == guest))

    async def change_guest(self, guest: str, **columns: Any) -> None:
        await self._do(sa.update(guests).where(guests.c.id == guest).values(**columns))

    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        found = await self._all(sa.select(guests.c.id, guests.c.name).where(guests.c.id.in_(ids)))
        return {row.id: row.name for row in found}

    async def forget_guest(self, guest: str) -> list[str]:
        """Delete a guest and the matches that nobody else sits at; the seats at others' tables come free. These
        matches are returned."""
        mine = sa.select(seats.c.match).where(seats.c.guest == guest)
        others = sa.select(seats.c.match).where(seats.c.guest.is_not(None), seats.c.guest != guest)
        alone = sa.or_(matches.c.id.in_(mine), matches.c.owner == guest) & matches.c.id.not_in(others)
        async with _told(), self.engine.begin() as connection:
            shared = await connection.execute(mine.where(seats.c.match.in_(others)))
            await connection.execute(sa.delete(matches).where(alone))
            await connection.execute(sa.update(seats).where(seats.c.guest == guest).values(guest=None))
            await connection.execute(sa.update(matches).where(matches.c.owner == guest).values(owner=None))
            await connection.execute(sa.delete(guests).where(guests.c.id == guest))
            return [row.match for row in shared]

    # Matches

    async def add_match(
        self, columns: dict[str, Any], sitting: Sequence[dict[str, Any]], log: Sequence[dict[str, Any]] = ()
    ) -> None:
        async with _told(), self.engine.begin() as connection:
            await connection.execute(sa.insert(matches).values(**columns))
            await connection.execute(
                sa.insert(seats), [{"match": columns["id"], "seat": seat, **who} for seat, who in enumerate(sitting)]
            )
            if log:
                await connection.execute(sa.insert(actions), list(log))

    async def match(self, match: str) -> Row | None:
        return await self._one(sa.select(matches).where(matches.c.id == match))

    async def change_match(self, match: str, **columns: Any) -> None:
        await self._do(sa.update(matches).where(matches.c.id == match).values(**columns))

    async def set_next(self, match: str, rematch: str) -> bool:
        """Only the first who wants a rematch opens one."""
        return await self._do(
            sa.update(matches).where(matches.c.id == match, matches.c.next.is_(None)).values(next=rematch)
        )

    async def seats(self, match: str) -> list[Row]:
        return await self._all(sa.select(seats).where(seats.c.match == match).order_by(seats.c.seat))

    async def set_seat(self, match: str, seat: int, was: Any, guest: str | None, bot: str | None) -> bool:
        """Change who sits there, unless somebody else was quicker."""
        here = (seats.c.match == match) & (seats.c.seat == seat)
        same = seats.c.guest.is_not_distinct_from(was.guest) & seats.c.bot.is_not_distinct_from(was.bot)
        return await self._do(sa.update(seats).where(here & same).values(guest=guest, bot=bot))

    async def listed(self, limit: int = 50) -> list[Row]:
        """Matches that anybody may find, the newest first."""
        query = sa.select(matches).where(matches.c.listed, matches.c.ended.is_(None))
        return await self._all(query.order_by(matches.c.created.desc()).limit(limit))

    async def of_guest(self, guest: str, limit: int = 100) -> list[Row]:
        mine = sa.select(seats.c.match).where(seats.c.guest == guest)
        query = sa.select(matches).where(sa.or_(matches.c.id.in_(mine), matches.c.owner == guest))
        return await self._all(query.order_by(matches.c.ended.is_not(None), matches.c.created.desc()).limit(limit))

    async def with_seed(self, guest: str, game: str, seed: str) -> Row | None:
        """The latest match with this seed that a guest opened and that did not grow out of another."""
        same = (matches.c.owner == guest, matches.c.game == game, matches.c.seed == seed, matches.c.origin.is_(None))
        return await self._one(sa.select(matches).where(*same).order_by(matches.c.created.desc()).limit(1))

    async def count_open(self, guest: str) -> int:
        query = sa.select(sa.func.count()).where(matches.c.owner == guest, matches.c.ended.is_(None))
        return (await self._all(query))[0][0]

    async def with_bots(self, since: float = 0.0, until: float = float("inf")) -> list[str]:
        """Unfinished matches with a bot or a clock whose last sign of life is in this time."""
        last = sa.select(actions.c.match, sa.func.max(actions.c.at).label("at")).group_by(actions.c.match)
        if since:
            last = last.where(actions.c.at > since)
        last_of = last.subquery()
        at = sa.func.coalesce(last_of.c.at, matches.c.created)
        bots = sa.select(seats.c.match).where(seats.c.bot.is_not(None))
        query = (
            sa.select(matches.c.id)
            .outerjoin(last_of, last_of.c.match == matches.c.id)
            .where(matches.c.ended.is_(None), sa.or_(matches.c.id.in_(bots), matches.c.clock.is_not(None)))
            .where(at > since)
        )
        if until != float("inf"):
            query = query.where(at < until)
        return [row.id for row in await self._all(query)]

    # Logs

    async def log(self, match: str, after: int = 0, limit: int | None = None) -> list[Row]:
        query = sa.select(actions).where(actions.c.match == match, actions.c.seq > after).order_by(actions.c.seq)
        return await self._all(query.limit(limit) if limit else query)

    async def tail(self, match: str, limit: int) -> list[Row]:
        """The last actions, oldest first."""
        query = sa.select(actions).where(actions.c.match == match).order_by(actions.c.seq.desc()).limit(limit)
        return (await self._all(query))[::-1]

    async def entry(self, match: str, seq: int) -> Row | None:
        return await self._one(sa.select(actions).where(actions.c.match == match, actions.c.seq == seq))

    async def entry_by_key(self, match: str, key: str) -> Row | None:
        return await self._one(sa.select(actions).where(actions.c.match == match, actions.c.key == key))

    async def last_seqs(self, ids: Sequence[str]) -> dict[str, int]:
        query = sa.select(actions.c.match, sa.func.max(actions.c.seq).label("seq")).where(actions.c.match.in_(ids))
        return {row.match: row.seq for row in await self._all(query.group_by(actions.c.match))}

    async def append(self, entry: dict[str, Any]) -> bool:
        """Add an action to a log. True once it is on disk; False if its place (or its key) was taken."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, future))
        self._wake.set()
        return await future

    async def _write(self) -> None:
        """All that waits is written with one commit, so that a disk's slow flush is shared."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch = self._take_waiting()
            try:
                await self._write_batch(batch)
            except (
                IntegrityError,
                sqlite3.IntegrityError,
            ):  # one of them is of a match that was deleted: find out which
                for one in batch:
                    with contextlib.suppress(*FAULTS):
                        await self._write_batch([one])
                _refuse(batch)
            except Exception as error:  # whatever it is, the next ones must be written
                log.error("the store cannot write", extra={"error": str(error)})
                _refuse(batch)

    def _take_waiting(self) -> list[tuple[dict[str, Any], asyncio.Future[bool]]]:
        """What is written next. Of two for the same place the second waits: what a batch returns tells places only."""
        batch = {(one[0]["match"], one[0]["seq"]): one for one in reversed(self._waiting)}
        self._waiting = [one for one in self._waiting if batch[one[0]["match"], one[0]["seq"]] is not one]
        if self._waiting:
            self._wake.set()
        return list(batch.values())[::-1]

    async def _write_batch(self, batch: list[tuple[dict[str, Any], asyncio.Future[bool]]]) -> None:
        entries = [entry for entry, _ in batch]
        written = await (self._insert(entries) if self._journal is None else self._journal.write(entries))
        for (_, future), done in zip(batch, written, strict=True):
            if not future.done():
                future.set_result(done)

    async def _insert(self, entries: list[dict[str, Any]]) -> list[bool]:
        async with self.engine.begin() as connection:
            result = await connection.execute(self._append, entries)
            written = {tuple(row) for row in result}
        return [(entry["match"], entry["seq"]) in written for entry in entries]

    async def _all(self, query: sa.Select[Any]) -> list[Row]:
        async with _told(), self.engine.connect() as connection:
            return list((await connection.execute(query)).all())

    async def _one(self, query: sa.Select[Any]) -> Row | None:
        found = await self._all(query)
        return found[0] if found else None

    async def _do(self, statement: Any) -> bool:
        """True if it changed something."""
        async with _told(), self.engine.begin() as connection:
            return bool((await connection.execute(statement)).rowcount)


def _refuse(batch: list[tuple[dict[str, Any], asyncio.Future[bool]]]) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(_down())


def _down() -> StoreDown:
    return StoreDown("the table cannot write or read its store just now; try again in a moment")


@contextlib.asynccontextmanager
async def _told() -> Any:
    """A store that does not answer is a refusal that people can read; the cause is kept for the host's log."""
    try:
        yield
    except FAULTS as error:
        raise _down() from error


def _engine(url: sa.URL) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, pool_pre_ping=True, pool_size=8, max_overflow=8)
    engine = create_async_engine(url, connect_args={"timeout": BUSY})

    @sa.event.listens_for(engine.sync_engine, "connect")
    def _prepare(connection: Any, record: Any) -> None:
        cursor = connection.cursor()
        for pragma in PRAGMAS:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


async def _migrate(connection: AsyncConnection) -> None:
    # Two processes may start at the same time.
    postgresql = connection.dialect.name == "postgresql"
    await connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7357)" if postgresql else "BEGIN IMMEDIATE")
    config = Config()
    config.set_main_option("script_location", "skerry.server:migrations")

    def upgrade(sync: sa.Connection) -> None:
        config.attributes["connection"] = sync
        command.upgrade(config, "head")

    await connection.run_sync(upgrade)
