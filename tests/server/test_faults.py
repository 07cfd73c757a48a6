"""Faults of the server, Redis, PostgreSQL, the disk and its clients: nothing acknowledged is lost, and it recovers."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from skerry.server.settings import Settings
from skerry.server.store import Store
from tests.server import backing_services
from tests.server.backing_services import PrivatePostgresql, PrivateRedis
from tests.server.conftest import Guest
from tests.server.event_streams import OpenPage
from tests.server.server_processes import ServerProcess, connect, running
from tests.server.simulated_players import Listener, Player, check_logs
from tests.server.waiting import until

pytestmark = pytest.mark.anyio


class Scenario:
    """Several matches on one server, each with a player, an open page and a listening program."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client
        self.players: list[Player] = []
        self.listeners: list[Listener] = []
        self.stop, self.leave = asyncio.Event(), asyncio.Event()
        self._playing: list[asyncio.Task[None]] = []
        self._listening: list[asyncio.Task[None]] = []

    async def begin(self, count: int = 4) -> None:
        openings = [
            ("forbidden-desert", ["me", "me"]),
            ("forbidden-island", ["me", "random"]),
            ("cartagena", ["me", "random"]),
        ]
        for number in range(count):
            player = await Player.register(self.client, number, *openings[number % len(openings)])
            page = OpenPage(await self._page(player.guest, player.match))
            self.players.append(player)
            self.listeners += [
                Listener(player.guest, player.match, 0, page),
                Listener(player.guest, player.match, None),
            ]
        self._playing = [asyncio.create_task(player.play(self.stop)) for player in self.players]
        self._listening = [asyncio.create_task(listener.listen(self.leave)) for listener in self.listeners]

    async def _page(self, guest: Guest, match: str) -> str:
        answer = await self.client.get(f"/m/{match}?seat=0", headers=guest.headers)
        assert answer.status_code == 200
        return answer.text

    async def go_on(self) -> None:
        """Wait until every player has acted once more, or their match is over."""
        done = [len(player.acknowledged) for player in self.players]

        async def all_went_on() -> bool:
            pairs = zip(self.players, done, strict=True)
            return all([len(player.acknowledged) > before or await player.over() for player, before in pairs])

        await until(all_went_on)

    async def end(self) -> None:
        """Stop playing, and wait until the bots have stopped too and every listener is up to date."""
        self.stop.set()
        await asyncio.wait_for(asyncio.gather(*self._playing), 60)
        for player in self.players:
            await until(lambda player=player: self._quiet(player))  # type: ignore[misc]
        for listener in self.listeners:
            await until(lambda listener=listener: self._is_up_to_date(listener))  # type: ignore[misc]

    async def _quiet(self, player: Player) -> bool:
        standing = (await player.guest.ask("GET", f"/matches/{player.match}")).json()
        return not any(standing["seats"][seat]["bot"] for seat in standing["waiting"])

    async def _is_up_to_date(self, listener: Listener) -> bool:
        for task in self._listening:
            if task.done():
                task.result()
        return bool(listener.seen == (await listener.guest.view(listener.match))["seq"])

    async def _looks_like_new(self, listener: Listener) -> bool:
        """Whether an open page looks like a new one. Called repeatedly, since presence is updated a little later."""
        fresh = OpenPage(await self._page(listener.guest, listener.match))
        assert listener.page is not None
        return listener.page.shown() == fresh.shown()

    async def check(self, database: str) -> None:
        await check_logs(Settings(database=database).database_url, self.players)
        for listener in self.listeners:
            if listener.page is not None:
                await until(lambda listener=listener: self._looks_like_new(listener))  # type: ignore[misc]
        self.leave.set()
        for task in self._listening:
            task.cancel()
        await asyncio.gather(*self._listening, return_exceptions=True)


@contextlib.asynccontextmanager
async def scenario_at(server: ServerProcess) -> AsyncIterator[Scenario]:
    """A scenario in which everybody has played for a second."""
    with running(server):
        async with connect(server) as client:
            scenario = Scenario(client)
            await scenario.begin()
            await asyncio.sleep(1)
            yield scenario


# The process


@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.slow)])
async def test_a_killed_server_resumes_where_it_was(tmp_path: Path, database: str, kills: int) -> None:
    server = ServerProcess(tmp_path, database=database).start()
    try:
        async with connect(server) as client:
            scenario = Scenario(client)
            await scenario.begin()
            for _ in range(kills):
                await asyncio.sleep(scenario.players[0].chance.uniform(0.5, 1.5))
                bots = await bots_only(scenario.players[0].guest)
                server.kill()
                assert await unfinished(database, bots), "all matches were over before the server was killed"
                await asyncio.to_thread(server.start)
                await scenario.go_on()
            await scenario.end()
            assert all(listener.cuts >= kills for listener in scenario.listeners)

            async def bots_are_done() -> bool:
                return not await unfinished(database, bots)

            await until(bots_are_done, 120)  # by themselves: nobody has requested them
            await scenario.check(database)
    finally:
        if server.alive:
            server.stop()
    assert "trace" not in server.log()


async def bots_only(guest: Guest) -> list[str]:
    """Open matches that only bots play and nobody watches."""
    bots = [guest.open("cartagena", ["random"] * 4, options={"players": 4}) for _ in range(3)]
    return [match["id"] for match in await asyncio.gather(*bots)]


async def unfinished(database: str, ids: list[str]) -> list[str]:
    """The unfinished ones of these matches, read from the store, so that no server loads them."""
    store = Store(Settings(database=database).database_url)
    try:
        heads = [await store.match(match) for match in ids]
        return [head.id for head in heads if head is not None and not head.ended]
    finally:
        await store.database.engine.dispose()


# Redis


HEARTBEAT = 5.0


async def arrival(there: Listener, actor: Guest, match: str) -> float:
    """Seconds from the acknowledgement of an action at one process until a listener at another gets it."""
    seat = (await actor.view(match))["waiting"][0]
    seq = await actor.play_first(match, seat)
    began = time.monotonic()

    async def arrived() -> bool:
        return there.seen >= seq

    await until(arrived, HEARTBEAT + 10)
    return time.monotonic() - began


async def test_streams_of_another_process_catch_up_while_redis_is_down(tmp_path: Path) -> None:
    with PrivateRedis() as redis, backing_services.postgresql_database() as database:
        shared: dict[str, Any] = {"database": database, "redis": redis.url, "heartbeat": HEARTBEAT}
        here, there = (ServerProcess(tmp_path, ("cartagena",), **shared) for _ in range(2))
        with running(here, there):
            async with connect(here) as one, connect(there) as other:
                ana = await Guest.register(one, "Ana")
                match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
                listener = Listener(Guest(other, "Ana", ana.headers["authorization"].split()[1]), match, 0)
                stop = asyncio.Event()
                listening = asyncio.create_task(listener.listen(stop))
                await arrival(listener, ana, match)
                quick = [await arrival(listener, ana, match) for _ in range(3)]
                assert min(quick) < HEARTBEAT / 4
                redis.stop()
                await until(lambda: _said(here, there, "redis unreachable"))
                away = [await arrival(listener, ana, match) for _ in range(2)]
                assert max(away) < HEARTBEAT + 3
                assert (await ana.client.get("/healthz")).status_code == 200
                redis.start()
                await until(lambda: _said(here, there, "redis connected", 2))
                back = [await arrival(listener, ana, match) for _ in range(3)]
                assert min(back) < HEARTBEAT / 4, "hints do not arrive any more"
                assert listener.cuts == 0
                stop.set()
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)


async def _said(*processes_and_what: Any) -> bool:
    *processes, what = processes_and_what
    times = 1
    if isinstance(what, int):
        times, what = what, processes.pop()
    return all(process.log().count(what) >= times for process in processes)


# PostgreSQL


async def test_a_restart_of_postgresql_is_reported_and_survived(tmp_path: Path) -> None:
    with PrivatePostgresql() as server, backing_services.postgresql_database(server.url) as database:
        async with scenario_at(ServerProcess(tmp_path, database=database)) as scenario:
            await asyncio.to_thread(server.stop)

            async def refused() -> bool:
                return all("store-down" in player.refused for player in scenario.players)

            await until(refused)
            ana, client = scenario.players[0].guest, scenario.client
            answer = await ana.ask("GET", "/matches?mine=true")
            assert answer.status_code == 503 and "try again in a moment" in answer.json()["error"]["message"]
            assert (await client.get("/healthz")).status_code == 503
            page = await client.get("/", headers=ana.headers)
            assert page.status_code == 503 and "<html" in page.text
            await asyncio.to_thread(server.start)
            await scenario.go_on()
            assert (await client.get("/healthz")).status_code == 200
            await scenario.end()
            await scenario.check(database)


# A full disk


FULL = 1 << 16  # bytes: less than the write-ahead log has by then; SQLite restarts it from its beginning now and then


async def test_a_full_disk_is_reported_and_survived(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk, because it needs no privileges."""
    database = f"sqlite:///{tmp_path / 'table.db'}"
    server = ServerProcess(tmp_path, database=database)
    async with scenario_at(server) as scenario:
        _set_file_size_limit(server, FULL)

        async def refused() -> bool:
            return any("store-down" in player.refused for player in scenario.players)

        await until(refused)
        ana = scenario.players[0].guest
        answer = await scenario.client.post("/api/v1/guests", json={"name": "Ben"})
        assert answer.status_code in (201, 503)
        standing = await ana.ask("GET", f"/matches/{scenario.players[0].match}")
        assert standing.status_code == 200, "what is there can be read"
        _set_file_size_limit(server, resource.RLIM_INFINITY)
        await scenario.go_on()
        await scenario.end()
        await scenario.check(database)


def _set_file_size_limit(server: ServerProcess, limit: int) -> None:
    assert server.process is not None
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
