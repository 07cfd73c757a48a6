"""Ways through the desert, by sets of places: a step of a whole set, how far places are from a goal."""

from __future__ import annotations

from skerry.botkit.packed_array import PackedArray, add
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules.components import ALL_PLACES, CLIMBER, EXPLORER, PLACES, SIDE
from skerry.games.forbidden_desert.rules.reach import tile_places
from skerry.games.forbidden_desert.rules.state import State

MAX_DISTANCE = 7  # steps; further away is not worse
NOT_EAST = sum(1 << place for place in range(PLACES) if place % SIDE != SIDE - 1)
NOT_WEST = sum(1 << place for place in range(PLACES) if place % SIDE)


@kernel
def neighbours_of(places: int, diagonal: bool) -> int:
    """Everything beside some places; these too, where diagonal."""
    row = (places & NOT_EAST) << 1 | (places & NOT_WEST) >> 1
    if diagonal:
        row |= places
        return (row | row << SIDE | row >> SIDE) & ALL_PLACES
    return (row | places << SIDE | places >> SIDE) & ALL_PLACES


@kernel
def one_step_from(places: int, diagonal: bool, tunnels: int) -> int:
    """One step from any of some places, tunnels included."""
    return neighbours_of(places, diagonal) | (tunnels if places & tunnels else 0)


@kernel
def add_distance_cost(world: State, seat: int, cost: PackedArray, goal: int, weight: int) -> PackedArray:
    """Every place costs so much for each action it is away from a goal. To enter a blocked tile takes one more."""
    if weight <= 0 or not goal:
        return cost
    diagonal = world.role[seat] == EXPLORER
    walls = 0 if world.role[seat] == CLIMBER else world.blocked
    before, near = 0, goal & tile_places(world)
    for _ in range(MAX_DISTANCE):
        rest = tile_places(world) & ~near
        if not rest:
            break
        cost = add(cost, rest, weight)
        wider = (
            near
            | one_step_from(near & ~walls, diagonal, world.tunnels)
            | one_step_from(before, diagonal, world.tunnels)
        )
        before, near = near, wider & tile_places(world)
    return cost


@kernel
def first_steps(start: int, goal: int, free: int, diagonal: bool, tunnels: int) -> int:
    """The places beside the start from where the way over free tiles to a goal is shortest."""
    reached = 1 << goal
    while True:
        wider = reached | one_step_from(reached & free, diagonal, tunnels)
        if wider >> start & 1 or wider == reached:
            return reached & free & one_step_from(1 << start, diagonal, tunnels)
        reached = wider
