"""What all sections of the JSON API share: the path prefix and the description of errors."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from skerry.server.problems import Refused

PROBLEMS = {
    400: "not understood",
    401: "you are not a guest",
    403: "not yours, or not yet",
    404: "not found",
    409: "the match has gone on",
    413: "the body is too long",
    415: "not JSON",
    422: "not allowed by the rules, or not valid",
    429: "a limit is reached",
    503: "the store does not answer",
}


def new_router(section: str) -> APIRouter:
    """A router for one section of the API, which is also its tag in the OpenAPI description."""
    responses: dict[int | str, dict[str, Any]] = {
        status: {"model": Refused, "description": text} for status, text in PROBLEMS.items()
    }
    return APIRouter(prefix="/api/v1", tags=[section], responses=responses)
