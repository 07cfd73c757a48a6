"""Databases that released versions wrote: their matches are found, look the same, replay, and go on.

``databases/VERSION.sql.gz`` is a dump with a running and a finished match of each game, ``VERSION.json.gz`` what that
version answered about them. ``databases/write.py`` writes both.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import skerry
from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.database import Database
from skerry.server.middleware import RequestMiddleware
from skerry.server.schema import metadata
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of
from tests.server.server_main import FREE
from tests.server.waiting import until

pytestmark = pytest.mark.anyio
DATABASES = Path(__file__).parent / "databases"
PREVIEWS = {"reach"}  # parts of a view that show what can be done, not how the match stands
SINCE_ADDED = {"doubtful"}  # to what views tell of a seat
VERSIONS = sorted(path.name.removesuffix(".sql.gz") for path in DATABASES.glob("*.sql.gz"))


@pytest.fixture(params=VERSIONS, scope="module")
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def answers(version: str) -> dict[str, Any]:
    with gzip.open(DATABASES / f"{version}.json.gz", "rt", encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


@pytest.fixture
async def old_database(version: str, database: str, tmp_path: Path) -> str:
    """A database as the old version left it, on each kind of server."""
    path = tmp_path / "old.db"
    with gzip.open(DATABASES / f"{version}.sql.gz", "rt", encoding="utf-8") as dump:
        connection = sqlite3.connect(path)
        connection.executescript(dump.read())
    if database.startswith("sqlite"):
        connection.close()
        path.rename(tmp_path / "table.db")
    else:
        await copy_tables(connection, database)
        connection.close()
    return database


async def copy_tables(source: sqlite3.Connection, url: str) -> None:
    """Copy the tables of an SQLite database, as its version had them, to another kind of database."""
    ((revision,),) = source.execute("SELECT version_num FROM alembic_version").fetchall()
    source.row_factory = sqlite3.Row
    target = Database(Settings(database=url).database_url)

    def copy(connection: sa.Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "skerry.server:migrations")
        command.upgrade(config, revision)
        written = {name for (name,) in source.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()}
        for table in metadata.sorted_tables:
            if table.name not in written:
                continue
            rows = [dict(row) for row in source.execute(f"SELECT * FROM {table.name}")]
            columns = {column.name: column.type for column in table.columns}
            for row in rows:
                row.update({name: bool(row[name]) for name in row if isinstance(columns[name], sa.Boolean)})
            if rows:
                connection.execute(sa.insert(table), rows)

    async with target.engine.begin() as connection:
        await connection.run_sync(copy)
    await target.close()


@pytest.fixture
def app(old_database: str, tmp_path: Path) -> RequestMiddleware:
    """A server of today on a copy of the old database."""
    settings = Settings(data=tmp_path, database=old_database, pace=0, secret="a secret of the test", limits=FREE)
    return make_app(settings, all_games, find_game)


@pytest.fixture
async def ana(app: RequestMiddleware, answers: dict[str, Any]) -> AsyncIterator[Guest]:
    """The guest who played."""
    async with client_of(app) as client:
        yield Guest(client, "Ana", answers["token"].removeprefix("Bearer "))


def matches_of(answers: dict[str, Any], kind: str) -> dict[str, Any]:
    found = {id_: told for id_, told in answers.items() if id_ != "token" and told["kind"] == kind}
    assert len(found) == len(all_games())
    return found


def without_texts(view: dict[str, Any]) -> dict[str, Any]:
    """A view without its sentences and previews, which may change from version to version."""
    legal = [{**choice, "label": None} for choice in view["legal"]]
    shown = {name: value for name, value in view["view"].items() if name not in PREVIEWS}
    if isinstance(shown.get("seats"), list):
        shown["seats"] = [
            {name: value for name, value in seat.items() if name not in SINCE_ADDED} for seat in shown["seats"]
        ]
    return {**view, "prompt": None, "legal": legal, "view": shown}


def after_upgrade(game: str, kind: str, view: dict[str, Any]) -> dict[str, Any]:
    """A view as it is after the match has gone on under later rules: a line of the log says so, and ends the undo."""
    if kind == "finished" or find_game(game).version == 1:
        return view
    return {**view, "seq": view["seq"] + 1, "undo": False}


@pytest.mark.parametrize("kind", ["running", "finished"])
async def test_every_match_looks_as_it_did(ana: Guest, answers: dict[str, Any], kind: str) -> None:
    for match, told in matches_of(answers, kind).items():
        for seat, view in told["views"].items():
            expected = after_upgrade(told["game"], kind, without_texts(view))
            assert without_texts(await ana.view(match, int(seat))) == expected, told["game"]


async def test_finished_matches_replay(ana: Guest, answers: dict[str, Any]) -> None:
    for match, told in matches_of(answers, "finished").items():
        record = (await ana.ask("GET", f"/matches/{match}/record")).text
        assert record == told["record"] and skerry.replay(record).result is not None


async def test_running_matches_go_on(ana: Guest, answers: dict[str, Any]) -> None:
    for match, told in matches_of(answers, "running").items():
        seat = (await ana.ask("GET", f"/matches/{match}")).json()["waiting"][0]
        seq = await ana.play_first(match, seat)
        assert seq > told["views"][str(seat)]["seq"]


async def test_the_lobby_lists_them(ana: Guest, answers: dict[str, Any]) -> None:
    mine = (await ana.ask("GET", "/matches", params={"mine": True})).json()
    assert {one["id"] for one in mine} == set(answers) - {"token"}


async def test_lists_tell_as_much_of_them_as_of_new_ones(app: RequestMiddleware, ana: Guest) -> None:
    services = services_in(app)

    async def is_complete() -> bool:
        return not await services.store.without_summary(1)

    await until(is_complete)
    for listed in (await ana.ask("GET", "/matches", params={"mine": True})).json():
        told = (await ana.ask("GET", f"/matches/{listed['id']}")).json()
        rules_line = listed["result"] is None and find_game(listed["game"]).version > 1  # written when it is opened
        assert {**listed, "seq": listed["seq"] + rules_line} == told
