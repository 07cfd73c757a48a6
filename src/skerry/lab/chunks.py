"""Series cut into chunks: what is played, what comes back, and the scheduler that decides how large each chunk is."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from skerry.lab.series import PlayedGames, Series, play
from skerry.lab.tally import Tally, tally_games

GameRange = tuple[int, int]  # the number of the first game, and how many there are
TARGET_SECONDS = 0.5  # how long a chunk should take: short enough for a smooth progress bar and a quick stop
MAX_GROWTH = 4  # a chunk has at most this many times the games of the one before


@dataclass(frozen=True)
class Chunk:
    """Consecutive games of a series. Playing a chunk again gives the same result."""

    series: Series
    first: int
    count: int


@dataclass(frozen=True)
class ChunkResult:
    """The tally of a chunk, and how long it took."""

    chunk: Chunk
    tally: Tally
    seconds: float


class Backend(Protocol):
    """A place where chunks are played: threads, a GPU, a cluster.

    A series starts with chunks of ``min_chunk`` games, or of one game where a bot searches; no chunk has more than
    ``max_chunk`` games.
    """

    min_chunk: int
    max_chunk: int

    def run(self, chunks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        """Yield the result of each chunk once, in any order. Closing the iterator stops the work.

        A backend takes chunks as late as it can, because their size depends on the results so far.
        """


class ChunkPlayer(Protocol):
    """Plays consecutive games of a series, as ``series.play`` does."""

    def __call__(self, series: Series, first: int, count: int) -> PlayedGames: ...


def play_chunk(chunk: Chunk, player: ChunkPlayer = play) -> ChunkResult:
    start = time.perf_counter()
    played = player(chunk.series, chunk.first, chunk.count)
    tally = tally_games(chunk.series, played.states, played.steps)
    return ChunkResult(chunk, tally, time.perf_counter() - start)


def missing_ranges(finished: Iterable[GameRange], games: int) -> Iterator[GameRange]:
    """The ranges of a series' games that are not in ``finished``, whose ranges must not overlap."""
    end = 0
    for first, count in [*sorted(finished), (games, 0)]:
        if first > end:
            yield end, first - end
        end = first + count


class ChunkScheduler:
    """Cuts the missing games into chunks that take about ``TARGET_SECONDS`` each.

    Bots differ in speed by a factor of thousands, so a chunk size is learnt for each line-up.
    """

    def __init__(self, missing: Iterable[tuple[Series, Iterable[GameRange]]], backend: Backend) -> None:
        self._missing = missing
        self._min_chunk = backend.min_chunk
        self._max_chunk = backend.max_chunk
        self._sizes: dict[tuple[str, ...], int] = {}

    def __iter__(self) -> Iterator[Chunk]:
        for series, ranges in self._missing:
            for first, count in ranges:
                end = first + count
                while first < end:
                    initial_size = 1 if series.asks_bots else self._min_chunk
                    size = min(end - first, self._sizes.get(series.seats, initial_size))
                    yield Chunk(series, first, size)
                    first += size

    def adapt(self, result: ChunkResult) -> None:
        """Choose the size of the next chunks with the same bots by how long this one took."""
        played = result.chunk.count
        fitting = int(played * TARGET_SECONDS / max(result.seconds, 1e-6))
        self._sizes[result.chunk.series.seats] = max(1, min(fitting, MAX_GROWTH * played, self._max_chunk))
