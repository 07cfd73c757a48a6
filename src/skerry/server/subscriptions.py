"""Subscriptions: open event streams (SSE), one for each open page or listening program."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from skerry.engine.errors import Refusal
from skerry.server.middleware import DEFERRED_RESPONSE
from skerry.server.topics import Topic

if TYPE_CHECKING:
    from skerry.server.broadcast import Broadcaster

# A page gets an event, because scripts do not see comments; a program gets a comment, which it can ignore.
HEARTBEATS = {True: b"event: beat\ndata: {}\n\n", False: b": still here\n\n"}

RETRY = b"retry: 1500\n\n"  # milliseconds until a browser reconnects

STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class Subscription(Response):
    """One open event stream of a topic.

    A slow client skips to the present. It never delays other subscribers, and its messages do not pile up here.
    """

    def __init__(self, broadcaster: Broadcaster, topic: Topic, first: bytes, guest: str) -> None:
        self.background = None
        self.broadcaster = broadcaster
        self.topic = topic
        self.first = first  # what the client missed before it subscribed
        self.guest = guest
        self.sent = topic.message_count  # of the topic's messages
        self.seq = topic.seq  # the last log row that was sent
        self.heartbeat_due = False
        self.closed = False
        self.sending_since = 0.0  # 0: not sending
        self.task: asyncio.Task[Any] | None = None
        self._wake_up: asyncio.Future[None] | None = None

    def wake(self) -> None:
        if self._wake_up is not None and not self._wake_up.done():
            self._wake_up.set_result(None)

    def close(self) -> None:
        self.closed = True
        self.wake()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Leave the response to the outermost middleware, so that a long-lived stream does not keep the frames and
        objects of all layers in between alive."""
        scope[DEFERRED_RESPONSE] = self.run

    async def run(self, receive: Receive, send: Send) -> None:
        """Send the stream until either side closes it."""
        self.task = asyncio.current_task()
        disconnection = asyncio.create_task(self._wait_for_disconnect(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
            await self._send(send, RETRY + self.first)
            self.first = b""
            while not self.closed:
                data = await self._next()
                if data:
                    await self._send(send, data)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except OSError:
            pass  # the client is gone
        except Refusal:  # the client was too slow, and what it missed cannot be read now: it will reconnect
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            disconnection.cancel()
            self.broadcaster.unsubscribe(self)

    async def _wait_for_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.close()

    async def _send(self, send: Send, data: bytes) -> None:
        self.sending_since = time.monotonic()
        await send({"type": "http.response.body", "body": data, "more_body": True})
        self.sending_since = 0.0

    async def _next(self) -> bytes:
        """Wait for the next messages or for a heartbeat."""
        if self.sent == self.topic.message_count and not self.heartbeat_due and not self.closed:
            self._wake_up = asyncio.get_running_loop().create_future()
            await self._wake_up
            self._wake_up = None
        data = self.topic.messages_since(self.sent)
        if data is None:
            data = await self.broadcaster.catch_up(self)
        self.sent = self.topic.message_count
        self.seq = self.topic.seq
        self.topic.drop_sent()
        heartbeat_due, self.heartbeat_due = self.heartbeat_due, False
        return data or (HEARTBEATS[self.topic.key.page] if heartbeat_due else b"")
