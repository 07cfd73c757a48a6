"""Match files: one match, exported by one server and imported by another.

The file is an archive of the match's rows without its guests: a seat keeps the name of who held it. An import is
replayed before it is accepted, so that a server takes nothing that its own rules do not give.

- A match that is over keeps the names: each becomes a guest of the new server whom nobody can sign in as.
- In a running match, bots stay, and the other seats are open unless somebody is given for them. It has no clock any
  more, because time would be up before anybody had sat down.
"""

from __future__ import annotations

import contextlib
import json
import math
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from skerry import bots
from skerry.engine.errors import BadOption, Refusal, UnknownSeat
from skerry.engine.game import Game
from skerry.engine.i18n.languages import ENGLISH
from skerry.engine.messages import say
from skerry.engine.upgrades import upgrade_path
from skerry.server.admin import revisions
from skerry.server.admin.archive import MATCH, ArchiveReader, BadArchive, Section, later_version, new_archive
from skerry.server.admin.connection import existing_database, snapshot
from skerry.server.admin.log_check import UNREADABLE, check_match
from skerry.server.admin.stored_match import StoredMatch, StoredSeat, read_match
from skerry.server.errors import MatchNotFound
from skerry.server.identity import clean_name
from skerry.server.match_log import LogRow
from skerry.server.match_service import OPEN, configured
from skerry.server.schema import REVISIONS, actions, guests, matches, seats
from skerry.server.sessions import MATCH_ID, FindGame

# Columns of a match that mean nothing to another server.
OF_THIS_SERVER = ("owner", "next", "origin", "challenge", "known")
SEAT_COLUMNS = ("seat", "name", "bot")


class BadMatchFile(BadArchive):
    """A match file whose match is not what the rules give, or that this server cannot check."""


@dataclass(frozen=True)
class Imported:
    """A match that was imported."""

    id: str
    seats: tuple[StoredSeat, ...]
    had_clock: bool  # which it has lost


async def export_match(url: str, match: str, path: Path, overwrite: bool) -> int:
    """Write a match to a file; the number of rows of its log."""
    async with existing_database(url) as database, snapshot(database) as connection:
        stored = await read_match(connection, match)
    if stored is None:
        raise MatchNotFound("match not found")
    header_columns = tuple(column.name for column in matches.columns if column.name not in OF_THIS_SERVER)
    log_columns = tuple(column.name for column in actions.columns if column.name != "match")
    with new_archive(path, MATCH, revisions.NEWEST, overwrite) as archive:
        archive.begin(Section("match", header_columns, _binary(matches, header_columns)))
        archive.add([getattr(stored.header, name) for name in header_columns])
        archive.begin(Section("seats", SEAT_COLUMNS, ()))
        for seat in stored.seats:
            archive.add([getattr(seat, name) for name in SEAT_COLUMNS])
        archive.begin(Section("actions", log_columns, _binary(actions, log_columns)))
        for row in stored.log:
            archive.add([getattr(row, name) for name in log_columns])
    ArchiveReader(path, MATCH).check()
    return len(stored.log)


def _binary(table: sa.Table, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in columns if isinstance(table.columns[name].type, sa.LargeBinary))


async def import_match(url: str, path: Path, find: FindGame, players: Mapping[int, str], host: str | None) -> Imported:
    """Add a match from a file.

    ``players`` says who plays at some seats: a bot, ``open``, or a guest of this server by id or name. ``host`` is the
    guest who may change the seats of bots.
    """
    stored = _read_file(path)
    over = _check_replays(stored, path, find)
    async with existing_database(url) as database, database.engine.begin() as connection:
        if database.is_sqlite:
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
        holders = await _holders(connection, stored, find(stored.header.game), players, over)
        header = {**vars(stored.header), "id": await _free_id(connection, stored.header.id), "listed": False}
        if host is not None:
            header["owner"] = (await _find_guest(connection, host)).id
        if not over:
            header["clock"] = None
        await _insert(connection, header, holders, stored.log)
    return Imported(header["id"], tuple(holders), header["clock"] != stored.header.clock)


def _check_replays(stored: StoredMatch, path: Path, find: FindGame) -> bool:
    """Refuse a match that is not what the rules give. True if it is over."""
    _check_opens_no_file(stored, find)
    checked = check_match(stored, find)
    if not checked.is_proven:
        raise BadMatchFile(say("the match of {path} does not replay here: {why}", path=str(path), why=checked.why))
    return stored.header.ended is not None or checked.end_is_unmarked


def _check_opens_no_file(stored: StoredMatch, find: FindGame) -> None:
    """Refuse options that would make this server read one of its files."""
    with contextlib.suppress(*UNREADABLE):  # the check of the match says what is wrong with it
        game = find(stored.header.game)
        options = upgrade_path(game, stored.header.version).options(json.loads(stored.header.options))
        configured(game, options)


async def _free_id(connection: AsyncConnection, match: str) -> str:
    """The id of a match, or a new one if there is such a match here."""
    taken = await connection.scalar(sa.select(matches.c.id).where(matches.c.id == match))
    return secrets.token_urlsafe(16) if taken else match


async def _insert(
    connection: AsyncConnection, header: dict[str, Any], holders: Sequence[StoredSeat], log: Sequence[LogRow]
) -> None:
    match = header["id"]
    await connection.execute(sa.insert(matches).values(**header))
    held = [{"match": match, "seat": seat.seat, "guest": seat.guest, "bot": seat.bot} for seat in holders]
    await connection.execute(sa.insert(seats), held)
    if log:
        await connection.execute(sa.insert(actions), [{**vars(row), "match": match} for row in log])


# Reading the file


def _read_file(path: Path) -> StoredMatch:
    """The match of a file. Its columns have the types of the tables; all else is left to the check of the log."""
    archive = ArchiveReader(path, MATCH)
    if archive.manifest.schema not in REVISIONS:
        raise BadMatchFile(later_version(path, archive.manifest.skerry))
    found: dict[str, list[dict[str, Any]]] = {"match": [], "seats": [], "actions": []}
    for row in archive.rows():
        found.setdefault(row.section.name, []).append(dict(zip(row.section.columns, row.values, strict=True)))
    try:
        (columns,) = found["match"]
        header = SimpleNamespace(**_typed(matches, {**dict.fromkeys(OF_THIS_SERVER), **columns}))
        rows = [LogRow(**_typed(actions, {**row, "match": header.id})) for row in found["actions"]]
        holders = [_seat(row) for row in found["seats"]]
    except (ValueError, TypeError, KeyError, Refusal) as error:
        raise BadMatchFile(
            say("the file {path} does not hold a match: {why}", path=str(path), why=str(error))
        ) from None
    if not MATCH_ID.fullmatch(header.id):
        raise BadMatchFile(say("the file {path} does not hold a match: {why}", path=str(path), why="its id is not one"))
    return StoredMatch(header, holders, rows)


def _typed(table: sa.Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a table from a row of a file; columns that a later version has added are empty."""
    if row.keys() - set(table.columns.keys()):
        raise ValueError(f"there is no column {min(row.keys() - set(table.columns.keys()))}")
    return {column.name: _typed_value(column, row.get(column.name)) for column in table.columns}


def _typed_value(column: sa.Column[Any], value: Any) -> Any:
    if value is None and column.nullable:
        return None
    expected = column.type.python_type
    if expected is float and type(value) is int:
        value = float(value)
    if type(value) is not expected or (expected is float and not math.isfinite(value)):
        raise ValueError(f"{column.name} is not {expected.__name__}")
    if expected is str and "\0" in value:
        raise ValueError(f"{column.name} is not text")
    if isinstance(column.type, sa.String) and column.type.length is not None and len(value) > column.type.length:
        raise ValueError(f"{column.name} is too long")
    return value


def _seat(row: Mapping[str, Any]) -> StoredSeat:
    number, name, bot = (row[column] for column in SEAT_COLUMNS)
    if type(number) is not int or not isinstance(name, str | None):
        raise ValueError("a seat has a number and a name")
    return StoredSeat(number, None, _typed_value(seats.c.bot, bot), None if name is None else clean_name(name))


# Who sits where


async def _holders(
    connection: AsyncConnection, stored: StoredMatch, game: Game, players: Mapping[int, str], over: bool
) -> list[StoredSeat]:
    """The seats as they will be: those that were given, and the others as the file has them."""
    last = len(stored.seats) - 1
    for number in players.keys() - range(len(stored.seats)):
        raise UnknownSeat(say("there is no seat {seat}; seats go from 0 to {last}", seat=number, last=last))
    holders = []
    for seat in stored.seats:
        if seat.seat in players:
            holders.append(await _holder(connection, game, seat.seat, players[seat.seat]))
        elif over:
            holders.append(await _with_name(connection, seat))
        else:
            bot = seat.bot if seat.bot is not None and bots.is_bot(game, seat.bot) else None
            holders.append(StoredSeat(seat.seat, None, bot, None))
    return holders


async def _holder(connection: AsyncConnection, game: Game, seat: int, player: str) -> StoredSeat:
    """A seat for the player who was given for it."""
    if player == OPEN:
        return StoredSeat(seat, None, None, None)
    if bots.is_bot(game, player):
        return StoredSeat(seat, None, player, None)
    guest = await _find_guest(connection, player)
    return StoredSeat(seat, guest.id, None, guest.name)


async def _find_guest(connection: AsyncConnection, given: str) -> Any:
    """A guest of this server by id, or by a name that only one has."""
    query = sa.select(guests.c.id, guests.c.name)
    found = (await connection.execute(query.where(guests.c.id == given))).all()
    found = found or (await connection.execute(query.where(guests.c.name == given).limit(2))).all()
    if not found:
        raise BadOption(say("this server has no guest and the game no bot {name!r}", name=given))
    if len(found) > 1:
        raise BadOption(say("several guests are called {name!r}: give an id, as /api/v1/me shows it", name=given))
    return found[0]


async def _with_name(connection: AsyncConnection, seat: StoredSeat) -> StoredSeat:
    """A seat whose name is kept by a new guest."""
    if seat.guest is not None or seat.name is None:
        return seat
    guest = secrets.token_urlsafe(16)
    columns = {"id": guest, "name": seat.name, "language": ENGLISH, "created": time.time()}
    await connection.execute(sa.insert(guests).values(**columns))
    return replace(seat, guest=guest)
