"""Warm-up: loads all rules and bots before the server answers.

The first time ever, they are compiled: each game in a process of its own, on all cores, because compiling in a server
that answers requests would make everybody wait.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Protocol

from skerry import bots
from skerry.engine import kernel_cache
from skerry.engine.game import Game
from skerry.engine.kernel import INTERPRETED

# Most objects of a server live long. The young generations are collected often, the old one rarely.
GC_THRESHOLDS = 2_000, 10, 1_000_000


class Report(Protocol):
    """Shows a line of progress to the person who starts the server."""

    def __call__(self, text: str, /) -> None: ...


def print_now(text: str, /) -> None:
    print(text, flush=True)


def warm_up(games: list[Game], report: Report = print_now) -> None:
    """Load the rules and bots of games, compiling first what has never been compiled."""
    cold = [] if INTERPRETED else [game for game in games if not _ready_file(game).exists()]
    if len(cold) > 1 and _cache_is_writable():
        _compile(cold, report)
    for game in games:
        _exercise(game)
    gc.set_threshold(*GC_THRESHOLDS)
    collect_and_freeze()


def collect_and_freeze() -> None:
    """Collect garbage, and exempt all objects that remain from further collections."""
    gc.collect()
    gc.freeze()


def _compile(games: list[Game], report: Report) -> None:
    report(f"Compiling {len(games)} games and their bots, once for this version: it takes some minutes …")
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(len(games), os.cpu_count() or 1), spawn) as pool:
        running = {pool.submit(_exercise_package, game.package): game for game in games}
        for number, done in enumerate(as_completed(running), 1):
            done.result()
            report(f"  {running[done].title} is ready ({number} of {len(games)})")


def _exercise_package(package: str) -> None:
    with contextlib.redirect_stderr(io.StringIO()):
        kernel_cache.announce_compilation()  # its message has been shown by the main process
    _exercise(importlib.import_module(package).GAME)


def _exercise(game: Game) -> None:
    """Do everything once that the server does with a game."""
    match = game.configure({}).new(seed=1)
    seat = match.waiting[0]
    match.view(seat)
    for name in bots.names(game):
        bots.find(game, name).with_time_limit(0).choose(match, seat, 1)
    match.play(seat, match.legal(seat)[0])
    with contextlib.suppress(OSError):
        _ready_file(game).touch()


def _ready_file(game: Game) -> Path:
    """The file that exists if a game is compiled."""
    return kernel_cache.cache_folder() / f"{game.name}.ready"


def _cache_is_writable() -> bool:
    with contextlib.suppress(OSError):
        kernel_cache.cache_folder().mkdir(parents=True, exist_ok=True)
        return os.access(kernel_cache.cache_folder(), os.W_OK)
    return False
