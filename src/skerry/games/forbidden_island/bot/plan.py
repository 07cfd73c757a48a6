"""The team's plan: which seat collects which treasure, where each pawn should be, and what cards are worth.

It follows from public information only, so every seat arrives at the same plan without communication.
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

DISTANCE_CAP = 6  # moves; places farther away cost no more
NOBODY = -1
USELESS = 0  # value of a card whose treasure is captured
SURPLUS = 1  # value of a card that the complete set does not need


class Collectors(NamedTuple):
    """The seat that collects each treasure, or ``NOBODY`` if it is captured."""

    stone: int
    statue: int
    crystal: int
    chalice: int


@kernel
def assign_collectors(world: State, weights: Weights) -> Collectors:
    """Assign a collector to each treasure, best match first.

    A match is better the more cards the seat has of the treasure and the less it already has to collect.
    """
    seats = (NOBODY, NOBODY, NOBODY, NOBODY)
    for _ in range(N_TREASURES):
        best, treasure, seat = -1 << 20, NOBODY, NOBODY
        for candidate in range(world.players):
            load = _collecting_load(world, seats, candidate)
            fitness = _role_score(weights, world.role[candidate]) - weights.load * load
            for wanted in range(N_TREASURES):
                score = fitness + weights.held * world.hands[candidate, wanted]
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
    """How suitable a role is as a collector."""
    if role == MESSENGER:
        return -weights.messenger
    return weights.pilot if role == PILOT else 0


@kernel
def _collecting_load(world: State, seats: tuple[int, int, int, int], seat: int) -> int:
    """How many cards the treasures that a seat already collects will take up in its hand."""
    cards = 0
    for treasure in range(N_TREASURES):
        if seats[treasure] == seat:
            cards += 1 + world.hands[seat, treasure]
    return cards


@kernel
def treasure_tiles(world: State, treasure: int) -> int:
    """The places of the tiles of a treasure that have not sunk."""
    return (1 << world.place_of[2 * treasure] | 1 << world.place_of[2 * treasure + 1]) & tile_places(world)


@kernel
def _one_move_from(world: State, role: int, places: int) -> int:
    """The places from which a pawn with this role reaches any of some places with one move."""
    if role == PILOT:
        return tile_places(world)
    if role != DIVER:
        return neighbours_of(world, places, role == EXPLORER)
    passable = world.flooded | world.sunk
    frontier = places
    while frontier:
        frontier = neighbours_of(world, frontier, False) & ~places
        places |= frontier
        frontier &= passable
    return places


@kernel
def _add_distance_cost(world: State, seat: int, cost: PackedArray, goals: int, weight: int) -> PackedArray:
    """Add ``weight`` to the cost of each place for each move that it is away from the nearest goal."""
    if not weight or not goals:
        return cost
    farther = tile_places(world) & ~goals
    reached = goals
    for _ in range(DISTANCE_CAP):
        if not farther:
            break
        cost = add(cost, farther, weight)
        reached = _one_move_from(world, world.role[seat], reached) & tile_places(world)
        farther &= ~reached
    return cost


@kernel
def position_cost(world: State, weights: Weights, collectors: Collectors, seat: int, precious: int) -> PackedArray:
    """The cost of each place for a seat's pawn: how far it is from where the pawn is needed, and how unsafe."""
    landing = 1 << world.place_of[FOOLS_LANDING]
    cost = add(ZEROS, world.flooded, weights.soaked)
    cost = _add_distance_cost(world, seat, cost, precious & world.flooded, weights.guard_pull)
    if world.flooded & landing:
        cost = _add_distance_cost(world, seat, cost, landing, weights.landing_pull)
    cost = add(cost, tile_places(world) & ~_connected_to_landing(world, seat, landing), weights.marooned)
    for treasure in range(N_TREASURES):
        if collectors[treasure] == seat:
            cost = _add_collecting_cost(world, weights, seat, treasure, cost)
        elif collectors[treasure] != NOBODY:
            cost = _add_delivery_cost(world, weights, seat, treasure, collectors[treasure], cost)
    return _add_distance_cost(world, seat, cost, landing, _landing_pull(world, weights, collectors, seat))


@kernel
def _connected_to_landing(world: State, seat: int, landing: int) -> int:
    """The tiles from which a pawn can reach Fools' Landing by its own moves."""
    connected, frontier = landing, landing
    while frontier:
        frontier = _one_move_from(world, world.role[seat], frontier) & tile_places(world) & ~connected
        connected |= frontier
    return connected


@kernel
def _add_collecting_cost(world: State, weights: Weights, seat: int, treasure: int, cost: PackedArray) -> PackedArray:
    """A collector with a (nearly) complete set goes to the treasure's tiles, others to seats with the missing cards."""
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
    """A seat with cards that its collector misses goes to the collector; the Messenger need not."""
    cards = min(world.hands[seat, treasure], SET_SIZE - world.hands[collector, treasure])
    if cards <= 0 or world.role[seat] == MESSENGER:
        return cost
    return _add_distance_cost(world, seat, cost, 1 << world.pawn[collector], weights.meet_pull * cards)


@kernel
def _landing_pull(world: State, weights: Weights, collectors: Collectors, seat: int) -> int:
    """The weight of the distance to Fools' Landing: higher towards the end, 0 for a pawn with a treasure to capture."""
    left = complete = 0
    for treasure in range(N_TREASURES):
        if collectors[treasure] != NOBODY:
            left += 1
            complete += world.hands[collectors[treasure], treasure] >= SET_SIZE
            if collectors[treasure] == seat and world.hands[seat, treasure] >= SET_SIZE:
                return 0
    if not left:
        return weights.home_pull
    if complete == left:
        return weights.ready_pull
    return weights.gather_pull if left == 1 else 0


@kernel
def helicopter_lifts_held(world: State) -> int:
    """The number of Helicopter Lifts in all hands."""
    lifts = 0
    for seat in range(world.players):
        lifts += world.hands[seat, HELICOPTER]
    return lifts


@kernel
def card_value(world: State, weights: Weights, collectors: Collectors, seat: int, card: int) -> int:
    """The value of keeping a card in a full hand."""
    if card == HELICOPTER:
        return weights.keep_lift if helicopter_lifts_held(world) > 1 else weights.keep_last_lift
    if card == SANDBAGS:
        return weights.keep_bags
    collector = collectors[card]
    if collector == NOBODY:
        return USELESS
    held = world.hands[collector, card]
    if held > SET_SIZE or (held == SET_SIZE and collector != seat):
        return SURPLUS
    value = weights.keep_own if collector == seat else weights.keep_other
    if CARD_COPIES[card] - world.treasure_discard[card] <= SET_SIZE:
        value += weights.keep_rare
    return value + weights.keep_more * held


@kernel
def least_valuable_card(world: State, weights: Weights, collectors: Collectors, seat: int) -> int:
    """The card of a non-empty hand with the lowest value."""
    worst, least = 0, 1 << 20
    for card in range(HAND_CARD_KINDS):
        if world.hands[seat, card]:
            value = card_value(world, weights, collectors, seat, card)
            if value < least:
                worst, least = card, value
    return worst


@kernel
def gift_value(world: State, weights: Weights, collectors: Collectors, seat: int, treasure: int) -> int:
    """The value of giving a treasure card to its collector, less that of the card that a full hand must discard."""
    collector = collectors[treasure]
    if collector < 0 or collector == seat or not world.hands[seat, treasure]:
        return 0
    if world.hands[collector, treasure] >= SET_SIZE:
        return 0
    value = weights.give
    if hand_size(world, collector) >= HAND_LIMIT:
        value -= card_value(
            world, weights, collectors, collector, least_valuable_card(world, weights, collectors, collector)
        )
    return max(0, value)
