"""Servers that tests of the packaging start."""

from __future__ import annotations

import contextlib
import queue
import re
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ADDRESS = re.compile(r"http://[\w.:\[\]]+")


@contextlib.contextmanager
def serving(command: Sequence[str], environment: Mapping[str, str], cwd: Path, limit: float = 300.0) -> Iterator[str]:
    """Run ``skerry serve`` until the end of the block; the address it prints."""
    running = subprocess.Popen(command, env=environment, cwd=cwd, stdout=subprocess.PIPE, text=True)
    lines: queue.Queue[str] = queue.Queue()
    assert running.stdout is not None
    stdout = running.stdout

    def read_lines() -> None:
        for line in stdout:
            lines.put(line)
        lines.put("")

    reader = threading.Thread(target=read_lines, daemon=True)
    reader.start()
    try:
        while line := lines.get(timeout=limit):
            if found := ADDRESS.search(line):
                yield found[0]
                break
        else:
            raise AssertionError("the server ended before it was ready")
    finally:
        running.terminate()
        running.wait(60)
        reader.join(10)
        stdout.close()
