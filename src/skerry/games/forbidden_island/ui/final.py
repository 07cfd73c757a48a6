"""What a line about a finished game says of its end."""

from __future__ import annotations

from skerry.engine.messages import Message, say
from skerry.games.forbidden_island.rules.state import State


def final(state: State) -> Message:
    return say("water level {level}", level=int(state.water) + 1)
