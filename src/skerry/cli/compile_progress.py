"""A line on standard error that says how far the compiler is: "Compiling Forbidden Desert: 34 of 120 …".

On a terminal it is rewritten in place, and removed at the end or when nothing was compiled for a while. Elsewhere, such
as in a log, one plain line is printed. Nothing is printed if all kernels come from the cache.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, Protocol

from rich.console import Console

from skerry import bots
from skerry.bots.expert import Expert
from skerry.engine import kernel_progress
from skerry.engine.game import Game
from skerry.engine.kernel_digest import reachable_kernels

REDRAW_SECONDS = 0.05
IDLE_SECONDS = 3.0  # longer than any kernel takes
ERASE_LINE = "\r\x1b[2K"

_announced: list[str] = []


class Show(Protocol):
    """Shows a count such as "34 of 120" in place of the one before; an empty count removes it."""

    def __call__(self, title: str, count: str, /) -> None: ...


class CompileProgress:
    """A listener of the compiler, which counts the kernels that are compiled.

    ``entries`` are kernels that will be called; they are read when the first kernel is compiled. Those that ``ready``
    reach are not counted, because they have been called before. No total is shown without entries, and it grows where
    more is compiled than they reach.
    """

    def __init__(
        self, title: str, entries: Iterable[Any] = (), ready: Iterable[Any] = (), show: Show | None = None
    ) -> None:
        self.title = title
        self._entries, self._ready = entries, ready
        self._needed: set[FunctionType] | None = None  # found when the first kernel is compiled
        self._compiled: set[FunctionType] = set()
        self._show: Show = show or _show_line
        self._lock = threading.Lock()  # kernels may be compiled in another thread
        self._hidden, self._drawn_at, self._drawn = False, 0.0, False
        self._compiled_at = 0.0
        self._idle_timer: threading.Timer | None = None

    def __call__(self, function: FunctionType, /) -> None:
        """A kernel is compiled now."""
        if self._needed is None:
            self._needed = _reached_by(self._entries) - _reached_by(self._ready)
        self._compiled.add(function)
        self._compiled_at = time.monotonic()
        if not sys.stderr.isatty():
            _announce(self.title)
            return
        with self._lock:
            if not self._hidden and time.monotonic() - self._drawn_at >= REDRAW_SECONDS:
                self._draw()

    @property
    def count(self) -> str:
        """Such as "34 of 120"; empty before anything is compiled."""
        if not self._compiled:
            return ""
        known = f" of {len(self._needed | self._compiled)}" if self._needed else ""
        return f"{len(self._compiled)}{known}"

    def hide(self) -> None:
        """Remove the line until ``show``, while something else is printed or typed."""
        with self._lock:
            self._hidden = True
            self._erase()

    def erase(self) -> None:
        """Remove the line until the next kernel is compiled."""
        with self._lock:
            self._erase()

    def show(self) -> None:
        """Show the line again, with what has been compiled meanwhile."""
        with self._lock:
            self._hidden = False
            if sys.stderr.isatty() and self.count:
                self._draw()

    @contextmanager
    def visible(self) -> Iterator[None]:
        """Show the line meanwhile, and hide it then."""
        self.show()
        try:
            yield
        finally:
            self.hide()

    def _draw(self) -> None:
        self._show(self.title, self.count)
        self._drawn_at, self._drawn = time.monotonic(), True
        if self._idle_timer is None:
            self._erase_when_idle_after(IDLE_SECONDS)

    def _erase_when_idle_after(self, seconds: float) -> None:
        self._idle_timer = threading.Timer(seconds, self._erase_if_idle)
        self._idle_timer.daemon = True
        self._idle_timer.start()

    def _erase_if_idle(self) -> None:
        with self._lock:
            left = self._compiled_at + IDLE_SECONDS - time.monotonic()
            if left > 0:
                self._erase_when_idle_after(left)
            else:
                self._idle_timer = None
                self._erase()

    def _erase(self) -> None:
        if self._drawn:
            self._show(self.title, "")
            self._drawn = False


@contextmanager
def compile_progress(
    title: str, entries: Iterable[Any] = (), ready: Iterable[Any] = (), show: Show | None = None
) -> Iterator[CompileProgress]:
    """Show what is compiled meanwhile, as ``CompileProgress`` describes."""
    progress = CompileProgress(title, entries, ready, show)
    with kernel_progress.listening(progress):
        try:
            yield progress
        finally:
            progress.hide()


def rules_kernels(game: Game) -> Iterator[Any]:
    """The kernels that a match calls."""
    rules = game.rules
    yield from (rules.setup, rules.waiting, rules.legal, rules.step, rules.result)


def bot_kernels(game: Game, names: Iterable[str]) -> Iterator[Any]:
    """The kernels that bots call in a match."""
    for name in names:
        bot = bots.find(game, name)
        yield from (game.rules.determinize, bot.policy)
        if isinstance(bot, Expert):
            yield from vars(bot.rollout_pool.kernels).values()


def _reached_by(kernels: Iterable[Any]) -> set[FunctionType]:
    """The functions of kernels and of all that they call; nothing where kernels are interpreted."""
    return reachable_kernels(*(kernel.py_func for kernel in kernels if hasattr(kernel, "py_func")))


def _announce(title: str) -> None:
    """Print one line for each process."""
    if not _announced:
        _announced.append(title)
        print(f"Compiling {title}, once for this version …", file=sys.stderr, flush=True)


def _show_line(title: str, count: str) -> None:
    """Rewrite the last line of the terminal."""
    width = Console(stderr=True).width
    text = f"Compiling {title}: {count} …" if count else ""
    print(f"{ERASE_LINE}{text[: width - 1]}", end="", file=sys.stderr, flush=True)
