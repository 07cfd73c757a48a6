"""Features of the tiles, written at their places: what they are good for, sand, and who is near."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import as_int, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.distances import actions_lacking, pawn_distance
from skerry.games.forbidden_desert.bot.feature_blocks import (
    DUNE,
    FIRST_TILE,
    MAX_DISTANCE,
    N_TILE_FEATURES,
    NO_USE,
    PAD,
    SHELTER,
    SPRING,
    TILE_FEATURES,
    WATER_TILE,
    WRECK,
)
from skerry.games.forbidden_desert.bot.public_info import PublicInfo, sand_probability
from skerry.games.forbidden_desert.rules.components import ADJACENT, BLOCKING_SAND, CANTEEN_SIZE, WELL_WATER
from skerry.games.forbidden_desert.rules.reach import is_buried, tile_places
from skerry.games.forbidden_desert.rules.state import State

EXISTS = TILE_FEATURES.offset("exists")
USE = TILE_FEATURES.offset("use")
SAND = TILE_FEATURES.offset("sand")
BLOCKED = TILE_FEATURES.offset("blocked")
NEAREST_PAWN = TILE_FEATURES.offset("nearest_pawn")
SAND_RISK = TILE_FEATURES.offset("sand_risk")
SECOND_NEAREST_PAWN = TILE_FEATURES.offset("second_nearest_pawn")
OPEN_NEIGHBOURS = TILE_FEATURES.offset("open_neighbours")
LOOKED_AT = TILE_FEATURES.offset("looked_at")
BLOCKING_RISK = TILE_FEATURES.offset("blocking_risk")
TURN_PAWN_LACKS = TILE_FEATURES.offset("turn_pawn_lacks")
ONE_MARKER = TILE_FEATURES.offset("one_marker")
HAS_PART = TILE_FEATURES.offset("has_part")
PART_UNEXCAVATED = TILE_FEATURES.offset("part_unexcavated")
PART_NEAREST_PAWN = TILE_FEATURES.offset("part_nearest_pawn")
PART_SAND = TILE_FEATURES.offset("part_sand")
NEEDED_PROBABILITY = TILE_FEATURES.offset("needed_probability")
NEEDED_COST = TILE_FEATURES.offset("needed_cost")
WELL_PROBABILITY = TILE_FEATURES.offset("well_probability")
WELL_GAIN = TILE_FEATURES.offset("well_gain")
WELL_MISSED = TILE_FEATURES.offset("well_missed")
WELL_DISTANCE = TILE_FEATURES.offset("well_distance")
WELL_GAIN_SHARE = TILE_FEATURES.offset("well_gain_share")
PAWNS = TILE_FEATURES.offset("pawns")
BURIED_PAWNS = TILE_FEATURES.offset("buried_pawns")

MOST_SAND = 5  # markers; more look the same


@kernel
def _use(state: State, place: int, info: PublicInfo) -> int:
    """What a tile is good for."""
    bit = 1 << place
    if info.dunes & bit:
        return DUNE
    if info.wreck & bit:
        return WRECK
    if info.water_tiles & bit:
        return WATER_TILE
    if info.wells & bit and info.water_carrier >= 0:
        return SPRING
    if state.tunnels & bit:
        return SHELTER
    return PAD if info.pad & bit else NO_USE


@kernel
def write_tile_features(state: State, place: int, out: Any, info: PublicInfo) -> None:
    """Write the features of the tile at a place that is not the storm."""
    base, use = FIRST_TILE + place * N_TILE_FEATURES, _use(state, place, info)
    sand, sand_risk = as_int(state.sand[place]), sand_probability(out, place, info.storm_cards)
    nearest, second_nearest = MAX_DISTANCE + 0.0, MAX_DISTANCE + 0.0
    for seat in range(state.players):
        distance = pawn_distance(out, seat, place)
        if distance < nearest:
            nearest, second_nearest = distance, nearest
        elif distance < second_nearest:
            second_nearest = distance
    cost_to_clear = pawn_distance(out, state.turn, place) + min(sand, 2)
    out[base + EXISTS] = 1.0
    out[base + USE + use] = 1.0
    out[base + SAND + use] = min(sand, MOST_SAND) / MOST_SAND
    out[base + BLOCKED + use] = 1.0 if sand >= BLOCKING_SAND else 0.0
    out[base + NEAREST_PAWN + use] = nearest / MAX_DISTANCE
    out[base + SAND_RISK + use] = sand_risk
    out[base + SECOND_NEAREST_PAWN] = second_nearest / MAX_DISTANCE
    out[base + OPEN_NEIGHBOURS] = popcount(ADJACENT[place] & tile_places(state) & ~state.blocked) / 4
    out[base + LOOKED_AT] = 1.0 if state.known_by[place] else 0.0
    out[base + BLOCKING_RISK] = sand_risk if sand == 1 else 0.0
    out[base + TURN_PAWN_LACKS] = actions_lacking(state, as_int(state.turn), cost_to_clear)
    out[base + ONE_MARKER] = 1.0 if sand == 1 else 0.0
    if info.parts >> place & 1:
        out[base + HAS_PART] = 1.0
        out[base + PART_UNEXCAVATED] = 0.0 if state.excavated >> place & 1 else 1.0
        out[base + PART_NEAREST_PAWN] = nearest / MAX_DISTANCE
        out[base + PART_SAND] = min(sand, MOST_SAND) / MOST_SAND
    if use == DUNE:
        probability = info.needed_tiles / popcount(info.dunes)
        out[base + NEEDED_PROBABILITY] = probability
        out[base + NEEDED_COST] = probability * (nearest + min(sand, MOST_SAND)) / MAX_DISTANCE
    elif use == WATER_TILE:
        _write_well(state, place, out, base, info)
    _write_pawns(state, place, out, base)


@kernel
def _write_well(state: State, place: int, out: Any, base: int, info: PublicInfo) -> None:
    """What a water tile would bring to the pawns on it, and how far the others are."""
    probability = info.wells_left / popcount(info.water_tiles)
    gain, missed, distances = 0, 0, 0.0
    for seat in range(state.players):
        water = min(WELL_WATER, CANTEEN_SIZE[state.role[seat]] - state.water[seat])
        if state.pawn[seat] == place:
            gain += water
        else:
            missed += water
        distances += pawn_distance(out, seat, place)
    out[base + WELL_PROBABILITY] = probability
    out[base + WELL_GAIN] = probability * gain / 4
    out[base + WELL_MISSED] = probability * missed / 4
    out[base + WELL_DISTANCE] = distances / (MAX_DISTANCE * state.players)
    out[base + WELL_GAIN_SHARE] = gain / max(1, gain + missed)


@kernel
def _write_pawns(state: State, place: int, out: Any, base: int) -> None:
    for seat in range(state.players):
        if state.pawn[seat] == place:
            out[base + PAWNS] += 0.25
            if is_buried(state, seat):
                out[base + BURIED_PAWNS] += 0.5
