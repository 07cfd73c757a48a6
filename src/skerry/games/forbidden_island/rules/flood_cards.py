"""Flood cards: tiles flood and sink, pawns fall into the water, and the game may be lost by it."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.engine.rng import shuffle
from skerry.games.forbidden_island.rules import events
from skerry.games.forbidden_island.rules.components import ACTIONS_A_TURN, FOOLS_LANDING, N_TREASURES
from skerry.games.forbidden_island.rules.legal import lift_holders
from skerry.games.forbidden_island.rules.reach import swim_destinations
from skerry.games.forbidden_island.rules.result import finish
from skerry.games.forbidden_island.rules.state import (
    ACTIONS,
    DROWNED,
    FLOODING,
    LANDING_LOST,
    TREASURE_LOST,
    State,
)


@kernel
def draw_flood(state: State, log: EventLog) -> None:
    """FI-50 to FI-52: draw one flood card; its tile floods, or sinks if it was flooded."""
    state.left -= 1
    state.flood_left -= 1
    state.layers &= (1 << state.flood_left) - 1
    tile = state.flood_deck[state.flood_left]
    place = state.place_of[tile]
    if state.flooded >> place & 1:
        _sink_tile(state, tile, place, log)
    else:
        state.flooded |= 1 << place
        state.flood_discard[state.flood_shown] = tile
        state.flood_shown += 1
        emit(log, events.FLOODED, place, 0, 0)
    if not state.ending:
        if not state.flood_left:
            _renew_flood_deck(state, log)
        _next_turn_if_done(state, log)


@kernel
def _renew_flood_deck(state: State, log: EventLog) -> None:
    """FI-53: shuffle the flood discard into a new deck."""
    for i in range(state.flood_shown):
        state.flood_deck[i] = state.flood_discard[i]
    state.flood_left = state.flood_shown
    state.flood_shown = 0
    state.layers = 0
    shuffle(state, state.flood_deck, 0, state.flood_left)
    emit(log, events.FLOOD_RENEWED, 0, 0, 0)


@kernel
def _sink_tile(state: State, tile: int, place: int, log: EventLog) -> None:
    """FI-52, FI-57: remove a tile and its card from the game. Losing the game by it comes before pawns swim."""
    state.flooded &= ~(1 << place)
    state.sunk |= 1 << place
    emit(log, events.SANK, place, 0, 0)
    if tile == FOOLS_LANDING:
        finish(state, LANDING_LOST, log, events.LANDING_LOST, 0)
        return
    treasure = tile // 2
    if treasure < N_TREASURES and state.captor[treasure] < 0 and state.sunk >> state.place_of[tile ^ 1] & 1:
        finish(state, TREASURE_LOST, log, events.TREASURE_LOST, treasure)
        return
    for seat in range(state.players):
        if state.pawn[seat] == place:
            state.swimming |= 1 << seat
            if not swim_destinations(state, seat):
                state.stranded |= 1 << seat
    _check_drowned(state, log)


@kernel
def _check_drowned(state: State, log: EventLog) -> None:
    """FI-63: the game is lost if a pawn is stranded and nobody holds a Helicopter Lift."""
    if state.stranded and not lift_holders(state):
        finish(state, DROWNED, log, events.DROWNED, state.stranded - 1)


@kernel
def leave_water(state: State, pawns: int, log: EventLog) -> None:
    """Pawns (a bit set) are out of the water again: they swam or were lifted out."""
    state.swimming &= ~pawns
    state.stranded &= ~pawns
    _check_drowned(state, log)
    if not state.ending:
        _next_turn_if_done(state, log)


@kernel
def _next_turn_if_done(state: State, log: EventLog) -> None:
    """Begin the next turn after the last flood card, once nobody is in the water."""
    if state.phase == FLOODING and not state.left and not state.swimming:
        state.turn = (state.turn + 1) % state.players
        state.turns += 1
        state.phase = ACTIONS
        state.left = ACTIONS_A_TURN
        state.flown = 0
        emit(log, events.TURN, state.turn, 0, 0)
