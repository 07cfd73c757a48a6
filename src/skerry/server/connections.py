"""Connections whose clients do not read: they are cut, so that they keep no memory and hold up no stop.

A transport keeps what its client has not read yet, and waits for it even when it is closed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import NamedTuple, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

logger = logging.getLogger(__name__)

CHECK = 5.0  # seconds between two checks
STUCK = 90.0  # seconds after which a client that does not read is disconnected
READING_GRACE = 5.0  # seconds that clients have to read the rest when the server stops
WORKING_GRACE = 8.0  # seconds that requests in progress have then
LAST_GRACE = 0.5  # seconds to answer that they were cancelled


class _Unread(NamedTuple):
    """How much a client had not read, and since when."""

    size: int
    since: float


class Connections:
    """The open connections of a server."""

    def __init__(self, state: ServerState) -> None:
        self._state = state
        self._unread: dict[HttpToolsProtocol, _Unread] = {}

    async def watch(self) -> None:
        """Cut the connections of clients that do not read, for as long as the server runs."""
        while True:
            await asyncio.sleep(CHECK)
            self.cut_stuck(time.monotonic())

    def cut_stuck(self, now: float) -> None:
        """Cut the connections whose clients have read nothing for too long."""
        unread: dict[HttpToolsProtocol, _Unread] = {}
        for connection in self._all():
            size = connection.transport.get_write_buffer_size()
            before = self._unread.get(connection)
            if not size:
                continue
            unread[connection] = before if before is not None and before.size == size else _Unread(size, now)
            if unread[connection].since <= now - STUCK:
                connection.transport.abort()
        self._unread = unread

    async def leave(self) -> None:
        """Let clients read the rest and requests be answered, then cut whatever is left."""
        await asyncio.sleep(READING_GRACE)
        unread = [connection for connection in self._all() if connection.transport.get_write_buffer_size()]
        for connection in unread:
            connection.transport.abort()
        if unread:
            logger.warning("clients that did not read were disconnected", extra={"count": len(unread)})
        await asyncio.sleep(WORKING_GRACE - READING_GRACE)
        tasks = list(self._state.tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            logger.warning("requests that took too long were cancelled", extra={"count": len(tasks)})
        await asyncio.sleep(LAST_GRACE)
        for connection in self._all():
            connection.transport.abort()

    def _all(self) -> list[HttpToolsProtocol]:
        return [cast(HttpToolsProtocol, connection) for connection in self._state.connections]
