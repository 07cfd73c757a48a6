"""Whether a table notices that other games are compiled: the time of an action while they are, and when they are done.

    python bench/compiling_latency.py [--seconds N]

A server starts with a cache that holds one game only. A guest plays it, one action at a time, while the server compiles
the other three in processes of low priority; then again for as long when everything is compiled. Both belong to one run
of one server, so that machines and hours do not matter. The limit for an action is the one of ``bench/server_load.py``:
50 ms for 99 of 100.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

GAME = "cartagena"
ADDRESS = re.compile(rb"http://[\w.\[\]:]+:\d+")
LIMIT = 50.0  # milliseconds
ALL_STAGES = 12  # three of each of four games
STAGE_FILE = re.compile(r".+-(rules|bots|expert)-[0-9a-f]+")
PAUSE = 0.15  # seconds between two actions: within the limit of requests of a guest


class Player:
    """Plays both seats of one match after another."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        token = client.post("/guests", json={"name": "Ana"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        self.match = ""

    def open_match(self) -> None:
        body = {"game": GAME, "seats": ["me", "me"], "options": {"players": 2}}
        self.match = self.client.post("/matches", json=body).raise_for_status().json()["id"]

    def act(self) -> float:
        """Play one action; the milliseconds until it is acknowledged."""
        view = self._view()
        while view["result"]:
            self.open_match()
            view = self._view()
        action = view["legal"][len(view["legal"]) // 2]["action"]
        body = {"seat": view["seat"], "action": action, "seq": view["seq"]}
        start = time.perf_counter()
        self.client.post(f"/matches/{self.match}/actions", json=body).raise_for_status()
        return (time.perf_counter() - start) * 1000

    def _view(self) -> dict[str, Any]:
        waiting = self._get({})["waiting"]
        return self._get({"seat": waiting[0] if waiting else 0})

    def _get(self, params: dict[str, int]) -> dict[str, Any]:
        answer = self.client.get(f"/matches/{self.match}/view", params=params)
        view: dict[str, Any] = answer.raise_for_status().json()
        return view


def play(player: Player, is_over: Callable[[], bool]) -> list[float]:
    times = []
    while not is_over():
        times.append(player.act())
        time.sleep(PAUSE)
    return times


def report(title: str, times: list[float]) -> None:
    slow = statistics.quantiles(times, n=100)[98]
    print(
        f"{title:<24} {len(times):5} actions   median {statistics.median(times):5.1f} ms   "
        f"99 % {slow:6.1f} ms ({slow / LIMIT:.0%} of the limit)   slowest {max(times):6.1f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long to play when all is compiled")
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SKERRY_CACHE": folder, "SKERRY_DATA": folder, "SKERRY_INTERPRET": "0"}
        compile_one = [sys.executable, "-m", "skerry.server.compile_game", f"skerry.games.{GAME}", "rules", "bots"]
        with subprocess.Popen(
            compile_one, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        ) as compiling:
            compiling.wait()
        serve = [sys.executable, "-m", "skerry.cli", "serve", "--port", "0"]
        server = subprocess.Popen(serve, env=environment, stdout=subprocess.PIPE)
        try:
            measure(server, Path(folder), seconds)
        finally:
            server.kill()
            server.communicate()


def measure(server: subprocess.Popen[bytes], cache: Path, seconds: float) -> None:
    assert server.stdout is not None
    address = ADDRESS.search(server.stdout.readline())
    assert address is not None
    with httpx.Client(base_url=f"{address[0].decode()}/api/v1", timeout=60) as client:
        player = Player(client)
        player.open_match()
        report("while games are compiled", play(player, lambda: stages_ready(cache) == ALL_STAGES))
        end = time.monotonic() + seconds
        report("when all is compiled", play(player, lambda: time.monotonic() > end))


def stages_ready(cache: Path) -> int:
    """How many stages of games are compiled."""
    return sum(bool(STAGE_FILE.fullmatch(path.name)) for path in cache.rglob("ready/*"))


if __name__ == "__main__":
    main()
