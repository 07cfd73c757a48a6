"""How errors are answered: JSON for programs, a page for people, both in the visitor's language."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match

from skerry.engine.errors import Refusal
from skerry.engine.messages import say
from skerry.server.dependencies import translations_for
from skerry.server.errors import DealHidden, RateLimited, Stale, TooEarly
from skerry.server.problems import Problem, status_of
from skerry.server.routes import api, pages
from skerry.server.routes.pages.challenges import show_hidden_deal
from skerry.server.routes.pages.getting_ready import GettingReady, show_getting_ready
from skerry.server.store import StoreDown

logger = logging.getLogger(__name__)

CLIENT_CLOSED_REQUEST = 499  # nobody gets it; it is for the metrics, and is what nginx counts


def add_error_handlers(app: FastAPI) -> None:
    app.add_exception_handler(Refusal, handle_refusal)
    app.add_exception_handler(DealHidden, handle_hidden_deal)
    app.add_exception_handler(GettingReady, show_getting_ready)
    app.add_exception_handler(RequestValidationError, handle_invalid_request)
    app.add_exception_handler(HTTPException, handle_http_error)
    app.add_exception_handler(ClientDisconnect, handle_lost_client)
    app.add_exception_handler(Exception, handle_fault)


async def handle_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    status, code = status_of(error)
    if status >= 500:
        logger.error("the store does not answer", extra={"error": str(error.__cause__)})
    message = error.message.render(translations_for(request))
    problem = Problem(code=code, message=message, rule=error.rule, seq=error.seq if isinstance(error, Stale) else None)
    headers = {}
    if isinstance(error, RateLimited | TooEarly | StoreDown):
        headers["retry-after"] = str(max(1, round(error.wait)))
    return _response(request, status, problem, headers)


async def handle_hidden_deal(request: Request, error: Exception) -> Response:
    if request.url.path.startswith("/api/"):
        return await handle_refusal(request, error)
    return await show_hidden_deal(request, error)


async def handle_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    places = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:5])
    return _response(request, 422, Problem(code="misshapen", message=places, rule=None, seq=None))


async def handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    not_found = error.status_code == 404
    message = say("Page not found.").render(translations_for(request)) if not_found else str(error.detail)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers = {"allow": ", ".join(sorted(_allowed_methods(request)))}
    return _response(
        request, error.status_code, Problem(code="no-such-thing", message=message, rule=None, seq=None), headers
    )


def _allowed_methods(request: Request) -> set[str]:
    """The methods of all routes with this path. The router itself would name those of the first route only."""
    routers = (*api.routers, pages.router, request.app)
    routes = [route for router in routers for route in router.routes]
    matching = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    return {method for route in matching for method in getattr(route, "methods", None) or ()}


async def handle_lost_client(request: Request, error: Exception) -> Response:
    """A client that left before its request was read, which is no fault of ours."""
    return Response(status_code=CLIENT_CLOSED_REQUEST)


async def handle_fault(request: Request, error: Exception) -> Response:
    """A bug of ours: the log gets the traceback, the visitor one sentence."""
    logger.error("fault", exc_info=error)
    message = say("Something went wrong on our side. No confirmed action is lost.").render(translations_for(request))
    return _response(request, 500, Problem(code="fault", message=message, rule=None, seq=None))


def _response(request: Request, status: int, problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    fields = problem.model_dump()
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": fields}, status, headers)
    translations = translations_for(request)
    template = pages.templates(translations.language).get_template("server/error.html")
    page = template.render(problem=fields, path=request.url.path, visitor=None, languages=())
    return HTMLResponse(page, status, headers)
