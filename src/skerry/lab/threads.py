"""The CPU backend: one thread for each core, because kernels release Python's global interpreter lock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import replace
from itertools import islice

from skerry.bots import EXPERT
from skerry.lab.chunks import Chunk, ChunkResult, play_chunk
from skerry.lab.compile_ahead import compile_ahead
from skerry.lab.game_kernels import GameKernels
from skerry.lab.series import PlayedGames, Series, play

WARM_UP_STEPS = 50  # by then every seat has made a decision
CHUNKS_PER_CORE = 2  # submitted at a time: one being played, one waiting


class ThreadBackend:
    min_chunk, max_chunk = 16, 20_000

    def __init__(self, cores: int | None = None) -> None:
        self.cores = cores or os.cpu_count() or 1
        self._compiled: set[GameKernels] = set()

    def _play(self, series: Series, first: int, count: int) -> PlayedGames:
        """Each thread plays its own games. Only where there are fewer games than cores do searches use all cores."""
        return play(series, first, count, threads=self.cores if series.games < self.cores else 1)

    def run(self, chunks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        pool = ThreadPoolExecutor(self.cores)
        running: set[Future[ChunkResult]] = set()
        try:
            while True:
                for chunk in islice(chunks, CHUNKS_PER_CORE * self.cores - len(running)):
                    self._compile(chunk)
                    running.add(pool.submit(play_chunk, chunk, self._play))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except KeyboardInterrupt:  # chunks that have begun cannot be stopped: their results count
            begun = [future for future in running if not future.cancel()]
            yield from (future.result() for future in as_completed(begun))
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _compile(self, chunk: Chunk) -> None:
        """Compile a series' kernels before any thread needs them, so that no chunk's time includes compilation."""
        kernels = chunk.series.kernels()
        if kernels not in self._compiled:
            if self.cores > 1:
                compile_ahead(chunk.series)
            self._play(_warm_up_series(chunk.series), chunk.first, 1)
            self._compiled.add(kernels)


def _warm_up_series(series: Series) -> Series:
    """A series that compiles the same kernels quickly: the expert gets one rollout, and the game is cut short."""
    if not series.asks_bots:
        return series
    seats = tuple(f"{EXPERT}:1" if name.partition(":")[0] == EXPERT else name for name in series.seats)
    return replace(series, seats=seats, limit=min(series.limit, WARM_UP_STEPS))
