"""Where a move would end, so that a page can show it before it is made: the rules' own answer, asked ahead."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import kernel, kernel_array
from skerry.games.cartagena.rules.components import ABOARD_DRAWS, COLOURS, N_SYMBOLS, PLACES, SEATS, SPACES, SYMBOLS
from skerry.games.cartagena.rules.legal import movable_pairs
from skerry.games.cartagena.rules.path import backs, empty, helped, land, movers, nearest, retreat, sociable
from skerry.games.cartagena.rules.state import HOOKED, HOOKED_WILD, State

BACK, MORGAN = N_SYMBOLS, N_SYMBOLS + 1  # rows after those of the symbols; Morgan's has one a colour
ROWS = MORGAN + SEATS


@kernel
def targets(state: State, seat: int, out: NDArray[Any]) -> None:
    """Row by row, where a pirate on each place would land; 0 (nobody moves to the start) if it cannot move so."""
    two = state.phase == HOOKED or state.phase == HOOKED_WILD
    for symbol in range(N_SYMBOLS):
        stops = empty(state, symbol)
        able = movable_pairs(state, seat, symbol) if two else movers(state, seat, stops, 1)
        _land_all(state, able, stops, out, symbol)
    able = backs(state, seat)
    while able:
        place = nearest(able)
        able &= able - 1
        out[BACK * PLACES + place] = retreat(state, place)
    for other in range(state.players):
        if other != seat:
            _land_all(state, helped(state, other), sociable(state), out, MORGAN + other)


@kernel
def _land_all(state: State, able: int, stops: int, out: NDArray[Any], row: int) -> None:
    while able:
        place = nearest(able)
        able &= able - 1
        out[row * PLACES + place] = land(state, place, stops)


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
            moves[row][slugs[place]] = [slugs[target], crowd[target] if target <= SPACES else ABOARD_DRAWS]
    return {
        "cards": dict(zip(SYMBOLS, moves, strict=False)),
        "back": moves[BACK],
        "morgan": {colour: places for colour, places in zip(COLOURS, moves[MORGAN:], strict=True) if places},
    }
