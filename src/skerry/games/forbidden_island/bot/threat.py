"""What the water is likely to take next, and what that would cost.

The flood deck is a stack of piles. Which cards lie in each is public, their order is not: all that is read here of a
pile is what is in it.
"""

from __future__ import annotations

from typing import NamedTuple

from skerry.botkit.packed_array import BLANK, Chart, add
from skerry.engine.bitset import count
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.weights import Weights
from skerry.games.forbidden_island.rules.components import (
    BESIDE,
    CARD_KINDS,
    COPIES,
    DRAWS,
    FLOODS,
    FOOLS_LANDING,
    N_TREASURES,
    SKULL,
    WATERS_RISE,
)
from skerry.games.forbidden_island.rules.reach import there
from skerry.games.forbidden_island.rules.state import DRAWING, FLOODING, State

DRY = 2  # what any dry tile is worth: more than an action not taken
SURE = 1024  # a chance of one; chances are whole numbers, so that every machine computes the same


class Piles(NamedTuple):
    """Places whose flood cards lie in the top pile of the deck, in the one below, further below, in the discard."""

    top: int
    second: int
    deep: int
    shown: int


class Chances(NamedTuple):
    """How likely a card of each pile is drawn."""

    top: int
    second: int
    deep: int
    shown: int


class Kinds(NamedTuple):
    """The tiles still there, by what their loss means."""

    landing: int
    vital: int  # the last tile of a treasure nobody has
    twin: int  # one of two, the other dry
    shaky: int  # one of two, both flooded
    plain: int


@kernel
def piles(world: State) -> Piles:
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
    return Piles(top, second, deep, shown)


@kernel
def _share(draws: int, above: int, size: int) -> int:
    """How likely a card of a pile is drawn that lies under so many others."""
    if draws <= above or not size:
        return 0
    return min(SURE, SURE * (draws - above) // size)


@kernel
def _calm(cards: int, rising: int, draws: int) -> int:
    """How likely none of the rising cards among so many is drawn."""
    calm = SURE
    for i in range(draws):
        calm = calm * max(0, cards - rising - i) // (cards - i)
    return calm


@kernel
def rising(world: State, draws: int) -> int:
    """How likely so many treasure cards bring Waters Rise!, through a new deck of the discard if this one runs out."""
    left, shown = world.treasure_left, world.treasure_discard[WATERS_RISE]
    calm = _calm(left, COPIES[WATERS_RISE] - shown, min(draws, left))
    if draws > left:
        cards = 0
        for card in range(CARD_KINDS):
            cards += world.treasure_discard[card]
        calm = calm * _calm(cards, shown, min(draws - left, cards)) // SURE
    return SURE - calm


@kernel
def _chances(world: State, lie: Piles, draws: int, floods: int, more: int) -> Chances:
    """After so many treasure cards and ``floods`` flood cards, or ``more`` if the water rises meanwhile."""
    top, second, deep, shown = count(lie.top), count(lie.second), count(lie.deep), count(lie.shown)
    rise = rising(world, draws)
    calm = SURE - rise
    deck = top + second + deep
    return Chances(
        (calm * _share(floods, 0, top) + rise * _share(more, shown, top)) // SURE,
        (calm * _share(floods, top, second) + rise * _share(more, shown + top, second)) // SURE,
        (calm * _share(floods, top + second, deep) + rise * _share(more, shown + top + second, deep)) // SURE,
        (calm * _share(floods, deck, shown + deck) + rise * _share(more, 0, shown)) // SURE,
    )


@kernel
def now(world: State, lie: Piles) -> Chances:
    """Chances in the flood that ends this turn."""
    if world.phase == FLOODING:
        return _chances(world, lie, 0, world.left, world.left)
    draws = world.left if world.phase == DRAWING else DRAWS
    return _chances(world, lie, draws, FLOODS[world.water], FLOODS[min(world.water + 1, SKULL - 1)])


@kernel
def soon(world: State, lie: Piles, turns: int) -> Chances:
    """Chances within so many turns."""
    floods, more = FLOODS[world.water], FLOODS[min(world.water + 1, SKULL - 1)]
    return _chances(world, lie, turns * DRAWS, turns * floods, turns * more)


@kernel
def kinds(world: State) -> Kinds:
    land = there(world)
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
    return Kinds(landing, vital, twin, shaky, land & ~(landing | vital | twin | shaky))


@kernel
def wanted(world: State) -> int:
    """How many treasures are still to be captured."""
    n = 0
    for treasure in range(N_TREASURES):
        n += world.captor[treasure] < 0
    return n


@kernel
def losses(world: State, weights: Weights, lie: Piles, kind: Kinds) -> Chart:
    """What each flooded tile's danger costs, which is what shoring it up is worth."""
    at_once, later = now(world, lie), soon(world, lie, weights.foresight)
    flooded = world.flooded
    plain = weights.plain * (1 + wanted(world)) // (1 + N_TREASURES)
    near = BESIDE[world.layout, world.place_of[FOOLS_LANDING]]
    chart = BLANK
    for pile, first, then in (
        (lie.top, at_once.top, later.top),
        (lie.second, at_once.second, later.second),
        (lie.deep, at_once.deep, later.deep),
        (lie.shown, at_once.shown, later.shown),
    ):
        danger = (first * weights.at_once + then * weights.later) // 100
        wet = pile & flooded
        chart = add(chart, wet & kind.landing, danger * weights.landing // SURE)
        chart = add(chart, wet & kind.vital, danger * weights.vital // SURE)
        chart = add(chart, wet & kind.twin, danger * weights.twin // SURE)
        chart = add(chart, wet & kind.shaky, danger * weights.shaky // SURE)
        chart = add(chart, wet & kind.plain, danger * plain // SURE)
        chart = add(chart, wet & kind.plain & near, danger * weights.near // SURE)
    return add(chart, flooded, DRY)
