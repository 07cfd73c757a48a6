"""Run the command line in a process of its own, as a person or a script does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any


def run(*arguments: str, typed: str = "", status: int = 0) -> str:
    """Run ``skerry`` with these arguments; its standard output, and its errors too if a failure is expected."""
    command = [sys.executable, "-m", "skerry.cli", *arguments]
    environment = {**os.environ, "SKERRY_INTERPRET": "0"}
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + (done.stderr if status else "")


def start(*arguments: str, data: Path) -> subprocess.Popen[str]:
    """Start ``skerry`` with the user's data in a folder of the test."""
    environment = {**os.environ, "SKERRY_INTERPRET": "0", "SKERRY_DATA": "", "XDG_DATA_HOME": str(data)}
    command = [sys.executable, "-m", "skerry.cli", *arguments]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **pipes, env=environment, preexec_fn=react_to_ctrl_c)


def react_to_ctrl_c() -> None:
    """Restore the default reaction to Ctrl-C, which background processes and their children ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
