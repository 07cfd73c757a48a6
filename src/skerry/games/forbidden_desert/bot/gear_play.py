"""When to play gear: every card must bring more than it is kept for."""

from __future__ import annotations

from skerry.botkit.packed_array import at
from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.plan import Goals, manhattan_distance, moved_pawn_cost
from skerry.games.forbidden_desert.bot.thirst import (
    StormDeck,
    WaterValues,
    cards_until,
    expected_shortage_cost,
    shortage_cost,
    sun_probabilities,
)
from skerry.games.forbidden_desert.bot.turn_search import TurnContext, sand_removal_value
from skerry.games.forbidden_desert.bot.weights import Weights
from skerry.games.forbidden_desert.rules import actions
from skerry.games.forbidden_desert.rules.components import (
    DUNE_BLASTER,
    PLACES,
    SEATS,
    SOLAR_SHIELD,
    TERRASCOPE,
    WATER_RESERVE,
)
from skerry.games.forbidden_desert.rules.reach import places_in_reach, seats_on_same_tile
from skerry.games.forbidden_desert.rules.state import State
from skerry.games.forbidden_desert.rules.storm import is_sheltered

NO_ACTION = -1  # no card to play


@kernel
def play_reserve(world: State, weights: Weights, worth: WaterValues, seat: int) -> int:
    """The Secret Water Reserve, for all on the tile."""
    if not world.gear[seat, WATER_RESERVE]:
        return NO_ACTION
    gain = 0
    for other in range(world.players):
        if world.pawn[other] == world.pawn[seat]:
            gain += worth.two[other]
    return actions.PLAY_RESERVE if gain >= weights.reserve else NO_ACTION


@kernel
def play_shield(world: State, weights: Weights, sky: StormDeck, seat: int) -> int:
    """A Solar Shield, for all on the tile, before the first storm card of the own turn."""
    if not world.gear[seat, SOLAR_SHIELD] or world.shown or is_sheltered(world, seat):
        return NO_ACTION
    gain = 0
    for other in range(world.players):
        if world.pawn[other] == world.pawn[seat]:
            water = world.water[other]
            chances = sun_probabilities(sky, cards_until(world, seat))
            gain += expected_shortage_cost(weights, sky, chances, water) - shortage_cost(weights, sky, water)
    return actions.PLAY_SHIELD if gain >= weights.shield else NO_ACTION


@kernel
def play_blaster(world: State, weights: Weights, look: TurnContext, seat: int) -> int:
    """A Dune Blaster where it takes away most that matters."""
    if not world.gear[seat, DUNE_BLASTER]:
        return NO_ACTION
    most, chosen = weights.blast, NO_ACTION
    places = places_in_reach(world, seat) & world.blocked
    while places:
        place = lowest_bit(places)
        places &= places - 1
        markers = int(world.sand[place])
        gain = sand_removal_value(weights, look, place, markers, markers)
        if place == world.pawn[seat] and not look.climbs:
            gain += weights.deep
        if gain > most:
            most, chosen = gain, actions.BLAST + place
    return chosen


@kernel
def play_jet_pack(world: State, weights: Weights, worth: WaterValues, aims: Goals, seat: int, place: int) -> int:
    """A Jet Pack to a place; with whom that helps most too."""
    most, passenger = 0, NO_ACTION
    for other in range(world.players):
        if seats_on_same_tile(world, seat) >> other & 1:
            cost = moved_pawn_cost(world, weights, worth, aims, other)
            gain = at(cost, int(world.pawn[other])) - at(cost, place)
            if gain > most:
                most, passenger = gain, other
    return actions.JET + place if passenger == NO_ACTION else actions.JET_WITH + place * SEATS + passenger


@kernel
def play_terrascope(world: State, weights: Weights, aims: Goals, seat: int) -> int:
    """A Terrascope on the nearest dune, once many of them hold nothing that is needed."""
    if not world.gear[seat, TERRASCOPE] or not aims.unknown or not aims.useful:
        return NO_ACTION
    dunes, nearest, chosen = 0, 1 << 20, NO_ACTION
    for place in range(PLACES):
        if aims.unknown >> place & 1:
            dunes += 1
            steps = manhattan_distance(world.pawn[seat], place) - world.sand[place]
            if steps < nearest:
                nearest, chosen = steps, place
    if (dunes - aims.useful) * 100 < weights.scope * dunes:
        return NO_ACTION
    return actions.SCOPE + chosen
