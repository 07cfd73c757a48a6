"""Tells programs which kernels are being compiled, so that they can show progress while people wait."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Protocol


class CompileListener(Protocol):
    """Called before a kernel is compiled, from the thread that compiles it."""

    def __call__(self, function: FunctionType, /) -> None: ...


@functools.cache
def _print_once() -> None:
    print("Compiling, once for this version: it can take a minute …", file=sys.stderr, flush=True)


def _announce(function: FunctionType, /) -> None:
    """What happens where no program listens: one line for each process."""
    _print_once()


_listeners: list[CompileListener] = [_announce]


def report(function: FunctionType) -> None:
    """Tell the innermost listener that a kernel is compiled now."""
    _listeners[-1](function)


@contextmanager
def listening(listener: CompileListener) -> Iterator[None]:
    """Call ``listener`` for each kernel that is compiled meanwhile, in all threads."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
