"""Simulations: play the missing games of some series on a backend, and add up the tallies."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

from skerry.lab.checkpoint import Checkpoint
from skerry.lab.chunks import Backend, ChunkResult, ChunkScheduler, GameRange, missing_ranges
from skerry.lab.series import Series, play
from skerry.lab.tally import Tally, empty_tally
from skerry.lab.threads import ThreadBackend

__all__ = ["Series", "SimulationRun", "Tally", "play", "simulate", "stream_tallies"]


class SimulationRun:
    """Some series being simulated. Iterating plays the missing games and yields the result of each chunk.

    ``tallies`` has the games finished so far, of each series in the given order; those in the checkpoint file count
    from the start. Series with the same key are played once.
    """

    def __init__(
        self, series: Sequence[Series], backend: Backend | None = None, checkpoint: Checkpoint | None = None
    ) -> None:
        self.series = series
        self._backend = backend or ThreadBackend()
        self._checkpoint = checkpoint
        self._distinct = {one.key: one for one in series}
        self._tallies: dict[str, Tally] = {}
        self._finished: dict[str, list[GameRange]] = {}  # before this run
        for key, one in self._distinct.items():
            self._tallies[key], self._finished[key] = checkpoint.load(one) if checkpoint else (empty_tally(one), [])

    @property
    def tallies(self) -> list[Tally]:
        return [self._tallies[one.key] for one in self.series]

    @property
    def finished_games(self) -> int:
        return sum(tally.games for tally in self._tallies.values())

    @property
    def requested_games(self) -> int:
        return sum(one.games for one in self._distinct.values())

    def __iter__(self) -> Generator[ChunkResult]:
        missing = [(one, list(missing_ranges(self._finished[key], one.games))) for key, one in self._distinct.items()]
        scheduler = ChunkScheduler(missing, self._backend)
        try:
            for result in self._backend.run(iter(scheduler)):
                self._count(result)
                scheduler.adapt(result)
                yield result
        finally:
            if self._checkpoint:
                self._checkpoint.flush()

    def _count(self, result: ChunkResult) -> None:
        tally = self._tallies[result.chunk.series.key]
        tally += result.tally
        if self._checkpoint:
            self._checkpoint.add(result)


def simulate(
    series: Series, cores: int | None = None, backend: Backend | None = None, checkpoint: str | Path | None = None
) -> Tally:
    """Play a series on all cores, or on ``backend``. Games that are in the file ``checkpoint`` are not played again,
    and the others are added to it."""
    (tally,) = simulate_all([series], cores, backend, checkpoint)
    return tally


def simulate_all(
    series: Sequence[Series],
    cores: int | None = None,
    backend: Backend | None = None,
    checkpoint: str | Path | None = None,
) -> list[Tally]:
    """Play several series, as ``simulate`` plays one."""
    run = SimulationRun(series, backend or ThreadBackend(cores), Checkpoint(Path(checkpoint)) if checkpoint else None)
    for _ in run:
        pass
    return run.tallies


def stream_tallies(series: Series, cores: int | None = None) -> Iterator[Tally]:
    """The tally of each chunk as soon as it is played. Closing the iterator stops the simulation."""
    return (result.tally for result in SimulationRun([series], ThreadBackend(cores)))
