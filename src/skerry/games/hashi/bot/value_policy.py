"""The greedy policy by the value network, for solo games.

It tries the number on every island, looks at the three best islands together with their bridges, and takes the best.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.botkit.deep_sets import DeepSetsShape, forward_kernel
from skerry.botkit.policy import index_of
from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.paper_features import ENTITY_GROUPS, write_paper_features
from skerry.games.hashi.rules import actions
from skerry.games.hashi.rules.bridges import bridges_due, drawable_lines
from skerry.games.hashi.rules.components import ISLANDS, MAX_POINTS, ROUNDS, START_NUMBER_TABLE
from skerry.games.hashi.rules.draft import draw_bridge, move_number, put_number, remove_bridge, writable_islands
from skerry.games.hashi.rules.state import NOWHERE, STARTING, State

NO_LINE = -1
NO_CANDIDATE = -2  # fewer than three islands can take the number
VALUE_SPAN = float(MAX_POINTS)

_forward = forward_kernel(DeepSetsShape(ENTITY_GROUPS))


@kernel
def greedy_by_value(world: State, seat: int, legal: NDArray[Any], count: int, weights: Any, scratch: Any) -> int:
    """The index of a legal action: first a number, then bridges, then confirm. Nothing is ever taken back."""
    if world.phase == STARTING:
        return 0 if legal[0] == actions.CONFIRM else _best_start(world, legal, count, weights, scratch)
    if world.drafted[0]:
        line, _ = _best_line(world, weights, scratch)
        return index_of(actions.BRIDGE + line, legal, count) if line != NO_LINE else 0
    if world.draft_island[0] == NOWHERE:
        island = _best_island(world, weights, scratch)
        if island != NOWHERE:
            return index_of(actions.WRITE + island, legal, count)
    line, value = _best_bridges(world, weights, scratch)
    if line == NO_LINE or value <= paper_value(world, weights, scratch, 0):
        return 0
    return index_of(actions.BRIDGE + line, legal, count)


@kernel
def paper_value(world: State, weights: Any, scratch: Any, due: int) -> float:
    """The final points that the network expects of a paper, with ``due`` bridges of this round still to be drawn."""
    points = write_paper_features(world, scratch, world.turns, due)
    if world.turns == ROUNDS and not due:
        return points
    return float(points + VALUE_SPAN * _forward(weights, scratch))


@kernel
def _best_start(world: State, legal: NDArray[Any], count: int, weights: Any, scratch: Any) -> int:
    """The index of the best start number."""
    best_value, best_index = -1.0, 0
    for index in range(count):
        island = (legal[index] - actions.START) % ISLANDS
        put_number(world, 0, island, START_NUMBER_TABLE[(legal[index] - actions.START) // ISLANDS])
        value = paper_value(world, weights, scratch, 0)
        put_number(world, 0, island, 0)
        if value > best_value:
            best_value, best_index = value, index
    return best_index


@kernel
def _best_island(world: State, weights: Any, scratch: Any) -> int:
    """The best island for the card's number, or NOWHERE, judged with the bridges that can follow."""
    best_value, best_island = -1.0, NOWHERE
    for island in _three_best_islands(world, weights, scratch):
        if island == NO_CANDIDATE:
            break
        move_number(world, 0, island)
        value = paper_value(world, weights, scratch, 0)
        line, value_with_bridges = _best_bridges(world, weights, scratch)
        if line != NO_LINE:
            value = max(value, value_with_bridges)
        move_number(world, 0, NOWHERE)
        if value > best_value:
            best_value, best_island = value, island
    return best_island


@kernel
def _three_best_islands(world: State, weights: Any, scratch: Any) -> Any:
    """The three best islands for the card's number (NOWHERE is one of them), judged before any bridges."""
    first, second, third = (NO_CANDIDATE, -1.0), (NO_CANDIDATE, -1.0), (NO_CANDIDATE, -1.0)
    islands = writable_islands(world, 0)
    island = NOWHERE
    while True:
        move_number(world, 0, island)
        value = paper_value(world, weights, scratch, bridges_due(world, 0))
        move_number(world, 0, NOWHERE)
        if value > first[1]:
            first, second, third = (island, value), first, second
        elif value > second[1]:
            second, third = (island, value), second
        elif value > third[1]:
            third = (island, value)
        if not islands:
            return first[0], second[0], third[0]
        island = lowest_bit(islands)
        islands &= islands - 1


@kernel
def _best_bridges(world: State, weights: Any, scratch: Any) -> Any:
    """Draw the best bridge again and again; returns the first line, and the value after all bridges."""
    first_line, value = NO_LINE, 0.0
    while bridges_due(world, 0):
        line, value_after = _best_line(world, weights, scratch)
        if line == NO_LINE:
            break
        draw_bridge(world, 0, line)
        first_line, value = line if first_line == NO_LINE else first_line, value_after
    while world.drafted[0]:
        remove_bridge(world, 0, world.draft_line[0, world.drafted[0] - 1])
    return first_line, value


@kernel
def _best_line(world: State, weights: Any, scratch: Any) -> Any:
    """The best line for a bridge, or NO_LINE, and the value after drawing it."""
    best_value, best_line = -1.0, NO_LINE
    left = drawable_lines(world, 0)
    while left:
        line = lowest_bit(left)
        left &= left - 1
        draw_bridge(world, 0, line)
        value = paper_value(world, weights, scratch, bridges_due(world, 0))
        remove_bridge(world, 0, line)
        if value > best_value:
            best_value, best_line = value, line
    return best_line, best_value
