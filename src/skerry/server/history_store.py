"""What is stored of a guest's history: the matches, and which of them the guest has archived or deleted."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from skerry.server.database import Database
from skerry.server.schema import matches, seats, shelf


class HistoryStore:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def marks(self, guest: str) -> dict[str, str]:
        """What a guest has archived or deleted, by match."""
        rows = await self.database.all(sa.select(shelf.c.match, shelf.c.mark).where(shelf.c.guest == guest))
        return {row.match: row.mark for row in rows}

    async def mark(self, guest: str, match: str, mark: str) -> None:
        insert = sqlite_insert if self.database.is_sqlite else postgresql_insert
        new = insert(shelf).values(guest=guest, match=match, mark=mark)
        keys = [shelf.c.guest, shelf.c.match]
        await self.database.execute(new.on_conflict_do_update(index_elements=keys, set_={"mark": mark}))

    async def unmark(self, guest: str, match: str) -> None:
        await self.database.execute(sa.delete(shelf).where(shelf.c.guest == guest, shelf.c.match == match))

    async def delete_match(self, guest: str, match: str) -> bool:
        """Delete a match in which no other guest has a seat. False if one has."""
        others = sa.exists().where(seats.c.match == matches.c.id, seats.c.guest != guest)
        alone = sa.select(matches.c.id).where(matches.c.id == match, ~others)

        def delete(connection: sa.Connection) -> bool:
            for link in (matches.c.next, matches.c.origin):  # of matches that stay, to the one that goes
                connection.execute(sa.update(matches).where(link.in_(alone)).values({link.name: None}))
            return bool(connection.execute(sa.delete(matches).where(matches.c.id == match, ~others)).rowcount)

        return await self.database.write(delete)
