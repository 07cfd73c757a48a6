"""The rest of a turn, looked through to its end: where to go, what to do there, where to be when the storm comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from skerry.botkit.packed_array import PackedArray, at
from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.plan import Goals
from skerry.games.forbidden_desert.bot.routes import MAX_DISTANCE, neighbours_of, one_step_from
from skerry.games.forbidden_desert.bot.thirst import PerSeat
from skerry.games.forbidden_desert.bot.weights import Weights
from skerry.games.forbidden_desert.rules import actions
from skerry.games.forbidden_desert.rules.components import ARCHEOLOGIST, CLIMBER, EXPLORER, PLACES, WATER_CARRIER
from skerry.games.forbidden_desert.rules.reach import tile_places
from skerry.games.forbidden_desert.rules.state import State

IMPOSSIBLE = -(1 << 30)
ROLE_ACTION = -1  # and downwards: the role's actions
EXCAVATE_HERE, TAKE_HERE, USE_ROLE = (1 << PLACES + i for i in range(3))


class TurnContext(NamedTuple):
    """What stays the same while a turn is looked through."""

    seat: int
    role: int
    land: int
    tunnels: int
    diagonal: bool
    climbs: bool
    safe: int  # places where nobody is buried: the Climber's
    finds: PackedArray  # what excavating each place is worth
    cost: PackedArray  # what ending the turn at each place costs
    dunes: int
    keyed: int  # places that ought not to be blocked
    friends: int  # places of other pawns
    dust: int  # what any marker removed is worth
    wells: int
    special: PerSeat  # what each action of the role is worth, once


class TurnState(NamedTuple):
    """Where the turn has come to."""

    place: int
    ones: int  # the sand, three bits a place
    twos: int
    fours: int
    dug: int  # excavated places
    parts: int  # places of parts that are still to be picked up
    done: int  # the role's actions already counted


@kernel
def _int64(number: int) -> int:
    """In 64 bits, so that compiled code knows one kind of stance only."""
    return number + 0


@kernel
def turn_state(world: State, parts: int) -> TurnState:
    ones = twos = fours = 0
    places = int(world.sandy)
    while places:
        place = lowest_bit(places)
        places &= places - 1
        markers = min(world.sand[place], 7)
        ones |= _int64(markers & 1) << place
        twos |= _int64(markers >> 1 & 1) << place
        fours |= _int64(markers >> 2 & 1) << place
    return TurnState(_int64(world.pawn[world.turn]), ones, twos, fours, _int64(world.excavated), _int64(parts), 0)


@kernel
def turn_context(
    world: State, weights: Weights, aims: Goals, seat: int, cost: PackedArray, special: PerSeat
) -> TurnContext:
    friends = 0
    for other in range(world.players):
        if other != seat:
            friends |= 1 << world.pawn[other]
    safe = 1 << world.pawn[world.climber] if world.climber >= 0 else 0
    role = int(world.role[seat])
    dust = 1 + max(0, weights.plenty - world.supply) ** 2 * weights.scarce // 16
    return TurnContext(
        int(seat),
        role,
        tile_places(world),
        int(world.tunnels),
        role == EXPLORER,
        role == CLIMBER,
        safe,
        aims.finds,
        cost,
        aims.dunes,
        int(world.tunnels) | aims.pad | aims.parts | aims.rally,
        friends & ~safe,
        dust,
        aims.wells,
        special,
    )


@kernel
def moved_to(now: TurnState, place: int) -> TurnState:
    return TurnState(_int64(place), now.ones, now.twos, now.fours, now.dug, now.parts, now.done)


@kernel
def _sand_on(now: TurnState, place: int) -> int:
    return now.ones >> place & 1 | (now.twos >> place & 1) << 1 | (now.fours >> place & 1) << 2


@kernel
def _with_sand(now: TurnState, place: int, markers: int) -> TurnState:
    """The stance with so many markers left on a place."""
    mask = ~(1 << place)
    ones = now.ones & mask | (markers & 1) << place
    twos = now.twos & mask | (markers >> 1 & 1) << place
    fours = now.fours & mask | (markers >> 2 & 1) << place
    return TurnState(now.place, ones, twos, fours, now.dug, now.parts, now.done)


@kernel
def sand_removal_value(weights: Weights, look: TurnContext, place: int, markers: int, fewer: int) -> int:
    """What taking so many of a place's markers away is worth."""
    gain, bit = fewer * look.dust, 1 << place
    if look.dunes & bit:
        gain += fewer * weights.brush
    if markers > 1:
        worth = weights.unblock
        if look.keyed & bit:
            worth += weights.open
        if look.friends & bit:
            worth += weights.free
        gain += worth * min(fewer, markers - 1) // (markers - 1)
    return gain


@kernel
def _best_end_place(weights: Weights, look: TurnContext, now: TurnState, reach: int, walls: int) -> Any:
    """The best of some places to end the turn at: its value, and which."""
    best, chosen = IMPOSSIBLE, now.place
    goal = look.dunes & ~now.dug
    near = goal & ~(now.ones | now.twos | now.fours)
    for steps in range(MAX_DISTANCE):
        ready = reach if steps == MAX_DISTANCE - 1 or not goal else reach & near
        reach &= ~ready
        while ready:
            place = _int64(lowest_bit(ready))
            ready &= ready - 1
            value = -at(look.cost, place) - steps * weights.dig_pull
            if value > best:
                best, chosen = value, place
        if not reach:
            break
        near |= one_step_from(near & ~walls, look.diagonal, look.tunnels)
        near |= goal if steps else goal & ~(now.twos | now.fours)
    return best, chosen


@kernel
def _end_turn(weights: Weights, look: TurnContext, now: TurnState, left: int) -> Any:
    walls = (now.twos | now.fours) & ~look.safe
    value, place = _best_end_place(weights, look, now, 1 << now.place, walls)
    if walls >> place & 1 and not look.climbs:
        value -= weights.deep
    return value, place, actions.END


@kernel
def _sand_that_matters(look: TurnContext, now: TurnState) -> int:
    """Where it matters that sand lies: on a dune to be excavated, or so high that it blocks."""
    return (now.ones | now.twos | now.fours) & look.dunes & ~now.dug | now.twos | now.fours


@kernel
def _best_role_action(special: PerSeat, done: int) -> int:
    """The role's action that is worth most and not done yet, or -1."""
    chosen, most = -1, 0
    for number in range(len(special)):
        if special[number] > most and not done >> number & 1:
            chosen, most = number, special[number]
    return chosen


@kernel
def _options_here(look: TurnContext, now: TurnState, stays: bool) -> int:
    """What can be done where the pawn is: places to remove sand from, and above them excavate, take, special.

    Sand that does not block is removed from its own tile, or from where the pawn stands at first; where all sand
    counts, one marker is as good as another."""
    bit = 1 << now.place
    high = now.twos | now.fours
    if high & bit & ~look.safe and not look.climbs:
        return bit
    near = neighbours_of(bit, look.diagonal) & look.land
    found = _sand_that_matters(look, now) & (bit | near & (near if stays else high))
    if stays:
        plain = (now.ones | high) & (bit | near) & ~found
        found |= plain & -plain
    if not (now.dug | now.ones | high) & bit and at(look.finds, now.place):
        found |= EXCAVATE_HERE
    if now.parts & now.dug & bit & ~high:
        found |= TAKE_HERE
    if (look.wells & bit if look.role == WATER_CARRIER else stays) and _best_role_action(look.special, now.done) >= 0:
        found |= USE_ROLE
    return found


@kernel
def _apply_option(weights: Weights, look: TurnContext, now: TurnState, option: int) -> Any:
    """The stance after an option, what it brings, and the action."""
    place, ones, twos, fours, dug, parts, done = now
    if option == EXCAVATE_HERE:
        return (
            TurnState(place, ones, twos, fours, dug | 1 << place, parts, done),
            at(look.finds, place),
            actions.EXCAVATE,
        )
    if option == TAKE_HERE:
        return TurnState(place, ones, twos, fours, dug, parts & ~(1 << place), done), weights.take, actions.TAKE
    if option == USE_ROLE:
        number = _best_role_action(look.special, done)
        after = TurnState(place, ones, twos, fours, dug, parts, done | 1 << number)
        return after, look.special[number], ROLE_ACTION - number
    spot = _int64(lowest_bit(option))
    markers = _sand_on(now, spot)
    fewer = 2 if look.role == ARCHEOLOGIST and markers > 1 else 1
    gain = sand_removal_value(weights, look, spot, markers, fewer)
    return _with_sand(now, spot, markers - fewer), gain, spot + (actions.CLEAR if fewer == 1 else actions.CLEAR_TWO)


def _acting_at(rest: Callable[..., Any]) -> Callable[..., Any]:
    """The best action at a place the pawn has come to, and what it and the rest bring."""

    @kernel
    def work(weights: Weights, look: TurnContext, there: TurnState, left: int, stays: bool) -> Any:
        best, action = IMPOSSIBLE, actions.END
        options = _options_here(look, there, stays)
        while options:
            after, gain, choice = _apply_option(weights, look, there, options & -options)
            options &= options - 1
            value, _, _ = rest(weights, look, after, left - 1)
            if value + gain > best:
                best, action = value + gain, choice
        return best, action

    return work


def _one_action_deeper(rest: Callable[..., Any]) -> Callable[..., Any]:
    """The best that can come of the rest of a turn: its value, the place to go to first, and what to do there."""
    work = _acting_at(rest)

    @kernel
    def best_of(weights: Weights, look: TurnContext, now: TurnState, left: int) -> Any:
        if not left:
            return _end_turn(weights, look, now, left)
        best, chosen, action = IMPOSSIBLE, now.place, actions.END
        ring = seen = 1 << now.place
        high = now.twos | now.fours
        walls = 0 if look.climbs else high & ~look.safe
        free = look.land if look.climbs else look.land & ~high
        busy, stuck = _places_with_options(look, now) | ring, walls & ring
        for steps in range(left):
            todo = ring & busy
            while todo:
                place = lowest_bit(todo)
                todo &= todo - 1
                value, choice = work(weights, look, moved_to(now, place), left - steps, steps == 0)
                if value > best:
                    best, chosen, action = value, _int64(place), choice
            ring = 0 if stuck else one_step_from(ring, look.diagonal, look.tunnels) & free & ~seen
            seen |= ring
        value, place = _best_end_place(weights, look, now, seen, walls)
        if stuck:
            value -= weights.deep
        if value >= best:
            best, chosen, action = value, place, actions.END
        return best, chosen, action

    return best_of


@kernel
def _places_with_options(look: TurnContext, now: TurnState) -> int:
    """The places where there is something to do."""
    high = now.twos | now.fours
    sand = _sand_that_matters(look, now)
    clean = look.land & ~(now.dug | now.ones | high)
    return sand | now.parts | clean | look.wells | neighbours_of(sand & high, look.diagonal)


best_turn = _one_action_deeper(_one_action_deeper(_one_action_deeper(_one_action_deeper(_end_turn))))
