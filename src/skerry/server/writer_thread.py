"""The writer thread: makes all changes to an SQLite file, one transaction after another, in the order they came.

SQLite lets one connection write at a time; the others sleep and look again, so that under load one of many may never
find it free ("database is locked"). In one thread they wait in a queue instead, and a transaction that has begun waits
for the disk only, not for the busy event loop.
"""

from __future__ import annotations

import asyncio
import functools
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


class WriterThread:
    def __init__(self, timeout: float) -> None:
        self.timeout = timeout  # seconds that work may wait for its turn
        self._executor: ThreadPoolExecutor | None = None

    async def run(self, work: Callable[[], Result], can_wait: bool = False) -> Result:
        """Run a function in the thread. Unless it can wait, it is not run at all if its turn does not come in time."""
        self._executor = self._executor or ThreadPoolExecutor(1, "writer")
        deadline = math.inf if can_wait else time.monotonic() + self.timeout
        run = functools.partial(_run_until, deadline, work)
        return await asyncio.get_running_loop().run_in_executor(self._executor, run)

    def close(self) -> None:
        """End the thread after what waits for it. The next work starts it again."""
        if self._executor is not None:
            self._executor.shutdown()
            self._executor = None


def _run_until(deadline: float, work: Callable[[], Result]) -> Result:
    if time.monotonic() > deadline:
        raise TimeoutError("those who came before have waited too long for another program to stop writing")
    return work()
