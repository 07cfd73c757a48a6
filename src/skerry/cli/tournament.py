"""``skerry tournament``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from skerry.cli.output import print_csv, print_json, write_report
from skerry.cli.progress import FinishedRun, exit_interrupted, play_series
from skerry.cli.seating import read_names, read_sweep_base
from skerry.cli.simulate import command_line, count_line, made_with_line
from skerry.cli.simulation_options import SimulationOptions
from skerry.engine.errors import BadOption
from skerry.engine.game import read_seed
from skerry.games import find_game
from skerry.lab.series import is_asked_bot, provenance
from skerry.lab.statistics import mean_interval, percent_number
from skerry.lab.summary import csv_rows, tournament_summary
from skerry.lab.tournament import Tournament, WinShare, line_up_configurations, read_bots, tournaments_from

DEFAULT_GAMES = 10_000
DEFAULT_GAMES_WITH_SEARCH = 30  # a bot that searches is thousands of times slower
INTERVALS = "Below each number: its 95 % confidence interval."


def play_tournament(name: str, games: int | None, bots: str, settings: SimulationOptions) -> None:
    if "bots" in settings.vary:
        raise BadOption("the bots of a tournament are named in --bots, not in --sweep")
    own = settings.custom_bots
    base, _ = read_sweep_base(find_game(name), None, settings.options, settings.vary)
    chosen = read_bots(base.game, dict.fromkeys((*read_names(bots), *(own if bots != "all" else ()))))
    with_search = any(is_asked_bot(base.game, bot) for bot in chosen)
    games = games or (DEFAULT_GAMES_WITH_SEARCH if with_search else DEFAULT_GAMES)
    planned = line_up_configurations(base, chosen, settings.vary, games, read_seed(settings.seed), settings.limit)
    title = f"{base.game.title}, {len(chosen)} bots"
    series = [configuration.series for configurations in planned for configuration in configurations]
    finished = play_series(title, series, settings)
    if all(tally.games for tally in finished.run.tallies):
        _print_results(tournaments_from(chosen, planned, finished.run.tallies), finished, settings)
    if not finished.complete:
        exit_interrupted(finished, settings)


def _print_results(tournaments: Sequence[Tournament], finished: FinishedRun, settings: SimulationOptions) -> None:
    game = tournaments[0].variant.game
    if settings.json:
        summaries = [tournament_summary(tournament) for tournament in tournaments]
        print_json({"game": game.name, "title": game.title, **finished.timing, "tournaments": summaries})
    elif settings.csv:
        print_csv([row for tournament in tournaments for row in csv_rows(tournament)])
    else:
        print_tournaments(tournaments, finished.timing, Console(highlight=False))
    if settings.report:
        from skerry.lab.report import tournament_report

        write_report(settings.report, tournament_report(tournaments, command_line()))


def print_tournaments(tournaments: Sequence[Tournament], timing: Mapping[str, Any], console: Console) -> None:
    tallies = [result.tally for tournament in tournaments for result in tournament.results]
    games, actions = sum(tally.games for tally in tallies), sum(tally.steps for tally in tallies)
    game = tournaments[0].variant.game
    console.print(f"\n[bold]{game.title}[/]: {count_line(games, actions, timing)}")
    console.print(made_with_line(provenance(tournaments[0].results[0].series)))
    for tournament in tournaments:
        options = ", ".join(f"{name} {value}" for name, value in tournament.variant.options.items())
        console.print(f"\n[dim]{options}[/]\n")
        console.print(_solo_table(tournament) if tournament.variant.players == 1 else _cross_table(tournament))
        console.print(f"\n[dim]{_explanation(tournament)}[/]")


def _explanation(tournament: Tournament) -> str:
    """How to read the table."""
    if tournament.variant.players == 1:
        return "Mean score of each bot alone, in the same set-ups, with a 95 % confidence interval."
    if tournament.variant.game.cooperative:
        return f"Games won in %: one bot of the row with others of the column, at each seat in turn. {INTERVALS}"
    even_share = f"{100 * tournament.even_share:.0f}"
    return (
        f"Wins in %: one bot of the row against others of the column, at each seat in turn; an even share is "
        f"{even_share}. Ratings are on Elo's scale. {INTERVALS}"
    )


def _cross_table(tournament: Tournament) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("", header_style="dim")
    for bot in tournament.ranking:
        table.add_column(bot, header_style="dim", justify="right")
    table.add_column("own team" if tournament.variant.game.cooperative else "all", header_style="dim", justify="right")
    if tournament.ratings:
        table.add_column("rating", header_style="dim", justify="right")
    ratings = {one.bot: f"{one.value:.0f}\n[dim]{one.low:.0f}–{one.high:.0f}[/]" for one in tournament.ratings}
    for one in tournament.ranking:
        cells = [_cell(tournament, one, other) for other in tournament.ranking]
        cells.append(_share_text(tournament.wins(one)))
        if ratings:
            cells.append(ratings[one])
        table.add_row(one, *cells)
    return table


def _cell(tournament: Tournament, one: str, others: str) -> str:
    """A share of wins; green or red if it is surely above or below an even share."""
    wins = tournament.cross_table.get((one, others))
    if wins is None:
        return "[dim]–[/]"
    if tournament.variant.game.cooperative:
        return _share_text(wins)
    low, high = wins.interval
    if low > tournament.even_share:
        return _share_text(wins, "green")
    return _share_text(wins, "red" if high < tournament.even_share else "default")


def _share_text(wins: WinShare, style: str = "default") -> str:
    """In per cent, above its interval; in one line the table would be too wide."""
    low, high = ("100" if end == 1 else percent_number(end) for end in wins.interval)
    return f"[{style}]{percent_number(wins.share)}[/]\n[dim]{low}–{high}[/]"


def _solo_table(tournament: Tournament) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("bot", "mean score", ""):
        table.add_column(column, header_style="dim", justify="left" if column == "bot" else "right")
    by_bot = {result.series.seats[0]: result.tally for result in tournament.results}
    for bot in tournament.ranking:
        mean, low, high = mean_interval(by_bot[bot].points[0])
        table.add_row(bot, f"{mean:.2f}", f"({low:.2f} to {high:.2f})")
    return table
