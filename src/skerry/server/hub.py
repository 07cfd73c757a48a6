"""The hub: how server processes that share a store tell each other that a match has changed.

A message is only a hint: a match and a number. The receiver reads the store. So a lost hint does no harm: the next
action or the next refresh makes up for it. Where nobody else can write hints, they may bring the row of the log with
them, which then need not be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from skerry.engine.errors import Refusal
from skerry.server.match_log import LogRow

# Instead of a log number:
SEATS_CHANGED = -1  # the seats of a match have changed
RUN = -2  # the worker that owns a match is asked to run its bots and its clock
RUN_WATCHED = -3  # the same, and somebody watches
ALL_MATCHES = ""  # instead of a match id: hints may have been lost


class HintHandler(Protocol):
    async def __call__(self, match: str, seq: int, /) -> None: ...


class Hub(Protocol):
    shared: bool  # whether there may be other processes

    async def open(self, handler: HintHandler) -> None: ...
    async def close(self) -> None: ...
    def publish(self, match: str, seq: int) -> None: ...

    def publish_row(self, row: LogRow) -> None:
        """Publish that a row was written to the log of a match."""

    def rows(self, match: str) -> Sequence[LogRow]:
        """The rows that came with the hints about a match, while the handler deals with them."""


class LocalHub:
    """The hub of a single process, which has nobody to tell."""

    shared = False

    async def open(self, handler: HintHandler) -> None:
        pass

    async def close(self) -> None:
        pass

    def publish(self, match: str, seq: int) -> None:
        pass

    def publish_row(self, row: LogRow) -> None:
        pass

    def rows(self, match: str) -> Sequence[LogRow]:
        return ()


def make_hub(redis_url: str) -> Hub:
    if not redis_url:
        return LocalHub()
    try:
        from skerry.server.redis_hub import RedisHub
    except ImportError as missing:
        raise Refusal(f"Redis needs more packages ({missing.name}): pip install 'skerry[hosted]'") from None
    return RedisHub(redis_url)
