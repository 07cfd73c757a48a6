"""Servers in processes of their own, and clients that connect to them."""

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


class ServerProcess:
    """One server that can be started, killed, and restarted on the same port."""

    def __init__(self, folder: Path, games: tuple[str, ...] = GAMES, **settings: Any) -> None:
        self.settings = {"pace": 0.0, "moment": 0.05, "secret": "of this test", **settings}
        self.games = games
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log_file = folder / f"table-{self.port}.log"
        self.process: subprocess.Popen[bytes] | None = None

    def launch(self) -> None:
        arguments = [json.dumps(self.settings), str(self.port), *self.games]
        with self.log_file.open("ab") as log_file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.server.server_main", *arguments],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log_file,
            )

    def wait(self) -> None:
        assert self.process is not None and self.process.stdout is not None
        line = self.process.stdout.readline()
        assert b"Skerry is running" in line, self.log()

    def start(self) -> ServerProcess:
        self.launch()
        self.wait()
        return self

    def kill(self) -> None:
        """Kill the process without warning, as a power failure would."""
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

    def log(self) -> str:
        """What the server has logged."""
        return self.log_file.read_text()

    @property
    def memory(self) -> int:
        """The resident memory in bytes."""
        assert self.process is not None
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * 4096


@contextlib.contextmanager
def running(*processes: ServerProcess) -> Iterator[None]:
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
async def connect(process: ServerProcess, **more: Any) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=process.url, timeout=30, **more) as client:
        yield client
