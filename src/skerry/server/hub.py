"""The hub: how server processes that share a store tell each other that a match has changed.

A message is only a hint: a match and a number. The receiver reads the store. So a lost hint does no harm: the next
action or the next refresh makes up for it.
"""

from __future__ import annotations

from typing import Protocol

SEATS_CHANGED = -1  # instead of a log number: the seats of a match have changed
ALL_MATCHES = ""  # instead of a match id: hints may have been lost


class HintHandler(Protocol):
    async def __call__(self, match: str, seq: int, /) -> None: ...


class Hub(Protocol):
    shared: bool  # whether there may be other processes

    async def open(self, handler: HintHandler) -> None: ...
    async def close(self) -> None: ...
    def publish(self, match: str, seq: int) -> None: ...


class LocalHub:
    """The hub of a single process, which has nobody to tell."""

    shared = False

    async def open(self, handler: HintHandler) -> None:
        pass

    async def close(self) -> None:
        pass

    def publish(self, match: str, seq: int) -> None:
        pass


def make_hub(redis_url: str) -> Hub:
    if not redis_url:
        return LocalHub()
    from skerry.server.redis_hub import RedisHub

    return RedisHub(redis_url)
