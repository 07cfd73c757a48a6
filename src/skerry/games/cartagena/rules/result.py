"""How a game ends, and the kernel ``result``."""

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
    """The ending's number, or 0 while the game runs. At the end, write 1 for the winner and 0 for the others."""
    if state.ending:
        for seat in range(state.players):
            scores[seat] = 1 if seat == state.winner else 0
    return state.ending


@kernel
def end_if_won(state: State, seat: int, log: EventLog) -> bool:
    """CA-17: end the game if the last pirate of a seat has reached the goal; returns whether it has."""
    if not has_won(state, seat):
        return False
    state.ending = ALL_ABOARD if state.story == ESCAPE else ALL_HIDDEN
    state.winner = seat
    state.phase = OVER
    emit(log, events.WON, seat, 0, 0)
    return True
