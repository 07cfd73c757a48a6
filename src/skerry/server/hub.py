"""The hub: how processes that serve the same store tell each other that a match went on.

A message is only a hint, a match and a number: who gets it looks into the store. So a lost one harms nothing; it is
made good at the next action, or at the next look around.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

SEATS = -1  # instead of a seq: who sits where has changed
EVERYTHING = ""  # instead of a match: messages may have been lost

Hear = Callable[[str, int], Awaitable[None]]


class Hub(Protocol):
    remote: bool  # there may be other processes

    async def open(self, hear: Hear) -> None: ...
    async def close(self) -> None: ...
    def tell(self, match: str, seq: int) -> None: ...


class LocalHub:
    """One process: there is nobody else to tell."""

    remote = False

    async def open(self, hear: Hear) -> None:
        pass

    async def close(self) -> None:
        pass

    def tell(self, match: str, seq: int) -> None:
        pass


def hub_of(url: str) -> Hub:
    if not url:
        return LocalHub()
    from skerry.server.redis_hub import RedisHub

    return RedisHub(url)
