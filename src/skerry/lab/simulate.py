"""Series being played: what was kept is taken, what is missing is played, and what is done is kept."""

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
    """Iterating plays what is missing; ``totals`` has a tally for each series, of as many games as were finished."""

    def __init__(
        self, series: Sequence[Series], backend: Backend | None = None, kept: Checkpoint | None = None
    ) -> None:
        self.series, self._backend, self._kept = series, backend or ThreadBackend(), kept
        self._by_key = {one.key: (empty_tally(one), list[GameRange]()) for one in series}
        if kept:
            self._by_key |= {one.key: kept.load(one) for one in series}

    @property
    def totals(self) -> list[Tally]:
        return [self._by_key[one.key][0] for one in self.series]

    @property
    def games(self) -> int:
        """How many are finished."""
        return sum(total.games for total, _ in self._by_key.values())

    @property
    def wanted(self) -> int:
        return sum({one.key: one.games for one in self.series}.values())

    def __iter__(self) -> Generator[ChunkResult]:
        distinct = {one.key: one for one in self.series}
        plan = ChunkScheduler(
            [(one, list(missing_ranges(self._by_key[key][1], one.games))) for key, one in distinct.items()],
            self._backend,
        )
        try:
            for done in self._backend.run(iter(plan)):
                self._count(done)
                plan.learn(done)
                yield done
        finally:
            if self._kept:
                self._kept.flush()

    def _count(self, done: ChunkResult) -> None:
        total, _ = self._by_key[done.task.series.key]
        total += done.tally
        if self._kept:
            self._kept.add(done)


def simulate(
    series: Series, cores: int | None = None, backend: Backend | None = None, keep: str | Path | None = None
) -> Tally:
    """Play a series, on all cores or where ``backend`` says; what came of it. ``keep`` names a file of finished games:
    they are not played again."""
    (total,) = simulate_all([series], cores, backend, keep)
    return total


def simulate_all(
    series: Sequence[Series], cores: int | None = None, backend: Backend | None = None, keep: str | Path | None = None
) -> list[Tally]:
    run = SimulationRun(series, backend or ThreadBackend(cores), Checkpoint(Path(keep)) if keep else None)
    for _ in run:
        pass
    return run.totals


def stream_tallies(series: Series, cores: int | None = None) -> Iterator[Tally]:
    """The tallies of a series, piece by piece as they come in; who stops listening stops the series."""
    return (done.tally for done in SimulationRun([series], ThreadBackend(cores)))
