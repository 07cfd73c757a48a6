"""Runs histories and counts what happened in them.

``python -m tests.server.simulation --seed N`` prints the trace of one; with ``--count`` it runs many, on all cores.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor

from tests.server.simulation.history import Outcome, run_history


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.server.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first seed, or the only one")
    parser.add_argument("--count", type=int, default=1, help="how many seeds")
    parser.add_argument("--processes", type=int, default=0, help="how many servers; by default as the seed says")
    given = parser.parse_args()
    run = functools.partial(run_history, processes=given.processes)
    if given.count == 1:
        outcome = run(given.seed)
        print(outcome)
        return bool(outcome.violations)
    began = time.monotonic()
    with ProcessPoolExecutor(min(os.cpu_count() or 1, given.count)) as pool:
        failed = summarize(pool.map(run, range(given.seed, given.seed + given.count), chunksize=5))
    print(f"{given.count:10,}  histories in {time.monotonic() - began:.0f} seconds, of which {failed} fail")
    return bool(failed)


def summarize(outcomes: Iterable[Outcome]) -> int:
    """Print what happened in some histories; return how many fail."""
    counts: Counter[str] = Counter()
    failed = 0
    for outcome in outcomes:
        counts += outcome.counts
        if outcome.violations:
            failed += 1
            print(f"seed {outcome.seed}: {outcome.violations[0][:300]}", flush=True)
    for what, count in sorted(counts.items()):
        print(f"{count:10,}  {what}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
