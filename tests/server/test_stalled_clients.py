"""Clients that do not read their event streams: they cost little, delay nobody, and catch up later."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import Guest
from tests.server.event_streams import OpenPage, messages
from tests.server.server_processes import ServerProcess, connect, running
from tests.server.simulated_players import Listener
from tests.server.waiting import until

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("pairs", [100, pytest.param(3000, marks=pytest.mark.slow)])
async def test_clients_that_do_not_read_cost_little_and_catch_up(tmp_path: Path, pairs: int) -> None:
    database = f"sqlite:///{tmp_path / 'table.db'}"
    server = ServerProcess(tmp_path, ("forbidden-island",), database=database, line=4096)
    with running(server), contextlib.ExitStack() as leaving:
        async with connect(server) as client:
            ana = await Guest.register(client, "Ana")
            match = (await ana.open("forbidden-island", ["me", "me"], options={"players": 2, "first": 0}))["id"]
            alone = await median_seconds(ana, match, 20)
            page = (await client.get(f"/m/{match}?seat=0", headers=ana.headers)).text
            asleep = [await connect_stalled(server, ana, match, OpenPage(page).seen, leaving) for _ in range(30)]
            awake = Listener(ana, match, 0, OpenPage(page))
            listening = asyncio.create_task(awake.listen(asyncio.Event()))
            await median_seconds(ana, match, 20)
            before = server.memory
            crowded = await median_seconds(ana, match, pairs)
            assert crowded < 5 * alone + 0.05, "other guests wait for them"
            seq = (await ana.view(match))["seq"]

            async def arrived() -> bool:
                return awake.seen == seq

            await until(arrived, 5)
            assert server.memory - before < 24e6, "unread messages pile up"
            fresh = OpenPage((await client.get(f"/m/{match}?seat=0", headers=ana.headers)).text).shown()
            for stalled in asleep[:3]:
                woken = OpenPage(page)
                most = 0
                async with asyncio.timeout(60):
                    while woken.seen < seq:
                        message = await stalled.next_message()
                        most = max(most, len(message["steps"]))
                        woken.receive(message)
                assert most > 20, "the buffers were large enough for all messages: nothing was tested"
                assert woken.shown() == fresh
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


async def median_seconds(guest: Guest, match: str, pairs: int) -> float:
    """Play a step and undo it, repeatedly; return the median seconds of one request."""
    view = await guest.view(match, 0)
    move = next(one["action"] for one in view["legal"] if one["action"].startswith(("move", "shore", "fly")))
    seq, seconds = view["seq"], []
    for _ in range(pairs):
        began = time.monotonic()
        assert (await guest.act(match, 0, move, seq)).status_code == 200
        undone = await guest.ask("POST", f"/matches/{match}/undo", json={"seat": 0, "seq": seq + 1})
        assert undone.status_code == 200
        seconds.append((time.monotonic() - began) / 2)
        seq += 2
    return statistics.median(seconds)


class StalledClient:
    """A client with a small receive buffer that does not read until asked to."""

    def __init__(self, line: socket.socket) -> None:
        self.line = line
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        self.heard = b""

    async def next_message(self) -> dict[str, Any]:
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection(sock=self.line, limit=2**24)
            assert b" 200 " in await self.reader.readuntil(b"\r\n\r\n")
        while not (found := messages(self.heard.rpartition(b"\n\n")[0].decode())):
            size = int(await self.reader.readline(), 16)  # of a chunk
            self.heard += (await self.reader.readexactly(size + 2))[:-2]
        first, _, self.heard = self.heard.partition(b"\n\n")
        if not first.startswith(b"id: "):
            return await self.next_message()
        return found[0][1]

    def leave(self) -> None:
        if self.writer is not None:
            self.writer.transport.abort()
        self.line.close()


async def connect_stalled(
    server: ServerProcess, guest: Guest, match: str, since: int, leaving: contextlib.ExitStack
) -> StalledClient:
    line = socket.socket()
    stalled = StalledClient(line)
    leaving.callback(stalled.leave)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    line.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(line, ("127.0.0.1", server.port))
    asked = f"GET /api/v1/matches/{match}/stream?seat=0&page=true&since={since} HTTP/1.1"
    token = guest.headers["authorization"]
    await loop.sock_sendall(line, f"{asked}\r\nHost: table\r\nAuthorization: {token}\r\n\r\n".encode())
    return stalled
