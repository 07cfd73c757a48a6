"""Subscriptions: open event streams (SSE), one for each open page or listening program."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from skerry.engine.errors import Refusal
from skerry.server.http_protocol import DirectWriter
from skerry.server.middleware import DEFERRED_RESPONSE, DIRECT_WRITER
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
LAST_CHUNK: Message = {"type": "http.response.body", "body": b"", "more_body": False}


def _chunk(data: bytes) -> Message:
    return {"type": "http.response.body", "body": data, "more_body": True}


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
        self._wake_up: asyncio.Future[None] | None = None  # while the stream has nothing to send
        self._writer: DirectWriter | None = None

    def write(self, message: bytes) -> bool:
        """Write the topic's latest message at once, if all before it has been sent. Otherwise the stream must be
        woken, and sends what it has missed as soon as its client has read what came before."""
        is_idle = self._wake_up is not None and not self._wake_up.done()
        if not is_idle or self._writer is None or not self._writer.write_chunk(message):
            return False
        self.sent = self.topic.message_count
        self.seq = self.topic.seq
        return True

    def wake(self) -> None:
        if self._wake_up is not None and not self._wake_up.done():
            self._wake_up.set_result(None)

    def close(self) -> None:
        self.closed = True
        self.wake()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Leave the response to the outermost middleware, so that a long-lived stream does not keep the frames and
        objects of all layers in between alive."""
        self._writer = scope.get(DIRECT_WRITER)
        scope[DEFERRED_RESPONSE] = self.run

    async def run(self, receive: Receive, send: Send) -> None:
        """Send the stream until either side closes it."""
        disconnection: asyncio.Task[None] | None = None
        if self._writer is not None:
            self._writer.call_when_lost(self.close)
        else:
            disconnection = asyncio.create_task(self._wait_for_disconnect(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
            await send(_chunk(RETRY + self.first))
            self.first = b""
            while not self.closed:
                data = await self._next()
                if data and not self.closed:
                    await send(_chunk(data))
            await send(LAST_CHUNK)
        except OSError:
            pass  # the client is gone
        except Refusal:  # the client was too slow, and what it missed cannot be read now: it will reconnect
            await send(LAST_CHUNK)
        finally:
            if disconnection is not None:
                disconnection.cancel()
            self.broadcaster.unsubscribe(self)

    async def _wait_for_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.close()

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
