"""The plan of a seat: what there is to do in the desert, and where each pawn should be.

It follows from what the seat knows: tiles that it does not know are counted, not looked at.
"""

from __future__ import annotations

from typing import NamedTuple

from skerry.botkit.packed_array import ZEROS, PackedArray, add
from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.routes import add_distance_cost
from skerry.games.forbidden_desert.bot.thirst import WaterValues
from skerry.games.forbidden_desert.bot.weights import Weights
from skerry.games.forbidden_desert.rules.components import (
    ADJACENT,
    ALL_PARTS,
    CANTEEN_SIZE,
    CLUE,
    CRASH,
    LAUNCH_PAD,
    MIRAGE,
    N_PARTS,
    PLACES,
    SIDE,
    TUNNEL,
    WATER_CARRIER,
    WELL,
)
from skerry.games.forbidden_desert.rules.knowledge import knows_tile, shows_water_mark
from skerry.games.forbidden_desert.rules.reach import tile_places
from skerry.games.forbidden_desert.rules.state import State

N_WELLS = MIRAGE - WELL


class Goals(NamedTuple):
    """What there is to do, as sets of places unless said otherwise."""

    find_values: PackedArray  # the value of excavating each place
    to_excavate: int  # places worth going to and excavating
    unknown: int  # dunes that the seat does not know
    needed: int  # number of needed tiles among them
    water_tiles: int  # unexcavated tiles with a water mark
    wells: int  # excavated wells
    meeting_place: int  # the water tile where all pawns can meet soonest
    parts: int  # places of parts
    pad: int  # the launch pad if it is excavated


class PublicTiles(NamedTuple):
    """Tiles that everybody knows, as sets of places."""

    water_tiles: int
    wells: int
    pad: int


class UnknownDunes(NamedTuple):
    """The dunes that a seat does not know."""

    places: int
    needed: int  # number of needed tiles among them
    value: int  # of excavating all of them


@kernel
def find_goals(world: State, weights: Weights, values: WaterValues, seat: int) -> Goals:
    """What there is to do, as a seat knows it."""
    public, unknown = _public_tiles(world), _unknown_dunes(world, weights, seat)
    parts = part_places(world)
    to_excavate = parts & ~world.excavated
    find_values = add(_known_find_values(world, weights, seat), to_excavate, weights.uncover)
    if unknown.places:
        find_values = add(find_values, unknown.places, unknown.value // popcount(unknown.places))
    if unknown.needed:
        to_excavate |= unknown.places
    to_excavate |= _known_needed_dunes(world, seat)
    wells_left, water_tiles = N_WELLS - popcount(public.wells), public.water_tiles
    while water_tiles:
        place = lowest_bit(water_tiles)
        water_tiles &= water_tiles - 1
        value = _well_value(world, weights, values, seat, place, public)
        find_values = add(find_values, 1 << place, value)
        if value >= weights.drill:
            to_excavate |= 1 << place
    return Goals(
        find_values,
        to_excavate,
        unknown.places,
        unknown.needed,
        public.water_tiles,
        public.wells,
        _meeting_place(world, public.water_tiles, wells_left),
        parts,
        public.pad,
    )


@kernel
def _public_tiles(world: State) -> PublicTiles:
    """The water tiles that are not excavated, the excavated wells, and the launch pad."""
    water_tiles = wells = pad = 0
    for place in range(PLACES):
        tile, bit = world.tile_at[place], 1 << place
        if WELL <= tile <= MIRAGE:
            if not world.excavated & bit:
                water_tiles |= bit
            elif tile < MIRAGE:
                wells |= bit
        elif tile == LAUNCH_PAD:
            pad = world.excavated & bit
    return PublicTiles(water_tiles, wells, pad)


@kernel
def _unknown_dunes(world: State, weights: Weights, seat: int) -> UnknownDunes:
    """The dunes that a seat does not know. Their tiles are only counted, so that it learns nothing of each."""
    places = needed = value = 0
    for place in range(PLACES):
        tile = world.tile_at[place]
        if tile >= 0 and not shows_water_mark(world, place) and not knows_tile(world, seat, place):
            places |= 1 << place
            needed += tile >= CLUE
            value += _find_value(weights, tile)
    return UnknownDunes(places, needed, value)


@kernel
def _known_find_values(world: State, weights: Weights, seat: int) -> PackedArray:
    """The value of excavating the dunes that a seat knows."""
    values = ZEROS
    for place in range(PLACES):
        tile = world.tile_at[place]
        is_known = tile == CRASH or world.known_by[place] >> seat & 1
        if is_known and not world.excavated >> place & 1 and not shows_water_mark(world, place):
            values = add(values, 1 << place, _find_value(weights, tile))
    return values


@kernel
def _find_value(weights: Weights, tile: int) -> int:
    """The value of excavating a dune with this tile."""
    if tile >= CLUE:
        return weights.pad if tile == LAUNCH_PAD else weights.clue
    return weights.tunnel + weights.gear if tile >= TUNNEL else weights.gear


@kernel
def _known_needed_dunes(world: State, seat: int) -> int:
    """The dunes under which a seat has seen a needed tile."""
    places = 0
    for place in range(PLACES):
        if world.known_by[place] >> seat & 1 and world.tile_at[place] >= CLUE:
            places |= 1 << place
    return places & ~world.excavated


@kernel
def part_places(world: State) -> int:
    """The tiles on which parts lie."""
    places = 0
    for part in range(N_PARTS):
        if world.part_at[part] >= 0:
            places |= 1 << world.part_at[part]
    return places & tile_places(world)


@kernel
def _well_value(world: State, weights: Weights, values: WaterValues, seat: int, place: int, public: PublicTiles) -> int:
    """The value of excavating a water tile: to the pawns that will be there, less what the others miss by it."""
    wells, water_tiles = N_WELLS - popcount(public.wells), popcount(public.water_tiles)
    if world.known_by[place] >> seat & 1:
        wells, water_tiles = (1 if world.tile_at[place] < MIRAGE else 0), 1
    present = absent = 0
    for other in range(world.players):
        if other == seat or world.pawn[other] == place:
            present += values.two_more[other]
        else:
            absent += values.two_more[other]
    value = present - absent * weights.well_wait // 100 - weights.well_keep
    if not public.wells and water_carrier_seat(world) >= 0:
        value += weights.spring
    return max(0, value * wells // water_tiles)


@kernel
def water_carrier_seat(world: State) -> int:
    """The Water Carrier's seat, or -1."""
    for seat in range(world.players):
        if world.role[seat] == WATER_CARRIER:
            return seat
    return -1


@kernel
def _meeting_place(world: State, water_tiles: int, wells_left: int) -> int:
    """The water tile with the fewest steps for all pawns together, as a set; empty if all wells are excavated."""
    best, fewest = 0, 1 << 20
    while water_tiles and wells_left:
        place = lowest_bit(water_tiles)
        water_tiles &= water_tiles - 1
        steps = 2 * world.sand[place]
        for seat in range(world.players):
            steps += manhattan_distance(world.pawn[seat], place)
        if steps < fewest:
            best, fewest = 1 << place, steps
    return best


@kernel
def manhattan_distance(start: int, end: int) -> int:
    """The number of orthogonal steps between two places."""
    return abs(start // SIDE - end // SIDE) + abs(start % SIDE - end % SIDE)


@kernel
def position_cost(world: State, weights: Weights, values: WaterValues, goals: Goals, seat: int) -> PackedArray:
    """The cost of each place for a seat's pawn until its next turn: the sun, sand, and the distance from its goals."""
    cost = add(ZEROS, tile_places(world) & ~world.tunnels, max(0, values.sun[seat]))
    cost = add(cost, world.sandy, weights.sandy)
    cost = add_distance_cost(world, seat, cost, world.tunnels, values.sun[seat] * weights.shelter_pull // 100)
    cost = _add_part_cost(world, weights, goals, seat, cost)
    cost = _add_water_cost(world, weights, values, goals, seat, cost)
    return add_distance_cost(world, seat, cost, goals.pad, _launch_pad_pull(world, weights))


@kernel
def moved_pawn_cost(world: State, weights: Weights, values: WaterValues, goals: Goals, seat: int) -> PackedArray:
    """The position cost for a pawn that others move, with the distance from tiles to excavate as well."""
    return add_distance_cost(
        world, seat, position_cost(world, weights, values, goals, seat), goals.to_excavate, weights.dig_pull
    )


@kernel
def _add_part_cost(world: State, weights: Weights, goals: Goals, seat: int, cost: PackedArray) -> PackedArray:
    """The nearest pawn goes for the parts on each place; the others follow with a lower weight."""
    places = goals.parts
    while places:
        place = lowest_bit(places)
        places &= places - 1
        own_distance = manhattan_distance(world.pawn[seat], place)
        is_nearest = True
        for other in range(world.players):
            is_nearest &= manhattan_distance(world.pawn[other], place) >= own_distance
        cost = add_distance_cost(world, seat, cost, 1 << place, weights.part_pull if is_nearest else weights.aid_pull)
    return cost


@kernel
def _add_water_cost(
    world: State, weights: Weights, values: WaterValues, goals: Goals, seat: int, cost: PackedArray
) -> PackedArray:
    """Pawns go for the meeting place and for pawns to share water with, the Water Carrier also for wells."""
    is_carrier = world.role[seat] == WATER_CARRIER
    weight = values.two_more[seat] * weights.well_pull // 100
    if is_carrier and not goals.wells:
        weight += weights.spring_pull
    cost = add_distance_cost(world, seat, cost, goals.meeting_place, weight)
    if is_carrier:
        room = CANTEEN_SIZE[WATER_CARRIER] - world.water[seat]
        cost = add_distance_cost(world, seat, cost, goals.wells, room * weights.refill_pull)
    for other in range(world.players):
        if other != seat:
            gain = _exchange_value(world, values, seat, other)
            if gain > 0:
                places = 1 << world.pawn[other]
                if is_carrier or world.role[other] == WATER_CARRIER:
                    places |= ADJACENT[world.pawn[other]]
                cost = add_distance_cost(world, seat, cost, places, gain * weights.share_pull // 100)
    return cost


@kernel
def _exchange_value(world: State, values: WaterValues, seat: int, other: int) -> int:
    """The value of giving one water from one seat to the other, in the better direction."""
    gain = 0
    if world.water[seat]:
        gain = values.one_more[other] - values.one_less[seat]
    if world.water[other]:
        gain = max(gain, values.one_more[seat] - values.one_less[other])
    return gain


@kernel
def _launch_pad_pull(world: State, weights: Weights) -> int:
    """The weight of the distance to the launch pad: 0 until all parts are found."""
    if world.taken == ALL_PARTS:
        return weights.home_pull
    located = 0
    for part in range(N_PARTS):
        located += world.part_at[part] >= 0
    return weights.gather_pull if popcount(world.taken) + located == N_PARTS else 0
