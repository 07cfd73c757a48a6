"""Ctrl-C: every command ends with one plain line and exit status 130.

Python raises KeyboardInterrupt wherever the program is. While kernels are compiled, that may be inside a callback of
LLVM, which prints the exception and goes on, or another thread compiles, for which Python would wait. Compiled
kernels are saved one by one, and no half file is left behind, so that the program can then end at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn, Protocol

import typer
from typer.core import TyperGroup

INTERRUPTED = 130  # the exit status
STOPPED = "Stopped."
COMPILERS = ("skerry.engine.numba_kernel", "skerry.lab.compile_ahead")  # modules that compile, or wait for it
CLEAN_LINE = "\r\x1b[2K\x1b[?25h"  # go to the start of the line, erase it, and show the cursor


class LastWords(Protocol):
    """Saves what has to be saved, and returns what is printed in place of "Stopped."."""

    def __call__(self) -> str: ...


_last_words: list[LastWords] = [lambda: STOPPED]


class Commands(TyperGroup):
    """The group of all commands."""

    def invoke(self, ctx: typer.Context) -> object:  # type: ignore[override]
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print(STOPPED, file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None


def handle_ctrl_c() -> None:
    """Let Ctrl-C end the program while it compiles, unless it was started with Ctrl-C ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _on_ctrl_c)


def handles_ctrl_c() -> bool:
    return signal.getsignal(signal.SIGINT) is _on_ctrl_c


def _on_ctrl_c(number: int, frame: FrameType | None) -> None:
    end_if_compiling()
    raise KeyboardInterrupt


def end_if_compiling() -> None:
    """End the program if a kernel is being compiled or loaded, in any thread."""
    if any(_is_in_compiler(frame) for frame in sys._current_frames().values()):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        end_now(_last_words[-1](), INTERRUPTED)


def _is_in_compiler(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__") in COMPILERS:
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def last_words(words: LastWords) -> Iterator[None]:
    """Say something else than "Stopped." if the program is ended meanwhile."""
    _last_words.append(words)
    try:
        yield
    finally:
        _last_words.remove(words)


def end_now(message: str, status: int) -> NoReturn:
    """End the program without waiting for other threads. It may have been interrupted while it was printing."""
    with contextlib.suppress(OSError, RuntimeError, ValueError):
        sys.stdout.flush()
    with contextlib.suppress(OSError):
        clean = CLEAN_LINE if os.isatty(2) else ""
        os.write(2, f"{clean}{message}\n".encode() if message else clean.encode())
    os._exit(status)
