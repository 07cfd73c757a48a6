"""A graceful stop: clients that do not read and requests that take long hold it up for seconds, and for one line."""

from __future__ import annotations

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any, cast

import pytest
from uvicorn.server import ServerState

from skerry.server.connections import STUCK, Connections
from skerry.server.middleware import RequestMiddleware
from tests.server.conftest import Guest
from tests.server.server_processes import ServerProcess, connect, running
from tests.server.test_stalled_clients import connect_stalled, median_seconds

pytestmark = pytest.mark.anyio


async def test_a_client_that_does_not_read_holds_up_a_stop_for_seconds_and_one_line(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'table.db'}"
    server = ServerProcess(tmp_path, ("forbidden-island",), database=database, line=4096)
    with running(server), contextlib.ExitStack() as leaving:
        async with connect(server) as client:
            ana = await Guest.register(client, "Ana")
            match = (await ana.open("forbidden-island", ["me", "me"], options={"players": 2, "first": 0}))["id"]
            await connect_stalled(server, ana, match, 0, leaving)
            await median_seconds(ana, match, 60)
        await asyncio.to_thread(server.stop)
    (line,) = map(json.loads, server.log().splitlines())
    assert (line["what"], line["count"]) == ("clients that did not read were disconnected", 1)


class FakeConnection:
    """A connection, as far as its transport matters."""

    def __init__(self) -> None:
        self.transport = self
        self.unread = 0
        self.cut = False

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.cut = True


def test_only_clients_that_read_nothing_at_all_are_cut() -> None:
    state = ServerState()
    idle, stuck, slow = connections = [FakeConnection() for _ in range(3)]
    state.connections.update(cast(Any, connections))
    watched = Connections(state)
    stuck.unread = 5000
    for step in range(10):
        slow.unread = 90_000 - step
        watched.cut_stuck(step * STUCK / 9)
    assert (idle.cut, stuck.cut, slow.cut) == (False, True, False)


async def test_a_request_that_is_cancelled_by_a_stop_is_told_to_try_again() -> None:
    begun = asyncio.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    sent: list[Any] = []
    app = RequestMiddleware(slow, 1000, ())
    scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    request = asyncio.ensure_future(app(scope, cast(Any, None), send))
    await begun.wait()
    app.stopping = True
    request.cancel()
    await request
    assert sent[0]["status"] == 503 and json.loads(sent[1]["body"])["error"]["code"] == "stopping"
