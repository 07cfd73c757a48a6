"""How far a solo paper has come: what the features of all entities build on."""

from __future__ import annotations

from typing import Any, NamedTuple

from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.feature_blocks import GROUP_SIZE_NOTE, N_NEEDS
from skerry.games.hashi.rules.components import (
    FULL_POINTS_TABLE,
    ISLAND_POINTS,
    LATE_POINTS_TABLE,
    N_BONUSES,
    RED,
    SIX,
    SIX_ISLANDS,
    SOLO_DEADLINE_TABLE,
)
from skerry.games.hashi.rules.scoring import connected_group, finished_islands
from skerry.games.hashi.rules.state import State


class Progress(NamedTuple):
    """How far a paper has come."""

    played: int  # rounds
    due: int  # bridges of the last of those rounds still to draw
    finished: int  # islands, a bit set
    largest_group: int  # of finished islands
    earned: int  # bonuses, a bit set; including those that the draft earns
    points: int  # that are certain


@kernel
def read_progress(state: State, out: Any, played: int, due: int) -> Progress:
    """The progress of seat 0's paper. Notes the group sizes."""
    finished = finished_islands(state, 0)
    largest_group = _note_group_sizes(state, out, finished)
    earned, points = _earned_bonuses(state, finished, largest_group)
    return Progress(played, due, finished, largest_group, earned, points)


@kernel
def _note_group_sizes(state: State, out: Any, finished: int) -> int:
    """Note the size of each finished island's group; returns the largest size."""
    largest, left = 0, finished
    while left:
        group = connected_group(state, 0, finished, lowest_bit(left))
        left &= ~group
        size = popcount(group)
        largest = max(largest, size)
        while group:
            out[GROUP_SIZE_NOTE + lowest_bit(group)] = size
            group &= group - 1
    return largest


@kernel
def _earned_bonuses(state: State, finished: int, largest_group: int) -> Any:
    """The bonuses that are earned, including those of the draft, and all points that are certain."""
    earned, points = 0, ISLAND_POINTS * popcount(finished)
    for bonus in range(N_BONUSES):
        is_complete = largest_group >= SIX_ISLANDS
        if bonus != SIX:
            is_complete = not (state.red if bonus == RED else state.blue) & ~finished
        if state.bonus[0, bonus]:
            points += state.bonus[0, bonus]
            earned |= 1 << bonus
        elif is_complete:
            points += LATE_POINTS_TABLE[bonus] if state.turns > SOLO_DEADLINE_TABLE[bonus] else FULL_POINTS_TABLE[bonus]
            earned |= 1 << bonus
    return earned, points


@kernel
def full_points_time(bonus: int, played: int) -> float:
    """The share of the rounds left in which a bonus still gets full points."""
    return max(SOLO_DEADLINE_TABLE[bonus] - played, 0) / SOLO_DEADLINE_TABLE[bonus]


@kernel
def need_class(state: State, island: int) -> int:
    """What an island needs: 0 if it has no number, else how many bridges, where 4 stands for more than 3."""
    return min(state.room[0, island], N_NEEDS - 1) if state.number[0, island] else 0
