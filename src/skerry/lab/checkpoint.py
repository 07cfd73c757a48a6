"""Finished games in a file, so that a run that was stopped goes on where it was.

A line a piece of JSON, only ever appended: which games of which series, and their tally. A line that was cut off by a
crash or spoilt is passed over, and so is one with games that were counted before; what it had is played again.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from skerry.engine.errors import Refusal
from skerry.engine.messages import say
from skerry.lab.chunks import ChunkResult, GameRange
from skerry.lab.series import Series
from skerry.lab.tally import Tally, empty_tally

HEADER = {"skerry": "kept games", "format": 1}
EVERY = 1.0  # seconds between two lines, about: what a crash can cost


class Checkpoint:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: dict[str, list[dict[str, Any]]] = {}
        self._described: set[str] = set()
        self._waiting: dict[str, tuple[list[GameRange], Tally]] = {}
        self._written = time.monotonic()
        self._read()

    def _read(self) -> None:
        try:
            text = self.path.read_bytes().decode("utf-8", "replace") if self.path.exists() else ""
        except OSError as error:
            raise Refusal(say("cannot read {path}: {reason}", path=str(self.path), reason=error.strerror)) from None
        lines = list(_parsed(text))
        if text and (not lines or lines[0] != HEADER):
            raise Refusal(say("this is not a file of kept games: {path}", path=str(self.path)))
        for line in lines[1:]:
            if "tally" in line:
                self._lines.setdefault(str(line.get("series")), []).append(line)
            else:
                self._described.add(str(line.get("series")))

    def load(self, series: Series) -> tuple[Tally, list[GameRange]]:
        """What is kept of a series, and which games these are."""
        total, counted = empty_tally(series), list[GameRange]()
        for line in self._lines.get(series.key, ()):
            with contextlib.suppress(KeyError, TypeError, ValueError):
                ranges = [(int(first), int(count)) for first, count in line["games"]]
                tally = empty_tally(series)
                tally += Tally.from_dict(line["tally"])
                inside = all(0 <= first < first + count <= series.games for first, count in ranges)
                true = tally.games == sum(count for _, count in ranges)
                if inside and true and not any(_overlap(new, old) for new in ranges for old in counted):
                    total += tally
                    counted = list(merge_ranges([*counted, *ranges]))
        return total, counted

    def add(self, done: ChunkResult) -> None:
        """Keep a piece, at the latest with the next one after a second."""
        task = done.task
        ranges, tally = self._waiting.setdefault(task.series.key, ([], empty_tally(task.series)))
        ranges.append((task.first, task.count))
        tally += done.tally
        if task.series.key not in self._described:
            self._described.add(task.series.key)
            self._append({"series": task.series.key, "is": task.series.as_dict()})
        if time.monotonic() - self._written >= EVERY:
            self.flush()

    def flush(self) -> None:
        for key, (ranges, tally) in self._waiting.items():
            self._append({"series": key, "games": list(merge_ranges(ranges)), "tally": tally.as_dict()})
        self._waiting.clear()
        self._written = time.monotonic()

    def _append(self, line: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            if not file.tell():
                file.write(_text(HEADER))
            elif not _whole(file):
                file.write(b"\n")
            file.write(_text(line))


def _text(line: dict[str, Any]) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _whole(file: Any) -> bool:
    """Whether the last line has its end; one that was cut off is left alone."""
    file.seek(-1, 2)
    return bool(file.read(1) == b"\n")


def _parsed(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        try:
            data = json.loads(line)
        except ValueError:
            continue
        if isinstance(data, dict):
            yield data


def _overlap(one: GameRange, other: GameRange) -> bool:
    return one[0] < other[0] + other[1] and other[0] < one[0] + one[1]


def merge_ranges(ranges: Iterable[GameRange]) -> Iterator[GameRange]:
    """The same games in as few ranges as can be."""
    begun, end = 0, 0
    for first, count in sorted(ranges):
        if first > end or end == begun:
            if end > begun:
                yield begun, end - begun
            begun, end = first, first
        end += count
    if end > begun:
        yield begun, end - begun
