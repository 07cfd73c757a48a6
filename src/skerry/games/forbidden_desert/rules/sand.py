"""Sand on the tiles: putting it down, taking it away."""

from __future__ import annotations

from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules.components import BLOCKING
from skerry.games.forbidden_desert.rules.state import State


@kernel
def _note(state: State, place: int) -> None:
    """Keep the sets of places in step with the markers."""
    bit = 1 << place
    state.sandy &= ~bit
    state.blocked &= ~bit
    if state.sand[place]:
        state.sandy |= bit
    if state.sand[place] >= BLOCKING:
        state.blocked |= bit


@kernel
def add_sand(state: State, place: int) -> None:
    """One marker from the supply, which must not be empty."""
    state.supply -= 1
    state.sand[place] += 1
    _note(state, place)


@kernel
def remove_sand(state: State, place: int, most: int) -> int:
    """Up to so many markers back to the supply; how many there were."""
    markers = min(most, state.sand[place])
    state.supply += markers
    state.sand[place] -= markers
    _note(state, place)
    return markers


@kernel
def shift_sand(state: State, start: int, end: int) -> None:
    """The sand travels with its tile."""
    state.sand[end] = state.sand[start]
    state.sand[start] = 0
    _note(state, start)
    _note(state, end)
