"""The hub of several workers on one machine: each has a pipe, into which the others write their hints.

Writing never waits. A hint is no longer than what the system writes to a pipe at once, so that those of several workers
do not mix. A row that makes a hint longer, or that finds no room, is left out. If there is no room for the hint either,
its worker is told later that it has missed something.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import select
from collections.abc import Sequence

from skerry.server.hub import ALL_MATCHES, HintHandler
from skerry.server.match_log import LogRow, pack_row, unpack_row

logger = logging.getLogger(__name__)

HINT = re.compile(rb"([\w-]{0,24}) (-?\d{1,9})(?: (.+))?", re.ASCII)  # match, number, row
LONGEST = getattr(select, "PIPE_BUF", 512)  # bytes of a hint
READ_SIZE = 65_536


class WorkerHub:
    shared = True

    def __init__(self, inbox: int, outboxes: Sequence[int]) -> None:
        self._inbox = inbox  # the end of this worker's pipe to read from; it does not block
        self._outboxes = outboxes  # the ends of the other workers' pipes to write to; they do not block
        self._missing: set[int] = set()  # outboxes for which there was no room
        self._rest = b""  # the beginning of a hint whose end has not been read
        self._pending: dict[tuple[str, int], int] = {}  # the latest of each match, and of each kind
        self._rows: dict[str, list[bytes]] = {}  # of matches with pending hints, packed
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self, handler: HintHandler) -> None:
        asyncio.get_running_loop().add_reader(self._inbox, self._read)
        self._task = asyncio.create_task(self._deliver(handler))

    async def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._inbox)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def publish(self, match: str, seq: int) -> None:
        self._write(b"%s %d\n" % (match.encode(), seq))

    def publish_row(self, row: LogRow) -> None:
        hint = b"%s %d" % (row.match.encode(), row.seq)
        with_row = b"%s %s\n" % (hint, pack_row(row))
        self._write(hint + b"\n", with_row if len(with_row) <= LONGEST else b"")

    def rows(self, match: str) -> Sequence[LogRow]:
        return [unpack_row(row) for row in self._rows.get(match, ())]

    def _write(self, hint: bytes, with_row: bytes = b"") -> None:
        """Write a hint to the other workers: with its row where there is room for it."""
        for outbox in self._outboxes:
            if outbox in self._missing:
                ways = [b"%s 0\n%s" % (ALL_MATCHES.encode(), hint)]
            else:
                ways = [with_row, hint] if with_row else [hint]
            if any(_try_write(outbox, way) for way in ways):
                self._missing.discard(outbox)
            else:
                self._missing.add(outbox)

    def _read(self) -> None:
        try:
            data = os.read(self._inbox, READ_SIZE)
        except BlockingIOError:
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            hint = HINT.fullmatch(line)
            if hint is not None:  # a predecessor may have died while it read one
                match, seq = hint[1].decode(), int(hint[2])
                self._pending[match, min(seq, 0)] = seq
                if hint[3] is not None:
                    self._rows.setdefault(match, []).append(hint[3])
        self._wake.set()

    async def _deliver(self, handler: HintHandler) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._pending:
                match, kind = next(iter(self._pending))
                seq = self._pending.pop((match, kind))
                try:
                    await handler(match, seq)
                except Exception as error:  # a fault in one match must not silence the others
                    logger.error("a hint could not be followed", exc_info=error)
                if (match, 0) not in self._pending:
                    self._rows.pop(match, None)


def _try_write(outbox: int, data: bytes) -> bool:
    """Write without waiting. False if there is no room."""
    try:
        os.write(outbox, data)
    except BlockingIOError:
        return False
    return True
