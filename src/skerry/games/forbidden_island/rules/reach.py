"""Where pawns can move, swim and be guided to. All functions return bit sets of places."""

from __future__ import annotations

from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.rules.components import (
    ADJACENT,
    ADJACENT_OR_DIAGONAL,
    ALL_PLACES,
    DIVER,
    EXPLORER,
    PILOT,
)
from skerry.games.forbidden_island.rules.state import State


@kernel
def tile_places(state: State) -> int:
    """The places whose tiles have not sunk."""
    return ALL_PLACES & ~state.sunk


@kernel
def adjacent(state: State, seat: int) -> int:
    """The places adjacent to a pawn, sunk ones included; for the Explorer also diagonally (FI-13, FI-19)."""
    if state.role[seat] == EXPLORER:
        return ADJACENT_OR_DIAGONAL[state.layout, state.pawn[seat]]
    return ADJACENT[state.layout, state.pawn[seat]]


@kernel
def neighbours_of(state: State, places: int, diagonal: bool) -> int:
    """All places next to any place of a set."""
    found = 0
    while places:
        place = lowest_bit(places)
        places &= places - 1
        found |= ADJACENT_OR_DIAGONAL[state.layout, place] if diagonal else ADJACENT[state.layout, place]
    return found


@kernel
def walk_destinations(state: State, seat: int) -> int:
    """FI-12, FI-13: the tiles one step away."""
    return adjacent(state, seat) & tile_places(state)


@kernel
def dive_destinations(state: State, start: int) -> int:
    """FI-16: the tiles reached through any number of flooded or missing tiles. Dry tiles can be entered, not passed."""
    wet = state.flooded | state.sunk
    seen = 1 << start
    frontier = seen
    while frontier:
        found = neighbours_of(state, frontier, False) & ~seen
        seen |= found
        frontier = found & wet
    return seen & tile_places(state) & ~(1 << start)


@kernel
def move_destinations(state: State, seat: int) -> int:
    """The tiles that a pawn can reach with one move action."""
    role = state.role[seat]
    if role == PILOT and not state.flown:
        return tile_places(state) & ~(1 << state.pawn[seat])
    if role == DIVER:
        return dive_destinations(state, state.pawn[seat])
    return walk_destinations(state, seat)


@kernel
def navigate_destinations(state: State, seat: int) -> int:
    """FI-15: where the Navigator can move another pawn: up to two steps as that pawn walks.

    Only the Diver's first step may lead through the place of a sunk tile.
    """
    land = tile_places(state)
    first = adjacent(state, seat)
    if state.role[seat] != DIVER:
        first &= land
    second = neighbours_of(state, first, state.role[seat] == EXPLORER)
    return (first | second) & land & ~(1 << state.pawn[seat])


@kernel
def swim_destinations(state: State, seat: int) -> int:
    """FI-55, FI-56: where a pawn whose tile has sunk can swim to."""
    land = tile_places(state)
    role = state.role[seat]
    if role == PILOT:
        return land
    if role == DIVER:
        return nearest_tiles(state, state.pawn[seat])
    return adjacent(state, seat) & land


@kernel
def nearest_tiles(state: State, start: int) -> int:
    """The nearest tiles, counted in steps over places that have or had a tile."""
    land = tile_places(state)
    seen = 1 << start
    frontier = seen
    while frontier:
        frontier = neighbours_of(state, frontier, False) & ~seen
        if frontier & land:
            return frontier & land
        seen |= frontier
    return 0
