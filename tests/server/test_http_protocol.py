"""Responses and stream messages are written to the connection at once, and wait where they have to."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from skerry.server.http_protocol import HttpProtocol
from skerry.server.middleware import DIRECT_WRITER, RequestMiddleware

pytestmark = pytest.mark.anyio


class Connection:
    """The transport of a connection, which keeps what is written to it."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.writes.append(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_extra_info(self, name: str) -> Any:
        return None

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class Application:
    """Answers each request with a text, some headers and, if it is a stream, chunks that a test writes."""

    def __init__(self, body: bytes = b"hello", **headers: str) -> None:
        length = [] if headers.get("stream") else [(b"content-length", str(len(body)).encode())]
        self.headers = [*((name.encode(), value.encode()) for name, value in headers.items()), *length]
        self.body = body
        self.is_stream = "stream" in headers
        self.scope: Scope = {}
        self.left = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": self.is_stream})
        if self.is_stream:
            await self.left.wait()
            await send({"type": "http.response.body", "body": b"last", "more_body": False})


async def ask(application: Application, request: bytes) -> tuple[HttpProtocol, Connection]:
    """Send a request over a new connection, and wait for what is written."""
    app = RequestMiddleware(application, 1000, ())
    config = uvicorn.Config(cast(Any, app), log_config=None, access_log=False, proxy_headers=False)
    protocol, connection = HttpProtocol(config, ServerState(), {}), Connection()
    protocol.connection_made(cast(Any, connection))
    protocol.data_received(request + b"\r\nhost: table\r\n\r\n")
    for _ in range(5):
        await asyncio.sleep(0)
    return protocol, connection


async def test_head_and_body_are_one_write() -> None:
    protocol, connection = await ask(Application(), b"GET / HTTP/1.1")
    (answer,) = connection.writes
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n") and b"x-frame-options: DENY" in head and body == b"hello"
    protocol.data_received(b"GET / HTTP/1.1\r\nhost: table\r\n\r\n")  # the connection can be used again
    for _ in range(5):
        await asyncio.sleep(0)
    assert len(connection.writes) == 2 and not connection.closed
    protocol.connection_lost(None)


@pytest.mark.parametrize("request_line", [b"GET / HTTP/1.1\r\nconnection: close", b"GET / HTTP/1.0"])
async def test_a_connection_that_is_not_kept_is_closed(request_line: bytes) -> None:
    _, connection = await ask(Application(), request_line)
    answer = b"".join(connection.writes)
    assert b"connection: close" in answer and answer.endswith(b"\r\n\r\nhello") and connection.closed


async def test_the_answer_to_head_has_no_body() -> None:
    protocol, connection = await ask(Application(), b"HEAD / HTTP/1.1")
    answer = b"".join(connection.writes)
    assert b"content-length: 5" in answer and answer.endswith(b"\r\n\r\n")
    protocol.connection_lost(None)


async def test_a_header_cannot_break_out_of_its_line() -> None:
    _, connection = await ask(Application(location="/\r\nset-cookie: evil=1"), b"GET / HTTP/1.1")
    assert not connection.writes and connection.closed


async def test_chunks_of_a_stream_are_written_unless_the_client_is_slow_or_gone() -> None:
    application = Application(stream="yes")
    protocol, connection = await ask(application, b"GET / HTTP/1.1")
    writer = application.scope[DIRECT_WRITER]
    connection.writes.clear()
    assert writer.write_chunk(b"x" * 20) and connection.writes == [b"14\r\n" + b"x" * 20 + b"\r\n"]
    protocol.pause_writing()
    assert not writer.write_chunk(b"more")
    protocol.resume_writing()
    assert writer.write_chunk(b"more")
    protocol.connection_lost(None)
    assert not writer.write_chunk(b"even more")
    assert len(connection.writes) == 2
    application.left.set()
    await asyncio.sleep(0)


async def test_nothing_is_written_to_a_stream_that_has_ended() -> None:
    application = Application(stream="yes")
    protocol, connection = await ask(application, b"GET / HTTP/1.1")
    writer = application.scope[DIRECT_WRITER]
    application.left.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert connection.writes[-1].endswith(b"0\r\n\r\n")
    assert not writer.write_chunk(b"late") and connection.writes[-1].endswith(b"0\r\n\r\n")
    protocol.connection_lost(None)
