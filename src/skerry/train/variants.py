"""The variants of a game that are compared: one for each number of players and each value of some options."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from skerry.engine.game import Game
from skerry.engine.options import Choice, Number

Cell = dict[str, str]
VARIED = ("difficulty", "players")  # where a game has them


def values_of(game: Game, name: str) -> list[str]:
    """All values an option can have."""
    for option in game.options:
        if option.name == name and isinstance(option, Choice):
            return list(option.choices)
        if option.name == name and isinstance(option, Number):
            return [str(number) for number in range(option.low, option.high + 1)]
    return []


def cells(game: Game, given: list[str]) -> Iterator[Cell]:
    """Every combination of the varied options' values."""
    varied = {name: values_of(game, name) for name in VARIED if values_of(game, name)}
    for text in given:
        name, _, values = text.partition("=")
        varied[name] = values.split(",") if values else values_of(game, name)
    for combination in itertools.product(*varied.values()):
        yield dict(zip(varied, combination, strict=True))
