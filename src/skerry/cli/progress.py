"""Running simulations in a terminal: the progress bar, and Ctrl-C."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from skerry.cli.checkpoint_files import can_write, checkpoint_file, delete_old_checkpoints
from skerry.cli.compile_progress import bot_kernels, compile_progress, rules_kernels
from skerry.cli.interrupt import INTERRUPTED, STOPPED, end_if_compiling, handles_ctrl_c, last_words
from skerry.cli.output import status_console
from skerry.cli.simulation_options import SimulationOptions
from skerry.lab.checkpoint import Checkpoint
from skerry.lab.series import Series
from skerry.lab.simulate import SimulationRun

ESTIMATE_SECONDS = 3600.0  # the remaining time is estimated from so long, because an expert may play for minutes


@dataclass(frozen=True)
class FinishedRun:
    """A run that is complete or was interrupted."""

    run: SimulationRun
    games: int  # played now; not those in the checkpoint file
    seconds: float

    @property
    def complete(self) -> bool:
        return self.run.finished_games == self.run.requested_games

    @property
    def timing(self) -> dict[str, float]:
        return {"played": self.games, "seconds": round(self.seconds, 3)}


def play_series(title: str, series: Sequence[Series], settings: SimulationOptions) -> FinishedRun:
    """Play the missing games of some series with a progress bar. Ctrl-C stops; finished games are kept."""
    path = settings.keep or checkpoint_file(series)
    delete_old_checkpoints(current=path)
    checkpoint = Checkpoint(path) if settings.keep or can_write(path) else None
    run = SimulationRun(series, settings.make_backend(), checkpoint)
    before, console = run.finished_games, status_console()
    if 0 < before < run.requested_games:
        console.print(f"Resuming after {before:,} finished games, kept in {path}", style="dim")
    start = time.perf_counter()
    slow_to_stop = settings.backend == "cores" and any(one.asks_bots for one in series)

    def stop_while_compiling() -> str:
        if checkpoint is not None:
            checkpoint.flush()
        return "\n".join(_stopped_lines(run, path)) if run.finished_games else STOPPED

    with (
        last_words(stop_while_compiling),
        _handle_ctrl_c(console, slow_to_stop),
        contextlib.closing(_show_progress(title, run, console)) as steps,
    ):
        for compile_seconds in steps:
            start += compile_seconds
    finished = FinishedRun(run, run.finished_games - before, time.perf_counter() - start)
    if finished.complete and settings.keep is None:
        path.unlink(missing_ok=True)
    return finished


@contextlib.contextmanager
def _handle_ctrl_c(console: Console, slow_to_stop: bool) -> Generator[None]:
    """Ctrl-C ends the run without an error.

    If a bot searches, the games that have begun can take long to finish. Then Ctrl-C says so, and a second one ends
    the program without them, because a thread cannot be stopped in the middle of a search.
    """
    handler_before = signal.getsignal(signal.SIGINT)

    def exit_now(number: int, frame: FrameType | None) -> None:
        console.show_cursor()
        console.print("Stopped at once. The games in progress are lost.", style="yellow")
        os._exit(INTERRUPTED)

    def stop(number: int, frame: FrameType | None) -> None:
        end_if_compiling()
        signal.signal(signal.SIGINT, exit_now)
        message = "Stopping when the games in progress are finished … (Ctrl-C again to stop at once, without them)"
        console.print(message, style="yellow")
        raise KeyboardInterrupt

    if slow_to_stop and handles_ctrl_c():
        signal.signal(signal.SIGINT, stop)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGINT, handler_before)


def _show_progress(title: str, run: SimulationRun, console: Console) -> Generator[float]:
    """Play with a progress bar; yields the seconds that were spent compiling, before the first game."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    progress = Progress(
        *columns,
        console=console,
        disable=not console.is_terminal,
        expand=True,
        speed_estimate_period=ESTIMATE_SECONDS,
    )
    begun, first_game, games = time.perf_counter(), 0.0, 0
    with progress, contextlib.closing(iter(run)) as results, contextlib.ExitStack() as stack:
        task = progress.add_task(title, total=run.requested_games, completed=run.finished_games, rate="getting ready")
        show = functools.partial(_show_compiling, progress, task)
        stack.enter_context(compile_progress(run.series[0].variant.game.title, _series_kernels(run), show=show))
        for result in results:
            if not first_game:
                first_game = time.perf_counter() - result.seconds
                yield max(0.0, first_game - begun)
            games += result.chunk.count
            rate = games / max(time.perf_counter() - first_game, 1e-9)
            progress.update(task, advance=result.chunk.count, rate=rate_text(rate))


def _show_compiling(progress: Progress, task: TaskID, title: str, count: str) -> None:
    """Show in the progress bar how much is compiled."""
    progress.update(task, rate=f"compiling {count}" if count else "")


def _series_kernels(run: SimulationRun) -> Iterator[Any]:
    """The kernels that play the games of a run."""
    for series in run.series:
        if series.asks_bots:
            yield from rules_kernels(series.variant.game)
            yield from bot_kernels(series.variant.game, series.seats)
        else:
            kernels = series.kernels()
            yield from (kernels.play_batch, kernels.result_batch)


def rate_text(games_per_second: float) -> str:
    return f"{games_per_second:,.0f} games/s" if games_per_second > 10 else f"{games_per_second:.2g} games/s"


def exit_interrupted(finished: FinishedRun, settings: SimulationOptions) -> None:
    """Say how to resume a run that was interrupted, and exit."""
    console = status_console()
    first, *others = _stopped_lines(finished.run, settings.keep or checkpoint_file(finished.run.series))
    console.print(first, style="yellow")
    for line in others:
        console.print(line)
    raise SystemExit(INTERRUPTED)


def _stopped_lines(run: SimulationRun, path: Path) -> Iterator[str]:
    yield f"Stopped after {run.finished_games:,} of {run.requested_games:,} games."
    if path.exists():
        yield f"The same command resumes the run: the finished games are kept in {path}"
