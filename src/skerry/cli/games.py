"""``skerry games``."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from skerry.bots import names
from skerry.cli.output import print_json
from skerry.engine.game import Game
from skerry.games import all_games, broken_games


def list_games(json: bool) -> None:
    if json:
        print_json([_facts(game) for game in all_games()])
        return
    console = Console(highlight=False)
    for game in all_games():
        _print_game(game, console)
    for broken in broken_games():
        console.print(f"\n[red]cannot be loaded:[/] {broken}", highlight=False)
    console.print()


def _print_game(game: Game, console: Console) -> None:
    console.print()
    console.print(f"[bold]{game.title}[/]  [cyan]{game.name}[/]")
    low, high = game.seats[0], game.seats[-1]
    sides = "cooperative" if game.cooperative else "everyone for themselves"
    players = f"{low} to {high}" if low < high else str(low)
    minutes = f", about {game.minutes} minutes" if game.minutes else ""
    console.print(f"{game.summary} {players} players, {sides}{minutes}.")
    table = Table.grid(padding=(0, 2, 0, 2))
    table.add_column(style="green", no_wrap=True)
    table.add_column()
    for option in game.options:
        values = f"{option.help}: {option.domain().phrase()}"
        table.add_row(option.name, f"{values} [dim](default: {option.default})[/]")
    table.add_row("[default]bots[/]", ", ".join(names(game)))
    console.print(table)


def _facts(game: Game) -> dict[str, Any]:
    options = [
        {
            "name": option.name,
            "help": option.help,
            "default": option.default,
            **option.describe(),
            "takes": option.domain().phrase(),
        }
        for option in game.options
    ]
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "players": list(game.seats),
        "minutes": game.minutes,
        "cooperative": game.cooperative,
        "rules_version": game.version,
        "options": options,
        "bots": list(names(game)),
        "actions": game.actions.size,
        "state_bytes": game.state_size,
        "observation": [{"block": block.name, "what": block.text, "numbers": block.size} for block in game.observation],
    }
