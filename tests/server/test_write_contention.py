"""Other programs and other requests that write to the same SQLite file: whoever writes waits, and nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from skerry.games import all_games, find_game
from skerry.server import database, log_writer
from skerry.server.app import make_app, services_in
from skerry.server.settings import Settings
from skerry.server.writer_thread import WriterThread
from tests.server.conftest import Guest, client_of

pytestmark = pytest.mark.anyio

SHORT = 0.2  # seconds that a write waits for another program, where a test waits for the end of its patience
# Work of some tens of milliseconds inside SQLite, which holds the lock meanwhile.
SLOW_GUESTS = """
    CREATE VIEW slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000) SELECT i FROM n;
    CREATE TRIGGER slow_guests AFTER INSERT ON guests BEGIN SELECT count(*) FROM slow; END;
"""


@dataclass
class Table:
    """A server with a match between two guests, and a second program that can write to its database."""

    client: httpx.AsyncClient
    app: Any
    ana: Guest
    ben: Guest
    match: str
    file: Path

    @classmethod
    async def open(cls, client: httpx.AsyncClient, app: Any, file: Path) -> Table:
        ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
        match = await ana.open("cartagena", ["me", "me"], options={"players": 2})
        return cls(client, app, ana, ben, match["id"], file)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Let another program write, and not end."""
        with contextlib.closing(sqlite3.connect(self.file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")

    @property
    def writer(self) -> WriterThread:
        sqlite_writer = services_in(self.app).store.database.sqlite_writer
        assert sqlite_writer is not None
        return sqlite_writer.thread

    def next_write(self) -> asyncio.Future[None]:
        """Done when the writer thread begins with something."""
        loop = asyncio.get_running_loop()
        begun = loop.create_future()
        run = self.writer.run

        def run_and_tell(work: Callable[[], Any]) -> Any:
            def begin() -> Any:
                loop.call_soon_threadsafe(begun.set_result, None)
                return work()

            self.writer.run = run  # type: ignore[method-assign]
            return run(begin)

        self.writer.run = run_and_tell  # type: ignore[assignment,method-assign]
        return begun


Request = Callable[[Table], Awaitable[httpx.Response]]


@contextlib.asynccontextmanager
async def table_in(settings: Settings) -> AsyncIterator[Table]:
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        yield await Table.open(client, app, settings.data / "skerry.db")


@pytest.fixture
async def table(settings: Settings) -> AsyncIterator[Table]:
    async with table_in(settings) as table:
        yield table


@pytest.fixture
async def impatient_table(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """A server that soon gives up waiting for other programs."""
    for module in (database, log_writer):
        monkeypatch.setattr(module, "BUSY_TIMEOUT", SHORT)
    async with table_in(settings) as table:
        yield table


async def register(table: Table) -> httpx.Response:
    return await table.client.post("/api/v1/guests", json={"name": "Eve"})


async def rename(table: Table) -> httpx.Response:
    return await table.ben.ask("PATCH", "/me", json={"name": "Benjamin"})


async def leave_for_good(table: Table) -> httpx.Response:
    return await table.ben.ask("DELETE", "/me")


async def open_match(table: Table) -> httpx.Response:
    return await table.ana.ask("POST", "/matches", json={"game": "hashi", "seats": ["me"]})


async def free_a_seat(table: Table) -> httpx.Response:
    return await table.ana.sit(table.match, 1, "open")


async def act(table: Table) -> httpx.Response:
    view = await table.ana.view(table.match, 0)
    seat = view["waiting"][0]
    action = (await table.ana.view(table.match, seat))["legal"][0]["action"]
    return await table.ana.act(table.match, seat, action, view["seq"], key="once")


WRITES = (register, rename, leave_for_good, open_match, free_a_seat, act)


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)
async def test_a_request_waits_for_another_program(table: Table, write: Request) -> None:
    with table.locked():
        begun = table.next_write()
        answer = asyncio.ensure_future(write(table))
        await begun
        assert not answer.done()
    assert (await answer).is_success


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)
async def test_a_request_that_waits_too_long_is_to_be_repeated(impatient_table: Table, write: Request) -> None:
    table = impatient_table
    with table.locked():
        refused = await write(table)
    assert refused.status_code == 503 and int(refused.headers["retry-after"]) >= 1
    assert refused.json()["error"]["code"] == "store-down"
    assert "try again" in refused.json()["error"]["message"]
    assert (await write(table)).is_success, "and once the other program has ended, it is done"


async def test_an_action_that_was_refused_is_not_in_the_log(impatient_table: Table) -> None:
    table = impatient_table
    with table.locked():
        assert (await act(table)).status_code == 503
    assert (await table.ana.view(table.match, 0))["seq"] == 0
    assert (await act(table)).json() == {"seq": 1}


async def test_people_can_look_while_another_program_writes(table: Table) -> None:
    with table.locked():
        assert (await table.ana.view(table.match, 0))["seq"] == 0
        assert (await table.client.get(f"/m/{table.match}", headers=table.ana.headers)).status_code == 200


async def test_many_requests_do_not_shut_each_other_out(impatient_table: Table) -> None:
    """Each holds the lock for long, and all of them for longer than one of them may wait for another program."""
    table = impatient_table
    with contextlib.closing(sqlite3.connect(table.file)) as other:
        other.executescript(SLOW_GUESTS)
    table.writer.timeout = 60  # for a turn, which is something else
    answers = await asyncio.gather(*(register(table) for _ in range(16)))
    assert [answer.status_code for answer in answers] == [201] * 16


async def test_a_request_whose_turn_does_not_come_is_to_be_repeated(impatient_table: Table) -> None:
    """Nobody waits for those who wait: all are answered in the time that two of them may take."""
    table = impatient_table
    with table.locked():
        answers = await asyncio.gather(*(register(table) for _ in range(20)))
    assert {answer.status_code for answer in answers} == {503}
    assert (await register(table)).status_code == 201
