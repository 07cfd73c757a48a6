"""A process that compiles a game: ``python -m skerry.server.compile_game PACKAGE STAGE…``.

It prints a line ``done/total`` for each kernel and leaves its work in the cache of kernels. It ends when the process
that started it does, whose end of the pipe to the standard input is closed then.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator
from types import FunctionType

from skerry.engine.child_process import end_with_parent
from skerry.engine.game import Game
from skerry.engine.kernel_progress import listening
from skerry.server.game_stages import Stage, exercise, kernels_of_stage, ready_file

NICENESS = 10


def compile_stage(game: Game, stage: Stage) -> None:
    """Compile a stage of a game, after any other process that compiles it now."""
    ready = ready_file(game, stage)
    with _only_process(f"{ready}.lock"):
        if ready.exists():
            return
        wanted = kernels_of_stage(game, stage)
        left = set(wanted)

        def report(function: FunctionType, /) -> None:
            left.discard(function)
            print_progress()

        def print_progress() -> None:
            print(f"{len(wanted) - len(left)}/{len(wanted)}", flush=True)

        print_progress()
        with listening(report):
            exercise(game, stage)
        ready.touch()


@contextlib.contextmanager
def _only_process(path: str) -> Iterator[None]:
    """Wait until no other process holds a lock, which the system releases when its process ends."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as lock:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> None:
    package, *stages = sys.argv[1:]
    end_with_parent()
    game: Game = importlib.import_module(package).GAME
    for stage in stages:
        if stage == "nice":
            os.nice(NICENESS)
        else:
            compile_stage(game, Stage[stage.upper()])


if __name__ == "__main__":
    main()
