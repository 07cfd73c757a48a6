"""A player alone who does what is judged best: of three numbers that promise most, the best with its bridges."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.botkit.deep_sets import DeepSetsShape, forward_kernel
from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.features import ENTITY_GROUPS, sketch_paper
from skerry.games.hashi.rules import actions
from skerry.games.hashi.rules.bridges import bridges_due, drawable_lines
from skerry.games.hashi.rules.components import ISLANDS, MAX_POINTS, ROUNDS, START_NUMBER_TABLE
from skerry.games.hashi.rules.draft import draw_bridge, move_number, put_number, remove_bridge, writable_islands
from skerry.games.hashi.rules.state import NOWHERE, STARTING, State

NO_LINE, NO_ISLAND = -1, -2
VALUE_SPAN = float(MAX_POINTS)  # points

_weigh = forward_kernel(DeepSetsShape(ENTITY_GROUPS))


@kernel
def greedy_by_value(world: State, seat: int, legal: NDArray[Any], count: int, weights: Any, desk: Any) -> int:
    """The index of a legal action: a number, then bridges, then confirm; never back."""
    if world.phase == STARTING:
        return 0 if legal[0] == actions.CONFIRM else _start(world, legal, count, weights, desk)
    if world.drafted[0]:
        line, _ = _best_line(world, weights, desk)
        return _index(legal, actions.BRIDGE + line) if line != NO_LINE else 0
    if world.draft_island[0] == NOWHERE:
        island = _number(world, weights, desk)
        if island != NOWHERE:
            return _index(legal, actions.WRITE + island)
    line, value = _bridged(world, weights, desk)
    if line == NO_LINE or value <= promise(world, weights, desk, 0):
        return 0
    return _index(legal, actions.BRIDGE + line)


@kernel
def promise(world: State, weights: Any, desk: Any, owed: int) -> float:
    """The points that a paper will come to, with so many bridges of the running round still to draw."""
    points = sketch_paper(world, desk, world.turns, owed)
    if world.turns == ROUNDS and not owed:
        return points
    return float(points + VALUE_SPAN * _weigh(weights, desk))


@kernel
def _index(legal: NDArray[Any], action: int) -> int:
    index = 0
    while legal[index] != action:
        index += 1
    return index


@kernel
def _start(world: State, legal: NDArray[Any], count: int, weights: Any, desk: Any) -> int:
    best, found = -1.0, 0
    for index in range(count):
        island = (legal[index] - actions.START) % ISLANDS
        put_number(world, 0, island, START_NUMBER_TABLE[(legal[index] - actions.START) // ISLANDS])
        value = promise(world, weights, desk, 0)
        put_number(world, 0, island, 0)
        if value > best:
            best, found = value, index
    return found


@kernel
def _number(world: State, weights: Any, desk: Any) -> int:
    """The island for the card's number, or nowhere."""
    best, found = -1.0, NOWHERE
    for island in _most_promising(world, weights, desk):
        if island == NO_ISLAND:
            break
        move_number(world, 0, island)
        value = promise(world, weights, desk, 0)
        line, bridged = _bridged(world, weights, desk)
        if line != NO_LINE:
            value = max(value, bridged)
        move_number(world, 0, NOWHERE)
        if value > best:
            best, found = value, island
    return found


@kernel
def _most_promising(world: State, weights: Any, desk: Any) -> Any:
    """The three islands (or nowhere) where the number promises most, before its bridges."""
    first, second, third = (NO_ISLAND, -1.0), (NO_ISLAND, -1.0), (NO_ISLAND, -1.0)
    islands = writable_islands(world, 0)
    island = NOWHERE
    while True:
        move_number(world, 0, island)
        value = promise(world, weights, desk, bridges_due(world, 0))
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
def _bridged(world: State, weights: Any, desk: Any) -> Any:
    """The first of this round's bridges, each the best where it is drawn, and what the paper promises after all."""
    first, value = NO_LINE, 0.0
    while bridges_due(world, 0):
        line, after = _best_line(world, weights, desk)
        if line == NO_LINE:
            break
        draw_bridge(world, 0, line)
        first, value = line if first == NO_LINE else first, after
    while world.drafted[0]:
        remove_bridge(world, 0, world.draft_line[0, world.drafted[0] - 1])
    return first, value


@kernel
def _best_line(world: State, weights: Any, desk: Any) -> Any:
    best, found = -1.0, NO_LINE
    left = drawable_lines(world, 0)
    while left:
        line = lowest_bit(left)
        left &= left - 1
        draw_bridge(world, 0, line)
        value = promise(world, weights, desk, bridges_due(world, 0))
        remove_bridge(world, 0, line)
        if value > best:
            best, found = value, line
    return found, best
