"""How a game ends: the final step of every ending, and the result as scores."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.rules.state import ESCAPED, OVER, State


@kernel
def finish(state: State, ending: int, log: EventLog, event: int, detail: int) -> None:
    """FI-66: end the game at once, with the ending's event."""
    state.ending = ending
    state.phase = OVER
    emit(log, event, detail, 0, 0)


@kernel
def result(state: State, scores: NDArray[Any]) -> int:
    """The number of the ending, 0 while the game runs. All seats win or lose together."""
    if state.ending:
        for seat in range(state.players):
            scores[seat] = 1 if state.ending == ESCAPED else 0
    return state.ending
