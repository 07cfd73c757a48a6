"""A match as it is stored: the rows of the tables, neither decoded nor believed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry.server.match_log import LogRow
from skerry.server.schema import actions, guests, matches, seats


@dataclass(frozen=True)
class StoredSeat:
    """A row of the table ``seats``, and the name of the guest who holds it."""

    seat: int
    guest: str | None
    bot: str | None
    name: str | None


@dataclass(frozen=True)
class StoredMatch:
    """Everything that is stored of one match."""

    header: Any  # the columns of the table ``matches`` as attributes
    seats: list[StoredSeat]  # by their numbers
    log: list[LogRow]  # by their numbers


async def read_match(connection: AsyncConnection, match: str) -> StoredMatch | None:
    """A match as the connection sees it; None if there is none of this id."""
    header = (await connection.execute(sa.select(matches).where(matches.c.id == match))).one_or_none()
    if header is None:
        return None
    held = sa.select(seats.c.seat, seats.c.guest, seats.c.bot, guests.c.name).outerjoin_from(
        seats, guests, guests.c.id == seats.c.guest
    )
    seat_rows = await connection.execute(held.where(seats.c.match == match).order_by(seats.c.seat))
    log = await connection.execute(sa.select(actions).where(actions.c.match == match).order_by(actions.c.seq))
    return StoredMatch(
        header,
        [StoredSeat(**row._mapping) for row in seat_rows],
        [LogRow(**row._mapping) for row in log],
    )
