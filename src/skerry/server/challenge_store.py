"""What is stored of challenges: their deals, who has seen them, and the matches that are played with them."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from skerry.server.database import Database, Row
from skerry.server.journal import Columns
from skerry.server.schema import actions, challenge_guests, challenges, matches, seats
from skerry.server.store import SUMMARIES
from skerry.server.stored_results import CLOSED

BOARD_LENGTH = 200  # results of a challenge, the latest ones


class _Note(NamedTuple):
    """That a guest has seen a deal."""

    is_new: bool
    known: bool  # from another match


def _is_note(challenge: str, guest: str) -> sa.ColumnElement[bool]:
    return (challenge_guests.c.challenge == challenge) & (challenge_guests.c.guest == guest)


class ChallengeStore:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._insert = sqlite_insert if database.is_sqlite else postgresql_insert

    # Challenges

    async def add(self, columns: Columns) -> None:
        """Add a challenge, unless there is one of the same game, day and difficulty."""
        await self.database.execute(self._insert(challenges).values(**columns).on_conflict_do_nothing())

    async def get(self, challenge: str) -> Row | None:
        return await self.database.one(sa.select(challenges).where(challenges.c.id == challenge))

    async def of_day(self, game: str, day: str, level: str) -> Row | None:
        same = (challenges.c.game == game, challenges.c.day == day, challenges.c.level == level)
        return await self.database.one(sa.select(challenges).where(*same))

    async def of_match(self, match: str) -> str | None:
        """The challenge that a match belongs to, if any."""
        row = await self.database.one(sa.select(matches.c.challenge).where(matches.c.id == match))
        return None if row is None else row.challenge

    async def with_seed(self, game: str, seed: str) -> Row | None:
        """A challenge with this deal."""
        same = (challenges.c.game == game, challenges.c.seed == seed)
        return await self.database.one(sa.select(challenges).where(*same).order_by(challenges.c.created).limit(1))

    async def unplayed_of(self, guest: str) -> int:
        """How many challenges a guest has made that nobody has begun."""
        begun = sa.exists().where(matches.c.challenge == challenges.c.id)
        query = sa.select(sa.func.count()).where(challenges.c.owner == guest, ~begun)
        return int((await self.database.all(query))[0][0])

    async def adopt_matches(self, challenge: str, game: str, seed: str) -> None:
        """Let all matches with this deal belong to the challenge, and everybody at them know it."""
        same = (matches.c.game == game, matches.c.seed == seed, matches.c.challenge.is_(None))

        def adopt(connection: sa.Connection) -> None:
            adopted = connection.scalars(sa.select(matches.c.id).where(*same)).all()
            if not adopted:
                return
            connection.execute(sa.update(matches).where(*same).values(challenge=challenge))
            order = matches.c.origin.is_not(None), matches.c.created
            mine = matches.c.id.in_(adopted)
            holders = sa.select(seats.c.guest, matches.c.id).join(matches, matches.c.id == seats.c.match)
            hosts = sa.select(matches.c.owner, matches.c.id).where(mine, matches.c.owner.is_not(None))
            for query in (holders.where(mine, seats.c.guest.is_not(None)), hosts):
                for guest, match in connection.execute(query.order_by(*order)).all():
                    self._note(connection, challenge, guest, match)

        await self.database.write(adopt)

    # Who has seen a deal

    @contextlib.asynccontextmanager
    async def noting(self, challenge: str, guest: str, match: str) -> AsyncIterator[bool]:
        """Note that a guest sees a deal in a match, and tell whether the guest knew it from another one. If what
        follows fails, a first note is taken back."""
        note = await self.database.write(lambda connection: self._note(connection, challenge, guest, match))
        try:
            yield note.known
        except BaseException:
            if note.is_new:
                await self.database.execute(sa.delete(challenge_guests).where(_is_note(challenge, guest)))
            raise

    def _note(self, connection: sa.Connection, challenge: str, guest: str, match: str) -> _Note:
        new = self._insert(challenge_guests).values(challenge=challenge, guest=guest, match=match, again=False)
        if connection.execute(new.on_conflict_do_nothing()).rowcount:
            return _Note(is_new=True, known=False)
        this = _is_note(challenge, guest)
        elsewhere = this & (challenge_guests.c.match != match)
        connection.execute(sa.update(challenge_guests).where(elsewhere).values(again=True))
        noted = connection.execute(sa.select(challenge_guests).where(this)).one()
        return _Note(is_new=False, known=bool(noted.again))

    async def first_match(self, challenge: str, guest: str) -> str | None:
        """The match in which a guest saw a deal first."""
        row = await self.database.one(sa.select(challenge_guests.c.match).where(_is_note(challenge, guest)))
        return None if row is None else row.match

    async def mark_known(self, match: str) -> None:
        await self.database.execute(sa.update(matches).where(matches.c.id == match).values(known=True))

    async def running(self, challenge: str, guest: str) -> str | None:
        """The running match of a challenge in which a guest has a seat, the first if there are several."""
        query = sa.select(matches.c.id).join(seats, seats.c.match == matches.c.id)
        query = query.where(matches.c.challenge == challenge, matches.c.ended.is_(None), seats.c.guest == guest)
        row = await self.database.one(query.order_by(matches.c.created).limit(1))
        return None if row is None else row.id

    async def has_finished(self, challenge: str, guest: str) -> bool:
        """Whether a guest has a seat in a finished match of a challenge."""
        query = sa.select(matches.c.id).join(seats, seats.c.match == matches.c.id)
        over = (matches.c.ended.is_not(None), matches.c.ended != CLOSED)
        query = query.where(matches.c.challenge == challenge, *over, seats.c.guest == guest)
        return await self.database.one(query.limit(1)) is not None

    # Results

    async def results(self, challenge: str) -> list[Row]:
        """Summaries of the finished matches of a challenge that were played from the deal on."""
        over = (matches.c.ended.is_not(None), matches.c.ended != CLOSED, matches.c.origin.is_(None))
        query = SUMMARIES.where(matches.c.challenge == challenge, *over)
        return await self.database.all(query.order_by(matches.c.created.desc()).limit(BOARD_LENGTH))

    async def count_begun(self, challenge: str) -> int:
        query = sa.select(sa.func.count()).where(matches.c.challenge == challenge, matches.c.origin.is_(None))
        return int((await self.database.all(query))[0][0])

    async def last_states(self, ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        """The last numbers of the logs of several matches, and the states there."""
        if not ids:
            return {}
        last = sa.select(actions.c.match, sa.func.max(actions.c.seq).label("seq")).where(actions.c.match.in_(ids))
        newest = last.group_by(actions.c.match).subquery()
        query = sa.select(actions.c.match, actions.c.seq, actions.c.state).join(
            newest, (newest.c.match == actions.c.match) & (newest.c.seq == actions.c.seq)
        )
        return {row.match: (row.seq, bytes(row.state)) for row in await self.database.all(query)}

    async def days_of(self, guest: str) -> list[Row]:
        """A guest's matches of deals of the day with their games, days and difficulties, and how they ended."""
        columns = (challenges.c.game, challenges.c.day, challenges.c.level)
        query = (
            sa.select(*columns, matches.c.id, matches.c.created, matches.c.ended, matches.c.result, matches.c.known)
            .join(matches, matches.c.challenge == challenges.c.id)
            .where(challenges.c.day.is_not(None), matches.c.origin.is_(None))
            .where(sa.exists().where(seats.c.match == matches.c.id, seats.c.guest == guest))
        )
        return await self.database.all(query.order_by(matches.c.created))

    async def known_to(self, guest: str) -> list[Row]:
        """The challenges that a guest has made or seen, without their seeds."""
        columns: list[sa.ColumnElement[Any]] = [column for column in challenges.c if column.name != "seed"]
        seen = sa.select(challenge_guests.c.challenge).where(challenge_guests.c.guest == guest)
        query = sa.select(*columns).where(sa.or_(challenges.c.owner == guest, challenges.c.id.in_(seen)))
        return await self.database.all(query.order_by(challenges.c.created))
