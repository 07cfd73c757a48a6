"""Open readers: one event stream each."""

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

# A sign of life: an event for a page, whose script sees no comments; a comment for programs, which need not know of it.
HEARTBEATS = {True: b"event: beat\ndata: {}\n\n", False: b": still here\n\n"}


class Subscription(Response):
    """One open reader. Slow ones skip to the present; they never make others wait, nor pile up here."""

    def __init__(self, broadcaster: Broadcaster, topic: Topic, first: bytes, guest: str) -> None:
        self.background = None
        self.broadcaster = broadcaster
        self.topic = topic
        self.first = first
        self.guest = guest
        self.number, self.seq = topic.number, topic.seq  # as far as it has been told
        self.beat = False
        self.gone = False
        self.sending_since = 0.0
        self.task: asyncio.Task[Any] | None = None
        self._bell: asyncio.Future[None] | None = None

    def wake(self) -> None:
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The response, run by the middleware: a stream stays open for long; what lies between need not."""
        scope[DEFERRED_RESPONSE] = self.run

    async def run(self, receive: Receive, send: Send) -> None:
        """An event stream until one of both sides goes."""
        self.task = asyncio.current_task()
        leaving = asyncio.create_task(self._leave(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
            await self._send(send, b"retry: 1500\n\n" + self.first)
            self.first = b""
            while not self.gone:
                data = await self._next()
                if data:
                    await self._send(send, data)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except OSError:
            pass  # the reader is gone
        except Refusal:  # it was too slow, and what it missed cannot be read: it will come back
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self.broadcaster.leave(self)

    async def _leave(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        self.wake()

    async def _send(self, send: Send, data: bytes) -> None:
        self.sending_since = time.monotonic()
        await send({"type": "http.response.body", "body": data, "more_body": True})
        self.sending_since = 0.0

    async def _next(self) -> bytes:
        if self.number == self.topic.number and not self.beat and not self.gone:
            self._bell = asyncio.get_running_loop().create_future()
            await self._bell
            self._bell = None
        data = self.topic.since(self.number)
        if data is None:
            data = await self.broadcaster.catch_up(self)
        self.number, self.seq = self.topic.number, self.topic.seq
        self.topic.taken()
        beat, self.beat = self.beat, False
        return data or (HEARTBEATS[self.topic.key.page] if beat else b"")


STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]
