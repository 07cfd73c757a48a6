"""Results as the store keeps them. How a match ended is stored, so that a later version of the rules does not judge it
anew."""

from __future__ import annotations

import json
from typing import Any

from skerry.engine.game import Ending, Game
from skerry.engine.match import Result
from skerry.engine.messages import Message, say
from skerry.engine.upgrades import UpgradePath

CLOSED = "rules-changed"  # the ending of a match that cannot go on since its rules have changed


def closed_message(path: UpgradePath) -> Message:
    """Why a match of earlier rules cannot go on."""
    return say(
        "this match cannot be played to its end: its rules have changed since it began. {changes}", changes=path.changes
    )


def encode_result(result: Result) -> str:
    """The value of the column ``result``."""
    return json.dumps({"winners": result.winners, "scores": result.scores, "won": result.ending.won})


def stored_result(game: Game, header: Any) -> Result | None:
    """The result in a row of the table ``matches``, or None if it has none (yet)."""
    if header.ended is None or header.result is None:
        return None
    stored = json.loads(header.result)
    return Result(tuple(stored["scores"]), tuple(stored["winners"]), _ending(game, header.ended, stored["won"]))


def _ending(game: Game, name: str, won: bool) -> Ending:
    """An ending by its name; one that the rules no longer have is told without details."""
    earlier = Ending(name, "The game is over", game.options_rule, won)
    return next((ending for ending in game.endings if ending.name == name), earlier)
