"""The players: they try each number and each bridge on the paper, and keep what promises most.

``skilled`` plays as well as it can; ``novice`` is the same player with less of an eye.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.engine.rng import next_below
from skerry.games.hashi.bot.prospects import Cards, cards_to_come, worth
from skerry.games.hashi.bot.weights import NOVICE, SKILLED, SLIP, Weights
from skerry.games.hashi.rules import actions
from skerry.games.hashi.rules.bridges import bridges_due, drawable_lines
from skerry.games.hashi.rules.components import ISLANDS, ROUNDS, START_NUMBER_TABLE
from skerry.games.hashi.rules.draft import draw_bridge, move_number, put_number, remove_bridge
from skerry.games.hashi.rules.state import NOWHERE, STARTING, State

NOTHING = -1


@kernel
def choose_index(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights) -> int:
    """The index of a legal action: a number, then bridges, then confirm; never back."""
    cards = cards_to_come(world)
    if world.phase == STARTING:
        if legal[0] == actions.CONFIRM:
            return 0
        return _start(world, seat, legal, count, weights, cards)
    index = NOTHING
    if _is_fresh(world, seat):
        index = _number(world, seat, legal, count, weights, cards)
    if index == NOTHING and bridges_due(world, seat):
        index = _bridge(world, seat, legal, count, weights, cards)
    return max(index, 0)  # the first legal action is confirm, where no bridge is due


@kernel
def _is_fresh(world: State, seat: int) -> bool:
    """Whether nothing is drafted in this round: a number comes first."""
    return world.draft_island[seat] == NOWHERE and not world.drafted[seat]


@kernel
def _start(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights, cards: Cards) -> int:
    """The start that promises most; for a neighbour, least."""
    best, found = -1 << 30, 0
    owner = (seat + 1) % world.players
    for index in range(count):
        island = (legal[index] - actions.START) % ISLANDS
        put_number(world, owner, island, START_NUMBER_TABLE[(legal[index] - actions.START) // ISLANDS])
        value = worth(world, weights, cards, owner, ROUNDS)
        put_number(world, owner, island, 0)
        if owner != seat:
            value = -value
        if value > best:
            best, found = value, index
    return found


@kernel
def _number(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights, cards: Cards) -> int:
    """The number that, with the bridges that can follow it, makes the paper best; or nothing."""
    rounds = ROUNDS - world.turns + 1
    bar = worth(world, weights, cards, seat, rounds)
    best, found = _bridged(world, seat, weights, cards), NOTHING
    for index in range(count):
        if actions.WRITE <= legal[index] < actions.BRIDGE:
            move_number(world, seat, legal[index] - actions.WRITE)
            promise = worth(world, weights, cards, seat, rounds)
            if promise >= bar:  # what was worse than another at once is not looked into
                bar, value = promise, _bridged(world, seat, weights, cards)
                if value > best:
                    best, found = value, index
            move_number(world, seat, NOWHERE)
    return found


@kernel
def _bridged(world: State, seat: int, weights: Weights, cards: Cards) -> int:
    """What the paper promises after this round's bridges, each the best where it is drawn; or after none."""
    value = worth(world, weights, cards, seat, ROUNDS - world.turns)
    line, after = _best_line(world, seat, weights, cards)
    if line == NOTHING:
        return value
    while line != NOTHING:
        draw_bridge(world, seat, line)
        line, more = _best_line(world, seat, weights, cards)
        after = more if line != NOTHING else after
    while world.drafted[seat]:
        remove_bridge(world, seat, world.draft_line[seat, world.drafted[seat] - 1])
    return max(value, after)


@kernel
def _bridge(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights, cards: Cards) -> int:
    """The best bridge, or nothing; the first must better the paper, and what is begun is completed."""
    line, value = _best_line(world, seat, weights, cards)
    rounds = ROUNDS - world.turns + (1 if bridges_due(world, seat) > 1 else 0)
    if line == NOTHING or (not world.drafted[seat] and value <= worth(world, weights, cards, seat, rounds)):
        return NOTHING
    index = 0
    while legal[index] != actions.BRIDGE + line:
        index += 1
    return index


@kernel
def _best_line(world: State, seat: int, weights: Weights, cards: Cards) -> Any:
    """The line on which a bridge promises most, and what the paper promises then."""
    rounds = ROUNDS - world.turns + (1 if bridges_due(world, seat) > 1 else 0)
    best, found = -1, NOTHING
    left = drawable_lines(world, seat)
    while left:
        line = lowest_bit(left)
        left &= left - 1
        draw_bridge(world, seat, line)
        value = worth(world, weights, cards, seat, rounds)
        remove_bridge(world, seat, line)
        if value > best:
            best, found = value, line
    return found, best


@kernel
def skilled(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    if count == 1:
        return 0, counter
    return choose_index(world, seat, legal, count, SKILLED), counter


@kernel
def novice(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    """Begins anywhere, and now and then writes or draws anything."""
    if count == 1 or (world.phase == STARTING and legal[0] == actions.CONFIRM):
        return 0, counter
    if world.phase == STARTING:
        return next_below(counter, count)
    slip, counter = next_below(counter, SLIP)
    if slip == 0:
        return _anything(world, seat, legal, count, counter)
    return choose_index(world, seat, legal, count, NOVICE), counter


@kernel
def _anything(world: State, seat: int, legal: NDArray[Any], count: int, counter: Any) -> Any:
    """Any number or bridge, and where none is left, confirm; never back."""
    least = actions.WRITE if _is_fresh(world, seat) else actions.BRIDGE
    first = 0
    while first < count and legal[first] < least:
        first += 1
    last = first
    while last < count and legal[last] < actions.REMOVE:
        last += 1
    if last == first:
        return 0, counter
    index, counter = next_below(counter, last - first)
    return first + index, counter
