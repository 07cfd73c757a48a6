"""The expert: how often it wins for how many imagined games, how many it imagines a second, and whether it is in time.

    python bench/expert.py forbidden-island --rollouts 250,1000 --games 200 --vary difficulty=normal,elite
    python bench/expert.py cartagena --games 100 --vary players=2
    python bench/expert.py hashi --games 0 --vary players=1
    python bench/expert.py forbidden-desert --rollouts 1 --games 1000  # what suggests itself, without any search

Time is measured in the first cell. In brackets: 95 % confidence intervals. Co-operative games are played with the
expert at every seat; in the others it sits at one, and the game's own best player at the rest.
"""

from __future__ import annotations

import argparse
import time

from rich.console import Console
from rich.table import Table

from skerry.bots import find as find_bot
from skerry.bots import house
from skerry.bots.expert import Expert, known
from skerry.engine.game import Game, Variant
from skerry.engine.match import Match
from skerry.games import find
from skerry.lab.simulate import Series, Tally, simulate
from skerry.lab.statistics import wilson
from skerry.train.variants import Cell, cells

LIMITS = (0.1, 0.5, 1.0, 2.0)  # seconds
DECISIONS = 10  # of each limit


def measure(game: Game, cell: Cell, bot: str, games: int) -> Tally:
    variant = game.configure(cell)
    others = bot if game.cooperative else house(game)
    series = Series(variant, (bot, *(others,) * (variant.players - 1)), games)
    return simulate(series)


def strength(game: Game, wanted: list[Cell], rollouts: list[str], games: int) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), title=f"{game.title}: wins in per cent, {games:,} games a cell")
    for column in (*wanted[0], "rollouts", "wins %", "seconds a game"):
        table.add_column(column)
    for cell in wanted:
        for number in rollouts:
            start = time.perf_counter()
            total = measure(game, cell, f"expert:{number}", games)
            low, high = wilson(float(total.wins[0]), games)
            won = f"{100 * float(total.wins[0]) / games:.1f} ({100 * low:.1f} to {100 * high:.1f})"
            table.add_row(*cell.values(), number, won, f"{(time.perf_counter() - start) / games:.1f}")
    return table


def questions(variant: Variant) -> list[Match]:
    """Positions along a game in which a seat has a choice."""
    match, bot = variant.new(seed=1), find_bot(variant.game, house(variant.game))
    found: list[Match] = []
    while match.result is None and len(found) < DECISIONS:
        seat = match.waiting[0]
        if len(match.legal_ids(seat)) > 1 and len(match.steps) % 3 == 0:
            found.append(match.copy())
        match.play(seat, bot.choose(match, seat, len(match.steps)))
    return found


def timing(game: Game, cell: Cell) -> Table:
    told = " ".join(f"{name} {value}" for name, value in cell.items())
    table = Table(box=None, padding=(0, 2, 0, 0), title=f"{game.title}, {told}: a decision against its limit")
    for column in ("limit s", "mean s", "longest s", "over the limit by", "imagined games/s"):
        table.add_column(column)
    asked = questions(game.configure(cell))
    Expert.of(game).within(0).choose(asked[0], asked[0].waiting[0], 0)  # what has to be compiled is
    for limit in LIMITS:
        spent, games = [], 0
        for number, match in enumerate(asked):
            start = time.perf_counter()
            field = Expert.of(game).within(limit).weigh(known(match, match.waiting[0], number))
            spent.append(time.perf_counter() - start)
            games += int(field.tries.sum())
        over = f"{100 * max(0.0, max(spent) / limit - 1):.0f} %"
        mean, rate = sum(spent) / len(spent), games / sum(spent)
        table.add_row(f"{limit:g}", f"{mean:.2f}", f"{max(spent):.2f}", over, f"{rate:,.0f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--rollouts", default="250", metavar="N,N,…")
    parser.add_argument("--games", type=int, default=20, help="a cell; 0: only the time is measured")
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=VALUE,…")
    given = parser.parse_args()
    game, console = find(given.game), Console(highlight=False)
    wanted = list(cells(game, given.vary))
    console.print(timing(game, wanted[0]))
    if given.games:
        console.print(strength(game, wanted, given.rollouts.split(","), given.games))


if __name__ == "__main__":
    main()
