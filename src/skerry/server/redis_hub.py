"""The hub of several processes: one Redis channel."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets

from redis.asyncio import Redis
from redis.exceptions import RedisError

from skerry.server.hub import EVERYTHING, Hear

log = logging.getLogger(__name__)

HINT = re.compile(r"(\w+) ([\w-]+) (-?\d{1,9})", re.ASCII)


class RedisHub:
    remote = True

    def __init__(self, url: str, channel: str = "skerry") -> None:
        self.redis = Redis.from_url(url, socket_connect_timeout=2, socket_timeout=None, health_check_interval=10)
        self.channel = channel
        self.me = secrets.token_hex(4)
        self.well = False
        self._outbox: asyncio.Queue[str] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, hear: Hear) -> None:
        self._tasks = [asyncio.create_task(self._listen(hear)), asyncio.create_task(self._send())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.redis.aclose()

    def tell(self, match: str, seq: int) -> None:
        """Never waits: a hint that finds no room is dropped."""
        with contextlib.suppress(asyncio.QueueFull):
            self._outbox.put_nowait(f"{self.me} {match} {seq}")

    async def _send(self) -> None:
        while True:
            message = await self._outbox.get()
            with contextlib.suppress(RedisError, OSError):  # the listener says that Redis is away
                await self.redis.publish(self.channel, message)

    async def _listen(self, hear: Hear) -> None:
        while True:
            try:
                async with self.redis.pubsub(ignore_subscribe_messages=True) as heard:
                    await heard.subscribe(self.channel)
                    self._say_well(True)
                    await hear(EVERYTHING, 0)
                    async for message in heard.listen():
                        await self._pass_on(message["data"].decode("ascii", "replace"), hear)
            except (RedisError, OSError) as error:
                self._say_well(False, error)
                await asyncio.sleep(1)

    async def _pass_on(self, message: str, hear: Hear) -> None:
        hint = HINT.fullmatch(message)  # the channel is open to whoever may use this Redis
        if hint is not None and hint[1] != self.me:
            await hear(hint[2], int(hint[3]))

    def _say_well(self, well: bool, error: Exception | None = None) -> None:
        if well != self.well:
            log.warning("redis is there" if well else "redis is away", extra={"error": str(error or "")})
        self.well = well
