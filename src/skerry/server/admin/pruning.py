"""Pruning: deletes matches that nobody has played for long, challenges without matches, and guests who have none left.

A guest of whom a match remains stays, however old it is: the guest's name belongs to it. A match is locked and looked
at again before it is deleted, so that an action that came in at the last moment keeps it; and matches are deleted a few
at a time, so that people who play meanwhile are not held up.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.engine.errors import BadOption
from skerry.server.admin.connection import existing_database, snapshot
from skerry.server.admin.match_list import last_activity, with_logs
from skerry.server.database import Database
from skerry.server.schema import actions, challenge_guests, challenges, guests, matches, seats

DAY = 24 * 3600.0
MATCHES_AT_ONCE = 50  # deleted in one transaction


@dataclass(frozen=True)
class PruneRule:
    """What may go."""

    matches_older_than: int | None = None  # days since the last action; None keeps all matches
    finished: bool | None = None  # only finished matches, or only unfinished ones; None for both
    guests_idle_days: int | None = None  # days since a guest without matches came; None keeps all guests

    def check(self) -> None:
        """Refuse a rule by which nothing could go."""
        if self.matches_older_than is None and self.guests_idle_days is None:
            raise BadOption("say what may go: --matches-older-than DAYS, --guests-idle-days DAYS, or both")
        if self.matches_older_than is None and self.finished is not None:
            raise BadOption("--finished and --unfinished need --matches-older-than DAYS")


@dataclass
class Pruned:
    """What goes, or went."""

    finished: int = 0  # matches
    unfinished: int = 0
    actions: int = 0
    guests: int = 0


async def prune(url: str, rule: PruneRule, dry_run: bool) -> Pruned:
    """Delete what the rule says, or only count it."""
    rule.check()
    pruned, now = Pruned(), time.time()
    old, idle = _old_matches(rule, now), _idle_guests(rule, now)
    async with existing_database(url) as database:
        if dry_run:
            async with snapshot(database) as connection:
                await _count_matches(connection, pruned, old)
                pruned.guests = await connection.scalar(sa.select(sa.func.count()).select_from(idle.subquery())) or 0
            return pruned
        while await _delete_some_matches(database, pruned, old):
            pass
        async with _write_transaction(database) as connection:
            await connection.execute(sa.delete(challenges).where(_unplayed_challenges(rule, now)))
            await connection.execute(sa.delete(challenge_guests).where(challenge_guests.c.guest.in_(idle)))
            gone = await connection.execute(sa.delete(guests).where(guests.c.id.in_(idle)))
            pruned.guests = gone.rowcount
    return pruned


def _old_matches(rule: PruneRule, now: float) -> sa.Select[Any]:
    """The ids of the matches that may go."""
    query = with_logs(matches.c.id)
    if rule.matches_older_than is None:
        return query.where(sa.false())
    if rule.finished is not None:
        query = query.where(matches.c.ended.is_not(None) if rule.finished else matches.c.ended.is_(None))
    return query.where(last_activity < now - rule.matches_older_than * DAY)


def _idle_guests(rule: PruneRule, now: float) -> sa.Select[Any]:
    """The ids of the guests who may go once the matches have gone."""
    query = sa.select(guests.c.id)
    if rule.guests_idle_days is None:
        return query.where(sa.false())
    old = _old_matches(rule, now)
    seated = sa.exists().where(seats.c.guest == guests.c.id, seats.c.match.not_in(old))
    hosts = sa.exists().where(matches.c.owner == guests.c.id, matches.c.id.not_in(old))
    return query.where(guests.c.created < now - rule.guests_idle_days * DAY, ~seated, ~hosts)


def _unplayed_challenges(rule: PruneRule, now: float) -> sa.ColumnElement[bool]:
    """Challenges as old as the matches that may go, of which no match is left."""
    if rule.matches_older_than is None:
        return sa.false()
    played = sa.exists().where(matches.c.challenge == challenges.c.id)
    return (challenges.c.created < now - rule.matches_older_than * DAY) & ~played


async def _delete_some_matches(database: Database, pruned: Pruned, old: sa.Select[Any]) -> bool:
    """Delete the next matches. False if there are none left."""
    async with _write_transaction(database) as connection:
        locked = (await connection.scalars(old.limit(MATCHES_AT_ONCE).with_for_update(of=matches))).all()
        still_old = old.where(matches.c.id.in_(locked))
        ids = (await connection.scalars(still_old)).all()
        await _count_matches(connection, pruned, still_old)
        for column in (matches.c.next, matches.c.origin):  # a link to a deleted match would lead nowhere
            await connection.execute(sa.update(matches).where(column.in_(ids)).values({column.name: None}))
        await connection.execute(sa.delete(matches).where(matches.c.id.in_(ids)))
        return bool(locked)


async def _count_matches(connection: AsyncConnection, pruned: Pruned, old: sa.Select[Any]) -> None:
    of_old = matches.c.id.in_(old)
    counts = sa.select(sa.func.count(), sa.func.count(matches.c.ended)).where(of_old)
    number, finished = (await connection.execute(counts)).one()
    pruned.finished += finished
    pruned.unfinished += number - finished
    rows = sa.select(sa.func.count()).select_from(actions).where(actions.c.match.in_(old))
    pruned.actions += await connection.scalar(rows) or 0


@contextlib.asynccontextmanager
async def _write_transaction(database: Database) -> AsyncIterator[AsyncConnection]:
    """A transaction in which nobody else writes to what it has read and locked."""
    async with database.engine.begin() as connection:
        if database.is_sqlite:
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection
