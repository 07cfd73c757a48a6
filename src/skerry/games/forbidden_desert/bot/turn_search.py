"""Search through the rest of a turn: where to go, what to do there, and where to be when the storm comes.

Each depth of the search is a kernel of its own that calls the next, as compiled kernels do not recurse. One depth is:
walk to a place, and take one action there that is not a move.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from skerry.botkit.packed_array import PackedArray, at
from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.plan import Goals
from skerry.games.forbidden_desert.bot.routes import DISTANCE_CAP, neighbours_of, one_step_from
from skerry.games.forbidden_desert.bot.weights import Weights
from skerry.games.forbidden_desert.rules import actions
from skerry.games.forbidden_desert.rules.components import ARCHEOLOGIST, CLIMBER, EXPLORER, PLACES, WATER_CARRIER
from skerry.games.forbidden_desert.rules.reach import tile_places
from skerry.games.forbidden_desert.rules.state import State

IMPOSSIBLE = -(1 << 30)  # lower than any value
ROLE_ACTION = -1  # stands for role action 0 in results; ROLE_ACTION - n for role action n
# Options at a place, as a bit set: one bit for each place to clear, and these.
EXCAVATE_HERE, TAKE_HERE, USE_ROLE = (1 << PLACES + i for i in range(3))
MOST_SAND = 7  # markers on a place that the search tells apart

# The value of each action of a role, at most five, and 0 for none. The Navigator has one for each pawn to guide.
RoleActionValues = tuple[int, int, int, int, int]


class TurnContext(NamedTuple):
    """What stays the same during the search of a turn. Sets of places unless said otherwise."""

    seat: int  # a seat
    role: int  # a role
    tiles: int
    tunnels: int
    diagonal: bool  # the pawn is the Explorer
    climbs: bool  # the pawn is the Climber
    safe: int  # the Climber's place, where nobody is buried
    find_values: PackedArray  # the value of excavating each place
    position_cost: PackedArray  # the cost of ending the turn at each place
    to_excavate: int
    to_keep_open: int  # places that should not be blocked
    other_pawns: int
    marker_value: int  # the value of removing any marker
    wells: int
    role_values: RoleActionValues  # the value of each action of the role, which is taken at most once


class TurnState(NamedTuple):
    """The position during the search: what the actions so far have changed."""

    place: int
    sand_1: int  # the sand as three sets of places: bit 0, 1 and 2 of the number of markers
    sand_2: int
    sand_4: int
    excavated: int
    parts: int  # places of parts that are not picked up
    role_actions: int  # bit set of the role's actions that are taken


class BestTurn(NamedTuple):
    """The best rest of a turn: its value, the place to go to first, and the action to take there."""

    value: int
    place: int
    action: int


class EndPlace(NamedTuple):
    """The best place to end the turn at."""

    value: int
    place: int


class BestAction(NamedTuple):
    """The best action at a place, and the value of it and the rest of the turn."""

    value: int
    action: int


class Outcome(NamedTuple):
    """The position after an option, what the option gains, and its action."""

    turn: TurnState
    gain: int
    action: int


class TurnSearch(Protocol):
    """A search of the rest of a turn with a number of actions left. Its depth is at most that number."""

    def __call__(self, weights: Weights, context: TurnContext, turn: TurnState, actions_left: int, /) -> BestTurn: ...


class SearchHere(Protocol):
    """A search of the rest of a turn that begins with an action at the pawn's place. ``at_start``: it has not moved."""

    def __call__(
        self, weights: Weights, context: TurnContext, turn: TurnState, actions_left: int, at_start: bool, /
    ) -> BestAction: ...


@kernel
def _int64(number: int) -> int:
    """The number as a 64-bit integer, so that compiled code has a single type of ``TurnState``."""
    return number + 0


@kernel
def turn_state(world: State, parts: int) -> TurnState:
    """The position before the first action, for the pawn whose turn it is."""
    sand_1 = sand_2 = sand_4 = 0
    places = int(world.sandy)
    while places:
        place = lowest_bit(places)
        places &= places - 1
        markers = min(world.sand[place], MOST_SAND)
        sand_1 |= _int64(markers & 1) << place
        sand_2 |= _int64(markers >> 1 & 1) << place
        sand_4 |= _int64(markers >> 2 & 1) << place
    return TurnState(_int64(world.pawn[world.turn]), sand_1, sand_2, sand_4, _int64(world.excavated), _int64(parts), 0)


@kernel
def turn_context(
    world: State, weights: Weights, goals: Goals, seat: int, position_cost: PackedArray, role_values: RoleActionValues
) -> TurnContext:
    """The context of a search for a seat."""
    other_pawns = 0
    for other in range(world.players):
        if other != seat:
            other_pawns |= 1 << world.pawn[other]
    safe = 1 << world.pawn[world.climber] if world.climber >= 0 else 0
    role = int(world.role[seat])
    marker_value = 1 + max(0, weights.plenty - world.supply) ** 2 * weights.scarce // 16
    return TurnContext(
        int(seat),
        role,
        tile_places(world),
        int(world.tunnels),
        role == EXPLORER,
        role == CLIMBER,
        safe,
        goals.find_values,
        position_cost,
        goals.to_excavate,
        int(world.tunnels) | goals.pad | goals.parts | goals.meeting_place,
        other_pawns & ~safe,
        marker_value,
        goals.wells,
        role_values,
    )


@kernel
def moved_to(turn: TurnState, place: int) -> TurnState:
    """The position after moving to a place."""
    return TurnState(
        _int64(place), turn.sand_1, turn.sand_2, turn.sand_4, turn.excavated, turn.parts, turn.role_actions
    )


@kernel
def _sandy(turn: TurnState) -> int:
    """The places with sand."""
    return turn.sand_1 | turn.sand_2 | turn.sand_4


@kernel
def _blocked(turn: TurnState) -> int:
    """The places with two markers or more."""
    return turn.sand_2 | turn.sand_4


@kernel
def _sand_on(turn: TurnState, place: int) -> int:
    """The number of markers on a place."""
    return turn.sand_1 >> place & 1 | (turn.sand_2 >> place & 1) << 1 | (turn.sand_4 >> place & 1) << 2


@kernel
def _with_sand(turn: TurnState, place: int, markers: int) -> TurnState:
    """The position with that many markers on a place."""
    others = ~(1 << place)
    sand_1 = turn.sand_1 & others | (markers & 1) << place
    sand_2 = turn.sand_2 & others | (markers >> 1 & 1) << place
    sand_4 = turn.sand_4 & others | (markers >> 2 & 1) << place
    return TurnState(turn.place, sand_1, sand_2, sand_4, turn.excavated, turn.parts, turn.role_actions)


@kernel
def sand_removal_value(weights: Weights, context: TurnContext, place: int, markers: int, removed: int) -> int:
    """The value of removing some of the markers of a place."""
    value, bit = removed * context.marker_value, 1 << place
    if context.to_excavate & bit:
        value += removed * weights.brush
    if markers > 1:
        unblock_value = weights.unblock
        if context.to_keep_open & bit:
            unblock_value += weights.open
        if context.other_pawns & bit:
            unblock_value += weights.free
        value += unblock_value * min(removed, markers - 1) // (markers - 1)
    return value


@kernel
def _best_end_place(weights: Weights, context: TurnContext, turn: TurnState, places: int, blocked: int) -> EndPlace:
    """The best of some places to end the turn at: by its cost and the distance to the next tile to excavate."""
    best_value, best_place = IMPOSSIBLE, turn.place
    goals = context.to_excavate & ~turn.excavated
    reached = goals & ~_sandy(turn)
    for distance in range(DISTANCE_CAP):
        at_distance = places if distance == DISTANCE_CAP - 1 or not goals else places & reached
        places &= ~at_distance
        while at_distance:
            place = _int64(lowest_bit(at_distance))
            at_distance &= at_distance - 1
            value = -at(context.position_cost, place) - distance * weights.dig_pull
            if value > best_value:
                best_value, best_place = value, place
        if not places:
            break
        reached |= one_step_from(reached & ~blocked, context.diagonal, context.tunnels)
        # A marker on a goal takes one action more, two or more count as two.
        reached |= goals if distance else goals & ~_blocked(turn)
    return EndPlace(best_value, best_place)


@kernel
def _end_turn(weights: Weights, context: TurnContext, turn: TurnState, actions_left: int) -> BestTurn:
    """End the turn here."""
    blocked = _blocked(turn) & ~context.safe
    end = _best_end_place(weights, context, turn, 1 << turn.place, blocked)
    value = end.value
    if blocked >> end.place & 1 and not context.climbs:
        value -= weights.deep
    return BestTurn(value, end.place, actions.END)


@kernel
def _sand_that_matters(context: TurnContext, turn: TurnState) -> int:
    """The places where sand matters: where it blocks, and on tiles to excavate."""
    return _sandy(turn) & context.to_excavate & ~turn.excavated | _blocked(turn)


@kernel
def _best_role_action(role_values: RoleActionValues, taken: int) -> int:
    """The role's action with the highest value that is not taken yet, or -1."""
    best, best_value = -1, 0
    for number in range(len(role_values)):
        if role_values[number] > best_value and not taken >> number & 1:
            best, best_value = number, role_values[number]
    return best


@kernel
def _options_here(context: TurnContext, turn: TurnState, at_start: bool) -> int:
    """The options at the pawn's place: places to clear, EXCAVATE_HERE, TAKE_HERE and USE_ROLE.

    To keep the search small, sand that does not block is cleared only on the pawn's own tile, or from where the pawn is
    at the start; and of the places where sand does not matter, one stands for all.
    """
    bit = 1 << turn.place
    blocked = _blocked(turn)
    if blocked & bit & ~context.safe and not context.climbs:
        return bit
    adjacent = neighbours_of(bit, context.diagonal) & context.tiles
    options = _sand_that_matters(context, turn) & (bit | adjacent & (adjacent if at_start else blocked))
    if at_start:
        other_sand = (turn.sand_1 | blocked) & (bit | adjacent) & ~options
        options |= other_sand & -other_sand
    if not (turn.excavated | turn.sand_1 | blocked) & bit and at(context.find_values, turn.place):
        options |= EXCAVATE_HERE
    if turn.parts & turn.excavated & bit & ~blocked:
        options |= TAKE_HERE
    can_use_role = context.wells & bit if context.role == WATER_CARRIER else at_start
    if can_use_role and _best_role_action(context.role_values, turn.role_actions) >= 0:
        options |= USE_ROLE
    return options


@kernel
def _apply_option(weights: Weights, context: TurnContext, turn: TurnState, option: int) -> Outcome:
    """Take one option at the pawn's place."""
    place, sand_1, sand_2, sand_4, excavated, parts, role_actions = turn
    if option == EXCAVATE_HERE:
        after = TurnState(place, sand_1, sand_2, sand_4, excavated | 1 << place, parts, role_actions)
        return Outcome(after, at(context.find_values, place), actions.EXCAVATE)
    if option == TAKE_HERE:
        after = TurnState(place, sand_1, sand_2, sand_4, excavated, parts & ~(1 << place), role_actions)
        return Outcome(after, weights.take, actions.TAKE)
    if option == USE_ROLE:
        number = _best_role_action(context.role_values, role_actions)
        after = TurnState(place, sand_1, sand_2, sand_4, excavated, parts, role_actions | 1 << number)
        return Outcome(after, context.role_values[number], ROLE_ACTION - number)
    cleared = _int64(lowest_bit(option))
    markers = _sand_on(turn, cleared)
    removed = 2 if context.role == ARCHEOLOGIST and markers > 1 else 1
    gain = sand_removal_value(weights, context, cleared, markers, removed)
    action = cleared + (actions.CLEAR if removed == 1 else actions.CLEAR_TWO)
    return Outcome(_with_sand(turn, cleared, markers - removed), gain, action)


def _search_here(search_rest: TurnSearch) -> SearchHere:
    """The search that begins with an action at the pawn's place, the rest of the turn by another search."""

    @kernel
    def search_here(
        weights: Weights, context: TurnContext, turn: TurnState, actions_left: int, at_start: bool
    ) -> BestAction:
        best_value, best_action = IMPOSSIBLE, actions.END
        options = _options_here(context, turn, at_start)
        while options:
            outcome = _apply_option(weights, context, turn, options & -options)
            options &= options - 1
            rest = search_rest(weights, context, outcome.turn, actions_left - 1)
            if rest.value + outcome.gain > best_value:
                best_value, best_action = rest.value + outcome.gain, outcome.action
        return BestAction(best_value, best_action)

    search: SearchHere = search_here
    return search


def _search_one_deeper(search_rest: TurnSearch) -> TurnSearch:
    """A search that walks to each place in reach and acts there, the rest of the turn by another search."""
    search_here = _search_here(search_rest)

    @kernel
    def search_turn(weights: Weights, context: TurnContext, turn: TurnState, actions_left: int) -> BestTurn:
        if not actions_left:
            return _end_turn(weights, context, turn, actions_left)
        best_value, best_place, best_action = IMPOSSIBLE, turn.place, actions.END
        frontier = reached = 1 << turn.place
        blocked = 0 if context.climbs else _blocked(turn) & ~context.safe
        passable = context.tiles if context.climbs else context.tiles & ~_blocked(turn)
        worthwhile, buried = _places_with_options(context, turn) | frontier, blocked & frontier
        for steps in range(actions_left):
            places = frontier & worthwhile
            while places:
                place = lowest_bit(places)
                places &= places - 1
                here = search_here(weights, context, moved_to(turn, place), actions_left - steps, steps == 0)
                if here.value > best_value:
                    best_value, best_place, best_action = here.value, _int64(place), here.action
            next_to = one_step_from(frontier, context.diagonal, context.tunnels)
            frontier = 0 if buried else next_to & passable & ~reached
            reached |= frontier
        end = _best_end_place(weights, context, turn, reached, blocked)
        end_value = end.value
        if buried:
            end_value -= weights.deep
        if end_value >= best_value:
            return BestTurn(end_value, end.place, actions.END)
        return BestTurn(best_value, best_place, best_action)

    search: TurnSearch = search_turn
    return search


@kernel
def _places_with_options(context: TurnContext, turn: TurnState) -> int:
    """The places where a pawn may have something to do."""
    blocked = _blocked(turn)
    sand = _sand_that_matters(context, turn)
    unexcavated = context.tiles & ~(turn.excavated | turn.sand_1 | blocked)
    return sand | turn.parts | unexcavated | context.wells | neighbours_of(sand & blocked, context.diagonal)


search_turn = _search_one_deeper(_search_one_deeper(_search_one_deeper(_search_one_deeper(_end_turn))))
