"""Features of the seats: their hands, where their pawns are and what is near them."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.distances import pawn_distance, treasure_distance, turns_until
from skerry.games.forbidden_island.bot.feature_blocks import FIRST_SEAT, MAX_DISTANCE, N_SEAT_FEATURES, SEAT_FEATURES
from skerry.games.forbidden_island.bot.threat import TilesByLoss
from skerry.games.forbidden_island.rules.components import (
    ADJACENT,
    FOOLS_LANDING,
    HELICOPTER,
    N_TREASURES,
    SANDBAGS,
    SET_SIZE,
)
from skerry.games.forbidden_island.rules.reach import tile_places
from skerry.games.forbidden_island.rules.state import State
from skerry.games.forbidden_island.rules.treasure_cards import hand_size

EXISTS = SEAT_FEATURES.offset("exists")
ROLE = SEAT_FEATURES.offset("role")
HAND_SIZE = SEAT_FEATURES.offset("hand_size")
USEFUL_CARDS = SEAT_FEATURES.offset("useful_cards")
USELESS_CARDS = SEAT_FEATURES.offset("useless_cards")
SETS_BUT_ONE = SEAT_FEATURES.offset("sets_but_one")
SETS = SEAT_FEATURES.offset("sets")
SET_DISTANCE = SEAT_FEATURES.offset("set_distance")
HELICOPTER_LIFTS = SEAT_FEATURES.offset("helicopter_lifts")
SANDBAGS_HELD = SEAT_FEATURES.offset("sandbags")
TURN = SEAT_FEATURES.offset("turn")
LANDING_DISTANCE = SEAT_FEATURES.offset("landing_distance")
LANDING_UNREACHABLE = SEAT_FEATURES.offset("landing_unreachable")
ON_LANDING = SEAT_FEATURES.offset("on_landing")
ON_FLOODED_TILE = SEAT_FEATURES.offset("on_flooded_tile")
NEIGHBOURS = SEAT_FEATURES.offset("neighbours")
DRY_NEIGHBOURS = SEAT_FEATURES.offset("dry_neighbours")
FLOODED_IN_REACH = SEAT_FEATURES.offset("flooded_in_reach")
PRECIOUS_IN_REACH = SEAT_FEATURES.offset("precious_in_reach")
FLOODED_BY_DISTANCE = SEAT_FEATURES.offset("flooded_by_distance")
PRECIOUS_BY_DISTANCE = SEAT_FEATURES.offset("precious_by_distance")
MUST_DISCARD = SEAT_FEATURES.offset("must_discard")
IN_WATER = SEAT_FEATURES.offset("in_water")
STRANDED = SEAT_FEATURES.offset("stranded")
NEAREST_PAWN = SEAT_FEATURES.offset("nearest_pawn")

MOST_CARDS = 7  # the largest hand that the one-hot block can show


@kernel
def write_seat_features(state: State, seat: int, out: Any, tiles: TilesByLoss) -> None:
    """Write the features of a seat that is in the game."""
    base = FIRST_SEAT + seat * N_SEAT_FEATURES
    precious = tiles.landing | tiles.vital | tiles.shaky
    out[base + EXISTS] = 1.0
    out[base + ROLE + state.role[seat]] = 1.0
    out[base + TURN + turns_until(state, seat)] = 1.0
    out[base + MUST_DISCARD] = state.over >> seat & 1
    out[base + IN_WATER] = state.swimming >> seat & 1
    out[base + STRANDED] = state.stranded >> seat & 1
    _write_hand(state, seat, out, base)
    _write_surroundings(state, seat, out, base, precious)
    _write_flooded_by_distance(state, seat, out, base, precious)
    nearest = MAX_DISTANCE + 0.0
    for other in range(state.players):
        if other != seat:
            nearest = min(nearest, pawn_distance(out, seat, state.pawn[other]))
    out[base + NEAREST_PAWN] = nearest / MAX_DISTANCE


@kernel
def _write_hand(state: State, seat: int, out: Any, base: int) -> None:
    useful = useless = sets_but_one = sets = 0
    distance = MAX_DISTANCE + 0.0
    for treasure in range(N_TREASURES):
        cards = int(state.hands[seat, treasure])
        if state.captor[treasure] >= 0:
            useless += cards
        else:
            useful += cards
            sets_but_one += 1 if cards == SET_SIZE - 1 else 0
            if cards >= SET_SIZE:
                sets += 1
                distance = min(distance, treasure_distance(state, out, seat, treasure))
    out[base + HAND_SIZE + min(hand_size(state, seat), MOST_CARDS)] = 1.0
    out[base + USEFUL_CARDS] = useful / 5
    out[base + USELESS_CARDS] = useless / 5
    out[base + SETS_BUT_ONE] = sets_but_one
    out[base + SETS] = sets
    out[base + SET_DISTANCE] = distance / MAX_DISTANCE if sets else 0.0
    out[base + HELICOPTER_LIFTS] = state.hands[seat, HELICOPTER] / 2
    out[base + SANDBAGS_HELD] = state.hands[seat, SANDBAGS] / 2


@kernel
def _write_surroundings(state: State, seat: int, out: Any, base: int, precious: int) -> None:
    """How far the landing is, how safe the pawn's tile is, and what the pawn could shore up."""
    place = int(state.pawn[seat])
    landing_distance = pawn_distance(out, seat, state.place_of[FOOLS_LANDING])
    out[base + LANDING_DISTANCE] = landing_distance / MAX_DISTANCE
    out[base + LANDING_UNREACHABLE] = 1.0 if landing_distance >= MAX_DISTANCE else 0.0
    out[base + ON_LANDING] = 1.0 if landing_distance == 0 else 0.0
    out[base + ON_FLOODED_TILE] = state.flooded >> place & 1
    adjacent = ADJACENT[state.layout, place]
    out[base + NEIGHBOURS] = popcount(adjacent & tile_places(state)) / 4
    out[base + DRY_NEIGHBOURS] = popcount(adjacent & tile_places(state) & ~state.flooded) / 4
    in_reach = (adjacent | 1 << place) & state.flooded
    out[base + FLOODED_IN_REACH] = popcount(in_reach) / 5
    out[base + PRECIOUS_IN_REACH] = popcount(in_reach & precious) / 2


@kernel
def _write_flooded_by_distance(state: State, seat: int, out: Any, base: int, precious: int) -> None:
    flooded = state.flooded
    while flooded:
        place = lowest_bit(flooded)
        flooded &= flooded - 1
        distance = pawn_distance(out, seat, place)
        band = 0 if distance <= 2 else 1 if distance <= 4 else 2
        out[base + FLOODED_BY_DISTANCE + band] += 0.2
        if precious >> place & 1:
            out[base + PRECIOUS_BY_DISTANCE + band] += 0.5
