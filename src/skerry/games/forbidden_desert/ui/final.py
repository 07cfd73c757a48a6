"""What a line about a finished game says of its end."""

from __future__ import annotations

from skerry.engine.messages import Message, say
from skerry.games.forbidden_desert.rules.state import State


def final(state: State) -> Message:
    return say("storm level {level}", level=int(state.meter) + 1)
