"""The kernels ``waiting`` and ``legal``: the seats that must act, and the legal actions of a seat."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bitset import append_sparse, lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import actions
from skerry.games.forbidden_desert.rules.components import (
    ALL_PARTS,
    ARCHEOLOGIST,
    CANTEEN_SIZE,
    CLIMBER,
    DUNE_BLASTER,
    JET_PACK,
    MAX_WATER,
    METEOROLOGIST,
    MIRAGE,
    N_GEARS,
    N_PARTS,
    NAVIGATOR,
    PLACES,
    SEATS,
    SOLAR_SHIELD,
    TERRASCOPE,
    TIME_THROTTLE,
    WATER_CARRIER,
    WATER_RESERVE,
    WELL,
)
from skerry.games.forbidden_desert.rules.forecast import cards_in_sight
from skerry.games.forbidden_desert.rules.reach import (
    can_give_water,
    clearable,
    is_buried,
    jet_destinations,
    places_in_reach,
    seats_on_same_tile,
    tile_places,
    walk_destinations,
)
from skerry.games.forbidden_desert.rules.state import ACTIONS, FORECAST, OVER, STORM, State
from skerry.games.forbidden_desert.rules.storm import storm_cards_per_turn


@kernel
def waiting(state: State) -> int:
    """The seats that the game waits for, as a bit set. Others may still take free actions."""
    return 0 if state.phase == OVER else 1 << state.turn


@kernel
def legal(state: State, seat: int, out: NDArray[Any]) -> int:
    """Write the ids of the legal actions of a seat, ascending; their number.

    The helpers below append to ``out`` from index ``n`` on and return the new length.
    """
    if state.phase == OVER or seat >= state.players:
        return 0
    if state.phase == FORECAST:
        return _forecast_actions(state, out) if seat == state.turn else 0
    n = 0
    if seat == state.turn:
        if state.phase == STORM:
            out[0] = actions.DRAW
            n = 1
        else:
            n = _turn_actions(state, seat, out)
    return _free_actions(state, seat, out, n)


@kernel
def _forecast_actions(state: State, out: NDArray[Any]) -> int:
    out[0] = actions.KEEP
    return append_sparse((1 << cards_in_sight(state)) - 1, actions.BOTTOM, out, 1)


@kernel
def _turn_actions(state: State, seat: int, out: NDArray[Any]) -> int:
    out[0] = actions.END
    n = 1
    if state.left:
        n = append_sparse(walk_destinations(state, seat), actions.MOVE, out, n)
        if state.role[seat] == CLIMBER:
            n = _carry_actions(state, out, n)
    if state.role[seat] == NAVIGATOR:
        n = _guide_actions(state, seat, out, n)
    if state.left:
        n = _clear_actions(state, seat, out, n)
        if not is_buried(state, seat):
            n = _excavate_or_take(state, seat, out, n)
            n = _role_actions(state, seat, out, n)
    return n


@kernel
def _carry_actions(state: State, out: NDArray[Any], n: int) -> int:
    """FD-51: the Climber's steps with each pawn on his tile."""
    passengers = seats_on_same_tile(state, state.climber)
    if passengers:
        places = walk_destinations(state, state.climber)
        for passenger in range(state.players):
            if passengers >> passenger & 1:
                n = append_sparse(places, actions.CARRY + passenger * PLACES, out, n)
    return n


@kernel
def can_guide(state: State, seat: int, other: int) -> bool:
    """FD-56: whether the Navigator can guide a pawn: with a new action, or as a further step of a guided move.

    A further step is legal even if the Navigator has been buried meanwhile.
    """
    if other == seat or other < 0:
        return False
    if state.guided == other:
        return True
    return state.left > 0 and not is_buried(state, seat)


@kernel
def _guide_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    if can_guide(state, seat, state.climber):
        n = _carry_actions(state, out, n)
    for other in range(state.players):
        if can_guide(state, seat, other):
            n = append_sparse(walk_destinations(state, other), actions.GUIDE + other * PLACES, out, n)
    return n


@kernel
def _clear_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    places = clearable(state, seat)
    n = append_sparse(places, actions.CLEAR, out, n)
    if state.role[seat] == ARCHEOLOGIST:
        n = append_sparse(places & state.blocked, actions.CLEAR_TWO, out, n)
    return n


@kernel
def _excavate_or_take(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    place = state.pawn[seat]
    if not state.excavated >> place & 1:
        if not state.sand[place]:
            out[n] = actions.EXCAVATE
            n += 1
    elif not state.blocked >> place & 1 and state.taken != ALL_PARTS:
        for part in range(N_PARTS):
            if state.part_at[part] == place:
                out[n] = actions.TAKE + part
                n += 1
    return n


@kernel
def is_on_well(state: State, seat: int) -> bool:
    """FD-57: whether a pawn is on an excavated well."""
    place = state.pawn[seat]
    return state.excavated >> place & 1 > 0 and WELL <= state.tile_at[place] < MIRAGE


@kernel
def _role_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    if state.role[seat] == METEOROLOGIST:
        if state.saved < storm_cards_per_turn(state):
            out[n] = actions.HOLD_OFF
            n += 1
        out[n] = actions.LOOK_AHEAD
        n += 1
    elif state.role[seat] == WATER_CARRIER and is_on_well(state, seat):
        out[n] = actions.FILL
        n += 1
    return n


@kernel
def _free_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    if state.water[seat]:
        n = _water_actions(state, seat, out, n)
    held = 0
    for card in range(N_GEARS):
        if state.gear[seat, card]:
            held |= 1 << card
    if held:
        n = _give_actions(state, seat, held, out, n)
        n = _gear_actions(state, seat, held, out, n)
    return n


@kernel
def max_water_to_give(state: State, seat: int, other: int) -> int:
    """FD-18: the most water that a seat can give: what it has, and what the other canteen holds."""
    return min(state.water[seat], CANTEEN_SIZE[state.role[other]] - state.water[other])


@kernel
def _water_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    for other in range(state.players):
        if can_give_water(state, seat, other):
            for amount in range(max_water_to_give(state, seat, other)):
                out[n] = actions.WATER + other * MAX_WATER + amount
                n += 1
    return n


@kernel
def _give_actions(state: State, seat: int, held: int, out: NDArray[Any], n: int) -> int:
    near = seats_on_same_tile(state, seat)
    if near:
        for card in range(N_GEARS):
            if held >> card & 1:
                n = append_sparse(near, actions.GIVE + card * SEATS, out, n)
    return n


@kernel
def _gear_actions(state: State, seat: int, held: int, out: NDArray[Any], n: int) -> int:
    if held >> DUNE_BLASTER & 1:
        n = append_sparse(places_in_reach(state, seat), actions.BLAST, out, n)
    if held >> JET_PACK & 1:
        n = _jet_actions(state, seat, out, n)
    if held >> SOLAR_SHIELD & 1:
        out[n] = actions.PLAY_SHIELD
        n += 1
    if held >> TERRASCOPE & 1:
        n = append_sparse(tile_places(state) & ~state.excavated, actions.SCOPE, out, n)
    if held >> WATER_RESERVE & 1:
        out[n] = actions.PLAY_RESERVE
        n += 1
    if held >> TIME_THROTTLE & 1 and seat == state.turn and state.phase == ACTIONS:
        out[n] = actions.PLAY_THROTTLE
        n += 1
    return n


@kernel
def _jet_actions(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    places = jet_destinations(state, seat)
    n = append_sparse(places, actions.JET, out, n)
    passengers = seats_on_same_tile(state, seat)
    if passengers:
        while places:
            n = append_sparse(passengers, actions.JET_WITH + lowest_bit(places) * SEATS, out, n)
            places &= places - 1
    return n
