"""Solo Hashi beside the best that was possible: a bot plays, then the solver, who knows all cards, says what it missed.

    python bench/hashi_hindsight.py --games 20 --seconds 1
    python bench/hashi_hindsight.py --bot skilled --board A --games 100

In brackets: 95 % confidence intervals. The expert has ``--seconds`` for a decision; ``--bot expert:300`` imagines so
many games instead. Where the solver's effort was too small for an exact answer, its bound counts.
"""

from __future__ import annotations

import argparse
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import track
from rich.table import Table

from skerry.bots import EXPERT, find
from skerry.bots.bot import Bot
from skerry.engine.match import Match
from skerry.games.hashi import GAME
from skerry.games.hashi.puzzles.solver import EFFORT, solve_match
from skerry.games.hashi.rules.components import RANKS
from skerry.lab.statistics import mean_interval


@dataclass
class Seen:
    points: Counter[int] = field(default_factory=Counter)
    possible: Counter[int] = field(default_factory=Counter)
    missed: Counter[int] = field(default_factory=Counter)

    def add(self, match: Match, effort: float) -> None:
        assert match.result is not None
        points, possible = int(match.result.scores[0]), solve_match(match, effort).bound
        self.points[points] += 1
        self.possible[possible] += 1
        self.missed[possible - points] += 1


def play(bot: Bot, board: str, seed: int) -> Match:
    match = GAME.configure({"players": 1, "board": board}).new(seed)
    while match.result is None:
        match.play(0, bot.choose(match, 0, len(match.steps)))
    return match


def interval(counted: Counter[int]) -> str:
    mean, low, high = mean_interval(counted)
    return f"{mean:.2f} ({low:.2f} to {high:.2f})"


def rank(points: Counter[int]) -> str:
    ranks = [bisect_right(RANKS, one) for one in points.elements()]
    return f"{sum(ranks) / len(ranks):.1f} of {len(RANKS)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", default=EXPERT)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--board", default="A,B", metavar="A,B,…")
    parser.add_argument("--games", type=int, default=20, help="a board")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--effort", type=float, default=EFFORT, help="of the solver")
    given = parser.parse_args()
    bot = find(GAME, given.bot)
    bot = bot.with_time_limit(given.seconds) if given.bot == EXPERT else bot
    how = f", {given.seconds:g} s a decision" if given.bot == EXPERT else ""
    table = Table(box=None, padding=(0, 2, 0, 0), title=f"Solo Hashi: {given.bot}{how}, {given.games} games a board")
    for column in ("board", "points", "possible", "missed", "mean rank"):
        table.add_column(column)
    for board in given.board.split(","):
        seen, numbers = Seen(), range(given.seed, given.seed + given.games)
        for number in track(numbers, f"Board {board}", console=Console(stderr=True)):
            seen.add(play(bot, board, number), given.effort)
        table.add_row(board, *map(interval, (seen.points, seen.possible, seen.missed)), rank(seen.points))
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main()
