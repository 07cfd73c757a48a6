"""Free actions, legal at any time: giving water and gear (FD-18, FD-19) and playing gear (FD-60 to FD-66)."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit, emit_secret
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import actions, events
from skerry.games.forbidden_desert.rules.components import (
    DUNE_BLASTER,
    JET_PACK,
    MAX_WATER,
    SAND_MARKERS,
    SEATS,
    SOLAR_SHIELD,
    TERRASCOPE,
    THROTTLE_ACTIONS,
    TIME_THROTTLE,
    WATER_RESERVE,
)
from skerry.games.forbidden_desert.rules.excavation import gain_water_on_tile
from skerry.games.forbidden_desert.rules.sand import remove_sand
from skerry.games.forbidden_desert.rules.state import State


@kernel
def hand_over(state: State, seat: int, action: int, log: EventLog) -> None:
    """FD-18, FD-19: give water or a gear card to another seat."""
    if action < actions.GIVE:
        other, amount = (action - actions.WATER) // MAX_WATER, (action - actions.WATER) % MAX_WATER + 1
        state.water[seat] -= amount
        state.water[other] += amount
        emit(log, events.GAVE_WATER, seat, amount, other)
    else:
        card, other = (action - actions.GIVE) // SEATS, (action - actions.GIVE) % SEATS
        state.gear[seat, card] -= 1
        state.gear[other, card] += 1
        emit(log, events.GAVE, seat, card, other)


@kernel
def play_gear(state: State, seat: int, action: int, log: EventLog) -> bool:
    """FD-60: play a gear card, which then leaves the game. True if it revealed something: only a Terrascope does."""
    if action < actions.JET:
        _blast(state, seat, action - actions.BLAST, log)
    elif action < actions.JET_WITH:
        _fly(state, seat, action - actions.JET, -1, log)
    elif action < actions.PLAY_SHIELD:
        offset = action - actions.JET_WITH
        _fly(state, seat, offset // SEATS, offset % SEATS, log)
    elif action < actions.SCOPE:
        _shield(state, seat, log)
    elif action < actions.PLAY_RESERVE:
        _scope(state, seat, action - actions.SCOPE, log)
        return True
    elif action < actions.PLAY_THROTTLE:
        _reserve(state, seat, log)
    else:
        _throttle(state, seat, log)
    return False


@kernel
def _blast(state: State, seat: int, place: int, log: EventLog) -> None:
    state.gear[seat, DUNE_BLASTER] -= 1
    emit(log, events.BLASTED, seat, place, remove_sand(state, place, SAND_MARKERS))


@kernel
def _fly(state: State, seat: int, place: int, passenger: int, log: EventLog) -> None:
    state.gear[seat, JET_PACK] -= 1
    state.pawn[seat] = place
    if passenger >= 0:
        state.pawn[passenger] = place
        emit(log, events.FLEW_WITH, seat, place, passenger)
    else:
        emit(log, events.FLEW, seat, place, 0)


@kernel
def _shield(state: State, seat: int, log: EventLog) -> None:
    state.gear[seat, SOLAR_SHIELD] -= 1
    state.shielded |= 1 << seat
    emit(log, events.SHIELDED, seat, 0, 0)


@kernel
def _scope(state: State, seat: int, place: int, log: EventLog) -> None:
    state.gear[seat, TERRASCOPE] -= 1
    state.known_by[place] |= 1 << seat
    emit_secret(log, 1 << seat, events.SCOPED, seat, place, state.tile_at[place], 0)


@kernel
def _reserve(state: State, seat: int, log: EventLog) -> None:
    state.gear[seat, WATER_RESERVE] -= 1
    emit(log, events.OPENED_RESERVE, seat, 0, 0)
    gain_water_on_tile(state, state.pawn[seat], log)


@kernel
def _throttle(state: State, seat: int, log: EventLog) -> None:
    state.gear[seat, TIME_THROTTLE] -= 1
    state.left += THROTTLE_ACTIONS
    emit(log, events.THROTTLED, seat, 0, 0)
