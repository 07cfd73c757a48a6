"""Features of the tiles, written at their places: the risk of losing them and who is near."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.distances import pawn_distance
from skerry.games.forbidden_island.bot.feature_blocks import FIRST_TILE, MAX_DISTANCE, N_TILE_FEATURES, TILE_FEATURES
from skerry.games.forbidden_island.bot.threat import (
    IN_DISCARD_PILE,
    IN_SECOND_PILE,
    IN_TOP_PILE,
    PROBABILITY_ONE,
    DrawProbabilities,
    FloodPiles,
    TilesByLoss,
    pile_of,
)
from skerry.games.forbidden_island.rules.components import ADJACENT
from skerry.games.forbidden_island.rules.reach import tile_places
from skerry.games.forbidden_island.rules.state import State

EXISTS = TILE_FEATURES.offset("exists")
IN_TOP = TILE_FEATURES.offset("in_top_pile")
IN_SECOND = TILE_FEATURES.offset("in_second_pile")
IN_DISCARD = TILE_FEATURES.offset("in_discard")
LOSS_CLASS = TILE_FEATURES.offset("loss_class")
FLOODED = TILE_FEATURES.offset("flooded")
SINKING_RISK_NOW = TILE_FEATURES.offset("sinking_risk_now")
SINKING_RISK_SOON = TILE_FEATURES.offset("sinking_risk_soon")
FLOODING_RISK_SOON = TILE_FEATURES.offset("flooding_risk_soon")
NEIGHBOURS = TILE_FEATURES.offset("neighbours")
PAWNS = TILE_FEATURES.offset("pawns")
PAWNS_AT_RISK = TILE_FEATURES.offset("pawns_at_risk")
NEAREST_PAWN = TILE_FEATURES.offset("nearest_pawn")
SECOND_NEAREST_PAWN = TILE_FEATURES.offset("second_nearest_pawn")
FLOODED_FROM_TURN_PAWN = TILE_FEATURES.offset("flooded_from_turn_pawn")
FLOODED_FROM_NEAREST_PAWN = TILE_FEATURES.offset("flooded_from_nearest_pawn")
FLOODED_FROM_NEXT_PAWN = TILE_FEATURES.offset("flooded_from_next_pawn")
DRY_NEIGHBOURS = TILE_FEATURES.offset("dry_neighbours")
FLOODING_RISK_NOW = TILE_FEATURES.offset("flooding_risk_now")
RISK_NOW = TILE_FEATURES.offset("risk_now")

# Loss classes, in the order of the fields of TilesByLoss.
LANDING, VITAL, TWIN, SHAKY, PLAIN = range(5)


@kernel
def loss_class(place: int, tiles: TilesByLoss) -> int:
    """What losing the tile of a place would mean."""
    bit = 1 << place
    if tiles.landing & bit:
        return LANDING
    if tiles.vital & bit:
        return VITAL
    if tiles.twin & bit:
        return TWIN
    return SHAKY if tiles.shaky & bit else PLAIN


@kernel
def write_tile_features(
    state: State,
    place: int,
    out: Any,
    piles: FloodPiles,
    tiles: TilesByLoss,
    this_turn: DrawProbabilities,
    this_round: DrawProbabilities,
) -> None:
    """Write the features of the tile at a place; none if it has sunk."""
    if state.sunk >> place & 1:
        return
    base, pile, loss = FIRST_TILE + place * N_TILE_FEATURES, pile_of(place, piles), loss_class(place, tiles)
    risk_now, risk_soon = this_turn[pile] / PROBABILITY_ONE, this_round[pile] / PROBABILITY_ONE
    flooded = float(state.flooded >> place & 1)
    adjacent_tiles = ADJACENT[state.layout, place] & tile_places(state)
    out[base + EXISTS] = 1.0
    out[base + IN_TOP] = 1.0 if pile == IN_TOP_PILE else 0.0
    out[base + IN_SECOND] = 1.0 if pile == IN_SECOND_PILE else 0.0
    out[base + IN_DISCARD] = 1.0 if pile == IN_DISCARD_PILE else 0.0
    out[base + LOSS_CLASS + loss] = 1.0
    out[base + FLOODED + loss] = flooded
    out[base + SINKING_RISK_NOW + loss] = flooded * risk_now
    out[base + SINKING_RISK_SOON + loss] = flooded * risk_soon
    out[base + FLOODING_RISK_SOON + loss] = (1.0 - flooded) * risk_soon
    out[base + FLOODING_RISK_NOW] = (1.0 - flooded) * risk_now
    out[base + RISK_NOW] = risk_now
    out[base + NEIGHBOURS] = popcount(adjacent_tiles) / 4
    out[base + DRY_NEIGHBOURS] = popcount(adjacent_tiles & ~state.flooded) / 4
    _write_pawns(state, place, out, base, flooded, risk_now)


@kernel
def _write_pawns(state: State, place: int, out: Any, base: int, flooded: float, risk_now: float) -> None:
    """How near the pawns are, and how many are on the tile."""
    nearest, second_nearest = MAX_DISTANCE + 0.0, MAX_DISTANCE + 0.0
    for seat in range(state.players):
        distance = pawn_distance(out, seat, place)
        if distance < nearest:
            nearest, second_nearest = distance, nearest
        elif distance < second_nearest:
            second_nearest = distance
        if state.pawn[seat] == place:
            out[base + PAWNS] += 0.5
            out[base + PAWNS_AT_RISK] += flooded * risk_now
    next_seat = (state.turn + 1) % state.players
    out[base + NEAREST_PAWN] = nearest / MAX_DISTANCE
    out[base + SECOND_NEAREST_PAWN] = second_nearest / MAX_DISTANCE
    out[base + FLOODED_FROM_TURN_PAWN] = flooded * pawn_distance(out, state.turn, place) / MAX_DISTANCE
    out[base + FLOODED_FROM_NEAREST_PAWN] = flooded * nearest / MAX_DISTANCE
    out[base + FLOODED_FROM_NEXT_PAWN] = flooded * pawn_distance(out, next_seat, place) / MAX_DISTANCE
