"""``skerry serve`` as people start it: a process with a cache of kernels and a database of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import httpx

from tests.server.backing_services import free_port


class ServeCommand:
    """A running ``skerry serve``, and a client that keeps its guest's cookie."""

    def __init__(self, data: Path, cache: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {**os.environ, "SKERRY_CACHE": cache, "SKERRY_DATA": str(data), "SKERRY_INTERPRET": "0"}
        database = f"sqlite+aiosqlite:///{data}/skerry.db"
        data.mkdir()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "skerry.cli", "serve", "--port", str(self.port), "--database", database],
            env=self.environment,
            stdout=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        assert b"Skerry is running" in self.process.stdout.readline()
        self.client = httpx.Client(base_url=self.url, timeout=30)

    def get(self, path: str) -> httpx.Response:
        return self.client.get(path)

    def post(self, path: str, form: dict[str, str]) -> httpx.Response:
        return self.client.post(path, data=form, headers={"origin": self.url})

    def children(self) -> list[int]:
        """The processes that compile for this server, also when it is gone: they have its environment."""
        mark = f"SKERRY_DATA={self.environment['SKERRY_DATA']}".encode()
        return [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if mark in _environment(folder)]

    def kill(self) -> None:
        """Kill the server without warning. Its children end by themselves."""
        self.client.close()
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def _environment(process: Path) -> bytes:
    try:
        return (process / "environ").read_bytes()
    except OSError:  # it has just ended, or is somebody else's
        return b""


def wait_until_gone(server: ServeCommand, seconds: float = 10) -> None:
    limit = time.monotonic() + seconds
    while server.children():
        assert time.monotonic() < limit, "a process goes on compiling for a server that is gone"
        time.sleep(0.1)
