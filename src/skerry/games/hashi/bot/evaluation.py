"""A heuristic evaluation of papers: the probability of finishing each island, and the points to expect.

Probabilities are in 1024ths.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from skerry.engine.bitset import lowest_bit
from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.weights import Weights
from skerry.games.hashi.rules.components import (
    BLUE,
    CARD_NUMBERS,
    FULL_POINTS_TABLE,
    ISLAND_POINTS,
    ISLANDS,
    LATE_POINTS_TABLE,
    MAX_CARD_BRIDGES,
    MAX_ISLAND_BRIDGES,
    MAX_LINE_BRIDGES,
    N_CARDS,
    RED,
    ROUNDS,
    SIX,
    SOLO_DEADLINE_TABLE,
)
from skerry.games.hashi.rules.state import State

PROBABILITY_ONE = 1024
_BITS_PER_NUMBER = 5  # of ``CardsToCome.up_to``


class CardsToCome(NamedTuple):
    """The cards that can still come, without their order."""

    left: int  # how many there are
    up_to: int  # how many have a number up to 0, 1, … 6, in _BITS_PER_NUMBER bits each


@kernel
def cards_to_come(world: State) -> CardsToCome:
    up_to = 0
    for position in range(world.turns, N_CARDS):
        for number in range(CARD_NUMBERS[world.deck[position]], MAX_ISLAND_BRIDGES + 1):
            up_to += 1 << _BITS_PER_NUMBER * number
    return CardsToCome(N_CARDS - world.turns, up_to)


@kernel
def share_between(cards: CardsToCome, least: int, most: int) -> int:
    """The share of the cards to come whose number is from ``least`` to ``most``."""
    if most < least or not cards.left:
        return 0
    mask = (1 << _BITS_PER_NUMBER) - 1
    count = (cards.up_to >> _BITS_PER_NUMBER * most & mask) - (cards.up_to >> _BITS_PER_NUMBER * (least - 1) & mask)
    return PROBABILITY_ONE * count // cards.left


@kernel
def open_bridges(world: State, seat: int, island: int) -> Any:
    """How many bridges the lines of an island can take, and how many of those lead to a neighbour that needs them."""
    total = wanted = 0
    left = world.at[island] & ~world.blocked[seat] & ~world.double[seat]
    while left:
        line = lowest_bit(left)
        left &= left - 1
        other = world.end[line, 0] + world.end[line, 1] - island
        bridges = min(MAX_LINE_BRIDGES - (world.built[seat] >> line & 1), world.room[seat, other])
        total += bridges
        if world.number[seat, other]:
            wanted += bridges
    return total, wanted


@kernel
def finish_probability(world: State, weights: Weights, cards: CardsToCome, seat: int, island: int, rounds: int) -> int:
    """The probability that an island is finished within some rounds."""
    if world.number[seat, island]:
        return _finish_probability_with_number(world, weights, seat, island, rounds)
    return _finish_probability_without_number(world, weights, cards, seat, island, rounds) if rounds > 0 else 0


@kernel
def _finish_probability_with_number(world: State, weights: Weights, seat: int, island: int, rounds: int) -> int:
    room = world.room[seat, island]
    if not room:
        return PROBABILITY_ONE
    total, wanted = open_bridges(world, seat, island)
    spare = total - room
    if spare < 0 or room > MAX_CARD_BRIDGES * rounds:
        return 0
    loss = weights.missing_bridge * room + weights.time_pressure * room // rounds
    loss -= weights.shared_need * min(wanted, room)
    if spare == 0:
        loss += weights.no_spare
    elif spare == 2:
        loss += weights.two_spare
    return min(max(PROBABILITY_ONE - loss, 0), PROBABILITY_ONE)


@kernel
def _finish_probability_without_number(
    world: State, weights: Weights, cards: CardsToCome, seat: int, island: int, rounds: int
) -> int:
    bridges = MAX_ISLAND_BRIDGES - world.room[seat, island]
    total, wanted = open_bridges(world, seat, island)
    most = min(bridges + total, MAX_ISLAND_BRIDGES)
    fitting = share_between(cards, max(bridges, 1), most)
    value = fitting * weights.no_number // PROBABILITY_ONE - weights.few_rounds // rounds
    value += weights.wanted_bridge * min(wanted, 4) - weights.extra_bridge * max(bridges - 1, 0)
    if not fitting:
        return 0
    if not bridges and (world.red | world.blue) >> island & 1:
        value -= weights.unreached
    return min(max(value, 0), PROBABILITY_ONE)


@kernel
def _rounds_for_full_points(world: State, seat: int, bonus: int, rounds: int) -> int:
    """How many of the rounds left still give full points for a bonus."""
    if world.bonus[seat, bonus] or world.claimed >> bonus & 1:
        return 0
    return max(rounds - (ROUNDS - SOLO_DEADLINE_TABLE[bonus]), 0)


@kernel
def _flag_bonus_probability(
    world: State, weights: Weights, cards: CardsToCome, seat: int, islands: int, rounds: int
) -> int:
    """The probability that all islands of a flag are finished within some rounds, blended with their average.

    Without the average, finishing the first of them would hardly change anything.
    """
    all_finished, total, count = PROBABILITY_ONE, 0, 0
    while islands and rounds:
        island = lowest_bit(islands)
        islands &= islands - 1
        probability = finish_probability(world, weights, cards, seat, island, rounds)
        if not probability:
            return 0
        all_finished = all_finished * probability // PROBABILITY_ONE
        total += probability
        count += 1
    return (weights.flag_bonus * all_finished + weights.flag_average * total // count) // 100 if count else 0


@kernel
def _flag_bonus_points(
    world: State, weights: Weights, cards: CardsToCome, seat: int, bonus: int, islands: int, rounds: int
) -> int:
    """The expected points of a flag bonus, in 1024ths."""
    if world.bonus[seat, bonus]:
        return 0
    early_rounds = _rounds_for_full_points(world, seat, bonus, rounds)
    in_all = _flag_bonus_probability(world, weights, cards, seat, islands, rounds)
    early = (
        _flag_bonus_probability(world, weights, cards, seat, islands, early_rounds) if in_all and early_rounds else 0
    )
    return LATE_POINTS_TABLE[bonus] * in_all + (FULL_POINTS_TABLE[bonus] - LATE_POINTS_TABLE[bonus]) * early


@kernel
def _connection_points(world: State, weights: Weights, seat: int, finished: int) -> int:
    """The value of bridges between finished islands for the bonus SIX, in 1024ths of a point."""
    if world.bonus[seat, SIX]:
        return 0
    value = 0
    left = world.built[seat]
    while left:
        line = lowest_bit(left)
        left &= left - 1
        ends = 1 << world.end[line, 0] | 1 << world.end[line, 1]
        if not ends & ~finished:
            value += weights.connection
    return value


@kernel
def expected_points(world: State, weights: Weights, cards: CardsToCome, seat: int, rounds: int) -> int:
    """The expected points of a paper, in 1024ths."""
    with_number, without_number = 0, 0  # sums of probabilities
    empty_islands, finished = 0, 0
    for island in range(ISLANDS):
        probability = finish_probability(world, weights, cards, seat, island, rounds)
        if not world.number[seat, island]:
            without_number += probability
            empty_islands += 1
        else:
            with_number += probability
            if not world.room[seat, island]:
                finished |= 1 << island
    if empty_islands > ROUNDS - world.turns:  # some islands will stay without a number
        without_number = without_number * (ROUNDS - world.turns) // empty_islands
    value = ISLAND_POINTS * (with_number + without_number) + _connection_points(world, weights, seat, finished)
    value += _flag_bonus_points(world, weights, cards, seat, RED, world.red, rounds)
    return value + _flag_bonus_points(world, weights, cards, seat, BLUE, world.blue, rounds)
