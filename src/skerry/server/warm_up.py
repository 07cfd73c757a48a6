"""Having everything ready before the first guest comes. The first time ever, rules and bots are compiled: a game a
process, on all cores, because compiling in a server that answers would make everybody wait."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from skerry import bots
from skerry.engine import kernel_cache
from skerry.engine.game import Game
from skerry.engine.kernel import INTERPRETED

# Most of what a table holds lives long. The young are looked through often and quickly; all, only now and then.
COLLECT = 2_000, 10, 1_000_000


def say_now(text: str) -> None:
    print(text, flush=True)


def warm(games: list[Game], tell: Callable[[str], None] = say_now) -> None:
    """Load rules and bots; what has never been compiled is compiled first."""
    cold = [] if INTERPRETED else [game for game in games if not _mark(game).exists()]
    if len(cold) > 1 and _can_keep():
        _compile(cold, tell)
    for game in games:
        _use(game)
    gc.set_threshold(*COLLECT)
    collect()


def collect() -> None:
    gc.collect()
    gc.freeze()  # what is here now stays: it need not be looked through again and again


def _compile(games: list[Game], tell: Callable[[str], None]) -> None:
    tell(f"Compiling {len(games)} games and their bots, once for this version: it takes some minutes …")
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(len(games), os.cpu_count() or 1), spawn) as pool:
        running = {pool.submit(_use_package, game.package): game for game in games}
        for number, done in enumerate(as_completed(running), 1):
            done.result()
            tell(f"  {running[done].title} is ready ({number} of {len(games)})")


def _use_package(package: str) -> None:
    with contextlib.redirect_stderr(io.StringIO()):
        kernel_cache.announce_compilation()  # it has been said already
    _use(importlib.import_module(package).GAME)


def _use(game: Game) -> None:
    """Do everything once that a table does."""
    match = game.configure({}).new(seed=1)
    seat = match.waiting[0]
    match.view(seat)
    for name in bots.names(game):
        bots.find(game, name).with_time_limit(0).choose(match, seat, 1)
    match.play(seat, match.legal(seat)[0])
    with contextlib.suppress(OSError):
        _mark(game).touch()


def _mark(game: Game) -> Path:
    """Where it is noted that a game is compiled."""
    return kernel_cache.cache_folder() / f"{game.name}.ready"


def _can_keep() -> bool:
    with contextlib.suppress(OSError):
        kernel_cache.cache_folder().mkdir(parents=True, exist_ok=True)
        return os.access(kernel_cache.cache_folder(), os.W_OK)
    return False
