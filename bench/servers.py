"""The servers that ``bench/server_load.py`` compares. Each runs as a process, and so does the client that loads it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BOARDGAME_IO = HERE / "boardgameio"
START_TIMEOUT = 900.0  # seconds; the first time ever, our server compiles its rules
ADDRESS = re.compile(r"http://([\d.]+):(\d+)")
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")  # a second
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")

Measured = dict[str, Any]


@dataclass(frozen=True)
class BenchmarkedServer:
    """The commands that start a server and the client that loads it."""

    name: str
    server_command: list[str]  # {folder} stands for a folder to write to
    client_command: list[str]  # {url}, {host} and {port} stand for the server's address
    environment: dict[str, str] = field(default_factory=dict)
    target_ratio: float = 1.0  # our server is to accept as many times its actions per second


OURS = BenchmarkedServer(
    "Skerry",
    [sys.executable, str(HERE / "unlimited_server.py"), "{folder}"],
    [sys.executable, str(HERE / "load_generator.py"), "{host}", "{port}"],
)


def with_workers(count: int) -> BenchmarkedServer:
    """Our server with several workers."""
    return replace(OURS, name=f"Skerry, {count} workers", server_command=[*OURS.server_command, str(count)])


def peers() -> list[BenchmarkedServer]:
    """boardgame.io's own server with two of its own stores, if this machine can run it."""
    if not shutil.which("node") or not shutil.which("npm"):
        print("boardgame.io is left out: node and npm are not installed (on Debian: apt-get install nodejs npm)")
        return []
    return [
        _boardgame_io("boardgame.io FlatFile", "flatfile", target_ratio=2.0),
        _boardgame_io("boardgame.io in memory", "memory", target_ratio=1.0),
    ]


def _boardgame_io(name: str, store: str, target_ratio: float) -> BenchmarkedServer:
    return BenchmarkedServer(
        name,
        ["node", "--expose-gc", str(BOARDGAME_IO / "server.mjs"), store, "{folder}"],
        ["node", str(BOARDGAME_IO / "load.mjs"), "{url}"],
        {"NODE_ENV": "production", "SKERRY_BENCH_PACKAGES": str(_install_boardgame_io())},
        target_ratio,
    )


def _install_boardgame_io() -> Path:
    """Install boardgame.io outside this repository, once; the folder it is in."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "skerry-bench" / "boardgameio"
    wanted, installed = BOARDGAME_IO / "package.json", home / "package.json"
    up_to_date = installed.exists() and installed.read_text() == wanted.read_text()
    if not up_to_date or not (home / "node_modules").exists():
        print("Installing boardgame.io …", flush=True)
        home.mkdir(parents=True, exist_ok=True)
        installed.write_text(wanted.read_text())
        command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
        try:
            subprocess.run(command, cwd=home, check=True)
        except subprocess.CalledProcessError:
            installed.unlink()
            raise SystemExit("npm could not install boardgame.io; --alone measures Skerry only") from None
    return home


class RunningServer:
    """A server process and the client process that loads it."""

    def __init__(self, server: subprocess.Popen[bytes], client: subprocess.Popen[str], log: Path) -> None:
        self.server, self.client, self.log = server, client, log

    def command(self, timeout: float = 300, **command: float) -> Measured:
        """Give the client a command, and wait for what it has measured."""
        assert self.client.stdin is not None and self.client.stdout is not None
        self.client.stdin.write(json.dumps(command) + "\n")
        self.client.stdin.flush()
        watchdog = threading.Timer(timeout + command.get("seconds", 0), self.client.kill)
        watchdog.start()
        answer = self.client.stdout.readline()
        watchdog.cancel()
        if not answer:
            raise SystemExit(f"the client has ended; the end of the server's log: {self.log.read_text()[-1000:]}")
        return json.loads(answer)

    def play(self, seconds: float, every: float, warm_up: float = 3.0) -> Measured:
        """Play after a warm-up; adds the server's CPU time, in all and for each action."""
        warm = self.command(seconds=warm_up, every=every, warm=0)
        before = self.cpu_seconds
        measured = self.command(seconds=seconds, every=every, warm=0)
        used = self.cpu_seconds - before
        measured["server_cpu"] = round(used / seconds, 2)
        measured["server_ms_an_action"] = round(1000 * used / max(1, measured["accepted"]), 3)
        measured["errors"] += warm["errors"]
        return measured

    @property
    def cpu_seconds(self) -> float:
        """CPU time that all threads of the server and of its workers have used."""
        return sum(map(_cpu_seconds, self._processes))

    def memory(self) -> float:
        """Resident memory of the server and of its workers in KiB, after it has collected its garbage."""
        for _ in range(3):
            for process in self._processes:
                os.kill(process, signal.SIGUSR2)
            time.sleep(1)
        return sum(map(_resident_kb, self._processes))

    @property
    def _processes(self) -> list[int]:
        children = Path(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read_text()
        return [self.server.pid, *map(int, children.split())]


def _cpu_seconds(process: int) -> float:
    with contextlib.suppress(FileNotFoundError):  # it has just ended
        numbers = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(numbers[11]) + int(numbers[12])) / CLOCK_TICKS
    return 0.0


def _resident_kb(process: int) -> float:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE_SIZE / 1024


@contextlib.contextmanager
def running(benchmarked: BenchmarkedServer, parent_folder: str | None) -> Iterator[RunningServer]:
    """Start a server with an empty store, and its client; end both on leaving."""
    environment = {**os.environ, **benchmarked.environment}
    with tempfile.TemporaryDirectory(prefix="skerry-bench-", dir=parent_folder, ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "server.log"
        data = Path(folder) / "data"
        data.mkdir()
        with log.open("wb") as output:
            command = [part.format(folder=data) for part in benchmarked.server_command]
            server = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        client = None
        try:
            address = _address(server, log)
            url, host, port = address[0], address[1], address[2]
            command = [part.format(url=url, host=host, port=port) for part in benchmarked.client_command]
            client = subprocess.Popen(
                command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
            yield RunningServer(server, client, log)
        finally:
            if client is not None:
                client.kill()
                client.wait()
            server.kill()
            server.wait()


def _address(server: subprocess.Popen[bytes], log: Path) -> re.Match[str]:
    """The address that the server prints once it listens."""
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline and server.poll() is None:
        found = ADDRESS.search(log.read_text())
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"the server does not start: {log.read_text()[-1000:]}")
