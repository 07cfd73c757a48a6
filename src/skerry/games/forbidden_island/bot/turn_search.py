"""The rest of a turn, looked through to its end: what three actions of one pawn can bring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from skerry.botkit.packed_array import PackedArray, argmax, argmin, at
from skerry.engine.bitset import lowest_bit, pair_index
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
    """What stays the same while a turn is looked through."""

    seat: int
    role: int
    land: int
    flooded: int
    precious: int  # tiles whose loss can lose the game
    losses: PackedArray  # what shoring up each tile is worth
    cost: PackedArray  # what ending the turn at each place costs
    captures: int  # places where the seat can capture a treasure
    meetings: int  # places where it can give a card to a collector
    gifts: tuple[int, int, int, int]  # what giving a card of each treasure is worth, but for completing its set
    guide: tuple[int, int, int, int]  # Navigator: what guiding each other pawn is worth
    guide_to: tuple[int, int, int, int]  # and to where


class TurnState(NamedTuple):
    """Where the turn has come to."""

    place: int
    flown: int
    shored: int  # places
    taken: int  # places where a treasure was captured
    given: int  # cards given, three bits a treasure
    guided: int  # pawns, a bit set


@kernel
def turn_context(
    world: State, weights: Weights, who: Collectors, seat: int, losses: PackedArray, precious: int
) -> TurnContext:
    gifts = (
        gift_value(world, weights, who, seat, 0),
        gift_value(world, weights, who, seat, 1),
        gift_value(world, weights, who, seat, 2),
        gift_value(world, weights, who, seat, 3),
    )
    captures = meetings = 0
    for treasure in range(N_TREASURES):
        if who[treasure] != NOBODY and world.hands[seat, treasure] >= SET_SIZE:
            captures |= treasure_tiles(world, treasure)
        if gifts[treasure]:
            meetings |= tile_places(world) if world.role[seat] == MESSENGER else 1 << world.pawn[who[treasure]]
    guide = guide_to = (0, 0, 0, 0)
    if world.role[seat] == NAVIGATOR:
        first, to_first = _best_guide(world, weights, who, seat, 0, precious)
        second, to_second = _best_guide(world, weights, who, seat, 1, precious)
        third, to_third = _best_guide(world, weights, who, seat, 2, precious)
        fourth, to_fourth = _best_guide(world, weights, who, seat, 3, precious)
        guide = (first, second, third, fourth)
        guide_to = (to_first, to_second, to_third, to_fourth)
    cost = position_cost(world, weights, who, seat, precious)
    return TurnContext(
        int(seat),
        int(world.role[seat]),
        tile_places(world),
        int(world.flooded),
        precious,
        losses,
        cost,
        captures,
        meetings,
        gifts,
        guide,
        guide_to,
    )


@kernel
def _best_guide(world: State, weights: Weights, who: Collectors, seat: int, other: int, precious: int) -> Any:
    """How much nearer to its goals the Navigator can bring a pawn, and where that is."""
    if other == seat or other >= world.players:
        return 0, 0
    cost = position_cost(world, weights, who, other, precious)
    places = navigate_destinations(world, other)
    if not places:
        return 0, 0
    place = argmin(cost, places)
    return max(0, at(cost, int(world.pawn[other])) - at(cost, place)), place


@kernel
def _shoreable(world: State, look: TurnContext, place: int) -> int:
    """The flooded tiles that can be shored up from a place."""
    near = ADJACENT_OR_DIAGONAL[world.layout, place] if look.role == EXPLORER else ADJACENT[world.layout, place]
    return (near | 1 << place) & look.flooded


@kernel
def _destinations(world: State, look: TurnContext, stance: TurnState) -> int:
    if look.role == EXPLORER:
        return ADJACENT_OR_DIAGONAL[world.layout, stance.place] & look.land
    if look.role == PILOT and not stance.flown:
        return look.land & ~(1 << stance.place)
    if look.role == DIVER:
        return dive_destinations(world, stance.place)
    return ADJACENT[world.layout, stance.place] & look.land


@kernel
def _best_shore(look: TurnContext, wet: int) -> Any:
    """The flooded tile that matters most, for the Engineer two: what that is worth, the action, the places."""
    first = argmax(look.losses, wet)
    gain, action, dry = at(look.losses, first), actions.SHORE + first, 1 << first
    if look.role == ENGINEER and wet & ~dry:
        second = argmax(look.losses, wet & ~dry)
        gain += at(look.losses, second)
        action, dry = actions.SHORE_TWO + pair_index(min(first, second), max(first, second)), dry | 1 << second
    return gain, action, dry


@kernel
def _best_gift(world: State, weights: Weights, who: Collectors, look: TurnContext, stance: TurnState) -> Any:
    """The best card to give here: what that is worth, and the treasure."""
    most, chosen = 0, 0
    for treasure in range(N_TREASURES):
        gift, given = look.gifts[treasure], stance.given >> 3 * treasure & 7
        if gift and (look.role == MESSENGER or world.pawn[who[treasure]] == stance.place):
            missing = SET_SIZE - world.hands[who[treasure], treasure] - given
            if missing > 0 and world.hands[look.seat, treasure] > given:
                gain = gift + (weights.complete if missing == 1 else 0)
                if gain > most:
                    most, chosen = gain, treasure
    return most, chosen


@kernel
def _end_turn(world: State, weights: Weights, who: Collectors, look: TurnContext, stance: TurnState, left: int) -> Any:
    """What ending the turn here is worth: an action not needed is worth a little."""
    return left - at(look.cost, stance.place), actions.END


def _acting_in_place(rest: Callable[..., Any]) -> Callable[..., Any]:
    """One action where the pawn stands, before the rest; or none."""

    @kernel
    def stand(world: State, weights: Weights, who: Collectors, look: TurnContext, stance: TurnState, left: int) -> Any:
        place, flown, shored, taken, given, guided = stance
        best, action = _end_turn(world, weights, who, look, stance, left)
        wet = _shoreable(world, look, place) & ~shored
        if wet:
            gain, choice, dry = _best_shore(look, wet)
            after = TurnState(place, flown, shored | dry, taken, given, guided)
            value, _ = rest(world, weights, who, look, after, left - 1)
            if value + gain > best:
                best, action = value + gain, choice
        if look.meetings >> place & 1:
            gain, treasure = _best_gift(world, weights, who, look, stance)
            if gain:
                after = TurnState(place, flown, shored, taken, given + (1 << 3 * treasure), guided)
                value, _ = rest(world, weights, who, look, after, left - 1)
                if value + gain > best:
                    best, action = value + gain, actions.GIVE + treasure * SEATS + who[treasure]
        for other in range(SEATS):
            gain = look.guide[other]
            if gain and not guided >> other & 1:
                after = TurnState(place, flown, shored, taken, given, guided | 1 << other)
                value, _ = rest(world, weights, who, look, after, left - 1)
                if value + gain > best:
                    best, action = value + gain, actions.NAVIGATE + other * TILES + look.guide_to[other]
        return best, action

    return stand


def _one_action_deeper(rest: Callable[..., Any]) -> Callable[..., Any]:
    """One more action before the rest: the best that can come of it, and the action."""
    stand = _acting_in_place(rest)

    @kernel
    def best_of(
        world: State, weights: Weights, who: Collectors, look: TurnContext, stance: TurnState, left: int
    ) -> Any:
        place, flown, shored, taken, given, guided = stance
        if not left:
            return _end_turn(world, weights, who, look, stance, left)
        if look.captures & ~taken & 1 << place:
            treasure = int(world.tile_at[place]) // 2
            after = TurnState(place, flown, shored, taken | treasure_tiles(world, treasure), given, guided)
            value, _ = rest(world, weights, who, look, after, left - 1)
            return value + weights.capture, actions.CAPTURE + treasure
        best, action = stand(world, weights, who, look, stance, left)
        places = _destinations(world, look, stance)
        while places:
            to = lowest_bit(places)
            places &= places - 1
            flies = 1 if look.role == PILOT and not ADJACENT[world.layout, place] >> to & 1 else flown
            value, _ = rest(world, weights, who, look, TurnState(to, flies, shored, taken, given, guided), left - 1)
            if value > best:
                best, action = value, actions.MOVE + to
        return best, action

    return best_of


best_turn = _one_action_deeper(_one_action_deeper(_one_action_deeper(_end_turn)))
