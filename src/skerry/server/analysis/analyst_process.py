"""A process that analyses, as the server sees it: it is started for the first task and ended when it is idle."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import AsyncGenerator

from skerry.server.analysis.analyst import END, Reply, Task, task_bytes

IDLE = 60.0  # seconds after which a process without a task is ended
LONGEST_REPLY = 1 << 24  # bytes
PROGRAM = (sys.executable, "-m", "skerry.server.analysis.analyst")


class AnalystDied(Exception):
    """The process ended in the middle of a task."""


class AnalystFailed(Exception):
    """A task raised an error in the process, whose traceback this is."""


class AnalystProcess:
    """Answers one task after another. A task that is given up in the middle costs the process."""

    def __init__(self) -> None:
        self._child: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None

    async def ask(self, task: Task) -> AsyncGenerator[Reply]:
        """The replies to a task. Close the iterator to give it up."""
        async with self._lock:
            child = await self._running_child()
            finished = False
            try:
                assert child.stdin is not None and child.stdout is not None
                with contextlib.suppress(ConnectionError):  # if it has died, its output ends
                    child.stdin.write(task_bytes(task))
                    await child.stdin.drain()
                while (reply := json.loads(await child.stdout.readline() or b"null")) != END:
                    if reply is None:
                        raise AnalystDied
                    if "error" in reply:
                        raise AnalystFailed(reply["error"])
                    yield reply
                finished = True
            finally:
                if finished:
                    self._idle = asyncio.get_running_loop().call_later(IDLE, self.kill)
                else:
                    await self.close()

    async def _running_child(self) -> asyncio.subprocess.Process:
        if self._idle is not None:
            self._idle.cancel()
        if self._child is None or self._child.returncode is not None:
            self._child = await asyncio.create_subprocess_exec(
                *PROGRAM,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                limit=LONGEST_REPLY,
                start_new_session=True,  # Ctrl+C is for the server, which then ends its children
            )
        return self._child

    def kill(self) -> None:
        """End the process at once. A task in progress fails."""
        if self._child is not None and self._child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._child.kill()

    async def close(self) -> None:
        """End the process, and wait until its pipes are closed."""
        if self._idle is not None:
            self._idle.cancel()
        child, self._child = self._child, None
        if child is None:
            return
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
        if child.stdin is not None:
            child.stdin.close()
        await child.wait()
        await asyncio.sleep(0)
