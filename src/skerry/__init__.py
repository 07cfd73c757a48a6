"""Skerry: digital tables for board games.

game = skerry.game("forbidden-island", players=4, difficulty="elite")
match = game.new(seed=7)
match.play(match.waiting[0], match.legal(match.waiting[0])[0])
"""

from __future__ import annotations

import datetime
from typing import Any

from skerry.engine.errors import (
    BadOption,
    BadRecord,
    Illegal,
    NotYourTurn,
    NoUndo,
    Refusal,
    UnknownGame,
    UnknownSeat,
    Unreadable,
)
from skerry.engine.events import Event
from skerry.engine.game import Game, Variant
from skerry.engine.game_record import read_record
from skerry.engine.match import Match, Result
from skerry.engine.notation import Action
from skerry.games import all_games, find_game, register

__version__ = "0.2.0"
__all__ = [
    "Action",
    "BadOption",
    "BadRecord",
    "Event",
    "Game",
    "Illegal",
    "Match",
    "NoUndo",
    "NotYourTurn",
    "Refusal",
    "Result",
    "UnknownGame",
    "UnknownSeat",
    "Unreadable",
    "Variant",
    "all_games",
    "daily",
    "game",
    "register",
    "replay",
]


def game(name: str, /, **options: Any) -> Variant:
    """A game with chosen options. Options that are not given have their defaults."""
    return find_game(name).configure(options)


def replay(record: str) -> Match:
    """The match of a game record, at its last step."""
    return read_record(record, find_game)


def daily(date: datetime.date | str | None = None, game: str | None = None) -> Match:
    """The puzzle of a day (today in UTC by default), the same for everybody. ``game`` is the name of a game; by default
    it is the first that has a puzzle of the day."""
    found = next(one for one in all_games() if one.daily_text) if game is None else find_game(game)
    return found.daily_match(date)
