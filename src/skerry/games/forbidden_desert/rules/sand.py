"""Sand markers: adding, removing and moving them with their tiles."""

from __future__ import annotations

from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules.components import BLOCKING_SAND
from skerry.games.forbidden_desert.rules.state import State


@kernel
def _update_sand_sets(state: State, place: int) -> None:
    """Update the sets of sandy and blocked places after the markers of a place changed."""
    bit = 1 << place
    state.sandy &= ~bit
    state.blocked &= ~bit
    if state.sand[place]:
        state.sandy |= bit
    if state.sand[place] >= BLOCKING_SAND:
        state.blocked |= bit


@kernel
def add_sand(state: State, place: int) -> None:
    """Put a marker from the supply, which must not be empty, on a place."""
    state.supply -= 1
    state.sand[place] += 1
    _update_sand_sets(state, place)


@kernel
def remove_sand(state: State, place: int, most: int) -> int:
    """Move up to ``most`` markers back to the supply; the number of markers moved."""
    markers = min(most, state.sand[place])
    state.supply += markers
    state.sand[place] -= markers
    _update_sand_sets(state, place)
    return markers


@kernel
def shift_sand(state: State, start: int, end: int) -> None:
    """Move the sand of a place to another, with its tile."""
    state.sand[end] = state.sand[start]
    state.sand[start] = 0
    _update_sand_sets(state, start)
    _update_sand_sets(state, end)
