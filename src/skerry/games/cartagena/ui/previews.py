"""Where a move would end, so that a page can show it before it is made: the rules' own answer, asked ahead."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import kernel, kernel_array
from skerry.games.cartagena.rules.components import BOARDING_DRAWS, COLOURS, N_SYMBOLS, PLACES, SEATS, SPACES, SYMBOLS
from skerry.games.cartagena.rules.legal import paired_forward_places
from skerry.games.cartagena.rules.path import (
    backward_places,
    backward_target,
    empty_spaces,
    forward_places,
    forward_target,
    joinable_spaces,
    lowest_place,
    morgan_places,
)
from skerry.games.cartagena.rules.state import HOOK_LAID, HOOK_PARROTS_LAID, State

BACK, MORGAN = N_SYMBOLS, N_SYMBOLS + 1  # rows after those of the symbols; Morgan's has one a colour
ROWS = MORGAN + SEATS


@kernel
def targets(state: State, seat: int, out: NDArray[Any]) -> None:
    """Row by row, where a pirate on each place would land; 0 (nobody moves to the start) if it cannot move so."""
    two = state.phase == HOOK_LAID or state.phase == HOOK_PARROTS_LAID
    for symbol in range(N_SYMBOLS):
        stops = empty_spaces(state, symbol)
        able = paired_forward_places(state, seat, symbol) if two else forward_places(state, seat, stops, 1)
        _land_all(state, able, stops, out, symbol)
    able = backward_places(state, seat)
    while able:
        place = lowest_place(able)
        able &= able - 1
        out[BACK * PLACES + place] = backward_target(state, place)
    for other in range(state.players):
        if other != seat:
            _land_all(state, morgan_places(state, other), joinable_spaces(state), out, MORGAN + other)


@kernel
def _land_all(state: State, able: int, stops: int, out: NDArray[Any], row: int) -> None:
    while able:
        place = lowest_place(able)
        able &= able - 1
        out[row * PLACES + place] = forward_target(state, place, stops)


def reach(state: State, seat: int, slugs: list[str]) -> dict[str, Any]:
    """For each symbol, from where to where; for moves that draw, also how many cards. Places by their slugs."""
    found = np.zeros(ROWS * PLACES, np.int8)
    targets(state, seat, kernel_array(found))
    crowd, lands = state.crowd.tolist(), found.tolist()
    moves = [dict[str, Any]() for _ in range(ROWS)]
    for index in found.nonzero()[0].tolist():
        row, place = divmod(index, PLACES)
        target = lands[index]
        if row < BACK:
            moves[row][slugs[place]] = slugs[target]
        else:  # CA-13, CA-31: as many cards as pirates stand there, two at the end of a half
            moves[row][slugs[place]] = [slugs[target], crowd[target] if target <= SPACES else BOARDING_DRAWS]
    return {
        "cards": dict(zip(SYMBOLS, moves, strict=False)),
        "back": moves[BACK],
        "morgan": {colour: places for colour, places in zip(COLOURS, moves[MORGAN:], strict=True) if places},
    }
