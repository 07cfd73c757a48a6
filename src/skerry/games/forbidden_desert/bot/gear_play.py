"""When to play gear: a card must gain at least what it is kept for.

Each function returns the action that plays a kind of gear, or ``PASS`` where that gains too little.
"""

from __future__ import annotations

from skerry.botkit.packed_array import at
from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.engine.loop import PASS
from skerry.games.forbidden_desert.bot.plan import Goals, manhattan_distance, moved_pawn_cost
from skerry.games.forbidden_desert.bot.thirst import (
    StormDeck,
    WaterValues,
    cards_until_turn,
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

NOBODY = -1


@kernel
def play_reserve(world: State, weights: Weights, values: WaterValues, seat: int) -> int:
    """The Secret Water Reserve, by its value to all pawns on the tile."""
    if not world.gear[seat, WATER_RESERVE]:
        return PASS
    gain = 0
    for other in range(world.players):
        if world.pawn[other] == world.pawn[seat]:
            gain += values.two_more[other]
    return actions.PLAY_RESERVE if gain >= weights.reserve else PASS


@kernel
def play_shield(world: State, weights: Weights, deck: StormDeck, seat: int) -> int:
    """A Solar Shield, by its value to all pawns on the tile, before the first storm card of a turn."""
    if not world.gear[seat, SOLAR_SHIELD] or world.shown or is_sheltered(world, seat):
        return PASS
    gain = 0
    for other in range(world.players):
        if world.pawn[other] == world.pawn[seat]:
            water = world.water[other]
            probabilities = sun_probabilities(deck, cards_until_turn(world, seat))
            gain += expected_shortage_cost(weights, deck, probabilities, water) - shortage_cost(weights, deck, water)
    return actions.PLAY_SHIELD if gain >= weights.shield else PASS


@kernel
def play_blaster(world: State, weights: Weights, context: TurnContext, seat: int) -> int:
    """A Dune Blaster on the tile where removing the sand is worth most."""
    if not world.gear[seat, DUNE_BLASTER]:
        return PASS
    best_gain, action = weights.blast, PASS
    places = places_in_reach(world, seat) & world.blocked
    while places:
        place = lowest_bit(places)
        places &= places - 1
        markers = int(world.sand[place])
        gain = sand_removal_value(weights, context, place, markers, markers)
        if place == world.pawn[seat] and not context.climbs:
            gain += weights.deep
        if gain > best_gain:
            best_gain, action = gain, actions.BLAST + place
    return action


@kernel
def play_jet_pack(world: State, weights: Weights, values: WaterValues, goals: Goals, seat: int, place: int) -> int:
    """The action that flies a pawn to a place with a Jet Pack, along with the pawn that gains most by it."""
    best_gain, passenger = 0, NOBODY
    for other in range(world.players):
        if seats_on_same_tile(world, seat) >> other & 1:
            cost = moved_pawn_cost(world, weights, values, goals, other)
            gain = at(cost, int(world.pawn[other])) - at(cost, place)
            if gain > best_gain:
                best_gain, passenger = gain, other
    return actions.JET + place if passenger == NOBODY else actions.JET_WITH + place * SEATS + passenger


@kernel
def play_terrascope(world: State, weights: Weights, goals: Goals, seat: int) -> int:
    """A Terrascope on the nearest dune, once most unknown dunes hold nothing that is needed."""
    if not world.gear[seat, TERRASCOPE] or not goals.unknown or not goals.needed:
        return PASS
    dunes, nearest, chosen = 0, 1 << 20, 0
    for place in range(PLACES):
        if goals.unknown >> place & 1:
            dunes += 1
            distance = manhattan_distance(world.pawn[seat], place) - world.sand[place]
            if distance < nearest:
                nearest, chosen = distance, place
    if (dunes - goals.needed) * 100 < weights.scope * dunes:
        return PASS
    return actions.SCOPE + chosen
