"""Solo Hashi compared with perfect hindsight: a bot's score beside the best that the cards allowed.

    python bench/hashi_hindsight.py --games 20 --seconds 1
    python bench/hashi_hindsight.py --bot skilled --board A --games 100

After each game the solver, which knows the order of the cards, computes the best possible score. In brackets: 95 %
confidence intervals. The expert has ``--seconds`` for a decision; ``--bot expert:300`` plays that many rollouts
instead. Where the solver's effort was too small for an exact answer, its upper bound counts.
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
from skerry.games.hashi.rules.components import RANK_POINTS
from skerry.lab.statistics import mean_interval


@dataclass
class Scores:
    """How often each score was reached, was possible, and was missed by how much."""

    reached: Counter[int] = field(default_factory=Counter)
    possible: Counter[int] = field(default_factory=Counter)
    missed: Counter[int] = field(default_factory=Counter)

    def add(self, match: Match, effort: float) -> None:
        assert match.result is not None
        reached, possible = int(match.result.scores[0]), solve_match(match, effort).bound
        self.reached[reached] += 1
        self.possible[possible] += 1
        self.missed[possible - reached] += 1


def play(bot: Bot, board: str, seed: int) -> Match:
    match = GAME.configure({"players": 1, "board": board}).new(seed)
    while match.result is None:
        match.play(0, bot.choose(match, 0, len(match.steps)))
    return match


def mean_with_interval(counts: Counter[int]) -> str:
    mean, low, high = mean_interval(counts)
    return f"{mean:.2f} ({low:.2f} to {high:.2f})"


def mean_rank(scores: Counter[int]) -> str:
    ranks = [bisect_right(RANK_POINTS, score) for score in scores.elements()]
    return f"{sum(ranks) / len(ranks):.1f} of {len(RANK_POINTS)}"


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", default=EXPERT)
    parser.add_argument("--seconds", type=float, default=1.0, help="the expert's, for a decision")
    parser.add_argument("--board", default="A,B", metavar="A,B,…")
    parser.add_argument("--games", type=int, default=20, help="on each board")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--effort", type=float, default=EFFORT, help="the solver's")
    return parser.parse_args()


def main() -> None:
    arguments = read_arguments()
    bot, title = find(GAME, arguments.bot), f"Solo Hashi: {arguments.bot}"
    if arguments.bot == EXPERT:
        bot = bot.with_time_limit(arguments.seconds)
        title += f", {arguments.seconds:g} s a decision"
    title += f", {arguments.games} games a board"
    table = Table(box=None, padding=(0, 2, 0, 0), title=title)
    for column in ("board", "points", "possible", "missed", "mean rank"):
        table.add_column(column)
    for board in arguments.board.split(","):
        scores, seeds = Scores(), range(arguments.seed, arguments.seed + arguments.games)
        for seed in track(seeds, f"Board {board}", console=Console(stderr=True)):
            scores.add(play(bot, board, seed), arguments.effort)
        columns = (scores.reached, scores.possible, scores.missed)
        table.add_row(board, *map(mean_with_interval, columns), mean_rank(scores.reached))
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main()
