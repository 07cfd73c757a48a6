"""``skerry serve``: runs the server on this machine."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import webbrowser
from typing import Protocol

import uvicorn

from skerry.engine.errors import Refusal
from skerry.engine.messages import say
from skerry.server.app import make_app, services_in
from skerry.server.json_logging import JsonLogFormatter
from skerry.server.middleware import RequestMiddleware
from skerry.server.services import ListGames
from skerry.server.sessions import FindGame
from skerry.server.settings import Settings
from skerry.server.warm_up import collect_and_freeze, warm_up

COLLECT_INTERVAL = 600.0  # seconds between two full garbage collections
SWITCH_INTERVAL = 0.0005  # seconds after which the event loop yields the GIL to the thread that writes the log


class OnReady(Protocol):
    def __call__(self, address: str, /) -> None: ...


def _ignore(address: str, /) -> None:
    pass


class Server(uvicorn.Server):
    """Reports its address once it can be reached, and closes the open streams before it stops."""

    def __init__(self, config: uvicorn.Config, app: RequestMiddleware, on_ready: OnReady = _ignore) -> None:
        super().__init__(config)
        self.app = app
        self.on_ready = on_ready

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            name = f"[{host}]" if ":" in host else host
            self.address = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else name}:{port}"
            self._collecting = asyncio.create_task(_collect_regularly())
            self.on_ready(self.address)

    async def shutdown(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        self._collecting.cancel()
        services_in(self.app).broadcaster.close_streams()
        await super().shutdown(sockets)  # type: ignore[arg-type]


def serve(
    settings: Settings,
    games: ListGames,
    find: FindGame,
    host: str,
    port: int,
    browse: bool,
    verbose: bool,
) -> None:
    sys.setswitchinterval(SWITCH_INTERVAL)
    _configure_logging(verbose)
    _check_port_is_free(host, port)
    warm_up(games())
    app = make_app(settings, games, find)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=10,
        timeout_keep_alive=75,
        backlog=4096,
    )

    def on_ready(address: str, /) -> None:
        print(f"Skerry is running at {address}\nStop it with Ctrl+C; nothing is lost.", flush=True)
        if browse and _has_display():
            webbrowser.open(address)

    Server(config, app, on_ready).run()


def _check_port_is_free(host: str, port: int) -> None:
    """Refuse before the rules are loaded, which takes a while."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            why = say(
                "cannot listen at {host}, port {port}: {error}; --port takes another",
                host=host,
                port=port,
                error=error.strerror,
            )
            raise Refusal(why) from None


def _has_display() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _configure_logging(verbose: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLogFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO if verbose else logging.WARNING, force=True)


async def _collect_regularly() -> None:
    while True:
        await asyncio.sleep(COLLECT_INTERVAL)
        gc.unfreeze()
        collect_and_freeze()
