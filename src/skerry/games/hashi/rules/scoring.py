"""HA-30 to HA-41: finished islands, the three bonuses, points and ranks."""

from __future__ import annotations

from skerry.engine.bitset import lowest_bit, members_if, popcount
from skerry.engine.event_log import EventLog, emit
from skerry.engine.kernel import kernel
from skerry.games.hashi.rules import events
from skerry.games.hashi.rules.components import (
    BLUE,
    FULL_POINTS_TABLE,
    ISLAND_POINTS,
    ISLANDS,
    LATE_POINTS_TABLE,
    N_BONUSES,
    N_RANKS,
    RANK_POINTS_TABLE,
    RED,
    SIX_ISLANDS,
    SOLO_DEADLINE_TABLE,
)
from skerry.games.hashi.rules.state import State


@kernel
def finished_islands(state: State, seat: int) -> int:
    """HA-18: the islands that have as many bridges as their number says."""
    islands = 0
    for island in range(ISLANDS):
        islands |= members_if((state.number[seat, island] > 0) & (state.room[seat, island] == 0), 1 << island)
    return islands


@kernel
def connected_group(state: State, seat: int, islands: int, start: int) -> int:
    """The islands of a set that are connected to ``start`` by bridges within the set."""
    group = 1 << start
    size = 0
    while group != size:
        size = group
        left = state.built[seat]
        while left:
            line = lowest_bit(left)
            left &= left - 1
            ends = 1 << state.end[line, 0] | 1 << state.end[line, 1]
            if ends & group and not ends & ~islands:
                group |= ends
    return group


@kernel
def has_connected_six(state: State, seat: int, islands: int) -> bool:
    """Whether six or more of the given finished islands are connected."""
    while popcount(islands) >= SIX_ISLANDS:
        group = connected_group(state, seat, islands, lowest_bit(islands))
        if popcount(group) >= SIX_ISLANDS:
            return True
        islands &= ~group
    return False


@kernel
def earns_bonus(state: State, seat: int, bonus: int, islands: int) -> bool:
    """Whether the given finished islands of a seat earn a bonus."""
    if bonus == RED:
        return not state.red & ~islands
    if bonus == BLUE:
        return not state.blue & ~islands
    return has_connected_six(state, seat, islands)


@kernel
def is_late(state: State, bonus: int) -> bool:
    """Whether the full points of a bonus are gone: earned in an earlier round or, alone, past the deadline (HA-40)."""
    if state.players == 1:
        return state.turns > SOLO_DEADLINE_TABLE[bonus]
    return state.claimed >> bonus & 1 > 0


@kernel
def score_bonuses(state: State, log: EventLog) -> None:
    """HA-30 to HA-33, HA-40: score the bonuses of a round.

    Every seat that earns a bonus in the first round in which anyone does gets its full points. Alone, the deadline
    decides instead.
    """
    for bonus in range(N_BONUSES):
        points = LATE_POINTS_TABLE[bonus] if is_late(state, bonus) else FULL_POINTS_TABLE[bonus]
        for seat in range(state.players):
            if not state.bonus[seat, bonus] and earns_bonus(state, seat, bonus, finished_islands(state, seat)):
                state.bonus[seat, bonus] = points
                state.claimed |= 1 << bonus
                emit(log, events.SCORED, seat, bonus, points)


@kernel
def points_of(state: State, seat: int) -> int:
    """HA-34: the points of a seat's paper as it stands."""
    points = ISLAND_POINTS * popcount(finished_islands(state, seat))
    for bonus in range(N_BONUSES):
        points += state.bonus[seat, bonus]
    return points


@kernel
def rank_of(points: int) -> int:
    """HA-41: the rank of a solo player with these points, counted from 0."""
    rank = 0
    while rank + 1 < N_RANKS and points >= RANK_POINTS_TABLE[rank + 1]:
        rank += 1
    return rank
