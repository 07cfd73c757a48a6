"""The players: what to do at each kind of question, by the plan, the threat and a look through the turn.

``skilled`` plays as well as it can; ``novice`` is the same player with less of an eye.
"""

from __future__ import annotations

from typing import Any

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
from skerry.games.forbidden_island.bot.threat import flood_piles, shore_up_values, tiles_by_loss, treasures_left
from skerry.games.forbidden_island.bot.turn_search import TurnContext, TurnState, best_turn, turn_context
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


@kernel
def choose_action(world: State, seat: int, weights: Weights, last: int) -> int:
    """The action for a seat that has a choice; ``last`` is the last of its legal ones."""
    if last == actions.LIFT_OFF:
        return actions.LIFT_OFF
    who = assign_collectors(world, weights)
    kind = tiles_by_loss(world)
    precious = kind.landing | kind.vital | kind.twin | kind.shaky
    if world.swimming:
        return _choose_rescue(world, seat, weights, who, precious)
    risk = shore_up_values(world, weights, flood_piles(world), kind)
    if world.over:
        return _choose_discard(world, seat, weights, who, risk, precious)
    if world.phase == ACTIONS:
        return _choose_turn_action(world, seat, weights, who, risk, precious)
    return _choose_draw_or_sandbags(world, seat, weights, risk)


@kernel
def interrupting(world: State) -> int:
    """Who can fly the team home, has Sandbags before a flood card, or a Helicopter Lift as another's turn begins."""
    if world.ending or world.swimming:
        return 0
    seats = lift_holders(world) if can_lift_off(world) else 0
    if not seats and not world.over:
        begins = world.phase == ACTIONS and world.left == ACTIONS_A_TURN
        floods = world.phase == FLOODING and world.flooded > 0
        for seat in range(world.players):
            if (begins and world.hands[seat, HELICOPTER]) or (floods and world.hands[seat, SANDBAGS]):
                seats |= 1 << seat
    return seats & ~waiting(world)


@kernel
def choose_interrupt(world: State, seat: int, weights: Weights, last: int) -> int:
    """A special card in another's turn, or none."""
    if last == actions.LIFT_OFF:
        return actions.LIFT_OFF
    who, kind = assign_collectors(world, weights), tiles_by_loss(world)
    risk = shore_up_values(world, weights, flood_piles(world), kind)
    if world.phase == FLOODING:
        action = _choose_draw_or_sandbags(world, seat, weights, risk)
        return PASS if action == actions.FLOOD else action
    precious = kind.landing | kind.vital | kind.twin | kind.shaky
    turn = as_int(world.turn)
    look = turn_context(world, weights, who, turn, risk, precious)
    here = TurnState(as_int(world.pawn[turn]), as_int(world.flown), 0, 0, 0, 0)
    value, _ = best_turn(world, weights, who, look, here, min(weights.ahead, world.left))
    lift, _ = _best_lift_of_self(world, weights, who, look, value, _lift_threshold(world, weights))
    return lift or PASS


@kernel
def _choose_rescue(world: State, seat: int, weights: Weights, who: Collectors, precious: int) -> int:
    if not world.stranded:
        return actions.SWIM + argmin(position_cost(world, weights, who, seat, precious), swim_destinations(world, seat))
    pawn = 0
    while not world.stranded >> pawn & 1:
        pawn += 1
    place = argmin(position_cost(world, weights, who, pawn, precious), tile_places(world))
    return actions.LIFT + (world.swimming - 1) * TILES + place


@kernel
def _choose_discard(
    world: State, seat: int, weights: Weights, who: Collectors, risk: PackedArray, precious: int
) -> int:
    """The card that is worth least; a special card is played rather than thrown away, or instead of a better one."""
    worst = least_valuable_card(world, weights, who, seat)
    useful = card_value(world, weights, who, seat, worst) > SURPLUS
    if useful and world.hands[seat, SANDBAGS] and world.flooded:
        place = argmax(risk, world.flooded)
        if worst == SANDBAGS or at(risk, place) >= weights.bags:
            return actions.PLAY_SANDBAGS + place
    if worst == HELICOPTER:
        lift, _ = _best_lift_of_other(world, NOBODY, weights, who, precious, 0)
        if lift:
            return lift
    return actions.DISCARD + worst


@kernel
def _choose_draw_or_sandbags(world: State, seat: int, weights: Weights, risk: PackedArray) -> int:
    """Sandbags wait until the treasure cards are drawn: only then is it known how many flood cards come."""
    if world.phase != FLOODING:
        return actions.DRAW
    if world.hands[seat, SANDBAGS] and world.flooded:
        place = argmax(risk, world.flooded)
        if at(risk, place) >= weights.bags:
            return actions.PLAY_SANDBAGS + place
    return actions.FLOOD


@kernel
def _choose_turn_action(
    world: State, seat: int, weights: Weights, who: Collectors, risk: PackedArray, precious: int
) -> int:
    look = turn_context(world, weights, who, seat, risk, precious)
    here = TurnState(as_int(world.pawn[seat]), as_int(world.flown), 0, 0, 0, 0)
    value, action = best_turn(world, weights, who, look, here, min(weights.ahead, world.left))
    if world.hands[seat, HELICOPTER]:
        price = _lift_threshold(world, weights)
        lift, price = _best_lift_of_self(world, weights, who, look, value, price)
        other, price = _best_lift_of_other(world, seat, weights, who, precious, price)
        if lift or other:
            return other or lift
    return action


@kernel
def _lift_threshold(world: State, weights: Weights) -> int:
    """What a Helicopter Lift must bring to be played. Who has all treasures needs one card, and no more."""
    spare = helicopter_lifts_held(world) > 1
    if not treasures_left(world):
        return 0 if spare else 1 << 20
    if spare:
        return weights.lift
    return weights.last_lift + weights.end_lift * (N_TREASURES - treasures_left(world))


@kernel
def _best_lift_of_self(
    world: State, weights: Weights, who: Collectors, look: TurnContext, value: int, price: int
) -> Any:
    """To where the rest of the turn brings so much more that it is worth the card."""
    lift, left = 0, min(weights.ahead, world.left)
    places = look.captures | look.flooded & look.precious | 1 << world.place_of[FOOLS_LANDING]
    if look.role != MESSENGER:
        places |= look.meetings
    places &= ~(1 << world.pawn[look.seat])
    while places:
        place = lowest_bit(places)
        places &= places - 1
        lifted, _ = best_turn(world, weights, who, look, TurnState(place, as_int(world.flown), 0, 0, 0, 0), left)
        if lifted - value > price:
            price = lifted - value
            lift = actions.LIFT + ((1 << look.seat) - 1) * TILES + place
    return lift, price


@kernel
def _best_lift_of_other(world: State, seat: int, weights: Weights, who: Collectors, precious: int, price: int) -> Any:
    """So much nearer to where it is needed that it is worth the card; on the way home with all who stand there."""
    lift = 0
    home = not treasures_left(world)
    for pawn in range(world.players):
        if pawn != seat or home:
            cost = position_cost(world, weights, who, pawn, precious)
            place = argmin(cost, tile_places(world))
            gain = at(cost, int(world.pawn[pawn])) - at(cost, place)
            if gain > price and place != world.pawn[pawn]:
                price = gain
                group = 1 << pawn
                for other in range(world.players):
                    if home and world.pawn[other] == world.pawn[pawn]:
                        group |= 1 << other
                lift = actions.LIFT + (group - 1) * TILES + place
    return lift, price


@kernel
def choose_index(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights) -> int:
    """Where the action for a seat stands in the list of its legal ones."""
    if not waiting(world) >> seat & 1:
        return index_or_pass(choose_interrupt(world, seat, weights, legal[count - 1]), legal, count)
    return 0 if count == 1 else index_of(choose_action(world, seat, weights, legal[count - 1]), legal, count)


@kernel
def skilled(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    return choose_index(world, seat, legal, count, SKILLED[world.players - MIN_PLAYERS]), counter


@kernel
def novice(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    """Plays like the skilled one, shortsighted and not always attentive."""
    mine = world.turn == seat and world.phase == ACTIONS
    if count > 1 and mine and not world.over and legal[count - 1] != actions.LIFT_OFF:
        slip, counter = next_below(counter, SLIP)
        if slip == 0:
            spending = 0
            while spending < count and legal[spending] < actions.CAPTURE:
                spending += 1
            return next_below(counter, spending)
    return choose_index(world, seat, legal, count, NOVICE[world.players - MIN_PLAYERS]), counter
