"""A quick player: tries each number and each bridge on the paper and keeps the one that looks best.

What is finished is worth most; what can still be finished something; what cannot, nothing.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bits import lowest
from skerry.engine.kernel import kernel
from skerry.engine.random import bounded
from skerry.games.hashi import actions as act
from skerry.games.hashi.draft import draw, remove, rewrite
from skerry.games.hashi.facts import ISLAND_BRIDGES, ISLANDS, LINE_BRIDGES
from skerry.games.hashi.state import NOWHERE, WRITING, State

DONE, DONE_RED, DONE_BLUE, JOINED = 100, 24, 30, 9  # a finished island, more for its flag, for a bridge between two
HOPEFUL, PER_BRIDGE, PER_CHOICE, CHOICES = 62, 7, 3, 4
EMPTY, TOUCHED, FLAG_TOUCHED, CROWDED = 22, 26, 34, 8


@kernel
def simple(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    """The index of a legal action: a number, then bridges, then confirm; never back."""
    if world.phase == WRITING:
        if legal[0] == act.CONFIRM:
            return 0, counter
        return bounded(counter, count)
    index = -1
    if world.draft_island[seat] == NOWHERE and not world.drafted[seat]:
        index = _best_number(world, seat, legal, count)
    if index < 0:
        index = _best_bridge(world, seat, legal, count)
    return max(index, 0), counter  # the first legal action is confirm, where no bridge is due


@kernel
def _best_number(world: State, seat: int, legal: NDArray[Any], count: int) -> int:
    """The index of the number that makes the paper look better, or -1."""
    best, found = worth(world, seat), -1
    for index in range(count):
        if act.WRITE <= legal[index] < act.BRIDGE:
            value = _worth_written(world, seat, legal[index] - act.WRITE)
            if value > best:
                best, found = value, index
    return found


@kernel
def _best_bridge(world: State, seat: int, legal: NDArray[Any], count: int) -> int:
    """The index of the best bridge, or -1; the first must better the paper, and what is begun is completed."""
    best, found = -1, -1
    if not world.drafted[seat]:
        best = worth(world, seat)
    for index in range(count):
        if act.BRIDGE <= legal[index] < act.REMOVE:
            value = _worth_bridged(world, seat, legal[index] - act.BRIDGE)
            if value > best:
                best, found = value, index
    return found


@kernel
def _worth_written(world: State, seat: int, island: int) -> int:
    rewrite(world, seat, island)
    value = worth(world, seat)
    rewrite(world, seat, NOWHERE)
    return value


@kernel
def _worth_bridged(world: State, seat: int, line: int) -> int:
    draw(world, seat, line)
    value = worth(world, seat)
    remove(world, seat, line)
    return value


@kernel
def worth(world: State, seat: int) -> int:
    """How good a paper looks."""
    value = 0
    for island in range(ISLANDS):
        if not world.number[seat, island]:
            value += _worth_unnumbered(world, seat, island)
        elif not world.room[seat, island]:
            value += DONE + DONE_RED * (world.red >> island & 1) + DONE_BLUE * (world.blue >> island & 1)
        else:
            value += _worth_unfinished(world, seat, island)
    left = world.built[seat]
    while left:
        line = lowest(left)
        left &= left - 1
        if not world.room[seat, world.end[line, 0]] and not world.room[seat, world.end[line, 1]]:
            value += JOINED
    return value


@kernel
def _worth_unnumbered(world: State, seat: int, island: int) -> int:
    reached = ISLAND_BRIDGES - world.room[seat, island]
    if not reached:
        return EMPTY
    value = FLAG_TOUCHED if (world.red | world.blue) >> island & 1 else TOUCHED
    return value - CROWDED * max(reached - 2, 0)


@kernel
def _worth_unfinished(world: State, seat: int, island: int) -> int:
    spare = chances(world, seat, island) - world.room[seat, island]
    if spare < 0:
        return 0
    flagged = (world.red | world.blue) >> island & 1
    return HOPEFUL + DONE_RED * flagged - PER_BRIDGE * world.room[seat, island] + PER_CHOICE * min(spare, CHOICES)


@kernel
def chances(world: State, seat: int, island: int) -> int:
    """Bridges that the lines of an island could still take, each looked at alone."""
    total = 0
    left = world.at[island] & ~world.blocked[seat] & ~world.double[seat]
    while left:
        line = lowest(left)
        left &= left - 1
        other = world.end[line, 0] + world.end[line, 1] - island
        free = LINE_BRIDGES - (world.built[seat] >> line & 1)
        total += min(free, world.room[seat, other])
    return total
