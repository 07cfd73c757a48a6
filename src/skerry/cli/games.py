"""``skerry games`` and ``skerry rules``."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from skerry.bots import names
from skerry.cli import dump
from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.messages import say
from skerry.engine.rulebook import Figure, Rule, Rulebook, Section, SectionItem, read_rulebook
from skerry.games import all_games, find_game


def list_games(json: bool) -> None:
    if json:
        dump([_facts(game) for game in all_games()])
        return
    console = Console(highlight=False)
    for game in all_games():
        console.print()
        console.print(f"[bold]{game.title}[/]  [cyan]{game.name}[/]")
        low, high = game.seats[0], game.seats[-1]
        together = "together against the game" if game.cooperative else "everyone for themselves"
        console.print(f"{game.summary} {low} to {high} players, {together}, about {game.minutes} minutes.")
        table = Table.grid(padding=(0, 2, 0, 2))
        table.add_column(style="green", no_wrap=True)
        table.add_column()
        for option in game.options:
            table.add_row(
                option.name, f"{option.help}: {option.domain().phrase()} [dim](by default {option.default})[/]"
            )
        table.add_row("[default]bots[/]", ", ".join(names(game)))
        console.print(table)
    console.print()


def _facts(game: Game) -> dict[str, Any]:
    options = [
        {"name": o.name, "help": o.help, "default": o.default, **o.describe(), "takes": o.domain().phrase()}
        for o in game.options
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


def print_rules(name: str, rule: str | None, language: str, json: bool) -> None:
    book = read_rulebook(find_game(name).package, language.lower()[:2])
    if rule is not None:
        book = _only(book, rule.upper())
    if json:
        dump([{"section": section.title, "blocks": [_block(b) for b in section.items]} for section in book.sections])
        return
    console = Console(highlight=False, width=min(100, Console().width))
    for section in book.sections:
        if rule is None:
            console.print()
            console.rule(Text(section.title, "bold"), align="left", style="cyan" if section.level < 3 else "dim")
        for block in section.items:
            if not isinstance(block, Figure):  # a page shows it
                console.print(_drawn(block))


def _only(book: Rulebook, wanted: str) -> Rulebook:
    for section in book.sections:
        for block in section.items:
            if isinstance(block, Rule) and block.id == wanted:
                return Rulebook(book.language, (Section(section.title, section.level, (block,)),))
    known = ", ".join(rule.id for rule in book.rules())
    raise BadOption(say("there is no rule {wanted}; there are {known}", wanted=wanted, known=known))


def _block(block: SectionItem) -> dict[str, str]:
    if isinstance(block, Figure):
        return {"figure": block.name, "text": block.caption}
    return {"rule": block.id, "text": block.text} if isinstance(block, Rule) else {"text": block}


def _drawn(block: Rule | str) -> Any:
    """A rule with its id in the margin, or a paragraph or table beside an empty margin."""
    row = Table.grid(padding=(0, 1))
    row.add_column(width=6, style="cyan")
    row.add_column()
    if isinstance(block, Rule):
        row.add_row(block.id, Markdown(block.text))
    else:
        row.add_row("", Markdown(block))
    return row
