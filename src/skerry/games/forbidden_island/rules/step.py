"""The kernel ``step``: applies a legal action to the state, with one function per verb."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.rules import actions, events
from skerry.games.forbidden_island.rules.components import (
    HELICOPTER,
    PILOT,
    SANDBAGS,
    SEATS,
    SET_SIZE,
    TILES,
    TREASURE_DRAWS,
)
from skerry.games.forbidden_island.rules.flood_cards import draw_flood, leave_water
from skerry.games.forbidden_island.rules.reach import walk_destinations
from skerry.games.forbidden_island.rules.result import finish
from skerry.games.forbidden_island.rules.state import DRAWING, ESCAPED, State
from skerry.games.forbidden_island.rules.treasure_cards import discard_from_hand, draw_treasure, give


@kernel
def step(state: State, seat: int, action: int, log: EventLog) -> bool:
    """Apply an action. True if it revealed something hidden.

    The branches follow the order of the action ids, as compiled code has no table of functions.
    """
    if action < actions.MOVE:
        return _advance_turn(state, action, log)
    if action < actions.SWIM:
        _spend_action(state, seat, action, log)
    elif action < actions.DISCARD:
        _swim(state, seat, action - actions.SWIM, log)
    elif action < actions.PLAY_SANDBAGS:
        discard_from_hand(state, seat, action - actions.DISCARD)
        emit(log, events.DISCARDED, seat, action - actions.DISCARD, 0)
    elif action < actions.LIFT:
        _sandbags(state, seat, action - actions.PLAY_SANDBAGS, log)
    elif action < actions.LIFT_OFF:
        offset = action - actions.LIFT
        _helicopter_lift(state, seat, offset // TILES + 1, offset % TILES, log)
    else:
        discard_from_hand(state, seat, HELICOPTER)
        finish(state, ESCAPED, log, events.WON, seat)
    return False


@kernel
def _advance_turn(state: State, action: int, log: EventLog) -> bool:
    """End the actions or draw a card. Only draws reveal something hidden."""
    if action == actions.END:
        state.phase = DRAWING
        state.left = TREASURE_DRAWS
        return False
    if action == actions.DRAW:
        draw_treasure(state, log)
    else:
        draw_flood(state, log)
    return True


@kernel
def _spend_action(state: State, seat: int, action: int, log: EventLog) -> None:
    state.left -= 1
    if action < actions.NAVIGATE:
        _move(state, seat, action - actions.MOVE, log)
    elif action < actions.SHORE:
        other, place = (action - actions.NAVIGATE) // TILES, (action - actions.NAVIGATE) % TILES
        state.pawn[other] = place
        emit(log, events.NAVIGATED, seat, other, place)
    elif action < actions.SHORE_TWO:
        _shore_up(state, seat, action - actions.SHORE, log)
    elif action < actions.GIVE:
        _shore_up(state, seat, actions.PAIRS[action - actions.SHORE_TWO, 0], log)
        _shore_up(state, seat, actions.PAIRS[action - actions.SHORE_TWO, 1], log)
    elif action < actions.CAPTURE:
        give(state, seat, (action - actions.GIVE) // SEATS, (action - actions.GIVE) % SEATS, log)
    else:
        _capture(state, seat, action - actions.CAPTURE, log)


@kernel
def _move(state: State, seat: int, place: int, log: EventLog) -> None:
    """FI-12, FI-14: move a pawn. The Pilot walks where he can, and so keeps his flight."""
    flies = state.role[seat] == PILOT and not walk_destinations(state, seat) >> place & 1
    if flies:
        state.flown = 1
    state.pawn[seat] = place
    emit(log, events.FLEW if flies else events.MOVED, seat, place, 0)


@kernel
def _shore_up(state: State, seat: int, place: int, log: EventLog) -> None:
    state.flooded &= ~(1 << place)
    emit(log, events.SHORED, seat, place, 0)


@kernel
def _capture(state: State, seat: int, treasure: int, log: EventLog) -> None:
    state.hands[seat, treasure] -= SET_SIZE
    state.treasure_discard[treasure] += SET_SIZE
    state.captor[treasure] = seat
    emit(log, events.CAPTURED, seat, treasure, 0)


@kernel
def _sandbags(state: State, seat: int, place: int, log: EventLog) -> None:
    discard_from_hand(state, seat, SANDBAGS)
    state.flooded &= ~(1 << place)
    emit(log, events.BAGGED, seat, place, 0)


@kernel
def _swim(state: State, seat: int, place: int, log: EventLog) -> None:
    state.pawn[seat] = place
    emit(log, events.FLEW if state.role[seat] == PILOT else events.SWAM, seat, place, 0)
    leave_water(state, 1 << seat, log)


@kernel
def _helicopter_lift(state: State, seat: int, pawns: int, place: int, log: EventLog) -> None:
    discard_from_hand(state, seat, HELICOPTER)
    for pawn in range(state.players):
        if pawns >> pawn & 1:
            state.pawn[pawn] = place
    emit(log, events.LIFTED, seat, pawns - 1, place)
    if state.swimming:
        leave_water(state, pawns, log)
