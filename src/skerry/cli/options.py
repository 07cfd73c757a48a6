"""What several commands ask for."""

from __future__ import annotations

from typing import Annotated

import typer

from skerry.engine.errors import BadOption
from skerry.engine.messages import say

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name, as `skerry games` lists it.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="Choose an option of the game; can be given several times."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def read_pairs(given: list[str] | None) -> dict[str, str]:
    """``["players=3"]`` as a dictionary."""
    pairs: dict[str, str] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOption(say("an option is written NAME=VALUE, not {text!r}", text=text))
        pairs[name.strip()] = value.strip()
    return pairs
