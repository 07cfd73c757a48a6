"""The list of matches that an administrator reads: read from the database in two queries, without opening any match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.admin.connection import existing_database, snapshot
from skerry.server.database import Row
from skerry.server.schema import actions, guests, matches, seats

OPEN_SEAT = "–"
RUNNING = "running"

_log = (
    sa.select(actions.c.match, sa.func.count().label("actions"), sa.func.max(actions.c.at).label("at"))
    .group_by(actions.c.match)
    .subquery()
)
last_activity = sa.func.coalesce(_log.c.at, matches.c.created)  # in a query of ``with_logs``


def with_logs(*columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
    """A query of columns of matches, with what is known of their logs."""
    return sa.select(*columns).outerjoin_from(matches, _log, _log.c.match == matches.c.id)


@dataclass(frozen=True)
class MatchSummary:
    """One match of the list."""

    id: str
    game: str
    version: int  # of the rules at the start
    players: tuple[str, ...]  # by seat: the guest's name, the bot's name, or OPEN_SEAT
    actions: int  # rows of the log, undone ones included
    last_activity: float  # seconds since 1970
    state: str  # RUNNING, or the name of the ending

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


async def list_matches(
    url: str, game: str | None = None, finished: bool | None = None, limit: int = 0
) -> list[MatchSummary]:
    """The matches of a database, the last played first; ``limit`` 0 stands for all."""
    count = sa.func.coalesce(_log.c.actions, 0).label("actions")
    query = with_logs(
        matches.c.id, matches.c.game, matches.c.version, matches.c.ended, count, last_activity.label("at")
    )
    if game is not None:
        query = query.where(matches.c.game == game)
    if finished is not None:
        query = query.where(matches.c.ended.is_not(None) if finished else matches.c.ended.is_(None))
    query = query.order_by(last_activity.desc(), matches.c.id)
    async with existing_database(url) as database, snapshot(database) as connection:
        rows = (await connection.execute(query.limit(limit) if limit else query)).all()
        players = await _players(connection, None if not limit else [row.id for row in rows])
    return [
        MatchSummary(row.id, row.game, row.version, players[row.id], row.actions, row.at, row.ended or RUNNING)
        for row in rows
    ]


async def _players(connection: AsyncConnection, ids: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """Who plays at the seats, by match; of all matches if no ids are given."""
    query = sa.select(seats.c.match, seats.c.bot, guests.c.name).outerjoin_from(
        seats, guests, guests.c.id == seats.c.guest
    )
    if ids is not None:
        query = query.where(seats.c.match.in_(ids))
    found = defaultdict[str, tuple[str, ...]](tuple)
    for row in await connection.execute(query.order_by(seats.c.match, seats.c.seat)):
        found[row.match] += (_player(row),)
    return found


def _player(row: Row) -> str:
    return row.name or row.bot or OPEN_SEAT
