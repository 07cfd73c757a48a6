"""Flood cards: flooding, sinking, pawns in the water, and the losses that come of it."""

from __future__ import annotations

from skerry.engine.event_log import Log, emit
from skerry.engine.kernel import kernel
from skerry.engine.rng import shuffle
from skerry.games.forbidden_island.rules import events as what
from skerry.games.forbidden_island.rules.components import ACTIONS_A_TURN, FOOLS_LANDING, N_TREASURES
from skerry.games.forbidden_island.rules.legal import lift_holders
from skerry.games.forbidden_island.rules.reach import swims
from skerry.games.forbidden_island.rules.state import (
    ACTIONS,
    DROWNED,
    FLOODING,
    LANDING_LOST,
    OVER,
    TREASURE_LOST,
    State,
)


@kernel
def finish(state: State, ending: int, log: Log, event: int, detail: int) -> None:
    """FI-66: the game ends at the moment it happens."""
    state.ending = ending
    state.phase = OVER
    emit(log, event, detail, 0, 0)


@kernel
def draw_flood(state: State, log: Log) -> None:
    state.left -= 1
    state.flood_left -= 1
    state.layers &= (1 << state.flood_left) - 1
    tile = state.flood_deck[state.flood_left]
    place = state.place_of[tile]
    if state.flooded >> place & 1:
        _sink(state, tile, place, log)
    else:
        state.flooded |= 1 << place
        state.flood_discard[state.flood_shown] = tile
        state.flood_shown += 1
        emit(log, what.FLOODED, place, 0, 0)
    if not state.ending:
        if not state.flood_left:
            _renew_flood_deck(state, log)
        _go_on(state, log)


@kernel
def _renew_flood_deck(state: State, log: Log) -> None:
    for i in range(state.flood_shown):
        state.flood_deck[i] = state.flood_discard[i]
    state.flood_left = state.flood_shown
    state.flood_shown = 0
    state.layers = 0
    shuffle(state, state.flood_deck, 0, state.flood_left)
    emit(log, what.FLOOD_RENEWED, 0, 0, 0)


@kernel
def _sink(state: State, tile: int, place: int, log: Log) -> None:
    """FI-52, FI-57: the card leaves the game with its tile; first what is lost, then who is in the water."""
    state.flooded &= ~(1 << place)
    state.sunk |= 1 << place
    emit(log, what.SANK, place, 0, 0)
    if tile == FOOLS_LANDING:
        finish(state, LANDING_LOST, log, what.LANDING_LOST, 0)
        return
    treasure = tile // 2
    if treasure < N_TREASURES and state.captor[treasure] < 0 and state.sunk >> state.place_of[tile ^ 1] & 1:
        finish(state, TREASURE_LOST, log, what.TREASURE_LOST, treasure)
        return
    for seat in range(state.players):
        if state.pawn[seat] == place:
            state.swimming |= 1 << seat
            if not swims(state, seat):
                state.stranded |= 1 << seat
    _drown(state, log)


@kernel
def _drown(state: State, log: Log) -> None:
    """FI-63: a stranded pawn and no Helicopter Lift in any hand."""
    if state.stranded and not lift_holders(state):
        finish(state, DROWNED, log, what.DROWNED, state.stranded - 1)


@kernel
def leave_water(state: State, pawns: int, log: Log) -> None:
    """Pawns of a bit set have swum or were lifted out."""
    state.swimming &= ~pawns
    state.stranded &= ~pawns
    _drown(state, log)
    if not state.ending:
        _go_on(state, log)


@kernel
def _go_on(state: State, log: Log) -> None:
    """The next turn begins after the last flood card, once nobody is in the water."""
    if state.phase == FLOODING and not state.left and not state.swimming:
        state.turn = (state.turn + 1) % state.players
        state.turns += 1
        state.phase = ACTIONS
        state.left = ACTIONS_A_TURN
        state.flown = 0
        emit(log, what.TURN, state.turn, 0, 0)
