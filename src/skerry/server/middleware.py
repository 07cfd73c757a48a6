"""The outermost ASGI middleware: body limits, origin checks, response headers, metrics and the request log."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import random
import time
from typing import NamedTuple

from prometheus_client import Counter, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from skerry.server.http_protocol import DirectWriter, take_direct_writer
from skerry.server.json_logging import request_id

logger = logging.getLogger(__name__)

SAFE_METHODS = frozenset(("GET", "HEAD", "OPTIONS"))
KNOWN_METHODS = SAFE_METHODS | {"POST", "PUT", "PATCH", "DELETE"}
CHECKED_HEADERS = frozenset((b"content-length", b"origin", b"host", b"cookie", b"sec-fetch-site"))
SECURITY_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),  # the address of a match is a secret
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
PERSONAL_TYPES = (b"text/html", b"application/json")  # responses that shared caches must not keep

REQUESTS = Counter("skerry_requests", "Answered requests", ["route", "method", "status"])
SECONDS = Histogram("skerry_request_seconds", "Time to answer, without streams", ["route"])

_requests = functools.cache(REQUESTS.labels)  # looking a label up takes a lock
_seconds = functools.cache(SECONDS.labels)

# Keys of the ASGI scope:
DEFERRED_RESPONSE = "skerry.deferred_response"  # a response to be sent after all inner layers have returned
DIRECT_WRITER = "skerry.direct_writer"  # what writes the response without waiting, if the server can do that

KEPT_IN_SCOPE = ("type", "http_version", "client", "method", "path", "query_string", "route")


class BodyTooLong(Exception):
    """The body is longer than a request may be. It has been answered already."""


class Rejection(NamedTuple):
    """A request that the middleware answers itself."""

    status: int
    code: str
    message: str


STOPPING = Rejection(503, "stopping", "the server is stopping; try again in a moment")


class RequestMiddleware:
    def __init__(self, app: ASGIApp, max_body_bytes: int, origins: tuple[str, ...]) -> None:
        self.app = app
        self.max_body_bytes = max_body_bytes
        self.origins = frozenset(origins)
        self.stopping = False  # requests that are cancelled from now on are answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id.set(f"{random.getrandbits(32):08x}")
        writer = scope[DIRECT_WRITER] = take_direct_writer(scope)
        request = RequestScope(self, scope, receive, send, writer)
        try:
            rejection = self._check(scope)
            if rejection is not None:
                await request.reject(rejection)
                return
            await self.app(scope, request.receive, request.send)
            deferred = scope.pop(DEFERRED_RESPONSE, None)
            _shrink(scope)  # a stream holds on to it
            if deferred is not None:
                await deferred(request.receive, request.send)
        except BodyTooLong:
            pass
        except asyncio.CancelledError:
            if not self.stopping:
                raise
            await request.reject(STOPPING)
        finally:
            request.log()

    @property
    def too_long(self) -> Rejection:
        return Rejection(413, "too-long", f"a request has at most {self.max_body_bytes} bytes")

    def _check(self, scope: Scope) -> Rejection | None:
        headers = {name: value for name, value in scope["headers"] if name in CHECKED_HEADERS}
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 18 or int(length) > self.max_body_bytes:
            return self.too_long
        if scope["method"] not in SAFE_METHODS and b"cookie" in headers and not self._same_origin(headers):
            return Rejection(403, "other-origin", "this came from a page of another site")
        return None

    def _same_origin(self, headers: dict[bytes, bytes]) -> bool:
        """Whether a request with a cookie comes from one of our own pages."""
        origin = headers.get(b"origin")
        if origin is None:
            return headers.get(b"sec-fetch-site", b"same-origin") in (b"same-origin", b"none")
        text = origin.decode("latin-1")
        _, separator, host = text.partition("://")
        return (bool(separator) and host == headers.get(b"host", b"").decode("latin-1")) or text in self.origins


def _shrink(scope: Scope) -> None:
    """Leave in a scope only what its server and the log need during the response."""
    kept = {name: scope[name] for name in KEPT_IN_SCOPE if name in scope}
    scope.clear()
    scope.update(kept)


class RequestScope:
    """One request: counts the bytes of its body, adds the response headers, and logs it."""

    def __init__(
        self,
        middleware: RequestMiddleware,
        scope: Scope,
        receive: Receive,
        send: Send,
        writer: DirectWriter | None,
    ) -> None:
        self._middleware = middleware
        self._scope = scope
        self._receive = receive
        self._send = send
        self._writer = writer
        self._head: Message | None = None  # held back until the body comes, so that both are one write
        self._began = time.perf_counter()
        self._body_bytes = 0
        self._status = 0  # 0: the response has not begun
        self._is_stream = False
        self._closed = False  # nothing more is sent

    async def receive(self) -> Message:
        message = await self._receive()
        self._body_bytes += len(message.get("body", b""))
        if self._body_bytes > self._middleware.max_body_bytes:
            await self.reject(self._middleware.too_long)
            self._closed = True
            raise BodyTooLong
        return message

    async def send(self, message: Message) -> None:
        if self._closed:
            return
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = list(message.get("headers", ()))
            content_type = next((value for name, value in headers if name == b"content-type"), b"")
            self._is_stream = content_type.startswith(b"text/event-stream")
            if content_type.startswith(PERSONAL_TYPES) and not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"private, no-cache"))
            self._head = {**message, "headers": [*headers, *SECURITY_HEADERS]}
            return
        head, self._head = self._head, None
        if head is not None:
            writer = None if message.get("more_body") else self._writer
            if writer is not None and writer.respond(head["status"], head["headers"], message.get("body", b"")):
                return
            await self._send(head)
        await self._send(message)

    async def reject(self, rejection: Rejection) -> None:
        """Answer with a rejection, unless something has been sent."""
        if self._status and self._head is None:
            return
        problem = {"code": rejection.code, "message": rejection.message, "rule": None, "seq": None}
        body = json.dumps({"error": problem}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        if rejection.status == 413:
            headers.append((b"connection", b"close"))
        await self.send({"type": "http.response.start", "status": rejection.status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})

    def log(self) -> None:
        """Update the metrics and log the request: its route only, since its address may be secret."""
        route = getattr(self._scope.get("route"), "path", "")
        seconds = time.perf_counter() - self._began
        method = self._scope["method"] if self._scope["method"] in KNOWN_METHODS else "other"  # clients can invent some
        _requests(route, method, self._status).inc()
        if not self._is_stream:
            _seconds(route).observe(seconds)
        if logger.isEnabledFor(logging.INFO):
            extra = {"route": route, "method": method, "status": self._status, "ms": round(seconds * 1000, 1)}
            logger.info("request", extra=extra)
