"""The two ways in which kernels run, for tests to which it matters."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from skerry.engine.kernel import INTERPRETED

# Both ways play the same games to the byte, so that what compiled games prove needs no proof by interpreted ones.
only_compiled = pytest.mark.skipif(INTERPRETED, reason="so many games take minutes when interpreted")


def told_in_both(code: str) -> tuple[str, str]:
    """What a program prints when its kernels are compiled, and when they are interpreted."""

    def told(mode: str) -> str:
        command, environment = [sys.executable, "-c", code], {**os.environ, "SKERRY_INTERPRET": mode}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    return told("0"), told("1")
