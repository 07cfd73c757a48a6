"""What helps people to set up a match: ready-made choices of options, what each choice brings, how hard it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from skerry.engine.game_package import find_file
from skerry.engine.messages import Msgid

if TYPE_CHECKING:
    from skerry.engine.game import Game

WIN_RATES = "bot/win_rates.json"


@dataclass(frozen=True)
class Preset:
    """A ready-made choice of options, offered by name."""

    name: str  # words of a-z joined by hyphens
    title: Msgid
    summary: Msgid  # what it brings, in one sentence
    options: Mapping[str, Any] = field(default_factory=dict)  # those that differ from their defaults


@dataclass(frozen=True)
class WinRates:
    """How many per cent of their games a bot wins at every seat of a cooperative game: what makes it easy or hard."""

    bot: str
    option: str  # the option by which they differ
    rates: Mapping[int, Mapping[str, float]]  # by number of players, then by value of the option

    def of(self, option: str, value: str) -> dict[int, float]:
        """The rates of a value of an option, by number of players."""
        if option != self.option:
            return {}
        return {players: by_value[value] for players, by_value in self.rates.items() if value in by_value}


def read_win_rates(game: Game) -> WinRates | None:
    """The measured win rates of a game; None if it has none. Those of a game that it varies are not its own."""
    file = find_file((game.package,), WIN_RATES)
    if file is None:
        return None
    stored = json.loads(file.read_text(encoding="utf-8"))
    rates = {int(players): by_value for players, by_value in stored["rates"].items()}
    return WinRates(stored["bot"], stored["option"], rates)
