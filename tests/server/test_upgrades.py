"""Matches of earlier versions of the rules: they go on or can be watched, and none of them fails a list or a start."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event

from skerry.engine.errors import UnknownGame
from skerry.engine.game import Game
from skerry.engine.game_record import read_record
from skerry.engine.upgrades import Upgrade
from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.database import NewerDatabase
from skerry.server.services import open_store
from skerry.server.settings import Settings
from skerry.server.store import Store
from tests.server.conftest import Guest, client_of
from tests.server.server_main import FREE

pytestmark = pytest.mark.anyio

TEXT = "Captains draw one card more."
ENDING = b"\0" * 8  # a field that the states of version 1 have at their end
SHIFT = 3  # what version 2 added to the number of every action


def old_state(content: bytes) -> bytes:
    """A state as version 1 of these tests' rules stored it."""
    return content + ENDING


UPGRADE = Upgrade(
    text=TEXT,
    continues=True,
    state=lambda content: content.removesuffix(ENDING),
    action=lambda action: action - SHIFT,
    options=lambda options: {name: value for name, value in options.items() if name != "wind"},
    event=lambda row: None if row[0] < 0 else row,
)


def cartagena(version: int, *upgrades: Upgrade) -> Game:
    """Cartagena with a number of versions before its rules of today."""
    game = dataclasses.replace(find_game("cartagena"), version=version)
    game.__dict__["upgrades"] = upgrades
    return game


def server_with(tmp_path: Path, *games: Game) -> AbstractAsyncContextManager[httpx.AsyncClient]:
    """A server that has these games only."""
    by_name = {game.name: game for game in games}

    def find(name: str) -> Game:
        if name not in by_name:
            raise UnknownGame(f"no {name}")
        return by_name[name]

    settings = Settings(data=tmp_path, pace=0, secret="a secret of the test", limits=FREE)
    return client_of(make_app(settings, lambda: list(games), find))


@contextmanager
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(tmp_path / "skerry.db")
    with connection:
        yield connection
    connection.close()


def write_as_version_1(tmp_path: Path) -> None:
    """Rewrite what is stored as version 1 of these tests' rules would have stored it."""
    with database(tmp_path) as connection:
        for match, options, start in connection.execute("SELECT id, options, start FROM matches").fetchall():
            options = json.dumps({**json.loads(options), "wind": "east"})
            values = options, old_state(start), match
            connection.execute("UPDATE matches SET options = ?, start = ? WHERE id = ?", values)
        for match, seq, action, rows, state in connection.execute(
            "SELECT match, seq, action, rows, state FROM actions"
        ).fetchall():
            events = json.loads(rows)
            events = [[events[0][0] + SHIFT]] if action == -1 else [[-1, 0, 0, 0, 0, 0], *events]
            action = action if action < 0 else action + SHIFT
            connection.execute(
                "UPDATE actions SET action = ?, rows = ?, state = ? WHERE match = ? AND seq = ?",
                (action, json.dumps(events).encode(), old_state(state), match, seq),
            )


@dataclasses.dataclass
class Past:
    """What was played before the upgrade: by whom, and what they saw then."""

    token: str
    running: str
    finished: str
    view: dict[str, Any]
    steps: list[dict[str, Any]]
    record: str
    match: dict[str, Any]


@pytest.fixture
async def past(tmp_path: Path) -> Past:
    """A running match with an undo in it and a finished one, stored as version 1 would have."""
    async with server_with(tmp_path, cartagena(1)) as client:
        ana = await Guest.register(client, "Ana")
        running = (await ana.open("cartagena", ["me", "me"], options={"players": 2, "first": 0}))["id"]
        for _ in range(5):
            await ana.play_first(running, (await ana.ask("GET", f"/matches/{running}")).json()["waiting"][0])
        finished = (await ana.open("cartagena", ["random", "random"], options={"players": 2, "pirates": 4}))["id"]
        while not (await ana.ask("GET", f"/matches/{finished}")).json()["result"]:
            await asyncio.sleep(0.02)
        past = Past(
            ana.token,
            running,
            finished,
            await ana.view(running, 0),
            (await ana.ask("GET", f"/matches/{finished}/steps")).json(),
            (await ana.ask("GET", f"/matches/{finished}/record")).text,
            (await ana.ask("GET", f"/matches/{finished}")).json(),
        )
    write_as_version_1(tmp_path)
    return past


# Going on


async def test_a_running_match_goes_on_under_the_new_rules_and_says_so(tmp_path: Path, past: Past) -> None:
    async with server_with(tmp_path, cartagena(2, UPGRADE)) as client:
        ana = Guest(client, "Ana", past.token)
        view = await ana.view(past.running, 0)
        assert view["view"] == past.view["view"] and view["seq"] == past.view["seq"] + 1
        (told,) = (await ana.ask("GET", f"/matches/{past.running}/steps", params={"since": past.view["seq"]})).json()
        assert told["seat"] is None and TEXT in told["words"][0]
        waiting = (await ana.ask("GET", f"/matches/{past.running}")).json()["waiting"][0]
        assert await ana.play_first(past.running, waiting) > view["seq"]
        assert TEXT in (await client.get(f"/m/{past.running}", headers=ana.headers)).text


async def test_it_is_announced_once_however_often_it_is_opened(tmp_path: Path, past: Past) -> None:
    for _ in range(2):
        async with (
            server_with(tmp_path, cartagena(2, UPGRADE)) as one,
            server_with(tmp_path, cartagena(2, UPGRADE)) as other,
        ):
            views = await asyncio.gather(
                *(Guest(client, "Ana", past.token).view(past.running, 0) for client in (one, other, one, other))
            )
            assert {view["seq"] for view in views} == {past.view["seq"] + 1}


async def test_what_was_done_under_the_old_rules_is_not_undone_under_the_new(tmp_path: Path, past: Past) -> None:
    async with server_with(tmp_path, cartagena(2, UPGRADE)) as client:
        ana = Guest(client, "Ana", past.token)
        for seat in (0, 1):
            view = await ana.view(past.running, seat)
            undo = await ana.ask("POST", f"/matches/{past.running}/undo", json={"seat": seat, "seq": view["seq"]})
            assert not view["undo"] and undo.status_code == 409


async def test_its_record_tells_where_the_rules_changed(tmp_path: Path, past: Past) -> None:
    two = cartagena(2, UPGRADE)
    async with server_with(tmp_path, two) as client:
        ana = Guest(client, "Ana", past.token)
        while not (match := (await ana.ask("GET", f"/matches/{past.running}")).json())["result"]:
            await ana.play_first(past.running, match["waiting"][0])
        record = (await ana.ask("GET", f"/matches/{past.running}/record")).text
    assert record.splitlines()[1] == "game cartagena 1" and record.splitlines().count("rules 2") == 1
    replayed = read_record(record, lambda name: two)
    assert replayed.result is not None and replayed.result.reason == match["result"]["ending"]


async def test_several_upgrades_are_applied_in_order(tmp_path: Path, past: Past) -> None:
    again = dataclasses.replace(UPGRADE, text="Hats are lucky.", state=bytes, action=int, event=tuple, options=dict)
    async with server_with(tmp_path, cartagena(3, UPGRADE, again)) as client:
        ana = Guest(client, "Ana", past.token)
        assert (await ana.view(past.running, 0))["view"] == past.view["view"]
        (told,) = (await ana.ask("GET", f"/matches/{past.running}/steps", params={"since": past.view["seq"]})).json()
        assert TEXT in told["words"][0] and "Hats are lucky." in told["words"][0]


# Watching


async def test_a_match_that_cannot_go_on_is_closed_and_can_be_watched(tmp_path: Path, past: Past) -> None:
    closing = dataclasses.replace(UPGRADE, continues=False)
    async with server_with(tmp_path, cartagena(2, closing)) as client:
        ana = Guest(client, "Ana", past.token)
        view = await ana.view(past.running, 0)
        assert view["view"] == past.view["view"] and view["seq"] == past.view["seq"]
        assert view["legal"] == [] and view["waiting"] == [] and TEXT in view["prompt"]
        refused = await ana.act(past.running, 0, past.view["legal"][0]["action"], view["seq"])
        assert refused.status_code == 422 and TEXT in refused.json()["error"]["message"]
        for page in ("", "/replay", "/replay?at=0"):
            shown = await client.get(f"/m/{past.running}{page}", headers=ana.headers)
            assert shown.status_code == 200, page
        record = await ana.ask("GET", f"/matches/{past.running}/record")
        assert record.status_code == 200 and record.text.startswith("skerry record 1")
        (listed,) = [one for one in (await ana.ask("GET", "/matches?mine=true")).json() if one["id"] == past.running]
        assert TEXT in listed["problem"]
        play_on = await client.post(f"/m/{past.running}/play-on", headers=ana.headers, data={"at": "1", "seat": "0"})
        assert play_on.status_code == 422


async def test_a_closed_match_goes_on_once_there_is_a_way(tmp_path: Path, past: Past) -> None:
    async with server_with(tmp_path, cartagena(2, dataclasses.replace(UPGRADE, continues=False))) as client:
        await Guest(client, "Ana", past.token).view(past.running, 0)
    async with server_with(tmp_path, cartagena(2, UPGRADE)) as client:
        ana = Guest(client, "Ana", past.token)
        waiting = (await ana.ask("GET", f"/matches/{past.running}")).json()["waiting"][0]
        await ana.play_first(past.running, waiting)


@pytest.mark.parametrize("continues", [True, False])
async def test_a_finished_match_is_read_as_it_was_played(tmp_path: Path, past: Past, continues: bool) -> None:
    async with server_with(tmp_path, cartagena(2, dataclasses.replace(UPGRADE, continues=continues))) as client:
        ana = Guest(client, "Ana", past.token)
        assert (await ana.ask("GET", f"/matches/{past.finished}")).json()["result"] == past.match["result"]
        assert (await ana.ask("GET", f"/matches/{past.finished}/steps")).json() == past.steps
        written = (await ana.ask("GET", f"/matches/{past.finished}/record")).text.splitlines()
        assert written[:-1] == past.record.splitlines()[:-1]
        assert (await client.get(f"/m/{past.finished}/replay?at=1")).status_code == 200


async def test_a_result_is_not_judged_anew(tmp_path: Path, past: Past) -> None:
    with database(tmp_path) as connection:
        result = json.dumps({"winners": [1], "scores": [3.0, 70.0], "won": True})
        connection.execute("UPDATE matches SET result = ? WHERE id = ?", (result, past.finished))
    async with server_with(tmp_path, cartagena(2, UPGRADE)) as client:
        answer = (await client.get(f"/api/v1/matches/{past.finished}")).json()["result"]
        assert answer["winners"] == [1] and answer["scores"] == [3.0, 70.0]


# One bad match fails no other


def spoil(tmp_path: Path, match: str, **columns: Any) -> None:
    with database(tmp_path) as connection:
        for column, value in columns.items():
            connection.execute(f"UPDATE matches SET {column} = ? WHERE id = ?", (value, match))


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"game": "mah-jongg"}, "mah-jongg is not installed"),
        ({"version": 7}, "version 7 of the rules"),
        ({"options": "{"}, "damaged"),
        ({"options": '{"players": 99}'}, "cannot be opened here"),
        ({"start": b"short"}, "damaged"),
        ({"seed": "many"}, "damaged"),
    ],
)
async def test_a_match_that_cannot_be_opened_says_why_and_fails_no_list(
    tmp_path: Path, past: Past, columns: dict[str, Any], words: str
) -> None:
    async with server_with(tmp_path, cartagena(2, UPGRADE)) as client:
        ana = Guest(client, "Ana", past.token)
        listed = (await ana.open("cartagena", ["me", "open"], listed=True, options={"first": 0}))["id"]
    spoil(tmp_path, past.running, **columns)
    spoil(tmp_path, past.running, listed=1)
    async with server_with(tmp_path, cartagena(2, UPGRADE)) as client:
        ana = Guest(client, "Ana", past.token)
        for path in ("/matches", "/matches?mine=true"):
            found = {one["id"] for one in (await ana.ask("GET", path)).json()}
            assert {listed, past.running} <= found
        for headers in ({}, ana.headers):
            lobby = await client.get("/", headers=headers)
            assert lobby.status_code == 200 and listed in lobby.text and past.running in lobby.text
        for path in (f"/m/{past.running}", f"/api/v1/matches/{past.running}/view"):
            refused = await client.get(path, headers=ana.headers)
            assert refused.status_code == 409 and words in refused.text
        assert await ana.play_first(listed, 0) == 1


async def test_a_damaged_log_fails_its_match_only(tmp_path: Path, past: Past) -> None:
    with database(tmp_path) as connection:
        connection.execute("UPDATE actions SET state = x'00' WHERE match = ?", (past.running,))
    async with server_with(tmp_path, cartagena(2, UPGRADE)) as client:
        ana = Guest(client, "Ana", past.token)
        assert (await ana.ask("GET", f"/matches/{past.running}")).status_code == 409
        assert (await ana.ask("GET", f"/matches/{past.finished}")).status_code == 200
        counted = (await client.get("/metrics")).text
        assert 'skerry_contained_faults_total{part="match"}' in counted


# Downgrades


async def test_a_database_of_later_rules_is_refused_untouched(tmp_path: Path, past: Past) -> None:
    async with server_with(tmp_path, cartagena(2, UPGRADE)):
        pass
    with database(tmp_path) as connection:
        before = list(connection.iterdump())
    with pytest.raises(NewerDatabase, match="version 2 of the rules of cartagena"):
        async with server_with(tmp_path, cartagena(1)):
            pass
    with database(tmp_path) as connection:
        assert list(connection.iterdump()) == before


async def test_a_database_of_a_later_program_is_refused_untouched(tmp_path: Path, past: Past) -> None:
    with database(tmp_path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        before = list(connection.iterdump())
    with pytest.raises(NewerDatabase, match="9999"):
        await open_store(Store(Settings(data=tmp_path).database_url), all_games())
    with database(tmp_path) as connection:
        assert list(connection.iterdump()) == before


# Lists


async def test_lists_are_read_by_a_few_statements_and_load_no_session(settings: Settings) -> None:
    async with client_of(make_app(settings, all_games, find_game)) as client:
        ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
        games = all_games()
        ids = {(await ana.open(games[n % 4].name, ["me", "open"], listed=True))["id"] for n in range(40)}
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        services = services_in(app)
        statements: list[str] = []
        event.listen(
            services.store.database.engine.sync_engine,
            "before_cursor_execute",
            lambda connection, cursor, statement, *more: statements.append(statement),
        )
        ana, ben = Guest(client, "Ana", ana.token), Guest(client, "Ben", ben.token)
        for guest, path in ((ana, "/"), (ben, "/"), (ana, "/api/v1/matches?mine=true"), (ben, "/api/v1/matches")):
            statements.clear()
            answer = await client.get(path, headers=guest.headers | {"cookie": f"skerry={guest.token}"})
            assert all(match in answer.text for match in ids)
            assert len(statements) <= 12, statements  # with those of a server that starts
        assert not services.sessions.in_memory


async def test_a_list_says_the_same_as_the_match_itself(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    for game in all_games():
        match = (await ana.open(game.name, ["me"] * game.configure({}).players, listed=True))["id"]
        for _ in range(3):
            waiting = (await ana.ask("GET", f"/matches/{match}")).json()["waiting"]
            await ana.play_first(match, waiting[0])
            (listed,) = [one for one in (await ana.ask("GET", "/matches")).json() if one["id"] == match]
            assert listed == (await ana.ask("GET", f"/matches/{match}")).json()
