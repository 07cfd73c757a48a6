"""Where pawns can go, and what they can reach. Answers are bit sets of places, or of seats."""

from __future__ import annotations

from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules.components import ALL_PLACES, AROUND, BESIDE, EXPLORER, WATER_CARRIER
from skerry.games.forbidden_desert.rules.state import State


@kernel
def tiles(state: State) -> int:
    """The places where a tile lies: all but the storm."""
    return ALL_PLACES & ~(1 << state.storm)


@kernel
def buried(state: State, seat: int) -> bool:
    """FD-34, FD-52: under two markers or more, unless the Climber is on the tile."""
    place = state.pawn[seat]
    if not state.blocked >> place & 1:
        return False
    return state.climber < 0 or state.pawn[state.climber] != place


@kernel
def beside(state: State, seat: int) -> int:
    """The places a pawn can step to or dig at, were they tiles: orthogonal, for the Explorer all around."""
    if state.role[seat] == EXPLORER:
        return AROUND[state.pawn[seat]]
    return BESIDE[state.pawn[seat]]


@kernel
def in_reach(state: State, seat: int) -> int:
    """The own tile and those beside it: where sand can be removed and blasted."""
    return (beside(state, seat) | 1 << state.pawn[seat]) & tiles(state)


@kernel
def walk(state: State, seat: int) -> int:
    """FD-12 to FD-14, FD-51: one step of a pawn, through a tunnel too."""
    if buried(state, seat):
        return 0
    place = state.pawn[seat]
    found = beside(state, seat) & tiles(state)
    if state.tunnels >> place & 1:
        found |= state.tunnels & ~(1 << place)
    if seat != state.climber:
        found &= ~state.blocked
    return found


@kernel
def clearable(state: State, seat: int) -> int:
    """FD-15, FD-34: tiles with sand in reach; who is buried digs at the own tile only."""
    if buried(state, seat):
        return 1 << state.pawn[seat]
    return in_reach(state, seat) & state.sandy


@kernel
def companions(state: State, seat: int) -> int:
    """The other seats on a pawn's tile."""
    seats = 0
    for other in range(state.players):
        if other != seat and state.pawn[other] == state.pawn[seat]:
            seats |= 1 << other
    return seats


@kernel
def can_water(state: State, seat: int, other: int) -> bool:
    """FD-18, FD-58: on the same tile; the Water Carrier gives to the tiles beside hers too."""
    if seat == other:
        return False
    if state.pawn[seat] == state.pawn[other]:
        return True
    return state.role[seat] == WATER_CARRIER and BESIDE[state.pawn[seat]] >> state.pawn[other] & 1 > 0


@kernel
def landing(state: State, seat: int) -> int:
    """FD-62: any other tile that is not blocked, for the Climber too."""
    return tiles(state) & ~state.blocked & ~(1 << state.pawn[seat])
