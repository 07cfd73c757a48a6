"""How a player alone judges a paper, and goes by it. Against others points say too little: those are not judged."""

from __future__ import annotations

from typing import Any

from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.features import GROUPS, sketch_paper
from skerry.games.hashi.bot.value_policy import SPAN, follow
from skerry.games.hashi.rules.bridges import due
from skerry.games.hashi.rules.state import NOWHERE, State

__all__ = ["AHEAD", "GROUPS", "SPAN", "follow", "judged", "sketch"]

AHEAD = 4  # rounds


@kernel
def judged(state: State) -> bool:
    return state.players == 1


@kernel
def sketch(state: State, out: Any) -> float:
    """Between two rounds the card that is shown counts as one to come."""
    if state.turns and state.draft_island[0] == NOWHERE and not state.drafted[0]:
        return sketch_paper(state, out, state.turns - 1, 0)
    return sketch_paper(state, out, state.turns, due(state, 0) if state.turns else 0)
