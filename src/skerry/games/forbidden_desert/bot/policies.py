"""The players: what to do at each kind of question, by the plan, the thirst and a look through the turn.

``skilled`` plays as well as it can; ``novice`` is the same player with less of an eye.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.botkit.packed_array import argmin, at
from skerry.botkit.policy import index_of, index_or_pass
from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.engine.rng import next_below
from skerry.games.forbidden_desert.bot.gear_play import (
    NO_ACTION,
    play_blaster,
    play_jet_pack,
    play_reserve,
    play_shield,
    play_terrascope,
)
from skerry.games.forbidden_desert.bot.plan import Goals, find_goals, moved_pawn_cost, position_cost
from skerry.games.forbidden_desert.bot.routes import first_steps, one_step_from
from skerry.games.forbidden_desert.bot.thirst import (
    PerSeat,
    StormDeck,
    WaterValues,
    known_storm_deck,
    sun_damage,
    water_values,
)
from skerry.games.forbidden_desert.bot.turn_search import ROLE_ACTION, best_turn, moved_to, turn_context, turn_state
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

THIRSTY = 2  # who has less water could do with some


@kernel
def choose_action(world: State, seat: int, weights: Weights) -> int:
    """The action for the seat whose turn it is."""
    sky = known_storm_deck(world, weights, seat)
    if world.phase == FORECAST:
        return _choose_card_to_bottom(world, weights, sky)
    worth = water_values(world, weights, sky)
    action = _choose_water(world, weights, worth, seat)
    if action != NO_ACTION:
        return action
    if world.phase == ACTIONS:
        return _choose_turn_action(world, weights, sky, worth, seat)
    action = play_shield(world, weights, sky, seat)
    return actions.DRAW if action == NO_ACTION else action


@kernel
def interrupting(world: State) -> int:
    """As the storm begins, who can help the thirsty."""
    if world.phase != STORM or world.shown:
        return 0
    seats = 0
    for seat in range(world.players):
        if seat != world.turn:
            helps = world.gear[seat, WATER_RESERVE] + world.gear[seat, SOLAR_SHIELD] > 0
            for other in range(world.players):
                if world.water[seat] and world.water[other] < THIRSTY and can_give_water(world, seat, other):
                    helps = True
            seats |= helps << seat
    return seats


@kernel
def choose_interrupt(world: State, seat: int, weights: Weights) -> int:
    """Water or gear in another's turn, or nothing."""
    sky = known_storm_deck(world, weights, seat)
    worth = water_values(world, weights, sky)
    action = _choose_water(world, weights, worth, seat)
    return play_shield(world, weights, sky, seat) if action == NO_ACTION else action


@kernel
def _choose_water(world: State, weights: Weights, worth: WaterValues, seat: int) -> int:
    """Water for the thirsty: from the own canteen, or the Reserve."""
    action = _choose_water_gift(world, weights, worth, seat)
    return play_reserve(world, weights, worth, seat) if action == NO_ACTION else action


@kernel
def _choose_card_to_bottom(world: State, weights: Weights, sky: StormDeck) -> int:
    """The card that does most harm goes to the bottom."""
    worst, chosen = weights.wind, actions.KEEP
    sun = sun_damage(world, weights, sky)
    for number in range(cards_in_sight(world)):
        card = world.storm_deck[world.storm_left - 1 - number]
        harm = weights.picks_up if card == PICKS_UP else sun if card == SUN else weights.wind * (card % MAX_WIND)
        if harm > worst:
            worst, chosen = harm, actions.BOTTOM + number
    return chosen


@kernel
def _choose_water_gift(world: State, weights: Weights, worth: WaterValues, seat: int) -> int:
    """One water to whom it helps most, if that is more than it costs oneself. Where others can answer at once it goes
    from who has more to who has less, or two might hand it to and fro for ever."""
    if not world.water[seat]:
        return NO_ACTION
    most, chosen = weights.lend, NO_ACTION
    for other in range(world.players):
        room = world.water[other] < CANTEEN_SIZE[world.role[other]]
        if world.phase == STORM:
            room = world.water[other] + 1 < world.water[seat]
        if room and can_give_water(world, seat, other):
            gain = worth.one[other] - worth.less[seat]
            if gain > most:
                most, chosen = gain, actions.WATER + other * MAX_WATER
    return chosen


@kernel
def _choose_turn_action(world: State, weights: Weights, sky: StormDeck, worth: WaterValues, seat: int) -> int:
    aims = find_goals(world, weights, worth, seat)
    if world.guided >= 0:
        step = _next_guided_step(world, weights, worth, aims, int(world.guided), int(world.steps))
        if step != NO_ACTION:
            return actions.GUIDE + world.guided * PLACES + step
    cost = position_cost(world, weights, worth, aims, seat)
    look = turn_context(world, weights, aims, seat, cost, _role_action_values(world, weights, sky, worth, aims, seat))
    action = play_blaster(world, weights, look, seat)
    if action == NO_ACTION:
        action = play_terrascope(world, weights, aims, seat)
    if action != NO_ACTION:
        return action
    now = turn_state(world, aims.parts)
    left = min(weights.ahead, world.left)
    value, place, choice = best_turn(weights, look, now, left)
    if world.gear[seat, JET_PACK]:
        spot = argmin(cost, jet_destinations(world, seat))
        there, _, _ = best_turn(weights, look, moved_to(now, spot), left)
        if there - value > (0 if world.taken == ALL_PARTS else weights.jet):
            return play_jet_pack(world, weights, worth, aims, seat, spot)
    if not world.left and world.gear[seat, TIME_THROTTLE]:
        more, _, _ = best_turn(weights, look, now, min(weights.ahead, THROTTLE_ACTIONS))
        if more - value >= weights.throttle:
            return actions.PLAY_THROTTLE
    if place != world.pawn[seat]:
        return _move_towards(world, weights, worth, aims, seat, place)
    return _full_action(world, weights, worth, aims, seat, choice)


@kernel
def _move_towards(world: State, weights: Weights, worth: WaterValues, aims: Goals, seat: int, place: int) -> int:
    """The first step of the way; the Climber takes along whom it helps most."""
    climbs = world.role[seat] == CLIMBER
    free = tile_places(world) if climbs else tile_places(world) & ~world.blocked
    steps = first_steps(int(world.pawn[seat]), place, free, world.role[seat] == EXPLORER, int(world.tunnels))
    if not steps:
        return actions.END
    to = lowest_bit(steps)
    if climbs:
        most, passenger = weights.guide, NO_ACTION
        for other in range(world.players):
            if seats_on_same_tile(world, seat) >> other & 1:
                cost = moved_pawn_cost(world, weights, worth, aims, other)
                gain = at(cost, int(world.pawn[other])) - at(cost, to)
                if world.blocked >> to & 1:
                    gain -= weights.deep
                if gain > most:
                    most, passenger = gain, other
        if passenger != NO_ACTION:
            return actions.CARRY + passenger * PLACES + to
    return actions.MOVE + to


@kernel
def _full_action(world: State, weights: Weights, worth: WaterValues, aims: Goals, seat: int, choice: int) -> int:
    """What the look through the turn calls by a short name."""
    if choice == actions.TAKE:
        part = 0
        while part < N_PARTS - 1 and world.part_at[part] != world.pawn[seat]:
            part += 1
        return actions.TAKE + part
    if choice > ROLE_ACTION:
        return choice
    number = ROLE_ACTION - choice
    if world.role[seat] == METEOROLOGIST:
        return actions.LOOK_AHEAD if number == 0 else actions.HOLD_OFF
    if world.role[seat] == WATER_CARRIER:
        return actions.FILL
    return actions.GUIDE + number * PLACES + _next_guided_step(world, weights, worth, aims, number, GUIDED_STEPS)


@kernel
def _role_action_values(
    world: State, weights: Weights, sky: StormDeck, worth: WaterValues, aims: Goals, seat: int
) -> PerSeat:
    role = world.role[seat]
    if role == METEOROLOGIST:
        return _weather_values(world, weights, sky)
    if role == WATER_CARRIER:
        return _fill_values(world, weights, worth, seat)
    if role == NAVIGATOR:
        return (
            _guide_value(world, weights, worth, aims, seat, 0),
            _guide_value(world, weights, worth, aims, seat, 1),
            _guide_value(world, weights, worth, aims, seat, 2),
            _guide_value(world, weights, worth, aims, seat, 3),
            _guide_value(world, weights, worth, aims, seat, 4),
        )
    return (0, 0, 0, 0, 0)


@kernel
def _weather_values(world: State, weights: Weights, sky: StormDeck) -> PerSeat:
    """A look at the next cards, unless they are known, and up to four cards fewer."""
    cards = cards_in_sight(world)
    sun = sun_damage(world, weights, sky)
    suns = sun * sky.suns // max(1, sky.cards)
    look = 0
    if not sky.seen & (1 << cards) - 1:
        look = (suns + weights.picks_up * 3 // 31) * cards
    calm = weights.calm + suns
    spare = storm_cards_per_turn(world) - world.saved
    return (
        look,
        calm if spare > 0 else 0,
        calm if spare > 1 else 0,
        calm if spare > 2 else 0,
        calm if spare > 3 else 0,
    )


@kernel
def _fill_values(world: State, weights: Weights, worth: WaterValues, seat: int) -> PerSeat:
    """Two water, and two more: for herself and for the thirstiest."""
    room = CANTEEN_SIZE[WATER_CARRIER] - world.water[seat]
    need = 0
    for other in range(world.players):
        need = max(need, worth.two[other])
    gain = need * weights.fill // 100
    first, second = min(2, room), min(2, max(0, room - 2))
    return (gain * first // 2, gain * second // 2, 0, 0, 0)


@kernel
def _guide_destinations(world: State, other: int, steps: int) -> int:
    """Where a pawn can be guided to with so many steps, its own place included."""
    found = 1 << world.pawn[other]
    if is_buried(world, other):
        return found
    free = tile_places(world) if world.role[other] == CLIMBER else tile_places(world) & ~world.blocked
    for _ in range(steps):
        found |= one_step_from(found, world.role[other] == EXPLORER, int(world.tunnels)) & free
    return found


@kernel
def _guide_value(world: State, weights: Weights, worth: WaterValues, aims: Goals, seat: int, other: int) -> int:
    """How much better another pawn would stand."""
    if other == seat or other >= world.players:
        return 0
    cost = moved_pawn_cost(world, weights, worth, aims, other)
    place = argmin(cost, _guide_destinations(world, other, GUIDED_STEPS))
    gain = at(cost, int(world.pawn[other])) - at(cost, place)
    return gain if gain > weights.guide else 0


@kernel
def _next_guided_step(world: State, weights: Weights, worth: WaterValues, aims: Goals, other: int, steps: int) -> int:
    """The next step of a guided pawn, or none if it stands well."""
    cost = moved_pawn_cost(world, weights, worth, aims, other)
    place = argmin(cost, _guide_destinations(world, other, steps))
    if at(cost, place) >= at(cost, int(world.pawn[other])):
        return NO_ACTION
    free = tile_places(world) if world.role[other] == CLIMBER else tile_places(world) & ~world.blocked
    return lowest_bit(
        first_steps(int(world.pawn[other]), place, free, world.role[other] == EXPLORER, int(world.tunnels))
    )


@kernel
def choose_index(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights) -> int:
    """Where the action for a seat stands in the list of its legal ones."""
    if world.turn != seat:
        return index_or_pass(choose_interrupt(world, seat, weights), legal, count)
    return 0 if count == 1 else index_of(choose_action(world, seat, weights), legal, count)


@kernel
def skilled(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    return choose_index(world, seat, legal, count, SKILLED[world.players - MIN_PLAYERS]), counter


@kernel
def novice(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    """Plays like the skilled one, shortsighted and not always attentive."""
    if count > 1 and world.turn == seat and world.phase == ACTIONS:
        slip, counter = next_below(counter, SLIP)
        if slip == 0:
            spending = 0
            while spending < count and legal[spending] < actions.FIRST_FREE_ACTION:
                spending += 1
            return next_below(counter, spending)
    return choose_index(world, seat, legal, count, NOVICE[world.players - MIN_PLAYERS]), counter
