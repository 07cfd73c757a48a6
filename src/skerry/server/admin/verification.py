"""Verification: checks every match of a database, and the database itself. Nothing is changed.

People may play meanwhile: each match is read at one moment.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa

from skerry.server.admin.backup import Progress
from skerry.server.admin.connection import existing_database, snapshot
from skerry.server.admin.log_check import CheckedMatch, Fault, check_match
from skerry.server.admin.stored_match import StoredMatch, read_match
from skerry.server.database import FAULTS, Database
from skerry.server.schema import actions, matches, seats
from skerry.server.sessions import FindGame


@dataclass
class Verification:
    """What a verification found."""

    matches: int = 0
    replayed: int = 0  # rows that the rules gave again
    compared: int = 0  # rows that could only be compared with each other
    reasons: Counter[str] = field(default_factory=Counter)  # why so: the number of matches
    unmarked_ends: int = 0
    faults: list[Fault] = field(default_factory=list)

    def add(self, checked: CheckedMatch) -> None:
        self.matches += 1
        self.replayed += checked.replayed
        self.compared += checked.compared
        self.reasons.update([checked.reason] if checked.compared else [])
        self.unmarked_ends += checked.end_is_unmarked
        self.faults += checked.faults

    @contextlib.contextmanager
    def unreadable(self, match: str) -> Iterator[None]:
        """Note it as a fault if the database cannot give what is asked meanwhile, and go on."""
        try:
            yield
        except FAULTS as error:
            self.faults.append(Fault(match, f"the database cannot read it: {getattr(error, 'orig', error)}"))


async def verify(url: str, find: FindGame, progress: Progress) -> Verification:
    """Check a database."""
    found = Verification()
    async with existing_database(url) as database:
        ids: Sequence[str] = ()
        with found.unreadable(""):
            found.faults += [Fault("", text) async for text in _file_faults(database)]
            found.faults += [fault async for fault in _orphans(database)]
        with found.unreadable(""):
            async with snapshot(database) as connection:
                ids = (await connection.scalars(sa.select(matches.c.id).order_by(matches.c.created))).all()
        for number, match in enumerate(ids, 1):
            with found.unreadable(match):
                stored = await _read(database, match)
                if stored is not None:  # otherwise it was deleted meanwhile
                    found.add(check_match(stored, find))
            progress(number, len(ids))
    return found


async def _read(database: Database, match: str) -> StoredMatch | None:
    async with snapshot(database) as connection:
        return await read_match(connection, match)


async def _file_faults(database: Database) -> AsyncIterator[str]:
    """What SQLite finds wrong with its own file."""
    if not database.is_sqlite:
        return
    async with snapshot(database) as connection:
        for (text,) in await connection.exec_driver_sql("PRAGMA integrity_check"):
            if text != "ok":
                yield f"the file is damaged: {text}"


async def _orphans(database: Database) -> AsyncIterator[Fault]:
    """Rows of matches that do not exist."""
    async with snapshot(database) as connection:
        for table in (seats, actions):
            query = sa.select(table.c.match).distinct().where(table.c.match.not_in(sa.select(matches.c.id)))
            for match in await connection.scalars(query):
                yield Fault(match, f"there is no such match, but there are {table.name} of it")
