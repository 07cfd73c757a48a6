"""The rule-based policies: the plan, the value of water and a search of the turn decide each action.

``skilled`` plays as well as it can; ``novice`` is the same policy with weights that see less, and it makes mistakes.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.botkit.packed_array import argmin, at
from skerry.botkit.policy import index_of, index_or_pass
from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.engine.loop import PASS
from skerry.engine.rng import next_below
from skerry.games.forbidden_desert.bot.gear_play import (
    NOBODY,
    play_blaster,
    play_jet_pack,
    play_reserve,
    play_shield,
    play_terrascope,
)
from skerry.games.forbidden_desert.bot.plan import Goals, find_goals, moved_pawn_cost, position_cost
from skerry.games.forbidden_desert.bot.routes import first_steps, one_step_from
from skerry.games.forbidden_desert.bot.thirst import (
    StormDeck,
    WaterValues,
    known_storm_deck,
    sun_damage,
    water_values,
)
from skerry.games.forbidden_desert.bot.turn_search import (
    ROLE_ACTION,
    RoleActionValues,
    moved_to,
    search_turn,
    turn_context,
    turn_state,
)
from skerry.games.forbidden_desert.bot.weights import MIN_PLAYERS, NOVICE, SKILLED, SLIP, Weights
from skerry.games.forbidden_desert.rules import actions
from skerry.games.forbidden_desert.rules.components import (
    ALL_PARTS,
    CANTEEN_SIZE,
    CLIMBER,
    EXPLORER,
    GUIDED_STEPS,
    JET_PACK,
    MAX_WATER,
    MAX_WIND,
    METEOROLOGIST,
    N_PARTS,
    NAVIGATOR,
    PICKS_UP,
    PLACES,
    SOLAR_SHIELD,
    SUN,
    THROTTLE_ACTIONS,
    TIME_THROTTLE,
    WATER_CARRIER,
    WATER_RESERVE,
)
from skerry.games.forbidden_desert.rules.forecast import cards_in_sight
from skerry.games.forbidden_desert.rules.reach import (
    can_give_water,
    is_buried,
    jet_destinations,
    seats_on_same_tile,
    tile_places,
)
from skerry.games.forbidden_desert.rules.state import ACTIONS, FORECAST, STORM, State
from skerry.games.forbidden_desert.rules.storm import storm_cards_per_turn

THIRSTY = 2  # a seat with less water could use some


@kernel
def choose_action(world: State, seat: int, weights: Weights) -> int:
    """The action of the seat whose turn it is."""
    deck = known_storm_deck(world, weights, seat)
    if world.phase == FORECAST:
        return _choose_card_to_bottom(world, weights, deck)
    values = water_values(world, weights, deck)
    action = _choose_water(world, weights, values, seat)
    if action != PASS:
        return action
    if world.phase == ACTIONS:
        return _choose_turn_action(world, weights, deck, values, seat)
    action = play_shield(world, weights, deck, seat)
    return actions.DRAW if action == PASS else action


@kernel
def interrupting(world: State) -> int:
    """The seats that may want to interrupt, as a bit set: those that can help the thirsty as the storm begins."""
    if world.phase != STORM or world.shown:
        return 0
    seats = 0
    for seat in range(world.players):
        if seat != world.turn:
            can_help = world.gear[seat, WATER_RESERVE] + world.gear[seat, SOLAR_SHIELD] > 0
            for other in range(world.players):
                if world.water[seat] and world.water[other] < THIRSTY and can_give_water(world, seat, other):
                    can_help = True
            seats |= can_help << seat
    return seats


@kernel
def choose_interrupt(world: State, seat: int, weights: Weights) -> int:
    """The water that a seat gives or the gear that it plays in another seat's turn, or ``PASS``."""
    deck = known_storm_deck(world, weights, seat)
    values = water_values(world, weights, deck)
    action = _choose_water(world, weights, values, seat)
    return play_shield(world, weights, deck, seat) if action == PASS else action


@kernel
def _choose_water(world: State, weights: Weights, values: WaterValues, seat: int) -> int:
    """Give water to another seat, or play the Secret Water Reserve, if that is worth it."""
    action = _choose_water_gift(world, weights, values, seat)
    return play_reserve(world, weights, values, seat) if action == PASS else action


@kernel
def _choose_card_to_bottom(world: State, weights: Weights, deck: StormDeck) -> int:
    """Put the most harmful of the next storm cards at the bottom."""
    most_harm, action = weights.wind, actions.KEEP
    sun_harm = sun_damage(world, weights, deck)
    for number in range(cards_in_sight(world)):
        card = world.storm_deck[world.storm_left - 1 - number]
        harm = weights.wind * (card % MAX_WIND)
        if card == PICKS_UP:
            harm = weights.picks_up
        elif card == SUN:
            harm = sun_harm
        if harm > most_harm:
            most_harm, action = harm, actions.BOTTOM + number
    return action


@kernel
def _choose_water_gift(world: State, weights: Weights, values: WaterValues, seat: int) -> int:
    """Give one water where it gains most, if that is more than it costs the giver.

    While others can respond at once, water only goes to seats with less of it; else two seats might give it to each
    other for ever.
    """
    if not world.water[seat]:
        return PASS
    best_gain, action = weights.lend, PASS
    for other in range(world.players):
        can_take = world.water[other] < CANTEEN_SIZE[world.role[other]]
        if world.phase == STORM:
            can_take = world.water[other] + 1 < world.water[seat]
        if can_take and can_give_water(world, seat, other):
            gain = values.one_more[other] - values.one_less[seat]
            if gain > best_gain:
                best_gain, action = gain, actions.WATER + other * MAX_WATER
    return action


@kernel
def _choose_turn_action(world: State, weights: Weights, deck: StormDeck, values: WaterValues, seat: int) -> int:
    """The first action of the best rest of the turn, or gear that gains more than it is kept for."""
    goals = find_goals(world, weights, values, seat)
    if world.guided >= 0:
        step = _next_guided_step(world, weights, values, goals, int(world.guided), int(world.steps))
        if step != NO_STEP:
            return actions.GUIDE + world.guided * PLACES + step
    cost = position_cost(world, weights, values, goals, seat)
    role_values = _role_action_values(world, weights, deck, values, goals, seat)
    context = turn_context(world, weights, goals, seat, cost, role_values)
    action = play_blaster(world, weights, context, seat)
    if action == PASS:
        action = play_terrascope(world, weights, goals, seat)
    if action != PASS:
        return action
    start = turn_state(world, goals.parts)
    actions_left = min(weights.search_depth, world.left)
    best = search_turn(weights, context, start, actions_left)
    if world.gear[seat, JET_PACK]:
        place = argmin(cost, jet_destinations(world, seat))
        after_flight = search_turn(weights, context, moved_to(start, place), actions_left)
        if after_flight.value - best.value > (0 if world.taken == ALL_PARTS else weights.jet):
            return play_jet_pack(world, weights, values, goals, seat, place)
    if not world.left and world.gear[seat, TIME_THROTTLE]:
        with_throttle = search_turn(weights, context, start, min(weights.search_depth, THROTTLE_ACTIONS))
        if with_throttle.value - best.value >= weights.throttle:
            return actions.PLAY_THROTTLE
    if best.place != world.pawn[seat]:
        return _move_towards(world, weights, values, goals, seat, best.place)
    return _full_action(world, weights, values, goals, seat, best.action)


@kernel
def _move_towards(
    world: State, weights: Weights, values: WaterValues, goals: Goals, seat: int, destination: int
) -> int:
    """The first step of the way to a destination. The Climber takes along the pawn that gains most by it."""
    climbs = world.role[seat] == CLIMBER
    free = tile_places(world) if climbs else tile_places(world) & ~world.blocked
    steps = first_steps(int(world.pawn[seat]), destination, free, world.role[seat] == EXPLORER, int(world.tunnels))
    if not steps:
        return actions.END
    place = lowest_bit(steps)
    if climbs:
        passenger = _best_passenger(world, weights, values, goals, seat, place)
        if passenger != NOBODY:
            return actions.CARRY + passenger * PLACES + place
    return actions.MOVE + place


@kernel
def _best_passenger(world: State, weights: Weights, values: WaterValues, goals: Goals, seat: int, place: int) -> int:
    """The pawn that gains most by being taken along to a place, or ``NOBODY``."""
    best_gain, passenger = weights.guide, NOBODY
    for other in range(world.players):
        if seats_on_same_tile(world, seat) >> other & 1:
            cost = moved_pawn_cost(world, weights, values, goals, other)
            gain = at(cost, int(world.pawn[other])) - at(cost, place)
            if world.blocked >> place & 1:
                gain -= weights.deep
            if gain > best_gain:
                best_gain, passenger = gain, other
    return passenger


@kernel
def _full_action(world: State, weights: Weights, values: WaterValues, goals: Goals, seat: int, action: int) -> int:
    """The action id for an action of the turn search, which leaves open which part and stands in for role actions."""
    if action == actions.TAKE:
        part = 0
        while part < N_PARTS - 1 and world.part_at[part] != world.pawn[seat]:
            part += 1
        return actions.TAKE + part
    if action > ROLE_ACTION:
        return action
    number = ROLE_ACTION - action
    if world.role[seat] == METEOROLOGIST:
        return actions.LOOK_AHEAD if number == 0 else actions.HOLD_OFF
    if world.role[seat] == WATER_CARRIER:
        return actions.FILL
    step = _next_guided_step(world, weights, values, goals, number, GUIDED_STEPS)
    return actions.GUIDE + number * PLACES + step


@kernel
def _role_action_values(
    world: State, weights: Weights, deck: StormDeck, values: WaterValues, goals: Goals, seat: int
) -> RoleActionValues:
    """The values of up to five actions of a role. The Navigator has one for each pawn to guide."""
    role = world.role[seat]
    if role == METEOROLOGIST:
        return _weather_values(world, weights, deck)
    if role == WATER_CARRIER:
        return _fill_values(world, weights, values, seat)
    if role == NAVIGATOR:
        return (
            _guide_value(world, weights, values, goals, seat, 0),
            _guide_value(world, weights, values, goals, seat, 1),
            _guide_value(world, weights, values, goals, seat, 2),
            _guide_value(world, weights, values, goals, seat, 3),
            _guide_value(world, weights, values, goals, seat, 4),
        )
    return (0, 0, 0, 0, 0)


@kernel
def _weather_values(world: State, weights: Weights, deck: StormDeck) -> RoleActionValues:
    """For the Meteorologist: a look at the next cards, unless they are known, and holding off up to four cards."""
    cards = cards_in_sight(world)
    sun_cost = sun_damage(world, weights, deck) * deck.unseen_suns // max(1, deck.unseen_cards)
    look_ahead = 0
    if not deck.seen & (1 << cards) - 1:
        look_ahead = (sun_cost + weights.picks_up * 3 // 31) * cards
    hold_off = weights.calm + sun_cost
    cards_left = storm_cards_per_turn(world) - world.saved
    return (
        look_ahead,
        hold_off if cards_left > 0 else 0,
        hold_off if cards_left > 1 else 0,
        hold_off if cards_left > 2 else 0,
        hold_off if cards_left > 3 else 0,
    )


@kernel
def _fill_values(world: State, weights: Weights, values: WaterValues, seat: int) -> RoleActionValues:
    """For the Water Carrier: two water, and two more, at their value to the thirstiest seat."""
    room = CANTEEN_SIZE[WATER_CARRIER] - world.water[seat]
    highest_value = 0
    for other in range(world.players):
        highest_value = max(highest_value, values.two_more[other])
    gain = highest_value * weights.fill // 100
    first, second = min(2, room), min(2, max(0, room - 2))
    return (gain * first // 2, gain * second // 2, 0, 0, 0)


@kernel
def _guide_destinations(world: State, other: int, steps: int) -> int:
    """Where a pawn can be guided to with up to so many steps, its own place included."""
    places = 1 << world.pawn[other]
    if is_buried(world, other):
        return places
    free = tile_places(world) if world.role[other] == CLIMBER else tile_places(world) & ~world.blocked
    for _ in range(steps):
        places |= one_step_from(places, world.role[other] == EXPLORER, int(world.tunnels)) & free
    return places


@kernel
def _guide_value(world: State, weights: Weights, values: WaterValues, goals: Goals, seat: int, other: int) -> int:
    """How much a pawn gains by being guided to the best place."""
    if other == seat or other >= world.players:
        return 0
    cost = moved_pawn_cost(world, weights, values, goals, other)
    place = argmin(cost, _guide_destinations(world, other, GUIDED_STEPS))
    gain = at(cost, int(world.pawn[other])) - at(cost, place)
    return gain if gain > weights.guide else 0


NO_STEP = -1


@kernel
def _next_guided_step(world: State, weights: Weights, values: WaterValues, goals: Goals, other: int, steps: int) -> int:
    """The place of a guided pawn's next step, or ``NO_STEP`` if no place in reach is better than its own."""
    cost = moved_pawn_cost(world, weights, values, goals, other)
    place = argmin(cost, _guide_destinations(world, other, steps))
    if at(cost, place) >= at(cost, int(world.pawn[other])):
        return NO_STEP
    free = tile_places(world) if world.role[other] == CLIMBER else tile_places(world) & ~world.blocked
    return lowest_bit(
        first_steps(int(world.pawn[other]), place, free, world.role[other] == EXPLORER, int(world.tunnels))
    )


@kernel
def choose_index(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights) -> int:
    """The choice of a seat as an index into its legal actions, or ``PASS``."""
    if world.turn != seat:
        return index_or_pass(choose_interrupt(world, seat, weights), legal, count)
    return 0 if count == 1 else index_of(choose_action(world, seat, weights), legal, count)


@kernel
def skilled(world: State, seat: int, legal: NDArray[Any], count: int, rng: Any) -> tuple[int, Any]:
    """Play as well as these policies can."""
    return choose_index(world, seat, legal, count, SKILLED[world.players - MIN_PLAYERS]), rng


@kernel
def novice(world: State, seat: int, legal: NDArray[Any], count: int, rng: Any) -> tuple[int, Any]:
    """Play shortsightedly, and now and then take a random action of the turn instead."""
    if count > 1 and world.turn == seat and world.phase == ACTIONS:
        slip, rng = next_below(rng, SLIP)
        if slip == 0:
            candidates = 0
            while candidates < count and legal[candidates] < actions.FIRST_FREE_ACTION:
                candidates += 1
            return next_below(rng, candidates)
    return choose_index(world, seat, legal, count, NOVICE[world.players - MIN_PLAYERS]), rng
