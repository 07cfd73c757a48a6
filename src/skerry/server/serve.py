"""``skerry serve``: the table on this machine."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Callable

import uvicorn

from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.messages import say
from skerry.server.app import make_app, services_in
from skerry.server.middleware import JsonLogFormatter, RequestMiddleware
from skerry.server.settings import Settings
from skerry.server.warm_up import collect, warm

TIDY = 600.0  # seconds
SWITCH = 0.0005  # seconds after which the loop lends the interpreter to the thread that writes the log


class Server(uvicorn.Server):
    """Says where the table is once it can be reached, and lets the open pages go before it stops."""

    def __init__(
        self, config: uvicorn.Config, app: RequestMiddleware, ready: Callable[[str], None] = lambda address: None
    ) -> None:
        super().__init__(config)
        self.app = app
        self.ready = ready

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            name = f"[{host}]" if ":" in host else host
            self.address = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else name}:{port}"
            self._tidying = asyncio.create_task(_tidy())
            self.ready(self.address)

    async def shutdown(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        self._tidying.cancel()
        services_in(self.app).broadcaster.end_all()
        await super().shutdown(sockets)  # type: ignore[arg-type]


def serve(
    settings: Settings,
    games: Callable[[], list[Game]],
    find: Callable[[str], Game],
    host: str,
    port: int,
    browse: bool,
    verbose: bool,
) -> None:
    sys.setswitchinterval(SWITCH)
    _keep_log(verbose)
    _check_free(host, port)
    warm(games())
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

    def ready(address: str) -> None:
        print(f"The table is set: {address}\nStop it with Ctrl+C; nothing is lost.", flush=True)
        if browse and _has_screen():
            webbrowser.open(address)

    Server(config, app, ready).run()


def _check_free(host: str, port: int) -> None:
    """Better told before the rules are loaded than after."""
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


def _has_screen() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _keep_log(verbose: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLogFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO if verbose else logging.WARNING, force=True)


async def _tidy() -> None:
    while True:
        await asyncio.sleep(TIDY)
        gc.unfreeze()
        collect()
