"""Two real processes on real PostgreSQL and Redis, killed, paused, and cut off: the long form of the simulation.

Two clients play the same matches, one at each process, and repeat what was lost with its key.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.server import backing_services
from tests.server.backing_services import PrivateRedis
from tests.server.conftest import Guest
from tests.server.event_streams import OpenPage
from tests.server.server_processes import ServerProcess
from tests.server.simulated_players import Listener, Player
from tests.server.tcp_proxy import TcpProxy
from tests.server.test_faults import Scenario

pytestmark = pytest.mark.anyio

OPENINGS = [("forbidden-desert", ["me", "me"]), ("forbidden-island", ["me", "random"]), ("cartagena", ["me", "random"])]
CLIENT_PATIENCE = 4.0  # seconds that a client waits for an answer


class SharedScenario(Scenario):
    """Matches that two clients play at the same time, each at a process of its own."""

    def __init__(self, here: httpx.AsyncClient, there: httpx.AsyncClient) -> None:
        super().__init__(here)
        self.there = there

    async def begin(self, count: int = 3) -> None:
        for number in range(count):
            player = await Player.register(self.client, number, *OPENINGS[number % len(OPENINGS)])
            token = player.guest.headers["authorization"].split()[1]
            same = Guest(self.there, player.guest.name, token)
            self.players += [player, Player(same, player.match, random.Random(1000 + number))]
            page = OpenPage(await self._page(player.guest, player.match))
            self.listeners += [Listener(player.guest, player.match, 0, page), Listener(same, player.match, None)]
        self._playing = [asyncio.create_task(player.play(self.stop)) for player in self.players]
        self._listening = [asyncio.create_task(listener.listen(self.leave)) for listener in self.listeners]


@dataclasses.dataclass
class Blows:
    """What can be done to two processes, their database and their Redis."""

    servers: tuple[ServerProcess, ServerProcess]
    networks: dict[str, TcpProxy]
    chance: random.Random
    struck: Counter[str] = dataclasses.field(default_factory=Counter)

    async def strike(self) -> None:
        """Do something bad for a while, then undo it."""
        kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "killed": self._kill,
            "paused": self._pause,
            "database held": lambda: self._network("database", TcpProxy.hold),
            "database refused": lambda: self._network("database", TcpProxy.refuse),
            "redis held": lambda: self._network("redis", TcpProxy.hold),
            "redis refused": lambda: self._network("redis", TcpProxy.refuse),
            "database late": self._delay,
        }
        untried = [kind for kind in kinds if kind not in self.struck]
        kind = self.chance.choice(untried or list(kinds))
        self.struck[kind] += 1
        await kinds[kind]()

    async def _while(self, longest: float = 3.0) -> None:
        await asyncio.sleep(self.chance.uniform(0.3, longest))

    async def _kill(self) -> None:
        server = self.chance.choice(self.servers)
        server.kill()
        await self._while(1.0)
        await asyncio.to_thread(server.start)

    async def _pause(self) -> None:
        """Pause a process for longer than its clients wait: it goes on with what they have repeated elsewhere."""
        server = self.chance.choice(self.servers)
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        try:
            await self._while(2 * CLIENT_PATIENCE)
        finally:
            server.process.send_signal(signal.SIGCONT)

    async def _network(self, which: str, mood: Callable[[TcpProxy], None]) -> None:
        mood(self.networks[which])
        await self._while()
        self.networks[which].heal()

    async def _delay(self) -> None:
        self.networks["database"].delay = self.chance.uniform(0.01, 0.3)
        await self._while()
        self.networks["database"].heal()


@pytest.mark.parametrize("count", [7, pytest.param(100, marks=pytest.mark.slow)])
async def test_two_processes_survive_kills_pauses_and_partitions(tmp_path: Path, count: int) -> None:
    chance = random.Random(count)
    with PrivateRedis() as redis, backing_services.postgresql_database() as database:
        database_at = urlsplit(database)
        networks = {"database": TcpProxy(database_at.port or 5432), "redis": TcpProxy(redis.port)}
        async with networks["database"].running() as to_database, networks["redis"].running() as to_redis:
            shared: dict[str, Any] = {
                "database": database_at._replace(netloc=_at_port(database_at.netloc, to_database.port)).geturl(),
                "redis": f"redis://127.0.0.1:{to_redis.port}/0",
                "heartbeat": 2.0,
            }
            servers = ServerProcess(tmp_path, **shared), ServerProcess(tmp_path, **shared)
            blows = Blows(servers, networks, chance)
            async with started(*servers):
                await _play_under(blows, count, database)
            assert sum(blows.struck.values()) == count and len(blows.struck) == 7
            for server in servers:
                traces = [line for line in server.log().splitlines() if "Traceback" in line]
                assert not [line for line in traces if "StoreDown" not in line], "a fault that is not the database's"


async def _play_under(blows: Blows, count: int, database: str) -> None:
    here, there = blows.servers
    async with (
        httpx.AsyncClient(base_url=here.url, timeout=CLIENT_PATIENCE) as one,
        httpx.AsyncClient(base_url=there.url, timeout=CLIENT_PATIENCE) as other,
    ):
        scenario = SharedScenario(one, other)
        await scenario.begin()
        for _ in range(count):
            await asyncio.sleep(blows.chance.uniform(0.2, 1.0))
            await blows.strike()
        await scenario.end()
        await scenario.check(database)


@contextlib.asynccontextmanager
async def started(*servers: ServerProcess) -> AsyncIterator[None]:
    """Servers that reach their database through this process, which therefore must not wait for them."""
    try:
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in servers))
        yield
    finally:
        for server in servers:
            if server.alive:
                server.kill()


def _at_port(netloc: str, port: int) -> str:
    host, _, _ = netloc.rpartition(":")
    return f"{host}:{port}"
