"""Water: how often the sun may beat down before a pawn can act again, and what more or less to drink is worth."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from skerry.engine.bitset import count, lowest
from skerry.engine.kernel import kernel, table
from skerry.games.forbidden_desert.bot.weights import Weights
from skerry.games.forbidden_desert.rules.components import (
    CANTEEN,
    CLUE,
    MOST_WATER,
    N_PARTS,
    PLACES,
    STORM_CARDS,
    STORM_COPIES,
    SUN,
    TILES,
    WELL_WATER,
)
from skerry.games.forbidden_desert.rules.knowledge import foresees
from skerry.games.forbidden_desert.rules.state import STORM, State
from skerry.games.forbidden_desert.rules.storm import sheltered, storm_cards

SUNS = int(STORM_COPIES[SUN])
CHOOSE = table([[comb(n, k) for k in range(SUNS + 1)] for n in range(STORM_CARDS + 1)])
SURE = 1024  # chances are parts of this
WHOLE = 16  # and the rest of the game of this

Odds = tuple[int, int, int, int, int, int, int]  # that it beats down so many times; the last also stands for more
Seats = tuple[int, int, int, int, int]  # a number for each seat
NO_SUN: Odds = (SURE, 0, 0, 0, 0, 0, 0)


class Sky(NamedTuple):
    """What a seat knows of the storm deck."""

    cards: int  # those it has not seen
    suns: int  # among them
    seen: int  # depths, counted from the top, of those it has
    sunny: int  # and of the suns among those
    ahead: int  # how long water will be needed, in sixteenths of the game


class Team(NamedTuple):
    """What water is worth to each seat."""

    one: Seats  # one more, where it stands now
    two: Seats  # two more, in the sun until its next turn
    less: Seats  # one less, as a cost, where it stands now
    bare: Seats  # what standing in the sun until its next turn costs


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
def look_up(world: State, weights: Weights, seat: int) -> Sky:
    suns = SUNS - world.storm_discard[SUN]
    for i in range(world.shown):
        suns -= world.apart[i] == SUN
    places = foresees(world, seat)
    seen = sunny = 0
    cards = world.storm_left + 0
    while places:
        position = lowest(places)
        places &= places - 1
        depth = 1 << world.storm_left - 1 - position
        seen |= depth
        cards -= 1
        if world.storm_deck[position] == SUN:
            sunny |= depth
            suns -= 1
    return Sky(cards, suns + 0, seen, sunny, min(WHOLE, weights.rest + _work_left(world)))


@kernel
def odds(sky: Sky, cards: int) -> Odds:
    """How often the sun beats down in so many cards. Beyond the deck's end all cards are shuffled again."""
    window = (1 << cards) - 1
    sure = 0
    if sky.seen:
        sure = count(sky.sunny & window)
        cards -= count(sky.seen & window)
    deck, suns = sky.cards, sky.suns
    if cards > deck:
        sure += suns
        cards, deck, suns = min(cards - deck, STORM_CARDS), STORM_CARDS, SUNS
    return (
        _exactly(deck, suns, cards, -sure),
        _exactly(deck, suns, cards, 1 - sure),
        _exactly(deck, suns, cards, 2 - sure),
        _exactly(deck, suns, cards, 3 - sure),
        _exactly(deck, suns, cards, 4 - sure),
        _exactly(deck, suns, cards, 5 - sure),
        SURE if sure > 5 else _exactly(deck, suns, cards, 6 - sure),
    )


@kernel
def _exactly(deck: int, suns: int, cards: int, number: int) -> int:
    """The chance of just so many suns among the first cards of a deck."""
    if number < 0 or number > suns or number > cards or suns - number > deck - cards:
        return 0
    return SURE * CHOOSE[cards, number] * CHOOSE[deck - cards, suns - number] // CHOOSE[deck, suns]


@kernel
def shortage(weights: Weights, sky: Sky, water: int) -> int:
    """What having no more than so much costs; below nothing is death."""
    if water < 0:
        return weights.death
    cost = 0
    if water < 3:
        cost = weights.dry if water == 0 else weights.one if water == 1 else weights.two
    elif water < MOST_WATER:
        cost = weights.three if water == 3 else weights.four
    return cost * sky.ahead // WHOLE


@kernel
def burden(weights: Weights, sky: Sky, chances: Odds, water: int) -> int:
    """The same, to be expected after some time in the sun."""
    total = 0
    for suns in range(len(chances)):
        if chances[suns]:
            total += chances[suns] * shortage(weights, sky, water - suns)
    return total // SURE


@kernel
def cards_until(world: State, other: int) -> int:
    """The storm cards that come before a seat's next turn."""
    phases = (other - world.turn) % world.players
    if not phases:
        phases = world.players
    cards = storm_cards(world)
    now = world.left if world.phase == STORM else cards - world.saved
    return now + (phases - 1) * cards


@kernel
def _worth(world: State, weights: Weights, sky: Sky, other: int) -> tuple[int, int, int, int]:
    """The numbers of one seat."""
    if other >= world.players:
        return 0, 0, 0, 0
    water = world.water[other]
    room = CANTEEN[world.role[other]] - water
    chances = odds(sky, cards_until(world, other))
    outside = burden(weights, sky, chances, water)
    two = outside - burden(weights, sky, chances, water + min(WELL_WATER, room))
    if sheltered(world, other):
        chances = NO_SUN
    now = burden(weights, sky, chances, water)
    one = now - burden(weights, sky, chances, water + min(1, room))
    less = burden(weights, sky, chances, water - 1) - now
    return one, two, less, outside - shortage(weights, sky, water)


@kernel
def team(world: State, weights: Weights, sky: Sky) -> Team:
    a = _worth(world, weights, sky, 0)
    b = _worth(world, weights, sky, 1)
    c = _worth(world, weights, sky, 2)
    d = _worth(world, weights, sky, 3)
    e = _worth(world, weights, sky, 4)
    return Team(
        (a[0], b[0], c[0], d[0], e[0]),
        (a[1], b[1], c[1], d[1], e[1]),
        (a[2], b[2], c[2], d[2], e[2]),
        (a[3], b[3], c[3], d[3], e[3]),
    )


@kernel
def drought(world: State, weights: Weights, sky: Sky) -> int:
    """What one Sun Beats Down would cost the team now."""
    total = 0
    for seat in range(world.players):
        if not sheltered(world, seat):
            water = world.water[seat]
            total += shortage(weights, sky, water - 1) - shortage(weights, sky, water)
    return total
