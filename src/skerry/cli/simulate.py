"""``skerry simulate``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from skerry.cli import dump
from skerry.engine.game import Variant, read_seed
from skerry.engine.refusal import Refusal
from skerry.games import find
from skerry.lab.simulate import Series, Tally, empty, judge, play, stream
from skerry.lab.statistics import mean_interval, quantile, wilson

GPU_CHUNK = 1_000_000


def simulate_games(
    name: str,
    games: int,
    seats: str | None,
    options: dict[str, str],
    seed: int,
    limit: int,
    cores: int | None,
    cuda: bool,
    json: bool,
) -> None:
    variant, bots = read_seats(name, seats, options, "random")
    series = Series(variant, bots, games, read_seed(seed), limit)
    total = empty(series)
    play(series, 0, 1)  # what has to be compiled is compiled before the clock starts
    start = time.perf_counter()
    try:
        for tally in _shown(series, _on_gpu(series) if cuda else stream(series, cores), quiet=json):
            total += tally
    except KeyboardInterrupt:
        if not total.games:
            raise SystemExit(130) from None
    seconds = time.perf_counter() - start
    report = summary(series, total, seconds)
    if json:
        dump(report)
    else:
        show(report, Console(highlight=False))
    if total.games < games:
        Console(stderr=True).print(f"[yellow]Stopped after {total.games:,} of {games:,} games.[/]")
        raise SystemExit(130)


def read_seats(name: str, seats: str | None, options: dict[str, str], default: str) -> tuple[Variant, tuple[str, ...]]:
    """Who sits where; so many names make so many players, unless the option says otherwise."""
    names = tuple(seat.strip() for seat in seats.split(",")) if seats else ()
    if names and "players" not in options:
        options = {**options, "players": str(len(names))}
    variant = find(name).configure(options)
    if len(names) == 1:
        names *= variant.players
    return variant, names or (default,) * variant.players


def _on_gpu(series: Series) -> Iterator[Tally]:
    try:
        from skerry.lab import cuda

        for first in range(0, series.games, GPU_CHUNK):
            count = min(GPU_CHUNK, series.games - first)
            yield judge(series, *cuda.play(series, first, count))
    except Exception as error:  # numba-cuda raises what it likes where there is no GPU
        reason = " ".join(str(error).split())[:200]
        raise Refusal(f"no GPU can be used here (it needs an NVIDIA GPU and the extra cuda): {reason}") from None


def _shown(series: Series, tallies: Iterator[Tally], quiet: bool) -> Iterator[Tally]:
    """The tallies, with a progress bar that says the rate."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=quiet) as progress:
        task = progress.add_task(series.variant.game.title, total=series.games, rate="")
        start = time.perf_counter()
        for tally in tallies:
            done = progress.tasks[0].completed + tally.games
            rate = f"{done / (time.perf_counter() - start):,.0f} games/s"
            progress.update(task, advance=tally.games, rate=rate)
            yield tally


def summary(series: Series, total: Tally, seconds: float) -> dict[str, Any]:
    """All that is known of a series, as data."""
    game, games = series.variant.game, total.games
    endings = [("unfinished", "the limit of steps was reached", "", False)]
    endings += [(ending.name, ending.text, ending.rule, ending.won) for ending in game.endings]
    turns, low, high = mean_interval(total.turns)
    return {
        "game": game.name,
        "title": game.title,
        "options": series.variant.options,
        "seats": list(series.seats),
        "seed": series.seed,
        "games": games,
        "requested": series.games,
        "actions": total.steps,
        "seconds": round(seconds, 3),
        "wins": [
            {
                "seat": seat,
                "bot": bot,
                **_share(float(total.wins[seat]), games),
                "score": float(total.scores[seat] / games),
            }
            for seat, bot in enumerate(series.seats)
        ],
        "cooperative": game.cooperative,
        "endings": [
            {"ending": name, "text": text, "rule": rule, "won": won, "games": int(count), **_share(float(count), games)}
            for (name, text, rule, won), count in zip(endings, total.endings, strict=True)
        ],
        "turns": {
            "mean": turns,
            "low": low,
            "high": high,
            "median": quantile(total.turns, 0.5),
            "p90": quantile(total.turns, 0.9),
            "longest": max(total.turns),
        },
    }


def _share(hits: float, games: int) -> dict[str, float]:
    low, high = wilson(hits, games)
    return {"share": hits / games, "low": low, "high": high}


def show(report: dict[str, Any], console: Console) -> None:
    options = ", ".join(f"{name} {value}" for name, value in report["options"].items())
    rate = report["games"] / report["seconds"]
    console.print(f"\n[bold]{report['title']}[/]: {options}")
    console.print(
        f"{report['games']:,} games, {report['actions']:,} actions in {report['seconds']:.1f} s ({rate:,.0f} games/s), "
        f"seed {report['seed']}\n"
    )
    if report["cooperative"]:
        console.print(f"Won together by {', '.join(report['seats'])}: {_percent(report['wins'][0])}\n")
    else:
        console.print(_seat_table(report))
    console.print(_ending_table(report))
    turns = report["turns"]
    console.print(
        f"\nTurns: mean {turns['mean']:.2f} ({turns['low']:.2f} to {turns['high']:.2f}), "
        f"median {turns['median']}, nine in ten up to {turns['p90']}, longest {turns['longest']}"
    )
    console.print("[dim]In brackets: 95 % confidence intervals.[/]")


def _percent(row: dict[str, Any]) -> str:
    return f"{100 * row['share']:.2f} % ({100 * row['low']:.2f} to {100 * row['high']:.2f})"


def _seat_table(report: dict[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("seat", "bot", "wins", "mean score"):
        table.add_column(column, header_style="dim")
    for row in report["wins"]:
        table.add_row(str(row["seat"]), row["bot"], _percent(row), f"{row['score']:.2f}")
    return table


def _ending_table(report: dict[str, Any]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column in ("how it ended", "rule", "games", "share"):
        table.add_column(column, header_style="dim", justify="right" if column == "games" else "left")
    for row in sorted(report["endings"], key=lambda row: -row["games"]):
        if row["games"]:
            style = "green" if row["won"] else ""
            table.add_row(row["text"], row["rule"], f"{row['games']:,}", _percent(row), style=style)
    return table
