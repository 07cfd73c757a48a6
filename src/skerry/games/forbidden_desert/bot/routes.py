"""Ways through the desert, computed on sets of places: steps of a whole set, and distances from a goal."""

from __future__ import annotations

from skerry.botkit.packed_array import PackedArray, add
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules.components import ALL_PLACES, CLIMBER, EXPLORER, PLACES, SIDE
from skerry.games.forbidden_desert.rules.reach import tile_places
from skerry.games.forbidden_desert.rules.state import State

DISTANCE_CAP = 7  # actions; places farther away cost no more
NOT_EASTERNMOST = sum(1 << place for place in range(PLACES) if place % SIDE != SIDE - 1)
NOT_WESTERNMOST = sum(1 << place for place in range(PLACES) if place % SIDE)


@kernel
def neighbours_of(places: int, diagonal: bool) -> int:
    """All places next to any of some places; with diagonals, those places too."""
    row = (places & NOT_EASTERNMOST) << 1 | (places & NOT_WESTERNMOST) >> 1
    if diagonal:
        row |= places
        return (row | row << SIDE | row >> SIDE) & ALL_PLACES
    return (row | places << SIDE | places >> SIDE) & ALL_PLACES


@kernel
def one_step_from(places: int, diagonal: bool, tunnels: int) -> int:
    """All places one step from any of some places, through tunnels too."""
    return neighbours_of(places, diagonal) | (tunnels if places & tunnels else 0)


@kernel
def add_distance_cost(world: State, seat: int, cost: PackedArray, goals: int, weight: int) -> PackedArray:
    """Add ``weight`` to the cost of each place for each action that it is away from the nearest goal.

    Entering a blocked tile takes one action more, except for the Climber.
    """
    if weight <= 0 or not goals:
        return cost
    diagonal = world.role[seat] == EXPLORER
    blocked = 0 if world.role[seat] == CLIMBER else world.blocked
    reached_before, reached = 0, goals & tile_places(world)
    for _ in range(DISTANCE_CAP):
        farther = tile_places(world) & ~reached
        if not farther:
            break
        cost = add(cost, farther, weight)
        next_to = one_step_from(reached & ~blocked, diagonal, world.tunnels)
        next_to_before = one_step_from(reached_before, diagonal, world.tunnels)
        reached_before, reached = reached, (reached | next_to | next_to_before) & tile_places(world)
    return cost


@kernel
def first_steps(start: int, goal: int, free: int, diagonal: bool, tunnels: int) -> int:
    """The first steps of the shortest ways from a start over free tiles to a goal, as a set of places."""
    reached = 1 << goal
    while True:
        wider = reached | one_step_from(reached & free, diagonal, tunnels)
        if wider >> start & 1 or wider == reached:
            return reached & free & one_step_from(1 << start, diagonal, tunnels)
        reached = wider
