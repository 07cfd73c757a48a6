"""The routes of an application, however deeply routers are included in each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from starlette.routing import Mount

from skerry.server.app import fastapi_of

DOCUMENTED_ONLY = {"HEAD"}  # answered like GET, without a body


def routes_of(app: Any) -> set[tuple[str, str]]:
    """The method and the path template of every route."""
    inner = fastapi_of(app)
    described = {(method.upper(), path) for path, methods in inner.openapi()["paths"].items() for method in methods}
    found = {
        (method, path)
        for path, methods in _paths(inner.routes, "")
        for method in methods
        if method not in DOCUMENTED_ONLY
    }
    assert described <= found, f"not found among the routes: {described - found}"
    return found


def _paths(routes: Any, prefix: str) -> Iterator[tuple[str, set[str]]]:
    for route in routes:
        included = getattr(route, "original_router", None)
        if isinstance(route, Mount):
            yield f"{prefix}{route.path}/{{path}}", {"GET"}
        elif included is not None:
            yield from _paths(included.routes, prefix)
        else:
            yield f"{prefix}{route.path}", set(route.methods or {"GET"})
