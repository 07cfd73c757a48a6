"""The Meteorologist's actions, FD-54 and FD-55: holding off storm cards and looking at the storm deck."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit, emit_secret
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import events
from skerry.games.forbidden_desert.rules.state import ACTIONS, FORECAST, State
from skerry.games.forbidden_desert.rules.storm import storm_cards_per_turn


@kernel
def hold_off(state: State, seat: int, log: EventLog) -> None:
    """FD-54: one storm card fewer this turn."""
    state.saved += 1
    emit(log, events.CALMED, seat, state.saved, 0)


@kernel
def cards_in_sight(state: State) -> int:
    """FD-55: how many cards a forecast shows: as many as the meter says, or as are left."""
    return min(storm_cards_per_turn(state), state.storm_left)


@kernel
def look_ahead(state: State, seat: int, log: EventLog) -> None:
    """FD-55: show the next storm cards to the Meteorologist, who then must decide about them."""
    cards = cards_in_sight(state)
    state.phase = FORECAST
    emit(log, events.LOOKED_AHEAD, seat, cards, 0)
    for number in range(1, cards + 1):
        position = state.storm_left - number
        state.foreseen |= 1 << position
        emit_secret(log, 1 << seat, events.FORESAW, seat, number, state.storm_deck[position], 0)


@kernel
def put_at_bottom(state: State, seat: int, number: int, log: EventLog) -> None:
    """Move the card with this number, counted from the top, to the bottom. Cards below it move up by one position."""
    position = state.storm_left - number
    card = state.storm_deck[position]
    for i in range(position, 0, -1):
        state.storm_deck[i] = state.storm_deck[i - 1]
    state.storm_deck[0] = card
    below = state.foreseen & (1 << position) - 1
    above = state.foreseen >> position + 1 << position + 1
    state.foreseen = above | below << 1 | 1
    state.phase = ACTIONS
    emit(log, events.PUT_UNDER, seat, number, 0)


@kernel
def keep_order(state: State, seat: int, log: EventLog) -> None:
    """Leave the storm cards in their order."""
    state.phase = ACTIONS
    emit(log, events.KEPT, seat, 0, 0)
