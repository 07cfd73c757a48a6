"""The policies ``skilled`` and ``novice``: they try numbers and bridges and keep those with the best evaluation.

``novice`` has weights that ignore much, and sometimes plays at random.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.botkit.policy import index_of
from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.engine.rng import next_below
from skerry.games.hashi.bot.evaluation import CardsToCome, cards_to_come, expected_points
from skerry.games.hashi.bot.weights import NOVICE, SKILLED, SLIP, Weights
from skerry.games.hashi.rules import actions
from skerry.games.hashi.rules.bridges import bridges_due, drawable_lines
from skerry.games.hashi.rules.components import ISLANDS, ROUNDS, START_NUMBER_TABLE
from skerry.games.hashi.rules.draft import draw_bridge, move_number, put_number, remove_bridge
from skerry.games.hashi.rules.state import NOWHERE, STARTING, State

NO_CHOICE = -1


@kernel
def choose_index(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights) -> int:
    """The index of a legal action: first a number, then bridges, then confirm. Nothing is ever taken back."""
    cards = cards_to_come(world)
    if world.phase == STARTING:
        if legal[0] == actions.CONFIRM:
            return 0
        return _best_start(world, seat, legal, count, weights, cards)
    index = NO_CHOICE
    if _draft_is_empty(world, seat):
        index = _best_number(world, seat, legal, count, weights, cards)
    if index == NO_CHOICE and bridges_due(world, seat):
        index = _best_bridge(world, seat, legal, count, weights, cards)
    return max(index, 0)  # the first legal action is confirm, where no bridge is due


@kernel
def _draft_is_empty(world: State, seat: int) -> bool:
    """Whether nothing is drafted in this round yet."""
    return world.draft_island[seat] == NOWHERE and not world.drafted[seat]


@kernel
def _best_start(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights, cards: CardsToCome) -> int:
    """The best start number for oneself, or the worst for a neighbour."""
    best_value, best = -1 << 30, 0
    owner = (seat + 1) % world.players
    for index in range(count):
        island = (legal[index] - actions.START) % ISLANDS
        put_number(world, owner, island, START_NUMBER_TABLE[(legal[index] - actions.START) // ISLANDS])
        value = expected_points(world, weights, cards, owner, ROUNDS)
        put_number(world, owner, island, 0)
        if owner != seat:
            value = -value
        if value > best_value:
            best_value, best = value, index
    return best


@kernel
def _best_number(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights, cards: CardsToCome) -> int:
    """The best number, judged with the bridges that can follow it, or NO_CHOICE."""
    rounds = ROUNDS - world.turns + 1
    threshold = expected_points(world, weights, cards, seat, rounds)
    best_value, best = _points_with_bridges(world, seat, weights, cards), NO_CHOICE
    for index in range(count):
        if actions.WRITE <= legal[index] < actions.BRIDGE:
            move_number(world, seat, legal[index] - actions.WRITE)
            points = expected_points(world, weights, cards, seat, rounds)
            if points >= threshold:  # search bridges only for numbers that look better than those before
                threshold, value = points, _points_with_bridges(world, seat, weights, cards)
                if value > best_value:
                    best_value, best = value, index
            move_number(world, seat, NOWHERE)
    return best


@kernel
def _points_with_bridges(world: State, seat: int, weights: Weights, cards: CardsToCome) -> int:
    """The expected points after drawing the best bridge again and again, or after drawing none if that is better."""
    value = expected_points(world, weights, cards, seat, ROUNDS - world.turns)
    line, value_after = _best_line(world, seat, weights, cards)
    if line == NO_CHOICE:
        return value
    while line != NO_CHOICE:
        draw_bridge(world, seat, line)
        line, next_value = _best_line(world, seat, weights, cards)
        value_after = next_value if line != NO_CHOICE else value_after
    while world.drafted[seat]:
        remove_bridge(world, seat, world.draft_line[seat, world.drafted[seat] - 1])
    return max(value, value_after)


@kernel
def _best_bridge(world: State, seat: int, legal: NDArray[Any], count: int, weights: Weights, cards: CardsToCome) -> int:
    """The best bridge, or NO_CHOICE. The first one must improve the paper; the rest must follow then."""
    line, value = _best_line(world, seat, weights, cards)
    rounds = ROUNDS - world.turns + (1 if bridges_due(world, seat) > 1 else 0)
    if line == NO_CHOICE or (not world.drafted[seat] and value <= expected_points(world, weights, cards, seat, rounds)):
        return NO_CHOICE
    return index_of(actions.BRIDGE + line, legal, count)


@kernel
def _best_line(world: State, seat: int, weights: Weights, cards: CardsToCome) -> Any:
    """The best line for a bridge, or NO_CHOICE, and the expected points after drawing it."""
    rounds = ROUNDS - world.turns + (1 if bridges_due(world, seat) > 1 else 0)
    best_value, best = -1, NO_CHOICE
    left = drawable_lines(world, seat)
    while left:
        line = lowest_bit(left)
        left &= left - 1
        draw_bridge(world, seat, line)
        value = expected_points(world, weights, cards, seat, rounds)
        remove_bridge(world, seat, line)
        if value > best_value:
            best_value, best = value, line
    return best, best_value


@kernel
def skilled(world: State, seat: int, legal: NDArray[Any], count: int, rng: Any) -> Any:
    """Play by ``SKILLED`` weights."""
    if count == 1:
        return 0, rng
    return choose_index(world, seat, legal, count, SKILLED), rng


@kernel
def novice(world: State, seat: int, legal: NDArray[Any], count: int, rng: Any) -> Any:
    """Write a random start number, then play by ``NOVICE`` weights, or sometimes at random."""
    if count == 1 or (world.phase == STARTING and legal[0] == actions.CONFIRM):
        return 0, rng
    if world.phase == STARTING:
        return next_below(rng, count)
    slip, rng = next_below(rng, SLIP)
    if slip == 0:
        return _random_index_forward(world, seat, legal, count, rng)
    return choose_index(world, seat, legal, count, NOVICE), rng


@kernel
def _random_index_forward(world: State, seat: int, legal: NDArray[Any], count: int, rng: Any) -> Any:
    """A random number or bridge, or confirm if there is none. Nothing is ever taken back."""
    least = actions.WRITE if _draft_is_empty(world, seat) else actions.BRIDGE
    first = 0
    while first < count and legal[first] < least:
        first += 1
    last = first
    while last < count and legal[last] < actions.REMOVE:
        last += 1
    if last == first:
        return 0, rng
    index, rng = next_below(rng, last - first)
    return first + index, rng
