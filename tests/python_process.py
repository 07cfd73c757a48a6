"""Python code in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def process_environment(folder: Path, **changes: str) -> dict[str, str]:
    """The environment of a process that imports modules from a folder, and compiles kernels and caches them in it."""
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    defaults = {"PYTHONPATH": path, "SKERRY_CACHE": str(folder / "cache"), "SKERRY_INTERPRET": "0"}
    return {**os.environ, **defaults, **changes}


def run_code(folder: Path, code: str, **changes: str) -> str:
    """What some code prints."""
    environment = process_environment(folder, **changes)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()
