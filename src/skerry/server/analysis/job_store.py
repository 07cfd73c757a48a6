"""The table of analyses: the queue of those that are asked for, and what was found.

One process runs an analysis. It says again and again that it is alive (``beat``); an analysis of which this is not said
any more is begun again by another process. Every change of a running analysis is made only if this process still runs
it, so that one that was cancelled, or that another process has taken over, changes no more.
"""

from __future__ import annotations

import time
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from skerry.server.database import Database, Row
from skerry.server.schema import analyses

QUEUED, RUNNING, DONE, FAILED = "queued", "running", "done", "failed"
UNFINISHED = (QUEUED, RUNNING)
STALE = 20.0  # seconds without a beat after which the process that runs an analysis is taken to be dead
MAX_ATTEMPTS = 3  # an analysis that ended so many processes is not tried again
CLAIM_LOCK = 7358  # an arbitrary number, the same in all processes


def _is(match: str, viewpoint: str) -> Any:
    return (analyses.c.match == match) & (analyses.c.viewpoint == viewpoint)


class JobStore:
    def __init__(self, database: Database, runner: str) -> None:
        self.database = database
        self.runner = runner  # this process

    async def find(self, match: str, viewpoint: str) -> Row | None:
        return await self.database.one(sa.select(analyses).where(_is(match, viewpoint)))

    async def states(self, match: str) -> list[Row]:
        """All analyses of a match, without their results."""
        columns = [column for column in analyses.c if column.name != "result"]
        return await self.database.all(sa.select(*columns).where(analyses.c.match == match))

    async def count_unfinished(self, guest: str | None = None) -> int:
        """How many analyses are waiting or running: all, or those that a guest has asked for."""
        query = sa.select(sa.func.count()).select_from(analyses).where(analyses.c.state.in_(UNFINISHED))
        if guest is not None:
            query = query.where(analyses.c.guest == guest)
        return int((await self.database.all(query))[0][0])

    async def count_before(self, job: Row) -> int:
        """How many analyses are waiting or running that were asked for before this one."""
        query = sa.select(sa.func.count()).select_from(analyses)
        before = analyses.c.state.in_(UNFINISHED) & (analyses.c.asked < job.asked)
        return int((await self.database.all(query.where(before)))[0][0])

    async def enqueue(self, match: str, viewpoint: str, guest: str, version: str, effort: int) -> None:
        """Ask for an analysis, unless it is waiting or running already. It replaces an earlier one."""
        fresh: dict[str, Any] = {
            "state": QUEUED,
            "version": version,
            "effort": effort,
            "guest": guest,
            "asked": time.time(),
            "attempts": 0,
            "runner": None,
            "beat": None,
            "done": 0,
            "total": 0,
            "result": None,
        }
        finished = _is(match, viewpoint) & analyses.c.state.not_in(UNFINISHED)
        if await self.database.execute(sa.update(analyses).where(finished).values(**fresh)):
            return
        if await self.find(match, viewpoint) is None:
            insert = sqlite_insert if self.database.is_sqlite else postgresql_insert
            new = insert(analyses).values(match=match, viewpoint=viewpoint, **fresh)
            await self.database.execute(new.on_conflict_do_nothing())

    async def remove_unfinished(self, match: str, viewpoint: str) -> bool:
        """Cancel an analysis that is waiting or running."""
        unfinished = _is(match, viewpoint) & analyses.c.state.in_(UNFINISHED)
        return await self.database.execute(sa.delete(analyses).where(unfinished))

    # Running

    async def claim(self, most_running: int, alone: bool) -> Row | None:
        """Take over the next analysis that waits, unless enough are running: of all processes together, at most
        ``most_running``. ``alone`` says that there are no other processes, so that those that run are left over."""
        now = time.time()
        abandoned = sa.true() if alone else analyses.c.beat < now - STALE
        waiting = sa.or_(analyses.c.state == QUEUED, (analyses.c.state == RUNNING) & abandoned)
        job = await self.database.one(sa.select(analyses).where(waiting).order_by(analyses.c.asked).limit(1))
        if job is None:
            return None
        is_hopeless = job.attempts >= MAX_ATTEMPTS
        columns: dict[str, Any] = {"state": FAILED} if is_hopeless else {"state": RUNNING, "runner": self.runner}
        other = analyses.alias()
        other_abandoned = sa.true() if alone else other.c.beat < now - STALE
        running = sa.select(sa.func.count()).where(other.c.state == RUNNING, ~other_abandoned).scalar_subquery()
        unchanged = waiting & (analyses.c.attempts == job.attempts)
        claim = sa.update(analyses).where(_is(job.match, job.viewpoint), unchanged, running < most_running)

        def take(connection: sa.Connection) -> bool:
            if not self.database.is_sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({CLAIM_LOCK})")
            return bool(connection.execute(claim.values(**columns, beat=now, attempts=job.attempts + 1)).rowcount)

        if not await self.database.write(take):
            return None
        return await self.claim(most_running, alone) if is_hopeless else job

    async def update(self, job: Row, **columns: Any) -> bool:
        """Change an analysis that this process runs. False if it does not run it any more."""
        mine = _is(job.match, job.viewpoint) & (analyses.c.state == RUNNING) & (analyses.c.runner == self.runner)
        return await self.database.execute(sa.update(analyses).where(mine).values(beat=time.time(), **columns))
