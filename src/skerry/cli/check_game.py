"""``skerry check-game``: the conformance suite with readable verdicts."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from skerry.cli.output import print_json
from skerry.engine.game_check import Coverage, Verdict, check_game, measure_coverage
from skerry.games import find_game


def report_on_game(name: str, json: bool) -> bool:
    """Check a game and print the verdicts. Whether it keeps every guarantee."""
    game = find_game(name)
    verdicts: list[Verdict] = []
    console = Console(highlight=False, soft_wrap=True)
    for verdict in check_game(game):
        verdicts.append(verdict)
        if not json:
            _print_verdict(verdict, console)
    kept = all(verdict.kept for verdict in verdicts)
    coverage = measure_coverage(game) if all(verdict.can_go_on for verdict in verdicts) else None
    if json:
        print_json({"game": game.name, "kept": kept, "checks": [_facts(one) for one in verdicts], **_covered(coverage)})
    elif coverage is not None:
        _print_coverage(coverage, console)
    return kept


def _print_verdict(verdict: Verdict, console: Console) -> None:
    mark = "[green]ok    [/]" if verdict.kept else "[red]broken[/]"
    console.print(f"{mark}  [bold]{verdict.name}[/]  {escape(verdict.promise)}")
    if verdict.kept:
        return
    console.print(f"        {escape(verdict.what)}")
    if verdict.position:
        console.print(f"        in {escape(verdict.position)}; the shortest game that shows it:")
    for line in verdict.record.splitlines():
        console.print(f"            {escape(line)}")


def _print_coverage(coverage: Coverage, console: Console) -> None:
    console.print(f"\nMet in {coverage.games} random games:")
    table = Table.grid(padding=(0, 2))
    for kind, counts in coverage.kinds().items():
        for name, count in counts.items():
            table.add_row(kind, name, f"{count:,}" if count else "[yellow]never[/]")
    console.print(table)


def _facts(verdict: Verdict) -> dict[str, Any]:
    facts = {"check": verdict.name, "promise": verdict.promise, "kept": verdict.kept}
    more = {"what": verdict.what, "position": verdict.position, "record": verdict.record}
    return facts if verdict.kept else {**facts, **more}


def _covered(coverage: Coverage | None) -> dict[str, Any]:
    return {} if coverage is None else {"coverage": {"games": coverage.games, **coverage.kinds()}}
