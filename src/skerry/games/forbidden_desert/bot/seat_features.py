"""Features of the seats: water, distances to what their pawns may go for, gear, and the sand around them."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import as_int, lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.distances import (
    actions_lacking,
    actions_to_excavate,
    distance_to_nearest,
    pawn_distance,
    turns_to_spend,
    turns_until,
)
from skerry.games.forbidden_desert.bot.feature_blocks import (
    FIRST_SEAT,
    MAX_DISTANCE,
    MAX_TURNS,
    N_SEAT_FEATURES,
    SEAT_FEATURES,
)
from skerry.games.forbidden_desert.bot.public_info import PublicInfo, sand_probability, write_unary
from skerry.games.forbidden_desert.bot.thirst import StormDeck, cards_until_turn, sun_probabilities, thirst_probability
from skerry.games.forbidden_desert.rules.components import ADJACENT, ALL_PARTS, CANTEEN_SIZE, N_GEARS, N_PARTS
from skerry.games.forbidden_desert.rules.reach import can_give_water, is_buried, tile_places
from skerry.games.forbidden_desert.rules.state import State
from skerry.games.forbidden_desert.rules.storm import is_sheltered, storm_cards_per_turn

EXISTS = SEAT_FEATURES.offset("exists")
ROLE = SEAT_FEATURES.offset("role")
TURN = SEAT_FEATURES.offset("turn")
WATER = SEAT_FEATURES.offset("water")
CANTEEN_ROOM = SEAT_FEATURES.offset("canteen_room")
SHELTERED = SEAT_FEATURES.offset("sheltered")
SHIELDED = SEAT_FEATURES.offset("shielded")
THIRST_RISK_IN_SUN = SEAT_FEATURES.offset("thirst_risk_in_sun")
THIRST_RISK_SOON = SEAT_FEATURES.offset("thirst_risk_soon")
THIRST_RISK_THIS_TURN = SEAT_FEATURES.offset("thirst_risk_this_turn")
THIRST_RISK_LATER = SEAT_FEATURES.offset("thirst_risk_later")
LATER_WATER_DISTANCE = SEAT_FEATURES.offset("later_water_distance")
LATER_NO_WELL_LEFT = SEAT_FEATURES.offset("later_no_well_left")
LESS_WATER_RISK = SEAT_FEATURES.offset("less_water_risk")
OFFERED_WATER = SEAT_FEATURES.offset("offered_water")
LATER_OFFERED_WATER = SEAT_FEATURES.offset("later_offered_water")
CARRIER_DISTANCE = SEAT_FEATURES.offset("carrier_distance")
LATER_CARRIER_DISTANCE = SEAT_FEATURES.offset("later_carrier_distance")
LATER_CARRIER_WATER = SEAT_FEATURES.offset("later_carrier_water")
OWN_WELL_DISTANCE = SEAT_FEATURES.offset("own_well_distance")
OWN_WELL_NEED = SEAT_FEATURES.offset("own_well_need")
OWN_ON_WELL = SEAT_FEATURES.offset("own_on_well")
DIG_DISTANCE = SEAT_FEATURES.offset("dig_distance")
NEEDED_DIG_DISTANCE = SEAT_FEATURES.offset("needed_dig_distance")
TUNNEL_DISTANCE = SEAT_FEATURES.offset("tunnel_distance")
WATER_TILE_DISTANCE = SEAT_FEATURES.offset("water_tile_distance")
ON_WATER_TILE = SEAT_FEATURES.offset("on_water_tile")
PART_DISTANCE = SEAT_FEATURES.offset("part_distance")
NEAR_DUNES = SEAT_FEATURES.offset("near_dunes")
DIG_LACKS = SEAT_FEATURES.offset("dig_lacks")
DIG_TURNS = SEAT_FEATURES.offset("dig_turns")
PAD_KNOWN = SEAT_FEATURES.offset("pad_known")
PAD_DISTANCE = SEAT_FEATURES.offset("pad_distance")
ON_PAD = SEAT_FEATURES.offset("on_pad")
GOING_HOME = SEAT_FEATURES.offset("going_home")
HOME_DISTANCE = SEAT_FEATURES.offset("home_distance")
AT_HOME = SEAT_FEATURES.offset("at_home")
HOME_LACKS = SEAT_FEATURES.offset("home_lacks")
NEAREST_PAWN = SEAT_FEATURES.offset("nearest_pawn")
WATER_TILE_LACKS = SEAT_FEATURES.offset("water_tile_lacks")
PART_LACKS = SEAT_FEATURES.offset("part_lacks")
TUNNEL_LACKS = SEAT_FEATURES.offset("tunnel_lacks")
GEAR = SEAT_FEATURES.offset("gear")
BURIED = SEAT_FEATURES.offset("buried")
SAND = SEAT_FEATURES.offset("sand")
SAND_RISK = SEAT_FEATURES.offset("sand_risk")
BURIAL_RISK = SEAT_FEATURES.offset("burial_risk")
OPEN_NEIGHBOURS = SEAT_FEATURES.offset("open_neighbours")
UNEXCAVATED_NEIGHBOURS = SEAT_FEATURES.offset("unexcavated_neighbours")
COMPANY = SEAT_FEATURES.offset("company")
GUIDED = SEAT_FEATURES.offset("guided")
PARTS = SEAT_FEATURES.offset("parts")


@kernel
def write_seat_features(state: State, seat: int, out: Any, info: PublicInfo, deck: StormDeck) -> None:
    """Write the features of a seat that is in the game."""
    base = FIRST_SEAT + seat * N_SEAT_FEATURES
    out[base + EXISTS] = 1.0
    out[base + ROLE + state.role[seat]] = 1.0
    out[base + TURN + turns_until(state, seat)] = 1.0
    _write_thirst(state, seat, out, base, info, deck)
    _write_help(state, seat, out, base, info)
    _write_goals(state, seat, out, base, info)
    _write_pad(state, seat, out, base, info)
    _write_surroundings(state, seat, out, base, info)
    _write_belongings(state, seat, out, base)


@kernel
def _write_thirst(state: State, seat: int, out: Any, base: int, info: PublicInfo, deck: StormDeck) -> None:
    """How much water a seat has, and how likely it is to die of thirst."""
    water = as_int(state.water[seat])
    sheltered = is_sheltered(state, seat)
    cards = cards_until_turn(state, seat)
    write_unary(out, base + WATER, 5, water)
    out[base + CANTEEN_ROOM] = (CANTEEN_SIZE[state.role[seat]] - water) / 5
    out[base + SHELTERED] = 1.0 if sheltered else 0.0
    out[base + SHIELDED] = state.shielded >> seat & 1
    before_turn = sun_probabilities(deck, cards)
    this_turn = sun_probabilities(deck, info.storm_cards)
    after_turn = sun_probabilities(deck, cards + state.players * storm_cards_per_turn(state))
    risk_in_sun = thirst_probability(before_turn, water)
    risk_later = thirst_probability(after_turn, water + (1 if sheltered else 0))
    out[base + THIRST_RISK_IN_SUN] = risk_in_sun
    out[base + THIRST_RISK_SOON] = 0.0 if sheltered else risk_in_sun
    out[base + THIRST_RISK_THIS_TURN] = 0.0 if sheltered else thirst_probability(this_turn, water)
    out[base + THIRST_RISK_LATER] = risk_later
    out[base + LATER_WATER_DISTANCE] = risk_later * distance_to_nearest(out, seat, info.water_tiles) / MAX_DISTANCE
    out[base + LATER_NO_WELL_LEFT] = risk_later if not info.wells_left else 0.0
    out[base + LESS_WATER_RISK] = 0.0 if sheltered else thirst_probability(before_turn, water - 1)


@kernel
def _write_help(state: State, seat: int, out: Any, base: int, info: PublicInfo) -> None:
    """What water others can give to a seat, and how far it is to the Water Carrier, or from her to a well."""
    place, risk_later = as_int(state.pawn[seat]), out[base + THIRST_RISK_LATER]
    offered = most = 0
    for other in range(state.players):
        if can_give_water(state, other, seat):
            offered += state.water[other]
            most = max(most, as_int(state.water[other]))
    out[base + OFFERED_WATER] = min(offered, 6) / 6
    out[base + LATER_OFFERED_WATER] = risk_later * min(most, 3) / 3
    carrier = info.water_carrier
    if carrier >= 0 and carrier != seat:
        distance = distance_to_nearest(out, carrier, as_int(ADJACENT[place]) | 1 << place)
        distance = min(distance, distance_to_nearest(out, seat, as_int(ADJACENT[state.pawn[carrier]])))
        out[base + CARRIER_DISTANCE] = distance / MAX_DISTANCE
        out[base + LATER_CARRIER_DISTANCE] = risk_later * distance / MAX_DISTANCE
        out[base + LATER_CARRIER_WATER] = risk_later * state.water[carrier] / 5
    elif carrier == seat:
        distance = distance_to_nearest(out, seat, info.wells)
        out[base + OWN_WELL_DISTANCE] = distance / MAX_DISTANCE
        out[base + OWN_WELL_NEED] = (5 - as_int(state.water[seat])) * distance / (5 * MAX_DISTANCE)
        out[base + OWN_ON_WELL] = 1.0 if info.wells >> place & 1 else 0.0


@kernel
def _write_goals(state: State, seat: int, out: Any, base: int, info: PublicInfo) -> None:
    """How far it is to what a pawn may go for."""
    to_dig = actions_to_excavate(state, seat, out, info.dunes)
    to_tunnel = distance_to_nearest(out, seat, as_int(state.tunnels))
    to_water_tile = distance_to_nearest(out, seat, info.water_tiles)
    to_part = distance_to_nearest(out, seat, info.parts)
    near_dunes = 0
    dunes = info.dunes
    while dunes:
        near_dunes += 1 if pawn_distance(out, seat, lowest_bit(dunes)) <= 2 else 0
        dunes &= dunes - 1
    nearest = MAX_DISTANCE + 0.0
    for other in range(state.players):
        if other != seat:
            nearest = min(nearest, pawn_distance(out, seat, state.pawn[other]))
    out[base + DIG_DISTANCE] = to_dig / MAX_DISTANCE
    out[base + DIG_LACKS] = actions_lacking(state, seat, to_dig)
    if info.needed_tiles:
        out[base + NEEDED_DIG_DISTANCE] = to_dig / MAX_DISTANCE
        out[base + DIG_TURNS] = turns_to_spend(state, seat, to_dig) / MAX_TURNS
    out[base + TUNNEL_DISTANCE] = to_tunnel / MAX_DISTANCE
    out[base + TUNNEL_LACKS] = actions_lacking(state, seat, to_tunnel)
    out[base + WATER_TILE_DISTANCE] = to_water_tile / MAX_DISTANCE
    out[base + WATER_TILE_LACKS] = actions_lacking(state, seat, to_water_tile)
    out[base + ON_WATER_TILE] = 1.0 if info.water_tiles >> state.pawn[seat] & 1 else 0.0
    if info.parts:
        out[base + PART_DISTANCE] = to_part / MAX_DISTANCE
        out[base + PART_LACKS] = actions_lacking(state, seat, to_part)
    out[base + NEAR_DUNES] = near_dunes / 6
    out[base + NEAREST_PAWN] = nearest / MAX_DISTANCE


@kernel
def _write_pad(state: State, seat: int, out: Any, base: int, info: PublicInfo) -> None:
    """How far it is to the launch pad, if that is known."""
    if not info.pad:
        return
    distance = pawn_distance(out, seat, lowest_bit(info.pad))
    on_pad = 1.0 if distance == 0.0 else 0.0
    out[base + PAD_KNOWN] = 1.0
    out[base + PAD_DISTANCE] = distance / MAX_DISTANCE
    out[base + ON_PAD] = on_pad
    if state.taken == ALL_PARTS:
        out[base + GOING_HOME] = 1.0
        out[base + HOME_DISTANCE] = distance / MAX_DISTANCE
        out[base + AT_HOME] = on_pad
        out[base + HOME_LACKS] = actions_lacking(state, seat, distance)


@kernel
def _write_surroundings(state: State, seat: int, out: Any, base: int, info: PublicInfo) -> None:
    place = as_int(state.pawn[seat])
    sand = as_int(state.sand[place])
    sand_risk = sand_probability(out, place, info.storm_cards)
    out[base + BURIED] = 1.0 if is_buried(state, seat) else 0.0
    out[base + SAND] = min(sand, 4) / 4
    out[base + SAND_RISK] = sand_risk
    out[base + BURIAL_RISK] = sand_risk if sand > 0 else 0.0
    out[base + OPEN_NEIGHBOURS] = popcount(ADJACENT[place] & tile_places(state) & ~state.blocked) / 4
    out[base + UNEXCAVATED_NEIGHBOURS] = popcount(ADJACENT[place] & (info.dunes | info.water_tiles)) / 4
    for other in range(state.players):
        if other != seat and state.pawn[other] == place:
            out[base + COMPANY] += 0.25
    out[base + GUIDED] = 1.0 if seat == state.guided else 0.0


@kernel
def _write_belongings(state: State, seat: int, out: Any, base: int) -> None:
    for card in range(N_GEARS):
        out[base + GEAR + card] = state.gear[seat, card] / 2
    parts = 0
    for part in range(N_PARTS):
        parts += 1 if state.holder[part] == seat else 0
    out[base + PARTS] = 0.5 * parts
