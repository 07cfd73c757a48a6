"""The cores of this machine: a thread each, because kernels release the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import replace
from itertools import islice

from skerry.bots import EXPERT
from skerry.lab.chunks import Chunk, ChunkResult, play_chunk
from skerry.lab.playout import Playout
from skerry.lab.series import PlayedGames, Series, is_search_bot, play

GLIMPSE = 50  # steps: by then every seat has been asked


class ThreadBackend:
    min_chunk, max_chunk = 16, 20_000

    def __init__(self, cores: int | None = None) -> None:
        self.cores = cores or os.cpu_count() or 1
        self._compiled: set[Playout] = set()

    def _play(self, series: Series, first: int, count: int) -> PlayedGames:
        """A core plays games of its own; where there are fewer games than cores, experts share all cores."""
        return play(series, first, count, threads=self.cores if series.games < self.cores else 1)

    def run(self, tasks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        pool = ThreadPoolExecutor(self.cores)
        running: set[Future[ChunkResult]] = set()
        try:
            while True:
                for task in islice(tasks, 2 * self.cores - len(running)):
                    self._compile(task)
                    running.add(pool.submit(play_chunk, task, self._play))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except KeyboardInterrupt:  # those that have begun cannot be stopped: they count, and the others are let go
            begun = [future for future in running if not future.cancel()]
            yield from (future.result() for future in as_completed(begun))
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _compile(self, task: Chunk) -> None:
        """By one thread, before others want it too; and no piece's time has it in."""
        kernels = task.series.playout()
        if kernels not in self._compiled:
            self._play(_glimpse(task.series), task.first, 1)
            self._compiled.add(kernels)


def _glimpse(series: Series) -> Series:
    """What compiles all that a series needs: experts hardly think, and not to the end."""
    if not series.uses_search:
        return series
    seats = tuple(f"{EXPERT}:1" if is_search_bot(series.variant.game, name) else name for name in series.seats)
    return replace(series, seats=seats, limit=min(series.limit, GLIMPSE))
