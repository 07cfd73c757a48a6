"""The hub of several processes: one Redis channel."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
from collections.abc import Sequence

from redis.asyncio import Redis
from redis.exceptions import RedisError

from skerry.server.hub import ALL_MATCHES, HintHandler
from skerry.server.match_log import LogRow

logger = logging.getLogger(__name__)

OUTBOX_SIZE = 10_000  # hints
RECONNECT = 1.0  # seconds
HINT = re.compile(r"(\w+) ([\w-]+) (-?\d{1,9})", re.ASCII)  # process, match, number


class RedisHub:
    shared = True

    def __init__(self, url: str, channel: str = "skerry") -> None:
        self.redis = Redis.from_url(url, socket_connect_timeout=2, socket_timeout=None, health_check_interval=10)
        self.channel = channel
        self.process_id = secrets.token_hex(4)
        self.connected = False
        self._outbox: asyncio.Queue[str] = asyncio.Queue(OUTBOX_SIZE)
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, handler: HintHandler) -> None:
        self._tasks = [asyncio.create_task(self._listen(handler)), asyncio.create_task(self._send())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.redis.aclose()

    def publish(self, match: str, seq: int) -> None:
        """Queue a hint without waiting. If the queue is full, the hint is dropped."""
        with contextlib.suppress(asyncio.QueueFull):
            self._outbox.put_nowait(f"{self.process_id} {match} {seq}")

    def publish_row(self, row: LogRow) -> None:
        self.publish(row.match, row.seq)

    def rows(self, match: str) -> Sequence[LogRow]:
        """None: anybody who uses this Redis could have written them."""
        return ()

    async def _send(self) -> None:
        while True:
            message = await self._outbox.get()
            with contextlib.suppress(RedisError, OSError):  # the listener logs that Redis is unreachable
                await self.redis.publish(self.channel, message)

    async def _listen(self, handler: HintHandler) -> None:
        while True:
            try:
                async with self.redis.pubsub(ignore_subscribe_messages=True) as subscriber:
                    await subscriber.subscribe(self.channel)
                    self._set_connected(True)
                    await handler(ALL_MATCHES, 0)
                    async for message in subscriber.listen():
                        await self._handle(message["data"].decode("ascii", "replace"), handler)
            except (RedisError, OSError) as error:
                self._set_connected(False, error)
                await asyncio.sleep(RECONNECT)

    async def _handle(self, message: str, handler: HintHandler) -> None:
        hint = HINT.fullmatch(message)  # anybody who uses this Redis can write to the channel
        if hint is not None and hint[1] != self.process_id:
            await handler(hint[2], int(hint[3]))

    def _set_connected(self, connected: bool, error: Exception | None = None) -> None:
        if connected != self.connected:
            logger.warning("redis connected" if connected else "redis unreachable", extra={"error": str(error or "")})
        self.connected = connected
