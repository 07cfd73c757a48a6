"""When to play gear: every card must bring more than it is kept for."""

from __future__ import annotations

from skerry.botkit.packed_array import at
from skerry.engine.bitset import lowest
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.plan import Goals, distance, lot
from skerry.games.forbidden_desert.bot.thirst import Sky, Team, burden, cards_until, odds, shortage
from skerry.games.forbidden_desert.bot.turn_search import Outlook, sweeping
from skerry.games.forbidden_desert.bot.weights import Weights
from skerry.games.forbidden_desert.rules import actions as act
from skerry.games.forbidden_desert.rules.components import BLASTER, PLACES, RESERVE, SEATS, SHIELD, TERRASCOPE
from skerry.games.forbidden_desert.rules.reach import companions, in_reach
from skerry.games.forbidden_desert.rules.state import State
from skerry.games.forbidden_desert.rules.storm import sheltered

NONE = -1  # no card to play


@kernel
def drink(world: State, weights: Weights, worth: Team, seat: int) -> int:
    """The Secret Water Reserve, for all on the tile."""
    if not world.gear[seat, RESERVE]:
        return NONE
    gain = 0
    for other in range(world.players):
        if world.pawn[other] == world.pawn[seat]:
            gain += worth.two[other]
    return act.PLAY_RESERVE if gain >= weights.reserve else NONE


@kernel
def shade(world: State, weights: Weights, sky: Sky, seat: int) -> int:
    """A Solar Shield, for all on the tile, before the first storm card of the own turn."""
    if not world.gear[seat, SHIELD] or world.shown or sheltered(world, seat):
        return NONE
    gain = 0
    for other in range(world.players):
        if world.pawn[other] == world.pawn[seat]:
            water = world.water[other]
            chances = odds(sky, cards_until(world, seat))
            gain += burden(weights, sky, chances, water) - shortage(weights, sky, water)
    return act.PLAY_SHIELD if gain >= weights.shield else NONE


@kernel
def blast(world: State, weights: Weights, look: Outlook, seat: int) -> int:
    """A Dune Blaster where it takes away most that matters."""
    if not world.gear[seat, BLASTER]:
        return NONE
    most, chosen = weights.blast, NONE
    places = in_reach(world, seat) & world.blocked
    while places:
        place = lowest(places)
        places &= places - 1
        markers = int(world.sand[place])
        gain = sweeping(weights, look, place, markers, markers)
        if place == world.pawn[seat] and not look.climbs:
            gain += weights.deep
        if gain > most:
            most, chosen = gain, act.BLAST + place
    return chosen


@kernel
def fly(world: State, weights: Weights, worth: Team, aims: Goals, seat: int, place: int) -> int:
    """A Jet Pack to a place; with whom that helps most too."""
    most, passenger = 0, NONE
    for other in range(world.players):
        if companions(world, seat) >> other & 1:
            cost = lot(world, weights, worth, aims, other)
            gain = at(cost, int(world.pawn[other])) - at(cost, place)
            if gain > most:
                most, passenger = gain, other
    return act.JET + place if passenger == NONE else act.JET_WITH + place * SEATS + passenger


@kernel
def peek(world: State, weights: Weights, aims: Goals, seat: int) -> int:
    """A Terrascope on the nearest dune, once many of them hold nothing that is needed."""
    if not world.gear[seat, TERRASCOPE] or not aims.unknown or not aims.useful:
        return NONE
    dunes, nearest, chosen = 0, 1 << 20, NONE
    for place in range(PLACES):
        if aims.unknown >> place & 1:
            dunes += 1
            steps = distance(world.pawn[seat], place) - world.sand[place]
            if steps < nearest:
                nearest, chosen = steps, place
    if (dunes - aims.useful) * 100 < weights.scope * dunes:
        return NONE
    return act.SCOPE + chosen
