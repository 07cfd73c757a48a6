"""FD-54, FD-55: the Meteorologist's two ways with the storm deck."""

from __future__ import annotations

from skerry.engine.event_log import Log, emit, secret
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import events as what
from skerry.games.forbidden_desert.rules.state import ACTIONS, FORECAST, State
from skerry.games.forbidden_desert.rules.storm import storm_cards


@kernel
def calm(state: State, seat: int, log: Log) -> None:
    state.saved += 1
    emit(log, what.CALMED, seat, state.saved, 0)


@kernel
def cards_in_sight(state: State) -> int:
    """As many as the meter says, or as are left."""
    return min(storm_cards(state), state.storm_left)


@kernel
def look_ahead(state: State, seat: int, log: Log) -> None:
    cards = cards_in_sight(state)
    state.phase = FORECAST
    emit(log, what.LOOKED_AHEAD, seat, cards, 0)
    for number in range(1, cards + 1):
        position = state.storm_left - number
        state.foreseen |= 1 << position
        secret(log, 1 << seat, what.FORESAW, seat, number, state.storm_deck[position], 0)


@kernel
def put_under(state: State, seat: int, number: int, log: Log) -> None:
    """The card of this number from the top goes to the bottom, and those below it move up by one."""
    position = state.storm_left - number
    card = state.storm_deck[position]
    for i in range(position, 0, -1):
        state.storm_deck[i] = state.storm_deck[i - 1]
    state.storm_deck[0] = card
    below = state.foreseen & (1 << position) - 1
    above = state.foreseen >> position + 1 << position + 1
    state.foreseen = above | below << 1 | 1
    state.phase = ACTIONS
    emit(log, what.PUT_UNDER, seat, number, 0)


@kernel
def keep(state: State, seat: int, log: Log) -> None:
    state.phase = ACTIONS
    emit(log, what.KEPT, seat, 0, 0)
