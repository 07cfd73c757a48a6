"""Where pawns can move and what they can reach, as bit sets of places or of seats."""

from __future__ import annotations

from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules.components import (
    ADJACENT,
    ADJACENT_OR_DIAGONAL,
    ALL_PLACES,
    EXPLORER,
    WATER_CARRIER,
)
from skerry.games.forbidden_desert.rules.state import State


@kernel
def tile_places(state: State) -> int:
    """The places with a tile: all but the storm."""
    return ALL_PLACES & ~(1 << state.storm)


@kernel
def is_buried(state: State, seat: int) -> bool:
    """FD-34, FD-52: whether a pawn is on a blocked tile without the Climber."""
    place = state.pawn[seat]
    if not state.blocked >> place & 1:
        return False
    return state.climber < 0 or state.pawn[state.climber] != place


@kernel
def adjacent(state: State, seat: int) -> int:
    """The places adjacent to a pawn, the storm included; for the Explorer also diagonally (FD-53)."""
    if state.role[seat] == EXPLORER:
        return ADJACENT_OR_DIAGONAL[state.pawn[seat]]
    return ADJACENT[state.pawn[seat]]


@kernel
def places_in_reach(state: State, seat: int) -> int:
    """FD-15, FD-61: the pawn's own tile and the adjacent ones, where it can remove sand."""
    return (adjacent(state, seat) | 1 << state.pawn[seat]) & tile_places(state)


@kernel
def walk_destinations(state: State, seat: int) -> int:
    """FD-12 to FD-14, FD-51: the tiles one step away, also through a tunnel."""
    if is_buried(state, seat):
        return 0
    place = state.pawn[seat]
    found = adjacent(state, seat) & tile_places(state)
    if state.tunnels >> place & 1:
        found |= state.tunnels & ~(1 << place)
    if seat != state.climber:
        found &= ~state.blocked
    return found


@kernel
def clearable(state: State, seat: int) -> int:
    """FD-15, FD-34: the tiles from which a pawn can remove sand; if it is buried, only its own."""
    if is_buried(state, seat):
        return 1 << state.pawn[seat]
    return places_in_reach(state, seat) & state.sandy


@kernel
def seats_on_same_tile(state: State, seat: int) -> int:
    """The other seats on a pawn's tile."""
    seats = 0
    for other in range(state.players):
        if other != seat and state.pawn[other] == state.pawn[seat]:
            seats |= 1 << other
    return seats


@kernel
def can_give_water(state: State, seat: int, other: int) -> bool:
    """FD-18, FD-58: whether a seat can give water to another: on its tile; the Water Carrier also to adjacent tiles."""
    if seat == other:
        return False
    if state.pawn[seat] == state.pawn[other]:
        return True
    return state.role[seat] == WATER_CARRIER and ADJACENT[state.pawn[seat]] >> state.pawn[other] & 1 > 0


@kernel
def jet_destinations(state: State, seat: int) -> int:
    """FD-62: where a Jet Pack can land: on any other tile that is not blocked. The Climber is no exception."""
    return tile_places(state) & ~state.blocked & ~(1 << state.pawn[seat])
