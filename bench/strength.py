"""How strong a bot is: one cell for each number of players and each value of the options that are varied.

    python bench/strength.py forbidden-island --bot skilled --games 100000
    python bench/strength.py cartagena --bot skilled --against novice --vary players=2,4
    python bench/strength.py hashi --bot skilled --vary players=1 --vary board=A,B

Co-operative games are won together, with the bot at every seat. In the others the bot sits at each seat in turn, with
``--against`` at the rest; alone, its points count. In brackets: 95 % confidence intervals. ``known`` is what others
have published.
"""

from __future__ import annotations

import argparse
import time
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from skerry.engine.game import Game
from skerry.games import find
from skerry.games.hashi.rules.components import RANKS
from skerry.lab.simulate import Series, Tally, simulate
from skerry.lab.statistics import mean_interval, quantile, wilson
from skerry.train.variants import Cell, cells

# Wins of a public rule-based player in per cent, 100 000 games a cell, default layout, random roles.
KNOWN: dict[str, dict[tuple[str, ...], float]] = {
    "forbidden-island": {
        (difficulty, players): won
        for difficulty, row in {
            "novice": (20.2, 18.5, 8.7),
            "normal": (8.9, 8.5, 3.9),
            "elite": (2.3, 2.7, 1.2),
            "legendary": (0.8, 0.8, 0.2),
        }.items()
        for players, won in zip(("2", "3", "4"), row, strict=True)
    }
}


@dataclass
class Outcome:
    """What a bot reached in the games of a cell, at whichever seat."""

    endings: NDArray[np.int64]
    wins: float = 0.0
    games: int = 0
    steps: int = 0
    points: Counter[float] = field(default_factory=Counter)

    def add(self, total: Tally, seat: int) -> None:
        self.endings += total.endings
        self.wins += float(total.wins[seat])
        self.games += total.games
        self.steps += total.steps
        self.points += total.points[seat]


def measure(game: Game, cell: Cell, given: Any, games: int) -> Outcome:
    variant = game.configure(cell)
    others = given.bot if game.cooperative else given.against
    seats = range(1 if game.cooperative else variant.players)
    outcome = Outcome(np.zeros(len(game.endings) + 1, np.int64))
    for seat in seats:
        bots = [others] * variant.players
        bots[seat] = given.bot
        series = Series(variant, tuple(bots), max(games // len(seats), 1), given.seed + seat)
        outcome.add(simulate(series, given.cores), seat)
    return outcome


def won(outcome: Outcome) -> str:
    low, high = wilson(outcome.wins, outcome.games)
    return f"{100 * outcome.wins / outcome.games:.2f} ({100 * low:.2f} to {100 * high:.2f})"


def lost(game: Game, outcome: Outcome) -> str:
    return ", ".join(
        f"{ending.name} {100 * count / outcome.games:.1f}"
        for ending, count in zip(game.endings, outcome.endings[1:], strict=True)
        if count and not ending.won
    )


def scored(outcome: Outcome) -> str:
    mean, low, high = mean_interval(outcome.points)
    tenth, median, ninth = (quantile(outcome.points, share) for share in (0.1, 0.5, 0.9))
    return f"{mean:.2f} ({low:.2f} to {high:.2f}), median {median}, eight in ten {tenth} to {ninth}"


def ranked(game: Game, outcome: Outcome) -> str:
    """How many of a hundred games came to each rank, from the lowest."""
    if game.name != "hashi":
        return ""
    ranks = Counter(bisect_right(RANKS, points) - 1 for points in outcome.points.elements())
    return " ".join(f"{100 * ranks[rank] / outcome.games:.1f}" for rank in range(len(RANKS)))


def columns(game: Game, cell: Cell, outcome: Outcome) -> dict[str, str]:
    """What a cell's line says, by column."""
    if game.cooperative:
        known = KNOWN.get(game.name, {}).get(tuple(cell.values()))
        return {
            "wins %": won(outcome),
            "known": "" if known is None else f"{known:.1f}",
            "lost by %": lost(game, outcome),
        }
    if game.configure(cell).players == 1:
        return {"points": scored(outcome), "ranks %": ranked(game, outcome)}
    points = {"points": scored(outcome)} if len(outcome.points) > 2 else {}  # where there is more than winning
    return {"wins %": won(outcome), **points}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--bot", required=True)
    parser.add_argument("--against", default="random")
    parser.add_argument("--games", type=int, default=100_000, help="a cell")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cores", type=int)
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=VALUE,…")
    given = parser.parse_args()
    game = find(given.game)
    report(game, list(cells(game, given.vary)), given)


def report(game: Game, wanted: list[Cell], given: Any) -> None:
    console = Console(highlight=False)
    rivals = "" if game.cooperative else f" against {given.against}"
    actions, seconds = 0, 0.0
    lines: list[dict[str, str]] = []
    for cell in wanted:
        measure(game, cell, given, 1)  # what has to be compiled is
        start = time.perf_counter()
        outcome = measure(game, cell, given, given.games)
        seconds += time.perf_counter() - start
        actions += outcome.steps
        lines.append({**cell, **columns(game, cell, outcome)})
    title = f"{game.title}: {given.bot}{rivals}, {given.games:,} games a cell"
    table = Table(box=None, padding=(0, 2, 0, 0), title=title, title_justify="left")
    names = list(dict.fromkeys(name for line in lines for name in line))
    for name in names:
        table.add_column(name)
    for line in lines:
        table.add_row(*(line.get(name, "") for name in names))
    console.print(table)
    console.print(f"{actions:,} actions in {seconds:.0f} s: {actions / seconds:,.0f} a second")


if __name__ == "__main__":
    main()
