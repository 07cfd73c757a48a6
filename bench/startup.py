"""How long a start takes: importing skerry; to the first list of legal actions, cold (compiling) and warm.

python bench/startup.py [GAME]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

LIMITS = {"import": 0.3, "cold": 30.0, "warm": 1.5}
FIRST_LEGAL = """
import skerry
match = skerry.game({game!r}).new(seed=1)
assert match.legal(match.waiting[0])
"""


def seconds(code: str, cache: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "SKERRY_CACHE": cache})
    return time.perf_counter() - start


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "forbidden-island"
    code = FIRST_LEGAL.format(game=game)
    with tempfile.TemporaryDirectory() as cache:
        empty = statistics.median(seconds("pass", cache) for _ in range(5))
        took = {
            "import": statistics.median(seconds("import skerry", cache) for _ in range(5)) - empty,
            "cold": seconds(code, cache),
            "warm": statistics.median(seconds(code, cache) for _ in range(5)),
        }
    for name, value in took.items():
        print(f"{name:<7} {value:6.2f} s   limit {LIMITS[name]} s   {value / LIMITS[name]:.0%} of it")


if __name__ == "__main__":
    main()
