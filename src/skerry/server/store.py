"""The store: guests, matches and their logs in a database. What it has acknowledged is on disk."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from skerry.server.database import Database, Row, StoreDown
from skerry.server.journal import Columns
from skerry.server.log_writer import LogWriter
from skerry.server.schema import actions, guests, matches, seats, settings

if TYPE_CHECKING:
    from skerry.server.match_session import SeatHolder

__all__ = ["Row", "Store", "StoreDown"]


class Store:
    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self.log_writer = LogWriter(self.database)

    async def open(self) -> None:
        await self.database.open()
        self.log_writer.open()

    async def close(self) -> None:
        await self.log_writer.close()
        await self.database.close()

    async def ping(self) -> None:
        await self.database.one(sa.select(sa.literal(1)))

    # Settings

    async def secret(self) -> str:
        """The key that signs cookies and links: generated once, the same for all processes of this store."""
        insert = sqlite_insert if self.database.is_sqlite else postgresql_insert
        new = insert(settings).values(name="secret", value=secrets.token_urlsafe(32))
        await self.database.execute(new.on_conflict_do_nothing())
        (kept,) = await self.database.all(sa.select(settings.c.value).where(settings.c.name == "secret"))
        return str(kept.value)

    # Guests

    async def add_guest(self, **columns: Any) -> None:
        await self.database.execute(sa.insert(guests).values(**columns))

    async def guest(self, guest: str) -> Row | None:
        return await self.database.one(sa.select(guests).where(guests.c.id == guest))

    async def change_guest(self, guest: str, **columns: Any) -> None:
        await self.database.execute(sa.update(guests).where(guests.c.id == guest).values(**columns))

    async def names(self, ids: Sequence[str]) -> dict[str, str]:
        """The names of guests, by their ids."""
        found = await self.database.all(sa.select(guests.c.id, guests.c.name).where(guests.c.id.in_(ids)))
        return {row.id: row.name for row in found}

    async def forget_guest(self, guest: str) -> list[str]:
        """Delete a guest and the matches in which no other guest has a seat; open the guest's seats in the others.
        Return the ids of those others."""
        mine = sa.select(seats.c.match).where(seats.c.guest == guest)
        with_others = sa.select(seats.c.match).where(seats.c.guest.is_not(None), seats.c.guest != guest)
        alone = sa.or_(matches.c.id.in_(mine), matches.c.owner == guest) & matches.c.id.not_in(with_others)
        async with self.database.transaction() as connection:
            shared = await connection.execute(mine.where(seats.c.match.in_(with_others)))
            await connection.execute(sa.delete(matches).where(alone))
            await connection.execute(sa.update(seats).where(seats.c.guest == guest).values(guest=None))
            await connection.execute(sa.update(matches).where(matches.c.owner == guest).values(owner=None))
            await connection.execute(sa.delete(guests).where(guests.c.id == guest))
            return [row.match for row in shared]

    # Matches

    async def add_match(self, columns: Columns, holders: Sequence[Columns], log: Sequence[Columns] = ()) -> None:
        """Add a match with its seats, in order, and the first rows of its log."""
        seat_rows = [{"match": columns["id"], "seat": seat, **holder} for seat, holder in enumerate(holders)]
        async with self.database.transaction() as connection:
            await connection.execute(sa.insert(matches).values(**columns))
            await connection.execute(sa.insert(seats), seat_rows)
            if log:
                await connection.execute(sa.insert(actions), list(log))

    async def match(self, match: str) -> Row | None:
        return await self.database.one(sa.select(matches).where(matches.c.id == match))

    async def change_match(self, match: str, **columns: Any) -> None:
        await self.database.execute(sa.update(matches).where(matches.c.id == match).values(**columns))

    async def set_next(self, match: str, rematch: str) -> bool:
        """Set the rematch of a match. False if it has one already."""
        first = (matches.c.id == match) & matches.c.next.is_(None)
        return await self.database.execute(sa.update(matches).where(first).values(next=rematch))

    async def seats(self, match: str) -> list[Row]:
        return await self.database.all(sa.select(seats).where(seats.c.match == match).order_by(seats.c.seat))

    async def set_seat(
        self, match: str, seat: int, holder: SeatHolder | Row, guest: str | None, bot: str | None
    ) -> bool:
        """Change who holds a seat. False if it is no longer the given holder's."""
        this_seat = (seats.c.match == match) & (seats.c.seat == seat)
        same_guest = seats.c.guest.is_not_distinct_from(holder.guest)
        same_bot = seats.c.bot.is_not_distinct_from(holder.bot)
        statement = sa.update(seats).where(this_seat & same_guest & same_bot)
        return await self.database.execute(statement.values(guest=guest, bot=bot))

    async def listed(self, limit: int = 50) -> list[Row]:
        """The unfinished matches that anybody may find, the newest first."""
        query = sa.select(matches).where(matches.c.listed, matches.c.ended.is_(None))
        return await self.database.all(query.order_by(matches.c.created.desc()).limit(limit))

    async def of_guest(self, guest: str, limit: int = 100) -> list[Row]:
        """The matches in which a guest has a seat or that the guest opened: unfinished ones first, then the newest."""
        mine = sa.select(seats.c.match).where(seats.c.guest == guest)
        query = sa.select(matches).where(sa.or_(matches.c.id.in_(mine), matches.c.owner == guest))
        order = matches.c.ended.is_not(None), matches.c.created.desc()
        return await self.database.all(query.order_by(*order).limit(limit))

    async def with_seed(self, guest: str, game: str, seed: str) -> Row | None:
        """The latest match with this seed that a guest opened and that does not continue another match."""
        same = (matches.c.owner == guest, matches.c.game == game, matches.c.seed == seed, matches.c.origin.is_(None))
        return await self.database.one(sa.select(matches).where(*same).order_by(matches.c.created.desc()).limit(1))

    async def count_open(self, guest: str) -> int:
        """How many unfinished matches a guest has opened."""
        query = sa.select(sa.func.count()).where(matches.c.owner == guest, matches.c.ended.is_(None))
        return (await self.database.all(query))[0][0]

    async def with_bots(self, since: float = 0.0, until: float = float("inf")) -> list[str]:
        """The unfinished matches with a bot or a clock whose last action was between two points of time."""
        last = sa.select(actions.c.match, sa.func.max(actions.c.at).label("at")).group_by(actions.c.match)
        if since:
            last = last.where(actions.c.at > since)
        last_action = last.subquery()
        at = sa.func.coalesce(last_action.c.at, matches.c.created)
        bots = sa.select(seats.c.match).where(seats.c.bot.is_not(None))
        query = (
            sa.select(matches.c.id)
            .outerjoin(last_action, last_action.c.match == matches.c.id)
            .where(matches.c.ended.is_(None), sa.or_(matches.c.id.in_(bots), matches.c.clock.is_not(None)))
            .where(at > since)
        )
        if until != float("inf"):
            query = query.where(at < until)
        return [row.id for row in await self.database.all(query)]

    # Logs

    async def append(self, columns: Columns) -> bool:
        """Append an action to a log. True once it is on disk; False if its place or its key was taken."""
        return await self.log_writer.append(columns)

    async def log(self, match: str, after: int = 0, limit: int | None = None) -> list[Row]:
        query = sa.select(actions).where(actions.c.match == match, actions.c.seq > after).order_by(actions.c.seq)
        return await self.database.all(query.limit(limit) if limit else query)

    async def tail(self, match: str, limit: int) -> list[Row]:
        """The last rows of a log, oldest first."""
        query = sa.select(actions).where(actions.c.match == match).order_by(actions.c.seq.desc()).limit(limit)
        return (await self.database.all(query))[::-1]

    async def entry(self, match: str, seq: int) -> Row | None:
        return await self.database.one(sa.select(actions).where(actions.c.match == match, actions.c.seq == seq))

    async def entry_by_key(self, match: str, key: str) -> Row | None:
        return await self.database.one(sa.select(actions).where(actions.c.match == match, actions.c.key == key))

    async def last_seqs(self, ids: Sequence[str]) -> dict[str, int]:
        """The last numbers of several logs; logs without any action are left out."""
        query = sa.select(actions.c.match, sa.func.max(actions.c.seq).label("seq")).where(actions.c.match.in_(ids))
        return {row.match: row.seq for row in await self.database.all(query.group_by(actions.c.match))}
