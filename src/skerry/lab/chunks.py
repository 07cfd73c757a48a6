"""Work in pieces: what is missing of some series, cut so that a piece takes about half a second wherever it is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from skerry.lab.series import PlayedGames, Series, play
from skerry.lab.tally import Tally, tally_games

GameRange = tuple[int, int]  # the first game's number, and how many
SECONDS = 0.5  # a piece should take: often enough to show progress and to stop in time


@dataclass(frozen=True)
class Chunk:
    """Some games of a series. To play it twice is to get the same twice."""

    series: Series
    first: int
    count: int


@dataclass(frozen=True)
class ChunkResult:
    task: Chunk
    tally: Tally
    seconds: float


class Backend(Protocol):
    """Where games are played. A piece has ``min_chunk`` games at first (where no bot searches) and never more than
    ``max_chunk``."""

    min_chunk: int
    max_chunk: int

    def run(self, tasks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        """Each task's tally once, in any order; who stops listening stops the work. Tasks are taken as late as can
        be, because their size is learnt from those done."""


def play_chunk(task: Chunk, player: Callable[[Series, int, int], PlayedGames] = play) -> ChunkResult:
    start = time.perf_counter()
    tally = tally_games(task.series, *player(task.series, task.first, task.count))
    return ChunkResult(task, tally, time.perf_counter() - start)


def missing_ranges(done: Iterable[GameRange], games: int) -> Iterator[GameRange]:
    """The games of a series that these ranges, which do not overlap, leave out."""
    at = 0
    for first, count in [*sorted(done), (games, 0)]:
        if first > at:
            yield at, first - at
        at = first + count


class ChunkScheduler:
    """The missing games as tasks, one after another. ``learn`` says how long one took: bots differ by a factor of
    thousands, so a size is kept for each company of bots."""

    def __init__(self, missing: Iterable[tuple[Series, Iterable[GameRange]]], backend: Backend) -> None:
        self._missing, self._least, self._most = missing, backend.min_chunk, backend.max_chunk
        self._sizes: dict[tuple[str, ...], int] = {}

    def __iter__(self) -> Iterator[Chunk]:
        for series, ranges in self._missing:
            for first, count in ranges:
                end = first + count
                while first < end:
                    min_chunk = 1 if series.uses_search else self._least
                    size = min(end - first, self._sizes.get(series.seats, min_chunk))
                    yield Chunk(series, first, size)
                    first += size

    def learn(self, done: ChunkResult) -> None:
        fitting = int(done.task.count * SECONDS / max(done.seconds, 1e-6))
        self._sizes[done.task.series.seats] = max(1, min(fitting, 4 * done.task.count, self._most))
