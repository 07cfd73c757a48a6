"""Previews of moves, computed by the rules: where each would end, for the page to show before it is made."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.memo import memoize_recent
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
from skerry.games.cartagena.rules.state import ACTING, HOOK_LAID, HOOK_PARROTS_LAID, PARROTS_LAID, State

BACK_ROW, FIRST_MORGAN_ROW = (
    N_SYMBOLS,
    N_SYMBOLS + 1,
)  # rows after those of the symbols; one for each colour
ROWS = FIRST_MORGAN_ROW + SEATS
CARD_PHASES = {PARROTS_LAID, HOOK_LAID, HOOK_PARROTS_LAID}  # a card that was begun is played; nothing else can be done


@memoize_recent
def targets(state: State) -> list[int]:
    """For whose turn it is, a row for each kind of move, with the target of a pirate on each place, or 0."""
    found = np.zeros(ROWS * PLACES, np.int8)
    write_targets(state, state.turn, kernel_array(found))
    return found.tolist()


def brought(state: State, target: int) -> int:
    """CA-13, CA-31: the cards that a drawing move brings: one for each pirate there, two at the end of a half."""
    return int(state.crowd[target]) if target <= SPACES else BOARDING_DRAWS


@kernel
def write_targets(state: State, seat: int, out: NDArray[Any]) -> None:
    """Write a row for each kind of move, with the target of a pirate on each place, or 0 if it cannot move.

    0 is the number of the start, where no pirate ever moves to.
    """
    is_pair = state.phase == HOOK_LAID or state.phase == HOOK_PARROTS_LAID
    for symbol in range(N_SYMBOLS):
        stops = empty_spaces(state, symbol)
        movable = paired_forward_places(state, seat, symbol) if is_pair else forward_places(state, seat, stops, 1)
        _write_forward_targets(state, movable, stops, out, symbol)
    if state.phase != ACTING:
        return
    movable = backward_places(state, seat)
    while movable:
        place = lowest_place(movable)
        movable &= movable - 1
        out[BACK_ROW * PLACES + place] = backward_target(state, place)
    for other in range(state.players):
        if other != seat:
            _write_forward_targets(
                state, morgan_places(state, other), joinable_spaces(state), out, FIRST_MORGAN_ROW + other
            )


@kernel
def _write_forward_targets(state: State, movable: int, stops: int, out: NDArray[Any], row: int) -> None:
    while movable:
        place = lowest_place(movable)
        movable &= movable - 1
        out[row * PLACES + place] = forward_target(state, place, stops)


def move_previews(state: State, slugs: list[str]) -> dict[str, Any] | None:
    """The targets of moves by symbol and place; for moves that draw, also how many cards. Places are slugs.

    None while whose turn it is can move no pirate: after the actions, and while it chooses cards.
    """
    if not (state.phase == ACTING and state.left) and state.phase not in CARD_PHASES:
        return None
    moves = [dict[str, Any]() for _ in range(ROWS)]
    for index, target in enumerate(targets(state)):
        if target:
            row, place = divmod(index, PLACES)
            goal = slugs[target]
            moves[row][slugs[place]] = goal if row < BACK_ROW else [goal, brought(state, target)]
    return {
        "cards": dict(zip(SYMBOLS, moves, strict=False)),
        "back": moves[BACK_ROW],
        "morgan": {colour: places for colour, places in zip(COLOURS, moves[FIRST_MORGAN_ROW:], strict=True) if places},
    }
