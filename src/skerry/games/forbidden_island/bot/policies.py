"""The rule-based policies: the team's plan, the flood's threat and a search of the turn decide each action.

``skilled`` plays as well as it can; ``novice`` is the same policy with weights that see less, and it makes mistakes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from skerry.botkit.packed_array import PackedArray, argmax, argmin, at
from skerry.botkit.policy import index_of, index_or_pass
from skerry.engine.bitset import as_int, lowest_bit
from skerry.engine.kernel import kernel
from skerry.engine.loop import PASS
from skerry.engine.rng import next_below
from skerry.games.forbidden_island.bot.plan import (
    NOBODY,
    SURPLUS,
    Collectors,
    assign_collectors,
    card_value,
    helicopter_lifts_held,
    least_valuable_card,
    position_cost,
)
from skerry.games.forbidden_island.bot.threat import (
    flood_piles,
    precious_tiles,
    shore_up_values,
    tiles_by_loss,
    treasures_left,
)
from skerry.games.forbidden_island.bot.turn_search import TurnContext, moved_to, search_turn, turn_context, turn_state
from skerry.games.forbidden_island.bot.weights import MIN_PLAYERS, NOVICE, SKILLED, SLIP, Weights
from skerry.games.forbidden_island.rules import actions
from skerry.games.forbidden_island.rules.components import (
    ACTIONS_A_TURN,
    FOOLS_LANDING,
    HELICOPTER,
    MESSENGER,
    N_TREASURES,
    SANDBAGS,
    TILES,
)
from skerry.games.forbidden_island.rules.legal import can_lift_off, lift_holders, waiting
from skerry.games.forbidden_island.rules.reach import swim_destinations, tile_places
from skerry.games.forbidden_island.rules.state import ACTIONS, FLOODING, State

NO_LIFT = 0  # in place of the action of a Helicopter Lift
NEVER = 1 << 20  # more than any action can gain


class Lift(NamedTuple):
    """The best use of a Helicopter Lift: its action, or ``NO_LIFT``, and what it gains."""

    action: int
    gain: int


@kernel
def choose_action(world: State, seat: int, weights: Weights, last: int) -> int:
    """The action of a seat that the game waits for; ``last`` is the last of its legal actions."""
    if last == actions.LIFT_OFF:
        return actions.LIFT_OFF
    collectors, tiles = assign_collectors(world, weights), tiles_by_loss(world)
    precious = precious_tiles(tiles)
    if world.swimming:
        return _choose_rescue(world, seat, weights, collectors, precious)
    values = shore_up_values(world, weights, flood_piles(world), tiles)
    if world.over:
        return _choose_discard(world, seat, weights, collectors, values, precious)
    if world.phase == ACTIONS:
        return _choose_turn_action(world, seat, weights, collectors, values, precious)
    return _choose_draw_or_sandbags(world, seat, weights, values)


@kernel
def interrupting(world: State) -> int:
    """The seats that may want to interrupt, as a bit set.

    Those that can lift off, those with Sandbags before a flood card, and those with a Helicopter Lift when the turn of
    another seat begins.
    """
    if world.ending or world.swimming:
        return 0
    seats = lift_holders(world) if can_lift_off(world) else 0
    if not seats and not world.over:
        turn_begins = world.phase == ACTIONS and world.left == ACTIONS_A_TURN
        flood_comes = world.phase == FLOODING and world.flooded > 0
        for seat in range(world.players):
            if (turn_begins and world.hands[seat, HELICOPTER]) or (flood_comes and world.hands[seat, SANDBAGS]):
                seats |= 1 << seat
    return seats & ~waiting(world)


@kernel
def choose_interrupt(world: State, seat: int, weights: Weights, last: int) -> int:
    """The special card that a seat plays although the game does not wait for it, or ``PASS``."""
    if last == actions.LIFT_OFF:
        return actions.LIFT_OFF
    collectors, tiles = assign_collectors(world, weights), tiles_by_loss(world)
    values = shore_up_values(world, weights, flood_piles(world), tiles)
    if world.phase == FLOODING:
        action = _choose_draw_or_sandbags(world, seat, weights, values)
        return PASS if action == actions.FLOOD else action
    turn_seat = as_int(world.turn)
    context = turn_context(world, weights, collectors, turn_seat, values, precious_tiles(tiles))
    start = turn_state(world, turn_seat)
    best = search_turn(world, weights, collectors, context, start, min(weights.search_depth, world.left))
    lift = _best_lift_of_self(world, weights, collectors, context, best.value, _lift_threshold(world, weights))
    return lift.action or PASS


@kernel
def _choose_rescue(world: State, seat: int, weights: Weights, collectors: Collectors, precious: int) -> int:
    """Swim to the best tile, or lift all pawns out of the water to the best tile for a stranded one."""
    if not world.stranded:
        cost = position_cost(world, weights, collectors, seat, precious)
        return actions.SWIM + argmin(cost, swim_destinations(world, seat))
    stranded = 0
    while not world.stranded >> stranded & 1:
        stranded += 1
    place = argmin(position_cost(world, weights, collectors, stranded, precious), tile_places(world))
    return actions.LIFT + (world.swimming - 1) * TILES + place


@kernel
def _choose_discard(
    world: State, seat: int, weights: Weights, collectors: Collectors, values: PackedArray, precious: int
) -> int:
    """Discard the least valuable card. A special card is played instead of being discarded, or of a valuable card."""
    worst = least_valuable_card(world, weights, collectors, seat)
    is_valuable = card_value(world, weights, collectors, seat, worst) > SURPLUS
    if is_valuable and world.hands[seat, SANDBAGS] and world.flooded:
        place = argmax(values, world.flooded)
        if worst == SANDBAGS or at(values, place) >= weights.bags:
            return actions.PLAY_SANDBAGS + place
    if worst == HELICOPTER:
        lift = _best_lift_of_other(world, NOBODY, weights, collectors, precious, 0)
        if lift.action:
            return lift.action
    return actions.DISCARD + worst


@kernel
def _choose_draw_or_sandbags(world: State, seat: int, weights: Weights, values: PackedArray) -> int:
    """Draw the next card, or play Sandbags before a flood card if that is worth it.

    Sandbags wait for the flood cards, as the treasure cards may still change their number.
    """
    if world.phase != FLOODING:
        return actions.DRAW
    if world.hands[seat, SANDBAGS] and world.flooded:
        place = argmax(values, world.flooded)
        if at(values, place) >= weights.bags:
            return actions.PLAY_SANDBAGS + place
    return actions.FLOOD


@kernel
def _choose_turn_action(
    world: State, seat: int, weights: Weights, collectors: Collectors, values: PackedArray, precious: int
) -> int:
    """The first action of the best rest of the turn, or a Helicopter Lift that gains more than it is kept for."""
    context = turn_context(world, weights, collectors, seat, values, precious)
    start = turn_state(world, seat)
    best = search_turn(world, weights, collectors, context, start, min(weights.search_depth, world.left))
    if world.hands[seat, HELICOPTER]:
        threshold = _lift_threshold(world, weights)
        own = _best_lift_of_self(world, weights, collectors, context, best.value, threshold)
        other = _best_lift_of_other(world, seat, weights, collectors, precious, own.gain)
        if own.action or other.action:
            return other.action or own.action
    return best.action


@kernel
def _lift_threshold(world: State, weights: Weights) -> int:
    """What a Helicopter Lift must gain to be played. Once all treasures are captured, one is kept for lifting off."""
    has_spare = helicopter_lifts_held(world) > 1
    if not treasures_left(world):
        return 0 if has_spare else NEVER
    if has_spare:
        return weights.lift
    return weights.last_lift + weights.end_lift * (N_TREASURES - treasures_left(world))


@kernel
def _best_lift_of_self(
    world: State, weights: Weights, collectors: Collectors, context: TurnContext, value: int, threshold: int
) -> Lift:
    """The best flight of the pawn whose turn it is: the rest of its turn must then be worth that much more."""
    action, best_gain, actions_left = NO_LIFT, threshold, min(weights.search_depth, world.left)
    places = context.captures | context.flooded & context.precious | 1 << world.place_of[FOOLS_LANDING]
    if context.role != MESSENGER:
        places |= context.meetings
    places &= ~(1 << world.pawn[context.seat])
    start = turn_state(world, context.seat)
    while places:
        place = lowest_bit(places)
        places &= places - 1
        after_flight = moved_to(start, place)
        gain = search_turn(world, weights, collectors, context, after_flight, actions_left).value - value
        if gain > best_gain:
            best_gain = gain
            action = actions.LIFT + ((1 << context.seat) - 1) * TILES + place
    return Lift(action, best_gain)


@kernel
def _best_lift_of_other(
    world: State, seat: int, weights: Weights, collectors: Collectors, precious: int, threshold: int
) -> Lift:
    """The best flight of another pawn to where it is needed. On the way home, pawns on one tile fly together."""
    action, best_gain = NO_LIFT, threshold
    going_home = not treasures_left(world)
    for pawn in range(world.players):
        if pawn != seat or going_home:
            cost = position_cost(world, weights, collectors, pawn, precious)
            place = argmin(cost, tile_places(world))
            gain = at(cost, int(world.pawn[pawn])) - at(cost, place)
            if gain > best_gain and place != world.pawn[pawn]:
                best_gain = gain
                group = 1 << pawn
                for other in range(world.players):
                    if going_home and world.pawn[other] == world.pawn[pawn]:
                        group |= 1 << other
                action = actions.LIFT + (group - 1) * TILES + place
    return Lift(action, best_gain)


@kernel
def choose_index(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights) -> int:
    """The choice of a seat as an index into its legal actions, or ``PASS``."""
    if not waiting(world) >> seat & 1:
        return index_or_pass(choose_interrupt(world, seat, weights, legal[count - 1]), legal, count)
    return 0 if count == 1 else index_of(choose_action(world, seat, weights, legal[count - 1]), legal, count)


@kernel
def skilled(world: State, seat: int, legal: NDArray[Any], count: int, rng: Any) -> tuple[int, Any]:
    """Play as well as these policies can."""
    return choose_index(world, seat, legal, count, SKILLED[world.players - MIN_PLAYERS]), rng


@kernel
def novice(world: State, seat: int, legal: NDArray[Any], count: int, rng: Any) -> tuple[int, Any]:
    """Play shortsightedly, and now and then take a random move or shoring up (or end the turn) instead."""
    own_actions = world.turn == seat and world.phase == ACTIONS
    if count > 1 and own_actions and not world.over and legal[count - 1] != actions.LIFT_OFF:
        slip, rng = next_below(rng, SLIP)
        if slip == 0:
            candidates = 0
            while candidates < count and legal[candidates] < actions.CAPTURE:
                candidates += 1
            return next_below(rng, candidates)
    return choose_index(world, seat, legal, count, NOVICE[world.players - MIN_PLAYERS]), rng
