"""What players know: resampling the rest, numbers for learners, the result.

All is open but the order of the two decks. The flood deck is a stack of piles: each Waters Rise! puts the
shuffled discards on top, so which cards lie in each pile is known, and their order within it is not.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.engine.rng import deal_anew, scramble
from skerry.games.forbidden_island.rules.components import (
    CARD_KINDS,
    HELD,
    METER_TICKS,
    N_ROLES,
    N_TREASURES,
    SEATS,
    TILES,
)
from skerry.games.forbidden_island.rules.state import ESCAPED, OVER, State


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    """Every seat, and a spectator, knows the same."""
    state.rng = scramble(seed)
    deal_anew(state, state.treasure_deck, 0, state.treasure_left)
    start = 0
    for position in range(1, state.flood_left + 1):
        if position == state.flood_left or state.layers >> position & 1:
            deal_anew(state, state.flood_deck, start, position)
            start = position


@kernel
def result(state: State, scores: NDArray[Any]) -> int:
    if state.ending:
        for seat in range(state.players):
            scores[seat] = 1 if state.ending == ESCAPED else 0
    return state.ending


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    for i in range(out.shape[0]):
        out[i] = 0
    n = _observe_tiles(state, out)
    n = _observe_seats(state, seat, out, n)
    for treasure in range(N_TREASURES):
        out[n + treasure] = 1 if state.captor[treasure] >= 0 else 0
    n += N_TREASURES
    for card in range(CARD_KINDS):
        out[n + card] = state.treasure_discard[card]
    n += CARD_KINDS
    out[n + state.water] = 1
    n += METER_TICKS
    out[n + state.phase] = 1
    n += OVER + 1
    out[n] = state.left
    out[n + 1] = state.flown
    n += 2
    for i in range(state.players):
        other = (seat + i) % state.players
        out[n + i] = 1 if other == state.turn else 0
        out[n + SEATS + i] = state.over >> other & 1
        out[n + 2 * SEATS + i] = state.swimming >> other & 1
    n += 3 * SEATS
    out[n] = state.treasure_left
    out[n + 1] = state.flood_left


@kernel
def _observe_tiles(state: State, out: NDArray[Any]) -> int:
    for tile in range(TILES):
        place = state.place_of[tile]
        out[tile] = state.flooded >> place & 1
        out[TILES + tile] = state.sunk >> place & 1
        out[4 * TILES + tile] = place
    for i in range(state.flood_shown):
        out[2 * TILES + state.flood_discard[i]] = 1
    top = state.flood_left
    for position in range(state.flood_left - 1, -1, -1):
        out[3 * TILES + state.flood_deck[position]] = 1 / (1 + state.flood_left - top)
        if state.layers >> position & 1:
            top = position
    return 5 * TILES


@kernel
def _observe_seats(state: State, seat: int, out: NDArray[Any], n: int) -> int:
    for i in range(state.players):
        other = (seat + i) % state.players
        out[n + i * N_ROLES + state.role[other]] = 1
        out[n + SEATS * N_ROLES + i] = state.pawn[other]
        for card in range(HELD):
            out[n + SEATS * (N_ROLES + 1) + i * HELD + card] = state.hands[other, card]
    return n + SEATS * (N_ROLES + 1 + HELD)
