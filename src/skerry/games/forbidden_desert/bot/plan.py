"""What there is to do in the desert, and where that draws each pawn.

All of it follows from what a seat may know: unseen tiles are counted, never looked at.
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
    """Sets of places, but for ``finds``."""

    finds: PackedArray  # what excavating is worth
    dunes: int  # worth to go to and excavate
    unknown: int  # dunes that the seat has not looked under
    useful: int  # how many of them are needed
    wet: int  # unexcavated water tiles, of which one may be a well
    wells: int  # excavated
    rally: int  # the water tile where all can meet soonest, as a set
    parts: int  # where parts lie
    pad: int  # the launch pad, once excavated


@kernel
def find_goals(world: State, weights: Weights, worth: WaterValues, seat: int) -> Goals:
    wet, wells, pad = _public_tiles(world)
    unknown, useful, spoil = _unknown_dunes(world, weights, seat)
    parts = part_places(world)
    dunes = parts & ~world.excavated
    finds = add(_known_find_values(world, weights, seat), dunes, weights.uncover)
    if unknown:
        finds = add(finds, unknown, spoil // popcount(unknown))
    if useful:
        dunes |= unknown
    dunes |= _known_needed_dunes(world, seat)
    springs, drops = N_WELLS - popcount(wells), wet
    while drops:
        place = lowest_bit(drops)
        drops &= drops - 1
        value = _well_value(world, weights, worth, seat, place, springs, popcount(wet), wells)
        finds = add(finds, 1 << place, value)
        if value >= weights.drill:
            dunes |= 1 << place
    return Goals(finds, dunes, unknown, useful, wet, wells, _rally_point(world, wet, springs), parts, pad)


@kernel
def _public_tiles(world: State) -> tuple[int, int, int]:
    """What everybody sees: water tiles to be excavated, wells, the launch pad."""
    wet = wells = pad = 0
    for place in range(PLACES):
        tile, bit = world.tile_at[place], 1 << place
        if WELL <= tile <= MIRAGE:
            if not world.excavated & bit:
                wet |= bit
            elif tile < MIRAGE:
                wells |= bit
        elif tile == LAUNCH_PAD:
            pad = world.excavated & bit
    return wet, wells, pad


@kernel
def _unknown_dunes(world: State, weights: Weights, seat: int) -> tuple[int, int, int]:
    """The dunes the seat knows nothing of, how many of them are needed, and what all together are worth."""
    unknown = useful = spoil = 0
    for place in range(PLACES):
        tile = world.tile_at[place]
        if tile >= 0 and not shows_water_mark(world, place) and not knows_tile(world, seat, place):
            unknown |= 1 << place
            useful += tile >= CLUE
            spoil += _find_value(weights, tile)
    return unknown, useful, spoil


@kernel
def _known_find_values(world: State, weights: Weights, seat: int) -> PackedArray:
    """What excavating is worth where the seat knows what comes."""
    finds = ZEROS
    for place in range(PLACES):
        tile = world.tile_at[place]
        known = tile == CRASH or world.known_by[place] >> seat & 1
        if known and not world.excavated >> place & 1 and not shows_water_mark(world, place):
            finds = add(finds, 1 << place, _find_value(weights, tile))
    return finds


@kernel
def _find_value(weights: Weights, tile: int) -> int:
    """What lies under a dune."""
    if tile >= CLUE:
        return weights.pad if tile == LAUNCH_PAD else weights.clue
    return weights.tunnel + weights.gear if tile >= TUNNEL else weights.gear


@kernel
def _known_needed_dunes(world: State, seat: int) -> int:
    """Dunes under which the seat has seen what is needed."""
    places = 0
    for place in range(PLACES):
        if world.known_by[place] >> seat & 1 and world.tile_at[place] >= CLUE:
            places |= 1 << place
    return places & ~world.excavated


@kernel
def part_places(world: State) -> int:
    places = 0
    for part in range(N_PARTS):
        if world.part_at[part] >= 0:
            places |= 1 << world.part_at[part]
    return places & tile_places(world)


@kernel
def _well_value(
    world: State, weights: Weights, worth: WaterValues, seat: int, place: int, springs: int, drops: int, wells: int
) -> int:
    """What excavating a water tile brings to those who will be there, less what the others miss by it."""
    if world.known_by[place] >> seat & 1:
        springs, drops = (1 if world.tile_at[place] < MIRAGE else 0), 1
    here = away = 0
    for other in range(world.players):
        if other == seat or world.pawn[other] == place:
            here += worth.two[other]
        else:
            away += worth.two[other]
    gain = here - away * weights.well_wait // 100 - weights.well_keep
    if not wells and water_carrier_seat(world) >= 0:
        gain += weights.spring
    return max(0, gain * springs // drops)


@kernel
def water_carrier_seat(world: State) -> int:
    """The Water Carrier's seat, or -1."""
    for seat in range(world.players):
        if world.role[seat] == WATER_CARRIER:
            return seat
    return -1


@kernel
def _rally_point(world: State, wet: int, springs: int) -> int:
    """The water tile with the fewest steps for all pawns together."""
    best, fewest = 0, 1 << 20
    while wet and springs:
        place = lowest_bit(wet)
        wet &= wet - 1
        steps = 2 * world.sand[place]
        for seat in range(world.players):
            steps += manhattan_distance(world.pawn[seat], place)
        if steps < fewest:
            best, fewest = 1 << place, steps
    return best


@kernel
def manhattan_distance(start: int, end: int) -> int:
    return abs(start // SIDE - end // SIDE) + abs(start % SIDE - end % SIDE)


@kernel
def position_cost(world: State, weights: Weights, worth: WaterValues, aims: Goals, seat: int) -> PackedArray:
    """What it costs a seat's pawn to stand at each place until its next turn: the sun, and the way to its goals."""
    cost = add(ZEROS, tile_places(world) & ~world.tunnels, max(0, worth.bare[seat]))
    cost = add(cost, world.sandy, weights.sandy)
    cost = add_distance_cost(world, seat, cost, world.tunnels, worth.bare[seat] * weights.shelter_pull // 100)
    cost = _add_part_cost(world, weights, aims, seat, cost)
    cost = _add_water_cost(world, weights, worth, aims, seat, cost)
    return add_distance_cost(world, seat, cost, aims.pad, _launch_pad_pull(world, weights, aims))


@kernel
def moved_pawn_cost(world: State, weights: Weights, worth: WaterValues, aims: Goals, seat: int) -> PackedArray:
    """The same for a pawn that others move: dunes to excavate draw it too."""
    return add_distance_cost(
        world, seat, position_cost(world, weights, worth, aims, seat), aims.dunes, weights.dig_pull
    )


@kernel
def _add_part_cost(world: State, weights: Weights, aims: Goals, seat: int, cost: PackedArray) -> PackedArray:
    """The nearest pawn goes for a part; two parts on one tile are one errand."""
    places = aims.parts
    while places:
        place = lowest_bit(places)
        places &= places - 1
        own = manhattan_distance(world.pawn[seat], place)
        nearest = True
        for other in range(world.players):
            nearest &= manhattan_distance(world.pawn[other], place) >= own
        cost = add_distance_cost(world, seat, cost, 1 << place, weights.part_pull if nearest else weights.aid_pull)
    return cost


@kernel
def _add_water_cost(
    world: State, weights: Weights, worth: WaterValues, aims: Goals, seat: int, cost: PackedArray
) -> PackedArray:
    carries = world.role[seat] == WATER_CARRIER
    thirst = worth.two[seat] * weights.well_pull // 100
    if carries and not aims.wells:
        thirst += weights.spring_pull
    cost = add_distance_cost(world, seat, cost, aims.rally, thirst)
    if carries:
        room = CANTEEN_SIZE[WATER_CARRIER] - world.water[seat]
        cost = add_distance_cost(world, seat, cost, aims.wells, room * weights.refill_pull)
    for other in range(world.players):
        if other != seat:
            gain = _exchange_value(world, worth, seat, other)
            if gain > 0:
                spot = 1 << world.pawn[other]
                if carries or world.role[other] == WATER_CARRIER:
                    spot |= ADJACENT[world.pawn[other]]
                cost = add_distance_cost(world, seat, cost, spot, gain * weights.share_pull // 100)
    return cost


@kernel
def _exchange_value(world: State, worth: WaterValues, seat: int, other: int) -> int:
    """What one water from the one to the other, whichever way is better, would bring."""
    gain = 0
    if world.water[seat]:
        gain = worth.one[other] - worth.less[seat]
    if world.water[other]:
        gain = max(gain, worth.one[seat] - worth.less[other])
    return gain


@kernel
def _launch_pad_pull(world: State, weights: Weights, aims: Goals) -> int:
    if world.taken == ALL_PARTS:
        return weights.home_pull
    lying = 0
    for part in range(N_PARTS):
        lying += world.part_at[part] >= 0
    return weights.gather_pull if popcount(world.taken) + lying == N_PARTS else 0
