"""A database that version 0.1.0 wrote: its matches are found, look the same, replay, and go on.

``databases/0.1.0.sql.gz`` is a dump with a running and a finished match of each game, ``0.1.0.json.gz`` what that
version answered about them.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import skerry
from skerry.games import all_games, find_game
from skerry.server.app import make_app
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of
from tests.server.server_main import FREE

pytestmark = pytest.mark.anyio
DATABASES = Path(__file__).parent / "databases"


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    with gzip.open(DATABASES / "0.1.0.json.gz", "rt", encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


@pytest.fixture
async def ana(tmp_path: Path, answers: dict[str, Any]) -> AsyncIterator[Guest]:
    """The guest who played, at a server of today on a copy of the old database."""
    with gzip.open(DATABASES / "0.1.0.sql.gz", "rt", encoding="utf-8") as dump:
        connection = sqlite3.connect(tmp_path / "skerry.db")
        connection.executescript(dump.read())
        connection.close()
    settings = Settings(data=tmp_path, pace=0, secret="a secret of the test", limits=FREE)
    async with client_of(make_app(settings, all_games, find_game)) as client:
        yield Guest(client, "Ana", answers["token"].removeprefix("Bearer "))


def matches_of(answers: dict[str, Any], kind: str) -> dict[str, Any]:
    found = {id_: told for id_, told in answers.items() if id_ != "token" and told["kind"] == kind}
    assert len(found) == len(all_games())
    return found


@pytest.mark.parametrize("kind", ["running", "finished"])
async def test_every_match_looks_as_it_did(ana: Guest, answers: dict[str, Any], kind: str) -> None:
    for match, told in matches_of(answers, kind).items():
        for seat, view in told["views"].items():
            assert await ana.view(match, int(seat)) == view, told["game"]


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
