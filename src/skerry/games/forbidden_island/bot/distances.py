"""Distances in moves, kept as notes behind the state features."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.feature_blocks import MAX_DISTANCE, PAWN_DISTANCES
from skerry.games.forbidden_island.rules.components import DIVER, EXPLORER, PILOT, TILES
from skerry.games.forbidden_island.rules.reach import dive_destinations, neighbours_of, tile_places
from skerry.games.forbidden_island.rules.state import State


@kernel
def note_pawn_distances(state: State, seat: int, out: Any) -> None:
    """Note how many moves it is from a pawn to each place."""
    base = PAWN_DISTANCES + seat * TILES
    for place in range(TILES):
        out[base + place] = MAX_DISTANCE
    out[base + state.pawn[seat]] = 0
    tiles, role = tile_places(state), state.role[seat]
    if role == PILOT:
        others = tiles & ~(1 << state.pawn[seat])
        flight = 1 + (state.flown if seat == state.turn else 0)
        while others:
            out[base + lowest_bit(others)] = flight
            others &= others - 1
    reached = frontier = 1 << state.pawn[seat]
    for moves in range(1, MAX_DISTANCE):
        if not frontier:
            break
        found = 0
        if role == DIVER:
            while frontier:
                found |= dive_destinations(state, lowest_bit(frontier))
                frontier &= frontier - 1
        else:
            found = neighbours_of(state, frontier, role == EXPLORER) & tiles
        frontier = found & ~reached
        reached |= found
        found = frontier
        while found:
            place = lowest_bit(found)
            found &= found - 1
            out[base + place] = min(out[base + place], moves)


@kernel
def pawn_distance(out: Any, seat: int, place: int) -> float:
    """The noted distance from a pawn to a place."""
    distance: float = out[PAWN_DISTANCES + seat * TILES + place]
    return distance


@kernel
def treasure_distance(state: State, out: Any, seat: int, treasure: int) -> float:
    """The distance from a pawn to the nearer tile of a treasure that has not sunk."""
    first, second = state.place_of[2 * treasure], state.place_of[2 * treasure + 1]
    distance = MAX_DISTANCE + 0.0
    if not state.sunk >> first & 1:
        distance = pawn_distance(out, seat, first)
    if not state.sunk >> second & 1:
        distance = min(distance, pawn_distance(out, seat, second))
    return distance


@kernel
def turns_until(state: State, seat: int) -> int:
    """The number of turns until a seat's turn, 0 for the seat whose turn it is."""
    return (seat - state.turn) % state.players
