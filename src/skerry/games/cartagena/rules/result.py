"""How a game ends: the winning move, and the kernel ``result``."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules import events
from skerry.games.cartagena.rules.components import ESCAPE
from skerry.games.cartagena.rules.path import has_won
from skerry.games.cartagena.rules.state import ALL_ABOARD, ALL_HIDDEN, OVER, State


@kernel
def result(state: State, scores: NDArray[Any]) -> int:
    if state.ending:
        for seat in range(state.players):
            scores[seat] = 1 if seat == state.winner else 0
    return state.ending


@kernel
def end_if_won(state: State, seat: int, log: EventLog) -> bool:
    """CA-17: the game ends at the moment the last pirate is there."""
    if not has_won(state, seat):
        return False
    state.ending = ALL_ABOARD if state.story == ESCAPE else ALL_HIDDEN
    state.winner = seat
    state.phase = OVER
    emit(log, events.WON, seat, 0, 0)
    return True
