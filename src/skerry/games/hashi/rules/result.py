"""How a game ends, and the kernel ``result``."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bitset import popcount
from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.hashi.rules import events
from skerry.games.hashi.rules.scoring import finished_islands, points_of, rank_of
from skerry.games.hashi.rules.state import COUNTED, OVER, RANKED, State


@kernel
def result(state: State, scores: NDArray[Any]) -> int:
    """The ending's number, or 0 while the game runs. At the end, write each seat's points."""
    if state.ending:
        for seat in range(state.players):
            scores[seat] = points_of(state, seat)
    return state.ending


@kernel
def end_game(state: State, log: EventLog) -> None:
    """HA-34, HA-41: end the game after the last round, with a rank for a solo player."""
    state.phase = OVER
    state.ending = RANKED if state.players == 1 else COUNTED
    for seat in range(state.players):
        emit(log, events.COUNTED, seat, popcount(finished_islands(state, seat)), points_of(state, seat))
    if state.players == 1:
        emit(log, events.RANKED, 0, rank_of(points_of(state, 0)), 0)
