"""Compiled and interpreted kernels, for tests that depend on the mode."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from skerry.engine.kernel import INTERPRETED

# Both modes play the same games to the byte, so tests that need many games run only compiled.
only_compiled = pytest.mark.skipif(INTERPRETED, reason="so many games take minutes when interpreted")


def output_in_both_modes(code: str) -> tuple[str, str]:
    """What a program prints with compiled and with interpreted kernels."""

    def output(mode: str) -> str:
        command, environment = [sys.executable, "-c", code], {**os.environ, "SKERRY_INTERPRET": mode}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    return output("0"), output("1")
