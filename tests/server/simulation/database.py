"""The simulated database: real statements on an SQLite database in memory, reached over a simulated connection.

A transaction happens at one moment, between a way there and a way back that take time and can fail. So a caller that
gets an error does not know whether the transaction was committed.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool

from skerry.server.database import Database
from skerry.server.schema import actions, matches, metadata, seats
from tests.server.simulation.event_loop import OWNER
from tests.server.simulation.world import World

LATENCY = 0.003  # seconds each way, at most
SLOW = 3.0  # seconds that a slow way takes at most
TIMEOUT = 30.0  # seconds after which a connection that does not answer is given up

ROWS_AFTER = (
    sa.select(actions)
    .where(actions.c.match == sa.bindparam("match"), actions.c.seq > sa.bindparam("after"))
    .order_by(actions.c.seq)
)
SEATS = sa.select(seats).where(seats.c.match == sa.bindparam("match")).order_by(seats.c.seat)


class DatabaseServer:
    """What all processes of a history share: one database, and the means to look into it."""

    def __init__(self) -> None:
        self.engine = sa.create_engine("sqlite://", poolclass=StaticPool)
        self.is_up = True
        self._in_transaction = False
        with self.engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA foreign_keys=ON")
            metadata.create_all(connection)

    def empty(self) -> None:
        self.is_up = True
        with self.engine.begin() as connection:
            for table in reversed(metadata.sorted_tables):
                connection.execute(sa.delete(table))

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        assert not self._in_transaction, "a transaction waits for something else than its database"
        self._in_transaction = True
        try:
            with self.engine.begin() as connection:
                yield connection
        finally:
            self._in_transaction = False

    # Looking into it, without time and without faults

    def _all(self, query: sa.Select[Any], **values: Any) -> list[Any]:
        with self.engine.connect() as connection:
            return list(connection.execute(query, values).all())

    def header(self, match: str) -> Any:
        return next(iter(self._all(sa.select(matches).where(matches.c.id == match))), None)

    def match_ids(self) -> list[str]:
        return [row.id for row in self._all(sa.select(matches.c.id).order_by(matches.c.created, matches.c.id))]

    def rows_after(self, match: str, seq: int) -> list[Any]:
        return self._all(ROWS_AFTER, match=match, after=seq)

    def last_seq(self, match: str) -> int:
        return self._all(sa.select(sa.func.coalesce(sa.func.max(actions.c.seq), 0)).where(actions.c.match == match))[0][
            0
        ]

    def seats(self, match: str) -> list[Any]:
        return self._all(SEATS, match=match)


class SimulatedDatabase(Database):
    """A process's connection to the database server."""

    def __init__(self, world: World, server: DatabaseServer) -> None:
        self.url = sa.make_url("sqlite://")
        self.is_sqlite = True
        self.sqlite_writer = None
        self.engine = SimulatedEngine(world, server)  # type: ignore[assignment]

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass


class SimulatedEngine:
    def __init__(self, world: World, server: DatabaseServer) -> None:
        self._world = world
        self._server = server

    @contextlib.asynccontextmanager
    async def begin(self) -> AsyncIterator[SimulatedConnection]:
        await self._way("store: error before the commit")
        with self._server.transaction() as connection:
            committed = SimulatedConnection(connection)
            yield committed
        owner = OWNER.get()
        if committed.has_changes and owner is not None and owner.on_commit is not None:
            owner.on_commit()
        await self._way("store: error after the commit")

    connect = begin

    async def _way(self, error: str) -> None:
        """The way to the database or back."""
        world = self._world
        if world.faults.strikes("store: no answer until a timeout"):
            await world.sleep(TIMEOUT)
            raise _failure("the connection timed out")
        await world.sleep(world.draw(SLOW if world.faults.strikes("store: slow") else LATENCY))
        if not self._server.is_up or world.faults.strikes(error):
            raise _failure(error)


class SimulatedConnection:
    """The asynchronous face of a connection. Its statements do not wait: their transaction happens at one moment."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self.has_changes = False

    async def execute(self, statement: Any, *more: Any) -> sa.CursorResult[Any]:
        self.has_changes = self.has_changes or statement.is_dml
        return self._connection.execute(statement, *more)

    async def run_sync(self, work: Callable[[sa.Connection], Any]) -> Any:
        self.has_changes = True
        return work(self._connection)


def _failure(text: str) -> OperationalError:
    return OperationalError(f"simulated: {text}", None, Exception(text))
