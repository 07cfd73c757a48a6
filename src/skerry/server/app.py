"""The table as one ASGI application."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import AsyncIterator, Callable
from importlib.metadata import version
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from prometheus_client import Gauge, generate_latest
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.server.api_models import status_of
from skerry.server.errors import Stale, TooMuch
from skerry.server.middleware import BodyTooLong, RequestMiddleware
from skerry.server.routes import api, pages
from skerry.server.services import Services, words_for
from skerry.server.settings import Settings

log = logging.getLogger(__name__)

DESCRIPTION = """
All that the pages can do, for programs. Become a guest (`POST /guests`), send the token as
`Authorization: Bearer TOKEN`, open or find a match, look at it (`/view`), act (`/actions`) and listen (`/stream`).
"""
ACTIONS = re.compile(r"/api/v1/matches/([A-Za-z0-9_-]{1,24})/actions")
STREAMS = Gauge("skerry_streams", "Open streams")
LIVE = Gauge("skerry_matches_in_memory", "Matches in memory")


def make_app(settings: Settings, games: Callable[[], list[Game]], find: Callable[[str], Game]) -> RequestMiddleware:
    services = Services(settings, games, find)

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
    app.include_router(api.router)
    app.include_router(pages.router)
    app.add_api_route("/healthz", healthz, include_in_schema=False)
    app.add_api_route("/metrics", metrics, include_in_schema=False)
    app.mount("/static", StaticFiles(packages=[("skerry.server", "static")]))
    app.add_exception_handler(Refusal, refused)
    app.add_exception_handler(RequestValidationError, misshapen)
    app.add_exception_handler(HTTPException, no_such_thing)
    app.add_exception_handler(Exception, broken)
    return RequestMiddleware(ActionRoute(app), settings.limits.body, settings.origins)


class ActionRoute:
    """The request that comes most goes straight to its function: the way there costs as much as the action itself."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        acting = scope["type"] == "http" and scope["method"] == "POST" and ACTIONS.fullmatch(scope["path"])
        if not acting:
            await self.app(scope, receive, send)
            return
        scope.update(app=self.app, route=api.ACT)
        request = Request(scope, receive, send)
        try:
            answer = await api.act(request, acting[1])
        except Exception as error:
            answer = await self._refusal(request, error)
        await answer(scope, receive, send)

    async def _refusal(self, request: Request, error: Exception) -> Response:
        if isinstance(error, BodyTooLong):
            raise error
        kind = next(kind for kind in type(error).__mro__ if kind in self.app.exception_handlers)
        return cast(Response, await self.app.exception_handlers[kind](request, error))  # type: ignore[misc]


def services_in(app: RequestMiddleware) -> Services:
    """The services behind the app."""
    return cast(Services, cast(ActionRoute, app.app).app.state.services)


async def healthz(request: Request) -> Response:
    """Well if the store answers."""
    try:
        await request.app.state.services.store.ping()
    except Refusal as refusal:
        return JSONResponse({"well": False, "why": str(refusal)}, 503)
    return JSONResponse({"well": True, "version": version("skerry")})


async def metrics(request: Request) -> Response:
    services: Services = request.app.state.services
    STREAMS.set(services.broadcaster.count)
    LIVE.set(len(services.matches.sessions))
    return PlainTextResponse(generate_latest(), media_type="text/plain; version=0.0.4")


# How refusals are answered: JSON to programs, a page to people, both in the visitor's language


async def refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    status, code = status_of(error)
    if status >= 500:
        log.error("the store does not answer", extra={"error": str(error.__cause__)})
    problem = {
        "code": code,
        "message": error.message.render(words_for(request)),
        "rule": error.rule,
        "seq": error.seq if isinstance(error, Stale) else None,
    }
    headers = {"retry-after": str(max(1, round(error.wait)))} if isinstance(error, TooMuch) else {}
    return _answer(request, status, problem, headers)


async def misshapen(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    where = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:5])
    return _answer(request, 422, {"code": "misshapen", "message": where, "rule": None, "seq": None})


async def no_such_thing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    say = words_for(request)
    text = say("There is nothing here.") if error.status_code == 404 else str(error.detail)
    problem = {"code": "no-such-thing", "message": text, "rule": None, "seq": None}
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers = {"allow": ", ".join(sorted(_methods(request)))}
    return _answer(request, error.status_code, problem, headers)


def _methods(request: Request) -> set[str]:
    """What can be done with a path: the router itself names the first route alone."""
    routes = [*api.router.routes, *pages.router.routes, *request.app.routes]
    found = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    return {method for route in found for method in getattr(route, "methods", None) or ()}


async def broken(request: Request, error: Exception) -> Response:
    """A fault of ours: told to the host in full, to the guest in one sentence."""
    log.error("fault", exc_info=error)
    text = words_for(request)("Something broke on our side; nothing that was confirmed is lost.")
    return _answer(request, 500, {"code": "fault", "message": text, "rule": None, "seq": None})


def _answer(request: Request, status: int, problem: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": problem}, status, headers)
    words = words_for(request)
    page = pages.templates(words.language).get_template("server/error.html")
    return HTMLResponse(
        page.render(problem=problem, path=request.url.path, visitor=None, languages=()), status, headers
    )
