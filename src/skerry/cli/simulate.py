"""``skerry simulate``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.table import Table

from skerry.cli import dump
from skerry.cli.output import Study
from skerry.cli.progress import Played, a_second, play_all, say_how_to_go_on, write_csv, write_report
from skerry.engine.errors import BadOption
from skerry.engine.game import Game, Variant, read_seed
from skerry.engine.messages import say
from skerry.games import find_game
from skerry.lab.series import Series
from skerry.lab.summary import csv_row, series_summary, sweep_summaries
from skerry.lab.sweep import Configuration, SeriesResult, configurations

PLAYERS = "players"
LONG = ("lost by", "how it ended", "wins by seat")  # columns that give way on a narrow screen
MANY, FEW = 100_000, 100  # games, if nobody says how many; few where a bot searches


def simulate_games(name: str, games: int | None, seats: str | None, study: Study) -> None:
    studied = read_cells(name, games, seats, study)
    title = find_game(name).title + (f", {len(studied)} variants" if len(studied) > 1 else "")
    played = play_all(title, [cell.series for cell in studied], study)
    outcomes = [
        SeriesResult(cell, total) for cell, total in zip(studied, played.run.tallies, strict=True) if total.games
    ]
    if outcomes:
        tell(outcomes, played, study)
    if not played.complete:
        say_how_to_go_on(played, study)


def read_cells(name: str, games: int | None, seats: str | None, study: Study) -> list[Configuration]:
    seed, many = read_seed(study.seed), games or MANY
    if not study.vary:
        variant, bots = read_seats(name, seats, study.options, "random")
        found = [Configuration({}, Series(variant, bots, many, seed, study.limit))]
    else:
        base, bots = read_base(find_game(name), seats, study.options, study.vary)
        found = list(configurations(base, study.vary, bots or ("random",), many, seed, study.limit))
    return found if games else [_in_reason(cell) for cell in found]


def _in_reason(cell: Configuration) -> Configuration:
    """Nobody has asked for so many games that a bot which searches would play for days."""
    return replace(cell, series=replace(cell.series, games=FEW)) if cell.series.uses_search else cell


def read_base(
    game: Game, seats: str | None, options: Mapping[str, str], vary: Mapping[str, str]
) -> tuple[Variant, tuple[str, ...]]:
    """What is not varied."""
    for name in vary:
        if name in options:
            raise BadOption(f"{name} is both in --option and in --sweep")
    if seats and "bots" in vary:
        raise BadOption("bots are both in --seats and in --sweep")
    bots = read_names(seats)
    if len(bots) > 1 and PLAYERS not in options and PLAYERS not in vary:
        options = {**options, PLAYERS: str(len(bots))}
    variant = game.configure(options)
    if len(bots) > 1 and PLAYERS not in vary and len(bots) != variant.players:
        raise BadOption(say("{given} bots for {wanted} seats", given=len(bots), wanted=variant.players))
    return variant, bots


def read_names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",")) if text else ()


def read_seats(name: str, seats: str | None, options: dict[str, str], default: str) -> tuple[Variant, tuple[str, ...]]:
    """Who sits where; several names make so many players, unless the option says otherwise, and one is for all."""
    names = read_names(seats)
    if len(names) > 1 and PLAYERS not in options:
        options = {**options, PLAYERS: str(len(names))}
    variant = find_game(name).configure(options)
    if len(names) == 1:
        names *= variant.players
    return variant, names or (default,) * variant.players


def tell(outcomes: Sequence[SeriesResult], played: Played, study: Study) -> None:
    if study.json and study.vary:
        game, names = outcomes[0].series.variant.game, list(study.vary)
        dump(
            {"game": game.name, "title": game.title, "sweep": names, **played.took, "cells": sweep_summaries(outcomes)}
        )
    elif study.json:
        dump(series_summary(outcomes[0].series, outcomes[0].tally) | played.took)
    elif study.csv:
        write_csv([csv_row(outcome) for outcome in outcomes])
    elif study.vary:
        show_sweep(outcomes, played.took, Console(highlight=False))
    else:
        show(series_summary(outcomes[0].series, outcomes[0].tally) | played.took, Console(highlight=False))
    if study.report:
        from skerry.lab.report import simulation_report

        write_report(study.report, simulation_report(outcomes, command()))


def command() -> str:
    """What was typed, so that a report says how to make it again."""
    import shlex

    return shlex.join(["skerry", *sys.argv[1:]])


# For a terminal


def show(report: dict[str, Any], console: Console) -> None:
    options = ", ".join(f"{name} {value}" for name, value in report["options"].items())
    console.print(f"\n[bold]{report['title']}[/]: {options}")
    console.print(f"{rate_line(report['games'], report['actions'], report)}, seed {report['seed']}\n")
    if report["cooperative"]:
        console.print(f"Won together by {', '.join(report['seats'])}: {percent(report['wins'][0])}\n")
    else:
        console.print(_seat_table(report))
    console.print(_ending_table(report))
    turns = report["turns"]
    console.print(
        f"\nTurns: mean {turns['mean']:.2f} ({turns['low']:.2f} to {turns['high']:.2f}), "
        f"median {turns['median']}, nine in ten up to {turns['p90']}, longest {turns['longest']}"
    )
    console.print("[dim]In brackets: 95 % confidence intervals.[/]")


def rate_line(games: int, actions: int, took: Mapping[str, Any]) -> str:
    text = f"{games:,} games, {actions:,} actions"
    if not took["played"]:
        return f"{text}, all kept from before"
    now = "" if took["played"] == games else f", {took['played']:,} games of these"
    return f"{text}{now} in {took['seconds']:.1f} s ({a_second(took['played'] / max(took['seconds'], 1e-3))})"


def show_sweep(outcomes: Sequence[SeriesResult], took: Mapping[str, Any], console: Console) -> None:
    rows = sweep_summaries(outcomes)
    fixed = {name: value for name, value in rows[0]["options"].items() if name not in rows[0]["values"]}
    if len({_bots(row) for row in rows}) == 1:
        fixed["bots"] = _bots(rows[0])
    console.print(f"\n[bold]{rows[0]['title']}[/]: {', '.join(f'{name} {value}' for name, value in fixed.items())}")
    games, actions = (sum(row[name] for row in rows) for name in ("games", "actions"))
    console.print(f"{rate_line(games, actions, took)}, seed {rows[0]['seed']}\n")
    console.print(_sweep_table(rows))
    console.print("\n[dim]In brackets, or after ±: 95 % confidence intervals.[/]")


def _sweep_table(rows: Sequence[dict[str, Any]]) -> Table:
    """A line a variant; who plays is said where that differs."""
    differ = len({_bots(row) for row in rows}) > 1 and "bots" not in rows[0]["values"]
    table = _table(*rows[0]["values"], *(["bots"] if differ else []), *_heads(rows), "turns")
    for row in rows:
        cells = [*(_value(value) for value in row["values"].values()), *([_bots(row)] if differ else [])]
        table.add_row(*cells, *_results(row), f"{row['turns']['mean']:.1f}")
    return table


def _bots(row: Mapping[str, Any]) -> str:
    return ", ".join(dict.fromkeys(row["seats"]))


def _value(value: Any) -> str:
    return str(value).replace(",", " + ")


def _heads(rows: Sequence[dict[str, Any]]) -> list[str]:
    if rows[0]["cooperative"]:
        return ["won", "", "lost by"]
    solo = all(len(row["seats"]) == 1 for row in rows)
    return ["mean score"] if solo else ["wins by seat"]


def _results(row: dict[str, Any]) -> list[str]:
    if row["cooperative"]:
        lost = max((ending for ending in row["endings"] if not ending["won"]), key=lambda ending: ending["games"])
        reason = f"{lost['ending']} {100 * lost['share']:.0f} %" if lost["games"] else ""
        return [percent(row["wins"][0], 1), bar(row["wins"][0]["share"]), reason]
    if len(row["seats"]) == 1:
        seat = row["wins"][0]
        return [f"{seat['score']:.2f} ({seat['score_low']:.2f} to {seat['score_high']:.2f})"]
    return ["   ".join(f"{seat['bot']} {100 * seat['share']:.1f} ±{_half(seat):.1f} %" for seat in row["wins"])]


def _half(row: Mapping[str, Any]) -> float:
    """Of a confidence interval, in per cent."""
    return 50 * float(row["high"] - row["low"])


def bar(share: float, width: int = 6) -> str:
    """A share as a bar of eighths."""
    eighths = round(share * width * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + ("▏▎▍▌▋▊▉"[rest - 1] if rest else "")).ljust(width)


def percent(row: Mapping[str, Any], places: int = 2) -> str:
    share, low, high = (f"{100 * row[name]:.{places}f}" for name in ("share", "low", "high"))
    return f"{share} % ({low} to {high})"


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in columns:
        right = column in ("games", "turns")
        table.add_column(column, header_style="dim", justify="right" if right else "left", no_wrap=column not in LONG)
    return table


def _seat_table(report: dict[str, Any]) -> Table:
    table = _table("seat", "bot", "wins", "mean score")
    for row in report["wins"]:
        table.add_row(str(row["seat"]), row["bot"], percent(row), f"{row['score']:.2f}")
    return table


def _ending_table(report: dict[str, Any]) -> Table:
    table = _table("how it ended", "rule", "games", "share")
    for row in sorted(report["endings"], key=lambda row: -row["games"]):
        if row["games"]:
            style = "green" if row["won"] else ""
            table.add_row(row["text"], row["rule"], f"{row['games']:,}", percent(row), style=style)
    return table
