"""uvicorn's HTTP protocol, with an ASGI extension that writes to the connection without waiting.

Sent as ASGI has it, the head and the body of a response are two writes to the socket, and each message of an event
stream wakes a task first. That takes longer than what is sent. The extension writes a whole response at once, and a
message to all streams at once; where it cannot, it says so, and the response is sent as usual.

An open page is two connections, so they are kept small: of a request that was answered, nothing stays.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, cast

from starlette.types import Scope
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

EXTENSION = "skerry.direct_writer"

Header = tuple[bytes, bytes]


class DirectWriter:
    """Writes the response to one request."""

    __slots__ = ("_cycle", "_protocol")

    def __init__(self, protocol: HttpProtocol) -> None:
        self._protocol = protocol
        self._cycle = protocol.cycle

    def call_when_lost(self, callback: Callable[[], None]) -> None:
        """Call a function when the client is gone, or at once if it is."""
        if self._cycle.disconnected:
            callback()
        else:
            self._protocol.on_lost = callback

    def respond(self, status: int, headers: Sequence[Header], body: bytes) -> bool:
        """Write a whole response. False if that is not possible, and nothing was written."""
        cycle = self._cycle
        is_plain = status >= 200 and status not in (204, 304) and cycle.scope["method"] != "HEAD"
        can_write = not (cycle.response_started or cycle.disconnected or cycle.flow.write_paused)
        if not (is_plain and can_write and cycle.keep_alive and not cycle.waiting_for_100_continue):
            return False
        head = _head(status, [*cycle.default_headers, *headers])
        if head is None:
            return False
        cycle.response_started = cycle.response_complete = True
        cycle.transport.write(head + body)
        cycle.message_event.set()
        cycle.on_response()
        return True

    def write_chunk(self, chunk: bytes) -> bool:
        """Write a chunk of a response whose head has been sent. False if the client reads too slowly for that, or is
        gone."""
        cycle = self._cycle
        if not cycle.chunked_encoding or cycle.response_complete or cycle.disconnected or cycle.flow.write_paused:
            return False
        cycle.transport.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))
        return True


def _head(status: int, headers: Sequence[Header]) -> bytes | None:
    """The head of a response, or None if a header is not as it should be: uvicorn says what is wrong with it."""
    lines = [b"%b: %b\r\n" % header for header in headers]
    head = b"".join([STATUS_LINE[status], *lines, b"\r\n"])
    is_safe = head.count(b"\r") == head.count(b"\n") == len(lines) + 2 and b"\0" not in head
    names = {name for name, _ in headers}
    return head if is_safe and b"content-length" in names and b"connection" not in names else None


class SmallFlowControl(FlowControl):
    """uvicorn's flow control, without an event for each connection whose client never reads too slowly."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self.read_paused = False
        self.write_paused = False
        self._writable: asyncio.Event | None = None

    async def drain(self) -> None:
        if self._writable is not None:
            await self._writable.wait()

    def pause_writing(self) -> None:
        if not self.write_paused:
            self.write_paused = True
            self._writable = asyncio.Event()

    def resume_writing(self) -> None:
        if self.write_paused and self._writable is not None:
            self.write_paused = False
            self._writable.set()
            self._writable = None


class HttpProtocol(HttpToolsProtocol):
    __slots__ = ("on_lost",)  # one attribute more would make the dictionary of each connection twice as large

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.on_lost: Callable[[], None] | None = None  # called when the connection is lost
        self.flow = SmallFlowControl(transport)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        cast(dict[str, Any], self.scope)["extensions"] = {EXTENSION: DirectWriter(self)}

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.on_lost = None
        if self.cycle.response_complete and not self.cycle.more_body:  # otherwise it is of a request that waits
            self._forget_request()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        on_lost, self.on_lost = self.on_lost, None
        if on_lost is not None:
            on_lost()

    def _forget_request(self) -> None:
        """Let go of a request that was answered."""
        self.url = b""
        self.scope = self.headers = self.cycle = None  # type: ignore[assignment]


def take_direct_writer(scope: Scope) -> DirectWriter | None:
    """The extension of a request, if its server has it. It is taken out of the scope, which it refers to."""
    return cast("DirectWriter | None", scope.get("extensions", {}).pop(EXTENSION, None))
