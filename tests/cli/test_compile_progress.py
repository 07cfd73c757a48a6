"""The line that says what is being compiled."""

from __future__ import annotations

import queue
import sys
from types import FunctionType
from typing import Any

import pytest

from skerry.cli import compile_progress
from skerry.engine import kernel_progress


def first() -> None: ...


def second() -> None: ...


class Lines:
    """Remembers what is shown."""

    def __init__(self) -> None:
        self.counts: queue.Queue[str] = queue.Queue()

    def __call__(self, title: str, count: str, /) -> None:
        self.counts.put(count)

    def next(self) -> str:
        return self.counts.get(timeout=30)


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    monkeypatch.setattr(compile_progress, "REDRAW_SECONDS", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    return Lines()


def compiled(function: Any) -> None:
    assert isinstance(function, FunctionType)
    kernel_progress.report(function)


def test_kernels_are_counted_until_the_end(lines: Lines) -> None:
    with compile_progress.compile_progress("Hashi", show=lines):
        compiled(first)
        compiled(second)
    assert [lines.next(), lines.next(), lines.next()] == ["1", "2", ""]


def test_the_line_is_removed_until_more_is_compiled(lines: Lines) -> None:
    with compile_progress.compile_progress("Hashi", show=lines) as progress:
        compiled(first)
        progress.erase()
        compiled(second)
        assert [lines.next(), lines.next(), lines.next()] == ["1", "", "2"]


def test_the_line_is_removed_when_nothing_is_compiled_for_a_while(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_progress, "IDLE_SECONDS", 0.01)
    with compile_progress.compile_progress("Hashi", show=lines):
        compiled(first)
        assert [lines.next(), lines.next()] == ["1", ""]
        compiled(second)
        assert [lines.next(), lines.next()] == ["2", ""]
