"""Water: how often the sun may beat down before a pawn's next turn, and what more or less water is worth.

Probabilities are integers, in parts of ``PROBABILITY_ONE``, so that all machines compute the same.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.kernel import kernel, lookup_table
from skerry.games.forbidden_desert.bot.weights import Weights
from skerry.games.forbidden_desert.rules.components import (
    CANTEEN_SIZE,
    CLUE,
    MAX_WATER,
    N_PARTS,
    PLACES,
    STORM_COPIES,
    STORM_DECK_SIZE,
    SUN,
    TILES,
    WELL_WATER,
)
from skerry.games.forbidden_desert.rules.knowledge import known_storm_positions
from skerry.games.forbidden_desert.rules.state import STORM, State
from skerry.games.forbidden_desert.rules.storm import is_sheltered, storm_cards_per_turn

SUN_CARDS = int(STORM_COPIES[SUN])
BINOMIAL = lookup_table([[comb(n, k) for k in range(SUN_CARDS + 1)] for n in range(STORM_DECK_SIZE + 1)])
PROBABILITY_ONE = 1024
FULL_HORIZON = 16  # the horizon at the beginning of a game

# The probabilities that the sun beats down 0 to 5 times, and 6 times or more.
SunProbabilities = tuple[int, int, int, int, int, int, int]
PerSeat = tuple[int, int, int, int, int]  # a number for each seat
NO_SUN: SunProbabilities = (PROBABILITY_ONE, 0, 0, 0, 0, 0, 0)


class StormDeck(NamedTuple):
    """What a seat knows of the storm deck."""

    unseen_cards: int  # number of cards that it has not seen
    unseen_suns: int  # number of suns among them
    seen: int  # bit set of the cards that it has seen, by their depth from the top
    seen_suns: int  # bit set of the suns among those
    horizon: int  # how long water will be needed, in sixteenths of a game


class WaterValues(NamedTuple):
    """The value of water to each seat."""

    one_more: PerSeat  # value of one more, where the pawn is now
    two_more: PerSeat  # value of two more, in the sun until its next turn
    one_less: PerSeat  # cost of one less, where the pawn is now
    sun: PerSeat  # cost of being in the sun until its next turn


@kernel
def _work_left(world: State) -> int:
    """The work left: needed tiles to find, and parts to pick up, which count double."""
    work = N_PARTS * 2 + TILES - CLUE
    for part in range(N_PARTS):
        work -= 2 * (world.taken >> part & 1)
    for place in range(PLACES):
        if world.excavated >> place & 1 and world.tile_at[place] >= CLUE:
            work -= 1
    return work


@kernel
def known_storm_deck(world: State, weights: Weights, seat: int) -> StormDeck:
    """What a seat knows of the storm deck."""
    suns = SUN_CARDS - world.storm_discard[SUN]
    for i in range(world.shown):
        suns -= world.apart[i] == SUN
    places = known_storm_positions(world, seat)
    seen = seen_suns = 0
    cards = world.storm_left + 0
    while places:
        position = lowest_bit(places)
        places &= places - 1
        depth = 1 << world.storm_left - 1 - position
        seen |= depth
        cards -= 1
        if world.storm_deck[position] == SUN:
            seen_suns |= depth
            suns -= 1
    return StormDeck(cards, suns + 0, seen, seen_suns, min(FULL_HORIZON, weights.rest + _work_left(world)))


@kernel
def sun_probabilities(deck: StormDeck, cards: int) -> SunProbabilities:
    """How often the sun beats down in the next cards. After the last card of the deck, all are shuffled again."""
    window = (1 << cards) - 1
    certain = 0
    if deck.seen:
        certain = popcount(deck.seen_suns & window)
        cards -= popcount(deck.seen & window)
    size, suns = deck.unseen_cards, deck.unseen_suns
    if cards > size:
        certain += suns
        cards, size, suns = min(cards - size, STORM_DECK_SIZE), STORM_DECK_SIZE, SUN_CARDS
    return (
        _probability_of_suns(size, suns, cards, -certain),
        _probability_of_suns(size, suns, cards, 1 - certain),
        _probability_of_suns(size, suns, cards, 2 - certain),
        _probability_of_suns(size, suns, cards, 3 - certain),
        _probability_of_suns(size, suns, cards, 4 - certain),
        _probability_of_suns(size, suns, cards, 5 - certain),
        PROBABILITY_ONE if certain > 5 else _probability_of_suns(size, suns, cards, 6 - certain),
    )


@kernel
def _probability_of_suns(size: int, suns: int, cards: int, number: int) -> int:
    """The probability of exactly ``number`` suns among the first cards of a deck."""
    if number < 0 or number > suns or number > cards or suns - number > size - cards:
        return 0
    return PROBABILITY_ONE * BINOMIAL[cards, number] * BINOMIAL[size - cards, suns - number] // BINOMIAL[size, suns]


@kernel
def thirst_probability(probabilities: SunProbabilities, water: int) -> float:
    """The probability that the sun beats down more often than a seat has water."""
    enough = 0
    for suns in range(len(probabilities)):
        if suns <= water:
            enough += probabilities[suns]
    return max(0.0, 1.0 - enough / PROBABILITY_ONE)


@kernel
def shortage_cost(weights: Weights, deck: StormDeck, water: int) -> int:
    """The cost of having only this much water; below 0 is death."""
    if water < 0:
        return weights.death
    cost = 0
    if water < 3:
        cost = weights.dry if water == 0 else weights.one if water == 1 else weights.two
    elif water < MAX_WATER:
        cost = weights.three if water == 3 else weights.four
    return cost * deck.horizon // FULL_HORIZON


@kernel
def expected_shortage_cost(weights: Weights, deck: StormDeck, probabilities: SunProbabilities, water: int) -> int:
    """The expected shortage cost after some time in the sun."""
    total = 0
    for suns in range(len(probabilities)):
        if probabilities[suns]:
            total += probabilities[suns] * shortage_cost(weights, deck, water - suns)
    return total // PROBABILITY_ONE


@kernel
def cards_until_turn(world: State, other: int) -> int:
    """The number of storm cards that come before a seat's next turn."""
    phases = (other - world.turn) % world.players
    if not phases:
        phases = world.players
    cards = storm_cards_per_turn(world)
    this_turn = world.left if world.phase == STORM else cards - world.saved
    return this_turn + (phases - 1) * cards


class SeatWaterValues(NamedTuple):
    """``WaterValues`` of one seat."""

    one_more: int
    two_more: int
    one_less: int
    sun: int


@kernel
def _seat_water_values(world: State, weights: Weights, deck: StormDeck, other: int) -> SeatWaterValues:
    if other >= world.players:
        return SeatWaterValues(0, 0, 0, 0)
    water = world.water[other]
    room = CANTEEN_SIZE[world.role[other]] - water
    probabilities = sun_probabilities(deck, cards_until_turn(world, other))
    cost_in_sun = expected_shortage_cost(weights, deck, probabilities, water)
    two_more = cost_in_sun - expected_shortage_cost(weights, deck, probabilities, water + min(WELL_WATER, room))
    if is_sheltered(world, other):
        probabilities = NO_SUN
    cost = expected_shortage_cost(weights, deck, probabilities, water)
    one_more = cost - expected_shortage_cost(weights, deck, probabilities, water + min(1, room))
    one_less = expected_shortage_cost(weights, deck, probabilities, water - 1) - cost
    return SeatWaterValues(one_more, two_more, one_less, cost_in_sun - shortage_cost(weights, deck, water))


@kernel
def water_values(world: State, weights: Weights, deck: StormDeck) -> WaterValues:
    """The value of water to each seat."""
    a = _seat_water_values(world, weights, deck, 0)
    b = _seat_water_values(world, weights, deck, 1)
    c = _seat_water_values(world, weights, deck, 2)
    d = _seat_water_values(world, weights, deck, 3)
    e = _seat_water_values(world, weights, deck, 4)
    return WaterValues(
        (a.one_more, b.one_more, c.one_more, d.one_more, e.one_more),
        (a.two_more, b.two_more, c.two_more, d.two_more, e.two_more),
        (a.one_less, b.one_less, c.one_less, d.one_less, e.one_less),
        (a.sun, b.sun, c.sun, d.sun, e.sun),
    )


@kernel
def sun_damage(world: State, weights: Weights, deck: StormDeck) -> int:
    """The cost of one Sun Beats Down to the team now."""
    total = 0
    for seat in range(world.players):
        if not is_sheltered(world, seat):
            water = world.water[seat]
            total += shortage_cost(weights, deck, water - 1) - shortage_cost(weights, deck, water)
    return total
