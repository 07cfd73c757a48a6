"""Excavating a tile, FD-16 and FD-20 to FD-24: wells, gear cards, clues and the places of the parts."""

from __future__ import annotations

from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import events
from skerry.games.forbidden_desert.rules.components import (
    CANTEEN_SIZE,
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
def excavate(state: State, seat: int, log: EventLog) -> None:
    """FD-16: turn over the tile under a pawn and apply what it shows."""
    place = state.pawn[seat]
    tile = state.tile_at[place]
    state.excavated |= 1 << place
    state.known_by[place] = 0  # public now
    emit(log, events.EXCAVATED, seat, place, tile)
    if tile < WELL:
        _find_gear(state, seat, log)
        if tile >= TUNNEL:
            state.tunnels |= 1 << place
    elif tile < MIRAGE:
        gain_water_on_tile(state, place, log)
    elif CLUE <= tile < LAUNCH_PAD:
        _locate_part(state, (tile - CLUE) // 2, log)


@kernel
def _find_gear(state: State, seat: int, log: EventLog) -> None:
    """FD-22: draw the top gear card. The deck never runs out: there is one card for each gear and tunnel."""
    state.gear_left -= 1
    card = state.gear_deck[state.gear_left]
    state.gear[seat, card] += 1
    emit(log, events.FOUND, seat, card, 0)


@kernel
def gain_water(state: State, seat: int, log: EventLog) -> None:
    """Two water, or as much as the canteen holds."""
    water = min(WELL_WATER, CANTEEN_SIZE[state.role[seat]] - state.water[seat])
    state.water[seat] += water
    emit(log, events.REFRESHED, seat, water, 0)


@kernel
def gain_water_on_tile(state: State, place: int, log: EventLog) -> None:
    """FD-20, FD-65: all pawns on a tile gain water."""
    for seat in range(state.players):
        if state.pawn[seat] == place:
            gain_water(state, seat, log)


@kernel
def _locate_part(state: State, part: int, log: EventLog) -> None:
    """FD-23: once both clues are excavated, place the part where their row and column meet now.

    That may be the storm (FD-24).
    """
    row, column = -1, -1
    for place in range(PLACES):
        if state.excavated >> place & 1:
            if state.tile_at[place] == CLUE + 2 * part:
                row = place // SIDE
            elif state.tile_at[place] == CLUE + 2 * part + 1:
                column = place % SIDE
    if row >= 0 and column >= 0:
        state.part_at[part] = row * SIDE + column
        emit(log, events.LOCATED, part, state.part_at[part], 0)
