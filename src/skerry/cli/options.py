"""Arguments and options that several commands have."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from skerry.bots.custom import register_place
from skerry.engine.errors import BadOption
from skerry.engine.messages import say

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game, as listed by `skerry games`.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="Set an option of the game. Can be repeated."),
]
Language = Annotated[str, typer.Option(help="Language of the game's texts: `en`, `es` or `pt`.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CustomBots = Annotated[
    list[str] | None,
    typer.Option(
        "--bot",
        metavar="[NAME=]MODULE:FUNCTION",
        help="A bot of yours: a Python function, found from this folder. Its name, by default that of the function, "
        "can be given wherever a bot is named. Can be repeated.",
    ),
]
DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database",
        envvar="SKERRY_DATABASE",
        help="sqlite:///FILE or postgresql://…; by default a file in your data folder.",
    ),
]


def read_options(given: list[str] | None) -> dict[str, str]:
    """The dictionary of texts such as ``players=3``."""
    options: dict[str, str] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOption(say("an option is written NAME=VALUE, not {text!r}", text=text))
        options[name.strip()] = value.strip()
    return options


def register_bots(given: Sequence[str] | None) -> tuple[str, ...]:
    """Register the bots of ``--bot``, whose modules may lie in this folder, and return their names."""
    if not given:
        return ()
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
        others = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (here, others)))  # for child processes
    return tuple(register_place(text) for text in given)
