"""Who collects what, where that draws each pawn, and what a card is worth to the team.

All of it follows from what is open to all, so that every seat comes to the same plan without a word.
"""

from __future__ import annotations

from typing import NamedTuple

from skerry.botkit.packed_array import ZEROS, PackedArray, add
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.weights import Weights
from skerry.games.forbidden_island.rules.components import (
    CARD_COPIES,
    DIVER,
    EXPLORER,
    FOOLS_LANDING,
    HAND_CARD_KINDS,
    HAND_LIMIT,
    HELICOPTER,
    MESSENGER,
    N_TREASURES,
    PILOT,
    SANDBAGS,
    SET_SIZE,
)
from skerry.games.forbidden_island.rules.reach import neighbours_of, tile_places
from skerry.games.forbidden_island.rules.state import State
from skerry.games.forbidden_island.rules.treasure_cards import hand_size

MAX_DISTANCE = 6  # steps; further away is not worse
NOBODY = -1
USELESS = 0  # what a card is worth whose treasure is captured
SURPLUS = 1  # or whose set is complete without it


class Collectors(NamedTuple):
    """The collector of each treasure; nobody's where it is captured."""

    stone: int
    statue: int
    crystal: int
    chalice: int


@kernel
def assign_collectors(world: State, weights: Weights) -> Collectors:
    """Treasure by treasure, the surest first: to the seat that has most of it and least else to collect."""
    seats = (NOBODY, NOBODY, NOBODY, NOBODY)
    for _ in range(N_TREASURES):
        best, treasure, seat = -1 << 20, NOBODY, NOBODY
        for candidate in range(world.players):
            room = _role_score(weights, world.role[candidate]) - weights.load * _collecting_load(
                world, seats, candidate
            )
            for wanted in range(N_TREASURES):
                score = room + weights.held * world.hands[candidate, wanted]
                if score > best and world.captor[wanted] < 0 and seats[wanted] == NOBODY:
                    best, treasure, seat = score, wanted, candidate
        seats = (
            seat if treasure == 0 else seats[0],
            seat if treasure == 1 else seats[1],
            seat if treasure == 2 else seats[2],
            seat if treasure == 3 else seats[3],
        )
    return Collectors(seats[0], seats[1], seats[2], seats[3])


@kernel
def _role_score(weights: Weights, role: int) -> int:
    if role == MESSENGER:
        return -weights.messenger
    return weights.pilot if role == PILOT else 0


@kernel
def _collecting_load(world: State, seats: tuple[int, int, int, int], seat: int) -> int:
    """How many cards a seat needs room for, for what it already collects."""
    cards = 0
    for treasure in range(N_TREASURES):
        if seats[treasure] == seat:
            cards += 1 + world.hands[seat, treasure]
    return cards


@kernel
def treasure_tiles(world: State, treasure: int) -> int:
    return (1 << world.place_of[2 * treasure] | 1 << world.place_of[2 * treasure + 1]) & tile_places(world)


@kernel
def _one_move_from(world: State, role: int, places: int) -> int:
    """The places from which one move reaches any of a set."""
    if role == PILOT:
        return tile_places(world)
    if role != DIVER:
        return neighbours_of(world, places, role == EXPLORER)
    wet = world.flooded | world.sunk
    border = places
    while border:
        border = neighbours_of(world, border, False) & ~places
        places |= border
        border &= wet
    return places


@kernel
def _add_distance_cost(world: State, seat: int, cost: PackedArray, goal: int, weight: int) -> PackedArray:
    """Every place costs so much for each move it is away from a goal."""
    if not weight or not goal:
        return cost
    rest = tile_places(world) & ~goal
    for _ in range(MAX_DISTANCE):
        if not rest:
            break
        cost = add(cost, rest, weight)
        goal = _one_move_from(world, world.role[seat], goal) & tile_places(world)
        rest &= ~goal
    return cost


@kernel
def position_cost(world: State, weights: Weights, who: Collectors, seat: int, precious: int) -> PackedArray:
    """What it costs a seat's pawn to stand at each place: how far that is from where it is needed."""
    landing = 1 << world.place_of[FOOLS_LANDING]
    cost = add(ZEROS, world.flooded, weights.soaked)
    cost = _add_distance_cost(world, seat, cost, precious & world.flooded, weights.guard_pull)
    if world.flooded & landing:
        cost = _add_distance_cost(world, seat, cost, landing, weights.landing_pull)
    cost = add(cost, tile_places(world) & ~_connected_to_landing(world, seat, landing), weights.marooned)
    for treasure in range(N_TREASURES):
        if who[treasure] == seat:
            cost = _add_collecting_cost(world, weights, seat, treasure, cost)
        elif who[treasure] != NOBODY:
            cost = _add_delivery_cost(world, weights, seat, treasure, who[treasure], cost)
    return _add_distance_cost(world, seat, cost, landing, _landing_pull(world, weights, who, seat))


@kernel
def _connected_to_landing(world: State, seat: int, landing: int) -> int:
    """The tiles from which a pawn can walk home."""
    home, border = landing, landing
    while border:
        border = _one_move_from(world, world.role[seat], border) & tile_places(world) & ~home
        home |= border
    return home


@kernel
def _add_collecting_cost(world: State, weights: Weights, seat: int, treasure: int, cost: PackedArray) -> PackedArray:
    """To the treasure's tiles with a set or nearly one, and to those who hold more of it."""
    held = world.hands[seat, treasure]
    if held >= SET_SIZE:
        return _add_distance_cost(world, seat, cost, treasure_tiles(world, treasure), weights.set_pull)
    if held == SET_SIZE - 1:
        cost = _add_distance_cost(world, seat, cost, treasure_tiles(world, treasure), weights.third_pull)
    for other in range(world.players):
        more = min(world.hands[other, treasure], SET_SIZE - held)
        if other != seat and more and world.role[other] != MESSENGER:
            cost = _add_distance_cost(world, seat, cost, 1 << world.pawn[other], weights.fetch_pull * more)
    return cost


@kernel
def _add_delivery_cost(
    world: State, weights: Weights, seat: int, treasure: int, collector: int, cost: PackedArray
) -> PackedArray:
    """To the collector, with cards that are still missing; the Messenger need not go."""
    cards = min(world.hands[seat, treasure], SET_SIZE - world.hands[collector, treasure])
    if cards <= 0 or world.role[seat] == MESSENGER:
        return cost
    return _add_distance_cost(world, seat, cost, 1 << world.pawn[collector], weights.meet_pull * cards)


@kernel
def _landing_pull(world: State, weights: Weights, who: Collectors, seat: int) -> int:
    """How much draws a pawn to Fools' Landing: the more, the nearer the end, unless it still has to capture."""
    left = complete = 0
    for treasure in range(N_TREASURES):
        if who[treasure] != NOBODY:
            left += 1
            complete += world.hands[who[treasure], treasure] >= SET_SIZE
            if who[treasure] == seat and world.hands[seat, treasure] >= SET_SIZE:
                return 0
    if not left:
        return weights.home_pull
    if complete == left:
        return weights.ready_pull
    return weights.gather_pull if left == 1 else 0


@kernel
def helicopter_lifts_held(world: State) -> int:
    lifts = 0
    for seat in range(world.players):
        lifts += world.hands[seat, HELICOPTER]
    return lifts


@kernel
def card_value(world: State, weights: Weights, who: Collectors, seat: int, card: int) -> int:
    """What a card in a full hand is worth."""
    if card == HELICOPTER:
        return weights.keep_lift if helicopter_lifts_held(world) > 1 else weights.keep_last_lift
    if card == SANDBAGS:
        return weights.keep_bags
    collector = who[card]
    if collector == NOBODY:
        return USELESS
    held = world.hands[collector, card]
    if held > SET_SIZE or (held == SET_SIZE and collector != seat):
        return SURPLUS
    worth = weights.keep_own if collector == seat else weights.keep_other
    if CARD_COPIES[card] - world.treasure_discard[card] <= SET_SIZE:
        worth += weights.keep_rare
    return worth + weights.keep_more * held


@kernel
def least_valuable_card(world: State, weights: Weights, who: Collectors, seat: int) -> int:
    """The card of a hand, not empty, that is worth least."""
    worst, least = 0, 1 << 20
    for card in range(HAND_CARD_KINDS):
        if world.hands[seat, card]:
            worth = card_value(world, weights, who, seat, card)
            if worth < least:
                worst, least = card, worth
    return worst


@kernel
def gift_value(world: State, weights: Weights, who: Collectors, seat: int, treasure: int) -> int:
    """What handing a card to its collector is worth; a full hand must throw another away for it."""
    collector = who[treasure]
    if collector < 0 or collector == seat or not world.hands[seat, treasure]:
        return 0
    if world.hands[collector, treasure] >= SET_SIZE:
        return 0
    worth = weights.give
    if hand_size(world, collector) >= HAND_LIMIT:
        worth -= card_value(world, weights, who, collector, least_valuable_card(world, weights, who, collector))
    return max(0, worth)
