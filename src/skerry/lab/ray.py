"""The cluster backend: each chunk is a Ray task, and Ray repeats a task whose worker has died.

Ray delivers the result of a task once, however often it was started, and a chunk gives the same tally wherever it is
played. So no game is lost and none is counted twice.
"""

from __future__ import annotations

import functools
import socket
from collections.abc import Iterator
from itertools import islice
from typing import Any

from skerry.bots.illegal_choice import IllegalChoice
from skerry.engine.errors import Refusal
from skerry.engine.messages import say
from skerry.lab.chunks import Chunk, ChunkResult, play_chunk
from skerry.lab.series import Series, play
from skerry.lab.tally import Tally

CHUNKS_PER_CORE = 3  # submitted at a time: one being played, the others waiting near by
CONNECT_SECONDS = 10


def _play_on_worker(description: dict[str, Any], first: int, count: int) -> tuple[dict[str, Any], float]:
    """The Ray task. Arguments and results are plain data, so that they travel between Python processes."""
    series = Series.from_dict(description, first + count)
    result = play_chunk(Chunk(series, first, count), functools.partial(play, threads=1))
    return result.tally.as_dict(), result.seconds


class RayBackend:
    """``address`` is that of a cluster (``host:6379``, ``ray://host:10001``), ``auto`` for a running one on this
    machine, or ``local`` to start one here."""

    min_chunk, max_chunk = 16, 20_000

    def __init__(self, address: str = "auto") -> None:
        self.address = address

    def run(self, chunks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        ray, owns_connection = self._connect()
        play_remotely = ray.remote(_play_on_worker).options(max_retries=-1, num_cpus=1)
        running: dict[Any, Chunk] = {}
        try:
            while True:
                cores = max(1, int(ray.cluster_resources().get("CPU", 1)))  # a cluster grows and shrinks
                for chunk in islice(chunks, max(0, CHUNKS_PER_CORE * cores - len(running))):
                    running[play_remotely.remote(chunk.series.as_dict(), chunk.first, chunk.count)] = chunk
                if not running:
                    return
                (finished,), _ = ray.wait(list(running))
                yield _fetch(ray, finished, running.pop(finished))
        finally:
            for reference in running:
                ray.cancel(reference)
            if owns_connection:
                ray.shutdown()

    def _connect(self) -> tuple[Any, bool]:
        """The module ``ray``, connected, and whether this backend has to close the connection."""
        try:
            import ray
        except ImportError:
            raise Refusal("Ray is not installed: pip install 'skerry[ray]'") from None
        if ray.is_initialized():
            return ray, False
        try:
            self._check_reachable()
            ray.init(self.address, log_to_driver=False, logging_level="ERROR")
        except Exception as error:  # the network can fail in many ways
            reason = " ".join(str(error).split())[:200]
            raise Refusal(
                say("no Ray cluster answers at {address}: {reason}", address=self.address, reason=reason)
            ) from None
        return ray, True

    def _check_reachable(self) -> None:
        """Fail at once if nothing listens at the address; Ray itself would retry for minutes."""
        host, colon, port = self.address.removeprefix("ray://").rpartition(":")
        if colon and port.isdecimal():
            socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()


def _fetch(ray: Any, reference: Any, chunk: Chunk) -> ChunkResult:
    try:
        tally, seconds = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, (Refusal, IllegalChoice)):
            raise error.cause from None
        raise
    return ChunkResult(chunk, Tally.from_dict(tally), seconds)
