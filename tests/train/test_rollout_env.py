"""The rollout environment plays the games that stepping by hand plays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def output_of_hand_stepping(interpreted: str) -> str:
    environment = {**os.environ, "SKERRY_INTERPRET": interpreted}
    command = [sys.executable, "-m", "tests.train.hand_stepping"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_rollout_environment_agrees_with_hand_stepping() -> None:
    assert output_of_hand_stepping(interpreted="1") == "equal\n"


@pytest.mark.slow
def test_the_compiled_rollout_environment_agrees_with_hand_stepping() -> None:
    assert output_of_hand_stepping(interpreted="0") == "equal\n"
