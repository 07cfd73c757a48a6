"""Compares resampled worlds: ``python -m tests.server.secrecy [--first N] [--count N] [--seconds N] [--game NAME]``."""

from __future__ import annotations

import argparse
import sys
import time

from skerry.games import all_games
from tests.server.secrecy.resampling import Twins, check_case


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.server.secrecy", description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--count", type=int, default=10, help="how many cases of each game")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no new case after so many seconds")
    parser.add_argument("--game", help="only this game")
    given = parser.parse_args()
    numbers = range(given.first, given.first + given.count)
    cases = [(game, number) for number in numbers for game in all_games() if given.game in (None, game.name)]
    failed = 0
    began = time.monotonic()
    with Twins() as twins:
        for game, number in cases:
            if time.monotonic() - began > given.seconds:
                break
            try:
                check_case(twins, game, number)
            except AssertionError as error:
                failed += 1
                print(error, flush=True)
    print(f"{twins.tally}, in {time.monotonic() - began:.0f} seconds")
    print(f"{failed} failed" if failed else "no answer told the worlds apart")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
