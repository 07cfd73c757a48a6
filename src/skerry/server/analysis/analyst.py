"""A process that analyses: ``python -m skerry.server.analysis.analyst``.

It reads tasks from its standard input and writes their replies, a line of JSON each, to its standard output. Its
priority is low, and it ends when the process that started it does, also in the middle of a task.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import struct
import sys
import threading
import traceback
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

from skerry.analysis.viewpoint import Viewpoint
from skerry.engine.child_process import end_by_signal_with_parent
from skerry.engine.match import Match

NICENESS = 15
LENGTH = struct.Struct(">I")  # of the task that follows
END = {"end": True}  # the last reply to each task
Reply = dict[str, Any]


class Task(Protocol):
    """Something to compute."""

    def replies(self) -> Iterator[Reply]: ...


@dataclass(frozen=True)
class AnalyseMatch:
    """The analysis of a match. Each reply has all that is known so far."""

    match: Match
    effort: int
    seat: int | None = None
    open_cards: bool = False

    def replies(self) -> Iterator[Reply]:
        from skerry.analysis import analyse_by_stages
        from skerry.analysis.stored import pack

        for analysis in analyse_by_stages(self.match, self.effort, self.seat, self.open_cards):
            result = b64encode(pack(analysis)).decode()
            yield {"done": analysis.graded, "total": analysis.decisions, "result": result}


@dataclass(frozen=True)
class PositionValue:
    """The value of one position to each seat."""

    match: Match
    viewpoint: Viewpoint
    worlds: int

    def replies(self) -> Iterator[Reply]:
        from skerry.analysis.position_value import position_value

        yield {"values": position_value(self.match, self.viewpoint, self.worlds)}


def task_bytes(task: Task) -> bytes:
    """A task as it is sent."""
    content = pickle.dumps(task)
    return LENGTH.pack(len(content)) + content


def _read_tasks(stream: BinaryIO, tasks: queue.SimpleQueue[bytes]) -> None:
    """Read tasks until the process that sends them has gone, and end this one then."""
    while len(head := stream.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        tasks.put(stream.read(length))
    os._exit(0)


def _replies(content: bytes) -> Iterator[Reply]:
    try:
        task: Task = pickle.loads(content)
        yield from task.replies()
    except Exception:
        yield {"error": traceback.format_exc()}
    yield END


def main() -> None:
    end_by_signal_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what a game prints must not come between the replies
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read_tasks, args=(sys.stdin.buffer, tasks), daemon=True).start()
    while True:
        for reply in _replies(tasks.get()):
            print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    main()
