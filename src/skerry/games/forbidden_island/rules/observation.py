"""The observation of a seat as a vector of numbers. ``OBSERVATION`` in ``state`` names its blocks."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.rules.components import CARD_KINDS, HAND_CARD_KINDS, N_ROLES, N_TREASURES, TILES
from skerry.games.forbidden_island.rules.state import OBSERVATION, State

TILE_FLOODED = OBSERVATION.offset("tile_flooded")
TILE_SUNK = OBSERVATION.offset("tile_sunk")
IN_FLOOD_DISCARD = OBSERVATION.offset("in_flood_discard")
FLOOD_PILE = OBSERVATION.offset("flood_pile")
TILE_PLACE = OBSERVATION.offset("tile_place")
ROLE = OBSERVATION.offset("role")
PAWN_PLACE = OBSERVATION.offset("pawn_place")
HANDS = OBSERVATION.offset("hands")
CAPTURED = OBSERVATION.offset("captured")
TREASURE_DISCARD = OBSERVATION.offset("treasure_discard")
WATER_METER = OBSERVATION.offset("water_meter")
PHASE = OBSERVATION.offset("phase")
ACTIONS_OR_DRAWS_LEFT = OBSERVATION.offset("actions_or_draws_left")
FLIGHT_USED = OBSERVATION.offset("flight_used")
TURN = OBSERVATION.offset("turn")
MUST_DISCARD = OBSERVATION.offset("must_discard")
IN_WATER = OBSERVATION.offset("in_water")
TREASURE_DECK_SIZE = OBSERVATION.offset("treasure_deck_size")
FLOOD_DECK_SIZE = OBSERVATION.offset("flood_deck_size")


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    """Write what a seat sees. Blocks by seat begin with the observer and go on in seat order."""
    for i in range(out.shape[0]):
        out[i] = 0
    _observe_tiles(state, out)
    _observe_flood_deck(state, out)
    _observe_seats(state, seat, out)
    _observe_treasures(state, out)
    _observe_turn(state, out)


@kernel
def _observe_tiles(state: State, out: NDArray[Any]) -> None:
    for tile in range(TILES):
        place = state.place_of[tile]
        out[TILE_FLOODED + tile] = state.flooded >> place & 1
        out[TILE_SUNK + tile] = state.sunk >> place & 1
        out[TILE_PLACE + tile] = place


@kernel
def _observe_flood_deck(state: State, out: NDArray[Any]) -> None:
    for i in range(state.flood_shown):
        out[IN_FLOOD_DISCARD + state.flood_discard[i]] = 1
    pile_top = state.flood_left
    for position in range(state.flood_left - 1, -1, -1):
        cards_above_pile = state.flood_left - pile_top
        out[FLOOD_PILE + state.flood_deck[position]] = 1 / (1 + cards_above_pile)
        if state.layers >> position & 1:
            pile_top = position
    out[FLOOD_DECK_SIZE] = state.flood_left


@kernel
def _observe_seats(state: State, seat: int, out: NDArray[Any]) -> None:
    for i in range(state.players):
        other = (seat + i) % state.players
        out[ROLE + i * N_ROLES + state.role[other]] = 1
        out[PAWN_PLACE + i] = state.pawn[other]
        for card in range(HAND_CARD_KINDS):
            out[HANDS + i * HAND_CARD_KINDS + card] = state.hands[other, card]
        out[TURN + i] = 1 if other == state.turn else 0
        out[MUST_DISCARD + i] = state.over >> other & 1
        out[IN_WATER + i] = state.swimming >> other & 1


@kernel
def _observe_treasures(state: State, out: NDArray[Any]) -> None:
    for treasure in range(N_TREASURES):
        out[CAPTURED + treasure] = 1 if state.captor[treasure] >= 0 else 0
    for card in range(CARD_KINDS):
        out[TREASURE_DISCARD + card] = state.treasure_discard[card]
    out[TREASURE_DECK_SIZE] = state.treasure_left


@kernel
def _observe_turn(state: State, out: NDArray[Any]) -> None:
    out[WATER_METER + state.water] = 1
    out[PHASE + state.phase] = 1
    out[ACTIONS_OR_DRAWS_LEFT] = state.left
    out[FLIGHT_USED] = state.flown
