"""Startup time: importing skerry, and the first list of legal actions, cold (compiling) and warm.

python bench/startup.py [GAME]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

LIMITS = {"import": 0.3, "cold": 30.0, "warm": 1.5}  # seconds
REPEATS = 5
FIRST_LEGAL_ACTIONS = """
import skerry
match = skerry.game({game!r}).new(seed=1)
assert match.legal(match.waiting[0])
"""


def seconds(code: str, kernel_cache: str) -> float:
    """How long a new Python process takes to run some code."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "SKERRY_CACHE": kernel_cache})
    return time.perf_counter() - start


def median_seconds(code: str, kernel_cache: str) -> float:
    return statistics.median(seconds(code, kernel_cache) for _ in range(REPEATS))


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "forbidden-island"
    code = FIRST_LEGAL_ACTIONS.format(game=game)
    with tempfile.TemporaryDirectory() as kernel_cache:
        python_alone = median_seconds("pass", kernel_cache)
        measured = {
            "import": median_seconds("import skerry", kernel_cache) - python_alone,
            "cold": seconds(code, kernel_cache),
            "warm": median_seconds(code, kernel_cache),
        }
    for name, value in measured.items():
        print(f"{name:<7} {value:6.2f} s   limit {LIMITS[name]} s   {value / LIMITS[name]:.0%} of it")


if __name__ == "__main__":
    main()
