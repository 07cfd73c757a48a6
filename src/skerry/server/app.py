"""The server as one ASGI application."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import AsyncIterator
from importlib.metadata import version
from typing import cast

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from prometheus_client import REGISTRY, CollectorRegistry, Gauge, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import Receive, Scope, Send

from skerry.engine.errors import Refusal
from skerry.server.dependencies import services_of
from skerry.server.error_handlers import add_error_handlers
from skerry.server.hub import Hub
from skerry.server.middleware import BodyTooLong, RequestMiddleware
from skerry.server.partition import ALL, Partition
from skerry.server.routes import api, pages
from skerry.server.services import ListGames, Services
from skerry.server.sessions import FindGame
from skerry.server.settings import Settings

DESCRIPTION = """
All that the pages can do, for programs. Become a guest (`POST /guests`), send the token as
`Authorization: Bearer TOKEN`, open or find a match, read its state (`/view`), act (`/actions`) and listen (`/stream`).
"""
ACTIONS_PATH = re.compile(r"/api/v1/matches/([A-Za-z0-9_-]{1,24})/actions")
SHARED_METRICS = "PROMETHEUS_MULTIPROC_DIR"  # prometheus_client keeps the metrics of several workers there
STREAMS = Gauge("skerry_streams", "Open streams", multiprocess_mode="livesum")
MATCHES_IN_MEMORY = Gauge("skerry_matches_in_memory", "Matches in memory", multiprocess_mode="livesum")


def make_app(
    settings: Settings, games: ListGames, find: FindGame, hub: Hub | None = None, partition: Partition = ALL
) -> RequestMiddleware:
    """The application. Without a hub, the settings say whether there are other processes."""
    services = Services(settings, games, find, hub, partition)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await services.open()
        yield
        await services.close()

    app = FastAPI(
        title="Skerry",
        version=version("skerry"),
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
    )
    app.state.services = services
    for router in (*api.routers, pages.router):
        app.include_router(router)
    app.add_api_route("/healthz", healthz, include_in_schema=False)
    app.add_api_route("/metrics", metrics, include_in_schema=False)
    app.mount("/static", StaticFiles(packages=[("skerry.server", "static")]))
    add_error_handlers(app)
    return RequestMiddleware(ActionRoute(app), settings.limits.body_bytes, settings.origins)


class ActionRoute:
    """The fast route for actions, the most frequent request: it calls the handler directly, because FastAPI's routing
    takes as long as the action itself."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_action = scope["type"] == "http" and scope["method"] == "POST" and ACTIONS_PATH.fullmatch(scope["path"])
        if not is_action:
            await self.app(scope, receive, send)
            return
        scope.update(app=self.app, route=api.ACTION_ROUTE)
        request = Request(scope, receive, send)
        try:
            response = await api.act(request, is_action[1])
        except Exception as error:
            response = await self._error_response(request, error)
        await response(scope, receive, send)

    async def _error_response(self, request: Request, error: Exception) -> Response:
        """What the application's exception handlers would answer."""
        if isinstance(error, BodyTooLong):
            raise error
        kind = next(kind for kind in type(error).__mro__ if kind in self.app.exception_handlers)
        return cast(Response, await self.app.exception_handlers[kind](request, error))  # type: ignore[misc]


def fastapi_of(app: RequestMiddleware) -> FastAPI:
    """The FastAPI application inside the middleware."""
    return cast(ActionRoute, app.app).app


def services_in(app: RequestMiddleware) -> Services:
    return cast(Services, fastapi_of(app).state.services)


async def healthz(request: Request) -> Response:
    """The health check of proxies and orchestrators: healthy if the database answers."""
    try:
        await services_of(request).store.ping()
    except Refusal as refusal:
        return JSONResponse({"status": "unavailable", "error": str(refusal)}, 503)
    return JSONResponse({"status": "ok", "version": version("skerry")})


async def metrics(request: Request) -> Response:
    """The metrics of this process or, with several workers, of all of them."""
    update_gauges(services_of(request))
    registry = REGISTRY
    if SHARED_METRICS in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return PlainTextResponse(generate_latest(registry), media_type="text/plain; version=0.0.4")


def update_gauges(services: Services) -> None:
    STREAMS.set(services.broadcaster.stream_count)
    MATCHES_IN_MEMORY.set(len(services.sessions.in_memory))
