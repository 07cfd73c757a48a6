"""How a player alone judges a paper, and goes by it. Against others points say too little: those are not judged."""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.features import ENTITY_GROUPS, sketch_paper
from skerry.games.hashi.bot.value_policy import VALUE_SPAN, greedy_by_value
from skerry.games.hashi.rules.bridges import bridges_due
from skerry.games.hashi.rules.state import NOWHERE, State

__all__ = ["ENTITY_GROUPS", "ROLLOUT_TURNS", "VALUE_SPAN", "greedy_by_value", "has_value", "write_state_features"]

ROLLOUT_TURNS = 4


@kernel
def has_value(state: State) -> bool:
    return state.players == 1


@kernel
def write_state_features(state: State, out: Any) -> float:
    """Between two rounds the card that is shown counts as one to come."""
    if state.turns and state.draft_island[0] == NOWHERE and not state.drafted[0]:
        return sketch_paper(state, out, state.turns - 1, 0)
    return sketch_paper(state, out, state.turns, bridges_due(state, 0) if state.turns else 0)
