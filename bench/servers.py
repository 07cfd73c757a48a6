"""Who is measured by ``bench/server_load.py``: each a server process, and a crowd in a process of its own."""

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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PEER = HERE / "boardgameio"
START = 900.0  # seconds that a server has to come up: the first time ever, ours compiles its rules
ADDRESS = re.compile(r"http://([\d.]+):(\d+)")
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Contestant:
    name: str
    server: list[str]  # {folder} is where it may write
    crowd: list[str]  # {url}, {host}, {port} are the server's
    environment: dict[str, str] = field(default_factory=dict)
    aim: float = 1.0  # as many times its actions a second we want to reach


OURS = Contestant(
    "Skerry",
    [sys.executable, str(HERE / "unlimited_server.py"), "{folder}"],
    [sys.executable, str(HERE / "load_generator.py"), "{host}", "{port}"],
)


def peers() -> list[Contestant]:
    """boardgame.io's own server with its own stores, if this machine can run it."""
    if not shutil.which("node") or not shutil.which("npm"):
        print("boardgame.io is left out: node and npm are not here (on Debian: apt-get install nodejs npm)")
        return []
    environment = {"NODE_ENV": "production", "SKERRY_BENCH_PACKAGES": str(_packages())}
    crowd = ["node", str(PEER / "load.mjs"), "{url}"]
    return [
        Contestant(name, ["node", "--expose-gc", str(PEER / "server.mjs"), kind, "{folder}"], crowd, environment, aim)
        for name, kind, aim in (("boardgame.io FlatFile", "flatfile", 4.0), ("boardgame.io in memory", "memory", 1.0))
    ]


def _packages() -> Path:
    """boardgame.io, installed by its name outside this repository; once."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "skerry-bench" / "boardgameio"
    wanted, there = PEER / "package.json", home / "package.json"
    if not there.exists() or there.read_text() != wanted.read_text() or not (home / "node_modules").exists():
        print("Installing boardgame.io …", flush=True)
        home.mkdir(parents=True, exist_ok=True)
        there.write_text(wanted.read_text())
        command = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
        try:
            subprocess.run(command, cwd=home, check=True)
        except subprocess.CalledProcessError:
            there.unlink()
            raise SystemExit("npm could not install boardgame.io; --alone measures only ours") from None
    return home


class Running:
    """A server and its crowd."""

    def __init__(self, server: subprocess.Popen[bytes], crowd: subprocess.Popen[str], log: Path) -> None:
        self.server, self.crowd, self.log = server, crowd, log

    def order(self, limit: float = 300, **what: float) -> dict[str, Any]:
        """Tell the crowd what to do, and wait for what it saw."""
        assert self.crowd.stdin is not None and self.crowd.stdout is not None
        self.crowd.stdin.write(json.dumps(what) + "\n")
        self.crowd.stdin.flush()
        patience = threading.Timer(limit + what.get("seconds", 0), self.crowd.kill)
        patience.start()
        answer = self.crowd.stdout.readline()
        patience.cancel()
        if not answer:
            raise SystemExit(f"the crowd is gone; the server's last words: {self.log.read_text()[-1000:]}")
        return json.loads(answer)

    def play(self, **what: float) -> dict[str, Any]:
        """Play, and note what the server's processor time was for each action."""
        warm = self.order(**{**what, "seconds": what.pop("warm", 3.0), "warm": 0})
        before = self.cpu
        seen = self.order(**what, warm=0)
        used = self.cpu - before
        seen["server_cpu"] = round(used / what["seconds"], 2)
        seen["server_ms_an_action"] = round(1000 * used / max(1, seen["accepted"]), 3)
        seen["errors"] += warm["errors"]
        return seen

    @property
    def cpu(self) -> float:
        """Seconds of processor time that the server has used, all its threads together."""
        numbers = Path(f"/proc/{self.server.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(numbers[11]) + int(numbers[12])) / TICK

    def memory(self) -> float:
        """KiB of the server that are in memory, after it has collected its garbage."""
        for _ in range(3):
            self.server.send_signal(signal.SIGUSR2)
            time.sleep(1)
        return int(Path(f"/proc/{self.server.pid}/statm").read_text().split()[1]) * PAGE / 1024


@contextlib.contextmanager
def running(who: Contestant, place: str | None) -> Iterator[Running]:
    environment = {**os.environ, **who.environment}
    with tempfile.TemporaryDirectory(prefix="skerry-bench-", dir=place, ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "server.log"
        data = Path(folder) / "data"
        data.mkdir()
        with log.open("wb") as output:
            command = [part.format(folder=data) for part in who.server]
            server = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        crowd = None
        try:
            url = _address(server, log)
            host, port = url[1], url[2]
            command = [part.format(url=url[0], host=host, port=port) for part in who.crowd]
            crowd = subprocess.Popen(
                command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
            yield Running(server, crowd, log)
        finally:
            if crowd is not None:
                crowd.kill()
                crowd.wait()
            server.kill()
            server.wait()


def _address(server: subprocess.Popen[bytes], log: Path) -> re.Match[str]:
    limit = time.monotonic() + START
    while time.monotonic() < limit and server.poll() is None:
        found = ADDRESS.search(log.read_text())
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"the server does not start: {log.read_text()[-1000:]}")
