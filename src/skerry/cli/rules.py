"""``skerry rules``."""

from __future__ import annotations

from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from skerry.cli.output import print_json
from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.messages import say
from skerry.engine.rulebook import Figure, Rule, Rulebook, Section, SectionItem, read_rulebook
from skerry.games import find_game

MAX_WIDTH = 100  # longer lines are hard to read


def print_rules(name: str, rule: str | None, language: str, json: bool) -> None:
    game = find_game(name)
    book = read_rulebook(game, language.lower()[:2])
    if rule is not None:
        book = _select_rule(book, rule.upper())
    if json:
        sections = [
            {"section": section.title, "blocks": [_as_data(item) for item in section.items]}
            for section in book.sections
        ]
        print_json(sections)
        return
    console = Console(highlight=False, width=min(MAX_WIDTH, Console().width))
    if not book.sections:
        _print_actions(game, console)
    for section in book.sections:
        if rule is None:
            console.print()
            console.rule(Text(section.title, "bold"), align="left", style="cyan" if section.level < 3 else "dim")
        for item in section.items:
            if not isinstance(item, Figure):  # figures are for the browser
                console.print(_with_margin(item))


def _print_actions(game: Game, console: Console) -> None:
    """What stands for the rulebook of a game that has none: its summary, and what can be done."""
    console.print(f"[bold]{game.title}[/]: {game.summary}")
    for verb in game.actions.verbs:
        console.print(Text.assemble("  ", (verb.usage(), "cyan"), f"  {verb.help}"))


def _select_rule(book: Rulebook, wanted: str) -> Rulebook:
    """A rulebook with one rule only, in its section."""
    for section in book.sections:
        for item in section.items:
            if isinstance(item, Rule) and item.id == wanted:
                return Rulebook(book.language, (Section(section.title, section.level, (item,)),))
    known = ", ".join(rule.id for rule in book.rules())
    raise BadOption(say("there is no rule {wanted}; there are {known}", wanted=wanted, known=known))


def _as_data(item: SectionItem) -> dict[str, str]:
    if isinstance(item, Figure):
        return {"figure": item.name, "text": item.caption}
    return {"rule": item.id, "text": item.text} if isinstance(item, Rule) else {"text": item}


def _with_margin(item: Rule | str) -> Table:
    """A rule with its id in the margin, or another paragraph beside an empty margin."""
    row = Table.grid(padding=(0, 1))
    row.add_column(width=6, style="cyan")
    row.add_column()
    if isinstance(item, Rule):
        row.add_row(item.id, Markdown(item.text))
    else:
        row.add_row("", Markdown(item))
    return row
