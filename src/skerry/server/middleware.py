"""What every request passes: limits on its size, where it comes from, the headers of the answer, the host's log."""

from __future__ import annotations

import contextvars
import json
import logging
import secrets
import time
from typing import Any

from prometheus_client import Counter, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("skerry.requests")

SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),  # a link to a match is a secret
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
PERSONAL = (b"text/html", b"application/json")  # what one guest sees is not kept for another by somebody between

METHODS = frozenset(("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"))
REQUESTS = Counter("skerry_requests", "Answered requests", ["route", "method", "status"])
SECONDS = Histogram("skerry_request_seconds", "Time to answer, without streams", ["route"])
request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")


DEFERRED_RESPONSE = "skerry.later"  # in a request's scope: the rest of its answer, when everything else is done


class BodyTooLong(Exception):
    """The body is longer than a request may be."""


class RequestMiddleware:
    def __init__(self, app: ASGIApp, longest_body: int, origins: tuple[str, ...]) -> None:
        self.app = app
        self.longest_body = longest_body
        self.origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id.set(secrets.token_hex(4))
        given = {*scope, "route"}
        visit = RequestScope(self, scope, receive, send)
        try:
            refused = self._refused(scope)
            if refused is not None:
                await visit.refuse(*refused)
            else:
                await self.app(scope, visit.receive, visit.send)
                later = scope.pop(DEFERRED_RESPONSE, None)
                for name in scope.keys() - given:  # a line that stays open keeps its last request: make it light
                    del scope[name]
                if later is not None:
                    await later(visit.receive, visit.send)
        except BodyTooLong:
            pass  # it has been refused
        finally:
            visit.note()

    @property
    def too_long(self) -> tuple[int, str, str]:
        return 413, "too-long", f"a request has at most {self.longest_body} bytes"

    def _refused(self, scope: Scope) -> tuple[int, str, str] | None:
        headers = {name: value for name, value in scope["headers"] if name in ASKED}
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 18 or int(length) > self.longest_body:
            return self.too_long
        if scope["method"] not in SAFE and b"cookie" in headers and not self._ours(headers):
            return 403, "other-origin", "this came from a page of another site"
        return None

    def _ours(self, headers: dict[bytes, bytes]) -> bool:
        """Whether a request that carries a cookie comes from a page of ours."""
        origin = headers.get(b"origin")
        if origin is None:
            return headers.get(b"sec-fetch-site", b"same-origin") in (b"same-origin", b"none")
        text = origin.decode("latin-1")
        _, separator, host = text.partition("://")
        return (bool(separator) and host == headers.get(b"host", b"").decode("latin-1")) or text in self.origins


ASKED = frozenset((b"content-length", b"origin", b"host", b"cookie", b"sec-fetch-site"))


class RequestScope:
    """One request on its way through."""

    def __init__(self, door: RequestMiddleware, scope: Scope, receive: Receive, send: Send) -> None:
        self._middleware, self._scope = door, scope
        self._receive, self._send = receive, send
        self._began = time.perf_counter()
        self._bytes = 0
        self._status = 0
        self._stream = False
        self._closed = False  # whatever is still said is not sent

    async def receive(self) -> Message:
        message = await self._receive()
        self._bytes += len(message.get("body", b""))
        if self._bytes > self._middleware.longest_body:
            await self.refuse(*self._middleware.too_long)
            self._closed = True
            raise BodyTooLong
        return message

    async def send(self, message: Message) -> None:
        if self._closed:
            return
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = list(message.get("headers", ()))
            kind = next((value for name, value in headers if name == b"content-type"), b"")
            self._stream = kind.startswith(b"text/event-stream")
            if kind.startswith(PERSONAL) and not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"private, no-cache"))
            message = {**message, "headers": [*headers, *HEADERS]}
        await self._send(message)

    async def refuse(self, status: int, code: str, text: str) -> None:
        if self._status:
            return  # the answer has begun
        body = json.dumps({"error": {"code": code, "message": text, "rule": None, "seq": None}}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if status == 413:
            headers.append((b"connection", b"close"))
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})

    def note(self) -> None:
        """For the host: which route, not which match or whose link."""
        route = getattr(self._scope.get("route"), "path", "")
        seconds = time.perf_counter() - self._began
        method = self._scope["method"] if self._scope["method"] in METHODS else "other"  # anybody may invent some
        REQUESTS.labels(route, method, self._status).inc()
        if not self._stream:
            SECONDS.labels(route).observe(seconds)
        if log.isEnabledFor(logging.INFO):
            extra = {
                "route": route,
                "method": method,
                "status": self._status,
                "ms": round(seconds * 1000, 1),
            }
            log.info("request", extra=extra)


class JsonLogFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
        }
        if request_id.get():
            line["request"] = request_id.get()
        line |= {name: record.__dict__[name] for name in EXTRA if name in record.__dict__}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


EXTRA = ("route", "method", "status", "ms", "error")
