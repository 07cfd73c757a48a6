"""Servers to test: in this process for plain requests, on a port of their own for streams and browsers."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import os
import random
import secrets
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from skerry.games import all_games, find_game
from skerry.server.app import fastapi_of, make_app
from skerry.server.bot_runner import ILLEGAL_CHOICES
from skerry.server.game_stages import Stage
from skerry.server.routes.pages import getting_ready
from skerry.server.serve import Server
from skerry.server.settings import Settings
from skerry.server.warm_up import WarmUp
from tests.server import backing_services
from tests.server.event_streams import StreamCutoff
from tests.server.server_main import FREE as FREE


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@functools.cache
def load_games() -> None:
    """Load all games and their bots, once in a process. A server does so behind its first pages, which wait a moment
    for it: on a busy machine that is too short, and a server that ends meanwhile leaves it to the next one."""

    async def load() -> None:
        warm_up = WarmUp(all_games)
        await warm_up.open()
        for game in all_games():
            await warm_up.wait(game, Stage.BOTS)
        await warm_up.close()

    with ThreadPoolExecutor(1) as thread:  # this one may have an event loop already
        thread.submit(asyncio.run, load()).result()


@pytest.fixture(scope="session", autouse=True)
def loaded_games() -> None:
    load_games()


@pytest.fixture(autouse=True)
def deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> random.Random:
    """Seed the matches of this process by the test's id: the same deals each time, others for another SKERRY_DEALS."""
    deals = random.Random(request.node.nodeid + os.environ.get("SKERRY_DEALS", ""))
    monkeypatch.setattr(secrets, "randbits", deals.getrandbits)
    return deals


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    yield from empty_database(request.param, tmp_path / "table.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Another empty database of each kind, as of another server."""
    yield from empty_database(request.param, tmp_path / "elsewhere.db")


def empty_database(kind: str, file: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield f"sqlite:///{file}"
    else:
        with backing_services.postgresql_database() as url:
            yield url


@pytest.fixture(autouse=True)
def legal_choices(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test fails if a bot of its server chose no legal action, unless the test is about that."""
    before = _illegal_choices()
    yield
    if "test_illegal_choices" not in request.node.nodeid:
        assert _illegal_choices() == before, "a bot chose an action that is not legal: the log has the cause"


def _illegal_choices() -> float:
    samples = [sample for metric in ILLEGAL_CHOICES.collect() for sample in metric.samples]
    return sum(sample.value for sample in samples if sample.name.endswith("_total"))


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of this process wait until the rules are loaded, however busy the machine is."""
    monkeypatch.setattr(getting_ready, "PATIENCE", 60)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, pace=0, moment=0, limits=FREE)


@contextlib.asynccontextmanager
async def client_of(app: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client that calls an application directly, without a network."""
    inner = fastapi_of(app)
    async with inner.router.lifespan_context(inner):
        transport = httpx.ASGITransport(app=StreamCutoff(app), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://table") as client:
            yield client


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(make_app(settings, all_games, find_game)) as client:
        yield client


class Guest:
    """A guest who plays through the JSON API."""

    def __init__(self, client: httpx.AsyncClient, name: str, token: str) -> None:
        self.client, self.name, self.token = client, name, token
        self.headers = {"authorization": f"Bearer {token}"}

    @classmethod
    async def register(cls, client: httpx.AsyncClient, name: str, language: str = "en") -> Guest:
        answer = await client.post("/api/v1/guests", json={"name": name, "language": language})
        assert answer.status_code == 201, answer.text
        return cls(client, name, answer.json()["token"])

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = self.headers | more.pop("headers", {})
        return await self.client.request(method, f"/api/v1{path}", headers=headers, **more)

    async def open(self, game: str, seats: list[str], **more: Any) -> dict[str, Any]:
        answer = await self.ask("POST", "/matches", json={"game": game, "seats": seats, **more})
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def view(self, match: str, seat: int | None = None) -> dict[str, Any]:
        answer = await self.ask("GET", f"/matches/{match}/view", params={} if seat is None else {"seat": seat})
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def act(self, match: str, seat: int, action: str, seq: int, **more: Any) -> httpx.Response:
        body = {"seat": seat, "action": action, "seq": seq, **more}
        return await self.ask("POST", f"/matches/{match}/actions", json=body)

    async def sit(self, match: str, seat: int, who: str = "me") -> httpx.Response:
        return await self.ask("PUT", f"/matches/{match}/seats/{seat}", json={"who": who})

    async def turn_cards_by_hand(self) -> None:
        """Let nothing go by itself at the guest's seats."""
        answer = await self.ask("PATCH", "/me", json={"by_hand": True})
        assert answer.status_code == 200, answer.text

    async def play_first(self, match: str, seat: int) -> int:
        """Play the first legal action."""
        view = await self.view(match, seat)
        answer = await self.act(match, seat, view["legal"][0]["action"], view["seq"])
        assert answer.status_code == 200, answer.text
        return int(answer.json()["seq"])


@pytest.fixture
async def ana(client: httpx.AsyncClient) -> Guest:
    return await Guest.register(client, "Ana")


class LocalServer:
    """A server on a port of its own, in a thread."""

    def __init__(self, settings: Settings) -> None:
        self.app = make_app(settings, all_games, find_game)
        config = uvicorn.Config(self.app, port=0, log_config=None, access_log=False, timeout_graceful_shutdown=2)
        self.server = Server(config, self.app)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def start(self) -> str:
        self.thread.start()
        limit = time.monotonic() + 60
        while not self.server.started:
            assert self.thread.is_alive() and time.monotonic() < limit, "the server does not start"
            time.sleep(0.02)
        return self.server.address

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)


@pytest.fixture
def served(settings: Settings) -> Iterator[str]:
    server = LocalServer(dataclasses.replace(settings, heartbeat=0.5))
    yield server.start()
    server.stop()
