"""Server processes: the real application, started, paused, stopped, and crashed at any step."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
from collections.abc import Iterator
from contextvars import copy_context
from pathlib import Path
from unittest import mock

from starlette.types import Message

from skerry.engine.game import Game
from skerry.games import find_game
from skerry.server import redis_hub, services, store
from skerry.server.app import fastapi_of, make_app
from skerry.server.game_stages import Stage
from skerry.server.middleware import RequestMiddleware
from skerry.server.services import Services
from skerry.server.settings import Settings
from skerry.server.warm_up import WarmUp
from tests.server.server_main import FREE
from tests.server.simulation.database import SimulatedDatabase
from tests.server.simulation.event_loop import OWNER, Owner
from tests.server.simulation.network import Exchange
from tests.server.simulation.redis_server import Redis
from tests.server.simulation.world import World

GAMES = ("cartagena", "hashi", "forbidden-island")
# Shorter than on a real server, so that less time passes in which nothing happens.
IDLE = 15.0  # seconds after which an unused session is dropped
ABANDONED = 30.0  # seconds after which recovery takes a match to be found already
HEARTBEAT = 15.0  # seconds
RESTART = 2.0  # seconds until a program that ended is started again
LEFT_OVER = 200.0  # seconds within which the last tasks end by themselves: as long as a few statements can take
GRACE = 10.0  # seconds that a process which is being stopped leaves its requests
SETTINGS = Settings(
    database="sqlite://",
    redis="redis://simulated",
    data=Path("/nonexistent"),
    secret="of the simulation",
    bot_threads=1,
    bot_seconds=0.01,
    heartbeat=HEARTBEAT,
    limits=FREE,
)


def games() -> list[Game]:
    return [find_game(name) for name in GAMES]


@functools.cache
def application(number: int) -> RequestMiddleware:
    """The application of a process, which each of its lives gives new services: making its routes takes longer than
    a history."""
    return make_app(SETTINGS, games, find_game)


class ReadyWarmUp(WarmUp):
    """A warm-up that has happened: compiling is no matter of the simulation."""

    async def open(self) -> None:
        pass

    def is_ready(self, game: Game, stage: Stage) -> bool:
        return True


@contextlib.contextmanager
def simulated_surroundings(world: World) -> Iterator[None]:
    """Replace what the services are connected to, while they are made."""

    def database(url: str) -> SimulatedDatabase:
        return SimulatedDatabase(world, world.database)

    with (
        mock.patch.object(store, "Database", database),
        mock.patch.object(redis_hub, "Redis", Redis(world, world.redis)),
        mock.patch.object(services, "WarmUp", ReadyWarmUp),
    ):
        yield


class Life(Owner):
    """One life of a process: from its start until it stops or crashes."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.services: Services
        self.accepts = False  # whether requests reach it
        self.exchanges: set[Exchange] = set()
        self.requests: set[asyncio.Task[None]] = set()
        self.stopping = asyncio.Event()
        self.stopped = asyncio.Event()
        self.context = copy_context()
        self.context.run(OWNER.set, self)


class ServerProcess:
    def __init__(self, world: World, number: int, *, shared: bool) -> None:
        self.world = world
        self.name = f"server {number}"
        self.app = application(number)
        self.settings = SETTINGS if shared else dataclasses.replace(SETTINGS, redis="")
        self.life: Life | None = None

    @property
    def answers(self) -> bool:
        return self.life is not None and self.life.accepts

    @property
    def services(self) -> Services:
        assert self.life is not None
        return self.life.services

    async def start(self) -> None:
        """Start the program, again and again until it runs, as a service manager does."""
        while self.life is None:
            life = self.life = Life(self.name)
            self.world.tell(self.name, "starts")
            task = self.world.loop.create_task(self._live(life), context=life.context)
            while life.alive and not life.accepts and not task.done():
                await asyncio.sleep(0.01)
            if life.alive and not life.accepts:
                self.world.tell(self.name, f"cannot start: {task.exception()}")
                self.crash()
                await asyncio.sleep(RESTART)

    async def _live(self, life: Life) -> None:
        """What the program does: its lifespan, and the order in which uvicorn shuts down."""
        with simulated_surroundings(self.world):
            services = life.services = Services(self.settings, games, find_game)
        fastapi_of(self.app).state.services = services
        await services.open()
        life.accepts = True
        await life.stopping.wait()
        life.accepts = False
        services.broadcaster.close_streams()
        if life.requests:
            await asyncio.wait(set(life.requests), timeout=GRACE)
        for task in life.requests:
            task.cancel()
        await services.close()
        life.stopped.set()

    async def stop(self) -> None:
        """Stop the process as a deployment does."""
        life = self.life
        assert life is not None
        self.world.tell(self.name, "is asked to stop")
        life.stopping.set()
        await life.stopped.wait()
        left = [task for task in life.tasks if not task.done()]
        if left:
            await asyncio.wait(left, timeout=LEFT_OVER)
        left = [task for task in left if not task.done()]
        self.world.expect(not left, f"{self.name} stopped, but left running: {left}")
        self.crash()

    def crash(self) -> None:
        """Let the process disappear where it stands: no code of it runs any more, its memory is lost."""
        life, self.life = self.life, None
        if life is None:
            return
        if not life.stopped.is_set():
            self.world.tell(self.name, "crashes")
        life.alive = False
        self.world.redis.disconnect(life)
        for exchange in list(life.exchanges):
            exchange.cut()
        for task in life.tasks:
            if not task.done():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                with contextlib.suppress(Exception):  # some ``finally`` that would wait
                    life.context.run(task.get_coro().close)

    def pause(self) -> None:
        if self.life is not None:
            self.world.tell(self.name, "is paused")
            self.life.paused = True

    def resume(self) -> None:
        if self.life is not None and self.life.paused:
            self.world.tell(self.name, "goes on")
            self.world.loop.resume(self.life)

    # Requests

    def serve(self, exchange: Exchange) -> None:
        """Begin to answer a request that has arrived."""
        life = self.life
        if life is None or not life.accepts:
            exchange.cut()
            return
        life.exchanges.add(exchange)
        task = self.world.loop.create_task(self._answer(life, exchange), context=life.context.copy())
        life.requests.add(task)
        task.add_done_callback(life.requests.discard)

    async def _answer(self, life: Life, exchange: Exchange) -> None:
        async def receive() -> Message:
            return await exchange.receive()

        async def send(message: Message) -> None:
            await exchange.send(message)

        try:
            await self.app(exchange.scope(), receive, send)
        except Exception as error:
            self.world.violate(f"{self.name} failed at {exchange.method} {exchange.path}: {error!r}")
        finally:
            exchange.end()
            life.exchanges.discard(exchange)
