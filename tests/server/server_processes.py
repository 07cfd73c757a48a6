"""Tables in processes of their own, and who plays at them over the network."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx

from tests.server.backing_services import free_port

ROOT = Path(__file__).parents[2]
GAMES = ("cartagena", "forbidden-island")


class Process:
    """One table: started, killed, and started again at the same port."""

    def __init__(self, folder: Path, games: tuple[str, ...] = GAMES, **settings: Any) -> None:
        self.settings = {"pace": 0.0, "secret": "of this test", **settings}
        self.games = games
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.noise = folder / f"table-{self.port}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        arguments = [json.dumps(self.settings), str(self.port), *self.games]
        with self.noise.open("ab") as noise:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.server.server_main", *arguments],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=noise,
            )

    def wait(self) -> None:
        assert self.process is not None and self.process.stdout is not None
        line = self.process.stdout.readline()
        assert b"The table is set" in line, self.told()

    def start(self) -> Process:
        self.launch()
        self.wait()
        return self

    def kill(self) -> None:
        """As a machine would that falls over."""
        assert self.process is not None
        self.process.kill()
        self._gone()

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self._gone()

    def _gone(self) -> None:
        assert self.process is not None and self.process.stdout is not None
        self.process.wait(30)
        self.process.stdout.close()

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def told(self) -> str:
        """What it said to its host."""
        return self.noise.read_text()

    @property
    def memory(self) -> int:
        """Bytes in memory now."""
        assert self.process is not None
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * 4096


@contextlib.contextmanager
def running(*processes: Process) -> Iterator[None]:
    for process in processes:
        process.launch()
    try:
        for process in processes:
            process.wait()
        yield
    finally:
        for process in processes:
            if process.alive:
                process.stop()


@contextlib.asynccontextmanager
async def line_to(process: Process, **more: Any) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=process.url, timeout=30, **more) as client:
        yield client
