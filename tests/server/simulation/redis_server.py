"""The simulated Redis: one channel whose messages can be lost, doubled, or late, and so out of order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any

from redis.exceptions import ConnectionError as RedisConnectionError

from tests.server.simulation.event_loop import OWNER, Owner
from tests.server.simulation.world import World

LATENCY = 0.002  # seconds, at most
LATE = 20.0  # seconds that a late message takes at most


class RedisServer:
    def __init__(self, world: World) -> None:
        self._world = world
        self.is_up = True
        self.subscribers: list[Subscriber] = []

    def publish(self, message: str) -> None:
        """Send a message to all subscribers, each on its own way."""
        for subscriber in self.subscribers:
            faults = self._world.faults
            if faults.strikes("hub: message lost"):
                continue
            for _ in range(1 + faults.strikes("hub: message doubled")):
                delay = self._world.draw(LATE if faults.strikes("hub: message late") else LATENCY)
                self._world.later(delay, subscriber.deliver, message)

    def stop(self) -> None:
        self.is_up = False
        for subscriber in list(self.subscribers):
            subscriber.cut()

    def disconnect(self, owner: Owner) -> None:
        """Forget the subscribers of a process that has died."""
        self.subscribers = [subscriber for subscriber in self.subscribers if subscriber.owner is not owner]


class Redis:
    """Stands for ``redis.asyncio.Redis``: a process's connection to the server."""

    def __init__(self, world: World, server: RedisServer) -> None:
        self._world = world
        self._server = server

    def from_url(self, url: str, **more: Any) -> Redis:
        """Called as the class method would be: it connects to the same server, whatever the URL."""
        return self

    async def publish(self, channel: str, message: str) -> None:
        await self._world.sleep(self._world.draw(LATENCY))
        if not self._server.is_up or self._world.faults.strikes("hub: publishing fails"):
            raise RedisConnectionError("simulated")
        self._server.publish(message)

    def pubsub(self, **more: Any) -> Subscriber:
        return Subscriber(self._world, self._server)

    async def aclose(self) -> None:
        pass


class Subscriber:
    """Stands for redis-py's ``PubSub``."""

    def __init__(self, world: World, server: RedisServer) -> None:
        self._world = world
        self._server = server
        self.owner = OWNER.get()
        self._inbox: asyncio.Queue[str | None] = asyncio.Queue()  # None: the connection is cut

    async def __aenter__(self) -> Subscriber:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.cut()

    async def subscribe(self, channel: str) -> None:
        await self._world.sleep(self._world.draw(LATENCY))
        if not self._server.is_up:
            raise RedisConnectionError("simulated")
        self._server.subscribers.append(self)

    def deliver(self, message: str) -> None:
        if self not in self._server.subscribers:
            return
        if self._world.faults.strikes("hub: subscriber cut off"):
            self.cut()
        else:
            self._inbox.put_nowait(message)

    def cut(self) -> None:
        if self in self._server.subscribers:
            self._server.subscribers.remove(self)
        self._inbox.put_nowait(None)

    async def listen(self) -> AsyncIterator[dict[str, bytes]]:
        while (message := await self._inbox.get()) is not None:
            yield {"data": message.encode()}
        raise RedisConnectionError("simulated")
