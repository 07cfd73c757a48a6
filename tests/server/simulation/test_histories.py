"""Seeded histories of several server processes, with faults: acknowledged actions last, and all readers agree.

A failure prints its seed and its trace. ``python -m tests.server.simulation --seed N`` runs that seed alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skerry.engine.kernel import INTERPRETED
from tests.server.simulation.history import run_history

ROOT = Path(__file__).parents[3]
TOGETHER = 25  # seeds in one test
SEEDS = 50 if INTERPRETED else 150
MANY = 10_000  # seeds that ``make soak`` runs, beside those that follow the ones above


def first_seeds(first: int, count: int) -> list[int]:
    return list(range(first, first + count, TOGETHER))


def check(first: int, count: int = TOGETHER, processes: int = 0) -> None:
    for seed in range(first, first + count):
        outcome = run_history(seed, processes=processes)
        assert not outcome.violations, str(outcome)


@pytest.mark.parametrize("first", first_seeds(0, SEEDS))
def test_histories_of_several_processes(first: int) -> None:
    check(first)


@pytest.mark.slow
@pytest.mark.parametrize("first", [*first_seeds(SEEDS, 600 - SEEDS), *first_seeds(1_000_000, MANY)])
def test_many_histories(first: int) -> None:
    check(first)


def _digests(hash_seed: str, *seeds: int) -> str:
    """The digests of the traces of some histories, run by a new process."""
    code = (
        "import hashlib, sys; from tests.server.simulation.history import run_history\n"
        "for seed in map(int, sys.argv[1:]):\n"
        "    print(seed, hashlib.sha256(run_history(seed).trace.encode()).hexdigest())\n"
    )
    command = [sys.executable, "-c", code, *map(str, seeds)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


def test_a_seed_gives_the_same_history_in_every_process() -> None:
    seeds = range(20)
    once = _digests("1", *seeds)
    again = _digests("2", *reversed(seeds))
    assert sorted(once.splitlines()) == sorted(again.splitlines())
