"""The store: guests, matches and their logs in a database. What it has acknowledged is on disk."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from skerry.server.database import Database, NewerDatabase, Row, StoreDown
from skerry.server.journal import Columns
from skerry.server.log_writer import LogWriter
from skerry.server.schema import (
    ARCHIVED,
    DELETED,
    RULES,
    actions,
    analyses,
    challenge_guests,
    challenges,
    guests,
    matches,
    seats,
    settings,
    shelf,
)

if TYPE_CHECKING:
    from skerry.server.match_session import SeatHolder

__all__ = ["Row", "Store", "StoreDown"]


HIDDEN = (ARCHIVED, DELETED)  # marks that take a match off a guest's lists
RULES_SETTING = "rules:"  # and the name of a game: the latest version of its rules that the database has seen

_last = actions.alias("last")
_last_seq = (
    sa.select(sa.func.max(actions.c.seq)).where(actions.c.match == matches.c.id).correlate(matches).scalar_subquery()
)
SUMMARIES = (
    sa.select(
        *(column for column in matches.c if column.name not in ("start", "waiting")),
        sa.func.coalesce(_last.c.seq, 0).label("seq"),
        sa.func.coalesce(_last.c.at, matches.c.created).label("at"),
        sa.case((_last.c.seq.is_(None), matches.c.waiting), else_=_last.c.waiting).label("waiting"),
    )
    .select_from(matches)
    .outerjoin(_last, (_last.c.match == matches.c.id) & (_last.c.seq == _last_seq))
)


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

    async def note_rules(self, versions: Mapping[str, int]) -> None:
        """Note the versions of the rules that this program plays by. A database that has seen later ones is refused:
        what they wrote could not be read."""
        noted = await self.database.all(sa.select(settings).where(settings.c.name.startswith(RULES_SETTING)))
        seen = {row.name.removeprefix(RULES_SETTING): int(row.value) for row in noted}
        for game, version in versions.items():
            if seen.get(game, 0) > version:
                raise NewerDatabase(
                    f"this database has matches under version {seen[game]} of the rules of {game}; here is version "
                    f"{version}. Nothing was changed. Install the later version again, or restore a backup"
                )
        for game, version in versions.items():
            if seen.get(game, 0) < version:
                await self._set_setting(RULES_SETTING + game, str(version))

    async def _set_setting(self, name: str, value: str) -> None:
        insert = sqlite_insert if self.database.is_sqlite else postgresql_insert
        new = insert(settings).values(name=name, value=value)
        await self.database.execute(new.on_conflict_do_update(index_elements=[settings.c.name], set_={"value": value}))

    # Guests

    async def add_guest(self, **columns: Any) -> None:
        await self.database.execute(sa.insert(guests).values(**columns))

    async def guest(self, guest: str) -> Row | None:
        return await self.database.one(sa.select(guests).where(guests.c.id == guest))

    async def change_guest(self, guest: str, **columns: Any) -> None:
        await self.database.execute(sa.update(guests).where(guests.c.id == guest).values(**columns))

    async def guests(self, ids: Sequence[str]) -> dict[str, Row]:
        """Several guests, by their ids."""
        found = await self.database.all(sa.select(guests).where(guests.c.id.in_(ids)))
        return {row.id: row for row in found}

    async def forget_guest(self, guest: str) -> list[str]:
        """Delete a guest and the matches in which no other guest has a seat; open the guest's seats in the others.
        Return the ids of those others."""
        mine = sa.select(seats.c.match).where(seats.c.guest == guest)
        with_others = sa.select(seats.c.match).where(seats.c.guest.is_not(None), seats.c.guest != guest)
        alone = sa.or_(matches.c.id.in_(mine), matches.c.owner == guest) & matches.c.id.not_in(with_others)

        def forget(connection: sa.Connection) -> list[str]:
            shared = connection.scalars(mine.where(seats.c.match.in_(with_others))).all()
            gone = sa.select(matches.c.id).where(alone)
            for link in ("next", "origin"):  # of matches that stay, to those that go
                connection.execute(sa.update(matches).where(matches.c[link].in_(gone)).values({link: None}))
            connection.execute(sa.delete(matches).where(alone))
            connection.execute(sa.update(seats).where(seats.c.guest == guest).values(guest=None))
            connection.execute(sa.update(matches).where(matches.c.owner == guest).values(owner=None))
            connection.execute(sa.update(analyses).where(analyses.c.guest == guest).values(guest=None))
            connection.execute(sa.update(challenges).where(challenges.c.owner == guest).values(owner=None))
            for table in (shelf, challenge_guests):
                connection.execute(sa.delete(table).where(table.c.guest == guest))
            connection.execute(sa.delete(guests).where(guests.c.id == guest))
            return list(shared)

        return await self.database.write(forget)

    # Matches

    async def add_match(self, columns: Columns, holders: Sequence[Columns], log: Sequence[Columns] = ()) -> None:
        """Add a match with its seats, in order, and the first rows of its log."""
        seat_rows = [{"match": columns["id"], "seat": seat, **holder} for seat, holder in enumerate(holders)]

        def add(connection: sa.Connection) -> None:
            connection.execute(sa.insert(matches).values(**columns))
            connection.execute(sa.insert(seats), seat_rows)
            if log:
                connection.execute(sa.insert(actions), list(log))

        await self.database.write(add)

    async def match(self, match: str) -> Row | None:
        row = await self.database.one(sa.select(matches).where(matches.c.id == match))
        return None if row is None else SimpleNamespace(**row._mapping)  # it is kept, and a row keeps its result

    async def change_match(self, match: str, **columns: Any) -> None:
        await self.database.execute(sa.update(matches).where(matches.c.id == match).values(**columns))

    async def set_next(self, match: str, rematch: str) -> bool:
        """Set the rematch of a match. False if it has one already."""
        first = (matches.c.id == match) & matches.c.next.is_(None)
        return await self.database.execute(sa.update(matches).where(first).values(next=rematch))

    async def rematches(self, ids: Sequence[str]) -> dict[str, str]:
        """The rematches of those of several matches that have one."""
        query = sa.select(matches.c.id, matches.c.next).where(matches.c.id.in_(ids), matches.c.next.is_not(None))
        return {row.id: row.next for row in await self.database.all(query)}

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
        return await self.database.execute(statement.values(guest=guest, bot=bot, stance=None))

    async def set_stance(self, match: str, seat: int, guest: str, before: str | None, stance: str) -> bool:
        """Note what a guest says at a seat about the time they need. False if the seat is no longer theirs, or its
        stance no longer the one before: another process may have changed it."""
        this_seat = (seats.c.match == match) & (seats.c.seat == seat) & (seats.c.guest == guest)
        same_stance = seats.c.stance.is_not_distinct_from(before)
        return await self.database.execute(sa.update(seats).where(this_seat & same_stance).values(stance=stance))

    async def listed(self, limit: int = 50) -> list[Row]:
        """Summaries of the unfinished matches that anybody may find, the newest first."""
        query = SUMMARIES.where(matches.c.listed, matches.c.ended.is_(None))
        return await self.database.all(query.order_by(matches.c.created.desc()).limit(limit))

    async def of_guest(self, guest: str, limit: int = 100, hidden: Sequence[str] = HIDDEN) -> list[Row]:
        """Summaries of the matches in which a guest has a seat or that the guest opened, without those that the guest
        has marked as one of ``hidden``: unfinished ones first, then the newest."""
        mine = sa.select(seats.c.match).where(seats.c.guest == guest)
        query = SUMMARIES.where(sa.or_(matches.c.id.in_(mine), matches.c.owner == guest))
        marked = sa.select(shelf.c.match).where(shelf.c.guest == guest, shelf.c.mark.in_(hidden))
        query = query.where(matches.c.id.not_in(marked))
        order = matches.c.ended.is_not(None), matches.c.created.desc()
        return await self.database.all(query.order_by(*order).limit(limit))

    async def summary(self, match: str) -> Row | None:
        return await self.database.one(SUMMARIES.where(matches.c.id == match))

    async def with_seed(self, guest: str, game: str, seed: str) -> Row | None:
        """The summary of the latest match with this seed that a guest opened and that does not continue another
        match."""
        same = (matches.c.owner == guest, matches.c.game == game, matches.c.seed == seed, matches.c.origin.is_(None))
        return await self.database.one(SUMMARIES.where(*same).order_by(matches.c.created.desc()).limit(1))

    async def seats_of_matches(self, ids: Sequence[str]) -> list[Row]:
        """The seats of several matches, in order, with the names of the guests who hold them."""
        query = sa.select(seats, guests.c.name, guests.c.by_hand).outerjoin(guests, guests.c.id == seats.c.guest)
        return await self.database.all(query.where(seats.c.match.in_(ids)).order_by(seats.c.match, seats.c.seat))

    async def first_states(self, ids: Sequence[str]) -> dict[str, bytes]:
        """The states after the setup of several matches, as far as they are stored."""
        query = sa.select(matches.c.id, matches.c.start).where(matches.c.id.in_(ids), matches.c.start.is_not(None))
        return {row.id: bytes(row.start) for row in await self.database.all(query)}

    async def without_summary(self, limit: int) -> list[str]:
        """Matches that an earlier version of the server wrote, without the columns that summaries are read from."""
        query = sa.select(matches.c.id).where(matches.c.start.is_(None)).order_by(matches.c.created.desc())
        return [row.id for row in await self.database.all(query.limit(limit))]

    async def set_waiting(self, match: str, seq: int, waiting: int) -> None:
        """Store which seats the game waits for after an action."""
        entry = (actions.c.match == match) & (actions.c.seq == seq)
        await self.database.execute(sa.update(actions).where(entry).values(waiting=waiting))

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

    async def rules_changes(self, match: str) -> list[Row]:
        """The rows from which a match went on under later versions of its rules."""
        query = sa.select(actions).where(actions.c.match == match, actions.c.action == RULES)
        return await self.database.all(query.order_by(actions.c.seq))

    async def entry(self, match: str, seq: int) -> Row | None:
        return await self.database.one(sa.select(actions).where(actions.c.match == match, actions.c.seq == seq))

    async def entry_by_key(self, match: str, key: str) -> Row | None:
        return await self.database.one(sa.select(actions).where(actions.c.match == match, actions.c.key == key))

    async def last_seqs(self, ids: Sequence[str]) -> dict[str, int]:
        """The last numbers of several logs; logs without any action are left out."""
        query = sa.select(actions.c.match, sa.func.max(actions.c.seq).label("seq")).where(actions.c.match.in_(ids))
        return {row.match: row.seq for row in await self.database.all(query.group_by(actions.c.match))}
