"""The buttons of gear that say what it brings."""

from __future__ import annotations

from skerry.engine.messages import Message, say
from skerry.games.forbidden_desert.rules.actions import PLAY_RESERVE, PLAY_SHIELD
from skerry.games.forbidden_desert.rules.state import State

LABELS = {
    PLAY_SHIELD: say("Solar Shield: safe from the sun until your next turn"),
    PLAY_RESERVE: say("Secret Water Reserve: 2 water for everybody on your tile"),
}


def label(state: State, seat: int, action: int) -> Message | None:
    """What gear brings that is played without a target."""
    return LABELS.get(action)
