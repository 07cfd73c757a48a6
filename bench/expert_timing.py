"""How long the expert takes for a decision under a time limit, and how many rollouts it plays a second.

    python bench/expert_timing.py forbidden-island --option players=2

How often it wins is what ``skerry simulate forbidden-island --seats expert:250 --sweep difficulty=all`` says.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from skerry.bots import default_bot
from skerry.bots import find as find_bot
from skerry.bots.asked import determinize_match
from skerry.bots.expert import Expert
from skerry.cli.options import read_options
from skerry.engine.game import Game, Variant
from skerry.engine.match import Match
from skerry.games import find_game

LIMITS = (0.1, 0.5, 1.0, 2.0)  # seconds
DECISIONS = 10  # measured under each limit


@dataclass
class Timing:
    """Decisions under one limit."""

    limit: float
    seconds: list[float]
    rollouts: int

    @property
    def mean(self) -> float:
        return sum(self.seconds) / len(self.seconds)

    @property
    def longest(self) -> float:
        return max(self.seconds)

    @property
    def overrun(self) -> float:
        """By which share of the limit the longest decision exceeded it."""
        return max(0.0, self.longest / self.limit - 1)

    @property
    def rollouts_per_second(self) -> float:
        return self.rollouts / sum(self.seconds)


def decisions(variant: Variant) -> list[Match]:
    """Positions along a game in which a seat has a choice."""
    match, bot = variant.new(seed=1), find_bot(variant.game, default_bot(variant.game))
    found: list[Match] = []
    while match.result is None and len(found) < DECISIONS:
        seat = match.waiting[0]
        if len(match.legal_ids(seat)) > 1 and len(match.steps) % 3 == 0:
            found.append(match.copy())
        match.play(seat, bot.choose(match, seat, len(match.steps)))
    return found


def measure(game: Game, positions: list[Match], limit: float) -> Timing:
    timing = Timing(limit, [], 0)
    for number, match in enumerate(positions):
        start = time.perf_counter()
        search = Expert.of(game).with_time_limit(limit).search(determinize_match(match, match.waiting[0], number))
        timing.seconds.append(time.perf_counter() - start)
        timing.rollouts += int(search.pulls.sum())
    return timing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    game = find_game(arguments.game)
    variant = game.configure(read_options(arguments.option))
    positions = decisions(variant)
    Expert.of(game).with_time_limit(0).choose(positions[0], positions[0].waiting[0], 0)  # compiles
    options = " ".join(arguments.option)
    table = Table(box=None, padding=(0, 2, 0, 0), title=f"{game.title} {options}: decisions under a time limit")
    for column in ("limit s", "mean s", "longest s", "over the limit by", "rollouts/s"):
        table.add_column(column, justify="right")
    for limit in LIMITS:
        timing = measure(game, positions, limit)
        table.add_row(
            f"{limit:g}",
            f"{timing.mean:.2f}",
            f"{timing.longest:.2f}",
            f"{100 * timing.overrun:.0f} %",
            f"{timing.rollouts_per_second:,.0f}",
        )
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main()
