"""What the water is likely to take next, and what that would cost.

The flood deck is a stack of piles. Which cards lie in each is public, their order is not: all that is read here of a
pile is what is in it.
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

DRY_TILE_VALUE = 2  # what any dry tile is worth: more than an action not taken
PROBABILITY_ONE = 1024  # a chance of one; chances are whole numbers, so that every machine computes the same


class FloodPiles(NamedTuple):
    """Places whose flood cards lie in the top pile of the deck, in the one below, further below, in the discard."""

    top: int
    second: int
    deep: int
    shown: int


class DrawProbabilities(NamedTuple):
    """How likely a card of each pile is drawn."""

    top: int
    second: int
    deep: int
    shown: int


class TilesByLoss(NamedTuple):
    """The tiles still there, by what their loss means."""

    landing: int
    vital: int  # the last tile of a treasure nobody has
    twin: int  # one of two, the other dry
    shaky: int  # one of two, both flooded
    plain: int


@kernel
def flood_piles(world: State) -> FloodPiles:
    top = second = deep = shown = 0
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
        shown |= 1 << world.place_of[world.flood_discard[i]]
    return FloodPiles(top, second, deep, shown)


@kernel
def _pile_probability(draws: int, above: int, size: int) -> int:
    """How likely a card of a pile is drawn that lies under so many others."""
    if draws <= above or not size:
        return 0
    return min(PROBABILITY_ONE, PROBABILITY_ONE * (draws - above) // size)


@kernel
def _no_rise_probability(cards: int, rising: int, draws: int) -> int:
    """How likely none of the rising cards among so many is drawn."""
    calm = PROBABILITY_ONE
    for i in range(draws):
        calm = calm * max(0, cards - rising - i) // (cards - i)
    return calm


@kernel
def waters_rise_probability(world: State, draws: int) -> int:
    """How likely so many treasure cards bring Waters Rise!, through a new deck of the discard if this one runs out."""
    left, shown = world.treasure_left, world.treasure_discard[WATERS_RISE]
    calm = _no_rise_probability(left, CARD_COPIES[WATERS_RISE] - shown, min(draws, left))
    if draws > left:
        cards = 0
        for card in range(CARD_KINDS):
            cards += world.treasure_discard[card]
        calm = calm * _no_rise_probability(cards, shown, min(draws - left, cards)) // PROBABILITY_ONE
    return PROBABILITY_ONE - calm


@kernel
def _draw_probabilities(world: State, lie: FloodPiles, draws: int, floods: int, more: int) -> DrawProbabilities:
    """After so many treasure cards and ``floods`` flood cards, or ``more`` if the water rises meanwhile."""
    top, second, deep, shown = popcount(lie.top), popcount(lie.second), popcount(lie.deep), popcount(lie.shown)
    rise = waters_rise_probability(world, draws)
    calm = PROBABILITY_ONE - rise
    deck = top + second + deep
    return DrawProbabilities(
        (calm * _pile_probability(floods, 0, top) + rise * _pile_probability(more, shown, top)) // PROBABILITY_ONE,
        (calm * _pile_probability(floods, top, second) + rise * _pile_probability(more, shown + top, second))
        // PROBABILITY_ONE,
        (
            calm * _pile_probability(floods, top + second, deep)
            + rise * _pile_probability(more, shown + top + second, deep)
        )
        // PROBABILITY_ONE,
        (calm * _pile_probability(floods, deck, shown + deck) + rise * _pile_probability(more, 0, shown))
        // PROBABILITY_ONE,
    )


@kernel
def probabilities_this_turn(world: State, lie: FloodPiles) -> DrawProbabilities:
    """Chances in the flood that ends this turn."""
    if world.phase == FLOODING:
        return _draw_probabilities(world, lie, 0, world.left, world.left)
    draws = world.left if world.phase == DRAWING else TREASURE_DRAWS
    return _draw_probabilities(
        world, lie, draws, FLOOD_CARDS_AT_TICK[world.water], FLOOD_CARDS_AT_TICK[min(world.water + 1, SKULL_TICK - 1)]
    )


@kernel
def probabilities_within(world: State, lie: FloodPiles, turns: int) -> DrawProbabilities:
    """Chances within so many turns."""
    floods, more = FLOOD_CARDS_AT_TICK[world.water], FLOOD_CARDS_AT_TICK[min(world.water + 1, SKULL_TICK - 1)]
    return _draw_probabilities(world, lie, turns * TREASURE_DRAWS, turns * floods, turns * more)


@kernel
def tiles_by_loss(world: State) -> TilesByLoss:
    land = tile_places(world)
    landing = 1 << world.place_of[FOOLS_LANDING]
    vital = twin = shaky = 0
    for treasure in range(N_TREASURES):
        if world.captor[treasure] < 0:
            first, other = 1 << world.place_of[2 * treasure], 1 << world.place_of[2 * treasure + 1]
            both = (first | other) & land
            if both != first | other:
                vital |= both
            elif both & ~world.flooded:
                twin |= both
            else:
                shaky |= both
    return TilesByLoss(landing, vital, twin, shaky, land & ~(landing | vital | twin | shaky))


@kernel
def treasures_left(world: State) -> int:
    """How many treasures are still to be captured."""
    n = 0
    for treasure in range(N_TREASURES):
        n += world.captor[treasure] < 0
    return n


@kernel
def shore_up_values(world: State, weights: Weights, lie: FloodPiles, kind: TilesByLoss) -> PackedArray:
    """What each flooded tile's danger costs, which is what shoring it up is worth."""
    at_once, later = probabilities_this_turn(world, lie), probabilities_within(world, lie, weights.foresight)
    flooded = world.flooded
    plain = weights.plain * (1 + treasures_left(world)) // (1 + N_TREASURES)
    near = ADJACENT[world.layout, world.place_of[FOOLS_LANDING]]
    chart = ZEROS
    for pile, first, then in (
        (lie.top, at_once.top, later.top),
        (lie.second, at_once.second, later.second),
        (lie.deep, at_once.deep, later.deep),
        (lie.shown, at_once.shown, later.shown),
    ):
        danger = (first * weights.at_once + then * weights.later) // 100
        wet = pile & flooded
        chart = add(chart, wet & kind.landing, danger * weights.landing // PROBABILITY_ONE)
        chart = add(chart, wet & kind.vital, danger * weights.vital // PROBABILITY_ONE)
        chart = add(chart, wet & kind.twin, danger * weights.twin // PROBABILITY_ONE)
        chart = add(chart, wet & kind.shaky, danger * weights.shaky // PROBABILITY_ONE)
        chart = add(chart, wet & kind.plain, danger * plain // PROBABILITY_ONE)
        chart = add(chart, wet & kind.plain & near, danger * weights.near // PROBABILITY_ONE)
    return add(chart, flooded, DRY_TILE_VALUE)
