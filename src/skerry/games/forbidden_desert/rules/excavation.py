"""Excavating: what lies under the sand, and where the parts are."""

from __future__ import annotations

from skerry.engine.event_log import Log, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import events as what
from skerry.games.forbidden_desert.rules.components import (
    CANTEEN,
    CLUE,
    LAUNCH_PAD,
    MIRAGE,
    PLACES,
    SIDE,
    TUNNEL,
    WELL,
    WELL_WATER,
)
from skerry.games.forbidden_desert.rules.state import State


@kernel
def excavate(state: State, seat: int, log: Log) -> None:
    place = state.pawn[seat]
    tile = state.tile_at[place]
    state.excavated |= 1 << place
    state.known_by[place] = 0  # everybody knows it now
    emit(log, what.EXCAVATED, seat, place, tile)
    if tile < WELL:
        _find_gear(state, seat, log)
        if tile >= TUNNEL:
            state.tunnels |= 1 << place
    elif tile < MIRAGE:
        refresh_all(state, place, log)
    elif CLUE <= tile < LAUNCH_PAD:
        _locate(state, (tile - CLUE) // 2, log)


@kernel
def _find_gear(state: State, seat: int, log: Log) -> None:
    """There are as many gear cards as gears under the sand."""
    state.gear_left -= 1
    card = state.gear_deck[state.gear_left]
    state.gear[seat, card] += 1
    emit(log, what.FOUND, seat, card, 0)


@kernel
def refresh(state: State, seat: int, log: Log) -> None:
    """Two water, or as much as the canteen takes."""
    water = min(WELL_WATER, CANTEEN[state.role[seat]] - state.water[seat])
    state.water[seat] += water
    emit(log, what.REFRESHED, seat, water, 0)


@kernel
def refresh_all(state: State, place: int, log: Log) -> None:
    for seat in range(state.players):
        if state.pawn[seat] == place:
            refresh(state, seat, log)


@kernel
def _locate(state: State, part: int, log: Log) -> None:
    """FD-23: once both clues are excavated, where they lie now; it may be the storm (FD-24)."""
    row, column = -1, -1
    for place in range(PLACES):
        if state.excavated >> place & 1:
            if state.tile_at[place] == CLUE + 2 * part:
                row = place // SIDE
            elif state.tile_at[place] == CLUE + 2 * part + 1:
                column = place % SIDE
    if row >= 0 and column >= 0:
        state.part_at[part] = row * SIDE + column
        emit(log, what.LOCATED, part, state.part_at[part], 0)
