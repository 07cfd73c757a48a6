"""What ``simulate`` and ``tournament`` share: where games are played, how far they are, and what is kept of them."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import os
import re
import signal
import sys
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from skerry.cli import autosave as records
from skerry.cli.output import Study
from skerry.lab.checkpoint import Checkpoint
from skerry.lab.series import Series
from skerry.lab.simulate import SimulationRun

STOPPED = 130  # the exit status of what was interrupted
KEPT_DAYS = 56  # that a run waits for somebody to go on with it
HOUR = 3600.0  # seconds that the time left is estimated from: experts may play one game in minutes


@dataclass(frozen=True)
class Played:
    """A run that came to its end, or was stopped."""

    run: SimulationRun
    games: int  # played now, not kept from before
    seconds: float

    @property
    def complete(self) -> bool:
        return self.run.finished_games == self.run.requested_games

    @property
    def took(self) -> dict[str, float]:
        return {"played": self.games, "seconds": round(self.seconds, 3)}


def play_all(title: str, series: Sequence[Series], study: Study) -> Played:
    """Play what is missing, with a bar; Ctrl-C stops and leaves what was done."""
    path = study.keep or _unfinished(series)
    sweep_unfinished(but=path)
    run = SimulationRun(series, study.make_backend(), Checkpoint(path) if study.keep or _can_keep(path) else None)
    before, screen = run.finished_games, Console(stderr=True, highlight=False, soft_wrap=True)
    if 0 < before < run.requested_games:
        screen.print(f"Going on after {before:,} finished games, kept in {path}", style="dim")
    start = time.perf_counter()
    patient = study.backend == "cores" and any(one.uses_search for one in series)
    with _answered(screen, patient), contextlib.closing(_shown(title, run, screen)) as steps:
        for seconds in steps:
            start += seconds
    played = Played(run, run.finished_games - before, time.perf_counter() - start)
    if played.complete and study.keep is None:
        path.unlink(missing_ok=True)
    return played


@contextlib.contextmanager
def _answered(screen: Console, patient: bool) -> Generator[None]:
    """Ctrl-C ends the run. Where that takes a while, because experts play, it is said at once, and a second one leaves
    the games that have begun: a thread that thinks cannot be stopped, so the program is."""
    before = signal.getsignal(signal.SIGINT)

    def leave(number: int, frame: FrameType | None) -> None:
        screen.show_cursor()
        screen.print("Left at once, without the games that had begun.", style="yellow")
        os._exit(STOPPED)

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, leave)
        said = "Stopping as soon as the games that have begun are over … (Ctrl-C again: at once, without them)"
        screen.print(said, style="yellow")
        raise KeyboardInterrupt

    if patient and before is signal.default_int_handler:
        signal.signal(signal.SIGINT, stop)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGINT, before)


def _unfinished(series: Sequence[Series]) -> Path:
    """Where a run is kept until it is finished: the same command finds it."""
    name = hashlib.sha256(" ".join(f"{one.key}:{one.games}" for one in series).encode()).hexdigest()[:16]
    return records.folder() / "unfinished" / f"{series[0].variant.game.name}-{name}.jsonl"


def sweep_unfinished(but: Path) -> None:
    """Forget runs that nobody has gone on with for weeks. Only what we have named is ours to delete."""
    limit = time.time() - KEPT_DAYS * 86400
    for old in (records.folder() / "unfinished").glob("*.jsonl"):
        with contextlib.suppress(OSError):  # another process may sweep too
            if re.fullmatch(r".+-[0-9a-f]{16}\.jsonl", old.name) and old != but and old.stat().st_mtime < limit:
                old.unlink()


def _can_keep(path: Path) -> bool:
    """Where nothing can be written, games are played all the same."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    return os.access(path.parent, os.W_OK)


def _shown(title: str, run: SimulationRun, screen: Console) -> Generator[float]:
    """Run, with a bar that says the rate; yields seconds that were no playing (compiling before the first game)."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    begun, first, games = time.perf_counter(), 0.0, 0
    with (
        Progress(
            *columns, console=screen, disable=not screen.is_terminal, expand=True, speed_estimate_period=HOUR
        ) as progress,
        contextlib.closing(iter(run)) as pieces,
    ):
        task = progress.add_task(title, total=run.requested_games, completed=run.finished_games, rate="getting ready")
        for done in pieces:
            if not first:
                first = time.perf_counter() - done.seconds
                yield max(0.0, first - begun)
            games += done.chunk.count
            rate = games / max(time.perf_counter() - first, 1e-9)
            progress.update(task, advance=done.chunk.count, rate=a_second(rate))


def a_second(games: float) -> str:
    return f"{games:,.0f} games/s" if games > 10 else f"{games:.2g} games/s"


def say_how_to_go_on(played: Played, study: Study) -> None:
    """The end of a run that was stopped."""
    screen = Console(stderr=True, highlight=False, soft_wrap=True)
    run = played.run
    path = study.keep or _unfinished(run.series)
    screen.print(f"[yellow]Stopped after {run.finished_games:,} of {run.requested_games:,} games.[/]")
    if path.exists():
        screen.print(f"The same command goes on from there: the finished games are kept in {path}")
    raise SystemExit(STOPPED)


def write_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Rows that may have different columns, as one table."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def write_report(path: Path, page: str) -> None:
    path.write_text(page, encoding="utf-8")
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"The report is in {path}")
