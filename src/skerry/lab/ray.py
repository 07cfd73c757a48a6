"""A Ray cluster: every piece of work is a task, and a piece whose worker died is done again by another.

A task's result reaches its owner once, whoever made it and however often it was begun, and a piece gives the same
tally wherever it is played: so nothing is lost and nothing is counted twice.
"""

from __future__ import annotations

import functools
import socket
from collections.abc import Iterator
from itertools import islice
from typing import Any

from skerry.engine.errors import Refusal
from skerry.engine.messages import say
from skerry.lab.chunks import Chunk, ChunkResult, play_chunk
from skerry.lab.series import Series, play
from skerry.lab.tally import Tally

WAITING = 3  # pieces handed out for each core: one is played, the others are at hand


def _remote(series: dict[str, Any], first: int, count: int) -> tuple[dict[str, Any], float]:
    """On a worker: plain data in and out."""
    done = play_chunk(Chunk(Series.from_dict(series, first + count), first, count), functools.partial(play, threads=1))
    return done.tally.as_dict(), done.seconds


class RayBackend:
    """``address`` is a cluster's (``host:6379``, ``ray://host:10001``, ``auto``); ``local`` starts one here."""

    min_chunk, max_chunk = 16, 20_000

    def __init__(self, address: str = "auto") -> None:
        self.address = address

    def run(self, tasks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        ray, mine = self._connect()
        piece = ray.remote(_remote).options(max_retries=-1, num_cpus=1)
        running: dict[Any, Chunk] = {}
        try:
            while True:
                cores = max(1, int(ray.cluster_resources().get("CPU", 1)))  # a cluster grows and shrinks
                for task in islice(tasks, max(0, WAITING * cores - len(running))):
                    running[piece.remote(task.series.as_dict(), task.first, task.count)] = task
                if not running:
                    return
                (first,), _ = ray.wait(list(running))
                yield _received(ray, first, running.pop(first))
        finally:
            for reference in running:
                ray.cancel(reference)
            if mine:
                ray.shutdown()

    def _connect(self) -> tuple[Any, bool]:
        """Ray, and whether the connection is ours to close."""
        try:
            import ray
        except ImportError:
            raise Refusal("Ray is not installed: pip install 'skerry[ray]'") from None
        if ray.is_initialized():
            return ray, False
        try:
            self._knock()
            ray.init(self.address, log_to_driver=False, logging_level="ERROR")
        except Exception as error:  # whatever the network says
            reason = " ".join(str(error).split())[:200]
            raise Refusal(
                say("no Ray cluster answers at {address}: {reason}", address=self.address, reason=reason)
            ) from None
        return ray, True

    def _knock(self) -> None:
        """Ray itself tries for minutes to reach a machine that is not there."""
        host, colon, port = self.address.removeprefix("ray://").rpartition(":")
        if colon and port.isdecimal():
            socket.create_connection((host, int(port)), timeout=10).close()


def _received(ray: Any, reference: Any, task: Chunk) -> ChunkResult:
    try:
        tally, seconds = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, Refusal):
            raise error.cause from None
        raise
    return ChunkResult(task, Tally.from_dict(tally), seconds)
