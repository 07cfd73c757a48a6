"""Exhaustive search through the rest of a turn: the best sequence of up to three actions of one pawn.

Each depth of the search is a kernel of its own that calls the next, as compiled kernels do not recurse.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from skerry.botkit.packed_array import PackedArray, argmax, argmin, at
from skerry.engine.bitset import as_int, lowest_bit, pair_index
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.plan import NOBODY, Collectors, gift_value, position_cost, treasure_tiles
from skerry.games.forbidden_island.bot.weights import Weights
from skerry.games.forbidden_island.rules import actions
from skerry.games.forbidden_island.rules.components import (
    ADJACENT,
    ADJACENT_OR_DIAGONAL,
    DIVER,
    ENGINEER,
    EXPLORER,
    MESSENGER,
    N_TREASURES,
    NAVIGATOR,
    PILOT,
    SEATS,
    SET_SIZE,
    TILES,
)
from skerry.games.forbidden_island.rules.reach import dive_destinations, navigate_destinations, tile_places
from skerry.games.forbidden_island.rules.state import State


class TurnContext(NamedTuple):
    """What stays the same during the search of a turn."""

    seat: int
    role: int
    tiles: int  # places of the tiles that have not sunk
    flooded: int  # places
    precious: int  # tiles whose loss can lead to the loss of the game
    shore_up_values: PackedArray  # the value of shoring up each tile
    position_cost: PackedArray  # the cost of ending the turn at each place
    captures: int  # places where the seat can capture a treasure
    meetings: int  # places where it can give a card to a collector
    gift_values: tuple[int, int, int, int]  # the value of giving a card of each treasure, but for completing its set
    guide_values: tuple[int, int, int, int]  # for the Navigator: the value of guiding each other pawn
    guide_places: tuple[int, int, int, int]  # and the place to guide it to


class TurnState(NamedTuple):
    """The position during the search: what the actions so far have changed."""

    place: int
    flown: int
    shored: int  # places that are shored up
    captured: int  # places of treasures that are captured
    given: int  # cards given, three bits for each treasure
    guided: int  # pawns that were guided, a bit set


class BestAction(NamedTuple):
    """The first action of the best sequence, and the value of the sequence."""

    value: int
    action: int


class Guide(NamedTuple):
    """Where the Navigator best guides a pawn to, and the value of that."""

    value: int
    place: int


class Shore(NamedTuple):
    """The best way to shore up from a place."""

    value: int
    action: int
    places: int  # that are dry then


class Gift(NamedTuple):
    """The best treasure card to give from a place."""

    value: int
    treasure: int


class TurnSearch(Protocol):
    """A search of the rest of a turn with a number of actions left. Its depth is at most that number."""

    def __call__(
        self,
        world: State,
        weights: Weights,
        collectors: Collectors,
        context: TurnContext,
        turn: TurnState,
        actions_left: int,
        /,
    ) -> BestAction: ...


@kernel
def turn_context(
    world: State, weights: Weights, collectors: Collectors, seat: int, values: PackedArray, precious: int
) -> TurnContext:
    """The context of a search for a seat; ``values`` are those of shoring up each tile."""
    gift_values = (
        gift_value(world, weights, collectors, seat, 0),
        gift_value(world, weights, collectors, seat, 1),
        gift_value(world, weights, collectors, seat, 2),
        gift_value(world, weights, collectors, seat, 3),
    )
    captures = meetings = 0
    for treasure in range(N_TREASURES):
        if collectors[treasure] != NOBODY and world.hands[seat, treasure] >= SET_SIZE:
            captures |= treasure_tiles(world, treasure)
        if gift_values[treasure]:
            meetings |= tile_places(world) if world.role[seat] == MESSENGER else 1 << world.pawn[collectors[treasure]]
    guide_values = guide_places = (0, 0, 0, 0)
    if world.role[seat] == NAVIGATOR:
        first = _best_guide(world, weights, collectors, seat, 0, precious)
        second = _best_guide(world, weights, collectors, seat, 1, precious)
        third = _best_guide(world, weights, collectors, seat, 2, precious)
        fourth = _best_guide(world, weights, collectors, seat, 3, precious)
        guide_values = (first.value, second.value, third.value, fourth.value)
        guide_places = (first.place, second.place, third.place, fourth.place)
    return TurnContext(
        int(seat),
        int(world.role[seat]),
        tile_places(world),
        int(world.flooded),
        precious,
        values,
        position_cost(world, weights, collectors, seat, precious),
        captures,
        meetings,
        gift_values,
        guide_values,
        guide_places,
    )


@kernel
def turn_state(world: State, seat: int) -> TurnState:
    """The position before the first action, for the pawn of a seat."""
    return TurnState(as_int(world.pawn[seat]), as_int(world.flown), 0, 0, 0, 0)


@kernel
def moved_to(turn: TurnState, place: int) -> TurnState:
    """The position after moving to a place."""
    return TurnState(place, turn.flown, turn.shored, turn.captured, turn.given, turn.guided)


@kernel
def _best_guide(world: State, weights: Weights, collectors: Collectors, seat: int, other: int, precious: int) -> Guide:
    """How the Navigator best guides another pawn; without value if it cannot be moved."""
    if other == seat or other >= world.players:
        return Guide(0, 0)
    cost = position_cost(world, weights, collectors, other, precious)
    places = navigate_destinations(world, other)
    if not places:
        return Guide(0, 0)
    place = argmin(cost, places)
    return Guide(max(0, at(cost, int(world.pawn[other])) - at(cost, place)), place)


@kernel
def _shoreable(world: State, context: TurnContext, place: int) -> int:
    """The flooded tiles that the pawn can shore up from a place."""
    adjacent = ADJACENT_OR_DIAGONAL[world.layout, place] if context.role == EXPLORER else ADJACENT[world.layout, place]
    return (adjacent | 1 << place) & context.flooded


@kernel
def _destinations(world: State, context: TurnContext, turn: TurnState) -> int:
    """The tiles that the pawn can move to from where it is in the search."""
    if context.role == EXPLORER:
        return ADJACENT_OR_DIAGONAL[world.layout, turn.place] & context.tiles
    if context.role == PILOT and not turn.flown:
        return context.tiles & ~(1 << turn.place)
    if context.role == DIVER:
        return dive_destinations(world, turn.place)
    return ADJACENT[world.layout, turn.place] & context.tiles


@kernel
def _best_shore(context: TurnContext, flooded: int) -> Shore:
    """Shore up the most valuable of some flooded tiles; the Engineer, the two most valuable."""
    first = argmax(context.shore_up_values, flooded)
    value, action, places = at(context.shore_up_values, first), actions.SHORE + first, 1 << first
    if context.role == ENGINEER and flooded & ~places:
        second = argmax(context.shore_up_values, flooded & ~places)
        value += at(context.shore_up_values, second)
        action = actions.SHORE_TWO + pair_index(min(first, second), max(first, second))
        places |= 1 << second
    return Shore(value, action, places)


@kernel
def _best_gift(world: State, weights: Weights, collectors: Collectors, context: TurnContext, turn: TurnState) -> Gift:
    """The most valuable card to give from where the pawn is in the search; without value if there is none."""
    best_value, best_treasure = 0, 0
    for treasure in range(N_TREASURES):
        value, given = context.gift_values[treasure], turn.given >> 3 * treasure & 7
        if value and (context.role == MESSENGER or world.pawn[collectors[treasure]] == turn.place):
            missing = SET_SIZE - world.hands[collectors[treasure], treasure] - given
            if missing > 0 and world.hands[context.seat, treasure] > given:
                value += weights.complete if missing == 1 else 0
                if value > best_value:
                    best_value, best_treasure = value, treasure
    return Gift(best_value, best_treasure)


@kernel
def _end_turn(
    world: State, weights: Weights, collectors: Collectors, context: TurnContext, turn: TurnState, actions_left: int
) -> BestAction:
    """End the turn here. Each unused action is worth 1, so that none is wasted on nothing."""
    return BestAction(actions_left - at(context.position_cost, turn.place), actions.END)


def _search_in_place(search_rest: TurnSearch) -> TurnSearch:
    """The search of actions without moving: shore up, give a card, guide a pawn, or end the turn."""

    @kernel
    def search_in_place(
        world: State, weights: Weights, collectors: Collectors, context: TurnContext, turn: TurnState, actions_left: int
    ) -> BestAction:
        place, flown, shored, captured, given, guided = turn
        best_value, best_action = _end_turn(world, weights, collectors, context, turn, actions_left)
        flooded = _shoreable(world, context, place) & ~shored
        if flooded:
            shore = _best_shore(context, flooded)
            after = TurnState(place, flown, shored | shore.places, captured, given, guided)
            rest = search_rest(world, weights, collectors, context, after, actions_left - 1)
            if rest.value + shore.value > best_value:
                best_value, best_action = rest.value + shore.value, shore.action
        if context.meetings >> place & 1:
            gift = _best_gift(world, weights, collectors, context, turn)
            if gift.value:
                after = TurnState(place, flown, shored, captured, given + (1 << 3 * gift.treasure), guided)
                rest = search_rest(world, weights, collectors, context, after, actions_left - 1)
                if rest.value + gift.value > best_value:
                    best_value = rest.value + gift.value
                    best_action = actions.GIVE + gift.treasure * SEATS + collectors[gift.treasure]
        for other in range(SEATS):
            value = context.guide_values[other]
            if value and not guided >> other & 1:
                after = TurnState(place, flown, shored, captured, given, guided | 1 << other)
                rest = search_rest(world, weights, collectors, context, after, actions_left - 1)
                if rest.value + value > best_value:
                    best_value = rest.value + value
                    best_action = actions.NAVIGATE + other * TILES + context.guide_places[other]
        return BestAction(best_value, best_action)

    search: TurnSearch = search_in_place
    return search


def _search_one_deeper(search_rest: TurnSearch) -> TurnSearch:
    """A search that tries every action, the rest of the turn after each by another search. Captures come first."""
    search_in_place = _search_in_place(search_rest)

    @kernel
    def search_turn(
        world: State, weights: Weights, collectors: Collectors, context: TurnContext, turn: TurnState, actions_left: int
    ) -> BestAction:
        place, flown, shored, captured, given, guided = turn
        if not actions_left:
            return _end_turn(world, weights, collectors, context, turn, actions_left)
        if context.captures & ~captured & 1 << place:
            treasure = int(world.tile_at[place]) // 2
            after = TurnState(place, flown, shored, captured | treasure_tiles(world, treasure), given, guided)
            rest = search_rest(world, weights, collectors, context, after, actions_left - 1)
            return BestAction(rest.value + weights.capture, actions.CAPTURE + treasure)
        best_value, best_action = search_in_place(world, weights, collectors, context, turn, actions_left)
        places = _destinations(world, context, turn)
        while places:
            destination = lowest_bit(places)
            places &= places - 1
            flies = context.role == PILOT and not ADJACENT[world.layout, place] >> destination & 1
            after = TurnState(destination, 1 if flies else flown, shored, captured, given, guided)
            rest = search_rest(world, weights, collectors, context, after, actions_left - 1)
            if rest.value > best_value:
                best_value, best_action = rest.value, actions.MOVE + destination
        return BestAction(best_value, best_action)

    search: TurnSearch = search_turn
    return search


search_turn = _search_one_deeper(_search_one_deeper(_search_one_deeper(_end_turn)))
