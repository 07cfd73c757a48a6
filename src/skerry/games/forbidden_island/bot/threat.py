"""What the flood is likely to take next, and what it is worth to prevent that.

The flood deck is a stack of piles. It is public which cards lie in each pile, but not in which order; so of a pile only
its set of cards is read here. Probabilities are integers, in parts of ``PROBABILITY_ONE``, so that all machines compute
the same.
"""

from __future__ import annotations

from typing import NamedTuple

from skerry.botkit.packed_array import ZEROS, PackedArray, add
from skerry.engine.bitset import popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.weights import Weights
from skerry.games.forbidden_island.rules.components import (
    ADJACENT,
    CARD_COPIES,
    CARD_KINDS,
    FLOOD_CARDS_AT_TICK,
    FOOLS_LANDING,
    N_TREASURES,
    SKULL_TICK,
    TREASURE_DRAWS,
    WATERS_RISE,
)
from skerry.games.forbidden_island.rules.reach import tile_places
from skerry.games.forbidden_island.rules.state import DRAWING, FLOODING, State

PROBABILITY_ONE = 1024
SHORE_UP_BASE_VALUE = 2  # of shoring up any tile: more than the value of an unused action


class FloodPiles(NamedTuple):
    """The piles of the flood deck and the flood discard, each as the set of places of its tiles."""

    top: int
    second: int
    deep: int  # all piles below the second
    discard: int


IN_TOP_PILE, IN_SECOND_PILE, IN_DEEP_PILE, IN_DISCARD_PILE = range(4)  # the fields of FloodPiles


class DrawProbabilities(NamedTuple):
    """The probability that any one card of each pile is drawn."""

    top: int
    second: int
    deep: int
    discard: int


class TilesByLoss(NamedTuple):
    """The remaining tiles by what losing them would mean, each class as a set of places."""

    landing: int  # Fools' Landing
    vital: int  # the last tile of an uncaptured treasure
    twin: int  # both tiles of an uncaptured treasure remain, at least one of them dry
    shaky: int  # both tiles of an uncaptured treasure remain, both flooded
    plain: int  # all others


@kernel
def flood_piles(world: State) -> FloodPiles:
    """Which cards lie in which pile."""
    top = second = deep = discard = 0
    pile = 0
    for position in range(world.flood_left - 1, -1, -1):
        card = 1 << world.place_of[world.flood_deck[position]]
        if pile == 0:
            top |= card
        elif pile == 1:
            second |= card
        else:
            deep |= card
        pile += world.layers >> position & 1
    for i in range(world.flood_shown):
        discard |= 1 << world.place_of[world.flood_discard[i]]
    return FloodPiles(top, second, deep, discard)


@kernel
def pile_of(place: int, piles: FloodPiles) -> int:
    """The pile with the flood card of a place, as an index into ``FloodPiles``."""
    bit = 1 << place
    if piles.top & bit:
        return IN_TOP_PILE
    if piles.second & bit:
        return IN_SECOND_PILE
    return IN_DISCARD_PILE if piles.discard & bit else IN_DEEP_PILE


@kernel
def _pile_probability(draws: int, above: int, size: int) -> int:
    """The probability that a card of a pile is drawn, given the number of cards above the pile and in it."""
    if draws <= above or not size:
        return 0
    return min(PROBABILITY_ONE, PROBABILITY_ONE * (draws - above) // size)


@kernel
def _no_rise_probability(cards: int, rises: int, draws: int) -> int:
    """The probability of drawing none of ``rises`` special cards from a deck of ``cards``."""
    probability = PROBABILITY_ONE
    for i in range(draws):
        probability = probability * max(0, cards - rises - i) // (cards - i)
    return probability


@kernel
def waters_rise_probability(world: State, draws: int) -> int:
    """The probability that the next treasure cards bring a Waters Rise!, across a renewal of the deck."""
    left, discarded = world.treasure_left, world.treasure_discard[WATERS_RISE]
    no_rise = _no_rise_probability(left, CARD_COPIES[WATERS_RISE] - discarded, min(draws, left))
    if draws > left:
        cards = 0
        for card in range(CARD_KINDS):
            cards += world.treasure_discard[card]
        no_rise = no_rise * _no_rise_probability(cards, discarded, min(draws - left, cards)) // PROBABILITY_ONE
    return PROBABILITY_ONE - no_rise


@kernel
def _draw_probabilities(
    world: State, piles: FloodPiles, treasure_draws: int, flood_draws: int, draws_after_rise: int
) -> DrawProbabilities:
    """Probabilities after some treasure cards and ``flood_draws`` flood cards, or ``draws_after_rise`` of them if the
    treasure cards bring a Waters Rise!, which puts the discard on top."""
    top, second, deep, discard = (
        popcount(piles.top),
        popcount(piles.second),
        popcount(piles.deep),
        popcount(piles.discard),
    )
    rise = waters_rise_probability(world, treasure_draws)
    no_rise = PROBABILITY_ONE - rise
    deck = top + second + deep
    return DrawProbabilities(
        _mean(
            no_rise,
            _pile_probability(flood_draws, 0, top),
            rise,
            _pile_probability(draws_after_rise, discard, top),
        ),
        _mean(
            no_rise,
            _pile_probability(flood_draws, top, second),
            rise,
            _pile_probability(draws_after_rise, discard + top, second),
        ),
        _mean(
            no_rise,
            _pile_probability(flood_draws, top + second, deep),
            rise,
            _pile_probability(draws_after_rise, discard + top + second, deep),
        ),
        _mean(
            no_rise,
            _pile_probability(flood_draws, deck, discard + deck),
            rise,
            _pile_probability(draws_after_rise, 0, discard),
        ),
    )


@kernel
def _mean(weight: int, probability: int, other_weight: int, other_probability: int) -> int:
    """The mean of two probabilities, weighted by two others."""
    return (weight * probability + other_weight * other_probability) // PROBABILITY_ONE


@kernel
def probabilities_this_turn(world: State, piles: FloodPiles) -> DrawProbabilities:
    """Probabilities for the flood that ends this turn."""
    if world.phase == FLOODING:
        return _draw_probabilities(world, piles, 0, world.left, world.left)
    treasure_draws = world.left if world.phase == DRAWING else TREASURE_DRAWS
    flood_draws = FLOOD_CARDS_AT_TICK[world.water]
    draws_after_rise = FLOOD_CARDS_AT_TICK[min(world.water + 1, SKULL_TICK - 1)]
    return _draw_probabilities(world, piles, treasure_draws, flood_draws, draws_after_rise)


@kernel
def probabilities_within(world: State, piles: FloodPiles, turns: int) -> DrawProbabilities:
    """Probabilities within a number of whole turns."""
    flood_draws = FLOOD_CARDS_AT_TICK[world.water]
    draws_after_rise = FLOOD_CARDS_AT_TICK[min(world.water + 1, SKULL_TICK - 1)]
    return _draw_probabilities(world, piles, turns * TREASURE_DRAWS, turns * flood_draws, turns * draws_after_rise)


@kernel
def tiles_by_loss(world: State) -> TilesByLoss:
    """Sort the remaining tiles by what losing them would mean."""
    remaining = tile_places(world)
    landing = 1 << world.place_of[FOOLS_LANDING]
    vital = twin = shaky = 0
    for treasure in range(N_TREASURES):
        if world.captor[treasure] < 0:
            both = 1 << world.place_of[2 * treasure] | 1 << world.place_of[2 * treasure + 1]
            left = both & remaining
            if left != both:
                vital |= left
            elif left & ~world.flooded:
                twin |= left
            else:
                shaky |= left
    return TilesByLoss(landing, vital, twin, shaky, remaining & ~(landing | vital | twin | shaky))


@kernel
def precious_tiles(tiles: TilesByLoss) -> int:
    """The tiles whose loss can lead to the loss of the game."""
    return tiles.landing | tiles.vital | tiles.twin | tiles.shaky


@kernel
def treasures_left(world: State) -> int:
    """The number of treasures that are not captured."""
    n = 0
    for treasure in range(N_TREASURES):
        n += world.captor[treasure] < 0
    return n


@kernel
def shore_up_values(world: State, weights: Weights, piles: FloodPiles, tiles: TilesByLoss) -> PackedArray:
    """The value of shoring up each flooded tile: the cost of its loss times the risk of it."""
    this_turn = probabilities_this_turn(world, piles)
    soon = probabilities_within(world, piles, weights.foresight)
    plain_cost = weights.plain * (1 + treasures_left(world)) // (1 + N_TREASURES)
    near_landing = ADJACENT[world.layout, world.place_of[FOOLS_LANDING]]
    values = ZEROS
    for pile, probability_now, probability_soon in (
        (piles.top, this_turn.top, soon.top),
        (piles.second, this_turn.second, soon.second),
        (piles.deep, this_turn.deep, soon.deep),
        (piles.discard, this_turn.discard, soon.discard),
    ):
        risk = (probability_now * weights.at_once + probability_soon * weights.later) // 100
        flooded = pile & world.flooded
        values = add(values, flooded & tiles.landing, risk * weights.landing // PROBABILITY_ONE)
        values = add(values, flooded & tiles.vital, risk * weights.vital // PROBABILITY_ONE)
        values = add(values, flooded & tiles.twin, risk * weights.twin // PROBABILITY_ONE)
        values = add(values, flooded & tiles.shaky, risk * weights.shaky // PROBABILITY_ONE)
        values = add(values, flooded & tiles.plain, risk * plain_cost // PROBABILITY_ONE)
        values = add(values, flooded & tiles.plain & near_landing, risk * weights.near // PROBABILITY_ONE)
    return add(values, world.flooded, SHORE_UP_BASE_VALUE)
