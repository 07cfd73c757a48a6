"""Water: how often the sun may beat down before a pawn can act again, and what more or less to drink is worth."""

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
PROBABILITY_ONE = 1024  # chances are parts of this
FULL_HORIZON = 16  # and the rest of the game of this

SunProbabilities = tuple[
    int, int, int, int, int, int, int
]  # that it beats down so many times; the last also stands for more
PerSeat = tuple[int, int, int, int, int]  # a number for each seat
NO_SUN: SunProbabilities = (PROBABILITY_ONE, 0, 0, 0, 0, 0, 0)


class StormDeck(NamedTuple):
    """What a seat knows of the storm deck."""

    cards: int  # those it has not seen
    suns: int  # among them
    seen: int  # depths, counted from the top, of those it has
    sunny: int  # and of the suns among those
    ahead: int  # how long water will be needed, in sixteenths of the game


class WaterValues(NamedTuple):
    """What water is worth to each seat."""

    one: PerSeat  # one more, where it stands now
    two: PerSeat  # two more, in the sun until its next turn
    less: PerSeat  # one less, as a cost, where it stands now
    bare: PerSeat  # what standing in the sun until its next turn costs


@kernel
def _work_left(world: State) -> int:
    """Tiles to be found, and parts to be picked up, which take longer."""
    work = N_PARTS * 2 + TILES - CLUE
    for part in range(N_PARTS):
        work -= 2 * (world.taken >> part & 1)
    for place in range(PLACES):
        if world.excavated >> place & 1 and world.tile_at[place] >= CLUE:
            work -= 1
    return work


@kernel
def known_storm_deck(world: State, weights: Weights, seat: int) -> StormDeck:
    suns = SUN_CARDS - world.storm_discard[SUN]
    for i in range(world.shown):
        suns -= world.apart[i] == SUN
    places = known_storm_positions(world, seat)
    seen = sunny = 0
    cards = world.storm_left + 0
    while places:
        position = lowest_bit(places)
        places &= places - 1
        depth = 1 << world.storm_left - 1 - position
        seen |= depth
        cards -= 1
        if world.storm_deck[position] == SUN:
            sunny |= depth
            suns -= 1
    return StormDeck(cards, suns + 0, seen, sunny, min(FULL_HORIZON, weights.rest + _work_left(world)))


@kernel
def sun_probabilities(sky: StormDeck, cards: int) -> SunProbabilities:
    """How often the sun beats down in so many cards. Beyond the deck's end all cards are shuffled again."""
    window = (1 << cards) - 1
    sure = 0
    if sky.seen:
        sure = popcount(sky.sunny & window)
        cards -= popcount(sky.seen & window)
    deck, suns = sky.cards, sky.suns
    if cards > deck:
        sure += suns
        cards, deck, suns = min(cards - deck, STORM_DECK_SIZE), STORM_DECK_SIZE, SUN_CARDS
    return (
        _probability_of_suns(deck, suns, cards, -sure),
        _probability_of_suns(deck, suns, cards, 1 - sure),
        _probability_of_suns(deck, suns, cards, 2 - sure),
        _probability_of_suns(deck, suns, cards, 3 - sure),
        _probability_of_suns(deck, suns, cards, 4 - sure),
        _probability_of_suns(deck, suns, cards, 5 - sure),
        PROBABILITY_ONE if sure > 5 else _probability_of_suns(deck, suns, cards, 6 - sure),
    )


@kernel
def _probability_of_suns(deck: int, suns: int, cards: int, number: int) -> int:
    """The chance of just so many suns among the first cards of a deck."""
    if number < 0 or number > suns or number > cards or suns - number > deck - cards:
        return 0
    return PROBABILITY_ONE * BINOMIAL[cards, number] * BINOMIAL[deck - cards, suns - number] // BINOMIAL[deck, suns]


@kernel
def shortage_cost(weights: Weights, sky: StormDeck, water: int) -> int:
    """What having no more than so much costs; below nothing is death."""
    if water < 0:
        return weights.death
    cost = 0
    if water < 3:
        cost = weights.dry if water == 0 else weights.one if water == 1 else weights.two
    elif water < MAX_WATER:
        cost = weights.three if water == 3 else weights.four
    return cost * sky.ahead // FULL_HORIZON


@kernel
def expected_shortage_cost(weights: Weights, sky: StormDeck, chances: SunProbabilities, water: int) -> int:
    """The same, to be expected after some time in the sun."""
    total = 0
    for suns in range(len(chances)):
        if chances[suns]:
            total += chances[suns] * shortage_cost(weights, sky, water - suns)
    return total // PROBABILITY_ONE


@kernel
def cards_until(world: State, other: int) -> int:
    """The storm cards that come before a seat's next turn."""
    phases = (other - world.turn) % world.players
    if not phases:
        phases = world.players
    cards = storm_cards_per_turn(world)
    now = world.left if world.phase == STORM else cards - world.saved
    return now + (phases - 1) * cards


@kernel
def _seat_water_values(world: State, weights: Weights, sky: StormDeck, other: int) -> tuple[int, int, int, int]:
    """The numbers of one seat."""
    if other >= world.players:
        return 0, 0, 0, 0
    water = world.water[other]
    room = CANTEEN_SIZE[world.role[other]] - water
    chances = sun_probabilities(sky, cards_until(world, other))
    outside = expected_shortage_cost(weights, sky, chances, water)
    two = outside - expected_shortage_cost(weights, sky, chances, water + min(WELL_WATER, room))
    if is_sheltered(world, other):
        chances = NO_SUN
    now = expected_shortage_cost(weights, sky, chances, water)
    one = now - expected_shortage_cost(weights, sky, chances, water + min(1, room))
    less = expected_shortage_cost(weights, sky, chances, water - 1) - now
    return one, two, less, outside - shortage_cost(weights, sky, water)


@kernel
def water_values(world: State, weights: Weights, sky: StormDeck) -> WaterValues:
    a = _seat_water_values(world, weights, sky, 0)
    b = _seat_water_values(world, weights, sky, 1)
    c = _seat_water_values(world, weights, sky, 2)
    d = _seat_water_values(world, weights, sky, 3)
    e = _seat_water_values(world, weights, sky, 4)
    return WaterValues(
        (a[0], b[0], c[0], d[0], e[0]),
        (a[1], b[1], c[1], d[1], e[1]),
        (a[2], b[2], c[2], d[2], e[2]),
        (a[3], b[3], c[3], d[3], e[3]),
    )


@kernel
def sun_damage(world: State, weights: Weights, sky: StormDeck) -> int:
    """What one Sun Beats Down would cost the team now."""
    total = 0
    for seat in range(world.players):
        if not is_sheltered(world, seat):
            water = world.water[seat]
            total += shortage_cost(weights, sky, water - 1) - shortage_cost(weights, sky, water)
    return total
