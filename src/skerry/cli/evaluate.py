"""``skerry evaluate``."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from skerry.cli.output import print_json, status_console
from skerry.cli.simulate import made_with_line
from skerry.engine.errors import BadOption, Refusal
from skerry.envs.evaluation import GameRow, Summary, evaluate, play_recorded, summary_of, text_of
from skerry.envs.tasks import TASKS, Task, find_task
from skerry.lab.series import Series, provenance


def list_tasks(json: bool) -> None:
    if json:
        print_json([{"id": task.id, "text": task.text, **task.arguments} for task in TASKS])
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("task", "what is played", "seats", "reward"):
        table.add_column(column)
    for task in TASKS:
        table.add_row(task.id, task.text, ",".join(task.seats), task.reward)
    Console(highlight=False).print(table)


def evaluate_bots(
    name: str, bots: Sequence[str], against: str, games: int, rows: Path | None, cores: int, json: bool
) -> None:
    task = find_task(name)
    played = {bot: _play(task, bot, games, cores) for bot in dict.fromkeys((*bots, *([against] if against else [])))}
    summaries = [
        summary_of(task, found, played.get(against) if bot != against else None) for bot, found in played.items()
    ]
    if rows is not None:
        write_rows(rows, [row for found in played.values() for row in found])
    made = provenance(Series(task.config.variant, ("random",) * len(task.seats), 1))
    if json:
        print_json({"task": task.id, **made, "against": against, "bots": [asdict(summary) for summary in summaries]})
    else:
        console = Console(highlight=False)
        console.print(f"\n[bold]{task.id}[/]: {task.text}\n{made_with_line(made)}\n")
        console.print(summary_table(summaries, against))
        console.print(
            "\n[dim]In brackets: 95 % confidence intervals. The difference is of rewards in the same games.[/]"
        )


def _play(task: Task, bot: str, games: int, cores: int) -> list[GameRow]:
    found: list[GameRow] = []
    with Progress(console=status_console(), transient=True) as progress:
        bar = progress.add_task(f"{task.id}: {bot}", total=games)
        for row in evaluate(task, bot, games, threads=cores):
            found.append(row)
            progress.advance(bar)
    return sorted(found, key=lambda row: row.game)


def summary_table(summaries: Sequence[Summary], against: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for column in ("bot", "games", "reward", "won, %", f"difference from {against}" if against else ""):
        table.add_column(column)
    for one in sorted(summaries, key=lambda summary: -summary.reward.value):
        won = text_of(one.won, 1, 100) if one.won else "–"
        difference = text_of(one.difference, 3) if one.difference else ""
        table.add_row(one.bot, f"{one.games:,}", text_of(one.reward, 3), won, difference)
    return table


def write_rows(path: Path, rows: Sequence[GameRow]) -> None:
    """A row for each game, as CSV or Parquet."""
    data: list[dict[str, Any]] = [row.as_dict() for row in rows]
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(data[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(data)
    elif path.suffix == ".parquet":
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise Refusal("Parquet needs another package: pip install pyarrow") from None
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(data), path)
    else:
        raise BadOption(f"--rows: FILE.csv or FILE.parquet, not {path}")


def print_record(name: str, bots: Sequence[str], number: int) -> None:
    """The record of one evaluation game of the first bot."""
    print(play_recorded(find_task(name), bots[0], number).record(), end="")
