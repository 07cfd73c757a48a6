"""``skerry serve``: runs the server on this machine."""

from __future__ import annotations

import asyncio
import asyncio.trsock
import gc
import logging
import os
import socket
import sys
import webbrowser
from typing import Protocol

import uvicorn
from prometheus_client.multiprocess import mark_process_dead

from skerry.engine.errors import Refusal
from skerry.engine.messages import say
from skerry.server.app import SHARED_METRICS, make_app, services_in, update_gauges
from skerry.server.connections import Connections
from skerry.server.http_protocol import HttpProtocol
from skerry.server.json_logging import JsonLogFormatter
from skerry.server.middleware import RequestMiddleware
from skerry.server.partition import ALL
from skerry.server.services import ListGames, open_store
from skerry.server.sessions import FindGame
from skerry.server.settings import Settings
from skerry.server.store import Store
from skerry.server.warm_up import GC_THRESHOLDS, collect_and_freeze
from skerry.server.workers import Worker, Workers, listen

GAUGES_INTERVAL = 20  # ticks of a tenth of a second
BACKLOG = 4096  # connections that wait to be accepted
COLLECT_INTERVAL = 600.0  # seconds between two full garbage collections
STOP_TIMEOUT = 10  # seconds for what is in progress; ``Connections.leave`` has ended it before
SWITCH_INTERVAL = 0.0005  # seconds after which the event loop yields the GIL to the thread that writes the log


class OnReady(Protocol):
    def __call__(self, address: str, /) -> None: ...


def _ignore(what: object, /) -> None:
    pass


class Server(uvicorn.Server):
    """Reports its address once it can be reached, and closes the open streams before it stops."""

    def __init__(self, config: uvicorn.Config, app: RequestMiddleware, on_ready: OnReady = _ignore) -> None:
        super().__init__(config)
        self.app = app
        self.on_ready = on_ready
        self.connections = Connections(self.server_state)
        self._tasks: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            self.address = address_of(self.servers[0].sockets[0])
            self._tasks = [asyncio.create_task(_collect_regularly()), asyncio.create_task(self.connections.watch())]
            self.on_ready(self.address)

    async def shutdown(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        for task in self._tasks:
            task.cancel()
        self.app.stopping = True
        services_in(self.app).broadcaster.close_streams()
        leaving = asyncio.create_task(self.connections.leave())
        await super().shutdown(sockets)  # type: ignore[arg-type]
        leaving.cancel()


class WorkerServer(Server):
    """Stops also when its parent has died."""

    def __init__(self, config: uvicorn.Config, app: RequestMiddleware, worker: Worker) -> None:
        super().__init__(config, app, lambda address: worker.ready())
        self.worker = worker

    async def on_tick(self, counter: int) -> bool:
        if counter % GAUGES_INTERVAL == 0:
            update_gauges(services_in(self.app))
        return await super().on_tick(counter) or os.getppid() != self.worker.parent


def address_of(listening: socket.socket | asyncio.trsock.TransportSocket) -> str:
    host, port = listening.getsockname()[:2]
    name = f"[{host}]" if ":" in host else host
    return f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else name}:{port}"


def serve(
    settings: Settings,
    games: ListGames,
    find: FindGame,
    host: str,
    port: int,
    browse: bool,
    verbose: bool,
    workers: int = 1,
) -> None:
    sys.setswitchinterval(SWITCH_INTERVAL)
    configure_logging(verbose)
    _check_port_is_free(host, port)
    asyncio.run(_prepare_database(settings, games))
    gc.set_threshold(*GC_THRESHOLDS)

    def on_ready(address: str, /) -> None:
        print(f"Skerry is running at {address}\nStop it with Ctrl+C; nothing is lost.", flush=True)
        if browse and _has_display():
            webbrowser.open(address)

    if workers == 1:
        app = make_app(settings, games, find)
        services_in(app).warm_up.when_done = collect_and_freeze
        Server(server_config(app, host, port), app, on_ready).run()
        return

    def serve_as_worker(worker: Worker, /) -> None:
        hub, partition = (None, ALL) if settings.redis else (worker.hub, worker.partition)
        app = make_app(settings, games, find, hub, partition)
        services_in(app).warm_up.when_done = collect_and_freeze
        WorkerServer(server_config(app, host, port), app, worker).run([worker.listening])

    sockets = listen(host, port, workers, BACKLOG)
    collect_and_freeze()  # what the workers share stays shared
    on_death = mark_process_dead if SHARED_METRICS in os.environ else _ignore
    Workers(sockets, serve_as_worker, lambda: on_ready(address_of(sockets[0])), workers, on_death).run()


def server_config(app: RequestMiddleware, host: str, port: int) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=HttpProtocol,
        ws="none",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=STOP_TIMEOUT,
        timeout_keep_alive=75,
        backlog=BACKLOG,
    )


def _check_port_is_free(host: str, port: int) -> None:
    """Refuse with one line what the server would fail with later."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            why = say(
                "cannot listen on {host}, port {port}: {error}; choose another with --port",
                host=host,
                port=port,
                error=error.strerror,
            )
            raise Refusal(why) from None


async def _prepare_database(settings: Settings, games: ListGames) -> None:
    """Create the tables or bring them up to date before anything listens, so that a refusal is one line."""
    store = Store(settings.database_url)
    await open_store(store, games())
    await store.close()


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def configure_logging(verbose: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLogFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO if verbose else logging.WARNING, force=True)


async def _collect_regularly() -> None:
    while True:
        await asyncio.sleep(COLLECT_INTERVAL)
        gc.unfreeze()
        collect_and_freeze()
