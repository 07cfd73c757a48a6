"""The players: what to do at each kind of question, by the plan, the threat and a look through the turn.

``skilled`` plays as well as it can; ``novice`` is the same player with less of an eye.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.botkit.packed_array import Chart, at, highest, least
from skerry.botkit.policy import PASS, index_of, index_or_pass
from skerry.engine.bitset import lowest, plain
from skerry.engine.kernel import kernel
from skerry.engine.rng import bounded
from skerry.games.forbidden_island.bot.plan import NOBODY, SURPLUS, Plan, away, keep, least_kept, lifts_held, plan
from skerry.games.forbidden_island.bot.threat import kinds, losses, piles, wanted
from skerry.games.forbidden_island.bot.turn_search import Outlook, Stance, best, outlook
from skerry.games.forbidden_island.bot.weights import FEWEST, NOVICE, SKILLED, SLIP, Weights
from skerry.games.forbidden_island.rules import actions as act
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
from skerry.games.forbidden_island.rules.reach import swims, there
from skerry.games.forbidden_island.rules.state import ACTIONS, FLOODING, State


@kernel
def decide(world: State, seat: int, weights: Weights, last: int) -> int:
    """The action for a seat that has a choice; ``last`` is the last of its legal ones."""
    if last == act.LIFT_OFF:
        return act.LIFT_OFF
    who = plan(world, weights)
    kind = kinds(world)
    precious = kind.landing | kind.vital | kind.twin | kind.shaky
    if world.swimming:
        return _out_of_the_water(world, seat, weights, who, precious)
    risk = losses(world, weights, piles(world), kind)
    if world.over:
        return _discard(world, seat, weights, who, risk, precious)
    if world.phase == ACTIONS:
        return _act(world, seat, weights, who, risk, precious)
    return _between_cards(world, seat, weights, risk)


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
def interrupt(world: State, seat: int, weights: Weights, last: int) -> int:
    """A special card in another's turn, or none."""
    if last == act.LIFT_OFF:
        return act.LIFT_OFF
    who, kind = plan(world, weights), kinds(world)
    risk = losses(world, weights, piles(world), kind)
    if world.phase == FLOODING:
        action = _between_cards(world, seat, weights, risk)
        return PASS if action == act.FLOOD else action
    precious = kind.landing | kind.vital | kind.twin | kind.shaky
    turn = plain(world.turn)
    look = outlook(world, weights, who, turn, risk, precious)
    here = Stance(plain(world.pawn[turn]), plain(world.flown), 0, 0, 0, 0)
    value, _ = best(world, weights, who, look, here, min(weights.ahead, world.left))
    lift, _ = _lift_oneself(world, weights, who, look, value, _price(world, weights))
    return lift or PASS


@kernel
def _out_of_the_water(world: State, seat: int, weights: Weights, who: Plan, precious: int) -> int:
    if not world.stranded:
        return act.SWIM + least(away(world, weights, who, seat, precious), swims(world, seat))
    pawn = 0
    while not world.stranded >> pawn & 1:
        pawn += 1
    place = least(away(world, weights, who, pawn, precious), there(world))
    return act.LIFT + (world.swimming - 1) * TILES + place


@kernel
def _discard(world: State, seat: int, weights: Weights, who: Plan, risk: Chart, precious: int) -> int:
    """The card that is worth least; a special card is played rather than thrown away, or instead of a better one."""
    worst = least_kept(world, weights, who, seat)
    useful = keep(world, weights, who, seat, worst) > SURPLUS
    if useful and world.hands[seat, SANDBAGS] and world.flooded:
        place = highest(risk, world.flooded)
        if worst == SANDBAGS or at(risk, place) >= weights.bags:
            return act.BAGS + place
    if worst == HELICOPTER:
        lift, _ = _lift_another(world, NOBODY, weights, who, precious, 0)
        if lift:
            return lift
    return act.DISCARD + worst


@kernel
def _between_cards(world: State, seat: int, weights: Weights, risk: Chart) -> int:
    """Sandbags wait until the treasure cards are drawn: only then is it known how many flood cards come."""
    if world.phase != FLOODING:
        return act.DRAW
    if world.hands[seat, SANDBAGS] and world.flooded:
        place = highest(risk, world.flooded)
        if at(risk, place) >= weights.bags:
            return act.BAGS + place
    return act.FLOOD


@kernel
def _act(world: State, seat: int, weights: Weights, who: Plan, risk: Chart, precious: int) -> int:
    look = outlook(world, weights, who, seat, risk, precious)
    here = Stance(plain(world.pawn[seat]), plain(world.flown), 0, 0, 0, 0)
    value, action = best(world, weights, who, look, here, min(weights.ahead, world.left))
    if world.hands[seat, HELICOPTER]:
        price = _price(world, weights)
        lift, price = _lift_oneself(world, weights, who, look, value, price)
        other, price = _lift_another(world, seat, weights, who, precious, price)
        if lift or other:
            return other or lift
    return action


@kernel
def _price(world: State, weights: Weights) -> int:
    """What a Helicopter Lift must bring to be played. Who has all treasures needs one card, and no more."""
    spare = lifts_held(world) > 1
    if not wanted(world):
        return 0 if spare else 1 << 20
    if spare:
        return weights.lift
    return weights.last_lift + weights.end_lift * (N_TREASURES - wanted(world))


@kernel
def _lift_oneself(world: State, weights: Weights, who: Plan, look: Outlook, value: int, price: int) -> Any:
    """To where the rest of the turn brings so much more that it is worth the card."""
    lift, left = 0, min(weights.ahead, world.left)
    places = look.captures | look.flooded & look.precious | 1 << world.place_of[FOOLS_LANDING]
    if look.role != MESSENGER:
        places |= look.meetings
    places &= ~(1 << world.pawn[look.seat])
    while places:
        place = lowest(places)
        places &= places - 1
        lifted, _ = best(world, weights, who, look, Stance(place, plain(world.flown), 0, 0, 0, 0), left)
        if lifted - value > price:
            price = lifted - value
            lift = act.LIFT + ((1 << look.seat) - 1) * TILES + place
    return lift, price


@kernel
def _lift_another(world: State, seat: int, weights: Weights, who: Plan, precious: int, price: int) -> Any:
    """So much nearer to where it is needed that it is worth the card; on the way home with all who stand there."""
    lift = 0
    home = not wanted(world)
    for pawn in range(world.players):
        if pawn != seat or home:
            cost = away(world, weights, who, pawn, precious)
            place = least(cost, there(world))
            gain = at(cost, int(world.pawn[pawn])) - at(cost, place)
            if gain > price and place != world.pawn[pawn]:
                price = gain
                group = 1 << pawn
                for other in range(world.players):
                    if home and world.pawn[other] == world.pawn[pawn]:
                        group |= 1 << other
                lift = act.LIFT + (group - 1) * TILES + place
    return lift, price


@kernel
def answer(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights) -> int:
    """Where the action for a seat stands in the list of its legal ones."""
    if not waiting(world) >> seat & 1:
        return index_or_pass(interrupt(world, seat, weights, legal[count - 1]), legal, count)
    return 0 if count == 1 else index_of(decide(world, seat, weights, legal[count - 1]), legal, count)


@kernel
def skilled(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    return answer(world, seat, legal, count, SKILLED[world.players - FEWEST]), counter


@kernel
def novice(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    """Plays like the skilled one, shortsighted and not always attentive."""
    mine = world.turn == seat and world.phase == ACTIONS
    if count > 1 and mine and not world.over and legal[count - 1] != act.LIFT_OFF:
        slip, counter = bounded(counter, SLIP)
        if slip == 0:
            actions = 0
            while actions < count and legal[actions] < act.CAPTURE:
                actions += 1
            return bounded(counter, actions)
    return answer(world, seat, legal, count, NOVICE[world.players - FEWEST]), counter
