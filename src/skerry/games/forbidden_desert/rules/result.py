"""FD-70, FD-71: how it ends, at the moment it does."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.event_log import Log, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import events as what
from skerry.games.forbidden_desert.rules.components import ALL_PARTS, LAUNCH_PAD
from skerry.games.forbidden_desert.rules.state import ESCAPED, OVER, State


@kernel
def finish(state: State, ending: int, log: Log, event: int, detail: int) -> None:
    state.ending = ending
    state.phase = OVER
    emit(log, event, detail, 0, 0)


@kernel
def ready_for_takeoff(state: State) -> bool:
    place = state.pawn[0]
    if state.taken != ALL_PARTS or state.tile_at[place] != LAUNCH_PAD:
        return False
    for seat in range(state.players):
        if state.pawn[seat] != place:
            return False
    return state.excavated >> place & 1 > 0 and not state.blocked >> place & 1


@kernel
def take_off(state: State, log: Log) -> None:
    """Whoever's step it was, in whatever phase."""
    if not state.ending and ready_for_takeoff(state):
        finish(state, ESCAPED, log, what.WON, 0)


@kernel
def result(state: State, scores: NDArray[Any]) -> int:
    if state.ending:
        for seat in range(state.players):
            scores[seat] = 1 if state.ending == ESCAPED else 0
    return state.ending
