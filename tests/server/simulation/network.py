"""The simulated network: requests and their responses, which may be lost, doubled, late, or cut."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.types import Message, Scope

from tests.server.simulation.world import World

if TYPE_CHECKING:
    from tests.server.simulation.process import ServerProcess

LATENCY = 0.02  # seconds each way, at most
LATE = 8.0  # seconds that a late request takes at most
PATIENCE = 12.0  # seconds after which a client gives up waiting for an answer
BUFFER = 64 * 1024  # bytes that are on their way before the sender has to wait


class Lost(Exception):
    """The connection was lost: the client does not know what happened."""


class Answer(NamedTuple):
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of a refusal."""
        return str(self.json["error"]["code"])


class Exchange:
    """One request and its response, over a connection with a limited buffer."""

    def __init__(self, method: str, path: str, query: str, headers: dict[str, str], body: bytes) -> None:
        self.method, self.path, self.query, self.headers, self.body = method, path, query, headers, body
        self.status = 0
        self.is_cut = False
        self.has_ended = False
        self._request_was_read = False
        self._chunks: deque[bytes] = deque()
        self._unread = 0
        self._to_client = asyncio.Event()
        self._to_server = asyncio.Event()

    # The server's side

    def scope(self) -> Scope:
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": self.path,
            "raw_path": self.path.encode(),
            "query_string": self.query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in self.headers.items()],
            "client": ("10.0.0.1", 1),
            "server": ("table", 80),
        }

    async def receive(self) -> Message:
        if not self._request_was_read:
            self._request_was_read = True
            return {"type": "http.request", "body": self.body, "more_body": False}
        while not self.is_cut:
            self._to_server.clear()
            await self._to_server.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if self.is_cut:
            return
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        if message.get("body"):
            self._chunks.append(message["body"])
            self._unread += len(message["body"])
            self._to_client.set()
        while self._unread > BUFFER and not self.is_cut:
            self._to_server.clear()
            await self._to_server.wait()

    def end(self) -> None:
        """The server has sent everything, or has closed the connection."""
        self.has_ended = True
        self._to_client.set()

    # The client's side

    async def next_chunk(self) -> bytes:
        """The next piece of the response; empty at its end."""
        while not self._chunks:
            if self.is_cut or (self.has_ended and not self.status):
                raise Lost
            if self.has_ended:
                return b""
            self._to_client.clear()
            await self._to_client.wait()
        chunk = self._chunks.popleft()
        self._unread -= len(chunk)
        self._to_server.set()
        return chunk

    def cut(self) -> None:
        self.is_cut = True
        self._to_client.set()
        self._to_server.set()


class Network:
    def __init__(self, world: World) -> None:
        self.world = world

    async def request(self, process: ServerProcess, method: str, path: str, token: str, body: Any = None) -> Answer:
        """Send a request and wait for the whole answer, or lose it."""
        faults = self.world.faults
        if faults.strikes("network: request lost"):
            await self.world.sleep(self.world.draw(PATIENCE))
            raise Lost
        exchange = _exchange(method, path, token, body)
        if faults.strikes("network: request doubled"):  # by a proxy that tries again
            self.world.later(self.world.draw(LATE), process.serve, _exchange(method, path, token, body))
        delay = self.world.draw(LATE if faults.strikes("network: request late") else LATENCY)
        self.world.later(delay, process.serve, exchange)
        try:
            async with asyncio.timeout(PATIENCE):
                content = b""
                while chunk := await exchange.next_chunk():
                    content += chunk
        except TimeoutError:
            exchange.cut()
            raise Lost from None
        await self.world.sleep(self.world.draw(LATENCY))
        if faults.strikes("network: response lost"):
            raise Lost
        return Answer(exchange.status, content)

    async def open_stream(self, process: ServerProcess, path: str, token: str, last_event_id: int | None) -> Exchange:
        more = {} if last_event_id is None else {"last-event-id": str(last_event_id)}
        exchange = _exchange("GET", path, token, None, more)
        await self.world.sleep(self.world.draw(LATENCY))
        process.serve(exchange)
        return exchange


def _exchange(method: str, path: str, token: str, body: Any, more: dict[str, str] | None = None) -> Exchange:
    place, _, query = path.partition("?")
    headers = {"host": "table", "authorization": f"Bearer {token}", **(more or {})}
    content = b""
    if body is not None:
        content = json.dumps(body).encode()
        headers |= {"content-type": "application/json", "content-length": str(len(content))}
    return Exchange(method, place, query, headers, content)
