"""Warm-up: compiles and loads the games while the server already answers.

The first time ever, a game is compiled in other processes of low priority; a game that somebody opens comes first. From
then on its kernels are loaded from the cache, in a thread. Nothing is compiled or loaded on the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Protocol

from skerry.engine import kernel_cache
from skerry.engine.game import Game
from skerry.engine.kernel import INTERPRETED
from skerry.server.game_stages import Stage, exercise, is_compiled, ready_file

logger = logging.getLogger(__name__)

# Most objects of a server live long. The young generations are collected often, the old one rarely.
GC_THRESHOLDS = 2_000, 10, 1_000_000

_loaded: set[tuple[str, Stage]] = set()  # what this process has exercised


def collect_and_freeze() -> None:
    """Collect garbage, and exempt all objects that remain from further collections."""
    gc.collect()
    gc.freeze()


@dataclass
class Progress:
    """How far a stage is: kernels compiled, of so many. The total is 0 until the process that compiles it knows it."""

    done: int = 0
    total: int = 0


class Job:
    """A stage of a game on its way."""

    def __init__(self, game: Game, stage: Stage) -> None:
        self.game, self.stage = game, stage
        self.progress = Progress()
        self.wanted = False  # somebody waits for it
        self.ready = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    @property
    def loads(self) -> bool:
        """Whether this process loads the kernels at once. Experts load theirs when they play."""
        return self.stage <= Stage.BOTS


class WarmUp:
    """Knows which games are ready, and gets the others ready."""

    def __init__(self, games: Callable[[], Sequence[Game]], processes: int = 0) -> None:
        self._games = games
        self._processes = processes or os.cpu_count() or 1
        self._jobs: dict[tuple[str, Stage], Job] = {}
        self._loader = ThreadPoolExecutor(1, "warm-up")
        self._children: dict[Job, asyncio.subprocess.Process] = {}
        self._is_open = False
        self.when_done: Callable[[], None] = lambda: None  # called once everything is ready

    async def open(self) -> None:
        self._is_open = True
        if not INTERPRETED:
            for stage in Stage:
                for game in self._games():
                    self._job(game, stage)
            self.start_jobs()

    async def close(self) -> None:
        self._is_open = False
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for child in self._children.values():
            with contextlib.suppress(ProcessLookupError):
                child.kill()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._loader.shutdown(wait=False, cancel_futures=True)

    def is_ready(self, game: Game, stage: Stage) -> bool:
        return INTERPRETED or self._job(game, stage).ready.is_set()

    def progress(self, game: Game, stage: Stage) -> Progress:
        return self._job(game, stage).progress

    async def wait(self, game: Game, stage: Stage, seconds: float | None = None) -> bool:
        """Wait for a stage of a game, which then comes before others; whether it is ready."""
        if self.is_ready(game, stage):
            return True
        self.want(game, stage)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._job(game, stage).ready.wait(), seconds)
        return self.is_ready(game, stage)

    def want(self, game: Game, stage: Stage) -> None:
        """Put a stage of a game, and those that it needs, before others."""
        for needed in Stage:
            if needed <= stage:
                self._job(game, needed).wanted = True
        self.start_jobs()

    async def wait_for_rules(self, game: Game, /) -> None:
        await self.wait(game, Stage.RULES)

    def _job(self, game: Game, stage: Stage) -> Job:
        key = game.name, stage
        if key not in self._jobs:
            self._jobs[key] = Job(game, stage)
        return self._jobs[key]

    # Which job is next

    def start_jobs(self) -> None:
        """Start the jobs that may run now: as many as there are cores, and one more if somebody waits for it."""
        if not self._is_open:
            return
        running = sum(job.task is not None and not job.ready.is_set() for job in self._jobs.values())
        for job in sorted(self._jobs.values(), key=lambda job: (not job.wanted, job.stage)):
            if job.task is None and self._may_start(job) and running < self._processes + job.wanted:
                job.task = asyncio.create_task(self._prepare(job))
                running += 1
        self._pause_what_can_wait()

    def _may_start(self, job: Job) -> bool:
        return all(self._job(job.game, stage).ready.is_set() for stage in Stage if stage < job.stage)

    def _pause_what_can_wait(self) -> None:
        """Stop the processes that compile what nobody waits for, while somebody waits for something else.

        A process is left alone until it has reported something, which it does once it would also end with this one.
        """
        if sys.platform == "win32":
            return
        somebody_waits = any(job.wanted and not job.ready.is_set() for job in self._jobs.values())
        for job, child in self._children.items():
            with contextlib.suppress(ProcessLookupError):
                if job.progress.total:
                    child.send_signal(signal.SIGSTOP if somebody_waits and not job.wanted else signal.SIGCONT)

    # Running a job

    async def _prepare(self, job: Job) -> None:
        loop = asyncio.get_running_loop()
        key = job.game.name, job.stage
        compiled = key in _loaded or ready_file(job.game, job.stage).exists() or await self._compile(job)
        if key not in _loaded and (job.loads or not compiled):
            try:
                await loop.run_in_executor(self._loader, exercise, job.game, job.stage)
                _loaded.add(key)
            except Exception as error:  # the first who plays the game will see what is wrong with it
                logger.error("a game could not be prepared", exc_info=error, extra={"game": job.game.name})
        job.ready.set()
        self.start_jobs()
        if all(job.ready.is_set() for job in self._jobs.values()):
            self.when_done()

    async def _compile(self, job: Job) -> bool:
        """Compile a stage in another process; whether that succeeded."""
        if not kernel_cache.is_writable():
            return False
        priority = () if job.wanted else ("nice",)
        child = await asyncio.create_subprocess_exec(
            *_command(job.game, *priority, job.stage.name.lower()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl+C is for the server, which then ends its children
        )
        self._children[job] = child
        try:
            assert child.stdout is not None
            async for line in child.stdout:
                done, _, total = line.decode().partition("/")
                is_first = not job.progress.total
                job.progress = Progress(int(done), int(total))
                if is_first:
                    self._pause_what_can_wait()
            return await child.wait() == 0
        finally:
            del self._children[job]
            await _end(child)


async def _end(child: asyncio.subprocess.Process) -> None:
    """End a process and wait for it, so that its pipes are closed while the event loop still runs."""
    if child.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
    if child.stdin is not None:
        child.stdin.close()
    await child.wait()
    await asyncio.sleep(0)


def _command(game: Game, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "skerry.server.compile_game", game.package, *arguments]


# Without a server


class Report(Protocol):
    """Shows a line of progress to the person who waits."""

    def __call__(self, text: str, /) -> None: ...


def print_now(text: str, /) -> None:
    print(text, flush=True)


def compile_games(games: Sequence[Game], report: Report = print_now) -> None:
    """Compile what has never been compiled, on all cores."""
    cold = [] if INTERPRETED else [game for game in games if not is_compiled(game)]
    if not cold:
        return
    report(f"Compiling {len(cold)} games and their bots, once for this version: it takes about a minute …")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running = {pool.submit(_compile_all_stages, game): game for game in cold}
        for number, done in enumerate(as_completed(running), 1):
            done.result()
            report(f"  {running[done].title} is ready ({number} of {len(cold)})")


def _compile_all_stages(game: Game) -> None:
    stages = [stage.name.lower() for stage in Stage]
    with subprocess.Popen(_command(game, *stages), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
        if child.wait():
            raise RuntimeError(f"{game.name} could not be compiled")
