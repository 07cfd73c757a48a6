"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

from skerry.engine.errors import BadOption
from skerry.engine.messages import say

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game, as listed by `skerry games`.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Set an option of the game. Can be repeated."),
]
Language = Annotated[str, typer.Option(help="Language of the game's texts: `en`, `es` or `pt`.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def read_options(given: list[str] | None) -> dict[str, str]:
    """The dictionary of texts such as ``players=3``."""
    options: dict[str, str] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOption(say("an option is written NAME=VALUE, not {text!r}", text=text))
        options[name.strip()] = value.strip()
    return options
