"""What a paper promises: the chance of each island to be finished, and the points that come of it."""

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

SURE = 1024
_BITS = 5  # of a field in ``Cards``


class Cards(NamedTuple):
    """The cards that can still come."""

    left: int  # how many
    upto: int  # how many have a number up to 0, 1, 2, … 6, a field each


@kernel
def cards_to_come(world: State) -> Cards:
    upto = 0
    for position in range(world.turns, N_CARDS):
        for number in range(CARD_NUMBERS[world.deck[position]], MAX_ISLAND_BRIDGES + 1):
            upto += 1 << _BITS * number
    return Cards(N_CARDS - world.turns, upto)


@kernel
def usable(cards: Cards, least: int, most: int) -> int:
    """The part of the coming cards whose number is not below one bound nor above the other, in 1024ths."""
    if most < least or not cards.left:
        return 0
    mask = (1 << _BITS) - 1
    count = (cards.upto >> _BITS * most & mask) - (cards.upto >> _BITS * (least - 1) & mask)
    return SURE * count // cards.left


@kernel
def reach(world: State, seat: int, island: int) -> Any:
    """Bridges that the lines of an island could still take, each looked at alone; and those of them to islands that
    wait for bridges too."""
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
def chance(world: State, weights: Weights, cards: Cards, seat: int, island: int, rounds: int) -> int:
    """How likely an island is to be finished in so many rounds."""
    if world.number[seat, island]:
        return _chance_numbered(world, weights, seat, island, rounds)
    return _chance_blank(world, weights, cards, seat, island, rounds) if rounds > 0 else 0


@kernel
def _chance_numbered(world: State, weights: Weights, seat: int, island: int, rounds: int) -> int:
    room = world.room[seat, island]
    if not room:
        return SURE
    total, wanted = reach(world, seat, island)
    spare = total - room
    if spare < 0 or room > MAX_CARD_BRIDGES * rounds:
        return 0
    loss = weights.room * room + weights.hurry * room // rounds - weights.friend * min(wanted, room)
    if spare == 0:
        loss += weights.tight
    elif spare == 2:
        loss += weights.roomy
    return min(max(SURE - loss, 0), SURE)


@kernel
def _chance_blank(world: State, weights: Weights, cards: Cards, seat: int, island: int, rounds: int) -> int:
    bridges = MAX_ISLAND_BRIDGES - world.room[seat, island]
    total, wanted = reach(world, seat, island)
    most = min(bridges + total, MAX_ISLAND_BRIDGES)
    fitting = usable(cards, max(bridges, 1), most)
    value = fitting * weights.blank // SURE - weights.slow // rounds
    value += weights.wanted * min(wanted, 4) - weights.load * max(bridges - 1, 0)
    if not fitting:
        return 0
    if not bridges and (world.red | world.blue) >> island & 1:
        value -= weights.unreached
    return min(max(value, 0), SURE)


@kernel
def _early(world: State, seat: int, bonus: int, rounds: int) -> int:
    """The rounds in which a bonus can still be had with full points."""
    if world.bonus[seat, bonus] or world.claimed >> bonus & 1:
        return 0
    return max(rounds - (ROUNDS - SOLO_DEADLINE_TABLE[bonus]), 0)


@kernel
def _flags(world: State, weights: Weights, cards: Cards, seat: int, islands: int, rounds: int) -> int:
    """How likely all islands of a bonus are finished in so many rounds, and how near they are to it on average: else
    the first of them would promise nothing."""
    every, near, number = SURE, 0, 0
    while islands and rounds:
        island = lowest_bit(islands)
        islands &= islands - 1
        likely = chance(world, weights, cards, seat, island, rounds)
        if not likely:
            return 0
        every = every * likely >> 10
        near += likely
        number += 1
    return (weights.flags * every + weights.banner * near // number) // 100 if number else 0


@kernel
def _bonus(world: State, weights: Weights, cards: Cards, seat: int, bonus: int, islands: int, rounds: int) -> int:
    """What a bonus of flags promises."""
    if world.bonus[seat, bonus]:
        return 0
    early = _early(world, seat, bonus, rounds)
    later = _flags(world, weights, cards, seat, islands, rounds)
    sooner = _flags(world, weights, cards, seat, islands, early) if later and early else 0
    return LATE_POINTS_TABLE[bonus] * later + (FULL_POINTS_TABLE[bonus] - LATE_POINTS_TABLE[bonus]) * sooner


@kernel
def _links(world: State, weights: Weights, seat: int, done: int) -> int:
    if world.bonus[seat, SIX]:
        return 0
    value = 0
    left = world.built[seat]
    while left:
        line = lowest_bit(left)
        left &= left - 1
        ends = 1 << world.end[line, 0] | 1 << world.end[line, 1]
        if not ends & ~done:
            value += weights.link
    return value


@kernel
def worth(world: State, weights: Weights, cards: Cards, seat: int, rounds: int) -> int:
    """The points that a paper promises, in 1024ths."""
    numbered, blank, blanks, done = 0, 0, 0, 0
    for island in range(ISLANDS):
        likely = chance(world, weights, cards, seat, island, rounds)
        if not world.number[seat, island]:
            blank += likely
            blanks += 1
        else:
            numbered += likely
            if not world.room[seat, island]:
                done |= 1 << island
    if blanks > ROUNDS - world.turns:  # a card has one number, so that some islands stay without
        blank = blank * (ROUNDS - world.turns) // blanks
    value = ISLAND_POINTS * (numbered + blank) + _links(world, weights, seat, done)
    value += _bonus(world, weights, cards, seat, RED, world.red, rounds)
    return value + _bonus(world, weights, cards, seat, BLUE, world.blue, rounds)
