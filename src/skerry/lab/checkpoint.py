"""Checkpoint files: the finished games of simulations, so that an interrupted run can be resumed.

A checkpoint is a JSON Lines file that is only ever appended to. After a header it has two kinds of lines: one describes
a series, the other has the tally of some of its games. Lines that a crash has cut off or that are damaged are ignored,
and so are lines with games that an earlier line has counted; the games missing because of that are played again.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from skerry.engine.errors import Refusal
from skerry.engine.messages import say
from skerry.lab.chunks import ChunkResult, GameRange
from skerry.lab.series import Series
from skerry.lab.tally import Tally, empty_tally

HEADER = {"skerry": "kept games", "format": 1}
FLUSH_SECONDS = 1.0  # until a result is written, at most: a crash loses about the games of that time


class Checkpoint:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._tally_lines: dict[str, list[dict[str, Any]]] = {}  # by the key of the series
        self._described: set[str] = set()  # the keys of series that have a description in the file
        self._pending: dict[str, tuple[list[GameRange], Tally]] = {}  # results not written yet
        self._last_write = time.monotonic()
        self._lock = threading.RLock()
        self._late_flush: threading.Timer | None = None
        self._read()

    def _read(self) -> None:
        try:
            text = self.path.read_bytes().decode("utf-8", "replace") if self.path.exists() else ""
        except OSError as error:
            raise Refusal(say("cannot read {path}: {reason}", path=str(self.path), reason=error.strerror)) from None
        lines = list(_parse_lines(text))
        if text and (not lines or lines[0] != HEADER):
            raise Refusal(say("this is not a checkpoint file of simulated games: {path}", path=str(self.path)))
        for line in lines[1:]:
            key = str(line.get("series"))
            if "tally" in line:
                self._tally_lines.setdefault(key, []).append(line)
            else:
                self._described.add(key)

    def load(self, series: Series) -> tuple[Tally, list[GameRange]]:
        """The tally of a series' games in the file, and which games these are."""
        total, counted = empty_tally(series), list[GameRange]()
        for line in self._tally_lines.get(series.key, ()):
            with contextlib.suppress(KeyError, TypeError, ValueError):  # a damaged line is ignored
                ranges = [(int(first), int(count)) for first, count in line["games"]]
                tally = empty_tally(series)
                tally += Tally.from_dict(line["tally"])
                inside = all(0 <= first < first + count <= series.games for first, count in ranges)
                complete = tally.games == sum(count for _, count in ranges)
                if inside and complete and not any(_overlap(new, old) for new in ranges for old in counted):
                    total += tally
                    counted = list(merge_ranges([*counted, *ranges]))
        return total, counted

    def add(self, result: ChunkResult) -> None:
        """Add a chunk's result. It is written within ``FLUSH_SECONDS``, also if the next result takes hours."""
        chunk = result.chunk
        key = chunk.series.key
        with self._lock:
            ranges, tally = self._pending.setdefault(key, ([], empty_tally(chunk.series)))
            ranges.append((chunk.first, chunk.count))
            tally += result.tally
            if key not in self._described:
                self._described.add(key)
                self._append({"series": key, "is": chunk.series.as_dict()})
            if time.monotonic() - self._last_write >= FLUSH_SECONDS:
                self.flush()
            elif self._late_flush is None:
                self._late_flush = threading.Timer(FLUSH_SECONDS, self._flush_late)
                self._late_flush.daemon = True
                self._late_flush.start()

    def flush(self) -> None:
        with self._lock:
            if self._late_flush is not None:
                self._late_flush.cancel()
                self._late_flush = None
            for key, (ranges, tally) in self._pending.items():
                self._append({"series": key, "games": list(merge_ranges(ranges)), "tally": tally.as_dict()})
            self._pending.clear()
            self._last_write = time.monotonic()

    def _flush_late(self) -> None:
        with contextlib.suppress(OSError):  # what is still pending fails again where the program can say so
            self.flush()

    def _append(self, line: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab+") as file:
            if not file.tell():
                file.write(_encode(HEADER))
            elif not _ends_with_newline(file):  # a crash has cut the last line off
                file.write(b"\n")
            file.write(_encode(line))


def _encode(line: dict[str, Any]) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _ends_with_newline(file: BinaryIO) -> bool:
    file.seek(-1, 2)
    return file.read(1) == b"\n"


def _parse_lines(text: str) -> Iterator[dict[str, Any]]:
    """The lines that are JSON objects."""
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
    """The same games in as few ranges as possible; the given ranges must not overlap."""
    start, end = 0, 0
    for first, count in sorted(ranges):
        if first > end or end == start:
            if end > start:
                yield start, end - start
            start, end = first, first
        end += count
    if end > start:
        yield start, end - start
