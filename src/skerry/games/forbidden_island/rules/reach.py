"""Where pawns can go. Every answer is a bit set of places."""

from __future__ import annotations

from skerry.engine.bitset import lowest
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.rules.components import ALL_PLACES, AROUND, BESIDE, DIVER, EXPLORER, PILOT
from skerry.games.forbidden_island.rules.state import State


@kernel
def there(state: State) -> int:
    """The tiles that have not sunk."""
    return ALL_PLACES & ~state.sunk


@kernel
def beside(state: State, seat: int) -> int:
    """The places a pawn can step to or shore up, were they tiles: orthogonal, for the Explorer all around."""
    if state.role[seat] == EXPLORER:
        return AROUND[state.layout, state.pawn[seat]]
    return BESIDE[state.layout, state.pawn[seat]]


@kernel
def spread(state: State, places: int, diagonal: bool) -> int:
    """All places beside any of a set."""
    found = 0
    while places:
        place = lowest(places)
        places &= places - 1
        found |= AROUND[state.layout, place] if diagonal else BESIDE[state.layout, place]
    return found


@kernel
def walk(state: State, seat: int) -> int:
    return beside(state, seat) & there(state)


@kernel
def dive(state: State, start: int) -> int:
    """Through any number of flooded or missing places; a dry tile can be entered last, not passed."""
    wet = state.flooded | state.sunk
    seen = 1 << start
    border = seen
    while border:
        found = spread(state, border, False) & ~seen
        seen |= found
        border = found & wet
    return seen & there(state) & ~(1 << start)


@kernel
def moves(state: State, seat: int) -> int:
    """All that one move action can reach, special roles included."""
    role = state.role[seat]
    if role == PILOT and not state.flown:
        return there(state) & ~(1 << state.pawn[seat])
    if role == DIVER:
        return dive(state, state.pawn[seat])
    return walk(state, seat)


@kernel
def navigable(state: State, seat: int) -> int:
    """Where the Navigator can take another's pawn: two steps as that pawn walks.

    Only the Diver's first step may lead through the place of a sunk tile.
    """
    land = there(state)
    first = beside(state, seat)
    if state.role[seat] != DIVER:
        first &= land
    second = spread(state, first, state.role[seat] == EXPLORER)
    return (first | second) & land & ~(1 << state.pawn[seat])


@kernel
def swims(state: State, seat: int) -> int:
    """Where a pawn whose tile has sunk can save itself."""
    land = there(state)
    role = state.role[seat]
    if role == PILOT:
        return land
    if role == DIVER:
        return nearest(state, state.pawn[seat])
    return beside(state, seat) & land


@kernel
def nearest(state: State, start: int) -> int:
    """The tiles reached by the fewest steps over places that hold or held tiles."""
    land = there(state)
    seen = 1 << start
    border = seen
    while border:
        border = spread(state, border, False) & ~seen
        if border & land:
            return border & land
        seen |= border
    return 0
