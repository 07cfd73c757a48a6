"""``skerry simulate``."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from skerry.analysis.grading import Unit
from skerry.cli.output import print_csv, print_json, status_console, write_report
from skerry.cli.progress import FinishedRun, exit_interrupted, play_series, rate_text
from skerry.cli.seating import read_seating, read_sweep_base
from skerry.cli.simulation_options import SimulationOptions
from skerry.engine.errors import BadOption
from skerry.engine.game import read_seed
from skerry.games import find_game
from skerry.lab.luck import (
    CHANGES,
    QUANTITIES,
    LuckAndSkill,
    LuckOfBot,
    Mean,
    Shares,
    amount_text,
    analysed_games,
    as_rows,
    csv_columns,
    summed_up,
)
from skerry.lab.series import Series
from skerry.lab.statistics import percent_number
from skerry.lab.summary import csv_row, series_summary, sweep_summaries
from skerry.lab.sweep import Configuration, SeriesResult, configurations

DEFAULT_GAMES = 100_000
DEFAULT_GAMES_WITH_SEARCH = 100  # a bot that searches is thousands of times slower
WRAPPING_COLUMNS = ("lost by", "how it ended", "wins by seat")  # on a narrow screen


@dataclass(frozen=True)
class LuckOptions:
    """How many games of each series are analysed, and whether better actions are looked for."""

    games: int = 0
    losses: bool = False

    def __post_init__(self) -> None:
        if self.losses and not self.games:
            raise BadOption("--losses is for --luck")


def simulate_games(
    name: str, games: int | None, seats: str | None, settings: SimulationOptions, luck: LuckOptions
) -> None:
    planned = plan_configurations(name, games, seats, settings)
    title = find_game(name).title + (f", {len(planned)} variants" if len(planned) > 1 else "")
    finished = play_series(title, [one.series for one in planned], settings)
    pairs = zip(planned, finished.run.tallies, strict=True)
    results = [SeriesResult(configuration, tally) for configuration, tally in pairs if tally.games]
    if results:
        analysed = _analyse_all(results, luck, settings) if luck.games and finished.complete else []
        _print_results(results, analysed, finished, settings)
    if not finished.complete:
        exit_interrupted(finished, settings)


def plan_configurations(
    name: str, games: int | None, seats: str | None, settings: SimulationOptions
) -> list[Configuration]:
    """What the options ask for: one configuration, or all those of a sweep."""
    seed, each = read_seed(settings.seed), games or DEFAULT_GAMES
    default = next(iter(settings.custom_bots), "random")
    if not settings.vary:
        variant, bots = read_seating(name, seats, settings.options, default)
        planned = [Configuration({}, Series(variant, bots, each, seed, settings.limit))]
    else:
        base, bots = read_sweep_base(find_game(name), seats, settings.options, settings.vary)
        planned = list(configurations(base, settings.vary, bots or (default,), each, seed, settings.limit))
    return planned if games else [_with_default_games(one) for one in planned]


def _with_default_games(configuration: Configuration) -> Configuration:
    if not configuration.series.asks_bots:
        return configuration
    return replace(configuration, series=replace(configuration.series, games=DEFAULT_GAMES_WITH_SEARCH))


def _analyse_all(results: Sequence[SeriesResult], luck: LuckOptions, settings: SimulationOptions) -> list[LuckAndSkill]:
    """The luck and skill of the bots of each series. After Ctrl-C the games analysed so far count, and the series that
    have none are left out."""
    analysed: list[LuckAndSkill] = []
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=None), MofNCompleteColumn(), TimeRemainingColumn())
    console = status_console()
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("Luck and skill", total=luck.games * len(results))
        for result in results:
            found: list[dict[str, Shares]] = []
            try:
                for shares in analysed_games(
                    result.series, luck.games, losses=luck.losses, threads=settings.cores or 0
                ):
                    found.append(shares)
                    progress.advance(task)
            except KeyboardInterrupt:
                console.print("Stopped: only some of the games are analysed.", style="yellow")
                return [*analysed, *([summed_up(result.series, found)] if found else [])]
            analysed.append(summed_up(result.series, found))
    return analysed


def _print_results(
    results: Sequence[SeriesResult],
    analysed: Sequence[LuckAndSkill],
    finished: FinishedRun,
    settings: SimulationOptions,
) -> None:
    first = results[0]
    if settings.json and settings.vary:
        game, names, cells = first.series.variant.game, list(settings.vary), sweep_summaries(results)
        for cell, found in zip(cells, analysed, strict=False):
            cell["luck"] = as_rows(found)
        print_json({"game": game.name, "title": game.title, "sweep": names, **finished.timing, "cells": cells})
    elif settings.json:
        luck = {"luck": as_rows(analysed[0])} if analysed else {}
        print_json(series_summary(first.series, first.tally) | luck | finished.timing)
    elif settings.csv:
        luck_columns = [csv_columns(found) for found in analysed] + [{}] * (len(results) - len(analysed))
        print_csv([csv_row(result) | more for result, more in zip(results, luck_columns, strict=True)])
    else:
        _print_tables(results, analysed, finished, settings)
    if settings.report:
        from skerry.lab.report import simulation_report

        write_report(settings.report, simulation_report(results, command_line(), analysed))


def _print_tables(
    results: Sequence[SeriesResult],
    analysed: Sequence[LuckAndSkill],
    finished: FinishedRun,
    settings: SimulationOptions,
) -> None:
    first, console = results[0], Console(highlight=False)
    if settings.vary:
        print_sweep(results, finished.timing, console)
    else:
        print_summary(series_summary(first.series, first.tally) | finished.timing, console)
    if analysed:
        console.print(luck_table(results, analysed))
        games = ", ".join(dict.fromkeys(f"{found.games:,}" for found in analysed))
        console.print(f"[dim]Luck and choices: {games} games analysed; end = start + luck + choices (+ others).[/]")


def command_line() -> str:
    """The command that was typed; a report quotes it, so that its games can be played again."""
    return shlex.join(["skerry", *sys.argv[1:]])


# Tables for a terminal


def print_summary(summary: dict[str, Any], console: Console) -> None:
    """The results of one series; ``summary`` has its timing too."""
    options = ", ".join(f"{name} {value}" for name, value in summary["options"].items())
    console.print(f"\n[bold]{summary['title']}[/]: {options}")
    console.print(f"{count_line(summary['games'], summary['actions'], summary)}, seed {summary['seed']}")
    console.print(f"{made_with_line(summary)}\n")
    if summary["cooperative"]:
        console.print(f"Won together by {', '.join(summary['seats'])}: {_percent(summary['wins'][0])}\n")
    else:
        console.print(_seat_table(summary))
    console.print(_ending_table(summary))
    turns = summary["turns"]
    console.print(
        f"\nTurns: mean {turns['mean']:.2f} ({turns['low']:.2f} to {turns['high']:.2f}), "
        f"median {turns['median']}, nine in ten up to {turns['p90']}, longest {turns['longest']}"
    )
    console.print("[dim]In brackets: 95 % confidence intervals.[/]")


def count_line(games: int, actions: int, timing: Mapping[str, Any]) -> str:
    """How many games and actions there are, and how fast they were played."""
    text = f"{games:,} games, {actions:,} actions"
    played = timing["played"]
    if not played:
        return f"{text}, all kept from before"
    now = "" if played == games else f", {played:,} of these games now"
    return f"{text}{now} in {timing['seconds']:.1f} s ({rate_text(played / max(timing['seconds'], 1e-3))})"


def made_with_line(made: Mapping[str, Any]) -> str:
    """What results were made with, so that they can be made again."""
    return f"[dim]Skerry {made['skerry']}, rules {made['rules']}, code {made['code']}[/]"


def print_sweep(results: Sequence[SeriesResult], timing: Mapping[str, Any], console: Console) -> None:
    rows = sweep_summaries(results)
    shared = {name: value for name, value in rows[0]["options"].items() if name not in rows[0]["values"]}
    if len({_bots(row) for row in rows}) == 1:
        shared["bots"] = _bots(rows[0])
    options = ", ".join(f"{name} {value}" for name, value in shared.items())
    console.print(f"\n[bold]{rows[0]['title']}[/]: {options}")
    games, actions = (sum(row[name] for row in rows) for name in ("games", "actions"))
    console.print(f"{count_line(games, actions, timing)}, seed {rows[0]['seed']}")
    console.print(f"{made_with_line(rows[0])}\n")
    console.print(_sweep_table(rows))
    console.print("\n[dim]In brackets, or after ±: 95 % confidence intervals.[/]")


def _sweep_table(rows: Sequence[dict[str, Any]]) -> Table:
    """A row for each variant, with a column for the bots if they differ."""
    bots_differ = len({_bots(row) for row in rows}) > 1 and "bots" not in rows[0]["values"]
    table = _table(*rows[0]["values"], *(["bots"] if bots_differ else []), *_result_columns(rows), "turns")
    for row in rows:
        cells = [_value_text(value) for value in row["values"].values()]
        if bots_differ:
            cells.append(_bots(row))
        table.add_row(*cells, *_result_cells(row), f"{row['turns']['mean']:.1f}")
    return table


def _bots(row: Mapping[str, Any]) -> str:
    return ", ".join(dict.fromkeys(row["seats"]))


def _value_text(value: Any) -> str:
    return str(value).replace(",", " + ")


def _result_columns(rows: Sequence[dict[str, Any]]) -> list[str]:
    if rows[0]["cooperative"]:
        return ["won", "", "lost by"]
    solo = all(len(row["seats"]) == 1 for row in rows)
    return ["mean score"] if solo else ["wins by seat"]


def _result_cells(row: dict[str, Any]) -> list[str]:
    if row["cooperative"]:
        lost = max((ending for ending in row["endings"] if not ending["won"]), key=lambda ending: ending["games"])
        reason = f"{lost['ending']} {percent_number(lost['share'], 0)} %" if lost["games"] else ""
        return [_percent(row["wins"][0], 1), _bar(row["wins"][0]["share"]), reason]
    if len(row["seats"]) == 1:
        seat = row["wins"][0]
        return [f"{seat['score']:.2f} ({seat['score_low']:.2f} to {seat['score_high']:.2f})"]
    return [
        "   ".join(f"{seat['bot']} {percent_number(seat['share'])} ±{_half_width(seat):.1f} %" for seat in row["wins"])
    ]


def _half_width(row: Mapping[str, Any]) -> float:
    """Half the width of a confidence interval, in per cent."""
    return 50 * float(row["high"] - row["low"])


def _bar(share: float, width: int = 6) -> str:
    """A share as a bar of characters, exact to an eighth of a character."""
    full, eighths = divmod(round(share * width * 8), 8)
    return ("█" * full + ("▏▎▍▌▋▊▉"[eighths - 1] if eighths else "")).ljust(width)


def _percent(row: Mapping[str, Any], places: int = 2) -> str:
    share, low, high = (percent_number(row[name], places) for name in ("share", "low", "high"))
    return f"{share} % ({low} to {high})"


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in columns:
        is_count = column in ("games", "turns")
        table.add_column(
            column,
            header_style="dim",
            justify="right" if is_count else "left",
            no_wrap=column not in WRAPPING_COLUMNS,
        )
    return table


def _seat_table(summary: dict[str, Any]) -> Table:
    """Who won, and the scores; alone there is nobody to win against."""
    if summary["solo"]:
        table = _table("bot", "mean score")
        (row,) = summary["wins"]
        table.add_row(row["bot"], f"{row['score']:.2f} ({row['score_low']:.2f} to {row['score_high']:.2f})")
        return table
    table = _table("seat", "bot", "wins", "mean score")
    for row in summary["wins"]:
        table.add_row(str(row["seat"]), row["bot"], _percent(row), f"{row['score']:.2f}")
    return table


def _ending_table(summary: dict[str, Any]) -> Table:
    table = _table("how it ended", "rule", "games", "share")
    for row in sorted(summary["endings"], key=lambda row: -row["games"]):
        if row["games"]:
            style = "green" if row["won"] else ""
            table.add_row(row["text"], row["rule"], f"{row['games']:,}", _percent(row), style=style)
    return table


def luck_table(results: Sequence[SeriesResult], analysed: Sequence[LuckAndSkill]) -> Table:
    """What luck and choices brought each bot, in points of the chance to win, or points of a single player."""
    rows = [(result, found, one) for result, found in zip(results, analysed, strict=False) for one in found.bots]
    shown = [name for name in QUANTITIES if any(_is_shown(one.mean(name), name) for _, _, one in rows)]
    table = _table(*results[0].values, "bot", *shown, *(["loss a decision"] if "losses" in shown else []))
    for result, found, one in rows:
        cells = [_value_text(value) for value in result.values.values()]
        cells += [one.bot, *(_mean_text(one, name, found.unit) for name in shown)]
        if one.loss_of_a_decision is not None:
            cells.append(amount_text(one.loss_of_a_decision, found.unit, places=2))
        table.add_row(*cells)
    return table


def _is_shown(mean: Mean | None, name: str) -> bool:
    """Whether a quantity was measured; the choices of others only where there are others."""
    return mean is not None and (name != "others" or mean.mean != 0)


def _mean_text(one: LuckOfBot, name: str, unit: Unit) -> str:
    mean = one.mean(name)
    if mean is None:
        return ""
    half = "" if math.isinf(mean.high) else f" ±{amount_text(mean.high - mean.mean, unit)}"
    return f"{amount_text(mean.mean, unit, signed=name in CHANGES)}{half}"
