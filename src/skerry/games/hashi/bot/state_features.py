"""The inputs of the value network (``skerry.botkit.protocols.StateFeaturesModule``). They apply to solo games only.

In a game of several players a paper's points say too little about who wins.
"""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.paper_features import ENTITY_GROUPS, write_paper_features
from skerry.games.hashi.bot.value_policy import VALUE_SPAN, greedy_by_value
from skerry.games.hashi.rules.bridges import bridges_due
from skerry.games.hashi.rules.state import NOWHERE, State

__all__ = ["ENTITY_GROUPS", "ROLLOUT_TURNS", "VALUE_SPAN", "greedy_by_value", "has_value", "write_state_features"]

ROLLOUT_TURNS = 4


@kernel
def has_value(state: State) -> bool:
    """Whether the game is solo."""
    return state.players == 1


@kernel
def write_state_features(state: State, out: Any) -> float:
    """Write the features of a position. As long as nothing is drafted, the current card counts as one to come."""
    if state.turns and state.draft_island[0] == NOWHERE and not state.drafted[0]:
        return write_paper_features(state, out, state.turns - 1, 0)
    return write_paper_features(state, out, state.turns, bridges_due(state, 0) if state.turns else 0)
