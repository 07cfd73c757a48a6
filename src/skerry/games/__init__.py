"""The registry: the only place that lists the games. To add a game, add its folder here and a line below."""

from __future__ import annotations

import importlib
from typing import cast

from skerry.engine.errors import UnknownGame
from skerry.engine.game import Game
from skerry.engine.messages import say

FOLDERS = {
    "forbidden-island": "forbidden_island",
    "forbidden-desert": "forbidden_desert",
    "cartagena": "cartagena",
    "hashi": "hashi",
}


def find_game(name: str) -> Game:
    """The fact sheet of a game, by its name or its title in upper or lower case."""
    slug = str(name).strip().lower().replace(" ", "-")
    if slug not in FOLDERS:
        raise UnknownGame(say("there is no game {name!r}; there are {known}", name=name, known=", ".join(FOLDERS)))
    module = importlib.import_module(f"{__name__}.{FOLDERS[slug]}")
    return cast(Game, module.GAME)


def all_games() -> list[Game]:
    """The fact sheets of all games."""
    return [find_game(name) for name in FOLDERS]
