"""``skerry tournament``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from skerry.cli import dump
from skerry.cli.output import Study
from skerry.cli.progress import Played, play_all, say_how_to_go_on, write_csv, write_report
from skerry.cli.simulate import command, rate_line, read_base, read_names
from skerry.engine.errors import BadOption
from skerry.engine.game import read_seed
from skerry.games import find_game
from skerry.lab.series import is_search_bot
from skerry.lab.statistics import mean_interval
from skerry.lab.summary import csv_rows, tournament_summary
from skerry.lab.tournament import Tournament, WinShare, line_up_configurations, read_bots, tournaments_from

BELOW = "Below each number: its 95 % confidence interval."
MANY, FEW = 10_000, 30  # games, if nobody says how many; few where a bot searches


def play_tournament(name: str, games: int | None, bots: str, study: Study) -> None:
    if "bots" in study.vary:
        raise BadOption("a tournament has its bots from --bots, not from --sweep")
    base, _ = read_base(find_game(name), None, study.options, study.vary)
    chosen = read_bots(base.game, read_names(bots))
    games = games or (FEW if any(is_search_bot(base.game, bot) for bot in chosen) else MANY)
    drawn = line_up_configurations(base, chosen, study.vary, games, read_seed(study.seed), study.limit)
    title = f"{base.game.title}, {len(chosen)} bots"
    played = play_all(title, [cell.series for cells in drawn for cell in cells], study)
    if all(total.games for total in played.run.tallies):
        tell(tournaments_from(chosen, drawn, played.run.tallies), played, study)
    if not played.complete:
        say_how_to_go_on(played, study)


def tell(events: Sequence[Tournament], played: Played, study: Study) -> None:
    game = events[0].variant.game
    if study.json:
        tables = [tournament_summary(event) for event in events]
        dump({"game": game.name, "title": game.title, **played.took, "tournaments": tables})
    elif study.csv:
        write_csv([row for event in events for row in csv_rows(event)])
    else:
        show(events, played.took, Console(highlight=False))
    if study.report:
        from skerry.lab.report import tournament_report

        write_report(study.report, tournament_report(events, command()))


def show(events: Sequence[Tournament], took: Mapping[str, Any], console: Console) -> None:
    tallies = [outcome.tally for event in events for outcome in event.results]
    games, actions = sum(tally.games for tally in tallies), sum(tally.steps for tally in tallies)
    console.print(f"\n[bold]{events[0].variant.game.title}[/]: {rate_line(games, actions, took)}")
    for event in events:
        options = ", ".join(f"{name} {value}" for name, value in event.variant.options.items())
        console.print(f"\n[dim]{options}[/]\n")
        console.print(_table(event))
        console.print(f"\n[dim]{_reading(event)}[/]")


def _reading(event: Tournament) -> str:
    """How the table is read."""
    if event.variant.players == 1:
        return "Mean score of each alone, in the same set-ups, with a 95 % confidence interval."
    if event.variant.game.cooperative:
        return f"Games won in %: one of the row with others of the column, at each seat in turn. {BELOW}"
    even_share = f"{100 * event.even_share:.0f}"
    reading = f"Wins in %: one of the row against others of the column, at each seat in turn; even is {even_share}."
    return f"{reading} Ratings are on Elo's scale. {BELOW}"


def _table(event: Tournament) -> Table:
    if event.variant.players == 1:
        return _solo(event)
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("", header_style="dim")
    for bot in event.ranking:
        table.add_column(bot, header_style="dim", justify="right")
    table.add_column("own team" if event.variant.game.cooperative else "all", header_style="dim", justify="right")
    if event.ratings:
        table.add_column("rating", header_style="dim", justify="right")
    ratings = {one.bot: f"{one.value:.0f}\n[dim]{one.low:.0f}–{one.high:.0f}[/]" for one in event.ratings}
    for one in event.ranking:
        shares = [_cell(event, one, other) for other in event.ranking]
        table.add_row(one, *shares, _share(event.wins(one)), *([ratings[one]] if ratings else []))
    return table


def _cell(event: Tournament, one: str, other: str) -> str:
    found = event.cross_table.get((one, other))
    if found is None:
        return "[dim]–[/]"
    low, high = found.interval
    style = "green" if low > event.even_share else "red" if high < event.even_share else "default"
    return _share(found, "default" if event.variant.game.cooperative else style)


def _share(found: WinShare, style: str = "default") -> str:
    """In per cent, above its interval: in a line the table would be too wide."""
    low, high = ("100" if end == 1 else f"{100 * end:.1f}" for end in found.interval)
    return f"[{style}]{100 * found.share:.1f}[/]\n[dim]{low}–{high}[/]"


def _solo(event: Tournament) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("bot", "mean score", ""):
        table.add_column(column, header_style="dim", justify="left" if column == "bot" else "right")
    by_bot = {outcome.series.seats[0]: outcome.tally for outcome in event.results}
    for bot in event.ranking:
        mean, low, high = mean_interval(by_bot[bot].points[0])
        table.add_row(bot, f"{mean:.2f}", f"({low:.2f} to {high:.2f})")
    return table
