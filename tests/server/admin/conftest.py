"""Databases with played matches, for the commands of an administrator."""

from __future__ import annotations

import asyncio
import random
import secrets
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from skerry.games import all_games, find_game
from skerry.server.admin.backup import back_up
from skerry.server.admin.restoration import restore
from skerry.server.app import make_app
from skerry.server.database import Database
from skerry.server.sessions import FindGame
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of
from tests.server.server_main import FREE

SECRET = "a secret of the test"


def silent(done: int, total: int, /) -> None:
    """Show no progress."""


def url_of(database: str) -> str:
    """A database's URL as the settings give it to the commands."""
    return Settings(database=database).database_url


@asynccontextmanager
async def server_on(database: str, find: FindGame = find_game) -> AsyncIterator[Any]:
    """A client of a server on a database."""
    settings = Settings(database=database, pace=0, secret=SECRET, limits=FREE)
    async with client_of(make_app(settings, lambda: [find(game.name) for game in all_games()], find)) as client:
        yield client


async def play(guest: Guest, match: str, chance: random.Random, most: int) -> None:
    """Play random actions, some of which are taken back, at all seats of a guest until the end."""
    for _ in range(most):
        standing = (await guest.ask("GET", f"/matches/{match}")).json()
        if standing["result"] is not None:
            return
        seat = chance.choice(standing["waiting"])
        view = await guest.view(match, seat)
        if view["undo"] and chance.random() < 0.2:
            answer = await guest.ask("POST", f"/matches/{match}/undo", json={"seat": seat, "seq": view["seq"]})
        else:
            answer = await guest.act(match, seat, chance.choice(view["legal"])["action"], view["seq"])
        assert answer.status_code == 200, answer.text


async def _played(folder: Path) -> Path:
    """A backup of a database with matches of all games: two that are over and two that are running."""
    database = f"sqlite:///{folder / 'played.db'}"
    chance = random.Random(7)
    async with server_on(database) as client:
        ana = await Guest.register(client, "Ana")
        for game, players, most in (
            ("forbidden-island", 2, 10**6),
            ("forbidden-desert", 2, 10**6),
            ("cartagena", 2, 40),
            ("hashi", 1, 40),
        ):
            match = await ana.open(game, ["me"] * players, options={"players": players})
            await play(ana, match["id"], chance, most)
    await back_up(url_of(database), folder / "played.skerry", False, silent)
    return folder / "played.skerry"


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a database with played matches, always the same. Whoever changes something restores it into a
    database of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "randbits", random.Random(7).getrandbits)  # the seeds of matches
        return asyncio.run(_played(tmp_path_factory.mktemp("played")))


class PlayedDatabase:
    """A database with played matches that a test may change."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.url = url_of(database)

    async def execute(self, statement: Any) -> int:
        """Change rows, as somebody who edits the database by hand; how many were changed."""
        database = Database(self.url)
        try:
            return await database.write(lambda connection: int(connection.execute(statement).rowcount))
        finally:
            await database.close()

    async def all(self, query: sa.Select[Any]) -> list[Any]:
        database = Database(self.url)
        try:
            return await database.all(query)
        finally:
            await database.close()


@pytest.fixture
async def kept(database: str, played: Path) -> PlayedDatabase:
    """The played matches in a database of each kind."""
    await restore(url_of(database), played, False, silent)
    return PlayedDatabase(database)


@pytest.fixture
async def kept_in_file(tmp_path: Path, played: Path) -> PlayedDatabase:
    """The played matches in an SQLite file."""
    await restore(url_of(f"sqlite:///{tmp_path / 'kept.db'}"), played, False, silent)
    return PlayedDatabase(f"sqlite:///{tmp_path / 'kept.db'}")


def dump(file: Path) -> list[str]:
    """Everything in an SQLite file."""
    connection = sqlite3.connect(file)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()
