"""A TCP proxy that can stand for a network: it forwards, holds everything back, or cuts all connections."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

CHUNK = 64 * 1024  # bytes


class TcpProxy:
    def __init__(self, port: int) -> None:
        self.target = port
        self.port = 0
        self.delay = 0.0  # seconds by which each piece is late
        self._forwards = asyncio.Event()
        self._forwards.set()
        self._accepts = True
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[TcpProxy]:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        try:
            yield self
        finally:
            self._server.close()
            self._cut()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    # The network's moods

    def hold(self) -> None:
        """Forward nothing, so that each side waits for the other: a partition."""
        self._forwards.clear()

    def refuse(self) -> None:
        """Cut all connections and accept no new ones."""
        self._accepts = False
        self._cut()

    def heal(self) -> None:
        self.delay = 0.0
        self._accepts = True
        self._forwards.set()

    def _cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    # Connections

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._accepts:
            writer.transport.abort()
            return
        try:
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, other_writer}
        for source, sink in ((reader, other_writer), (other_reader, writer)):
            task = asyncio.create_task(self._forward(source, sink))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _forward(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while piece := await source.read(CHUNK):
                await asyncio.sleep(self.delay)
                await self._forwards.wait()
                sink.write(piece)
                await sink.drain()
        self._writers.discard(sink)
        sink.close()
